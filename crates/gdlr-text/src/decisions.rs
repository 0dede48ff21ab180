//! The decisions of set-up, with the figures and bounds behind them.
//!
//! Set-up chooses: which engine plays, in how many phases, with machine code or without. It counts,
//! estimates or plays for a while, and compares what it found with a bound. Each such choice is a
//! [`Decision`]: plain data, which `gdlr info` shows. Whoever makes something hands a list of
//! [`Decisions`] through its set-up, and what was made keeps the list.
//!
//! A decision is an event of the crate `tracing` as well, at the level `DEBUG`, when it is recorded; a
//! [`Stage`] of set-up is one at the level `INFO`, when it ends. The target of an event is the crate
//! that its [`Part`] is in. Where nobody listens an event costs the look at a flag.

use std::borrow::Cow;
use std::fmt;
use std::time::Instant;
use tracing::{Level, event};

/// The part of set-up that a decision is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum Part {
    /// Which engine is made.
    SetUp,
    /// Resolution trees.
    Tree,
    /// Ground rules, the net made of them, and its engine of single states.
    Net,
    /// Many games at once.
    Batch,
    /// Descriptions of Regular Games: making them small, and compiling them.
    Rg,
    /// Nets and programs made of automata, and automata made of nets.
    Automata,
    /// How a player searches.
    Search,
}

impl Part {
    /// Its name in one word, as in JSON: `set-up`, `tree`, `net`, `batch`, `rg`, `automata` or `search`.
    pub fn as_str(self) -> &'static str {
        match self {
            Part::SetUp => "set-up",
            Part::Tree => "tree",
            Part::Net => "net",
            Part::Batch => "batch",
            Part::Rg => "rg",
            Part::Automata => "automata",
            Part::Search => "search",
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// An event whose target is the crate of a part. A target is a constant of the place in the source, so
/// there is a place for each.
macro_rules! event_of {
    ($part:expr, $level:expr, $($what:tt)*) => {
        match $part {
            Part::SetUp | Part::Search => {
                event!(target: "gdlr_players", $level, $($what)*)
            }
            Part::Tree => event!(target: "gdlr_tree", $level, $($what)*),
            Part::Net => event!(target: "gdlr_net", $level, $($what)*),
            Part::Batch => event!(target: "gdlr_batch", $level, $($what)*),
            Part::Rg => event!(target: "gdlr_rg", $level, $($what)*),
            Part::Automata => event!(target: "gdlr_automata", $level, $($what)*),
        }
    };
}

/// A number that a decision is made by.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(untagged))]
pub enum Quantity {
    /// How many, or how much work.
    Count(u64),
    /// A part of a whole, or a mean.
    Ratio(f64),
}

impl From<usize> for Quantity {
    fn from(count: usize) -> Quantity {
        Quantity::Count(count as u64)
    }
}

impl From<u64> for Quantity {
    fn from(count: u64) -> Quantity {
        Quantity::Count(count)
    }
}

impl From<f64> for Quantity {
    fn from(ratio: f64) -> Quantity {
        Quantity::Ratio(ratio)
    }
}

impl fmt::Display for Quantity {
    /// A count with its thousands apart, `65,536`; a ratio with up to three places, `0.6`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Quantity::Count(count) => {
                let digits = count.to_string();
                for (place, digit) in digits.chars().enumerate() {
                    if place > 0 && (digits.len() - place).is_multiple_of(3) {
                        f.write_str(",")?;
                    }
                    write!(f, "{digit}")?;
                }
                Ok(())
            }
            Quantity::Ratio(ratio) => {
                let text = format!("{ratio:.3}");
                f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
            }
        }
    }
}

/// A number with its name.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Figure {
    /// The name of the quantity. Of a bound it is the name of the field of `Tuning` that it stands in,
    /// or what the budget calls it.
    pub name: &'static str,
    /// So much.
    pub value: Quantity,
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name, self.value)
    }
}

/// A choice that set-up has made.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Decision {
    /// The part of set-up that it is about.
    pub part: Part,
    /// The subject of the decision. Always the same few words, unique in the part.
    pub subject: &'static str,
    /// The choice.
    pub chosen: Cow<'static, str>,
    /// The figures behind the choice: counted, estimated or measured in a short play.
    pub measured: Vec<Figure>,
    /// The bound that these were compared with, if there is one.
    pub bound: Option<Figure>,
}

impl Decision {
    /// A choice, so far without what it was made by.
    pub fn new(
        part: Part,
        subject: &'static str,
        chosen: impl Into<Cow<'static, str>>,
    ) -> Decision {
        Decision { part, subject, chosen: chosen.into(), measured: Vec::new(), bound: None }
    }

    /// With a figure that it was made by.
    pub fn measured(mut self, name: &'static str, value: impl Into<Quantity>) -> Decision {
        self.measured.push(Figure { name, value: value.into() });
        self
    }

    /// With the bound that these figures were compared with.
    pub fn bound(mut self, name: &'static str, value: impl Into<Quantity>) -> Decision {
        self.bound = Some(Figure { name, value: value.into() });
        self
    }

