//! Looks for states in which a game is not proper (RG, section 2, "Proper description").
//!
//! The exploration is a depth-first search through all plays. It visits every state once, until it
//! has seen a given number of states. A state that occurs again on the same play lies on a cycle,
//! so the game can go on without end.
//!
//! The compiler finds defects that the text shows, such as a type `Bool` of three symbols. They are
//! reported if play shows no other defect.

use super::automaton::Automaton;
use super::error::PlayError;
use super::moves::Moves;
use super::search::Search;
use super::state::{State, Turn};
use crate::rg::name::Name;
use hashbrown::HashMap;
use std::fmt;

/// The conditions that a proper game meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Every action is valid.
    Validity,
    /// The same tags lead to one state.
    Unambiguity,
    /// The player with the turn has a move.
    Continuable,
    /// The keeper has one move.
    Keeper,
    /// Every play ends.
    Finiteness,
    /// The keeper ends the game.
    End,
    /// The built-in definitions are as the language has them.
    Definitions,
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Condition::Validity => "action validity",
            Condition::Unambiguity => "move unambiguity",
            Condition::Continuable => "continuable plays",
            Condition::Keeper => "deterministic keeper",
            Condition::Finiteness => "finite plays",
            Condition::End => "ended by the keeper",
            Condition::Definitions => "special definitions",
        })
    }
}

/// The reason why a game is not proper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The condition that does not hold.
    pub condition: Condition,
    /// A description of the defect.
    pub message: String,
    /// The moves from the initial state to the defect, each by its tags. The moves of the keeper
    /// are among them.
    pub play: Vec<Vec<Name>>,
}

/// The result of an exploration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exploration {
    /// The number of different states that were seen.
    pub states: usize,
    /// Whether these are all states of the game.
    pub complete: bool,
    /// The first condition that does not hold.
    pub violation: Option<Violation>,
    /// The reason for an early end that is no defect of the game: too much work in one state, no
    /// time left, or a flag that was raised.
    pub broken_off: Option<PlayError>,
}

/// A state of the current play.
struct Level {
    state: State,
    moves: Moves,
    next: usize,
}

/// Explores the plays of a game until it has seen `most` states, or a condition fails. Calls
/// `progress` now and then with the number of states. Keeps all states in memory.
pub fn explore(
    automaton: &Automaton,
    search: &mut Search,
    most: usize,
    progress: impl FnMut(usize),
) -> Exploration {
    let mut exploration = explore_plays(automaton, search, most, progress);
    if exploration.violation.is_none()
        && let Some(message) = &automaton.improper
    {
        let (condition, message) = (Condition::Definitions, message.clone());
        exploration.violation = Some(Violation { condition, message, play: Vec::new() });
    }
    exploration
}

fn explore_plays(
    automaton: &Automaton,
    search: &mut Search,
    most: usize,
    mut progress: impl FnMut(usize),
) -> Exploration {
    let mut exploration =
        Exploration { states: 0, complete: false, violation: None, broken_off: None };
    // By state: whether it is on the current play.
    let mut seen: HashMap<State, bool> = HashMap::new();
    let mut play: Vec<Level> = Vec::new();
    let mut state = automaton.initial().clone();
    loop {
        match seen.get(&state) {
            Some(true) => {
                let node = automaton.text(automaton.node(&state));
                let message = format!("the state at `{node}` comes again");
                exploration.violation = Some(violation(Condition::Finiteness, message, &play));
                return exploration;
            }
            Some(false) => {}
            None if exploration.states >= most => return exploration,
            None => {
                exploration.states += 1;
                if exploration.states.is_multiple_of(1 << 10) {
                    progress(exploration.states);
                }
                if let Some(message) = ended_by_another(automaton, &state) {
                    exploration.violation = Some(violation(Condition::End, message, &play));
                    return exploration;
                }
                let mut moves = Moves::default();
                match list(automaton, search, &state, &mut moves) {
                    Ok(()) => {
                        seen.insert(state.clone(), true);
                        play.push(Level { state: state.clone(), moves, next: 0 });
                    }
                    Err(error) => {
                        match condition(&error) {
                            Some(which) => {
                                exploration.violation =
                                    Some(violation(which, error.to_string(), &play));
                            }
                            None => exploration.broken_off = Some(error),
                        }
                        return exploration;
                    }
                }
            }
        }
        while let Some(done) = play.pop_if(|level| level.next == level.moves.len()) {
            seen.insert(done.state, false);
        }
        let Some(level) = play.last_mut() else {
            exploration.complete = true;
            return exploration;
        };
        state.clone_from(&level.state);
        level.moves.play(level.next, &mut state);
        level.next += 1;
    }
}

