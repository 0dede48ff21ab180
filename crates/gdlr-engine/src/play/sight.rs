//! Whether each role can tell its moves and the end from what it sees (GDL-II), with plays in words.

use super::information_sets::{Dark, InformationSets, Unfinished, Untold, information_sets};
use crate::engine::{Engine, MoveId, RoleId, WorkLimit};
use std::sync::atomic::AtomicBool;

/// Which states roles can tell apart, from their percepts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sight {
    /// All plays of up to so many joint moves were compared.
    pub depth: usize,
    /// Whether there are no longer ones within the bound on their length.
    pub complete: bool,
    /// For each role and each thing that it cannot tell, the first plays that show it.
    pub look_alikes: Vec<LookAlike>,
}

/// Two plays that look the same to a role, and should not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LookAlike {
    /// The role.
    pub role: RoleId,
    /// The property that it cannot tell.
    pub untold: Untold,
    /// The joint moves of both plays, which are equally long; each has the canonical string of one
    /// move a role.
    pub plays: [Vec<Vec<String>>; 2],
}

/// Why a walk ended early, other than by its bound on situations.
pub(super) enum Early {
    /// The stop flag was raised.
    Stopped,
    /// A state was too much for the engine.
    Limit(WorkLimit),
}

/// Compares all plays of up to `depth` joint moves that look the same to a role, as far as `most`
/// situations go. See [`information_sets`].
pub(super) fn look<E: Engine>(
    engine: &E,
    depth: usize,
    most: usize,
    stop: &AtomicBool,
) -> (Sight, Option<Early>) {
    let sets = information_sets(engine, depth, most, stop, |_| {});
    let InformationSets { depths, dark, unfinished } = sets;
    let sight = Sight {
        depth: depths.len().saturating_sub(1),
        complete: unfinished.is_none(),
        look_alikes: dark.iter().map(|dark| in_words(engine, dark)).collect(),
    };
    let early = match unfinished {
        None | Some(Unfinished::TooMany) => None,
        Some(Unfinished::Stopped) => Some(Early::Stopped),
        Some(Unfinished::Limit(limit)) => Some(Early::Limit(limit)),
    };
    (sight, early)
}

fn in_words<E: Engine>(engine: &E, dark: &Dark) -> LookAlike {
    let canonical = |&id: &MoveId| engine.move_term(id).1.canonical(engine.symbols());
    let joint = |joint: &Vec<MoveId>| joint.iter().map(canonical).collect();
    let plays = dark.plays.each_ref().map(|play| play.iter().map(joint).collect());
    LookAlike { role: dark.role, untold: dark.untold, plays }
}
