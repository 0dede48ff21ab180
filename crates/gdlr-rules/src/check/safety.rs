//! Safety: every variable of a head, a `not` or a `distinct` stands in a positive literal
//! (SPEC, definition 18, after `or` is expanded; see [`super::guaranteed`]).
//!
//! A variable that nothing binds ranges over all terms there are, so the rule has no finite
//! meaning, and E012 forbids play. Two cases are different.
//!
//! * A variable that stands in a single `not` and nowhere else in the rule is local to it:
//!   a prover that asks for `(p ?x)` with `?x` unbound reads `(not (p ?x))` as "`p` holds of
//!   no value". That is finite, and the error E020, which does not forbid play. SPEC calls it
//!   ambiguous, and so it is: in two `not`, or under a `distinct`, the same variable is refused.
//! * A variable of the head of an open relation, whose every use binds it ([`super::open`]),
//!   is the error E018, which does not forbid play.

use super::open::Open;
use super::placed::{PlacedRule, arguments, each_term, inner_literals, literal_terms};
use super::sheet::Sheet;
use crate::gdl::{Literal, LiteralKind, Sentence, Symbol, Term, Variable};
use gdlr_text::diagnostic::{Code, Diagnostic, Span};
use gdlr_text::findings::Findings;
use gdlr_text::kif::Expr;
use hashbrown::{HashMap, HashSet};

pub(super) fn check(sheet: &Sheet, findings: &mut Findings) {
    let open = Open::find(sheet);
    // By open relation: the first use that does not bind an argument.
    let mut misuses = HashMap::new();
    let mut open_heads = Vec::new();
    for &rule in &sheet.played {
        if rule.rule.variables.is_empty() {
            continue;
        }
        if rule.is_implication() {
            let mut scope = Scope::new(rule, sheet, &open, &mut misuses);
            scope.check(findings);
            open_heads.extend(scope.open_head.into_iter().map(|head| (rule, head)));
        } else if rule.rule.head.relation != Symbol::ROLE {
            fact(&rule, findings);
        }
    }
    let mut used = vec![false; sheet.graph.relations.len()];
    sheet.graph.conditions.iter().flatten().for_each(|&(to, _)| used[to as usize] = true);
    for (rule, (variable, span)) in open_heads {
        let Some(relation) = sheet.number(&rule.rule.head) else { continue };
        let misuse = misuses.get(&relation).copied();
        if misuse.is_none() && used[relation as usize] {
            findings.report(Code::OpenVariable, || open_variable(&rule, variable, span));
        } else {
            let use_ = misuse.map(|span| (span, "this use does not bind it".to_owned()));
            findings.report(Code::UnsafeVariable, || {
                let mut diagnostic = unsafe_variable(&rule, &open, variable, span, HEAD);
                diagnostic.related.extend(use_);
                diagnostic
            });
        }
    }
}

/// Where a variable may stand that has to be bound.
const HEAD: &str = "the head of its rule";

/// A fact has no body that could bind anything.
fn fact(rule: &PlacedRule, findings: &mut Findings) {
    let mut first = None;
    rule.for_each_term(&mut |term, form| {
        if let Term::Variable(variable) = term {
            first.get_or_insert((*variable, form.span));
        }
    });
    if let Some((variable, span)) = first {
        let code = Code::VariableInFact;
        findings.report(code, || {
            let name = rule.variable(variable);
            Diagnostic::new(code, span, format!("the variable `{name}` outside a rule"))
                .with_help("a fact speaks of named things; write a rule with `<=` instead")
        });
    }
}

