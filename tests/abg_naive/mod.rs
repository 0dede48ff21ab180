//! Abstract Board Games straight from the definition (thesis, chapter 4, with the additions of
//! `docs/abg.md`): a piece is on the board at each letter, nothing is known before play, and words are
//! found one letter after the other.

mod expressions;

use expressions::{bind, number, speaks_of_moves};
use gdlr::abg::{End, Expr, LetterTree, Sentence, StatementTree, Tree, VariableKind};
use hashbrown::{HashMap, HashSet};
use std::collections::BTreeSet;
use std::rc::Rc;

/// A square by column and row, from 0; none off the board.
type SquareOrNone = Option<(i64, i64)>;

/// The value of an expression.
#[derive(Clone, Debug, PartialEq)]
enum Value {
    Truth(bool),
    Number(i64),
    Player(usize),
    Piece(usize),
    Standing(Option<usize>),
    Square(SquareOrNone),
    /// A sentence, asked from the square.
    Matches(bool),
}

/// The values of parameters.
type Bindings<'t> = Rc<Vec<(&'t str, Argument<'t>)>>;

/// An argument: an expression and the values of the parameters where it stands.
#[derive(Clone)]
struct Argument<'t>(&'t Expr, Bindings<'t>);

/// A position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    board: Vec<usize>,
    numbers: Vec<i64>,
    squares: Vec<SquareOrNone>,
    assigned: Vec<bool>,
    pub mover: usize,
    /// The scores of a play that is over.
    pub scores: Option<Vec<i64>>,
}

/// The tags of a move: its squares, and its effects with theirs.
pub type Move = Vec<String>;

/// A game.
pub struct Naive<'t> {
    tree: &'t Tree,
    pieces: Vec<(&'t str, Vec<usize>)>,
    free: usize,
    width: i64,
    height: i64,
}

/// The question that an expression is part of.
#[derive(Clone)]
struct Context<'s> {
    state: &'s State,
    here: SquareOrNone,
    taken: bool,
    can_move: bool,
}

/// A letter with its parameters.
type Step<'t> = (&'t LetterTree, Bindings<'t>);

/// A nondeterministic automaton: by node, letters and empty ways.
#[derive(Default)]
struct Nodes<'t> {
    letters: Vec<Vec<(Step<'t>, usize)>>,
    empty: Vec<Vec<usize>>,
}

/// A word on its way.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Word {
    node: usize,
    at: (i64, i64),
    state: State,
    tags: Move,
    /// Where the piece has just taken something.
    pending: SquareOrNone,
}

