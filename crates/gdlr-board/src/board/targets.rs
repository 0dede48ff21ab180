//! Which squares a move names, learned from play.
//!
//! No rulesheet says that `(move 2 2 3 3)` speaks of the squares of `(cell 2 2 x)`, and in which
//! order it names columns and rows. But what a move names it changes: over many steps, a right
//! reading of the arguments names a square on which something else stands afterwards, and a wrong
//! one, such as the same with row and column exchanged, does so now and then. So the readings of a
//! form of moves are tried on the steps at hand, and those that nearly always hold are kept, as
//! many as fit beside each other. A move that play has not shown is read like the others of its
//! game, where that leaves no doubt.

use super::boards::{Board, Boards};
use super::form::Form;
use super::layout::Squares;
use gdlr_rules::gdl::{Symbol, Term};
use hashbrown::{HashMap, HashSet};
use std::cmp::Reverse;

/// In at least this part of the steps a reading has to hold.
const HOLDS: f64 = 0.95;
/// A reading at random would have failed at least so often in these steps.
const EVIDENCE: f64 = 2.0;
/// At most so many steps are looked at for a form of moves.
const SAMPLES: usize = 200;
/// A move with more constants is not read by boards of boards, which need four of them.
const MOST_GAPS: usize = 20;

/// Squares that a move names. `None` stands for any: a column of a board, all layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Target {
    /// The place of the board in [`Boards::boards`].
    pub board: usize,
    /// The place of the layer in [`Board::layers`].
    pub layer: Option<usize>,
    /// The row, from the top.
    pub row: Option<usize>,
    /// The column, from the left.
    pub column: Option<usize>,
}

impl Target {
    /// Whether this square is among those named.
    pub fn has(&self, board: usize, layer: usize, row: usize, column: usize) -> bool {
        let fits = |said: Option<usize>, is: usize| said.is_none_or(|said| said == is);
        self.board == board
            && fits(self.layer, layer)
            && fits(self.row, row)
            && fits(self.column, column)
    }
}

/// A step of play.
#[derive(Clone, Copy, Debug)]
pub struct Step<'s> {
    /// The facts before it.
    pub before: &'s [Term],
    /// The moves of all roles.
    pub joint: &'s [Term],
    /// The facts after it.
    pub after: &'s [Term],
}

/// Which squares the moves of a game name.
#[derive(Clone, Debug, Default)]
pub struct Targets {
    readings: HashMap<Form, Vec<Reading>>,
    /// By board: how moves are read that play has not shown; `None` where that is in doubt.
    habits: Vec<Option<Habit>>,
}

/// Where a move names squares of a board: by which of its constants.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Reading {
    board: usize,
    layer: Option<usize>,
    /// Several for boards of boards.
    row: Vec<usize>,
    column: Vec<usize>,
    /// What says both.
    named: Option<usize>,
}

/// How the moves of a game name the squares of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Habit {
    /// Two constants, one behind the other.
    Pairs { first_is_row: bool },
    /// One constant.
    Named,
}

impl Reading {
    /// One that reads nothing.
    fn of(board: usize) -> Reading {
        Reading { board, layer: None, row: Vec::new(), column: Vec::new(), named: None }
    }

    fn gaps(&self) -> impl Iterator<Item = usize> {
        let all = self.layer.iter().chain(&self.named).chain(&self.row).chain(&self.column);
        all.copied()
    }

    fn has(&self, gap: usize) -> bool {
        self.gaps().any(|own| own == gap)
    }

    fn first(&self) -> usize {
        self.gaps().min().unwrap_or(usize::MAX)
    }

    /// Whether it names single squares.
    fn is_square(&self) -> bool {
        self.named.is_some() || !self.column.is_empty() && !self.row.is_empty()
    }

    /// How far apart the constants are.
    fn span(&self) -> usize {
        self.gaps().max().unwrap_or(0) - self.gaps().min().unwrap_or(0)
    }