/// The defect of a state in which the game is over, but the move was not the keeper's.
fn ended_by_another(automaton: &Automaton, state: &State) -> Option<String> {
    let player = automaton.player(state);
    let is_over = automaton.turn(state) == Turn::End;
    (is_over && player != Name::KEEPER).then(|| {
        format!("`end` is entered with `player = {}`, not by the keeper", automaton.text(player))
    })
}

/// The moves of a state. It is an error if the keeper has not one move.
fn list(
    automaton: &Automaton,
    search: &mut Search,
    state: &State,
    moves: &mut Moves,
) -> Result<(), PlayError> {
    automaton.moves(search, state, moves)?;
    if automaton.turn(state) == Turn::Keeper && moves.len() > 1 {
        let node = automaton.text(automaton.node(state)).to_owned();
        return Err(PlayError::Keeper { node, moves: moves.len() });
    }
    Ok(())
}

fn condition(error: &PlayError) -> Option<Condition> {
    match error {
        PlayError::Ambiguous { .. } => Some(Condition::Unambiguity),
        PlayError::DeadEnd { .. } => Some(Condition::Continuable),
        PlayError::Keeper { .. } => Some(Condition::Keeper),
        PlayError::Invalid { .. } | PlayError::Recursion { .. } => Some(Condition::Validity),
        PlayError::Endless { .. } => Some(Condition::Finiteness),
        PlayError::TooMuchWork { .. } | PlayError::OutOfTime | PlayError::Interrupted => None,
    }
}

