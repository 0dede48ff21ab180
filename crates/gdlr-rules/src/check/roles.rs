//! Names where a role should stand that are no role.

use super::kinds::Kinds;
use super::placed::{PlacedRule, arguments};
use super::sheet::Sheet;
use crate::gdl::{LiteralKind, Sentence, Symbol, Term, Variable};
use gdlr_text::diagnostic::{Code, Diagnostic, Span};
use gdlr_text::findings::Findings;
use gdlr_text::nearest::nearest_name;
use hashbrown::HashSet;

/// How many roles a message lists.
const MOST_LISTED: usize = 8;

pub(super) fn check(sheet: &Sheet, findings: &mut Findings) {
    // Without roles nothing is one, and that has been said.
    if sheet.game.roles.is_empty() {
        return;
    }
    let kinds = Kinds::new(sheet);
    let mut reported: HashSet<&Term> = HashSet::new();
    for rule in &sheet.rules {
        let variables = (!rule.hint).then(|| kinds.variables(rule.rule));
        let mut of_rule: HashSet<Variable> = HashSet::new();
        let mut number = 0;
        rule.for_each_sentence(&mut |sentence, form| {
            let is_head = std::mem::replace(&mut number, 1) == 0;
            if !has_role(sentence, is_head) {
                return;
            }
            let (Some(term), Some(place)) = (sentence.args.first(), arguments(form).first()) else {
                return;
            };
            match (term, &variables) {
                (Term::Variable(variable), Some(variables)) => {
                    let can_be = variables.get(usize::from(variable.0)).is_none_or(|k| k.role);
                    if !can_be && of_rule.insert(*variable) {
                        findings.report(Code::NoSuchRole, || {
                            let name = rule.variable(*variable);
                            no_role_variable(rule, &kinds, *variable, name, place.span)
                        });
                    }
                }
                (Term::Variable(_), None) => {}
                (term, _) => {
                    if !kinds.of_term(term).role && reported.insert(term) {
                        findings.report(Code::NoSuchRole, || no_role(sheet, term, place.span));
                    }
                }
            }
        });
    }
}

/// Whether the first argument of a sentence is meant to be a role.
fn has_role(sentence: &Sentence, is_head: bool) -> bool {
    match (sentence.relation, sentence.args.len()) {
        (Symbol::LEGAL | Symbol::GOAL | Symbol::SEES | Symbol::INPUT, 2) => true,
        // In a head these are errors, or say what a role is.
        (Symbol::DOES, 2) | (Symbol::ROLE, 1) => !is_head,
        _ => false,
    }
}

fn no_role(sheet: &Sheet, term: &Term, span: Span) -> Diagnostic {
    let symbols = &sheet.game.symbols;
    let name = term.spelled(symbols);
    let roles: Vec<String> = sheet.game.roles.iter().map(|role| role.spelled(symbols)).collect();
    let help = match nearest_name(&name, roles.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            let listed = roles.iter().take(MOST_LISTED).map(|role| format!("`{role}`"));
            let listed = listed.collect::<Vec<_>>().join(", ");
            let more = roles.len().saturating_sub(MOST_LISTED);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            match roles.len() {
                1 => format!("the only role is {listed}"),
                _ => format!("the roles are {listed}{more}"),
            }
        }
    };
    Diagnostic::new(Code::NoSuchRole, span, format!("`{name}` is no role"))
        .with_label("a role should stand here")
        .with_help(help)
}

fn no_role_variable(
    rule: &PlacedRule,
    kinds: &Kinds,
    variable: Variable,
    name: &str,
    span: Span,
) -> Diagnostic {
    let message = format!("`{name}` can be no role here");
    let diagnostic = Diagnostic::new(Code::NoSuchRole, span, message)
        .with_label("a role should stand here")
        .with_help("bind the variable by `role`, or by a relation of roles");
    let mut binding = None;
    rule.for_each_literal(&mut |literal, _| {
        let LiteralKind::Sentence(sentence) = &literal.kind else { return };
        let place = sentence.args.iter().position(|arg| *arg == Term::Variable(variable));
        if let Some(index) = place
            && !kinds.argument(sentence, index).role
        {
            binding.get_or_insert(sentence.span);
        }
    });
    match binding {
        Some(span) => diagnostic.with_related(span, format!("no value of `{name}` here is a role")),
        None => diagnostic,
    }
}

