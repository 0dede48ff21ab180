//! Prolog-like notation: `legal(P,mark(X,Y)) :- true(cell(X,Y,b)), \+ terminal.`
//!
//! Its rules are those of infix notation with other signs, and a period ends each:
//!
//! | Prolog-like | infix |
//! |---|---|
//! | `a, b` | `a & b` |
//! | `a ; b` | `a \| b` |
//! | `\+ a`, `not a` | `~a` |
//! | `X \= Y`, `X \== Y`, `X =\= Y`, `X != Y`, `\+ X = Y` | `distinct(X,Y)` |
//! | `'thrust!'` | `"thrust!"` |
//! | `/* ... */` | `% ...` |
//!
//! A text is read in infix notation first. Its signs and periods tell whether it is in this one; then
//! it is read again.

use super::chain::{atom, list};
use super::reader::Reader;
use super::scanner::Token;
use super::stack::Frame;
use super::token::{Quotes, Signs, TokenKind};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::dialect::{Dialect, Sign};
use crate::kif::{Expr, ExprKind};

/// What a text has of infix notation and of periods.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Census {
    /// How many `&` and `|`.
    pub infix: usize,
    /// How many facts and rules end with a period.
    pub periods: usize,
    /// How many end without.
    pub without_period: usize,
}

impl Reader<'_> {
    /// Whether the text that was read in infix notation is in Prolog-like notation: it has more
    /// signs of Prolog than of infix notation, and most facts and rules end with a period.
    pub(super) fn is_prolog(&self) -> bool {
        let found = self.found.iter().chain(&self.scanner.found);
        let prolog = found.filter(|found| found.sign.dialect() == Dialect::Prolog);
        prolog.count() > self.census.infix && self.census.periods > self.census.without_period
    }

    /// The token of infix notation that means the same.
    pub(super) fn in_infix(&self, token: Token) -> Token {
        let kind = match token.kind {
            TokenKind::Comma if self.wants_conditions() => TokenKind::And,
            TokenKind::Foreign(Sign::Semicolon) => TokenKind::Or,
            TokenKind::Foreign(Sign::NotProvable) => TokenKind::Not,
            kind => kind,
        };
        Token { kind, ..token }
    }

    /// Whether conditions stand here, rather than terms.
    fn wants_conditions(&self) -> bool {
        match self.open.last() {
            Some(Frame::Arguments { .. } | Frame::Differs { .. }) => false,
            Some(Frame::Group { .. } | Frame::Not { .. }) => true,
            None => self.rule.implied.is_some(),
        }
    }

    /// Whether a name is the `not` before a condition.
    pub(super) fn negates(&self, quotes: Quotes, span: Span) -> bool {
        self.signs() == Signs::Prolog
            && quotes == Quotes::None
            && self.text(span) == "not"
            && self.wants_conditions()
            && self.scanner.begins_condition()
    }

    /// Takes a sign between two terms that says that they differ; says whether it is one.
    pub(super) fn compares(&mut self, sign: Sign, span: Span) -> bool {
        let is_alone = self.is_negated_alone(span);
        let chain = match self.open.last_mut() {
            Some(Frame::Group { chain, .. }) => chain,
            None if self.rule.implied.is_some() => &mut self.rule.body,
            _ => return false,
        };
        let (mut left, mut negations) = (chain.pop(), Vec::new());
        while let Some(sign) = left.as_ref().and_then(negation) {
            negations.push(sign);
            left = left.and_then(last);
        }
        let Some(left) = left.filter(is_term) else { return false };
        let differ = match sign {
            Sign::NotUnifiable | Sign::NotEqual => true,
            // The negation that stands before the bracket is a part of the comparison.
            Sign::Equal if negations.is_empty() && is_alone => {
                self.open.remove(self.open.len() - 2);
                true
            }
            Sign::Equal => negations.pop().is_some(),
            _ => false,
        };
        if differ {
            negations.into_iter().for_each(|sign| self.enter(Frame::Not { sign }));
            self.enter_comparison(left, span);
        }
        differ
    }

    /// Whether nothing but two terms and this sign stands between the brackets behind a negation.
    fn is_negated_alone(&self, sign: Span) -> bool {
        let [.., Frame::Not { .. }, Frame::Group { chain, .. }] = &self.open[..] else {
            return false;
        };
        chain.len() == 1 && self.scanner.ends_bracket(sign.end as usize)
    }

    /// Takes a token behind a complete fact or condition that goes on with neither: a period is
    /// missing, or a sign between conditions.
    pub(super) fn no_period(&mut self, token: &Token) {
        let ends = self.begins_line(token) || self.rule.implied.is_none();
        let wants = if ends { "a period" } else { "`,`, `;` or a period" };
        let message = format!("{wants} should stand before `{}`", self.text(token.span));
        let error = Diagnostic::new(Code::InfixSyntax, token.span, message);
        self.error(
            error.with_help("in Prolog-like notation a period ends each fact and each rule"),
        );
        if ends {
            self.end_rule();
            self.token(*token);
        } else {
            self.give_up();
        }
    }

    /// Reports a rule at the end of the text that does not end with a period.
    pub(super) fn ends_without_period(&mut self) {
        let last = self.rule.body.last().or(self.rule.head.as_ref());
        let Some(span) = last.map(|last| last.span) else { return };
        let message = "a period should stand behind this";
        let error = Diagnostic::new(Code::InfixSyntax, span, message);
        self.error(
            error.with_help("in Prolog-like notation a period ends each fact and each rule"),
        );
    }

    /// Reports a sign of infix notation, if this is one.
    pub(super) fn infix_sign(&mut self, sign: Span) {
        let written = self.text(sign);
        let instead = match written {
            "&" => Signs::Prolog.and(),
            "|" => Signs::Prolog.or(),
            _ => return,
        };
        let message = format!("`{written}` in a rulesheet in Prolog-like notation");
        let error = Diagnostic::new(Code::MixedNotations, sign, message);
        self.error(error.with_help(format!("`{instead}` joins the conditions elsewhere")));
    }
}

