//! Which readings of a form of moves hold, by the steps in which it was played.

use super::{Reading, SquareIndex, Target, Targets, depth, first_is_row, pairs};
use crate::board::boards::Boards;
use gdlr_rules::gdl::Symbol;
use hashbrown::HashSet;
use std::cmp::Reverse;

/// In at least this part of the steps a reading has to hold.
const HOLDS: f64 = 0.95;
/// A reading at random would have failed at least so often in these steps.
const EVIDENCE: f64 = 2.0;
/// A move with more constants is not read by boards of boards, which need four of them.
const MOST_GAPS: usize = 20;

/// A move in a step.
pub(super) struct Sample<'s> {
    pub constants: Vec<Symbol>,
    /// Where something else stands after the step.
    pub changed: &'s HashSet<SquareIndex>,
    /// Where something stands before it.
    pub taken: &'s HashSet<SquareIndex>,
}

/// The squares that a right reading names nearly always.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Evidence {
    /// Squares on which something else stands after the step.
    Changed,
    /// Squares on which something stands before it.
    Taken,
}

impl Sample<'_> {
    fn squares(&self, evidence: Evidence) -> &HashSet<SquareIndex> {
        match evidence {
            Evidence::Changed => self.changed,
            Evidence::Taken => self.taken,
        }
    }

    fn holds(&self, target: Option<Target>, evidence: Evidence) -> bool {
        target.is_some_and(|target| {
            let mut squares = self.squares(evidence).iter();
            squares.any(|&(board, layer, row, column)| target.has(board, layer, row, column))
        })
    }
}

/// Tries readings of one form of moves.
pub(super) struct Judge<'s> {
    pub boards: &'s Boards,
    pub samples: Vec<Sample<'s>>,
}

