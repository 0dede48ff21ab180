//! From tokens to expressions: one pass, a stack of our own, several errors in one run.
//!
//! A rule ends with a period, or where something stands that cannot go on with it: a name
//! behind a condition that is complete. After an error the reader goes on at a period, or at a
//! line that is indented no further than the rule at fault.

use super::chain::{Chain, Condition, Connective, atom, conjunction, list};
use super::token::{Scanner, Token, TokenKind};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::dialect::{Found, Sign, Writing, report};
use crate::kif::text::{check_size, stray, too_deep, unclosed};
use crate::kif::{Document, Expr, ExprKind, Limits};
use hashbrown::HashSet;

/// Reads a rulesheet in infix notation within the default limits, as the expressions that it
/// is in KIF.
///
/// # Errors
///
/// What [`kif::read`](crate::kif::read()) refuses, too; signs and names in the wrong place, names
/// that must be in quotes, conjunctions below `|` or `~`, and pieces of KIF.
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
    check_size(text, limits)?;
    let mut reader = Reader {
        scanner: Scanner::new(text, limits.max_errors),
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
    };
    loop {
        let token = reader.scanner.next(reader.place());
        if token.kind == TokenKind::End {
            break;
        }
        reader.token(token);
    }
    reader.finish()
}

/// The rule at hand.
#[derive(Default)]
pub(super) struct Rule {
    /// How far its line is indented.
    pub(super) indent: usize,
    head: Option<Expr>,
    /// Where its `:-` stands.
    pub(super) implied: Option<Span>,
    pub(super) body: Chain,
    /// The most brackets and `~` that were open at once in its head, or its body so far.
    deepest: usize,
    /// Whether a `_` occurs in it.
    has_anonymous: bool,
    /// Where it begins, if that is behind a condition with nothing between them: it goes on
    /// with it, unless a `:-` follows.
    unjoined: Option<Span>,
    /// Whether something in it is of another language.
    pub(super) is_foreign: bool,
}

/// What is not complete yet.
pub(super) enum Frame {
    /// A name with its arguments.
    Arguments { name: Expr, bracket: Span, items: Vec<Expr> },
    /// Conditions in brackets.
    Group { bracket: Span, chain: Chain },
    /// A `~` before a condition.
    Not { sign: Span },
}

pub(super) struct Reader<'a> {
    pub(super) scanner: Scanner<'a>,
    limits: &'a Limits,
    items: Vec<Expr>,
    errors: Vec<Diagnostic>,
    pub(super) rule: Rule,
    pub(super) open: Vec<Frame>,
    /// Whether a term or condition must come next, rather than what can stand behind one.
    pub(super) wants_operand: bool,
    /// The last sign, which wants the operand.
    pub(super) sign: Span,
    /// Whether the rule at hand is given up.
    skips: bool,
    /// Whether a list of KIF was reported.
    has_lists: bool,
    /// The signs of other languages.
    pub(super) found: Vec<Found>,
}