    /// The figures and bounds in a line: `moves 18; most_moves 65,536`. Empty if there is nothing to say.
    pub fn grounds(&self) -> String {
        let measured: Vec<String> = self.measured.iter().map(Figure::to_string).collect();
        let bound = self.bound.iter().map(Figure::to_string);
        let both = [measured.join(", ")].into_iter().filter(|text| !text.is_empty()).chain(bound);
        both.collect::<Vec<String>>().join("; ")
    }
}

impl fmt::Display for Decision {
    /// In one line, without the part: `code: machine code (moves 18; most_moves 65,536)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.subject, self.chosen)?;
        match &*self.grounds() {
            "" => Ok(()),
            grounds => write!(f, " ({grounds})"),
        }
    }
}

/// Decisions, in the order in which they were made.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(transparent))]
pub struct Decisions {
    made: Vec<Decision>,
}

impl Decisions {
    /// Takes down a decision that is made now, and tells who listens to `tracing`.
    pub fn record(&mut self, decision: Decision) {
        event_of!(decision.part, Level::DEBUG, "{decision}");
        self.made.push(decision);
    }

    /// Takes over decisions that were recorded in another list.
    pub fn append(&mut self, others: &Decisions) {
        self.made.extend_from_slice(&others.made);
    }

    /// All of them.
    pub fn iter(&self) -> std::slice::Iter<'_, Decision> {
        self.made.iter()
    }

    /// Whether nothing was decided.
    pub fn is_empty(&self) -> bool {
        self.made.is_empty()
    }

    /// The last decision about a subject of a part.
    pub fn of(&self, part: Part, subject: &str) -> Option<&Decision> {
        self.iter().rev().find(|decision| decision.part == part && decision.subject == subject)
    }
}

impl<'d> IntoIterator for &'d Decisions {
    type Item = &'d Decision;
    type IntoIter = std::slice::Iter<'d, Decision>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// A stage of set-up that is under way.
#[derive(Debug)]
#[must_use = "a stage is told of when it ends"]
pub struct Stage {
    part: Part,
    name: &'static str,
    start: Instant,
}

impl Stage {
    /// Begins a stage now.
    pub fn begin(part: Part, name: &'static str) -> Stage {
        Stage { part, name, start: Instant::now() }
    }

    /// Ends it, and tells who listens to `tracing` how long it took. A stage that gave up is dropped.
    pub fn end(self) {
        let seconds = self.start.elapsed().as_secs_f64();
        event_of!(self.part, Level::INFO, "{}: {seconds:.3} s", self.name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decision_says_in_a_line_what_it_was_made_by() {
        let code = Decision::new(Part::Batch, "code", "machine code");
        assert_eq!(code.to_string(), "code: machine code");
        let code = code.measured("moves", 1_234_567usize).measured("made", 0.25);
        assert_eq!(code.to_string(), "code: machine code (moves 1,234,567, made 0.25)");
        let code = code.bound("most_moves", 65_536u64);
        assert_eq!(code.grounds(), "moves 1,234,567, made 0.25; most_moves 65,536");
        let bound = Decision::new(Part::Net, "rounds", "3").bound("rounds", 8u64);
        assert_eq!(bound.to_string(), "rounds: 3 (rounds 8)");
    }

    #[test]
    fn quantities_are_short() {
        let texts = [0u64, 7, 999, 1000, 123_456].map(|count| Quantity::Count(count).to_string());
        assert_eq!(texts, ["0", "7", "999", "1,000", "123,456"]);
        let texts = [0.6, 1.0, 0.123_456, 20.0].map(|ratio| Quantity::Ratio(ratio).to_string());
        assert_eq!(texts, ["0.6", "1", "0.123", "20"]);
    }

    #[test]
    fn the_last_decision_about_a_subject_counts() {
        let mut decisions = Decisions::default();
        assert!(decisions.is_empty());
        decisions.record(Decision::new(Part::Net, "rounds", "3"));
        decisions.record(Decision::new(Part::Tree, "rounds", "none"));
        let mut all = Decisions::default();
        all.record(Decision::new(Part::Net, "rounds", "2"));
        all.append(&decisions);
        let chosen = |part| all.of(part, "rounds").map(|decision| &*decision.chosen);
        assert_eq!([chosen(Part::Net), chosen(Part::Tree)], [Some("3"), Some("none")]);
        assert_eq!(chosen(Part::Batch), None);
        assert_eq!(all.iter().count(), 3);
    }

    #[cfg(feature = "serde")]
    #[test]
    fn decisions_are_plain_data() {
        let mut decisions = Decisions::default();
        let code = Decision::new(Part::SetUp, "engine", "tree");
        decisions.record(code.measured("facts", 3u64).bound("less", 0.5));
        let expected = serde_json::json!([{
            "part": "set-up", "subject": "engine", "chosen": "tree",
            "measured": [{"name": "facts", "value": 3}], "bound": {"name": "less", "value": 0.5},
        }]);
        assert_eq!(serde_json::to_value(&decisions).expect("plain data"), expected);
    }
}