    /// What it names in a move with these constants; `None` if a constant is not of the board.
    fn target(&self, boards: &Boards, constants: &[Symbol]) -> Option<Target> {
        let board = &boards.boards()[self.board];
        let mut target = Target { board: self.board, layer: None, row: None, column: None };
        if let Some(gap) = self.layer {
            target.layer = Some(*board.layer_of.get(&constants[gap])?);
        }
        if let Some(gap) = self.named {
            let (row, column) = board.named.get(&constants[gap])?;
            (target.row, target.column) = (Some(usize::from(*row)), Some(usize::from(*column)));
        }
        let label = |gaps: &[usize], labels: &HashMap<Box<[Symbol]>, u16>| {
            let said: Vec<Symbol> = gaps.iter().map(|&gap| constants[gap]).collect();
            labels.get(&said[..]).map(|&at| usize::from(at))
        };
        if !self.row.is_empty() {
            target.row = Some(label(&self.row, &board.row_of)?);
        }
        if !self.column.is_empty() {
            target.column = Some(label(&self.column, &board.column_of)?);
            if board.row_of.is_empty() {
                target.row = Some(0);
            }
        }
        let is_missing = |(row, column)| !board.has_square(row, column);
        match target.row.zip(target.column).is_some_and(is_missing) {
            true => None,
            false => Some(target),
        }
    }
}

/// A square: board, layer, row and column.
type Place = (usize, usize, usize, usize);

/// A move in a step.
struct Sample<'s> {
    constants: Vec<Symbol>,
    /// Where something else stands after the step.
    changed: &'s HashSet<Place>,
    /// Where something stands before it.
    taken: &'s HashSet<Place>,
}

/// What a right reading names nearly always.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Evidence {
    /// Squares on which something else stands after the step.
    Changed,
    /// Squares on which something stands before it.
    Taken,
}

