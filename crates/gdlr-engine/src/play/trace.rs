//! Recorded play that any reasoner can be checked against.
//!
//! A trace holds what another program found in a game: the roles, the initial state, some
//! playouts with a hash of every state and the legal moves there, and the counts of joint
//! moves from the initial state. Everything is said in canonical strings: terms in lower
//! case with single spaces ([`Term::canonical`]). [`super::verify`] replays a trace.

use gdlr_rules::gdl::{SymbolTable, Term};
use std::collections::BTreeMap;
use std::fmt;

/// The offset and the prime of FNV-1a with 64 bits.
const FNV: (u64, u64) = (0xcbf2_9ce4_8422_2325, 0x0000_0100_0000_01b3);

/// FNV-1a, 64 bits, of some bytes.
///
/// ```
/// # mod gdlr { pub use gdlr_engine::play; }
/// assert_eq!(gdlr::play::trace::fnv1a(b""), 0xcbf29ce484222325);
/// assert_eq!(gdlr::play::trace::fnv1a(b"a"), 0xaf63dc4c8601ec8c);
/// ```
pub fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(FNV.0, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(FNV.1))
}

/// The canonical strings of some terms, sorted.
pub fn sorted_strings<'t>(
    terms: impl IntoIterator<Item = &'t Term>,
    symbols: &SymbolTable,
) -> Vec<String> {
    let mut strings: Vec<String> = terms.into_iter().map(|term| term.canonical(symbols)).collect();
    strings.sort_unstable();
    strings
}

/// The hash of sorted strings: FNV-1a over them, joined with line feeds.
pub fn hash_of(strings: &[String]) -> Hash64 {
    Hash64(fnv1a(strings.join("\n").as_bytes()))
}

/// A hash, written as 16 lower-case hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "String", into = "String"))]
pub struct Hash64(pub u64);

impl fmt::Display for Hash64 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl From<Hash64> for String {
    fn from(hash: Hash64) -> String {
        hash.to_string()
    }
}

impl TryFrom<String> for Hash64 {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match u64::from_str_radix(&text, 16) {
            Ok(hash) if text.len() == 16 => Ok(Hash64(hash)),
            _ => Err(format!("`{text}` is no hash of 16 hexadecimal digits")),
        }
    }
}

/// A trace. `crates/gdlr-engine/src/play/trace.rs` and the format's description use the same names.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct Trace {
    /// The name of the game.
    pub game: String,
    /// Where the rulesheet came from.
    pub rulesheet: String,
    /// The hash of the rulesheet's bytes.
    pub kif_fnv: Hash64,
    /// Whether a role `random` or `sees` occurs; both are treated as plain GDL.
    pub gdl2: bool,
    /// The roles in the order of the rulesheet.
    pub roles: Vec<String>,
    /// The facts of the initial state, sorted.
    pub init: Vec<String>,
    /// By depth: the joint-move sequences of that length.
    pub perft: Vec<u64>,
    /// By depth: how many of them end in a terminal state.
    pub perft_terminal: Vec<u64>,
    /// By depth: how many different states they lead to.
    pub perft_states: Vec<u64>,
    /// Why the counts go no deeper.
    pub perft_stop: Option<String>,
    /// The recorded plays.
    pub playouts: Vec<Playout>,
    /// Names in several spellings, which the trace keeps apart.
    #[cfg_attr(feature = "serde", serde(default))]
    pub case_variants: Vec<String>,
    /// Oddities.
    #[cfg_attr(feature = "serde", serde(default))]
    pub notes: Vec<String>,
    /// Why making the trace broke off, if it did.
    #[cfg_attr(feature = "serde", serde(default))]
    pub error: Option<String>,
    /// Whether the playouts are matches, of which the text says more under `matches`
    /// (`ggp::record`). Nothing here looks at that.
    #[cfg_attr(feature = "serde", serde(default, rename = "matches", skip_serializing))]
    #[cfg_attr(feature = "serde", serde(deserialize_with = "pass_over"))]
    pub of_matches: bool,
}

