//! Signs that a rulesheet is not written in GDL.

use crate::diagnostic::{Code, Span};

/// How a rulesheet is written, as far as that matters for what to write instead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Writing {
    #[default]
    Kif,
    Infix,
    /// Infix notation with the signs of Prolog.
    Prolog,
}

/// The language that a rulesheet seems to be in. A later variant explains more of the signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Dialect {
    /// Arguments with blanks between them.
    Blanks,
    /// Conditions with nothing between them.
    Unjoined,
    /// Operators and arithmetic.
    Operators,
    /// Comments of other languages.
    Comments,
    /// One list around everything.
    OuterList,
    /// A fence of Markdown.
    Fence,
    /// Prolog, or a language for answer sets.
    Prolog,
    /// The dialect of gamemaster.stanford.edu.
    Gamemaster,
}

/// A sign of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    /// `,` between conditions
    Comma,
    /// `;` between conditions
    Semicolon,
    /// `\+`
    NotProvable,
    /// `not p`
    BareNot,
    /// `\=`
    NotUnifiable,
    /// `->` between conditions
    IfThen,
    /// `!` by itself
    Cut,
    /// `[a,b]`
    List,
    /// `{a;b}`
    Choice,
    /// `1..8`
    Range,
    /// `'a'`
    SingleQuotes,
    /// `:- a.`, `#show a.`
    Directive,
    /// `==>`
    Effects,
    /// `::`
    Operation,
    /// `# ...`
    Hash,
    /// `// ...`
    Slashes,
    /// `/* ... */`
    Stars,
    /// `#| ... |#`
    Bars,
    /// `-- ...`
    Dashes,
    /// `% ...` in KIF
    Percent,
    /// Three backquotes
    Fence,
    /// `((role a) (role b) ...)`
    OuterList,
    /// `and`, `&&`
    And,
    /// `or`, `||` between conditions
    Or,
    /// `!p`
    Negation,
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`, `>=`
    Order,
    /// `is`, `+`
    Arithmetic,
    /// `forall`, `exists`
    Quantifier,
    /// `=>`, `<-`, `if`
    Arrow,
    /// A condition without `&` before it
    Unjoined,
    /// An argument without `,` before it
    Blank,
}

/// A sign and its place.
#[derive(Clone, Debug)]
pub(crate) struct SignInText {
    pub sign: Sign,
    pub span: Span,
    /// The advice for this place, if more can be said than of the sign.
    pub instead: Option<String>,
}

impl SignInText {
    pub(crate) fn new(sign: Sign, span: Span) -> SignInText {
        SignInText { sign, span, instead: None }
    }
}

impl Dialect {
    pub(crate) fn code(self) -> Code {
        match self {
            Dialect::Blanks => Code::InfixSyntax,
            Dialect::Unjoined => Code::Unjoined,
            Dialect::Operators => Code::ForeignOperator,
            Dialect::Comments => Code::ForeignComment,
            Dialect::OuterList => Code::OuterList,
            Dialect::Fence => Code::MarkdownFence,
            Dialect::Prolog => Code::Prolog,
            Dialect::Gamemaster => Code::Gamemaster,
        }
    }
}

impl Sign {
    /// The dialect that it speaks for.
    pub(crate) fn dialect(self) -> Dialect {
        use Sign::*;
        match self {
            Comma | Semicolon | NotProvable | BareNot | NotUnifiable | IfThen | Cut | List
            | Choice | Range | SingleQuotes | Directive => Dialect::Prolog,
            Effects | Operation => Dialect::Gamemaster,
            Hash | Slashes | Stars | Bars | Dashes | Percent => Dialect::Comments,
            Fence => Dialect::Fence,
            OuterList => Dialect::OuterList,
            And | Or | Negation | Equal | NotEqual | Order | Arithmetic | Quantifier | Arrow => {
                Dialect::Operators
            }
            Unjoined => Dialect::Unjoined,
            Blank => Dialect::Blanks,
        }
    }

    /// The construct that GDL has in its place.
    pub(crate) fn instead(self, writing: Writing) -> &'static str {
        use Sign::*;
        let (kif, infix) = match self {
            Comma => ("", "conditions are joined by `&`"),
            Semicolon => ("", "\"or\" is `|`; `;` begins a comment"),
            NotProvable => ("", "\"not\" is `~`"),
            BareNot => ("", "\"not\" is `~p` or `not(p)`"),
            NotUnifiable => ("", "`distinct(X,Y)` says that two terms differ"),
            IfThen => ("", "write a rule for each case"),
            Cut => ("", "leave it out: the order of rules means nothing"),
            List => ("", "there are no lists: write a fact for each element"),
            Choice => ("", "there are no choices: `legal(role,move)` says what can be chosen"),
            Range => ("", "write a fact for each number"),
            SingleQuotes => ("", "quotes are double, and most names need none"),
            Directive => ("", "leave it out: there are facts and rules only"),
            Effects => ("", "write `next(fact) :- does(role,move) & condition` for each effect"),
            Operation => ("", "`does(role,move)` is a condition of a rule"),
            Hash | Slashes | Stars | Bars | Dashes | Percent => {
                ("a comment begins with `;`", "a comment begins with `%` or `;`")
            }
            Fence => ("leave this line out", "leave this line out"),
            OuterList => ("leave this bracket and its partner out", ""),
            And => ("leave it out: conditions stand side by side", "conditions are joined by `&`"),
            Or => ("\"or\" is `(or a b)`", "\"or\" is `|`"),
            Negation => ("\"not\" is `(not p)`", "\"not\" is `~`"),
            Equal => (
                "write one variable, or the constant, in both places",
                "write one variable, or the constant, in both places",
            ),
            NotEqual => (
                "`(distinct ?x ?y)` says that two terms differ",
                "`distinct(X,Y)` says that two terms differ",
            ),
            Order => (
                "write the order of the numbers as facts, `(less 1 2)`",
                "write the order of the numbers as facts, `less(1,2)`",
            ),
            Arithmetic => (
                "write the numbers that follow each other as facts, `(succ 1 2)`",
                "write the numbers that follow each other as facts, `succ(1,2)`",
            ),
            Quantifier => (
                "variables of conditions stand for any value; \"for all\" is a `not` over a relation of its own",
                "variables of conditions stand for any value; \"for all\" is a `~` before a relation of its own",
            ),
            Arrow => {
                ("a rule is `(<= head condition ...)`", "a rule is `head :- condition & condition`")
            }
            Unjoined => ("", "`&` is missing before this condition"),
            Blank => ("", "a comma or a closing bracket is missing before this"),
        };
        match (writing, self) {
            (Writing::Prolog, And) => "conditions are joined by `,`",
            (Writing::Prolog, Or) => "\"or\" is `;`",
            (Writing::Prolog, Negation) => "\"not\" is `\\+`",
            (Writing::Prolog, Arrow) => "a rule is `head :- condition, condition.`",
            (Writing::Kif, _) if !kif.is_empty() => kif,
            _ => infix,
        }
    }
}