/// One rule, and what is bound at the literal at hand.
struct Scope<'a> {
    rule: PlacedRule<'a>,
    sheet: &'a Sheet<'a>,
    open: &'a Open<'a>,
    misuses: &'a mut HashMap<u32, Span>,
    /// By variable: how many of the conditions around the literal at hand bind it.
    bound: Vec<u32>,
    /// By variable: how often it occurs in the rule.
    occurrences: Vec<u32>,
    /// The variables of the `not` at hand, once for each occurrence outside `distinct`,
    /// sorted; empty outside `not`.
    in_not: Vec<Variable>,
    /// Those of them that stand nowhere else.
    local: Vec<Variable>,
    /// The variables that have been reported.
    reported: HashSet<Variable>,
    /// The variables that the head of an open relation leaves to its uses.
    open_head: Vec<(Variable, Span)>,
}

impl<'a> Scope<'a> {
    fn new(
        rule: PlacedRule<'a>,
        sheet: &'a Sheet<'a>,
        open: &'a Open<'a>,
        misuses: &'a mut HashMap<u32, Span>,
    ) -> Self {
        let count = rule.rule.variables.len();
        let mut occurrences = vec![0; count];
        rule.for_each_term(&mut |term, _| {
            if let Term::Variable(variable) = term {
                occurrences[usize::from(variable.0)] += 1;
            }
        });
        Scope {
            rule,
            sheet,
            open,
            misuses,
            bound: vec![0; count],
            occurrences,
            in_not: Vec::new(),
            local: Vec::new(),
            reported: HashSet::new(),
            open_head: Vec::new(),
        }
    }

    fn check(&mut self, findings: &mut Findings) {
        for literal in &self.rule.rule.body {
            match self.open.binds(literal) {
                Some(bound) => bound.iter().for_each(|v| self.bound[usize::from(v.0)] += 1),
                // The rule never applies.
                None => return,
            }
        }
        let rule = self.rule;
        let open = self.open.is_open(&rule.rule.head);
        each_term(&rule.rule.head.args, arguments(rule.head_form()), &mut |term, form| {
            let Term::Variable(variable) = term else { return };
            if !open {
                self.require(*variable, form.span, HEAD, findings);
            } else if std::mem::replace(&mut self.bound[usize::from(variable.0)], 1) == 0 {
                self.open_head.push((*variable, form.span));
            }
        });
        for (literal, form) in rule.body() {
            self.literal(literal, form, false, findings);
        }
    }

    fn literal(
        &mut self,
        literal: &'a Literal,
        form: &'a Expr,
        negated: bool,
        findings: &mut Findings,
    ) {
        match &literal.kind {
            LiteralKind::Sentence(sentence) => {
                if self.open.is_open(sentence) {
                    self.open_use(sentence);
                } else if negated {
                    self.require_all(literal, form, "a `not`", findings);
                }
            }
            LiteralKind::Distinct(..) => {
                self.require_all(literal, form, "a `distinct`", findings);
            }
            LiteralKind::Not(inner) => {
                let outermost = self.in_not.is_empty();
                if outermost {
                    inner.for_each_sentence(&mut |sentence, _| {
                        for term in &sentence.args {
                            term.for_each_variable(&mut |v| self.in_not.push(v));
                        }
                    });
                    self.in_not.sort_unstable();
                }
                for (_, form) in inner_literals(literal, form) {
                    self.literal(inner, form, !negated, findings);
                }
                if outermost {
                    self.in_not.clear();
                    let local = std::mem::take(&mut self.local);
                    if !local.is_empty() {
                        findings.report(Code::LocalInNegation, || {
                            local_variables(self.sheet, &self.rule, &local, literal, form)
                        });
                    }
                }
            }
            // Under `not` this is a conjunction, whose bindings have been counted.
            LiteralKind::Or(_) if negated => {
                for (item, form) in inner_literals(literal, form) {
                    self.literal(item, form, true, findings);
                }
            }
            LiteralKind::Or(_) => {
                for (item, form) in inner_literals(literal, form) {
                    let Some(bound) = self.open.binds(item) else { continue };
                    bound.iter().for_each(|v| self.bound[usize::from(v.0)] += 1);
                    self.literal(item, form, false, findings);
                    bound.iter().for_each(|v| self.bound[usize::from(v.0)] -= 1);
                }
            }
        }
    }

