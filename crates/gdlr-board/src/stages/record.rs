//! The stages, as the optimiser makes them.

use super::stage::{Cause, Stage, Stages};
use super::text::{Edit, Texts};
use crate::draw::graph::Difference;
use gdlr_rg::rg::normalise::{self, Normalisation};
use gdlr_rg::rg::optimise::{Size, Step, Transformation, optimise};
use gdlr_rg::rg::{self, Description, Unprintable};
use gdlr_text::budget::{Exhausted, Meter};
use std::fmt;
use std::time::Instant;

/// Stages that take more bytes on a page are refused: lines, edits and drawings.
pub const MAX_BYTES: usize = 12 << 20;
/// Drawings of the whole automaton stop when all take more.
const MOST_DRAWN: usize = 4 << 20;

/// Why there are no stages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The optimiser, and what records its stages, took too long.
    Exhausted(Exhausted),
    /// Another form of the automaton is too large.
    Form(&'static str, normalise::TooLarge),
    /// A stage has no text.
    Unprintable(Unprintable),
    /// The stages take more than [`MAX_BYTES`]; so many were recorded before.
    TooLarge(usize),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Exhausted(exhausted) => exhausted.fmt(f),
            Failure::Form(name, large) => write!(f, "{name}: {large}"),
            Failure::Unprintable(error) => write!(f, "the automaton cannot be written: {error}"),
            Failure::TooLarge(0) => {
                write!(f, "the automaton alone is larger than a page of {} MiB", MAX_BYTES >> 20)
            }
            Failure::TooLarge(stages) => write!(
                f,
                "the page would be larger than {} MiB with more than {stages} stages",
                MAX_BYTES >> 20
            ),
        }
    }
}

impl std::error::Error for Failure {}

/// Optimises an automaton as [`optimise`] does, brings it into other forms, and keeps every stage
/// on the way; `tell` hears how many there are. The last stage is the text of the result.
///
/// The description must be one that [`validate`](rg::validate()) finds no error in. The optimiser
/// keeps edges in an order of its own, and no pragmas about nodes: that makes a stage, `read`. Each
/// stage costs time linear in the automaton, and a drawing if it is small.
///
/// # Errors
///
/// When the budget is exhausted, a stage has no text, or all are too large for a page.
///
/// ```
/// # mod gdlr { pub use gdlr_text::budget; pub use gdlr_rg::rg; pub use gdlr_board::stages; }
/// use gdlr::{budget::Meter, rg, stages};
/// let text = "type Player = { x }; type Score = { 0 };
///     begin, a: ; a, p: player = x; p, q: $ go; p, q: $ stay; q, end: player = keeper;";
/// let description = rg::read(text).unwrap();
/// let record = stages::record("go", &description, |_| true, &[], &Meter::unlimited(), |_| ());
/// let record = record.unwrap();
/// let names: Vec<&str> = record.stages.iter().map(|stage| stage.cause.name).collect();
/// assert_eq!(names, ["source", "compact-skip-edges"]);
/// assert!(stages::page(&record).starts_with("<!doctype html>"));
/// ```
pub fn record(
    game: &str,
    description: &Description,
    mut wanted: impl FnMut(&Transformation) -> bool,
    forms: &[&Normalisation],
    meter: &Meter<'_>,
    mut tell: impl FnMut(usize),
) -> Result<Stages, Failure> {
    let mut recorder = Recorder::new(game);
    let source =
        Cause { name: "source", about: "the automaton as it was given", round: None, time: None };
    recorder.add(source, description)?;
    let mut as_read = description.clone();
    optimise(&mut as_read, |_| false, meter, |_, _| ()).map_err(Failure::Exhausted)?;
    let read = Cause {
        name: "read",
        about: "edges in the order of a walk, without pragmas about nodes",
        round: None,
        time: None,
    };
    recorder.add(read, &as_read)?;
    let mut now = description.clone();
    let mut failed = None;
    let mut keep = |step: Step, stored: &dyn Fn() -> Description| {
        if !step.changed || failed.is_some() {
            return;
        }
        let Step { transformation, round, time, .. } = step;
        let Transformation { name, about, .. } = *transformation;
        let cause = Cause { name, about, round: Some(round), time: Some(time) };
        failed = recorder.add(cause, &stored()).err();
        tell(recorder.stages.len());
    };
    optimise(&mut now, &mut wanted, meter, &mut keep).map_err(Failure::Exhausted)?;
    failed.map_or(Ok(()), Err)?;
    for form in forms {
        let start = Instant::now();
        form.apply(&mut now).map_err(|large| Failure::Form(form.name, large))?;
        let (name, about) = (form.name, form.about);
        let time = Some(start.elapsed());
        recorder.add(Cause { name, about, round: None, time }, &now)?;
        tell(recorder.stages.len());
    }
    let Recorder { game, texts, stages, .. } = recorder;
    Ok(Stages { game, lines: texts.lines, stages })
}

/// The stages so far.
struct Recorder {
    game: String,
    texts: Texts,
    stages: Vec<Stage>,
    last: Option<Description>,
    /// The bytes of all, and of the drawings of whole automata among them.
    bytes: usize,
    drawn: usize,
}

impl Recorder {
    fn new(game: &str) -> Recorder {
        Recorder {
            game: game.to_owned(),
            texts: Texts::default(),
            stages: Vec::new(),
            last: None,
            bytes: 0,
            drawn: 0,
        }
    }

    /// Adds a stage, if its text is another one than the last.
    fn add(&mut self, cause: Cause, description: &Description) -> Result<(), Failure> {
        let text = rg::print(description).map_err(Failure::Unprintable)?;
        let count = self.texts.lines.len();
        let edits = self.texts.follow(&text);
        if edits.is_empty() {
            return Ok(());
        }
        let new = &self.texts.lines[count..];
        self.bytes += new.iter().map(|line| line.len() + 3).sum::<usize>() + written(&edits);
        let title = match self.stages.len() {
            0 => self.game.clone(),
            number => format!("{}, stage {number}: {}", self.game, cause.name),
        };
        let before = self.last.as_ref().unwrap_or(description);
        // An action without a text would have been refused with the text.
        let difference = Difference::new(before, description);
        let changed = difference.as_ref().map_or(0, Difference::changed);
        let is_new = (changed > 0 || self.stages.is_empty()) && self.drawn <= MOST_DRAWN;
        let whole = difference.as_ref().filter(|_| is_new).and_then(|of| of.whole(&title));
        let change = difference.as_ref().and_then(|of| of.change(&title));
        self.drawn += whole.as_ref().map_or(0, String::len);
        self.bytes += whole.as_ref().map_or(0, String::len);
        self.bytes += change.as_ref().map_or(0, |change| change.svg.len());
        if self.bytes > MAX_BYTES {
            return Err(Failure::TooLarge(self.stages.len()));
        }
        let size = Size::of(description);
        self.stages.push(Stage { cause, size, edits, changed, whole, change });
        self.last = Some(description.clone());
        Ok(())
    }
}

/// About how many bytes edits take on a page.
fn written(edits: &[Edit]) -> usize {
    let of = |edit: &Edit| match edit {
        Edit::Keep(_) | Edit::Remove(_) => 6,
        Edit::Insert(lines) => 2 + 6 * lines.len(),
    };
    edits.iter().map(of).sum()
}
