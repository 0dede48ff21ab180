//! A match as it goes, on standard error.

use crate::cli::colours;
use crate::cli::output::{self, Page};
use crate::cli::thoughts::Log;
use gdlr::engine::{RoleId, Roles};
use gdlr::gdl::Term;
use gdlr::ggp::manager::Event;
use gdlr::ggp::record::Request;
use gdlr::viewer::Viewer;
use indicatif::ProgressBar;

/// Shows a match as it goes, on standard error.
pub struct Show<'r> {
    pub roles: &'r Roles,
    /// The match.
    pub id: &'r str,
    pub log: &'r Log,
    /// Whether moves are shown, too.
    pub moves: bool,
    /// The viewer of the states, if they are shown.
    pub boards: Option<Viewer>,
    /// The facts of the last state that was shown.
    pub before: Vec<Term>,
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
            Event::Unreachable(role, why) => self.say(|| {
                let name = self.roles.name(*role);
                output::note(&format!("{name}: {why}; asked again until the clock is over"));
            }),
            Event::Returned(role) => self.say(|| {
                let name = self.roles.name(*role);
                output::note(&format!("{name} answers, and is asked for moves again"));
            }),
            Event::GivenUp(role) => self.say(|| {
                let name = self.roles.name(*role);
                output::warn(&format!("{name} is not asked any more, and moves at random"));
            }),
            Event::Thought(_, thought) => self.say(|| {
                self.log.tell(self.id, thought, |line| output::note(&line));
            }),
            Event::Played(step, joint, facts) => {
                if self.moves {
                    self.say(|| {
                        output::note(&format!("step {}: {}", step + 1, joint.join(" | ")));
                    });
                }
                self.show_state(facts);
            }
        }
    }

    /// Draws a state, if somebody looks on.
    fn show_state(&mut self, facts: &[Term]) {
        let Some(viewer) = &mut self.boards else { return };
        let before = (!self.before.is_empty()).then_some(&*self.before);
        let mut page = Page::of_stderr();
        colours::write(
            &mut page,
            &viewer.parts(facts, before),
            &colours::of_roles(self.roles.names()),
        );
        page.plain("\n");
        self.before = facts.to_vec();
        // A terminal that is gone is no reason to end a match.
        self.say(|| drop(page.print()));
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