impl Sample<'_> {
    fn squares(&self, evidence: Evidence) -> &HashSet<Place> {
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

impl Targets {
    /// What the moves of these steps name.
    ///
    /// Costs time linear in the facts of the steps, and in the ways to read each form of moves: the
    /// pairs of its arguments for each board, but for a board of boards the quadruples.
    pub fn find<'s>(boards: &Boards, steps: impl IntoIterator<Item = Step<'s>>) -> Targets {
        if boards.boards().is_empty() {
            return Targets::default();
        }
        let steps: Vec<Step> = steps.into_iter().collect();
        let seen: Vec<[HashSet<Place>; 2]> = steps.iter().map(|step| seen(boards, step)).collect();
        let mut samples: HashMap<Form, Vec<Sample>> = HashMap::new();
        let mut forms = Vec::new();
        for (step, [changed, taken]) in steps.iter().zip(&seen) {
            for (form, constants) in step.joint.iter().filter_map(Form::of_move) {
                let samples = samples.entry(form.clone()).or_insert_with(|| {
                    forms.push(form);
                    Vec::new()
                });
                if samples.len() < SAMPLES {
                    samples.push(Sample { constants, changed, taken });
                }
            }
        }
        let mut targets = Targets::default();
        let judges: Vec<(Form, Judge)> = forms
            .into_iter()
            .filter_map(|form| Some((samples.remove(&form)?, form)))
            .map(|(samples, form)| (form, Judge { boards, samples }))
            .collect();
        let mut rare = Vec::new();
        for (form, judge) in judges {
            match judge.readings() {
                readings if readings.is_empty() => rare.push((form, judge)),
                readings => _ = targets.readings.insert(form, readings),
            }
        }
        targets.habits = (0..boards.boards().len()).map(|at| targets.habit(boards, at)).collect();
        for (form, judge) in rare {
            let readings = match judge.is_short_of_evidence() {
                true => judge.usual(&targets),
                false => Vec::new(),
            };
            targets.readings.insert(form, readings);
        }
        targets
    }

    /// The squares that a move names, in the order in which it names them: as a rule what is moved
    /// before where it goes. None where the move names no square, or it is not known which.
    pub fn of(&self, boards: &Boards, term: &Term) -> Vec<Target> {
        let Some((form, constants)) = Form::of_move(term) else { return Vec::new() };
        let usual;
        let readings = match self.readings.get(&form) {
            Some(readings) => readings,
            None => {
                usual = self.usual(boards, &constants);
                &usual
            }
        };
        readings.iter().filter_map(|reading| reading.target(boards, &constants)).collect()
    }

    /// How moves name the squares of a board, by what was learned of it.
    fn habit(&self, boards: &Boards, board: usize) -> Option<Habit> {
        let found = &boards.boards()[board];
        if !found.named.is_empty() {
            return Some(Habit::Named);
        }
        if depth(&found.row_of) != 1 || depth(&found.column_of) != 1 {
            return None;
        }
        let pairs = self.readings.values().flatten();
        let mut pairs = pairs.filter(|of| of.board == board && of.span() == 1);
        let orders = pairs.by_ref().filter(|of| of.row.len() == 1 && of.column.len() == 1);
        let orders: HashSet<bool> = orders.map(|of| of.row[0] < of.column[0]).collect();
        let different = found.row_of.keys().all(|label| !found.column_of.contains_key(label));
        match orders.len() {
            0 if different => first_is_row(boards, board),
            1 => orders.into_iter().next(),
            _ => None,
        }
        .map(|first_is_row| Habit::Pairs { first_is_row })
    }

    /// How a move with these constants is read by habit, where only one board comes into question.
    fn usual(&self, boards: &Boards, constants: &[Symbol]) -> Vec<Reading> {
        let by_board = self.habits.iter().enumerate().map(|(number, habit)| {
            let board = &boards.boards()[number];
            match habit {
                None => Vec::new(),
                Some(Habit::Named) => (0..constants.len())
                    .filter(|&gap| board.named.contains_key(&constants[gap]))
                    .map(|gap| Reading { named: Some(gap), ..Reading::of(number) })
                    .collect(),
                Some(Habit::Pairs { first_is_row }) => {
                    pairs(number, board, *first_is_row, 0, constants)
                }
            }
        });
        let mut found = by_board.filter(|readings| !readings.is_empty());
        match (found.next(), found.next()) {
            (Some(readings), None) => readings,
            _ => Vec::new(),
        }
    }
}

/// Constants as pairs, those from a gap on: where labels stand side by side, the first and the
/// second, the third and the fourth, and so on. None where a label is left over.
fn pairs(
    number: usize,
    board: &Board,
    first_is_row: bool,
    from: usize,
    constants: &[Symbol],
) -> Vec<Reading> {
    let is_label = |symbol: &Symbol| {
        board.row_of.contains_key(&[*symbol][..]) || board.column_of.contains_key(&[*symbol][..])
    };
    let mut found = Vec::new();
    let mut at = 0;
    while at < constants.len() {
        let labels = constants[at..].iter().take_while(|symbol| is_label(symbol)).count();
        if labels % 2 == 1 {
            return Vec::new();
        }
        for first in (at..at + labels).step_by(2).map(|at| at + from) {
            let (row, column) = if first_is_row { (first, first + 1) } else { (first + 1, first) };
            found.push(Reading { row: vec![row], column: vec![column], ..Reading::of(number) });
        }
        at += labels + 1;
    }
    found
}

/// The squares on which something else stands after a step, and those on which something stands
/// before it.
fn seen(boards: &Boards, step: &Step) -> [HashSet<Place>; 2] {
    let channel = |of: &super::Place| &boards.boards()[of.board].channels[of.channel];
    let square = |of: &super::Place| (of.board, channel(of).layer, of.row, of.column);
    let things = |facts: &[Term]| {
        let places = facts.iter().filter_map(|fact| boards.place(fact));
        places.filter(|of| !channel(of).is_blank).collect::<HashSet<super::Place>>()
    };
    let (before, after) = (things(step.before), things(step.after));
    let changed = before.symmetric_difference(&after).map(square).collect();
    [changed, before.iter().map(square).collect()]
}

