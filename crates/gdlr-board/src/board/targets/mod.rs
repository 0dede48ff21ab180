//! Which squares a move names, learned from play.
//!
//! No rulesheet says that `(move 2 2 3 3)` speaks of the squares of `(cell 2 2 x)`, and in which
//! order it names columns and rows. But what a move names it changes: over many steps, a right
//! reading of the arguments names a square on which something else stands afterwards, and a wrong
//! one, such as the same with row and column exchanged, does so now and then. So the readings of a
//! form of moves are tried on the steps at hand, and those that nearly always hold are kept, as
//! many as fit beside each other. A move that play has not shown is read like the others of its
//! game, where that leaves no doubt.

mod judge;

use super::boards::{Board, Boards};
use super::form::Form;
use super::layout::Squares;
use gdlr_rules::gdl::{Symbol, Term};
use hashbrown::{HashMap, HashSet};
use judge::{Judge, Sample};

/// At most so many steps are looked at for a form of moves.
const SAMPLES: usize = 200;
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
    /// The gap that says both.
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

    /// The target that it names in a move with these constants; `None` if a constant is not of the board.
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
type SquareIndex = (usize, usize, usize, usize);

impl Targets {
    /// The targets that the moves of these steps name.
    ///
    /// Costs time linear in the facts of the steps, and in the ways to read each form of moves: the
    /// pairs of its arguments for each board, but for a board of boards the quadruples.
    pub fn find<'s>(boards: &Boards, steps: impl IntoIterator<Item = Step<'s>>) -> Targets {
        if boards.boards().is_empty() {
            return Targets::default();
        }
        let steps: Vec<Step> = steps.into_iter().collect();
        let seen: Vec<[HashSet<SquareIndex>; 2]> =
            steps.iter().map(|step| seen(boards, step)).collect();
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
        let shown = &boards.boards()[board];
        if !shown.named.is_empty() {
            return Some(Habit::Named);
        }
        if depth(&shown.row_of) != 1 || depth(&shown.column_of) != 1 {
            return None;
        }
        let pairs = self.readings.values().flatten();
        let mut pairs = pairs.filter(|of| of.board == board && of.span() == 1);
        let orders = pairs.by_ref().filter(|of| of.row.len() == 1 && of.column.len() == 1);
        let orders: HashSet<bool> = orders.map(|of| of.row[0] < of.column[0]).collect();
        let different = shown.row_of.keys().all(|label| !shown.column_of.contains_key(label));
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
        let mut candidates = by_board.filter(|readings| !readings.is_empty());
        match (candidates.next(), candidates.next()) {
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
    let mut readings = Vec::new();
    let mut at = 0;
    while at < constants.len() {
        let labels = constants[at..].iter().take_while(|symbol| is_label(symbol)).count();
        if labels % 2 == 1 {
            return Vec::new();
        }
        for first in (at..at + labels).step_by(2).map(|at| at + from) {
            let (row, column) = if first_is_row { (first, first + 1) } else { (first + 1, first) };
            readings.push(Reading { row: vec![row], column: vec![column], ..Reading::of(number) });
        }
        at += labels + 1;
    }
    readings
}

/// The squares on which something else stands after a step, and those on which something stands
/// before it.
fn seen(boards: &Boards, step: &Step) -> [HashSet<SquareIndex>; 2] {
    let channel = |of: &super::Placement| &boards.boards()[of.board].channels[of.channel];
    let square = |of: &super::Placement| (of.board, channel(of).layer, of.row, of.column);
    let things = |facts: &[Term]| {
        let places = facts.iter().filter_map(|fact| boards.place(fact));
        places.filter(|of| !channel(of).is_blank).collect::<HashSet<super::Placement>>()
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