/// Where the negation of a condition stands, if nothing closes a bracket behind it.
fn negation(condition: &Expr) -> Option<Span> {
    match condition.list()? {
        [not, inner] if not.atom() == Some("not") && inner.span.end == condition.span.end => {
            Some(not.span)
        }
        _ => None,
    }
}

/// The last item of a list.
fn last(expr: Expr) -> Option<Expr> {
    match expr.kind {
        ExprKind::List(mut items) => items.pop(),
        ExprKind::Atom(_) => None,
    }
}

/// Whether an expression is a name, a variable or a name with arguments: no conditions with a sign
/// between them.
fn is_term(expr: &Expr) -> bool {
    let operator = expr.list().and_then(<[Expr]>::first);
    operator.is_none_or(|operator| operator.span.start < operator.span.end)
}

/// Two terms that differ.
pub(super) fn distinct(left: Expr, right: Expr) -> Expr {
    let span = Span { start: left.span.start, end: right.span.end };
    let name = atom("distinct", Span { start: span.start, end: span.start });
    list(name, vec![left, right], span)
}

#[cfg(test)]
mod tests {
    use crate::diagnostic::Code;
    use crate::infix::{format, read, read_with};
    use crate::kif::Limits;

    fn kif(text: &str) -> Vec<String> {
        let document = read(text).unwrap_or_else(|errors| panic!("{}: {text}", errors[0]));
        document.items.iter().map(ToString::to_string).collect()
    }

    fn errors(text: &str) -> Vec<(Code, &str)> {
        let errors = read(text).expect_err(text);
        errors.iter().map(|error| (error.code, &text[error.span.range()])).collect()
    }

    #[test]
    fn conditions() {
        for (prolog, body) in [
            ("a, b", "a b"),
            ("a,(b,c),d(X)", "a b c (d ?x)"),
            ("a ; b;c", "(or a b c)"),
            ("a, (b ; \\+ c)", "a (or b (not c))"),
            ("\\+a", "(not a)"),
            ("\\+ (a ; b)", "(not (or a b))"),
            ("not a", "(not a)"),
            ("not a(X),not(b),not (c;d)", "(not (a ?x)) (not b) (not (or c d))"),
            ("not \\+ ~a", "(not (not (not a)))"),
            ("not, a", "not a"),
            ("X \\= Y", "(distinct ?x ?y)"),
            ("f(X)\\==g(Y,1), a", "(distinct (f ?x) (g ?y 1)) a"),
            ("X =\\= 1, Y != b", "(distinct ?x 1) (distinct ?y b)"),
            ("\\+ X = Y, a", "(distinct ?x ?y) a"),
            ("a, \\+ (X = f(Y))", "a (distinct ?x (f ?y))"),
            ("not(X == Y), not (1=X)", "(distinct ?x ?y) (distinct 1 ?x)"),
            ("\\+ \\+ X = Y", "(not (distinct ?x ?y))"),
            (
                "\\+ X \\= Y, \\+ (X \\= Y ; a)",
                "(not (distinct ?x ?y)) (not (or (distinct ?x ?y) a))",
            ),
            ("(X \\= Y ; Z \\= 'W'), or(a,b)", "(or (distinct ?x ?y) (distinct ?z W)) (or a b)"),
            ("a('b!',\"C\",_,_x), \\+ 'a'", "(a b! C ?_1 ?_x) (not a)"),
            ("distinct(X,Y),\nb(not(a))", "(distinct ?x ?y) (b (not a))"),
        ] {
            let text = format!("a :- b, c.\nh :- {prolog}.\n");
            assert_eq!(kif(&text)[1], format!("(<= h {body})"));
        }
    }