impl Judge<'_> {
    /// How the form is read.
    pub fn readings(&self) -> Vec<Reading> {
        let mut chosen = self.squares();
        if chosen.is_empty() {
            chosen = self.lines();
        }
        chosen.sort_by_key(Reading::first);
        chosen
    }

    /// Readings that name single squares.
    fn squares(&self) -> Vec<Reading> {
        let mut readings: Vec<(usize, bool, usize, usize, Reading)> = Vec::new();
        for number in 0..self.boards.boards().len() {
            let usual = first_is_row(self.boards, number);
            for reading in self.square_candidates(number) {
                let Some(misses) = self.misses(&reading, Evidence::Changed) else { continue };
                let is_turned = match (reading.row.first(), reading.column.first()) {
                    (Some(row), Some(column)) => usual.is_some_and(|usual| usual != (row < column)),
                    _ => false,
                };
                readings.push((misses, is_turned, reading.span(), reading.first(), reading));
            }
        }
        // The sort is stable, so that in doubt the order of the candidates decides.
        // Where a board has boards for squares, its reading says more than one of a small board.
        readings.sort_by_key(|(misses, is_turned, span, first, reading)| {
            (*misses, reading.row.len() < 2, *is_turned, *span, *first)
        });
        let mut chosen: Vec<Reading> = Vec::new();
        // Those that share nothing first. Then a square may share its row or column with another,
        // as in `(push ?x ?from ?to)`.
        for most_shared in [0, 1] {
            for (.., reading) in &readings {
                let is_taken = |gap: &usize| chosen.iter().any(|of: &Reading| of.has(*gap));
                let shared = reading.gaps().filter(is_taken).count();
                let is_pair = reading.row.len() + reading.column.len() == 2;
                if shared == most_shared && (shared == 0 || is_pair) {
                    let layered = self.layered(reading.clone(), &chosen);
                    chosen.push(layered);
                }
            }
        }
        self.between(&mut chosen);
        self.beside(&mut chosen);
        chosen
    }

    /// Squares that a move names as others, but that it does not change: what stands there stays,
    /// or something new comes in its place.
    fn beside(&self, chosen: &mut Vec<Reading>) {
        let Some(like) = chosen.iter().min_by_key(|of| of.first()).cloned() else { return };
        let is_like = |reading: &Reading| {
            reading.span() == like.span()
                && (reading.row.first() < reading.column.first())
                    == (like.row.first() < like.column.first())
        };
        for reading in self.square_candidates(like.board).into_iter().filter(is_like) {
            let is_free = reading.gaps().all(|gap| chosen.iter().all(|of| !of.has(gap)));
            if is_free && self.misses(&reading, Evidence::Taken).is_some() {
                chosen.push(reading);
            }
        }
    }

    fn gaps(&self) -> usize {
        self.samples[0].constants.len()
    }

    /// All ways to read a square of a board.
    fn square_candidates(&self, number: usize) -> Vec<Reading> {
        let board = &self.boards.boards()[number];
        let gaps = self.gaps();
        if !board.named.is_empty() {
            let named = |gap| Reading { named: Some(gap), ..Reading::of(number) };
            return (0..gaps).map(named).collect();
        }
        let (rows, columns) = (depth(&board.row_of), depth(&board.column_of));
        if rows + columns > 2 && gaps > MOST_GAPS / 2 || gaps > MOST_GAPS {
            return Vec::new();
        }
        let reading = |gaps: Vec<usize>| Reading {
            row: gaps[..rows].to_vec(),
            column: gaps[rows..].to_vec(),
            ..Reading::of(number)
        };
        selections(gaps, rows + columns).into_iter().map(reading).collect()
    }

    /// In how many steps a reading does not hold; `None` if in too many, or if that could be
    /// chance. Steps that change nothing on its board say nothing.
    fn misses(&self, reading: &Reading, evidence: Evidence) -> Option<usize> {
        let is_there =
            |sample: &&Sample| sample.squares(evidence).iter().any(|of| of.0 == reading.board);
        let samples: Vec<&Sample> = self.samples.iter().filter(is_there).collect();
        let allowed = ((1.0 - HOLDS) * samples.len() as f64) as usize;
        let target = |sample: &Sample| reading.target(self.boards, &sample.constants);
        let targets: Vec<Option<Target>> = samples.iter().map(|sample| target(sample)).collect();
        let mut misses = 0;
        for (sample, target) in samples.iter().zip(&targets) {
            misses += usize::from(!sample.holds(*target, evidence));
            if misses > allowed {
                return None;
            }
        }
        let chance = |sample: &&Sample| match reading.is_square() {
            true => self.chance(reading.board, sample.squares(evidence)),
            // Lines are few, and some are played on more than others: what the moves of other
            // steps name holds as often by chance.
            false => {
                let held = targets.iter().filter(|target| sample.holds(**target, evidence));
                held.count() as f64 / targets.len() as f64
            }
        };
        let expected: f64 = samples.iter().map(|sample| 1.0 - chance(sample)).sum();
        (expected >= EVIDENCE).then_some(misses)
    }

    /// How likely any square of a board is among some, whatever its layer.
    fn chance(&self, board: usize, squares: &HashSet<SquareIndex>) -> f64 {
        let here = squares.iter().filter(|of| of.0 == board);
        let here: HashSet<(usize, usize)> = here.map(|of| (of.2, of.3)).collect();
        here.len() as f64 / self.boards.boards()[board].square_count().max(1) as f64
    }

    /// The reading with the layer, too, if the move says it.
    fn layered(&self, reading: Reading, chosen: &[Reading]) -> Reading {
        if self.boards.boards()[reading.board].layers.len() < 2 {
            return reading;
        }
        let taken: HashSet<usize> =
            chosen.iter().flat_map(Reading::gaps).chain(reading.gaps()).collect();
        let with = |gap| Reading { layer: Some(gap), ..reading.clone() };
        let free = (0..self.gaps()).filter(|gap| !taken.contains(gap)).map(with);
        let held =
            free.filter_map(|reading| Some((self.misses(&reading, Evidence::Changed)?, reading)));
        held.min_by_key(|(misses, _)| *misses).map_or(reading.clone(), |(_, found)| found)
    }

    /// Squares between others that nothing stays on, as where a man jumps several times.
    fn between(&self, chosen: &mut Vec<Reading>) {
        let mut ends: Vec<&Reading> = chosen.iter().collect();
        ends.sort_by_key(|reading| reading.first());
        let mut inner = Vec::new();
        for pair in ends.windows(2) {
            let [one, other] = pair else { continue };
            let is_pair =
                |of: &Reading| of.row.len() == 1 && of.column.len() == 1 && of.span() == 1;
            let order = one.row.first() < one.column.first();
            let fits = is_pair(one)
                && is_pair(other)
                && one.board == other.board
                && order == (other.row.first() < other.column.first());
            if !fits {
                continue;
            }
            let board = &self.boards.boards()[one.board];
            let (begin, end) = (one.first() + 2, other.first());
            let read = |sample: &Sample| {
                pairs(one.board, board, order, begin, &sample.constants[begin..end])
            };
            let readings = read(&self.samples[0]);
            let is_whole = |readings: &Vec<Reading>| 2 * readings.len() == end - begin;
            if is_whole(&readings) && self.samples.iter().all(|sample| is_whole(&read(sample))) {
                inner.extend(readings);
            }
        }
        chosen.extend(inner);
    }

    /// Readings that name a row, a column or a layer, where no square is named.
    fn lines(&self) -> Vec<Reading> {
        let mut readings: Vec<(usize, Reverse<usize>, usize, Reading)> = Vec::new();
        for (number, board) in self.boards.boards().iter().enumerate() {
            for gap in 0..self.gaps() {
                let mut of_gap = Vec::new();
                if depth(&board.row_of) == 1 {
                    of_gap.push((
                        board.rows.labels.len(),
                        Reading { row: vec![gap], ..Reading::of(number) },
                    ));
                }
                if depth(&board.row_of) == 1 && depth(&board.column_of) == 1 {
                    of_gap.push((
                        board.columns.labels.len(),
                        Reading { column: vec![gap], ..Reading::of(number) },
                    ));
                }
                if board.layers.len() > 1 {
                    let reading = Reading { layer: Some(gap), ..Reading::of(number) };
                    of_gap.push((board.layers.len(), reading));
                }
                let held = of_gap.into_iter().filter_map(|(lines, reading)| {
                    Some((self.misses(&reading, Evidence::Changed)?, Reverse(lines), gap, reading))
                });
                readings.extend(held);
            }
        }
        readings.sort_by_key(|&(misses, lines, gap, _)| (misses, lines, gap));
        let mut chosen: Vec<Reading> = Vec::new();
        for (.., reading) in readings {
            if chosen.iter().all(|of| !of.has(reading.first())) {
                let layered = match reading.layer {
                    None => self.layered(reading, &chosen),
                    Some(_) => reading,
                };
                chosen.push(layered);
            }
        }
        // A row and a column are a square: where something is put that lies around it.
        if let [one, other] = &chosen[..]
            && one.board == other.board
            && (one.row.is_empty(), one.column.is_empty())
                == (other.column.is_empty(), other.row.is_empty())
        {
            let row = [&one.row[..], &other.row].concat();
            let column = [&one.column[..], &other.column].concat();
            if row.len() == 1 && column.len() == 1 {
                let layer = one.layer.or(other.layer);
                return vec![Reading { layer, row, column, ..one.clone() }];
            }
        }
        chosen
    }

    /// Whether there are too few steps to tell readings from chance.
    pub fn is_short_of_evidence(&self) -> bool {
        let changes = self.samples.iter().filter(|sample| !sample.changed.is_empty()).count();
        (changes as f64) <= EVIDENCE + 1.0
    }

    /// How the form is read by habit, if the steps at hand do not say otherwise.
    pub fn usual(&self, targets: &Targets) -> Vec<Reading> {
        let readings = targets.usual(self.boards, &self.samples[0].constants);
        let holds = |reading: &Reading| {
            self.samples.iter().all(|sample| {
                let target = reading.target(self.boards, &sample.constants);
                target.is_some_and(|target| {
                    sample
                        .changed
                        .iter()
                        .any(|&(board, layer, row, column)| target.has(board, layer, row, column))
                })
            })
        };
        readings.into_iter().filter(holds).collect()
    }
}

/// All ways to choose so many of the first `gaps` numbers, in any order, without repeats.
fn selections(gaps: usize, count: usize) -> Vec<Vec<usize>> {
    let mut selections: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..count {
        let longer = |chosen: &Vec<usize>| {
            let free = (0..gaps).filter(|gap| !chosen.contains(gap));
            free.map(|gap| [&chosen[..], &[gap]].concat()).collect::<Vec<_>>()
        };
        selections = selections.iter().flat_map(longer).collect();
    }
    selections
}