/// A recorded play from the initial state.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct Playout {
    /// The seed of the maker's random numbers.
    pub seed: u64,
    /// How it ended.
    pub outcome: Outcome,
    /// Whether it ended in a terminal state.
    pub terminal: bool,
    /// The joint moves played.
    pub length: usize,
    /// The states before each joint move.
    pub steps: Vec<Step>,
    /// The state after the last move, of outcomes `terminal` and `cap`.
    #[cfg_attr(
        feature = "serde",
        serde(default, rename = "final", skip_serializing_if = "Option::is_none")
    )]
    pub last: Option<StateDigest>,
    /// By role: its goal value; `None` where there is not exactly one integer.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub goals: Option<BTreeMap<String, Option<i64>>>,
    /// By role: all goal values that the rules give.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub goal_sets: Option<BTreeMap<String, Vec<String>>>,
    /// The role without a legal move, of outcome `stuck`.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub stuck_role: Option<String>,
}

/// How a recorded play ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Outcome {
    /// In a terminal state.
    Terminal,
    /// At the maker's limit of joint moves.
    Cap,
    /// At the maker's limit of time.
    Time,
    /// In a state that is not terminal where a role has no legal move.
    Stuck,
    /// With a failure of the maker.
    Error,
}

/// A state of a recorded play, and the joint move played there.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct Step {
    /// The hash of the sorted facts.
    pub state_hash: Hash64,
    /// The number of facts.
    pub state_size: usize,
    /// Whether the state is terminal.
    pub terminal: bool,
    /// By role: the legal moves.
    pub legals: BTreeMap<String, Legals>,
    /// The joint move in the order of the roles; `None` where the play is stuck.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    pub joint: Option<Vec<String>>,
}

/// The legal moves of a role.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(untagged))]
pub enum Legals {
    /// The moves, sorted.
    List(Vec<String>),
    /// Of many moves, a digest.
    Digest {
        /// How many there are.
        count: usize,
        /// The hash of the sorted moves.
        hash: Hash64,
    },
}

impl Legals {
    /// The most moves that are listed.
    const LISTED: usize = 60;

    /// Moves, in any order.
    pub fn of(mut moves: Vec<String>) -> Legals {
        moves.sort_unstable();
        match moves.len() {
            0..=Self::LISTED => Legals::List(moves),
            count => Legals::Digest { count, hash: hash_of(&moves) },
        }
    }
}

/// A state in short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct StateDigest {
    /// The hash of the sorted facts.
    pub state_hash: Hash64,
    /// The number of facts.
    pub state_size: usize,
}

impl StateDigest {
    /// Of the facts of a state, as sorted strings.
    pub fn of(facts: &[String]) -> StateDigest {
        StateDigest { state_hash: hash_of(facts), state_size: facts.len() }
    }
}

/// Reads whatever is there, and says that something is.
#[cfg(feature = "serde")]
fn pass_over<'d, D: serde::Deserializer<'d>>(text: D) -> Result<bool, D::Error> {
    use serde::Deserialize;
    serde::de::IgnoredAny::deserialize(text).map(|_| true)
}

/// Why a text is no trace that can be replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotATrace(String);

impl fmt::Display for NotATrace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no trace of the known format: {}", self.0)
    }
}

impl std::error::Error for NotATrace {}

impl Trace {
    /// Reads a trace.
    ///
    /// # Errors
    ///
    /// When the text is no JSON, lacks a field, has one of another type or one that is not
    /// known, or contradicts itself.
    #[cfg(feature = "serde")]
    pub fn from_json(text: &str) -> Result<Trace, NotATrace> {
        let trace: Trace =
            serde_json::from_str(text).map_err(|error| NotATrace(error.to_string()))?;
        trace.consistent()?;
        Ok(trace)
    }

    /// Whether the trace was made from a rulesheet of these bytes.
    pub fn is_of(&self, rulesheet: &[u8]) -> bool {
        self.kif_fnv == Hash64(fnv1a(rulesheet))
    }