    #[test]
    fn facts_and_rules() {
        assert_eq!(
            kif("a. p(X,f(_)) :- q(X),\n/* not\n r */ s(_).not(b). t :- u."),
            ["a", "(<= (p ?x (f ?_1)) (q ?x) (s ?_2))", "(not b)", "(<= t u)"]
        );
    }

    #[test]
    fn most_signs_and_periods_tell() {
        assert!(read("a :- b, c. d.").is_ok());
        assert!(read("a :- not b. d :- ~c.").is_ok());
        assert!(read("a('B').").is_ok());
        assert_eq!(errors("a :- b, c.\nd\ne."), [(Code::InfixSyntax, "e")]);
        assert_eq!(errors("a :- b, c, d & e. f."), [(Code::MixedNotations, "&")]);
        assert_eq!(errors("a :- b, c & d & e. f."), [(Code::Prolog, ",")]);
        assert_eq!(errors("a :- b, c\nf"), [(Code::Prolog, ",")]);
        assert_eq!(errors("a :- b, c\nf."), [(Code::Prolog, ",")]);
        assert_eq!(errors("a.\nb.\nc :- d, e"), [(Code::InfixSyntax, "e")]);
    }

    #[test]
    fn what_is_wrong_has_its_place() {
        use Code::*;
        for (rule, found) in [
            ("h :- b c.", (InfixSyntax, "c")),
            ("h :- b(a) (c).", (InfixSyntax, "(")),
            ("h :- b \\+ c.", (InfixSyntax, "\\+")),
            ("h :- b, c.\n i :- d :- e.", (InfixSyntax, ":-")),
            ("h, i :- d.", (InfixSyntax, ",")),
            ("h :- b,.", (InfixSyntax, ",")),
            ("h :- \\+ .", (InfixSyntax, "\\+")),
            ("h :- X \\= .", (InfixSyntax, "\\=")),
            ("h :- X \\= \\+ Y.", (InfixSyntax, "\\+")),
            ("h :- (b, c.", (UnclosedBracket, "(")),
            ("h :- a, b ; c.", (InfixConjunction, ";")),
            ("h :- a ; b, c.", (InfixConjunction, ",")),
            ("h :- \\+ (b, c).", (InfixConjunction, "(b, c)")),
            ("h :- b('x y').", (InfixName, "'x y'")),
            ("h :- b('?x').", (InfixName, "'?x'")),
            ("h :- b('x).", (InfixName, "'")),
            ("h :- b('').", (InfixName, "''")),
            ("h :- c. /* b", (InfixSyntax, "/*")),
            (":- dynamic true/1.", (Prolog, ":-")),
            ("h :- b, !.", (Prolog, "!")),
            ("h :- b -> c ; d.", (Prolog, "->")),
            ("h([1]) :- b.", (Prolog, "[1]")),
            ("h(1..3).", (Prolog, "..")),
            ("h :- b(X), X = 1.", (ForeignOperator, "=")),
            ("h :- b(X), Y is X + 1.", (ForeignOperator, "is")),
            ("h :- b(X), X < 3.", (ForeignOperator, "<")),
            ("h :- (a ; b) \\= c.", (Prolog, "\\=")),
            ("(h a)", (MixedNotations, "(")),
        ] {
            let text = format!("a :- b, c.\n{rule}\nd. e. f. g.\n");
            assert_eq!(errors(&text)[0], found, "{rule}");
        }
    }

    #[test]
    fn it_is_laid_out_in_infix_notation() {
        let text = "/* A game.\n * Of one. */\np(X) :- % why\n  q(X), /* of q */ \\+ r,\n  (X \\= 'B' ; s).\n/**/q(1).";
        let laid_out = format(text, &read(text).unwrap()).unwrap();
        assert_eq!(
            laid_out,
            "% A game.\n% * Of one.\np(X) :- % why\n    q(X) & % of q\n    ~r &\n    (distinct(X,\"B\") | s)\nq(1)\n"
        );
        assert_eq!(format(&laid_out, &read(&laid_out).unwrap()).unwrap(), laid_out);
    }

    #[test]
    fn depth_is_limited_as_in_kif() {
        let limits = Limits { max_depth: 4, ..Limits::default() };
        for (condition, deep) in [
            ("f(f(a)) \\= b", false),
            ("f(f(f(a))) \\= b", true),
            ("a \\= f(f(f(b)))", true),
            ("\\+ f(a) \\= b", false),
            ("\\+ f(f(a)) \\= b", true),
        ] {
            let read = read_with(&format!("h :- a, b.\nh :- {condition}."), &limits);
            let errors = read.err().into_iter().flatten().map(|error| error.code);
            assert_eq!(errors.eq([Code::TooDeep]), deep, "{condition}");
        }
    }
}
