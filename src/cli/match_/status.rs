//! How matches end, as an exit status.

use crate::cli::status::Status;
use gdlr::ggp::record::{Ending, Record};

/// The exit status that says how a match ended.
pub fn status_of(record: &Record) -> Status {
    match record.ending {
        Ending::Terminal if record.goals.iter().all(Option::is_some) => Status::Done,
        Ending::Terminal | Ending::Stuck(_) => Status::No,
        Ending::Cap | Ending::Limit(_) => Status::Budget,
        Ending::Interrupted => Status::Interrupted,
    }
}
