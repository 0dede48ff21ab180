//! A stage: an automaton after a transformation, with its figures.

use super::text::Edit;
use crate::draw::graph::ChangeDrawing;
use gdlr_rg::rg::optimise::Size;
use std::time::Duration;

/// The transformation that made a stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// The name of the transformation; `source` and `read` are the two stages before them.
    pub name: &'static str,
    /// Its effect, in a line.
    pub about: &'static str,
    /// The round of the optimiser, from 1.
    pub round: Option<usize>,
    /// How long the transformation took.
    pub time: Option<Duration>,
}

/// An automaton between two transformations.
#[derive(Clone, Debug)]
pub struct Stage {
    /// The transformation that made it.
    pub cause: Cause,
    /// Its measures.
    pub size: Size,
    /// The edits that make its text of the text before; of nothing, for the first.
    pub edits: Vec<Edit>,
    /// How many edges came or went.
    pub changed: usize,
    /// The automaton as SVG, with marks at what is new; none if that is too large, or if it is that
    /// of the stage before, since no edge has changed.
    pub whole: Option<String>,
    /// The edges that came and went, as SVG; none if no edge did, or if that cannot be drawn.
    pub change: Option<ChangeDrawing>,
}

/// The stages of an automaton.
#[derive(Clone, Debug)]
pub struct Stages {
    /// The name of the game.
    pub game: String,
    /// All lines of all texts, each once, in the order in which they came.
    pub lines: Vec<String>,
    /// The stages, of which there is at least one.
    pub stages: Vec<Stage>,
}
