//! Diagnostics: messages about a rulesheet, with their places in the text.
//!
//! Every message that `gdlr` gives about a rulesheet is a [`Diagnostic`]: a stable
//! [`Code`], the span it is about, further labelled spans, and a line of help. The
//! table of codes in this file is the whole list; the reader (`K…`), the rules (`G…`)
//! and the checks (`E…`, `W…`) all draw from it, and so does the language Regular Games
//! (`R0…` its reader, `R1…` errors, `R2…` warnings), its high-level language (`H…`, likewise),
//! the language Regular Boardgames (`B…`, likewise),
//! and whatever reads positions (`P…`).
//!
//! An [`Explanation`] of each code has its meaning, an input that shows it, and how to mend it.
//!
//! A [`Span`] is of bytes; [`Span::locate`] and [`LineIndex`] give the line and column. What
//! a message says is [`legible()`], whatever names the rulesheet has.

mod explanation;
#[cfg(feature = "serde")]
mod json;
mod legible;
mod place;

pub use explanation::{Example, Explanation};
#[doc(hidden)]
pub use explanation::{examples, explained};
pub use legible::counted;
pub use legible::{legible, sign_of, visible};
pub use place::{LineIndex, Location, Span};

use std::borrow::Cow;
use std::fmt;

/// How much a diagnostic weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Legal, but probably not what was meant, or a trap for other programs.
    Warning,
    /// A restriction of the GDL specification is broken.
    Error,
}

/// One message about a rulesheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Which message this is.
    pub code: Code,
    /// One sentence, lower case, without a full stop.
    pub message: String,
    /// The text that the message is about.
    pub span: Span,
    /// The label below the underlined span; may be empty.
    pub label: String,
    /// Further places with a word to each.
    pub related: Vec<(Span, String)>,
    /// The advice: what to do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A message with neither further places nor help.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            code,
            message: displayed(message),
            span,
            label: String::new(),
            related: Vec::new(),
            help: None,
        }
    }

    /// Says `label` below the underlined span.
    #[must_use]
    pub fn with_label(mut self, label: impl Into<String>) -> Self {
        self.label = displayed(label);
        self
    }

    /// Adds a further place.
    #[must_use]
    pub fn with_related(mut self, span: Span, label: impl Into<String>) -> Self {
        self.related.push((span, displayed(label)));
        self
    }

    /// Adds the line of help.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(displayed(help));
        self
    }

    /// The severity of the diagnostic's code.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }
}

/// The text of a diagnostic, as it may be shown.
fn displayed(text: impl Into<String>) -> String {
    let text = text.into();
    match legible(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(legible) => legible,
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}] {} (bytes {}..{})", self.code, self.message, self.span.start, self.span.end)
    }
}

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $name:ident = $text:literal, $severity:ident, $fatal:literal;)*) => {
        /// The stable code of a diagnostic.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code { $($(#[doc = $doc])+ $name,)* }

        impl Code {
            /// Every code there is, in order.
            pub const ALL: &'static [Code] = &[$(Code::$name,)*];

            /// The code as users see it, such as `E010`.
            pub fn as_str(self) -> &'static str {
                match self { $(Code::$name => $text,)* }
            }

            /// The code in one sentence without a full stop, in Markdown.
            pub fn summary(self) -> &'static str {
                let summary = match self { $(Code::$name => concat!($($doc),+),)* };
                summary.trim_start().trim_end_matches('.')
            }

            /// Error or warning.
            pub fn severity(self) -> Severity {
                match self { $(Code::$name => Severity::$severity,)* }
            }

            /// Whether a rulesheet with this defect has no meaning that could be played.
            pub fn forbids_play(self) -> bool {
                match self { $(Code::$name => $fatal,)* }
            }
        }
    };
}

