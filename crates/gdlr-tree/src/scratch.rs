//! The scratch: the part of memory that changes during play, tables of the nodes and the state at hand.

use super::limits::STATE_WORK;
use super::plan::Plan;
use super::row_set::RowSet;
use super::table::Table;
use std::time::Instant;

/// Working memory of the engine `tree`, one a thread.
///
/// Every table bears the epoch in which it was last filled. Moving to another state begins
/// a new epoch, and a table of an older one counts as empty: nothing is cleared before it
/// is needed again.
#[derive(Clone, Debug)]
pub struct Scratch {
    pub(super) epoch: u64,
    /// The facts of the state, by base relation.
    pub(super) bases: Vec<Table>,
    /// The joint move.
    pub(super) does: Table,
    pub(super) nodes: Vec<NodeTables>,
    pub(super) ands: Vec<AndRows>,
    pub(super) recurrences: Vec<Waiting>,
    /// The moves met so far by any scratch, see [`Moves`](super::moves::Moves).
    pub(super) moves: Table,
    /// In which epoch it was asked whether the state is terminal, and whether it is.
    pub(super) terminal: (u64, bool),
    /// For sorting moves.
    pub(super) packed: Vec<u128>,
    /// Rows looked at and written, as a measure of work that no clock disturbs.
    pub(super) work: u64,
    /// Where to give up, with results that are incomplete.
    pub(super) work_limit: u64,
    /// The same for all states together.
    pub(super) last_limit: u64,
    /// When to give up, in set-up.
    pub(super) until: Option<Instant>,
}

/// The tables of an OR node.
#[derive(Clone, Debug)]
pub(super) struct NodeTables {
    pub(super) epoch: u64,
    /// The results.
    pub(super) answers: Table,
    /// The rows of the filter that have been asked for.
    pub(super) filter_rows: Table,
    /// How many of them have been proved.
    pub(super) proved: usize,
}

/// The rows of an AND node: those found so far, and those of the merge at hand.
#[derive(Clone, Debug, Default)]
pub(super) struct AndRows {
    pub(super) current: RowSet,
    pub(super) merged: RowSet,
    /// Work done for this node, without that for the nodes below.
    pub(super) work: u64,
}

/// The rows that wait for results of a recurrent condition.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    pub(super) rows: RowSet,
    /// On the columns that results must agree with.
    pub(super) index: super::index::Index,
    /// How many of the rows have been merged with the results up to `results_done`.
    pub(super) rows_done: usize,
    pub(super) results_done: usize,
}

impl Scratch {
    pub(super) fn new(plan: &Plan, base_widths: &[usize], legal: usize, moves: usize) -> Scratch {
        let nodes = plan.ors.iter().map(|or| NodeTables {
            epoch: 0,
            answers: Table::new(or.width, &or.indexes),
            filter_rows: Table::new(or.filter.len(), &[]),
            proved: 0,
        });
        let waiting = plan.recurrences.iter().map(|recurrence| {
            let columns: Vec<u16> = recurrence.common.iter().map(|&(mine, _)| mine).collect();
            Waiting {
                rows: RowSet::new(recurrence.width),
                index: super::index::Index::new(&columns, true),
                rows_done: 0,
                results_done: 0,
            }
        });
        Scratch {
            epoch: 1,
            bases: base_widths
                .iter()
                .zip(&plan.base_indexes)
                .map(|(&width, indexes)| Table::new(width, indexes))
                .collect(),
            does: Table::new(legal, &[]),
            nodes: nodes.collect(),
            ands: vec![AndRows::default(); plan.ands.len()],
            recurrences: waiting.collect(),
            moves: Table::new(moves, &[]),
            packed: Vec::new(),
            terminal: (0, false),
            work: 0,
            work_limit: u64::MAX,
            last_limit: u64::MAX,
            until: None,
        }
    }

    /// Rows looked at and written since the scratch was made.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Gives up when this much work has been done, see [`Scratch::work`].
    pub fn limit_work(&mut self, work: u64) {
        self.work_limit = work;
        self.last_limit = work;
    }

    /// Speaks of the empty state, with everything forgotten that was said of another one.
    pub(super) fn begin(&mut self) {
        self.epoch += 1;
        self.begin_state();
        self.does.clear();
        self.bases.iter_mut().for_each(Table::clear);
    }

    /// A new state may take [`STATE_WORK`].
    #[inline]
    pub(super) fn begin_state(&mut self) {
        self.work_limit = self.work.saturating_add(STATE_WORK).min(self.last_limit);
    }

    /// Notes that there is no room for more rows.
    #[cold]
    pub(super) fn give_up(&mut self) {
        // Work that is over the limit.
        self.work = self.work.max(1);
        self.work_limit = 0;
    }

    /// The same if that is so.
    #[inline]
    pub(super) fn give_up_if(&mut self, no_more: bool) {
        if no_more {
            self.give_up();
        }
    }

    /// Whether the work or the memory for a state has run out.
    #[inline]
    pub(super) fn gave_up(&self) -> bool {
        self.work > self.work_limit
    }

    /// Gives up if it is time to; whether it did.
    #[inline]
    pub(super) fn is_late(&mut self) -> bool {
        let late = self.until.is_some_and(|until| Instant::now() > until);
        if late {
            self.give_up();
        }
        late
    }

    /// Bytes of memory held by tables and rows.
    pub fn bytes(&self) -> usize {
        let nodes: usize =
            self.nodes.iter().map(|n| n.answers.bytes() + n.filter_rows.bytes()).sum();
        let ands: usize = self.ands.iter().map(|a| a.current.bytes() + a.merged.bytes()).sum();
        let waiting: usize =
            self.recurrences.iter().map(|w| w.rows.bytes() + w.index.bytes()).sum();
        let bases: usize = self.bases.iter().map(Table::bytes).sum();
        nodes + ands + waiting + bases + self.does.bytes() + self.moves.bytes()
    }
}