fn violation(condition: Condition, message: String, play: &[Level]) -> Violation {
    let tags = |level: &Level| level.next.checked_sub(1).map(|at| level.moves.tags(at).to_vec());
    Violation { condition, message, play: play.iter().filter_map(tags).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explored(edges: &str, most: usize) -> Exploration {
        let text = format!(
            "type Player = {{ x, y }}; type Score = {{ 0 }}; type Count = {{ a, b, c }};
             const next: Count -> Count = {{ a: b, b: c, :a }}; var count: Count = a; {edges}"
        );
        let automaton = Automaton::new(&crate::rg::read(&text).unwrap()).unwrap();
        explore(&automaton, &mut Search::default(), most, |_| {})
    }

    #[test]
    fn a_proper_game_is_gone_through() {
        let text = "begin, move: player = x; move, m: $ on; m, s: count = next[count];
            s, t: player = keeper; t, u: count != c; u, move: player = x;
            t, v: count == c; v, end: player = keeper;";
        let exploration = explored(text, 100);
        assert_eq!(
            (exploration.states, exploration.complete, exploration.violation),
            (6, true, None)
        );
        let exploration = explored(text, 3);
        assert_eq!(
            (exploration.states, exploration.complete, exploration.violation),
            (3, false, None)
        );
    }

    /// Automata after the same head, each without one condition.
    const FAILING: [(Condition, &str); 14] = [
        (Condition::End, "begin, end: player = x;"),
        (Condition::End, "begin, end: player = random;"),
        (Condition::End, "begin, a: who = y; a, end: player = who;"),
        (
            Condition::End,
            "begin, a: player = x; a, end: player = keeper; a, b: count == a;
          b, c: $ t; c, end: player = x;",
        ),
        (Condition::Validity, "begin, a: e = d; a, b: count = Count(e); b, end: player = keeper;"),
        (Condition::Validity, "begin, a: e = d; a, b: count = e; b, end: player = keeper;"),
        (
            Condition::Validity,
            "begin, a: count = b; a, b: mm[c][count] = b; b, end: player = keeper;",
        ),
        (
            Condition::Validity,
            "begin, a: ? p -> q; a, end: player = keeper; p, q: count != a;
          p, r: count == a; r, q: ? p -> q;",
        ),
        (Condition::Definitions, "type Bool = { 0, 1, 2 }; begin, end: player = keeper;"),
        (Condition::Definitions, "var player: PlayerOrSystem = x; begin, end: player = keeper;"),
        (
            Condition::Finiteness,
            "begin, move: player = x; move, m: $ on; m, s: count = next[count];
             s, move: player = x; move, end: player = keeper;",
        ),
        (
            Condition::Continuable,
            "begin, a: player = x; a, b: count == c; b, end: player = keeper;",
        ),
        (
            Condition::Keeper,
            "begin, a: $ one; begin, a: $ two; a, b: player = x; b, end: player = keeper;",
        ),
        (
            Condition::Unambiguity,
            "begin, a: player = x; a, b: $ t; b, c: count = b; b, c: count = c;
             c, end: player = keeper;",
        ),
    ];

    /// Each condition fails in its smallest automaton, and holds in one beside it.
    #[test]
    fn each_condition_can_fail() {
        let head = "type E = { c, d }; var e: E = c; var who: PlayerOrSystem = keeper;
            const one: E -> Count = { :a }; var mm: Count -> E -> Count = { :{ :a } };";
        let kept = [
            "begin, end: player = keeper;",
            "begin, a: player = x; a, b: ; a, b: ; b, end: player = keeper;",
            "begin, a: player = x; a, b: count = next[count]; b, end: player = keeper;",
            "begin, a: count = Count(e); a, end: player = keeper;",
            "begin, a: count = e; a, end: player = keeper;",
            "begin, a: mm[c][e] = b; a, end: player = keeper;",
            "begin, end: player = who;",
            "begin, a: player = x; a, end: player = keeper; a, b: count == b; b, end: player = x;",
            "begin, a: ? p -> q; a, end: player = keeper; p, q: count == a; p, r: count != a;
             r, q: ? p -> q;",
        ];
        for text in kept {
            let exploration = explored(&format!("{head}{text}"), 100);
            assert_eq!((exploration.complete, exploration.violation), (true, None), "{text}");
        }
        for (condition, text) in FAILING {
            let exploration = explored(&format!("{head}{text}"), 100);
            let violation = exploration.violation.unwrap_or_else(|| panic!("{condition}"));
            assert_eq!(violation.condition, condition, "{}", violation.message);
        }
    }

    #[test]
    fn what_is_built_in_decides_too() {
        for (types, is_proper) in [
            ("type Player = { x, o };", true),
            ("type Player = { x, keeper };", false),
            ("type Player = { x, random };", false),
            ("type Player = { x }; type Bool = { 1, 0 };", true),
            ("type Player = { x }; type Bool = { 0, 1, 2 };", false),
            ("type Player = { x }; type PlayerOrSystem = { x, random, keeper };", true),
            ("type Player = { x }; type PlayerOrSystem = { x, o, random, keeper };", false),
        ] {
            let text = format!("{types} type Score = {{ 0 }}; begin, end: player = keeper;");
            let automaton = Automaton::new(&crate::rg::read(&text).unwrap()).unwrap();
            let exploration = explore(&automaton, &mut Search::default(), 10, |_| {});
            assert!(exploration.complete, "{types}");
            let violation = exploration.violation.map(|violation| violation.condition);
            assert_eq!(violation, (!is_proper).then_some(Condition::Definitions), "{types}");
        }
    }

    #[test]
    fn the_play_is_told() {
        let exploration = explored(
            "begin, move: player = x; move, m: $ on; m, s: count = next[count];
             s, move: player = x; move, end: player = keeper;",
            100,
        );
        // The keeper, and x three times.
        assert_eq!(exploration.violation.expect("a cycle").play.len(), 4);
    }
}
