//! Proving nodes (FI, algorithms 2 and 3).
//!
//! An OR node is asked for rows of its filter. Those it has not been asked before are
//! handed to the AND node of each rule, which merges its conditions one after the other
//! and adds what is left to the OR node's results. Rows asked before, by whichever
//! condition, have their results in the table already.

use super::limits::{MOST_ROWS, MOST_SYMBOLS};
use super::looks::Looks;
use super::merge::{Limits, differ, finds, merge_rows, most_rows, value};
use super::plan::*;
use super::row_set::RowSet;
use super::scratch::Scratch;
use super::table::{Access, Table};
use gdlr_rules::gdl::Symbol;
use std::sync::Arc;

/// A plan together with the tables that never change.
pub(super) struct Prover<'a> {
    pub(super) plan: &'a Plan,
    pub(super) statics: &'a [Arc<Table>],
}

/// The cost of storing or hashing a row, in rows looked at.
#[inline]
pub(super) fn row_work(width: usize) -> u64 {
    2 + width as u64 / 8
}

/// The cost of a step besides its rows, in rows.
pub(super) const STEP_WORK: u64 = 6;

impl Prover<'_> {
    /// Proves all rows of a node whose filter is empty.
    pub(super) fn prove_all(&self, s: &mut Scratch, or: OrId) {
        self.ask(s, or, |_| {});
    }

    /// Proves the rows of a node that agree with one filter row, written by `write`.
    pub(super) fn ask(&self, s: &mut Scratch, or: OrId, write: impl FnOnce(&mut [Symbol])) {
        self.refresh(s, or);
        if s.nodes[or.index()].filter_rows.insert_with(write) {
            self.prove(s, or);
        }
    }

    /// Empties the tables of a node if they are from another epoch, and those of all nodes
    /// that it depends on mutually.
    #[inline]
    fn refresh(&self, s: &mut Scratch, or: OrId) {
        if s.nodes[or.index()].epoch == s.epoch {
            return;
        }
        match self.plan.ors[or.index()].component {
            None => renew(s, or),
            Some(id) => {
                let component = &self.plan.components[id.index()];
                component.nodes.iter().for_each(|&node| renew(s, node));
                for &id in &component.recurrences {
                    let waiting = &mut s.recurrences[id.index()];
                    waiting.rows.clear(self.plan.recurrences[id.index()].width);
                    waiting.index.clear();
                    waiting.rows_done = 0;
                    waiting.results_done = 0;
                }
            }
        }
    }

    /// Asks a query's node for what the rows at hand need.
    #[inline]
    fn ask_for_rows(&self, s: &mut Scratch, query: &Query, rows: &RowSet) {
        let Source::Node(or) = query.source else { return };
        self.refresh(s, or);
        let node = &mut s.nodes[or.index()];
        if query.filter.is_empty() {
            if node.filter_rows.insert(&[]) {
                self.prove(s, or);
            }
            return;
        }
        let before = node.filter_rows.len();
        let mut looks = Looks::new(s.until);
        add_filter_rows(&mut node.filter_rows, &query.filter, rows, 0, &mut looks);
        let new = node.filter_rows.len() > before;
        s.work += rows.len() as u64;
        s.give_up_if(looks.were_late());
        if new {
            self.prove(s, or);
        }
    }

    /// Proves what a node has been asked and not proved yet.
    fn prove(&self, s: &mut Scratch, or: OrId) {
        if let Some(component) = self.plan.ors[or.index()].component {
            return self.fixpoint(s, component);
        }
        let node = &mut s.nodes[or.index()];
        let from = std::mem::replace(&mut node.proved, node.filter_rows.len());
        let to = node.proved;
        let or_node = &self.plan.ors[or.index()];
        for &and in &or_node.ands {
            self.prove_and(s, and, from, to);
            if or_node.width == 0 && !s.nodes[or.index()].answers.is_empty() {
                break;
            }
        }
    }

    /// Proves a rule for the filter rows in a range.
    pub(super) fn prove_and(&self, s: &mut Scratch, and: AndId, from: usize, to: usize) {
        let node = &self.plan.ands[and.index()];
        let mut current = std::mem::take(&mut s.ands[and.index()].current);
        current.clear(node.take.len());
        let filter_rows = s.nodes[node.or.index()].filter_rows.rows();
        for index in from..to {
            let row = filter_rows.row(index);
            if node.constants.iter().all(|&(column, symbol)| row[column as usize] == symbol)
                && node.equal.iter().all(|&(a, b)| row[a as usize] == row[b as usize])
            {
                let spare = current.spare();
                for (symbol, &column) in spare.iter_mut().zip(&node.take) {
                    *symbol = row[column as usize];
                }
                current.keep();
            }
        }
        self.run(s, and, 0, &mut current);
        s.ands[and.index()].current = current;
    }

    /// Runs a segment on the rows at hand and hands on what is left.
    pub(super) fn run(&self, s: &mut Scratch, and: AndId, segment: usize, current: &mut RowSet) {
        let segment = &self.plan.ands[and.index()].segments[segment];
        if current.is_empty() || s.gave_up() || s.is_late() {
            return;
        }
        let mut merged = std::mem::take(&mut s.ands[and.index()].merged);
        for step in &segment.steps {
            match step {
                Step::Merge(merge) => {
                    self.merge(s, and, merge, current, &mut merged);
                    std::mem::swap(current, &mut merged);
                }
                Step::Test(test) => self.sift(s, and, test, current),
            }
            if current.is_empty() {
                break;
            }
        }
        s.ands[and.index()].merged = merged;
        if !current.is_empty() {
            self.hand_on(s, and, &segment.end, current);
        }
    }

    /// Merges the rows at hand with a condition's results.
    #[inline]
    fn merge(
        &self,
        s: &mut Scratch,
        and: AndId,
        merge: &Merge,
        current: &RowSet,
        merged: &mut RowSet,
    ) {
        self.ask_for_rows(s, &merge.query, current);
        let before = s.work;
        let access = self.choose(s, &merge.query, current.len());
        let table = self.table(s, merge.query.source);
        let mut limits = Limits::new(s, merge);
        let work = merge_rows(merge, access, table, current, merged, &mut limits);
        s.work += work + STEP_WORK;
        s.ands[and.index()].work += s.work - before;
        s.give_up_if(merged.len() > most_rows(merge) || limits.looks.were_late());
    }

    /// Deletes the rows that do not pass a test.
    #[inline]
    fn sift(&self, s: &mut Scratch, and: AndId, test: &Test, current: &mut RowSet) {
        self.ask_for_test(s, test, current);
        let work = current.len() as u64 + STEP_WORK;
        s.work += work;
        s.ands[and.index()].work += work;
        let mut looks = Looks::new(s.until);
        match test {
            Test::Distinct(pairs) => sift_rows(current, &mut looks, |row| differ(pairs, row)),
            Test::Exists { kind, query } => {
                let positive = matches!(kind, MergeKind::Verify | MergeKind::Check);
                let table = self.table(s, query.source);
                sift_rows(current, &mut looks, |row| finds(query, table, row) == positive);
            }
            _ => {
                let s = &*s;
                sift_rows(current, &mut looks, |row| self.passes(s, test, row));
            }
        }
        s.give_up_if(looks.were_late());
    }

    /// Hands the rows of a segment on: to the results, or to those that wait for a recurrent
    /// condition.
    #[inline]
    fn hand_on(&self, s: &mut Scratch, and: AndId, end: &End, current: &RowSet) {
        let work = current.len() as u64 * row_work(current.width());
        s.work += work;
        s.ands[and.index()].work += work;
        let mut looks = Looks::new(s.until);
        let (len, width) = match end {
            End::Head(args) => {
                let or = self.plan.ands[and.index()].or;
                let answers = &mut s.nodes[or.index()].answers;
                for (before, row) in current.iter().enumerate() {
                    if looks.is_late(before) {
                        break;
                    }
                    answers.insert_with(|spare| {
                        for (symbol, &arg) in spare.iter_mut().zip(args) {
                            *symbol = value(arg, row);
                        }
                    });
                }
                (answers.len(), args.len())
            }
            End::Recurrence(id) => {
                let recurrence = &self.plan.recurrences[id.index()];
                let waiting = &mut s.recurrences[id.index()].rows;
                let first = waiting.len();
                current.iter().for_each(|row| waiting.push(row));
                let filter_rows = &mut s.nodes[recurrence.target.index()].filter_rows;
                let filter = &recurrence.merge.query.filter;
                add_filter_rows(filter_rows, filter, waiting, first, &mut looks);
                (waiting.len(), recurrence.width)
            }
        };
        s.give_up_if(len > MOST_ROWS || len * width > MOST_SYMBOLS || looks.were_late());
    }

    #[inline]
    pub(super) fn table<'s>(&'s self, s: &'s Scratch, source: Source) -> &'s Table {
        match source {
            Source::Static(table) => &self.statics[table as usize],
            Source::Base(base) => &s.bases[base as usize],
            Source::Does => &s.does,
            Source::Node(or) => &s.nodes[or.index()].answers,
        }
    }

    /// The access to use for so many rows: an index that lags behind is brought up to date
    /// only if that costs less than looking at every row.
    #[inline]
    fn choose(&self, s: &mut Scratch, query: &Query, rows: usize) -> Access {
        let access = query.access;
        if !matches!(access, Access::Index(_)) {
            return access;
        }
        let table = match query.source {
            Source::Static(_) | Source::Does => return access,
            Source::Base(base) => &mut s.bases[base as usize],
            Source::Node(or) => &mut s.nodes[or.index()].answers,
        };
        let lag = table.lag(access);
        if lag > 0 {
            if rows * table.len() <= lag * 3 {
                return Access::Scan;
            }
            s.work += lag as u64 * row_work(table.rows().width());
            let mut looks = Looks::new(s.until);
            table.prepare(access, &mut looks);
            s.give_up_if(looks.were_late());
        }
        access
    }

    /// Asks the nodes of a test's queries for what the rows need.
    fn ask_for_test(&self, s: &mut Scratch, test: &Test, rows: &RowSet) {
        match test {
            Test::Distinct(_) | Test::Same(_) => {}
            Test::Exists { query, .. } => {
                self.ask_for_rows(s, query, rows);
                self.choose(s, query, rows.len());
            }
            Test::Any(branches) => {
                branches.iter().flatten().for_each(|test| self.ask_for_test(s, test, rows));
            }
        }
    }

    fn passes(&self, s: &Scratch, test: &Test, row: &[Symbol]) -> bool {
        match test {
            Test::Distinct(pairs) => differ(pairs, row),
            Test::Same(pairs) => !differ(pairs, row),
            Test::Exists { kind, query } => {
                let positive = matches!(kind, MergeKind::Verify | MergeKind::Check);
                finds(query, self.table(s, query.source), row) == positive
            }
            Test::Any(branches) => {
                branches.iter().any(|branch| branch.iter().all(|test| self.passes(s, test, row)))
            }
        }
    }
}