    #[cfg(feature = "serde")]
    fn consistent(&self) -> Result<(), NotATrace> {
        let depths = self.perft.len();
        if self.perft_terminal.len() != depths || self.perft_states.len() != depths {
            return Err(NotATrace("the perft lists differ in length".to_owned()));
        }
        for (number, playout) in self.playouts.iter().enumerate() {
            let problem = |what: &str| Err(NotATrace(format!("playout {number}: {what}")));
            let played = playout.steps.iter().filter(|step| step.joint.is_some()).count();
            if played != playout.length {
                return problem("its length is not the number of its moves");
            }
            let ends = matches!(playout.outcome, Outcome::Terminal | Outcome::Cap);
            if ends && playout.last.is_none() {
                return problem("its last state is missing");
            }
            if playout.outcome == Outcome::Terminal && playout.goals.is_none() {
                return problem("its goals are missing");
            }
            for (index, step) in playout.steps.iter().enumerate() {
                if step.joint.is_none() && index + 1 < playout.steps.len() {
                    return problem("a move before the last is missing");
                }
                if step.joint.as_ref().is_some_and(|joint| joint.len() != self.roles.len()) {
                    return problem("a joint move has not one move a role");
                }
                if self.roles.iter().any(|role| !step.legals.contains_key(role)) {
                    return problem("a role has no list of legal moves");
                }
            }
        }
        Ok(())
    }
}

#[cfg(all(test, feature = "serde"))]
mod tests {
    use super::*;

    const SMALL: &str = r#"{"game":"g","rulesheet":"g.kif","kif_fnv":"cbf29ce484222325",
        "gdl2":false,"roles":["r"],"init":["a"],"perft":[1],"perft_terminal":[0],
        "perft_states":[1],"perft_stop":"time","playouts":[{"seed":1,"outcome":"terminal",
        "terminal":true,"length":1,"goals":{"r":null},"final":{"state_hash":"cbf29ce484222325",
        "state_size":0},"steps":[{"state_hash":"af63dc4c8601ec8c","state_size":1,
        "terminal":false,"legals":{"r":{"count":61,"hash":"00000000000000ff"}},
        "move":["m"]}]}],"notes":[],"error":null}"#;

    #[test]
    fn all_fields() {
        let trace = Trace::from_json(SMALL).unwrap();
        assert!(trace.is_of(b"") && !trace.is_of(b" "));
        let playout = &trace.playouts[0];
        assert_eq!(playout.goals.as_ref().unwrap()["r"], None);
        let digest = Legals::Digest { count: 61, hash: Hash64(255) };
        assert_eq!(playout.steps[0].legals["r"], digest);
        assert_eq!(playout.last.unwrap().state_hash, hash_of(&[]));
        assert_eq!(playout.steps[0].state_hash, hash_of(&["a".to_owned()]));
    }

    #[test]
    fn what_is_said_of_matches_is_passed_over() {
        let more = SMALL.replacen("\"gdl2\"", "\"matches\":[{\"any\":[1]}],\"gdl2\"", 1);
        let trace = Trace::from_json(&more).unwrap();
        assert!(trace.of_matches);
        let written = serde_json::to_string(&trace).unwrap();
        let again = Trace::from_json(&written).unwrap();
        assert_eq!(again, Trace { of_matches: false, ..trace });
        assert_eq!(again, Trace::from_json(SMALL).unwrap());
    }

    #[test]
    fn other_shapes_are_refused() {
        let refused = |from: &str, to: &str| {
            assert!(SMALL.contains(from));
            Trace::from_json(&SMALL.replacen(from, to, 1)).unwrap_err().to_string()
        };
        assert!(refused("\"gdl2\"", "\"version\":2,\"gdl2\"").contains("version"));
        assert!(refused("\"gdl2\":false,", "").contains("gdl2"));
        assert!(refused("\"length\":1", "\"length\":2").contains("length"));
        assert!(refused("\"perft\":[1]", "\"perft\":[1,2]").contains("perft"));
        assert!(refused("[\"m\"]", "[\"m\",\"n\"]").contains("joint move"));
        assert!(refused("cbf29ce484222325", "cbf29").contains("hash"));
        assert!(refused("\"terminal\",", "\"finished\",").contains("finished"));
        assert!(Trace::from_json("[]").is_err());
    }
}
