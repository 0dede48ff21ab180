//! How a command ends.

use std::io;
use std::process::ExitCode;

/// The exit status of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// The job is done.
    Done,
    /// The answer is no: errors found, a trace that differs, a defect of the game.
    No,
    /// Unusable arguments or input.
    Unusable,
    /// A budget ran out before the job was done.
    Budget,
    /// Interrupted.
    Interrupted,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(match status {
            Status::Done => 0,
            Status::No => 1,
            Status::Unusable => 2,
            Status::Budget => 3,
            Status::Interrupted => 130,
        })
    }
}

/// Why a command could not go on.
#[derive(Debug)]
pub enum Failure {
    /// Unusable arguments or input, for the reason given.
    Unusable(String),
    /// The reason has been printed already.
    Reported(Status),
    /// Nobody reads the results any more.
    BrokenPipe,
}

/// How a command ends.
pub type Outcome = Result<Status, Failure>;

/// A failure to write results.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::BrokenPipe,
            _ => Failure::Unusable(format!("cannot write to standard output: {error}")),
        }
    }
}
