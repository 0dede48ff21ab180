//! The syntax tree of a game. Its names are not looked up yet.

use gdlr_text::diagnostic::Span;
use std::hash::{Hash, Hasher};

/// A name, and its place in the text. Two names are equal wherever they stand.
#[derive(Clone, Debug)]
pub struct Word {
    /// The name.
    pub text: Box<str>,
    /// The place of the name.
    pub span: Span,
}

impl PartialEq for Word {
    fn eq(&self, other: &Word) -> bool {
        self.text == other.text
    }
}

impl Eq for Word {}

impl Hash for Word {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

/// A game, as it is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    /// `players = white, black;`
    pub players: Vec<Word>,
    /// `pieces = empty, wPawn(white);`
    pub pieces: Vec<PieceDeclaration>,
    /// `variable moved = 0;`
    pub variables: Vec<VariableDeclaration>,
    /// `macro`, `function` and `predicate`.
    pub definitions: Vec<Definition>,
    /// `effect Mark(x) { … }`
    pub effects: Vec<EffectDefinition>,
    /// `rule wPawn = …;`
    pub rules: Vec<PieceRule>,
    /// `post white wKing = …;`
    pub posts: Vec<Post>,
    /// `terminal` and `victory`.
    pub ends: Vec<End>,
    /// `each move { … }`
    pub each_move: Vec<Statement>,
    /// `effects replace;` is true, `effects add;` is false.
    pub replace: Option<bool>,
    /// `board_size = 8, 8;`
    pub size: Option<Size>,
    /// `board = …;`, row by row, the top row first.
    pub board: Vec<Word>,
}

/// Columns and rows of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// The number of columns.
    pub width: u32,
    /// The number of rows.
    pub height: u32,
    /// The place of the size in the text.
    pub span: Span,
}

/// A piece and its owners.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceDeclaration {
    /// The name of the piece.
    pub name: Word,
    /// The players that may move it.
    pub owners: Vec<Word>,
}

/// A variable, with its initial value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariableDeclaration {
    /// The name of the variable.
    pub name: Word,
    /// Its values.
    pub kind: VariableKind,
    /// `fading`: after a move that does not assign to it, it has its initial value again.
    pub fading: bool,
    /// Its initial value.
    pub initial: Expr,
}

/// The values of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VariableKind {
    /// Integers: all that the effects can make.
    Inferred,
    /// `0..50`
    Range(i64, i64),
    /// A square or `none`.
    Square,
}

/// A macro, function or predicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The name of the definition.
    pub name: Word,
    /// Whether it is a macro: a part of a sentence.
    pub is_macro: bool,
    /// The names of its parameters.
    pub parameters: Vec<Word>,
    /// The meaning of its calls.
    pub body: Body,
}

/// The body of a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// `= sentence`
    Sentence(Sentence),
    /// `{ return e; }`
    Value(Expr),
}

/// A regular expression over letters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sentence {
    /// One of several sentences.
    Alternatives(Vec<Sentence>),
    /// Sentences in a row.
    Sequence(Vec<Sentence>),
    /// A repetition.
    Repeat(Box<Sentence>, Repeat),
    /// A letter.
    Letter(Box<Letter>),
    /// A call of a macro.
    Call(Call),
}

/// The kind of a repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Repeat {
    /// `*`
    Star,
    /// `+`
    Plus,
    /// `?`
    Option,
}

/// A letter: a step, a predicate of the square after the step, and an effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// Columns to the right.
    pub dx: Expr,
    /// Rows up.
    pub dy: Expr,
    /// The predicate.
    pub test: Expr,
    /// The effect; `None` for `Default`.
    pub effect: Option<Call>,
    /// The place of the letter.
    pub span: Span,
}

/// A name with arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The name.
    pub name: Word,
    /// The arguments; `None` without brackets.
    pub arguments: Option<Vec<Expr>>,
    /// The place of the call.
    pub span: Span,
}

/// An expression, and its place in the text. Two expressions are equal wherever they stand.
#[derive(Clone, Debug)]
pub struct Expr {
    /// The expression.
    pub kind: ExprKind,
    /// The place of the expression.
    pub span: Span,
}

impl PartialEq for Expr {
    fn eq(&self, other: &Expr) -> bool {
        self.kind == other.kind
    }
}

impl Eq for Expr {}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// An integer.
    Number(i64),
    /// A name, or a call.
    Name(Call),
    /// `this.x`
    Member(Word, Word),
    /// `Board[x][y]`
    Board(Box<Expr>, Box<Expr>),
    /// `not e`
    Not(Box<Expr>),
    /// `-e`
    Minus(Box<Expr>),
    /// Two expressions with an operator.
    Binary(Box<Expr>, Operator, Box<Expr>),
    /// `any(e, sentence)`: there is a square where `e` holds and the sentence matches; negated `none`.
    Any(Box<Expr>, Option<Box<Sentence>>),
}

/// An operator of two expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// `or`, `||`
    Or,
    /// `and`, `&&`
    And,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`, rounded down.
    Divide,
    /// `%`, with the sign of the divisor.
    Remainder,
}

/// An effect, with its statements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EffectDefinition {
    /// The name of the effect.
    pub name: Word,
    /// The names of its parameters.
    pub parameters: Vec<Word>,
    /// The statements, in order.
    pub body: Vec<Statement>,
}

/// A statement of an effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// `move;`: the step of the letter.
    Move(Span),
    /// `put PIECE;`: puts a piece on the square after the step.
    Put(Expr),
    /// `Board[x][y] = e;`
    Board(Expr, Expr, Expr),
    /// `variable = e;`
    Assign(Word, Expr),
    /// `if e { … } else { … }`
    If(Expr, Vec<Statement>, Vec<Statement>),
}

/// The rule of a piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceRule {
    /// The piece.
    pub piece: Word,
    /// Its moves.
    pub sentence: Sentence,
}

/// A condition that must not match after a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Post {
    /// The player whose moves it follows.
    pub player: Word,
    /// The piece from whose square it is matched.
    pub piece: Word,
    /// The sentence that must not match.
    pub sentence: Sentence,
}

/// An end of plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// `victory PLAYER { return e; }`
    Victory(Word, Expr),
    /// `terminal NAME { return e; } scores white: 100, others: 0;`
    Terminal {
        /// The name of the end.
        name: Word,
        /// The condition under which the play is over.
        condition: Expr,
        /// The scores.
        scores: Vec<(Word, Expr)>,
    },
}