impl<'t> Naive<'t> {
    pub fn new(tree: &'t Tree) -> Naive<'t> {
        let is_free = |name: &str| name == "empty" || name == "None";
        let player = |name: &str| tree.players.iter().position(|it| *it.text == *name).unwrap();
        let mut pieces = Vec::new();
        if !tree.pieces.iter().any(|piece| is_free(&piece.name.text)) {
            pieces.push(("empty", Vec::new()));
        }
        for piece in &tree.pieces {
            let owners = piece.owners.iter().map(|owner| player(&owner.text)).collect();
            pieces.push((&*piece.name.text, owners));
        }
        let free = pieces.iter().position(|(name, _)| is_free(name)).unwrap();
        let size = tree.size.unwrap();
        let (width, height) = (i64::from(size.width), i64::from(size.height));
        Naive { tree, pieces, free, width, height }
    }

    pub fn initial(&self) -> State {
        let mut board = vec![self.free; self.tree.board.len()];
        for (number, word) in self.tree.board.iter().enumerate() {
            let (x, y) = (number as i64 % self.width, number as i64 / self.width);
            board[self.index((x, self.height - 1 - y))] = self.piece(&word.text).unwrap();
        }
        let mut state = State {
            board,
            numbers: vec![0; self.tree.variables.len()],
            squares: vec![None; self.tree.variables.len()],
            assigned: Vec::new(),
            mover: 0,
            scores: None,
        };
        for variable in 0..self.tree.variables.len() {
            self.reset(&mut state, variable);
        }
        state.assigned = vec![false; self.tree.variables.len()];
        self.ask_stuck(&mut state);
        state
    }

    fn reset(&self, state: &mut State, variable: usize) {
        let declared = &self.tree.variables[variable];
        let context = Context { state: &state.clone(), here: None, taken: false, can_move: false };
        match self.value(&declared.initial, &Rc::default(), &context) {
            Value::Square(square) => state.squares[variable] = square,
            value => state.numbers[variable] = number(&value),
        }
    }

    fn index(&self, (x, y): (i64, i64)) -> usize {
        (y * self.width + x) as usize
    }

    fn on_board(&self, (x, y): (i64, i64)) -> SquareOrNone {
        ((0..self.width).contains(&x) && (0..self.height).contains(&y)).then_some((x, y))
    }

    fn piece(&self, name: &str) -> Option<usize> {
        let name = if matches!(name, "empty" | "None") { self.pieces[self.free].0 } else { name };
        self.pieces.iter().position(|(other, _)| *other == name)
    }

    fn name(&self, (x, y): (i64, i64)) -> String {
        format!("{}{}", char::from(b'a' + x as u8), y + 1)
    }

    fn squares(&self) -> impl Iterator<Item = (i64, i64)> {
        let (width, height) = (self.width, self.height);
        (0..height).flat_map(move |y| (0..width).map(move |x| (x, y)))
    }

    /// The moves of the player to move, each once, with the positions behind them.
    pub fn moves(&self, state: &State) -> Vec<(Move, State)> {
        let mut before = state.clone();
        before.assigned = vec![false; self.tree.variables.len()];
        self.run(&self.tree.each_move, &Rc::default(), &mut before, None, false);
        let mut moves: Vec<(Move, State)> = Vec::new();
        for at in self.squares() {
            let piece = before.board[self.index(at)];
            if !self.pieces[piece].1.contains(&before.mover) {
                continue;
            }
            let rule =
                self.tree.rules.iter().find(|rule| self.piece(&rule.piece.text) == Some(piece));
            let Some(rule) = rule else { continue };
            for (tags, after) in self.words(&rule.sentence, at, &before) {
                match moves.iter().find(|(other, _)| *other == tags) {
                    Some((_, other)) => {
                        assert_eq!(*other, after, "one move, two results: {tags:?}")
                    }
                    None => moves.push((tags, after)),
                }
            }
        }
        moves
    }

    fn words(&self, rule: &'t Sentence, at: (i64, i64), state: &State) -> Vec<(Move, State)> {
        let mut nodes = Nodes::default();
        let (start, end) = (nodes.node(), nodes.node());
        self.add(rule, &Rc::default(), start, end, &mut nodes);
        let tags = vec![self.name(at)];
        let first = Word { node: start, at, state: state.clone(), tags, pending: None };
        let mut seen: HashSet<Word> = [first.clone()].into_iter().collect();
        let mut open = vec![first];
        let mut words = Vec::new();
        while let Some(word) = open.pop() {
            if word.node == end {
                let mut tags = word.tags.clone();
                tags.push(self.name(word.at));
                words.extend(self.completed(&word.state).map(|state| (tags, state)));
            }
            let mut next: Vec<Word> =
                nodes.empty[word.node].iter().map(|&node| Word { node, ..word.clone() }).collect();
            for ((letter, bindings), to) in &nodes.letters[word.node] {
                next.extend(self.letter(letter, bindings, &word, *to));
            }
            for word in next {
                if seen.insert(word.clone()) {
                    open.push(word);
                }
            }
        }
        words
    }

    fn letter(
        &self,
        letter: &'t LetterTree,
        bindings: &Bindings<'t>,
        word: &Word,
        to: usize,
    ) -> Option<Word> {
        let context = |here| Context { state: &word.state, here, taken: false, can_move: false };
        let delta = |expr| number(&self.value(expr, bindings, &context(None)));
        let (dx, dy) = (delta(&letter.dx), delta(&letter.dy));
        let at = self.on_board((word.at.0 + dx, word.at.1 + dy))?;
        if !self.holds(&letter.test, bindings, &context(Some(at))) {
            return None;
        }
        let mut next = word.clone();
        (next.node, next.at) = (to, at);
        let name = letter.effect.as_ref().map_or("Default", |call| &*call.name.text);
        let effect = self.tree.effects.iter().find(|effect| *effect.name.text == *name);
        let body: &'t [StatementTree] = effect.map_or(&[], |effect| &effect.body);
        let adds = letter.effect.as_ref().is_some_and(|call| call.arguments.is_some());
        let begins = matches!(body, [StatementTree::Move(_), ..]);
        let adds = name != "Default" && !self.tree.replace.map_or(!adds, |replace| replace);
        let moves = effect.is_none() || begins || adds;
        let mut taken = false;
        if (dx, dy) != (0, 0) {
            if let (Some(pending), true) = (next.pending, moves) {
                next.tags.push(self.name(pending));
            }
            next.pending = None;
            if moves {
                let (from, to) = (self.index(word.at), self.index(at));
                taken = word.state.board[to] != self.free;
                next.pending = taken.then_some(at);
                next.state.board[to] = word.state.board[from];
                next.state.board[from] = self.free;
            }
        }
        if let Some(call) = letter.effect.as_ref().filter(|_| name != "Default") {
            next.tags.push(format!("{name}@{}", self.name(at)));
            let parameters = effect.map_or(&[][..], |effect| &effect.parameters);
            let bindings = bind(parameters, call, bindings);
            self.run(body, &bindings, &mut next.state, Some(at), taken);
        } else {
            self.run(body, &Rc::default(), &mut next.state, Some(at), taken);
        }
        Some(next)
    }

    fn run(
        &self,
        statements: &'t [StatementTree],
        bindings: &Bindings<'t>,
        state: &mut State,
        here: SquareOrNone,
        taken: bool,
    ) {
        for statement in statements {
            let before = state.clone();
            let context = Context { state: &before, here, taken, can_move: false };
            let value = |expr| self.value(expr, bindings, &context);
            match statement {
                StatementTree::Move(_) => {}
                StatementTree::Put(piece) => self.put(state, here, value(piece)),
                StatementTree::Board(x, y, piece) => {
                    let place = self.on_board((number(&value(x)), number(&value(y))));
                    self.put(state, place, value(piece));
                }
                StatementTree::Assign(name, expr) => {
                    let mut variables = self.tree.variables.iter();
                    let variable = variables.position(|it| it.name == *name).unwrap();
                    state.assigned[variable] = true;
                    match (value(expr), &self.tree.variables[variable].kind) {
                        (Value::Square(square), _) => state.squares[variable] = square,
                        (value, VariableKind::Range(least, most)) => {
                            state.numbers[variable] = number(&value).clamp(*least, *most);
                        }
                        (value, _) => state.numbers[variable] = number(&value),
                    }
                }
                StatementTree::If(condition, holds, otherwise) => {
                    let branch =
                        if self.holds(condition, bindings, &context) { holds } else { otherwise };
                    self.run(branch, bindings, state, here, taken);
                }
            }
        }
    }

    fn put(&self, state: &mut State, place: SquareOrNone, value: Value) {
        let piece = match value {
            Value::Piece(piece) => Some(piece),
            Value::Standing(piece) => piece,
            other => panic!("no piece: {other:?}"),
        };
        if let (Some(place), Some(piece)) = (place, piece) {
            state.board[self.index(place)] = piece;
        }
    }

    /// The position behind a complete word, if no postcondition forbids it.
    fn completed(&self, state: &State) -> Option<State> {
        let mut after = state.clone();
        for variable in 0..self.tree.variables.len() {
            if self.tree.variables[variable].fading && !after.assigned[variable] {
                self.reset(&mut after, variable);
            }
        }
        after.assigned = vec![false; self.tree.variables.len()];
        for post in &self.tree.posts {
            let piece = self.piece(&post.piece.text).unwrap();
            if self.tree.players[after.mover].text != post.player.text {
                continue;
            }
            for here in self.squares().filter(|&here| after.board[self.index(here)] == piece) {
                let here = Some(here);
                let context = Context { state: &after, here, taken: false, can_move: false };
                if self.matches(&post.sentence, &Rc::default(), &context) {
                    return None;
                }
            }
        }
        Some(after)
    }

    /// The position behind a move: ends are asked, and the turn goes on.
    pub fn play(&self, after: &State) -> State {
        let mut state = after.clone();
        self.ask_ends(&mut state, false);
        if state.scores.is_none() {
            state.mover = (state.mover + 1) % self.tree.players.len();
            self.ask_stuck(&mut state);
        }
        state
    }

    fn ask_stuck(&self, state: &mut State) {
        if self.moves(state).is_empty() {
            self.ask_ends(state, true);
            let draw = vec![50; self.tree.players.len()];
            state.scores.get_or_insert(draw);
        }
    }

    /// Asks the ends that speak of moves, or those that do not.
    fn ask_ends(&self, state: &mut State, stuck: bool) {
        let before = state.clone();
        let context = Context { state: &before, here: None, taken: false, can_move: false };
        let holds = |expr: &'t Expr| {
            speaks_of_moves(expr) == stuck && self.holds(expr, &Rc::default(), &context)
        };
        let players = self.tree.players.len();
        let mut winners = BTreeSet::new();
        for end in &self.tree.ends {
            if let End::Victory(player, condition) = end
                && holds(condition)
            {
                winners.insert(self.tree.players.iter().position(|it| it == player).unwrap());
            }
        }
        if !winners.is_empty() {
            let score = |player| match (winners.contains(&player), winners.len()) {
                (true, 1) => 100,
                (_, 1) => 0,
                _ => 50,
            };
            state.scores = Some((0..players).map(score).collect());
            return;
        }
        for end in &self.tree.ends {
            let End::Terminal { condition, scores, .. } = end else { continue };
            if !holds(condition) {
                continue;
            }
            let mut given = vec![None; players];
            for (word, value) in scores {
                let score = number(&self.value(value, &Rc::default(), &context));
                match &*word.text {
                    "mover" => given[before.mover] = Some(score),
                    "others" => given.iter_mut().for_each(|it| *it = it.or(Some(score))),
                    name => {
                        let player = self.tree.players.iter().position(|it| *it.text == *name);
                        given[player.unwrap()] = Some(score);
                    }
                }
            }
            state.scores = Some(given.into_iter().map(|score| score.unwrap_or(0)).collect());
            return;
        }
    }
}

/// How many plays there are of each length, and how many of them are over there.
pub fn perft(naive: &Naive<'_>, depth: usize) -> (Vec<u64>, Vec<u64>) {
    let mut level = vec![(naive.initial(), 1u64)];
    let (mut counts, mut over) = (Vec::new(), Vec::new());
    for at in 0..=depth {
        counts.push(level.iter().map(|(_, times)| times).sum());
        let done = level.iter().filter(|(state, _)| state.scores.is_some());
        over.push(done.map(|(_, times)| times).sum());
        let mut next: HashMap<State, u64> = HashMap::new();
        for (state, times) in level.iter().filter(|(state, _)| at < depth && state.scores.is_none())
        {
            for (_, after) in naive.moves(state) {
                *next.entry(naive.play(&after)).or_default() += times;
            }
        }
        level = next.into_iter().collect();
    }
    (counts, over)
}
