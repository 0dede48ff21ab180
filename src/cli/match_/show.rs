//! A match as it goes, on standard error.

use crate::cli::output;
use crate::cli::thoughts::Log;
use gdlr::engine::{RoleId, Roles};
use gdlr::ggp::manager::Event;
use gdlr::ggp::record::Request;
use indicatif::ProgressBar;

/// Shows a match as it goes, on standard error.
pub struct Show<'r> {
    pub roles: &'r Roles,
    /// The match.
    pub id: &'r str,
    pub log: &'r Log,
    /// Whether moves are shown, too.
    pub moves: bool,
    /// Who has not answered yet.
    pub waiting: Vec<RoleId>,
    pub spinner: ProgressBar,
}

impl Show<'_> {
    pub fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Asked(request, step, asked) => {
                self.waiting = asked.to_vec();
                self.wait(*request, *step);
            }
            Event::Answered(role, _) => {
                self.waiting.retain(|waiting| waiting != role);
                self.name_waiting();
            }
            Event::Fault(fault) => self.say(|| {
                output::warn(&format!("{}: {fault}", self.roles.name(fault.role)));
            }),
            Event::GivenUp(role) => self.say(|| {
                let name = self.roles.name(*role);
                output::warn(&format!("{name} is not asked any more, and moves at random"));
            }),
            Event::Thought(_, thought) => self.say(|| {
                self.log.tell(self.id, thought, |line| output::note(&line));
            }),
            Event::Played(step, joint) if self.moves => self.say(|| {
                output::note(&format!("step {}: {}", step + 1, joint.join(" | ")));
            }),
            Event::Played(..) => {}
        }
    }

    fn wait(&self, request: Request, step: u64) {
        self.spinner.set_prefix(match request {
            Request::Play => format!("step {}", step + 1),
            request => request.as_str().to_owned(),
        });
        self.name_waiting();
    }

    fn name_waiting(&self) {
        let names: Vec<&str> = self.waiting.iter().map(|&role| self.roles.name(role)).collect();
        let prefix = self.spinner.prefix();
        self.spinner.set_message(format!("{prefix}: {}", names.join(", ")));
    }

    fn say(&self, write: impl FnOnce()) {
        self.spinner.suspend(write);
    }
}
