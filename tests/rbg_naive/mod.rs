//! Regular boardgames straight from the definition (RBG, abstract description): the rules are
//! numbered actions of which each may follow some others, states are cloned, and a search keeps
//! everything that it has seen in a set.

use gdlr::rbg::{Action, Arithmetic, Comparison, Game, PieceId, Rule, Square, VariableId};
use std::cell::Cell;
use std::collections::BTreeSet;

/// How many states a search may see.
const MAX_SEEN: usize = 200_000;

/// A case that the definition does not allow, or that is too much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The keeper has a choice that matters.
    Improper,
    /// A division by zero.
    Division,
    TooMuch,
}

/// An action of the low-level language.
#[derive(Clone, Debug)]
enum Act {
    Shift(gdlr::rbg::LabelId),
    On(Vec<PieceId>),
    Off(PieceId),
    Assign(VariableId, Arithmetic),
    Compare(Arithmetic, Comparison, Arithmetic),
    Pattern(bool, Expression),
    Switch(Option<VariableId>),
    Cut,
}

/// A regular expression: its actions, and which may follow on which.
#[derive(Clone, Debug, Default)]
struct Expression {
    actions: Vec<Act>,
    first: BTreeSet<usize>,
    last: BTreeSet<usize>,
    nullable: bool,
    follow: Vec<BTreeSet<usize>>,
}

#[derive(Default)]
struct Part {
    first: BTreeSet<usize>,
    last: BTreeSet<usize>,
    nullable: bool,
}

impl Expression {
    fn new(rule: &Rule) -> Expression {
        let mut expression = Expression::default();
        let Part { first, last, nullable } = expression.add(rule);
        Expression { first, last, nullable, ..expression }
    }

    fn act(&mut self, act: Act) -> Part {
        let own = BTreeSet::from([self.actions.len()]);
        self.actions.push(act);
        self.follow.push(BTreeSet::new());
        Part { first: own.clone(), last: own, nullable: false }
    }

    fn then(&mut self, before: Part, after: Part) -> Part {
        for last in &before.last {
            self.follow[*last].extend(&after.first);
        }
        let [mut first, mut last] = [before.first, after.last];
        if before.nullable {
            first.extend(after.first);
        }
        if after.nullable {
            last.extend(before.last);
        }
        Part { first, last, nullable: before.nullable && after.nullable }
    }

    fn add(&mut self, rule: &Rule) -> Part {
        let empty = Part { nullable: true, ..Part::default() };
        match rule {
            Rule::Sum(parts) => parts.iter().fold(Part::default(), |mut sum, part| {
                let part = self.add(part);
                sum.first.extend(part.first);
                sum.last.extend(part.last);
                sum.nullable |= part.nullable;
                sum
            }),
            Rule::Concat(parts) => parts.iter().fold(empty, |before, part| {
                let part = self.add(part);
                self.then(before, part)
            }),
            Rule::Power(inner, times) => (0..*times).fold(empty, |before, _| {
                let part = self.add(inner);
                self.then(before, part)
            }),
            Rule::Star(inner) => {
                let part = self.add(inner);
                for last in &part.last {
                    self.follow[*last].extend(&part.first);
                }
                Part { nullable: true, ..part }
            }
            Rule::Action(action, _) => self.add_action(action),
        }
    }

    fn add_action(&mut self, action: &Action) -> Part {
        match action {
            Action::Shift(label) => self.act(Act::Shift(*label)),
            Action::On(pieces) => self.act(Act::On(pieces.clone())),
            Action::Off(pieces) => pieces.iter().fold(Part::default(), |mut sum, piece| {
                let part = self.act(Act::Off(*piece));
                sum.first.extend(part.first);
                sum.last.extend(part.last);
                sum
            }),
            Action::Assign(parts) => {
                let empty = Part { nullable: true, ..Part::default() };
                parts.iter().fold(empty, |before, (variable, value)| {
                    let part = self.act(Act::Assign(*variable, value.clone()));
                    self.then(before, part)
                })
            }
            Action::Compare(left, comparison, right) => {
                self.act(Act::Compare(left.clone(), *comparison, right.clone()))
            }
            Action::Pattern { negated, rule } => {
                self.act(Act::Pattern(*negated, Expression::new(rule)))
            }
            Action::Switch(player) => self.act(Act::Switch(*player)),
            Action::Cut => self.act(Act::Cut),
        }
    }

