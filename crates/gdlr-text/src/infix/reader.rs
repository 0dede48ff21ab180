//! From tokens to expressions: one pass, a stack of our own, several errors in one run.
//!
//! A rule ends with a period, or where something stands that cannot go on with it: a name
//! behind a condition that is complete. After an error the reader goes on at a period, or at a
//! line that is indented no further than the rule at fault.

use super::chain::{Condition, atom};
use super::prolog::Census;
use super::scanner::Scanner;
use super::stack::{Frame, Rule};
use super::token::{Infix, Signs, TokenKind};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::dialect::{SignInText, Writing, report};
use crate::kif::text::unclosed;
use crate::kif::{Document, Expr, Limits};
use crate::syntax::check_size;

/// Reads a rulesheet in infix notation within the default limits, as the expressions that it
/// is in KIF.
///
/// # Errors
///
/// All errors of [`kif::read`](crate::kif::read()); signs and names in the wrong place; names that
/// must be in quotes; conjunctions below `|` or `~`; and pieces of KIF.
///
/// ```
/// # mod gdlr { pub use gdlr_text::infix; }
/// let text = "legal(W,mark(X,Y)) :- true(cell(X,Y,b)) & ~terminal % a free cell";
/// let document = gdlr::infix::read(text).unwrap();
/// assert_eq!(
///     document.items[0].to_string(),
///     "(<= (legal ?w (mark ?x ?y)) (true (cell ?x ?y b)) (not terminal))",
/// );
/// ```
pub fn read(text: &str) -> Result<Document, Vec<Diagnostic>> {
    read_with(text, &Limits::default())
}

/// Reads a rulesheet in infix notation within `limits`.
///
/// # Errors
///
/// As [`read`].
pub fn read_with(text: &str, limits: &Limits) -> Result<Document, Vec<Diagnostic>> {
    check_size::<Infix>(text, limits)?;
    let infix = Reader::new(text, Signs::Infix, limits).read();
    if infix.is_prolog() {
        return Reader::new(text, Signs::Prolog, limits).read().finish();
    }
    infix.finish()
}

pub(super) struct Reader<'a> {
    pub(super) scanner: Scanner<'a>,
    pub(super) limits: &'a Limits,
    pub(super) items: Vec<Expr>,
    errors: Vec<Diagnostic>,
    pub(super) rule: Rule,
    pub(super) open: Vec<Frame>,
    /// Whether a term or condition must come next, rather than what can stand behind one.
    pub(super) wants_operand: bool,
    /// The last sign, which wants the operand.
    pub(super) sign: Span,
    /// Whether the rule at hand is given up.
    pub(super) skips: bool,
    /// Whether a list of KIF was reported.
    pub(super) has_lists: bool,
    /// The signs of other languages.
    pub(super) found: Vec<SignInText>,
    pub(super) census: Census,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, signs: Signs, limits: &'a Limits) -> Reader<'a> {
        Reader {
            scanner: Scanner::new(text, signs, limits.max_errors),
            limits,
            items: Vec::new(),
            errors: Vec::new(),
            rule: Rule::default(),
            open: Vec::new(),
            wants_operand: true,
            sign: Span::default(),
            skips: false,
            has_lists: false,
            found: Vec::new(),
            census: Census::default(),
        }
    }

    /// Reads the whole text.
    fn read(mut self) -> Reader<'a> {
        loop {
            let token = self.scanner.next(self.place());
            if token.kind == TokenKind::End {
                return self;
            }
            self.token(token);
        }
    }
}