    /// An open relation, negated or not, must be asked with all variables bound.
    fn open_use(&mut self, sentence: &Sentence) {
        let mut unbound = false;
        for term in &sentence.args {
            term.for_each_variable(&mut |v| unbound |= self.bound[usize::from(v.0)] == 0);
        }
        if unbound && let Some(relation) = self.sheet.number(sentence) {
            self.misuses.entry(relation).or_insert(sentence.span);
        }
    }

    fn require_all(
        &mut self,
        literal: &'a Literal,
        form: &'a Expr,
        place: &str,
        findings: &mut Findings,
    ) {
        literal_terms(literal, form, &mut |term, form| {
            if let Term::Variable(variable) = term {
                self.require(*variable, form.span, place, findings);
            }
        });
    }

    /// Reports a variable at `span` unless something binds it.
    fn require(&mut self, variable: Variable, span: Span, place: &str, findings: &mut Findings) {
        let index = usize::from(variable.0);
        if self.bound[index] > 0 || !self.reported.insert(variable) {
            return;
        }
        if self.occurrences_in_not(variable) == self.occurrences[index] {
            self.local.push(variable);
        } else {
            findings.report(Code::UnsafeVariable, || {
                unsafe_variable(&self.rule, self.open, variable, span, place)
            });
        }
    }

    /// How often the variable occurs in the `not` at hand, outside of `distinct`.
    fn occurrences_in_not(&self, variable: Variable) -> u32 {
        let from = self.in_not.partition_point(|&v| v < variable);
        let to = self.in_not.partition_point(|&v| v <= variable);
        (to - from) as u32
    }
}

/// The diagnostic of a `not` with variables that stand nowhere else, all in one.
fn local_variables(
    sheet: &Sheet,
    rule: &PlacedRule,
    local: &[Variable],
    not: &Literal,
    form: &Expr,
) -> Diagnostic {
    let names: Vec<String> = local.iter().map(|&v| format!("`{}`", rule.variable(v))).collect();
    let (names, stand) = match &names[..] {
        [rest @ .., last] if !rest.is_empty() => {
            (format!("{} and {last}", rest.join(", ")), "stand")
        }
        _ => (names.concat(), "stands"),
    };
    let message = format!("{names} {stand} in this `not` and nowhere else");
    Diagnostic::new(Code::LocalInNegation, not.span, message)
        .with_label(format!("read as: this holds for no {names}"))
        .with_help(repair(sheet, rule, local, not, form))
}

/// How to say a `not` with variables of its own: by a relation for what it denies.
fn repair(
    sheet: &Sheet,
    rule: &PlacedRule,
    local: &[Variable],
    not: &Literal,
    form: &Expr,
) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut name = None;
    not.for_each_sentence(&mut |sentence, _| {
        let functor = match (sentence.relation, &sentence.args[..]) {
            (Symbol::TRUE, [Term::Function(name, _) | Term::Constant(name)]) => *name,
            _ => sentence.relation,
        };
        name.get_or_insert_with(|| format!("some_{}", functor.spelled(&sheet.game.symbols)));
        for term in &sentence.args {
            term.for_each_variable(&mut |v| {
                let variable = rule.variable(v);
                if !local.contains(&v) && !kept.contains(&variable) {
                    kept.push(variable);
                }
            });
        }
    });
    let name = name.unwrap_or_default();
    let head = match kept.is_empty() {
        true => name,
        false => format!("({name} {})", kept.join(" ")),
    };
    let denied = arguments(form).first().map_or_else(String::new, Expr::to_string);
    format!("write a rule for it, `(<= {head} {denied})`, and `(not {head})` here")
}

fn open_variable(rule: &PlacedRule, variable: Variable, span: Span) -> Diagnostic {
    let name = rule.variable(variable);
    let message = format!("the variable `{name}` of {HEAD} is bound by its uses only");
    Diagnostic::new(Code::OpenVariable, span, message)
        .with_help(format!("add a positive condition that mentions `{name}`"))
}

