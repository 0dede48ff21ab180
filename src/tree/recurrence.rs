//! Recurrence: relations that depend on themselves, to their least fixpoint (FI, VI.E).
//!
//! Rows before a recurrent condition wait; waiting rows and results are merged as they come,
//! each pair once, until nothing new comes.

use super::index::{NONE, pack};
use super::plan::*;
use super::prove::{Prover, STEP_WORK, emit, equal_columns, matches, most_rows, row_work};
use super::row_set::RowSet;
use super::scratch::Scratch;
use std::ops::Range;

impl Prover<'_> {
    /// Proves what the nodes of a component have been asked, to the least fixpoint.
    ///
    /// FI expands recurrent nodes to the depth that the play at hand needs and hopes that
    /// the filters run dry. Here the rows before a recurrent condition wait, and every pair
    /// of a waiting row and a result is merged exactly once, in whichever order they come,
    /// until nothing new comes: cycles in the data end by themselves.
    pub(super) fn fixpoint(&self, s: &mut Scratch, component: ComponentId) {
        let component = &self.plan.components[component.index()];
        let mut moving = true;
        while moving && !s.gave_up() {
            moving = false;
            s.work += component.recurrences.len() as u64;
            for &or in &component.nodes {
                let node = &mut s.nodes[or.index()];
                let from = std::mem::replace(&mut node.proved, node.asked.len());
                let to = node.proved;
                if from < to {
                    moving = true;
                    for &and in &self.plan.ors[or.index()].ands {
                        self.prove_and(s, and, from, to);
                    }
                }
            }
            for &id in &component.recurrences {
                moving |= self.advance(s, id);
            }
        }
    }

    /// Merges the pairs of waiting row and result that have not met yet.
    fn advance(&self, s: &mut Scratch, id: RecurrenceId) -> bool {
        let recurrence = &self.plan.recurrences[id.index()];
        let waiting = &s.recurrences[id.index()];
        let (old_rows, old_results) = (waiting.rows_done, waiting.results_done);
        let rows = waiting.rows.len();
        let results = s.nodes[recurrence.target.index()].answers.len();
        if rows == old_rows && results == old_results {
            return false;
        }
        let mut found = std::mem::take(&mut s.ands[recurrence.and.index()].current);
        found.clear(recurrence.merge.width);
        let before = s.work;
        if results > old_results && old_rows > 0 {
            self.merge_old_rows(s, id, old_rows, old_results..results, &mut found);
        }
        if rows > old_rows && results > 0 {
            self.merge_new_rows(s, id, old_rows..rows, &mut found);
        }
        s.work += found.len() as u64 + STEP_WORK;
        s.ands[recurrence.and.index()].work += s.work - before;
        if found.len() > most_rows(&recurrence.merge) {
            s.give_up();
        }
        let waiting = &mut s.recurrences[id.index()];
        (waiting.rows_done, waiting.results_done) = (rows, results);
        self.run(s, recurrence.and, recurrence.segment, &mut found);
        s.ands[recurrence.and.index()].current = found;
        true
    }

    /// Merges the first `old` waiting rows with new results.
    fn merge_old_rows(
        &self,
        s: &mut Scratch,
        id: RecurrenceId,
        old: usize,
        new: Range<usize>,
        found: &mut RowSet,
    ) {
        let recurrence = &self.plan.recurrences[id.index()];
        let merge = &recurrence.merge;
        let waiting = &mut s.recurrences[id.index()];
        waiting.index.extend(&waiting.rows, old);
        let waiting = &s.recurrences[id.index()];
        let answers = s.nodes[recurrence.target.index()].answers.rows();
        s.work += new.len() as u64;
        for result in new {
            let result = answers.row(result);
            let agrees = merge.query.key.iter().all(|&(column, operand)| match operand {
                Operand::Constant(symbol) => result[column as usize] == symbol,
                Operand::Column(_) => true,
            });
            if !agrees || !equal_columns(&merge.query, result) {
                continue;
            }
            let common = recurrence.common.iter();
            let key = pack(common.clone().map(|&(_, theirs)| result[theirs as usize]));
            let mut row = waiting.index.last(key, |row| {
                let row = waiting.rows.row(row as usize);
                let mut common = common.clone();
                common.all(|&(mine, theirs)| row[mine as usize] == result[theirs as usize])
            });
            while row != NONE {
                emit(merge, waiting.rows.row(row as usize), result, found);
                row = waiting.index.before(row);
            }
            if found.len() > most_rows(merge) {
                break;
            }
        }
    }

    /// Merges new waiting rows with all results.
    fn merge_new_rows(
        &self,
        s: &mut Scratch,
        id: RecurrenceId,
        new: Range<usize>,
        found: &mut RowSet,
    ) {
        let recurrence = &self.plan.recurrences[id.index()];
        let merge = &recurrence.merge;
        let table = &mut s.nodes[recurrence.target.index()].answers;
        let taken_in = table.prepare(merge.query.access) as u64 * row_work(table.rows().width());
        s.work += taken_in + new.len() as u64;
        let table = &s.nodes[recurrence.target.index()].answers;
        let waiting = &s.recurrences[id.index()].rows;
        for row in new {
            matches(merge, merge.query.access, table, waiting.row(row), found);
            if found.len() > most_rows(merge) {
                break;
            }
        }
    }
}