fn renew(s: &mut Scratch, or: OrId) {
    let node = &mut s.nodes[or.index()];
    node.epoch = s.epoch;
    node.answers.clear();
    node.filter_rows.clear();
    node.proved = 0;
}

/// Adds the filter rows that the rows from number `first` on ask for.
fn add_filter_rows(
    filter_rows: &mut Table,
    filter: &[Operand],
    rows: &RowSet,
    first: usize,
    looks: &mut Looks,
) {
    if filter.is_empty() {
        if rows.len() > first {
            filter_rows.insert(&[]);
        }
        return;
    }
    for index in first..rows.len() {
        if looks.is_late(index) {
            return;
        }
        let row = rows.row(index);
        filter_rows.insert_with(|spare| {
            for (symbol, &operand) in spare.iter_mut().zip(filter) {
                *symbol = value(operand, row);
            }
        });
    }
}

/// Deletes the rows that do not pass, and all that are left when it is late.
#[inline]
fn sift_rows(rows: &mut RowSet, looks: &mut Looks, passes: impl Fn(&[Symbol]) -> bool) {
    let mut seen = 0;
    rows.retain(|row| {
        seen += 1;
        !looks.is_late(seen) && passes(row)
    });
}

#[cfg(test)]
mod tests {
    use super::super::compiler::Compiler;
    use super::*;
    use std::fmt::Write;
    use std::time::Instant;