fn unsafe_variable(
    rule: &PlacedRule,
    open: &Open,
    variable: Variable,
    span: Span,
    place: &str,
) -> Diagnostic {
    let name = rule.variable(variable);
    let message = format!("the variable `{name}` of {place} is bound by no condition");
    let help =
        format!("add a positive condition that mentions `{name}`, in every branch of an `or`");
    let mut diagnostic = Diagnostic::new(Code::UnsafeVariable, span, message).with_help(help);
    let without = branch_without(rule, open, variable);
    diagnostic
        .related
        .extend(without.map(|span| (span, format!("this branch does not bind `{name}`"))));
    diagnostic
}

/// Where an `or` binds the variable in one branch but not in another.
fn branch_without(rule: &PlacedRule, open: &Open, variable: Variable) -> Option<Span> {
    rule.rule.body.iter().find_map(|literal| {
        let LiteralKind::Or(items) = &literal.kind else { return None };
        let binds = |item: &&Literal| open.binds(item).is_none_or(|b| b.contains(&variable));
        items.iter().find(binds)?;
        Some(items.iter().find(|item| !binds(item))?.span)
    })
}

#[cfg(test)]
mod tests {
    use crate::check::tests::{SOUND, diagnose, marked};
    use gdlr_text::diagnostic::Code;

    fn unbound(text: &str) -> Vec<&str> {
        marked(text, Code::UnsafeVariable)
    }

    #[test]
    fn a_variable_outside_a_rule() {
        assert_eq!(marked("(p a) (q (f ?x) ?y)", Code::VariableInFact), ["?x"]);
        assert!(marked("(role ?x) (p x?)", Code::VariableInFact).is_empty());
        assert_eq!(unbound("(<= (q ?x))"), ["?x"]);
    }

    #[test]
    fn heads_are_bound() {
        assert_eq!(unbound("(<= (p ?x (f ?y)) (q ?x))"), ["?y"]);
        assert!(unbound("(<= (p ?x (f ?y)) (q (g ?x) ?y))").is_empty());
        assert!(unbound(SOUND).is_empty());
        let open = |percept| format!("{SOUND} (<= (sees ?r {percept}) (role ?r) (does ?r ?m))");
        assert_eq!(unbound(&open("(did ?other)")), ["?other"]);
        assert!(unbound(&open("(did ?m)")).is_empty());
    }

    #[test]
    fn every_branch_of_an_or_binds() {
        assert!(unbound("(<= (p ?x) (or (q ?x) (r ?x)))").is_empty());
        let text = "(<= (p ?x) (or (q ?x) (r a)))";
        assert_eq!(unbound(text), ["?x"]);
        let diagnostics = diagnose(text);
        let unsafe_ = diagnostics.iter().find(|d| d.code == Code::UnsafeVariable).unwrap();
        assert_eq!(&text[unsafe_.related[0].0.range()], "(r a)");
        assert!(unbound("(<= (p ?x) (or (q ?x) (r a)) (s ?x))").is_empty());
    }

    #[test]
    fn distinct_and_not_bind_nothing() {
        assert_eq!(unbound("(<= (p) (q ?x) (distinct ?x ?y))"), ["?y"]);
        assert_eq!(unbound("(<= (p) (q ?x) (not (distinct ?x ?y)))"), ["?y"]);
        assert_eq!(unbound("(<= (p ?x) (not (q ?x)))"), ["?x"]);
        assert!(unbound("(<= (p) (distinct ?x ?y) (q ?x) (q ?y))").is_empty());
        assert!(unbound("(<= (p ?x) (not (not (q ?x))))").is_empty());
    }

    #[test]
    fn a_branch_binds_for_itself_only() {
        assert!(unbound("(<= (p) (or (not (or (distinct ?x a) (not (q ?x)))) (r)))").is_empty());
        assert!(unbound("(<= (p) (r ?x) (or (distinct ?x a) (not (q ?x))))").is_empty());
        assert_eq!(unbound("(<= (p) (or (q ?x) (r)) (distinct ?x a))"), ["?x"]);
        assert_eq!(unbound("(<= (p) (or (q ?x) (distinct ?x a)))"), ["?x"]);
    }