    /// The actions that may come behind an action, or at the beginning.
    fn next(&self, at: Option<usize>) -> &BTreeSet<usize> {
        at.map_or(&self.first, |at| &self.follow[at])
    }
}

/// The state of a game at some time.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Semistate {
    pub pieces: Vec<PieceId>,
    pub values: Vec<i64>,
    pub square: Square,
    pub player: Option<VariableId>,
}

/// A semistate, and the last action of the rules.
pub type State = (Option<usize>, Semistate);

/// A move: actions and squares, up to the switch.
pub type Word = Vec<(usize, Square)>;

pub struct Naive<'a> {
    game: &'a Game,
    rules: Expression,
    seen: Cell<usize>,
}

impl<'a> Naive<'a> {
    pub fn new(game: &'a Game) -> Naive<'a> {
        Naive { game, rules: Expression::new(&game.rules), seen: Cell::new(0) }
    }

    fn begin(&self) -> State {
        let pieces = self.game.board.squares.iter().map(|square| square.piece).collect();
        let values = vec![0; self.game.variables.len()];
        (None, Semistate { pieces, values, square: Square(0), player: None })
    }

    fn count(&self) -> Result<(), Fault> {
        self.seen.set(self.seen.get() + 1);
        if self.seen.get() > MAX_SEEN { Err(Fault::TooMuch) } else { Ok(()) }
    }

    fn value(&self, value: &Arithmetic, state: &Semistate) -> Result<i64, Fault> {
        Ok(match value {
            Arithmetic::Number(number) => *number,
            Arithmetic::Variable(variable) => state.values[variable.index()],
            Arithmetic::Count(piece) => {
                state.pieces.iter().filter(|other| *other == piece).count() as i64
            }
            Arithmetic::Binary(left, operator, right) => {
                let [left, right] = [self.value(left, state)?, self.value(right, state)?];
                operator.apply(left, right).ok_or(Fault::Division)?
            }
        })
    }

    /// The semistate behind an action, if it is valid.
    fn apply(&self, act: &Act, state: &Semistate) -> Result<Option<Semistate>, Fault> {
        self.count()?;
        let mut after = state.clone();
        let valid = match act {
            Act::Shift(label) => match self.game.board.next(state.square, *label) {
                Some(square) => {
                    after.square = square;
                    true
                }
                None => false,
            },
            Act::On(pieces) => pieces.contains(&state.pieces[state.square.index()]),
            Act::Off(piece) => {
                after.pieces[state.square.index()] = *piece;
                true
            }
            Act::Assign(variable, value) => {
                let value = self.value(value, state)?;
                after.values[variable.index()] = value;
                (0..=i64::from(self.game.variables[variable.index()].bound)).contains(&value)
            }
            Act::Compare(left, comparison, right) => {
                comparison.holds(self.value(left, state)?, self.value(right, state)?)
            }
            Act::Pattern(negated, expression) => self.matches(expression, state)? != *negated,
            Act::Switch(player) => {
                after.player = *player;
                true
            }
            Act::Cut => true,
        };
        Ok(valid.then_some(after))
    }

    /// Whether a word of an expression is valid.
    fn matches(&self, expression: &Expression, state: &Semistate) -> Result<bool, Fault> {
        let mut seen = BTreeSet::from([(None, state.clone())]);
        let mut open = vec![(None, state.clone())];
        let mut matches = false;
        while let Some((at, state)) = open.pop() {
            matches |= match at {
                None => expression.nullable,
                Some(at) => expression.last.contains(&at),
            };
            if matches {
                return Ok(true);
            }
            for next in expression.next(at) {
                if let Some(after) = self.apply(&expression.actions[*next], &state)? {
                    let after = (Some(*next), after);
                    if seen.insert(after.clone()) {
                        open.push(after);
                    }
                }
            }
        }
        Ok(matches)
    }

    /// The moves of whoever has the turn.
    pub fn moves(&self, state: &State) -> Result<BTreeSet<(Word, State)>, Fault> {
        let mut moves = BTreeSet::new();
        let start = (Vec::new(), state.clone());
        let mut seen = BTreeSet::from([start.clone()]);
        let mut open = vec![start];
        while let Some((word, (at, state))) = open.pop() {
            for next in self.rules.next(at) {
                let act = &self.rules.actions[*next];
                let Some(after) = self.apply(act, &state)? else { continue };
                let mut word: Word = word.clone();
                if matches!(act, Act::Off(_) | Act::Assign(..) | Act::Switch(_)) {
                    word.push((*next, state.square));
                }
                let after = (word, (Some(*next), after));
                if matches!(act, Act::Switch(_)) {
                    moves.insert(after);
                } else if seen.insert(after.clone()) {
                    open.push(after);
                }
            }
        }
        Ok(moves)
    }

    /// The state once the keeper has nothing to do, which is one however the keeper acts.
    pub fn keep(&self, state: State) -> Result<State, Fault> {
        let mut seen = BTreeSet::from([state.clone()]);
        let mut open = vec![state];
        let mut complete = BTreeSet::new();
        while let Some(state) = open.pop() {
            let moves = match state.1.player {
                None => self.moves(&state)?,
                Some(_) => BTreeSet::new(),
            };
            if moves.is_empty() {
                complete.insert(state);
                continue;
            }
            for (_, after) in moves {
                if seen.insert(after.clone()) {
                    open.push(after);
                }
            }
        }
        if complete.len() > 1 {
            // Plays that end may end on different squares.
            let values: BTreeSet<_> = complete.iter().map(|state| &state.1.values).collect();
            let ends = complete.iter().all(|state| state.1.player.is_none());
            if !ends || values.len() > 1 {
                return Err(Fault::Improper);
            }
        }
        complete.pop_first().ok_or(Fault::Improper)
    }

    pub fn initial(&self) -> Result<State, Fault> {
        self.seen.set(0);
        self.keep(self.begin())
    }

    /// By length: how many sequences of moves there are, and of how many the play is over. The
    /// values of players at the ends of plays are added up.
    pub fn perft(&self, depth: usize) -> Result<Counts, Fault> {
        let mut counts = Counts::default();
        self.walk(&self.initial()?, depth, 0, &mut counts)?;
        counts.plays.resize(depth + 1, 0);
        counts.over.resize(depth + 1, 0);
        Ok(counts)
    }

    fn walk(
        &self,
        state: &State,
        depth: usize,
        length: usize,
        counts: &mut Counts,
    ) -> Result<(), Fault> {
        counts.plays.resize(counts.plays.len().max(length + 1), 0);
        counts.over.resize(counts.over.len().max(length + 1), 0);
        counts.plays[length] += 1;
        self.seen.set(0);
        let moves = match state.1.player {
            Some(_) => self.moves(state)?,
            None => BTreeSet::new(),
        };
        if moves.is_empty() {
            counts.over[length] += 1;
            counts.goals.push(state.1.values[..self.game.players().len()].to_vec());
            return Ok(());
        }
        if length == depth {
            return Ok(());
        }
        for (_, after) in moves {
            self.seen.set(0);
            self.walk(&self.keep(after)?, depth, length + 1, counts)?;
        }
        Ok(())
    }
}

/// The counts of a walk through all plays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub plays: Vec<u64>,
    pub over: Vec<u64>,
    /// The values of players where plays are over, in the order of the walk.
    pub goals: Vec<Vec<i64>>,
}