impl Reader<'_> {
    pub(super) fn signs(&self) -> Signs {
        self.scanner.signs
    }

    /// The document, or what is wrong with the text.
    fn finish(mut self) -> Result<Document, Vec<Diagnostic>> {
        let brackets: Vec<Span> = self.open.iter().filter_map(Frame::bracket).collect();
        if !brackets.is_empty() {
            brackets.into_iter().for_each(|bracket| self.error(unclosed(bracket)));
        } else if self.wants_operand && self.is_in_rule() {
            let error = self.missing();
            self.error(error);
        } else {
            if self.signs() == Signs::Prolog {
                self.ends_without_period();
            }
            self.end_rule();
        }
        let comments = std::mem::take(&mut self.scanner.comments);
        let blanks = std::mem::take(&mut self.scanner.blanks);
        let mut errors = std::mem::take(&mut self.scanner.errors);
        errors.append(&mut self.errors);
        errors.sort_by_key(|error| error.span.start);
        errors.extend(blanks.diagnostics());
        self.found.append(&mut self.scanner.found);
        let writing = match self.signs() {
            Signs::Infix => Writing::Infix,
            Signs::Prolog => Writing::Prolog,
        };
        if let Some(foreign) = report(self.found, self.scanner.text(), writing) {
            if foreign.code == Code::Prolog || foreign.code == Code::Gamemaster {
                // Names are others there.
                errors.retain(|error| error.code != Code::InfixName);
            }
            errors.insert(0, foreign);
        }
        errors.truncate(self.limits.max_errors);
        if errors.is_empty() { Ok(Document { items: self.items, comments }) } else { Err(errors) }
    }

    pub(super) fn error(&mut self, diagnostic: Diagnostic) {
        if !self.rule.is_foreign && self.errors.len() < self.limits.max_errors {
            self.errors.push(diagnostic);
        }
    }

    /// Reports an error and gives the rule up.
    pub(super) fn fail(&mut self, diagnostic: Diagnostic) {
        self.error(diagnostic);
        self.give_up();
    }

    /// Goes on with the next rule.
    pub(super) fn give_up(&mut self) {
        let indent = self.rule.indent;
        self.forget_rule();
        self.rule.indent = indent;
        self.skips = true;
    }

    /// Takes what is no name as one.
    pub(super) fn name_of(&mut self, span: Span) {
        self.complete(Condition::One(atom("[]", span)));
    }

    pub(super) fn text(&self, span: Span) -> &str {
        self.scanner.slice(span)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kif(text: &str) -> Vec<String> {
        let document = read(text).unwrap_or_else(|errors| panic!("{}: {text}", errors[0]));
        document.items.iter().map(ToString::to_string).collect()
    }

    fn codes(text: &str) -> Vec<(Code, &str)> {
        let errors = read(text).unwrap_err();
        errors.iter().map(|error| (error.code, &text[error.span.range()])).collect()
    }

    #[test]
    fn facts_and_rules() {
        assert_eq!(
            kif(
                "role(x)  open. p()\nterminal:-~open\nq(X,f(a,Y)) :-\n  r(X) &\n  (s(Y)|~t | u).\nv"
            ),
            [
                "(role x)",
                "open",
                "(p)",
                "(<= terminal (not open))",
                "(<= (q ?x (f a ?y)) (r ?x) (or (s ?y) (not t) u))",
                "v"
            ]
        );
        assert_eq!(kif(" % nothing ;\n"), [""; 0]);
        assert_eq!(kif("p (a)\n\"p\"(\"A\",1.5,-1).q"), ["(p a)", "(p A 1.5 -1)", "q"]);
    }

    #[test]
    fn connectives() {
        for (infix, body) in [
            ("a | b | c", "(or a b c)"),
            ("(a | b) | c", "(or (or a b) c)"),
            ("(a & (b)) & ((c & d))", "a b c d"),
            ("~~a & ~(b | c)", "(not (not a)) (not (or b c))"),
            ("not(a) & or(a,b) & distinct(X,Y)", "(not a) (or a b) (distinct ?x ?y)"),
        ] {
            assert_eq!(kif(&format!("h :- {infix}")), [format!("(<= h {body})")]);
        }
        assert_eq!(kif("\"<=\"(h) \"<=\"() X(a)"), ["(<= h)", "(<=)", "(?x a)"]);
    }

    #[test]
    fn or_of_prolog_is_told_from_a_comment_by_names_of_the_rulesheet() {
        let rules = "goal1-0 :- true(s(1))\ngoal2-100 :- true(s(2))\n";
        let or = format!("{rules}terminal :-\n    goal1-0 ; goal2-100\n");
        assert_eq!(codes(&or), [(Code::Prolog, ";")]);
        let comment = format!("{rules}terminal :-\n    goal1-0 ; goal3-100\n");
        assert_eq!(kif(&comment)[2], "(<= terminal goal1-0)");
    }

    #[test]
    fn each_underscore_is_another_variable() {
        assert_eq!(
            kif("p(_,X) :- q(_,_2,_) & r(_x)\np(_)\np(\"?_\")"),
            ["(<= (p ?_1 ?x) (q ?_3 ?_2 ?_4) (r ?_x))", "(p ?_1)", "(p ?_)"]
        );
    }

    #[test]
    fn a_byte_order_mark_may_stand_before_everything() {
        assert_eq!(kif("\u{feff}p(a)\n q :- r"), ["(p a)", "(<= q r)"]);
        assert_eq!(codes("p\n\u{feff}"), [(Code::InfixName, "\u{feff}")]);
    }

    #[test]
    fn spans_are_those_of_the_text() {
        let text = "é\np(X) :- ~q(X) & (r|s) .";
        let document = read(text).unwrap();
        let at = |expr: &Expr| &text[expr.span.range()];
        assert_eq!(at(&document.items[0]), "é");
        let rule = &document.items[1];
        assert_eq!(at(rule), "p(X) :- ~q(X) & (r|s)");
        let places: Vec<_> = rule.list().unwrap().iter().map(at).collect();
        assert_eq!(places, ["", "p(X)", "~q(X)", "(r|s)"]);
        let of_or: Vec<_> = rule.list().unwrap()[3].list().unwrap().iter().map(at).collect();
        assert_eq!(of_or, ["", "r", "s"]);
    }

    #[test]
    fn several_errors_in_one_run() {
        use Code::*;
        assert_eq!(
            codes("a(b\nc(d,) e) f :- g &\nh :- (i | j\n&k"),
            [(UnclosedBracket, "("), (InfixSyntax, ","), (InfixConjunction, "&"),]
        );
        assert_eq!(
            codes("p(a b)\n  , c\nq)\n| r\n~s.\np(~a)\np((a))\nt :- u v ~w"),
            [
                (InfixSyntax, "b"),
                (StrayBracket, ")"),
                (InfixSyntax, "|"),
                (InfixSyntax, "~"),
                (InfixSyntax, "("),
                (InfixSyntax, "~"),
            ]
        );
        assert_eq!(codes("a :- b &"), [(InfixSyntax, "&")]);
        assert_eq!(codes("a(b, f(c"), [(UnclosedBracket, "("); 2]);
        assert_eq!(codes("a :- (b | ~(c"), [(UnclosedBracket, "("); 2]);
        assert_eq!(codes("a(b). c(d. e(f)"), [(UnclosedBracket, "(")]);
    }

    #[test]
    fn conjunctions_where_gdl_has_none() {
        let conjunction = |at| vec![(Code::InfixConjunction, at)];
        assert_eq!(codes("h :- a & b | c"), conjunction("|"));
        assert_eq!(codes("h :- a | b & c"), conjunction("&"));
        assert_eq!(codes("h :- a | (b & c)"), conjunction("(b & c)"));
        assert_eq!(codes("h :- (b & c) | a"), conjunction("|"));
        assert_eq!(codes("h :- ~((b & c))"), conjunction("((b & c))"));
    }

    #[test]
    fn names_that_are_none() {
        for (text, at) in
            [("p(a!)", "a!"), ("p(\"a", "\""), ("p(\"\")", "\"\""), ("p(\"a b\")", "\"a b\"")]
        {
            assert!(codes(text).contains(&(Code::InfixName, at)), "{text}");
        }
        assert_eq!(codes("p(a\u{a0})"), [(Code::OddBlank, "\u{a0}")]);
    }

    #[test]
    fn kif_in_between() {
        let mixed = |at| vec![(Code::MixedNotations, at)];
        assert_eq!(codes("role(x)\n(role y) ; )\n(role z)\np"), mixed("("));
        assert_eq!(codes("role(x)\np(?x) :- q(?x) & r(?y)"), mixed("?x"));
        assert_eq!(codes("role(x)\n<=\nq"), mixed("<="));
    }

    #[test]
    fn what_stands_behind_an_or_of_prolog_is_read() {
        let diagnostics = codes("q(a)\np(X) :- q(X) ; q(X).\ns )");
        assert_eq!(diagnostics[0].0, Code::Prolog);
        assert_eq!(diagnostics[1..], [(Code::StrayBracket, ")")]);
    }

    #[test]
    fn depth_is_limited_as_in_kif() {
        let limits = Limits { max_depth: 4, ..Limits::default() };
        for (text, deep) in [
            ("f(f(f(f())))", false),
            ("f(f(f(f(f()))))", true),
            ("f(f(f(a))) :- b", false),
            ("f(f(f(f(a)))) :- b", true),
            ("a :- ~~~b", false),
            ("a :- ~~~~b", true),
            ("a :- ~(b | c())", false),
            ("a :- b | ~c()", false),
            ("a :- b | ~~c()", true),
        ] {
            let read = read_with(text, &limits);
            let kif = read.as_ref().ok().map(|document| document.items[0].to_string());
            let codes: Vec<_> = read.err().into_iter().flatten().map(|error| error.code).collect();
            assert_eq!(codes, if deep { vec![Code::TooDeep] } else { vec![] }, "{text}");
            if let Some(kif) = kif {
                assert!(crate::kif::read_with(&kif, &limits).is_ok(), "{text}");
            }
        }
        let long = "f(".repeat(100_000) + "\nf(";
        let errors = read(&long).unwrap_err();
        assert_eq!((errors[0].code, errors[0].span.start), (Code::TooDeep, 513));
        assert_eq!(
            read(&("a :- ".to_owned() + &"~".repeat(100_000))).unwrap_err()[0].code,
            Code::TooDeep
        );
    }

    #[test]
    fn size_is_limited() {
        let limits = Limits { max_bytes: 4, max_errors: 2, ..Limits::default() };
        assert!(read_with("p(a)", &limits).is_ok());
        assert_eq!(read_with("p(a).", &limits).unwrap_err()[0].code, Code::TooLarge);
        assert_eq!(read_with("))))", &limits).unwrap_err().len(), 2);
        assert_eq!(read_with("$&$&", &limits).unwrap_err().len(), 2);
    }
}
