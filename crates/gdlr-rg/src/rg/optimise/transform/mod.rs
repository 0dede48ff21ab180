//! The transformations, one file each. The function `run` applies the transformation once
//! everywhere. The head of the file shows it by text before and after.
//!
//! A new transformation is a file here, and a line in [`ALL`].

mod compact_comparisons;
mod compact_reachability;
mod compact_skip_edges;
mod decide_comparisons;
mod inline_assignment;
mod inline_reachability;
mod join_exclusive_edges;
mod join_fork_prefixes;
mod join_fork_suffixes;
mod merge_accesses;
mod propagate_constants;
mod prune_dead_assignments;
mod prune_self_loops;
mod prune_singleton_types;
mod prune_unreachable_nodes;
mod prune_unused_constants;
mod prune_unused_variables;
mod reorder_conditions;
mod skip_artificial_tags;
mod skip_redundant_tags;
mod skip_self_assignments;
mod skip_self_comparisons;
mod skip_unused_tags;

use super::program::Program;
use gdlr_text::budget::{Exhausted, Meter};

/// The function that applies a transformation to a program.
type Run = fn(&mut Program, &Meter<'_>) -> Result<(), Exhausted>;

/// A transformation of automata that keeps their meaning.
#[derive(Clone, Copy, Debug)]
pub struct Transformation {
    /// The name on the command line.
    pub name: &'static str,
    /// Its effect, in one line.
    pub about: &'static str,
    /// Whether it changes the tags of moves. The number of moves stays the same.
    pub renames_moves: bool,
    pub(super) stage: Stage,
    /// Whether it needs a data-flow analysis of variables, which takes most of the time.
    pub(super) analyses: bool,
    pub(super) run: Run,
}

/// The stage from which on a transformation is applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    /// From the beginning.
    Simplify,
    /// When the others change nothing more. Walks that differ only in constants become one walk
    /// with variables in their place. From then on, these constants are not propagated any more.
    Join,
    /// Once, after all others.
    Last,
}

const fn new(name: &'static str, about: &'static str, run: Run) -> Transformation {
    let (renames_moves, stage, analyses) = (false, Stage::Simplify, false);
    Transformation { name, about, renames_moves, stage, analyses, run }
}

const fn analysing(name: &'static str, about: &'static str, run: Run) -> Transformation {
    Transformation { analyses: true, ..new(name, about, run) }
}

/// All transformations, in the order in which they are applied.
pub static ALL: [Transformation; 23] = [
    new(
        "prune-unreachable-nodes",
        "edges that no walk takes, or that lead nowhere, go",
        prune_unreachable_nodes::run,
    ),
    new("skip-unused-tags", "tags in reachability checks become skip edges", skip_unused_tags::run),
    new("compact-skip-edges", "the two nodes of a skip edge become one", compact_skip_edges::run),
    Transformation {
        stage: Stage::Join,
        ..new(
            "join-fork-suffixes",
            "nodes from which walks go on alike become one",
            join_fork_suffixes::run,
        )
    },
    analysing(
        "propagate-constants",
        "what has one value is replaced by it",
        propagate_constants::run,
    ),
    analysing(
        "decide-comparisons",
        "what holds always is skipped, what holds never goes",
        decide_comparisons::run,
    ),
    analysing(
        "prune-dead-assignments",
        "assignments of which nothing is read go",
        prune_dead_assignments::run,
    ),
    analysing(
        "inline-assignment",
        "what is assigned stands where the variable was read",
        inline_assignment::run,
    ),
    new(
        "merge-accesses",
        "two constants looked up one after the other become one",
        merge_accesses::run,
    ),
    new("skip-self-assignments", "`x = x` becomes a skip edge", skip_self_assignments::run),
    new(
        "skip-self-comparisons",
        "`x == x` becomes a skip edge, `x != x` goes",
        skip_self_comparisons::run,
    ),
    new("compact-reachability", "checks begin later and end earlier", compact_reachability::run),
    new(
        "inline-reachability",
        "conditions stand where a check asked for them",
        inline_reachability::run,
    ),
    new(
        "join-exclusive-edges",
        "a condition beside its negation becomes a skip edge",
        join_exclusive_edges::run,
    ),
    analysing(
        "compact-comparisons",
        "comparisons with many values become those with others",
        compact_comparisons::run,
    ),
    new(
        "reorder-conditions",
        "a condition of several ways comes first on each",
        reorder_conditions::run,
    ),
    new(
        "join-fork-prefixes",
        "nodes to which walks come alike become one",
        join_fork_prefixes::run,
    ),
    Transformation {
        renames_moves: true,
        ..new(
            "skip-redundant-tags",
            "tags that all moves have at the same place are skipped",
            skip_redundant_tags::run,
        )
    },
    new("prune-self-loops", "edges from a node to itself go", prune_self_loops::run),
    new("prune-unused-variables", "variables that no edge names go", prune_unused_variables::run),
    new("prune-unused-constants", "constants that nothing names go", prune_unused_constants::run),
    new(
        "prune-singleton-types",
        "what can have one value needs no variable",
        prune_singleton_types::run,
    ),
    Transformation {
        renames_moves: true,
        stage: Stage::Last,
        ..new(
            "skip-artificial-tags",
            "tags that a pragma calls artificial are skipped",
            skip_artificial_tags::run,
        )
    },
];