impl Reader<'_> {
    fn finish(mut self) -> Result<Document, Vec<Diagnostic>> {
        let brackets: Vec<Span> = self.open.iter().filter_map(Frame::bracket).collect();
        if !brackets.is_empty() {
            brackets.into_iter().for_each(|bracket| self.error(unclosed(bracket)));
        } else if self.wants_operand && self.is_in_rule() {
            let error = self.missing();
            self.error(error);
        } else {
            self.end_rule();
        }
        let comments = std::mem::take(&mut self.scanner.comments);
        let blanks = std::mem::take(&mut self.scanner.blanks);
        let mut errors = std::mem::take(&mut self.scanner.errors);
        errors.append(&mut self.errors);
        errors.sort_by_key(|error| error.span.start);
        errors.extend(blanks.diagnostics());
        self.found.append(&mut self.scanner.found);
        if let Some(foreign) = report(self.found, self.scanner.text(), Writing::Infix) {
            if foreign.code == Code::Prolog || foreign.code == Code::Gamemaster {
                // Names are others there.
                errors.retain(|error| error.code != Code::InfixName);
            }
            errors.insert(0, foreign);
        }
        errors.truncate(self.limits.max_errors);
        if errors.is_empty() { Ok(Document { items: self.items, comments }) } else { Err(errors) }
    }

    fn error(&mut self, diagnostic: Diagnostic) {
        if !self.rule.is_foreign && self.errors.len() < self.limits.max_errors {
            self.errors.push(diagnostic);
        }
    }

    /// Reports an error and gives the rule up.
    fn fail(&mut self, diagnostic: Diagnostic) {
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

    fn forget_rule(&mut self) {
        self.open.clear();
        self.rule = Rule::default();
        self.wants_operand = true;
    }

    /// Whether something of a rule was read.
    pub(super) fn is_in_rule(&self) -> bool {
        self.rule.head.is_some() || !self.open.is_empty()
    }

    /// Whether a token stands where no rule goes on, as a rule.
    pub(super) fn begins_line(&self, token: &Token) -> bool {
        token.indent.is_some_and(|indent| indent <= self.rule.indent)
    }

    fn token(&mut self, token: Token) {
        if self.skips {
            match token.kind {
                TokenKind::Name(_) | TokenKind::Open if self.begins_line(&token) => {}
                kind => {
                    self.skips = kind != TokenKind::Period;
                    return;
                }
            }
            self.skips = false;
        }
        if self.wants_operand { self.operand(token) } else { self.behind_operand(token) }
    }

    /// Takes a token where a term or condition must begin.
    fn operand(&mut self, token: Token) {
        let within = self.open.last();
        let is_term = matches!(within, Some(Frame::Arguments { .. }));
        match token.kind {
            TokenKind::Name(name) => self.name(&name, token.span, token.indent),
            TokenKind::Close => match within {
                Some(Frame::Arguments { items, .. }) if items.is_empty() => self.close(token.span),
                None if !self.is_in_rule() => self.error(stray(token.span)),
                _ => self.missing_before(token.span),
            },
            TokenKind::Open | TokenKind::Not if is_term => self.fail(
                syntax(token.span, format!("`{}` within a term", self.text(token.span)))
                    .with_help("a term is a name, a variable, or `name(term, ...)`"),
            ),
            TokenKind::Open if !self.is_in_rule() => self.list(token.span),
            TokenKind::Open => {
                self.enter(Frame::Group { bracket: token.span, chain: Chain::default() });
                self.sign = token.span;
            }
            TokenKind::Not if self.is_in_rule() => {
                self.enter(Frame::Not { sign: token.span });
                self.sign = token.span;
            }
            TokenKind::Foreign(sign) => self.foreign_operand(sign, token.span),
            TokenKind::If if !self.is_in_rule() => {
                self.note(Sign::Directive, token.span, None);
                self.give_up();
            }
            _ if !self.is_in_rule() => self.fail(
                syntax(token.span, format!("a rule cannot begin with `{}`", self.text(token.span)))
                    .with_help("a rule is `head.` or `head :- condition & condition.`"),
            ),
            _ => self.missing_before(token.span),
        }
    }

    /// Takes a token behind a term or condition that is complete.
    fn behind_operand(&mut self, token: Token) {
        let goes_on = match &token.kind {
            TokenKind::Name(name) => self.foreign_name(name, &token),
            _ => self.joined_by_nothing(&token),
        };
        if goes_on {
            return;
        }
        let within = self.open.last_mut();
        match (token.kind, within) {
            (TokenKind::Close, Some(_)) => self.close(token.span),
            (TokenKind::Close, None) => self.error(stray(token.span)),
            (TokenKind::Comma, Some(Frame::Arguments { .. })) => self.goes_on(token.span),
            (TokenKind::Foreign(sign), _) => self.foreign_behind(sign, token.span),
            (TokenKind::Comma, Some(Frame::Group { .. })) => {
                self.foreign_behind(Sign::Comma, token.span);
            }
            (TokenKind::Comma, None) if self.rule.implied.is_some() => {
                self.foreign_behind(Sign::Comma, token.span);
            }
            (kind @ (TokenKind::And | TokenKind::Or), Some(Frame::Group { chain, .. })) => {
                let joined = chain.join(connective(&kind), token.span);
                self.joined(joined, token.span);
            }
            (kind @ (TokenKind::And | TokenKind::Or), None) if self.rule.implied.is_some() => {
                let joined = self.rule.body.join(connective(&kind), token.span);
                self.joined(joined, token.span);
            }
            (TokenKind::And | TokenKind::Or | TokenKind::Comma, None)
                if self.rule.unjoined.is_some() =>
            {
                self.go_on_unjoined(token.span);
            }
            (TokenKind::If, None)
                if token.indent.is_some_and(|indent| indent <= self.rule.indent) =>
            {
                // A rule of its own, without a head.
                self.end_rule();
                self.note(Sign::Directive, token.span, None);
                self.give_up();
            }
            (TokenKind::If, None) if self.rule.implied.is_none() => self.imply(token.span),
            (TokenKind::Period, None) => self.end_rule(),
            (TokenKind::Name(name), None) => {
                let indent = self.rule.indent;
                let goes_on = self.rule.implied.is_some() || self.rule.unjoined.is_some();
                let goes_on = goes_on && token.indent.is_none_or(|other| other > indent);
                self.end_rule();
                self.name(&name, token.span, token.indent);
                if goes_on {
                    self.rule.indent = indent;
                    self.rule.unjoined = Some(token.span);
                }
            }
            (TokenKind::Open, None) => {
                self.end_rule();
                self.list(token.span);
            }
            (kind, _) => self.misplaced(kind, token.span, token.indent),
        }
    }

    /// Goes on with the body of a rule in which `&` is missing.
    fn go_on_unjoined(&mut self, sign: Span) {
        if let Some(start) = self.rule.unjoined.take() {
            self.note(Sign::Unjoined, start, None);
            self.rule.implied = Some(start);
        }
        self.goes_on(sign);
    }

    /// A token that cannot stand behind a term or condition.
    fn misplaced(&mut self, kind: TokenKind, span: Span, indent: Option<usize>) {
        let text = self.text(span).to_owned();
        let again = Token { kind, span, indent };
        let ends = match again.kind {
            TokenKind::If | TokenKind::Period => true,
            TokenKind::Name(_) => self.begins_line(&again),
            _ => false,
        };
        match self.open.iter().rev().find_map(Frame::bracket) {
            Some(bracket) if ends => {
                let label = match again.kind {
                    TokenKind::If => "there is no `:-` between brackets",
                    TokenKind::Period => "the rule ends here",
                    _ => "the next rule begins here",
                };
                self.fail(unclosed(bracket).with_related(span, label));
                // A line of its own is another try.
                self.token(again);
            }
            Some(bracket) => {
                let (wants, help) = match self.open.last() {
                    Some(Frame::Arguments { .. }) => {
                        ("`,` or `)`", "arguments are separated by `,`")
                    }
                    _ => ("`&`, `|` or `)`", "conditions are joined by `&` or `|`"),
                };
                self.fail(
                    syntax(span, format!("{wants} should stand before `{text}`"))
                        .with_related(bracket, "this bracket is open")
                        .with_help(help),
                );
            }
            None => {
                let (message, help) = match again.kind {
                    TokenKind::If => (
                        "a second `:-` in one rule".to_owned(),
                        "is the `&` at the end of the rule before one too many?",
                    ),
                    TokenKind::Not => (
                        "`&` should stand before `~`".to_owned(),
                        "conditions are joined by `&`; only they can be negated",
                    ),
                    _ => (
                        format!("`{text}` behind a fact"),
                        "only the conditions of a rule are joined: is a `:-` missing, or `&` at the end of the line before?",
                    ),
                };
                self.fail(syntax(span, message).with_help(help));
            }
        }
    }

    /// A name or variable where one can stand.
    pub(super) fn name(&mut self, name: &str, span: Span, indent: Option<usize>) {
        if !self.is_in_rule() {
            self.rule.indent = indent.unwrap_or(0);
        }
        let name = atom(name, span);
        self.rule.has_anonymous |= is_anonymous(&name);
        match self.scanner.opens_arguments() {
            Some(bracket) => {
                self.sign = bracket;
                self.wants_operand = true;
                self.enter(Frame::Arguments { name, bracket, items: Vec::new() });
            }
            None => self.complete(Condition::One(name)),
        }
    }

    /// Opens a bracket or a negation.
    pub(super) fn enter(&mut self, frame: Frame) {
        let rule = usize::from(self.rule.implied.is_some());
        if rule + self.open.len() >= self.limits.max_depth {
            let (Frame::Arguments { bracket: span, .. }
            | Frame::Group { bracket: span, .. }
            | Frame::Not { sign: span }) = frame;
            return self.fail(too_deep(span, self.limits));
        }
        self.open.push(frame);
        self.rule.deepest = self.rule.deepest.max(self.open.len());
    }

    /// Closes the innermost bracket, which is complete.
    fn close(&mut self, end: Span) {
        match self.open.pop() {
            Some(Frame::Arguments { name, items, .. }) => {
                let span = Span { start: name.span.start, end: end.end };
                self.complete(Condition::One(list(name, items, span)));
            }
            Some(Frame::Group { bracket, chain }) => {
                let span = Span { start: bracket.start, end: end.end };
                self.complete(chain.bracketed(span));
            }
            // A negation ends with its condition.
            Some(Frame::Not { .. }) | None => self.error(stray(end)),
        }
    }

    /// Puts a complete term or condition where it belongs.
    fn complete(&mut self, mut condition: Condition) {
        self.wants_operand = false;
        while let Some(&Frame::Not { sign }) = self.open.last() {
            self.open.pop();
            match condition {
                Condition::One(expr) => {
                    let span = Span { start: sign.start, end: expr.span.end };
                    condition = Condition::One(list(atom("not", sign), vec![expr], span));
                }
                Condition::All(_, span) => return self.fail(conjunction(span)),
            }
        }
        let taken = match (self.open.last_mut(), condition) {
            (Some(Frame::Group { chain, .. }), condition) => chain.push(condition),
            (None, condition) if self.rule.implied.is_some() => self.rule.body.push(condition),
            (Some(Frame::Arguments { items, .. }), Condition::One(term)) => {
                items.push(term);
                Ok(())
            }
            (_, Condition::One(head)) => {
                self.rule.head = Some(head);
                Ok(())
            }
            (_, Condition::All(_, span)) => Err(conjunction(span)),
        };
        if let Err(error) = taken {
            self.fail(error);
        }
    }

    /// Wants an operand behind a sign.
    pub(super) fn goes_on(&mut self, sign: Span) {
        self.sign = sign;
        self.wants_operand = true;
    }

    fn joined(&mut self, joined: Result<(), Diagnostic>, sign: Span) {
        match joined {
            Ok(()) => self.goes_on(sign),
            Err(error) => self.fail(error),
        }
    }

    /// Takes the `:-` of a rule.
    pub(super) fn imply(&mut self, sign: Span) {
        // In KIF the whole rule is a list.
        if self.rule.deepest >= self.limits.max_depth {
            return self.fail(too_deep(sign, self.limits));
        }
        self.rule.implied = Some(sign);
        self.rule.deepest = 0;
        self.goes_on(sign);
    }

    /// Ends the rule at hand, which is complete.
    fn end_rule(&mut self) {
        let rule = std::mem::take(&mut self.rule);
        self.forget_rule();
        let Some(head) = rule.head else { return };
        if let Some(start) = rule.unjoined.filter(|_| rule.implied.is_none()) {
            let span = Span { start: start.start, end: head.span.end };
            self.found.push(Found::new(Sign::Unjoined, span));
        }
        let mut item = match rule.implied {
            None => head,
            Some(sign) => {
                // The rule and the `or` are lists of KIF, the latter without a bracket here.
                if rule.body.is_or() && rule.deepest + 2 > self.limits.max_depth {
                    return self.error(too_deep(sign, self.limits));
                }
                let body = rule.body.body();
                let start = head.span.start;
                let end = body.last().map_or(sign.end, |last| last.span.end);
                let arrow = atom("<=", Span { start, end: start });
                list(arrow, std::iter::once(head).chain(body).collect(), Span { start, end })
            }
        };
        if rule.has_anonymous {
            name_anonymous(&mut item);
        }
        self.items.push(item);
    }

    /// Reports a list of KIF, once, and goes behind it.
    fn list(&mut self, bracket: Span) {
        if !self.has_lists {
            self.has_lists = true;
            self.error(
                Diagnostic::new(
                    Code::MixedNotations,
                    bracket,
                    "a list of KIF in a rulesheet in infix notation",
                )
                .with_help(
                    "a rulesheet is in one notation throughout; `gdlr fmt --to kif` translates one",
                ),
            );
        }
        self.scanner.skip_list();
    }

    /// Says that something is missing behind the last sign.
    fn missing(&self) -> Diagnostic {
        let what = match self.open.last() {
            Some(Frame::Arguments { .. }) => "a term",
            _ => "a condition",
        };
        syntax(self.sign, format!("{what} is missing behind `{}`", self.text(self.sign)))
    }

    fn missing_before(&mut self, span: Span) {
        let error = self.missing().with_related(span, "before this");
        self.fail(error);
    }

    pub(super) fn text(&self, span: Span) -> &str {
        self.scanner.slice(span)
    }
}