    #[test]
    fn every_loop_over_rows_is_broken_off_when_it_is_late() {
        let mut text = "(role a) (legal a go) (goal a 0) (terminal) (init s)
            (<= (p ?a ?b) (true s) (n ?a) (n ?b) (distinct ?a ?b))"
            .to_owned();
        (0..100).for_each(|number| write!(text, "(n {number})").expect("a string"));
        let (compiler, plan, mut in_time) = Compiler::for_relation(&text, "p/2");
        let prover = Prover { plan: &plan, statics: &compiler.statics };
        let mut late = in_time.clone();
        late.until = Some(Instant::now());
        let and = plan.ors[plan.roots[0].index()].ands[0];
        let segment = &plan.ands[and.index()].segments[0];
        let (mut rows, mut long) = (RowSet::new(0), 0);
        rows.push(&[]);
        for step in &segment.steps {
            let (mut all, mut some) = (rows.clone(), rows.clone());
            let mut late = late.clone();
            match step {
                Step::Merge(merge) => {
                    prover.merge(&mut in_time, and, merge, &rows, &mut all);
                    prover.merge(&mut late, and, merge, &rows, &mut some);
                }
                Step::Test(test) => {
                    prover.sift(&mut in_time, and, test, &mut all);
                    prover.sift(&mut late, and, test, &mut some);
                }
            }
            if all.len() > 5000 {
                assert!(late.gave_up() && some.len() < 2000, "{step:?}: {} rows", some.len());
                long += 1;
            }
            rows = all;
        }
        assert!(long > 0 && rows.len() == 9900 && !in_time.gave_up());
        // Steps that are not on the way of these rules.
        let (mut some, mut looks) = (rows.clone(), Looks::new(late.until));
        sift_rows(&mut some, &mut looks, |_| true);
        assert!(some.len() < 2000 && looks.were_late());
        let (mut filter_rows, mut looks) = (Table::new(2, &[]), Looks::new(late.until));
        let filter = [Operand::Column(0), Operand::Column(1)];
        add_filter_rows(&mut filter_rows, &filter, &rows, 0, &mut looks);
        assert!(filter_rows.len() < 2000 && looks.were_late());
        prover.hand_on(&mut late, and, &segment.end, &rows);
        assert!(late.gave_up() && late.nodes[plan.roots[0].index()].answers.len() < 2000);
        prover.hand_on(&mut in_time, and, &segment.end, &rows);
        assert_eq!(in_time.nodes[plan.roots[0].index()].answers.len(), 9900);
    }
}