/// How many constants name a row, or a column.
fn depth(labels: &HashMap<Box<[Symbol]>, u16>) -> usize {
    labels.keys().next().map_or(0, |label| label.len())
}

/// Whether the facts of a board name the row before the column; `None` if some do and others do
/// not, or where one constant names the square.
fn first_is_row(boards: &Boards, board: usize) -> Option<bool> {
    let standings = boards.standings.values().filter(|of| of.board == board);
    let orders: HashSet<bool> = standings
        .filter(|of| matches!(of.squares, Squares::Pairs { .. }))
        .map(|of| of.first_is_row)
        .collect();
    if orders.len() == 1 { orders.into_iter().next() } else { None }
}

/// Tries readings of one form of moves.
struct Judge<'s> {
    boards: &'s Boards,
    samples: Vec<Sample<'s>>,
}

impl Judge<'_> {
    /// How the form is read.
    fn readings(&self) -> Vec<Reading> {
        let mut chosen = self.squares();
        if chosen.is_empty() {
            chosen = self.lines();
        }
        chosen.sort_by_key(Reading::first);
        chosen
    }

    /// Readings that name single squares.
    fn squares(&self) -> Vec<Reading> {
        let mut found: Vec<(usize, bool, usize, usize, Reading)> = Vec::new();
        for number in 0..self.boards.boards().len() {
            let usual = first_is_row(self.boards, number);
            for reading in self.square_candidates(number) {
                let Some(misses) = self.misses(&reading, Evidence::Changed) else { continue };
                let is_turned = match (reading.row.first(), reading.column.first()) {
                    (Some(row), Some(column)) => usual.is_some_and(|usual| usual != (row < column)),
                    _ => false,
                };
                found.push((misses, is_turned, reading.span(), reading.first(), reading));
            }
        }
        // The sort is stable, so that in doubt the order of the candidates decides.
        // Where a board has boards for squares, its reading says more than one of a small board.
        found.sort_by_key(|(misses, is_turned, span, first, reading)| {
            (*misses, reading.row.len() < 2, *is_turned, *span, *first)
        });
        let mut chosen: Vec<Reading> = Vec::new();
        // Those that share nothing first. Then a square may share its row or column with another,
        // as in `(push ?x ?from ?to)`.
        for most_shared in [0, 1] {
            for (.., reading) in &found {
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
    fn chance(&self, board: usize, squares: &HashSet<Place>) -> f64 {
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
        let mut found = Vec::new();
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
                found.extend(readings);
            }
        }
        chosen.extend(found);
    }

    /// Readings that name a row, a column or a layer, where no square is named.
    fn lines(&self) -> Vec<Reading> {
        let mut found: Vec<(usize, Reverse<usize>, usize, Reading)> = Vec::new();
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
                found.extend(held);
            }
        }
        found.sort_by_key(|&(misses, lines, gap, _)| (misses, lines, gap));
        let mut chosen: Vec<Reading> = Vec::new();
        for (.., reading) in found {
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
    fn is_short_of_evidence(&self) -> bool {
        let changes = self.samples.iter().filter(|sample| !sample.changed.is_empty()).count();
        (changes as f64) <= EVIDENCE + 1.0
    }

    /// How the form is read by habit, if the steps at hand do not say otherwise.
    fn usual(&self, targets: &Targets) -> Vec<Reading> {
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
    let mut found: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..count {
        let longer = |chosen: &Vec<usize>| {
            let free = (0..gaps).filter(|gap| !chosen.contains(gap));
            free.map(|gap| [&chosen[..], &[gap]].concat()).collect::<Vec<_>>()
        };
        found = found.iter().flat_map(longer).collect();
    }
    found
}