#[cfg(test)]
mod tests {
    use crate::check::tests::{SOUND, diagnose, marked};
    use gdlr_text::diagnostic::Code;

    fn no_roles(rules: &str) -> Vec<String> {
        let text = format!("{SOUND} {rules}");
        marked(&text, Code::NoSuchRole).into_iter().map(str::to_owned).collect()
    }

    #[test]
    fn names_that_are_no_role() {
        let text = "(<= (legal c go) (true (at 1))) (goal d 50) (<= (p) (does e go) (p))
            (sees f x) (input g go) (<= (q) (q) (not (role h))) (goal d 0)";
        assert_eq!(no_roles(text), ["c", "d", "e", "f", "g", "h"]);
        assert_eq!(no_roles("(legal A go) (goal a 50) (<= (p) (p) (does a go) (role a))"), [""; 0]);
        // No message where nothing is a role, and none of a term that may be one.
        assert!(marked("(legal a go) (goal b 50)", Code::NoSuchRole).is_empty());
        assert_eq!(no_roles("(role (team 1)) (legal (team 1) go) (goal (team ?x) 0)"), [""; 0]);
        assert_eq!(no_roles("(role (team 1)) (legal (side 1) go)"), ["(side 1)"]);
    }

    #[test]
    fn the_likely_role_is_named() {
        let help = |text: &str| {
            let diagnostics = diagnose(text);
            diagnostics.into_iter().find(|d| d.code == Code::NoSuchRole).unwrap().help.unwrap()
        };
        assert_eq!(
            help("(role xplayer) (role oplayer) (legal xplyer go)"),
            "did you mean `xplayer`?"
        );
        assert_eq!(help("(role you) (legal robot go)"), "the only role is `you`");
        assert_eq!(help("(role a) (role b) (legal robot go)"), "the roles are `a`, `b`");
    }

    #[test]
    fn variables_that_can_be_no_role() {
        let colours = "(colour red) (colour blue) (of a red) (of b blue) (role b)";
        let warned = |rules: &str| no_roles(&format!("{colours} {rules}"));
        assert_eq!(warned("(<= (legal ?c go) (colour ?c))"), ["?c"]);
        assert_eq!(warned("(<= (legal ?r go) (of ?r ?c))"), [""; 0]);
        assert_eq!(warned("(<= (goal ?c 0) (of ?r ?c) (role ?r))"), ["?c"]);
        assert_eq!(warned("(<= (p) (p) (does ?c go) (colour ?c))"), ["?c"]);
        assert_eq!(warned("(<= (legal ?c go) (or (colour ?c) (role ?c)))"), [""; 0]);
        assert_eq!(warned("(<= (legal ?c go) (or (colour ?c) (true (at ?c))))"), ["?c"]);
        // By way of the state, of moves and of other relations.
        let state = "(init (turn red)) (<= (next (turn ?c)) (true (turn ?c)))";
        assert_eq!(warned(&format!("{state} (<= (legal ?c go) (true (turn ?c)))")), ["?c"]);
        let state = "(init (turn red)) (<= (next (turn ?r)) (true (turn ?c)) (of ?r ?c))";
        assert_eq!(warned(&format!("{state} (<= (legal ?c go) (true (turn ?c)))")), [""; 0]);
        assert_eq!(warned("(<= (p ?m) (does ?r ?m)) (<= (legal ?c go) (p ?c))"), ["?c"]);
        assert_eq!(
            warned("(legal a a) (<= (p ?m) (does ?r ?m)) (<= (legal ?c go) (p ?c))"),
            [""; 0]
        );
        assert_eq!(
            warned("(<= (p ?c) (q ?c)) (<= (q ?c) (colour ?c)) (<= (goal ?c 0) (p ?c))"),
            ["?c"]
        );
        // Of a relation that nothing makes nothing is known.
        assert_eq!(warned("(<= (legal ?c go) (unmade ?c))"), [""; 0]);
        assert_eq!(warned("(<= (legal ?c go) (not (colour ?c)))"), [""; 0]);
    }
}