impl Frame {
    /// The bracket to be closed, if it is one.
    fn bracket(&self) -> Option<Span> {
        match self {
            Frame::Arguments { bracket, .. } | Frame::Group { bracket, .. } => Some(*bracket),
            Frame::Not { .. } => None,
        }
    }
}

fn connective(kind: &TokenKind) -> Connective {
    if *kind == TokenKind::Or { Connective::Or } else { Connective::And }
}

fn syntax(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::InfixSyntax, span, message)
}

/// Whether an expression is a bare `_`.
fn is_anonymous(expr: &Expr) -> bool {
    expr.atom() == Some("?_") && expr.span.end - expr.span.start == 1
}

/// Gives each `_` of a rule a name that nothing else in the rule has.
fn name_anonymous(item: &mut Expr) {
    fn names(expr: &Expr, found: &mut HashSet<Box<str>>) {
        match &expr.kind {
            ExprKind::Atom(name) if name.starts_with("?_") => {
                found.insert(name.clone());
            }
            ExprKind::Atom(_) => {}
            ExprKind::List(items) => items.iter().for_each(|item| names(item, found)),
        }
    }
    fn rename(expr: &mut Expr, fresh: &mut impl FnMut() -> String) {
        let anonymous = is_anonymous(expr);
        match &mut expr.kind {
            ExprKind::Atom(name) if anonymous => *name = fresh().into(),
            ExprKind::Atom(_) => {}
            ExprKind::List(items) => items.iter_mut().for_each(|item| rename(item, fresh)),
        }
    }
    let mut taken = HashSet::new();
    names(item, &mut taken);
    let mut fresh =
        (1..).map(|number: u64| format!("?_{number}")).filter(|name| !taken.contains(&**name));
    rename(item, &mut || fresh.next().expect("more numbers than names"));
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
