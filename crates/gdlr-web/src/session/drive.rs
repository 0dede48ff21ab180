//! Does what comes next in a match, until a move has to come from outside.

use super::Session;
use super::event::Event;
use super::table::{Next, Table};
use super::task::{Task, Thought};
use super::thought::{self, ThoughtOf};
use crate::refusal::Refusal;
use gdlr_engine::engine::{Engine, RoleId};
use gdlr_rules::gdl::Term;
use std::sync::{Arc, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::broadcast;
use tokio::task::spawn_blocking;

impl Session {
    /// Lets the match go on, and tells everybody how it stands then.
    ///
    /// # Panics
    ///
    /// Outside of the threads of the service.
    pub fn changed(self: &Arc<Self>) {
        let was_driven = std::mem::replace(&mut self.table().is_driven, true);
        if was_driven {
            self.tell_state();
        } else {
            Handle::current().spawn(drive(self.clone()));
        }
    }

    fn tell_state(&self) {
        let table = self.table();
        self.tell_withheld(&table);
        let event = Event::new("match", &self.status_of(&table));
        // Told in the order in which things change: the table is still held.
        let _ = self.events.send(event);
    }

    /// Tells what a player thought while others were to choose, once they have chosen.
    fn tell_withheld(&self, table: &Table) {
        let mut withheld = self.withheld();
        let is_due = |&(step, _): &(usize, Event)| !is_secret(table, step);
        let Some((step, event)) = withheld.take_if(|of| is_due(of)) else { return };
        // A step that was taken back was never played.
        if step <= table.timeline.last() {
            *self.last_thought() = Some(event.clone());
            let _ = self.events.send(event);
        }
    }

    fn withheld(&self) -> MutexGuard<'_, Option<(usize, Event)>> {
        self.withheld.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The events from now on, and those that say how things stand.
    pub fn listen(&self) -> (Vec<Event>, broadcast::Receiver<Event>) {
        let table = self.table();
        let mut first = vec![Event::new("match", &self.status_of(&table))];
        first.extend(self.last_thought().clone());
        (first, self.events.subscribe())
    }

    fn last_thought(&self) -> MutexGuard<'_, Option<Event>> {
        self.thought.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets a search say what it expects of the moves of a role; of no time, ends that.
    pub fn hint(self: &Arc<Self>, role: RoleId, think: Duration) -> Result<(), Refusal> {
        let mut table = self.table();
        if think.is_zero() {
            table.end_hint();
            return Ok(());
        }
        if table.is_over() || !table.timeline.now().has_choice(role) {
            return Err(Refusal::turn("the role has no choice here"));
        }
        let task = table.hint(role, think, self.loaded.handover());
        drop(table);
        let session = self.clone();
        Handle::current().spawn(async move {
            think_about(&session, task).await;
        });
        Ok(())
    }

    fn tell_thought(&self, of: &ThoughtOf, said: &Thought<'_>) {
        // The estimates of a player show what it knows of a hidden state.
        if !of.is_hint && !self.omniscient {
            return;
        }
        let event = Event::new("thought", &thought::to_json(&self.loaded, of, said));
        let table = self.table();
        if !of.is_hint && is_secret(&table, of.step) {
            *self.withheld() = Some((of.step, event));
            return;
        }
        *self.withheld() = None;
        *self.last_thought() = Some(event.clone());
        let _ = self.events.send(event);
    }
}

/// Whether what a player expects in a state would tell somebody who has still to choose there what
/// that player is about to do.
fn is_secret(table: &Table, step: usize) -> bool {
    step == table.timeline.last() && table.waiting().next().is_some()
}

/// Goes on until there is nothing to be done.
async fn drive(session: Arc<Session>) {
    loop {
        let awaited = session.clone();
        let next = spawn_blocking(move || awaited.next()).await;
        // Who listens asks for the state each time: it is told once that the match goes on.
        if !matches!(next, Ok(Next::Changed) | Err(_)) {
            session.tell_state();
        }
        match next {
            Ok(Next::Changed) => {}
            Ok(Next::Wait(time)) => tokio::time::sleep(time).await,
            Ok(Next::Think(task)) => {
                let turn = think_about(&session, *task).await;
                if let Some((task, chosen)) = turn {
                    session.table().take_back(task, chosen);
                }
            }
            Ok(Next::Rest) => return,
            // The service ends, or this match has shown a defect of it.
            Err(_) => {
                let mut table = session.table();
                table.is_driven = false;
                table.stopped = Some("the service has failed here, a defect of it".to_owned());
                drop(table);
                session.tell_state();
                return;
            }
        }
    }
}

impl Session {
    fn next(&self) -> Next {
        let mut table = self.table();
        let next = table.next(self.loaded.handover());
        if matches!(next, Next::Rest) {
            table.is_driven = false;
        }
        next
    }
}

/// Thinks when there is a thread for it; gives the task back, with what was chosen.
async fn think_about(session: &Arc<Session>, mut task: Task) -> Option<(Task, Option<Term>)> {
    let turn = session.thinkers.clone().acquire_owned().await.ok()?;
    let session = session.clone();
    let done = spawn_blocking(move || {
        let of = ThoughtOf {
            role: task.engine.roles().name(task.role).to_owned(),
            step: task.observations.len(),
            is_hint: task.is_hint,
        };
        *session.last_thought() = None;
        let chosen = task.run(&mut |said| session.tell_thought(&of, said));
        drop(turn);
        (task, chosen)
    });
    done.await.ok()
}
