//! How matches end, as an exit status.

use crate::cli::status::Status;
use gdlr::engine::{RoleId, Roles};
use gdlr::ggp::record::{Ending, Record};

/// The exit status that says how a match ended.
pub fn status_of(record: &Record) -> Status {
    let chance = Roles::new(record.roles.iter().cloned()).random();
    // Chance needs no goal.
    let proper =
        |(place, goal): (u16, &Option<u8>)| goal.is_some() || chance == Some(RoleId(place));
    match record.ending {
        Ending::Terminal if (0..).zip(&record.goals).all(proper) => Status::Done,
        Ending::Terminal | Ending::Stuck(_) => Status::No,
        Ending::Cap | Ending::Limit(_) => Status::Budget,
        Ending::Interrupted => Status::Interrupted,
    }
}