codes! {
    /// An opening bracket that is never closed.
    UnclosedBracket = "K001", Error, true;
    /// A closing bracket that nothing opened.
    StrayBracket = "K002", Error, true;
    /// Brackets nested deeper than the limit.
    TooDeep = "K003", Error, true;
    /// A text larger than the limit.
    TooLarge = "K004", Error, true;
    /// The text is not UTF-8.
    NotUtf8 = "K005", Error, true;
    /// A character that looks like white space and is none.
    OddBlank = "K006", Error, true;
    /// KIF and infix notation in one rulesheet.
    MixedNotations = "K007", Error, true;
    /// Infix notation: something else should stand here.
    InfixSyntax = "K008", Error, true;
    /// Infix notation: a name that needs quotes, or quotes around a text that is no name.
    InfixName = "K009", Error, true;
    /// Infix notation: a conjunction below `|` or `~`, where GDL has none.
    InfixConjunction = "K010", Error, true;
    /// An expression of KIF that infix notation cannot write.
    NotInInfix = "K011", Error, true;
    /// Prolog, or a language for answer sets.
    Prolog = "K012", Error, true;
    /// Operations of gamemaster.stanford.edu, `::` and `==>`, in a rulesheet of GDL.
    Gamemaster = "K013", Error, true;
    /// A comment of another language: `#`, `//`, `/* */`, `#| |#`, and `%` in KIF.
    ForeignComment = "K014", Error, true;
    /// A fence of Markdown around a rulesheet.
    MarkdownFence = "K015", Error, true;
    /// One list around a whole rulesheet.
    OuterList = "K016", Error, true;
    /// Infix notation: a condition without `&` before it.
    Unjoined = "K017", Error, true;
    /// An operator that GDL does not have, and that no rule defines: `and`, `=`, `(+ ?x 1)`.
    ForeignOperator = "K018", Error, true;
    /// Operations: something else should stand here.
    OperationsSyntax = "K019", Error, true;
    /// Operations: an effect that is no fact of the state, or a rule for one that is.
    OperationsEffect = "K020", Error, true;
    /// Operations: a keyword that has another meaning in this notation, or none.
    OperationsKeyword = "K021", Error, true;
    /// Operations: a built-in relation that is not read, or with the wrong arguments.
    OperationsBuiltIn = "K022", Error, true;
    /// Operations: numbers that nothing bounds.
    OperationsUnbounded = "K023", Error, true;
    /// Operations: a game, a rule or a name that this notation cannot write.
    NotInOperations = "K024", Error, true;

    /// More different symbols than 16 bits can number.
    TooManySymbols = "G001", Error, true;
    /// A form that is neither a sentence nor a rule.
    NotASentence = "G002", Error, true;
    /// A rule without a head, or whose head is not a sentence.
    BadHead = "G003", Error, true;
    /// A condition that is not a literal.
    BadCondition = "G004", Error, true;
    /// Something in a term that is not a term.
    BadTerm = "G005", Error, true;
    /// A keyword with the wrong number of arguments.
    KeywordArity = "G006", Error, true;

    /// No role is declared.
    NoRole = "E001", Error, true;
    /// No rule for `terminal`.
    NoTerminal = "E002", Error, false;
    /// No rule for `goal`.
    NoGoal = "E003", Error, false;
    /// No rule for `legal`.
    NoLegal = "E004", Error, true;
    /// A keyword of GDL used as a function or constant.
    KeywordAsTerm = "E005", Error, false;
    /// `<=`, `or`, `not` or `distinct` used as a function or constant.
    ConnectiveAsConstant = "E006", Error, false;
    /// A variable outside a rule.
    VariableInFact = "E007", Error, true;
    /// `true` or `does` in the head of a rule (for `role`, see E016).
    ForbiddenHead = "E008", Error, false;
    /// `init`, `next` or `sees` in the body of a rule.
    ForbiddenBody = "E009", Error, false;
    /// `init` depends on `true`, `does`, `legal`, `goal` or `terminal`.
    InitDependsOnState = "E010", Error, false;
    /// `legal`, `goal` or `terminal` depends on `does`.
    StateDependsOnDoes = "E011", Error, false;
    /// A variable that no positive condition binds.
    UnsafeVariable = "E012", Error, true;
    /// A cycle through negation.
    NotStratified = "E013", Error, true;
    /// The recursion restriction is broken.
    RecursionRestriction = "E014", Error, false;
    /// `true` or `does` as a fact of its own.
    StandaloneState = "E015", Error, false;
    /// A role that is a variable or depends on something.
    RoleNotGround = "E016", Error, true;
    /// Terms that can grow without bound.
    Unbounded = "E017", Error, true;
    /// A variable of a head that only the uses of its relation bind.
    OpenVariable = "E018", Error, false;
    /// A relation that depends on its own negation, though no sentence does.
    LocallyStratified = "E019", Error, false;
    /// A variable that stands in a negative condition only: it is read as "for no value".
    LocalInNegation = "E020", Error, false;
    /// A goal value that is no integer from 0 to 100.
    GoalValue = "E021", Error, false;

    /// A relation or function with several arities.
    MixedArity = "W001", Warning, false;
    /// One name in two spellings that folding to lower case joins.
    MixedCase = "W002", Warning, false;
    /// One name as a relation and as a function.
    RelationAndFunction = "W003", Warning, false;
    /// A condition that nothing produces.
    Unproduced = "W004", Warning, false;
    /// A relation that nothing uses.
    Unused = "W005", Warning, false;
    /// A rule with an empty body.
    EmptyBody = "W006", Warning, false;
    /// Brackets around a sentence or function of no arguments.
    ZeroArityBrackets = "W007", Warning, false;
    /// `or` inside `or`, or an `or` of fewer than two.
    OddOr = "W008", Warning, false;
    /// A name with unusual characters.
    UnusualCharacter = "W009", Warning, false;
    /// `not` over something other than a sentence.
    NotOverConnective = "W010", Warning, false;
    /// A goal or a percept of the role of chance.
    ChanceRole = "W011", Warning, false;
    /// A `base` or `input` that is of no use as a hint.
    OddHint = "W012", Warning, false;
    /// A keyword used as a function or constant in a percept.
    KeywordInPercept = "W013", Warning, false;
    /// Something that is no role where a role should stand.
    NoSuchRole = "W014", Warning, false;
    /// A fluent that rules produce and no condition reads.
    UnreadFluent = "W015", Warning, false;
    /// Operations: an effect that takes away a fact which the same operation adds.
    TakenAndAdded = "W016", Warning, false;
    /// Operations: a fact without a `base`, or a move without an `action`, where others have one.
    Undeclared = "W017", Warning, false;
    /// Operations: a legal move that is no operation.
    MoveWithoutOperation = "W018", Warning, false;
    /// Operations: several roles in control at the same time.
    SeveralInControl = "W019", Warning, false;

    /// Simulation: a role without a legal move in a state that is not terminal.
    Unplayable = "S001", Error, false;
    /// Simulation: a playout that passed the bound.
    NoTermination = "S002", Error, false;
    /// Simulation: no goal value, several, or none in 0..=100.
    BadGoal = "S003", Error, false;
    /// Simulation: a role whose best goal value was never seen.
    NotSeenWinning = "S004", Warning, false;
    /// A state that takes more work or memory than there is.
    TooMuchWork = "S005", Error, true;
    /// Simulation: a role that cannot tell its legal moves from its percepts.
    UntoldMoves = "S006", Error, false;
    /// Simulation: a role that cannot tell from its percepts whether the game is over.
    UntoldEnd = "S007", Error, false;

    /// A term that is no fact, or a fact that is never true in the game.
    NotAFact = "P001", Error, true;
    /// Facts that are true together in no state of the game.
    NotAState = "P002", Error, true;
    /// A move that is not legal, or no move at all.
    NotAMove = "P003", Error, true;
    /// A test position with a mistake in its form, or of a game with hidden states.
    BadTestPosition = "P004", Error, true;
    /// A question that is no sentence, or has a name that the game does not have.
    NotAQuestion = "P005", Error, true;

    /// Regular Games: something else should stand here.
    RgSyntax = "R001", Error, true;
    /// Regular Games: a character that means nothing.
    RgCharacter = "R002", Error, true;
    /// Regular Games: brackets nested deeper than the limit.
    RgTooDeep = "R003", Error, true;
    /// Regular Games: a text larger than the limit.
    RgTooLarge = "R004", Error, true;
    /// Regular Games: the text is not UTF-8.
    RgNotUtf8 = "R005", Error, true;
    /// Regular Games: a keyword as a name.
    RgReserved = "R006", Error, true;
    /// Regular Games: a blank where none may be.
    RgBlank = "R007", Error, true;

    /// Regular Games: no type `Player` or `Score`.
    RgMissingType = "R101", Error, true;
    /// Regular Games: `Player` or `Score` is not written as a set.
    RgNotWrittenAsSet = "R102", Error, true;
    /// Regular Games: a built-in type or variable is defined as something else.
    RgBuiltIn = "R103", Error, true;
    /// Regular Games: two definitions of one kind with one name.
    RgDuplicate = "R104", Error, true;
    /// Regular Games: a map with two entries for a key, or with two defaults.
    RgDuplicateKey = "R105", Error, true;
    /// Regular Games: a map without a default.
    RgNoDefault = "R106", Error, true;
    /// Regular Games: a type that is not defined.
    RgUnknownType = "R107", Error, true;
    /// Regular Games: a type that is defined by itself.
    RgRecursiveType = "R108", Error, true;
    /// Regular Games: a set type without symbols.
    RgEmptySet = "R109", Error, true;
    /// Regular Games: a type of maps whose keys are maps.
    RgMapAsKey = "R110", Error, true;
    /// Regular Games: a type with more arrows than the limit.
    RgDeepType = "R111", Error, true;
    /// Regular Games: an assignment to something other than a variable.
    RgNotAVariable = "R112", Error, true;
    /// Regular Games: `player` set to any value of a type.
    RgAnyPlayer = "R113", Error, true;
    /// Regular Games: two types that have no value in common.
    RgMismatch = "R114", Error, true;
    /// Regular Games: an access to something other than a map.
    RgNotAMap = "R115", Error, true;
    /// Regular Games: a map where a symbol is needed.
    RgNotASet = "R116", Error, true;
    /// Regular Games: a value that is not of its type.
    RgValue = "R117", Error, true;
    /// Regular Games: a constant that is defined by itself.
    RgRecursiveConstant = "R118", Error, true;
    /// Regular Games: no way from `begin` to `end`.
    RgEndUnreachable = "R119", Error, true;
    /// Regular Games: an edge with a tag from a node to itself.
    RgTagLoop = "R120", Error, true;
    /// Regular Games: a reachability check that needs itself.
    RgRecursion = "R121", Error, true;

    /// Regular Games: a definition that nothing uses.
    RgUnused = "R201", Warning, false;
    /// Regular Games: a symbol that a set type lists twice.
    RgRepeatedSymbol = "R202", Warning, false;
    /// Regular Games: a set as the type of keys that has no name.
    RgUnnamedKeys = "R203", Warning, false;
    /// Regular Games: a symbol with the name of a constant or variable.
    RgHiddenSymbol = "R204", Warning, false;
    /// Regular Games: a type with a value that the other type does not have.
    RgLooseType = "R205", Warning, false;
    /// Regular Games: an edge whose first node begins like a keyword.
    RgKeywordPrefix = "R206", Warning, false;
    /// Regular Games: a reachability check with a node that no edge touches.
    RgUnknownNode = "R207", Warning, false;
    /// Regular Games: a reachability check whose target cannot be reached.
    RgUnreachableTarget = "R208", Warning, false;
    /// Regular Games: a reachability check that may need itself.
    RgMayRecur = "R209", Warning, false;
    /// Regular Games: an unknown pragma that begins like a known one.
    RgPragmaPrefix = "R210", Warning, false;
    /// Regular Games: a pragma about something that is not there.
    RgPragmaName = "R211", Warning, false;
    /// Regular Games: edges that no walk comes to.
    RgUnreachableEdge = "R212", Warning, false;
    /// Regular Games: a node without a way on.
    RgDeadEnd = "R213", Warning, false;
    /// Regular Games: an edge that leaves `end`.
    RgBehindEnd = "R214", Warning, false;
    /// Regular Games: `keeper` or `random` among the players.
    RgSystemPlayer = "R215", Warning, false;
    /// Regular Games: another player than `keeper` at the beginning.
    RgFirstPlayer = "R216", Warning, false;
    /// Regular Games: a pragma that is not true.
    RgFalsePragma = "R217", Warning, false;
    /// Regular Games: a constant that uses one which is defined behind it.
    RgForwardConstant = "R218", Warning, false;
    /// Regular Games: an edge that enters `end` without `player = keeper`.
    RgEnd = "R219", Warning, false;
    /// Regular Games: a built-in type or variable with another definition than it must have.
    RgBuiltInDiffers = "R220", Warning, false;

    /// Regular Games, in play: the game is not proper.
    RgImproper = "R301", Error, true;

    /// High-level Regular Games: something else should stand here.
    HrgSyntax = "H001", Error, true;
    /// High-level Regular Games: a character that means nothing.
    HrgCharacter = "H002", Error, true;
    /// High-level Regular Games: a text nested deeper than the limit.
    HrgTooDeep = "H003", Error, true;
    /// High-level Regular Games: a text larger than the limit.
    HrgTooLarge = "H004", Error, true;
    /// High-level Regular Games: the text is not UTF-8.
    HrgNotUtf8 = "H005", Error, true;
    /// High-level Regular Games: a name that Regular Games does not allow.
    HrgReserved = "H006", Error, true;

    /// High-level Regular Games: two definitions with one name.
    HrgDuplicate = "H101", Error, true;
    /// High-level Regular Games: a domain that is not defined.
    HrgUnknownType = "H102", Error, true;
    /// High-level Regular Games: a name that stands for nothing.
    HrgUnknownName = "H103", Error, true;
    /// High-level Regular Games: a graph that is not defined.
    HrgUnknownGraph = "H104", Error, true;
    /// High-level Regular Games: too many arguments, or too few.
    HrgArity = "H105", Error, true;
    /// High-level Regular Games: statements behind one that leaves.
    HrgBehindJump = "H106", Error, true;
    /// High-level Regular Games: `break()` or `continue()` outside a loop.
    HrgOutsideLoop = "H107", Error, true;
    /// High-level Regular Games: a graph that calls itself.
    HrgRecursion = "H108", Error, true;
    /// High-level Regular Games: no graph `rules`.
    HrgNoRules = "H109", Error, true;
    /// High-level Regular Games: a domain that is defined by itself.
    HrgRecursiveDomain = "H110", Error, true;
    /// High-level Regular Games: a variable of a pattern or element without values, or twice.
    HrgPatternVariable = "H111", Error, true;
    /// High-level Regular Games: no condition.
    HrgCondition = "H112", Error, true;
    /// High-level Regular Games: a type that cannot be the type of this.
    HrgType = "H113", Error, true;
    /// High-level Regular Games: a function without a case for some arguments.
    HrgNotCovered = "H114", Error, true;
    /// High-level Regular Games: a value that is not of its domain.
    HrgOutOfDomain = "H115", Error, true;
    /// High-level Regular Games: what must be known before play, and is not.
    HrgNotConstant = "H116", Error, true;
    /// High-level Regular Games: a calculation without a result.
    HrgArithmetic = "H117", Error, true;
    /// High-level Regular Games: a map with two values for a key.
    HrgMapKeys = "H118", Error, true;
    /// High-level Regular Games: an expansion that grows beyond its limit.
    HrgGrowth = "H119", Error, true;
    /// High-level Regular Games: an assignment to something other than a variable.
    HrgNotAVariable = "H120", Error, true;

    /// High-level Regular Games: a definition that nothing uses.
    HrgUnused = "H201", Warning, false;
    /// High-level Regular Games: a case that no arguments come to.
    HrgUnusedCase = "H202", Warning, false;
    /// High-level Regular Games: a constructor with which no domain makes a value.
    HrgUnknownConstructor = "H203", Warning, false;
    /// High-level Regular Games: a map with a key that its type does not have.
    HrgStrayKey = "H204", Warning, false;
    /// High-level Regular Games: a map without a value for a key.
    HrgMissingKey = "H205", Warning, false;

    /// Regular Boardgames: something else should stand here.
    RbgSyntax = "B001", Error, true;
    /// Regular Boardgames: a character that means nothing.
    RbgCharacter = "B002", Error, true;
    /// Regular Boardgames: brackets or macros nested deeper than the limit.
    RbgTooDeep = "B003", Error, true;
    /// Regular Boardgames: a text larger than the limit.
    RbgTooLarge = "B004", Error, true;
    /// Regular Boardgames: the text is not UTF-8.
    RbgNotUtf8 = "B005", Error, true;
    /// Regular Boardgames: a macro that is defined or used wrongly.
    RbgMacro = "B006", Error, true;
    /// Regular Boardgames: tokens that `~` cannot join.
    RbgPaste = "B007", Error, true;
    /// Regular Boardgames: macros, a board, powers or an automaton beyond the limit.
    RbgGrowth = "B008", Error, true;

    /// Regular Boardgames: a section that is missing.
    RbgSection = "B101", Error, true;
    /// Regular Boardgames: two things of one name that must differ.
    RbgDuplicate = "B102", Error, true;
    /// Regular Boardgames: a name that is not defined, or is of another kind.
    RbgUnknownName = "B103", Error, true;
    /// Regular Boardgames: a board without squares, or of a wrong shape.
    RbgBoard = "B104", Error, true;
    /// Regular Boardgames: a switch inside a pattern.
    RbgSwitchInPattern = "B105", Error, true;
    /// Regular Boardgames: a number beyond the limit.
    RbgNumber = "B106", Error, true;
    /// Regular Boardgames: a choice of the keeper that no automaton can make.
    RbgKeeper = "B107", Error, true;

    /// Regular Boardgames: a section or macro that is defined again.
    RbgRepeated = "B201", Warning, false;
    /// Regular Boardgames: a text that other programs read as something else, or refuse.
    RbgDiffers = "B202", Warning, false;
    /// Regular Boardgames: a macro that nothing uses.
    RbgUnused = "B203", Warning, false;

    /// Abstract Board Games: something else should stand here.
    AbgSyntax = "A001", Error, true;
    /// Abstract Board Games: a character that means nothing.
    AbgCharacter = "A002", Error, true;
    /// Abstract Board Games: brackets or definitions nested deeper than the limit.
    AbgTooDeep = "A003", Error, true;
    /// Abstract Board Games: a text larger than the limit.
    AbgTooLarge = "A004", Error, true;
    /// Abstract Board Games: the text is not UTF-8.
    AbgNotUtf8 = "A005", Error, true;
    /// Abstract Board Games: definitions, a board, a range or an automaton beyond the limit.
    AbgGrowth = "A006", Error, true;

    /// Abstract Board Games: a statement that is missing.
    AbgMissing = "A101", Error, true;
    /// Abstract Board Games: two things of one name, or a statement twice.
    AbgDuplicate = "A102", Error, true;
    /// Abstract Board Games: a name that stands for nothing.
    AbgUnknownName = "A103", Error, true;
    /// Abstract Board Games: a board that has no squares, or another number of pieces.
    AbgBoard = "A104", Error, true;
    /// Abstract Board Games: a rule of a piece that nobody owns.
    AbgOwner = "A105", Error, true;
    /// Abstract Board Games: a number beyond its bounds, or a variable without bounds.
    AbgNumber = "A106", Error, true;
    /// Abstract Board Games: an expression of the wrong kind.
    AbgKind = "A107", Error, true;
    /// Abstract Board Games: a question about a square where no square is asked.
    AbgNoSquare = "A108", Error, true;
    /// Abstract Board Games: too many arguments, or too few.
    AbgArity = "A109", Error, true;
    /// Abstract Board Games: a definition that calls itself.
    AbgRecursion = "A110", Error, true;

    /// Abstract Board Games: a piece on the board that has owners and no rule.
    AbgNoRule = "A201", Warning, false;
    /// Abstract Board Games: a letter whose step no square of the board has.
    AbgNoSuchSquare = "A202", Warning, false;
    /// Abstract Board Games: a repetition or effect that does nothing.
    AbgIdle = "A203", Warning, false;
    /// Abstract Board Games: a sentence that accepts the empty word.
    AbgEmptyWord = "A204", Warning, false;
    /// Abstract Board Games: a piece that can never move.
    AbgNeverMoves = "A205", Warning, false;
    /// Abstract Board Games: a definition that nothing uses.
    AbgUnused = "A206", Warning, false;
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