    #[test]
    fn a_variable_local_to_one_not() {
        let local = |text| marked(text, Code::LocalInNegation).len();
        assert_eq!(local("(<= (p) (not (q ?x)))"), 1);
        assert_eq!(local("(<= (p) (q ?y) (not (or (q ?x ?y) (r ?x ?x))))"), 1);
        assert_eq!(local("(<= (p) (not (q ?x ?y ?z)))"), 1);
        assert_eq!(local("(<= (p) (not (q ?x ?y)) (not (q ?z ?u)))"), 2);
        assert!(unbound("(<= (p) (not (q ?x)))").is_empty());
        assert_eq!(local("(<= (p) (r ?x) (not (q ?x)))"), 0);
        for two in
            ["(<= (p) (not (q ?x)) (not (r ?x)))", "(<= (p) (not (or (q ?x) (distinct ?x a))))"]
        {
            assert_eq!(local(two), 0);
            assert_eq!(unbound(two), ["?x"]);
        }
    }

    #[test]
    fn a_not_with_variables_of_its_own_is_explained_with_its_repair() {
        let said = |text| {
            let diagnostics = diagnose(text);
            let first = diagnostics.into_iter().find(|d| d.code == Code::LocalInNegation).unwrap();
            [first.message, first.label, first.help.unwrap()]
        };
        let text = "(<= (p) (not (true (cell ?x ?y b))))";
        assert_eq!(
            said(text),
            [
                "`?x` and `?y` stand in this `not` and nowhere else",
                "read as: this holds for no `?x` and `?y`",
                "write a rule for it, `(<= some_cell (true (cell ?x ?y b)))`, and \
                 `(not some_cell)` here",
            ]
        );
        assert_eq!(marked(text, Code::LocalInNegation), ["(not (true (cell ?x ?y b)))"]);
        assert_eq!(
            said("(<= (p ?r) (role ?r) (not (does ?r ?m)))"),
            [
                "`?m` stands in this `not` and nowhere else",
                "read as: this holds for no `?m`",
                "write a rule for it, `(<= (some_does ?r) (does ?r ?m))`, and \
                 `(not (some_does ?r))` here",
            ]
        );
    }

    #[test]
    fn an_open_relation_is_bound_by_its_uses() {
        let rule = "(<= (same ?x ?y) (not (high ?x)) (not (high ?y))) (high 1) (q 1) (r 1 2)";
        let codes = |uses: &str| {
            let text = format!("{rule} {uses}");
            let count = |code| marked(&text, code).len();
            (count(Code::OpenVariable), count(Code::UnsafeVariable))
        };
        assert_eq!(codes("(<= (p ?x) (r ?x ?y) (same ?x ?y))"), (2, 0));
        assert_eq!(codes("(<= (p ?x) (r ?x ?y) (not (same ?x ?y)))"), (2, 0));
        // Through another open relation.
        let through = "(<= (also ?x ?y) (same ?x ?y)) (<= (p ?x) (r ?x ?y) (also ?x ?y))";
        assert_eq!(codes(through), (4, 0));
        // Not used, or not bound there, or in the head of a keyword.
        assert_eq!(codes(""), (0, 2));
        assert_eq!(codes("(<= (p ?x) (q ?x) (same ?x ?y)) (<= p (p ?x))"), (0, 2));
        assert_eq!(codes("(<= (p) (not (same ?x 1)))"), (0, 2));
        assert_eq!(codes("(<= (next (f ?x)) (q ?y) (same ?x ?y))"), (0, 3));
        // Recursive relations are never open.
        assert_eq!(unbound("(<= (p ?x) (p 1) (not (q ?x))) (<= r (q ?x) (p ?x))"), ["?x"]);
    }
}
