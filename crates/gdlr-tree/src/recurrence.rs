//! Tabling of relations that depend on themselves, to their least fixpoint (FI, VI.E: recurrence).
//!
//! The rows before a recurrent condition wait. Waiting rows and results of the condition are merged as they come, each pair
//! once, until no new row comes.

use super::index::{NONE, pack};
use super::merge::{Limits, emit, equal_columns, matches};
use super::plan::*;
use super::prove::{Prover, STEP_WORK, row_work};
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
                let from = std::mem::replace(&mut node.proved, node.filter_rows.len());
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
        let mut joined = std::mem::take(&mut s.ands[recurrence.and.index()].current);
        joined.clear(recurrence.merge.width);
        let before = s.work;
        let mut limits = Limits::recurrent(s, &recurrence.merge);
        if results > old_results && old_rows > 0 {
            self.merge_old_rows(s, id, old_rows, old_results..results, &mut joined, &mut limits);
        }
        if rows > old_rows && results > 0 {
            self.merge_new_rows(s, id, old_rows..rows, &mut joined, &mut limits);
        }
        s.work += joined.len() as u64 + STEP_WORK;
        s.ands[recurrence.and.index()].work += s.work - before;
        s.give_up_if(joined.len() as u64 > limits.rows || limits.looks.were_late());
        let waiting = &mut s.recurrences[id.index()];
        (waiting.rows_done, waiting.results_done) = (rows, results);
        self.run(s, recurrence.and, recurrence.segment, &mut joined);
        s.ands[recurrence.and.index()].current = joined;
        true
    }

    /// Merges the first `old` waiting rows with new results.
    fn merge_old_rows(
        &self,
        s: &mut Scratch,
        id: RecurrenceId,
        old: usize,
        new: Range<usize>,
        joined: &mut RowSet,
        limits: &mut Limits,
    ) {
        let recurrence = &self.plan.recurrences[id.index()];
        let merge = &recurrence.merge;
        // To hash the waiting rows is not counted: what set-up would choose by it makes public
        // games slower. It is as much as to write them was, and that was counted.
        s.work += new.len() as u64;
        let waiting = &mut s.recurrences[id.index()];
        waiting.index.extend(&waiting.rows, old, &mut limits.looks);
        let waiting = &s.recurrences[id.index()];
        let answers = s.nodes[recurrence.target.index()].answers.rows();
        let first = new.start;
        for result in new {
            if limits.are_reached(result - first, joined) {
                break;
            }
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
                emit(merge, waiting.rows.row(row as usize), result, joined);
                row = waiting.index.before(row);
            }
        }
    }

    /// Merges new waiting rows with all results.
    fn merge_new_rows(
        &self,
        s: &mut Scratch,
        id: RecurrenceId,
        new: Range<usize>,
        joined: &mut RowSet,
        limits: &mut Limits,
    ) {
        let recurrence = &self.plan.recurrences[id.index()];
        let merge = &recurrence.merge;
        let table = &mut s.nodes[recurrence.target.index()].answers;
        let lag = table.lag(merge.query.access) as u64;
        s.work += lag * row_work(table.rows().width()) + new.len() as u64;
        table.prepare(merge.query.access, &mut limits.looks);
        let table = &s.nodes[recurrence.target.index()].answers;
        let waiting = &s.recurrences[id.index()].rows;
        let first = new.start;
        for row in new {
            if limits.are_reached(row - first, joined) {
                break;
            }
            matches(merge, merge.query.access, table, waiting.row(row), joined);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::compiler::Compiler;
    use super::*;
    use std::fmt::Write;
    use std::time::Instant;

    #[test]
    fn merges_with_waiting_rows_are_broken_off_when_it_is_late() {
        let mut text = "(role a) (legal a go) (goal a 0) (terminal) (init s)
            (<= (r ?x ?y) (true s) (e ?x ?y)) (<= (r ?x ?z) (r ?x ?y) (r ?y ?z))"
            .to_owned();
        (0..60).for_each(|n| write!(text, "(e {n} {})", n + 1).expect("a string"));
        let (compiler, plan, mut s) = Compiler::for_relation(&text, "r/2");
        let prover = Prover { plan: &plan, statics: &compiler.statics };
        prover.prove_all(&mut s, plan.roots[0]);
        let (place, waiting) = (s.recurrences.iter().enumerate())
            .max_by_key(|(_, waiting)| waiting.rows.len())
            .expect("a recurrence");
        let (id, rows) = (RecurrenceId(place as u32), waiting.rows.len());
        let target = plan.recurrences[place].target;
        let results = s.nodes[target.index()].answers.len();
        assert!(rows > 1000 && results > 1000);

        // All pairs anew, in time and late.
        let merge = &plan.recurrences[place].merge;
        let mut merged = |until: Option<Instant>| {
            let waiting = &mut s.recurrences[place];
            waiting.index.clear();
            s.until = until;
            let (mut old, mut new) = (RowSet::new(merge.width), RowSet::new(merge.width));
            let mut limits = Limits::recurrent(&s, merge);
            prover.merge_old_rows(&mut s, id, rows, 0..results, &mut old, &mut limits);
            let mut limits = Limits::recurrent(&s, merge);
            prover.merge_new_rows(&mut s, id, 0..rows, &mut new, &mut limits);
            (old.len(), new.len())
        };
        let (old, new) = merged(None);
        assert!(old == new && old > 30_000, "{old} and {new}");
        let (old, new) = merged(Some(Instant::now()));
        assert!(old < 2000 && new < 2000, "{old} and {new}");
    }
}
