//! Stratification: no cycle of relations goes through a negation (SPEC, definitions 7 and 8).
//!
//! The graph of SPEC has one node for each relation. Some public rulesheets have the rule
//! `(<= (goal ?r 0) (role ?r) (not (goal ?r 100)))`. It makes a cycle of the relation `goal`. But no sentence
//! depends on its own negation, because 0 is not 100. Such rules have a clear meaning (they are locally stratified).
//! So there is a second graph, of the single rules: a condition leads only to the heads that it can match. If this graph
//! has no cycle through a negation, the error is E019, which does not forbid play.

use super::path::{next_hops, steps};
use super::sheet::Sheet;
use crate::gdl::{Rule, Sentence, Term};
use gdlr_text::diagnostic::{Code, Diagnostic};
use gdlr_text::findings::Findings;
use gdlr_text::graph::strongly_connected;
use hashbrown::HashMap;

/// How many pairs of condition and head are compared in one cycle of relations. Beyond, it
/// counts as a cycle of rules; no sheet that a person wrote comes near.
const MAX_PAIRS: usize = 1_000_000;

pub(super) fn check(sheet: &Sheet, findings: &mut Findings) {
    let graph = &sheet.graph;
    let mut rules_by_component: Option<HashMap<u32, Vec<&Rule>>> = None;
    for (place, component) in graph.components.iter().enumerate() {
        let inside = |relation: u32| graph.component_of[relation as usize] as usize == place;
        // Once a component: its other negations are on cycles with this one.
        let negation = component.iter().find_map(|&head| {
            let edges = &graph.conditions[head as usize];
            let &(to, _) = edges.iter().find(|&&(to, negated)| negated && inside(to))?;
            Some((head, to, sheet.edges.place(head, to, true)?))
        });
        let Some((head, to, span)) = negation else { continue };
        let rules = rules_by_component.get_or_insert_with(|| by_component(sheet));
        let rules = rules.get(&(place as u32)).map_or(&[][..], |rules| rules);
        let name = sheet.relation(head);
        let (code, message, help) = if rules_are_stratified(sheet, rules) {
            (
                Code::LocallyStratified,
                format!("`{name}` depends on its own negation, though for other arguments"),
                "use a relation of its own for what is denied here",
            )
        } else {
            (
                Code::NotStratified,
                format!("`{name}` depends on its own negation"),
                "break the cycle: one of these relations must not ask for the next",
            )
        };
        findings.report(code, || {
            let mut diagnostic = Diagnostic::new(code, span, message)
                .with_label(format!("`{name}` depends on not `{}` here", sheet.relation(to)))
                .with_help(help);
            diagnostic.related = steps(sheet, &next_hops(graph, &[head], inside), to);
            diagnostic
        });
    }
}

/// The rules by the component of their heads.
fn by_component<'a>(sheet: &Sheet<'a>) -> HashMap<u32, Vec<&'a Rule>> {
    let mut rules: HashMap<u32, Vec<&Rule>> = HashMap::new();
    for rule in sheet.played.iter().map(|rule| rule.rule) {
        if let Some(head) = sheet.number(&rule.head) {
            rules.entry(sheet.graph.component_of[head as usize]).or_default().push(rule);
        }
    }
    rules
}

/// Whether no cycle of these rules goes through a negation.
fn rules_are_stratified(sheet: &Sheet, rules: &[&Rule]) -> bool {
    let mut rules_of: HashMap<u32, Vec<u32>> = HashMap::new();
    for (index, rule) in rules.iter().enumerate() {
        if let Some(head) = sheet.number(&rule.head) {
            rules_of.entry(head).or_default().push(index as u32);
        }
    }
    let mut successors = vec![Vec::new(); rules.len()];
    let mut negative = Vec::new();
    let mut pairs = 0;
    for (from, rule) in rules.iter().enumerate() {
        for literal in &rule.body {
            literal.for_each_sentence(&mut |sentence, negated| {
                let heads = sheet.number(sentence).and_then(|number| rules_of.get(&number));
                let heads = heads.map_or(&[][..], |heads| heads);
                pairs += heads.len();
                if pairs > MAX_PAIRS {
                    return;
                }
                for &to in heads {
                    if may_match(sentence, &rules[to as usize].head) {
                        successors[from].push(to);
                        if negated {
                            negative.push((from, to as usize));
                        }
                    }
                }
            });
        }
    }
    if pairs > MAX_PAIRS {
        return false;
    }
    let mut component_of = vec![0; rules.len()];
    for (place, component) in strongly_connected(&successors).iter().enumerate() {
        component.iter().for_each(|&rule| component_of[rule as usize] = place);
    }
    negative.iter().all(|&(from, to)| component_of[from] != component_of[to])
}

/// Whether a condition and a head of the same relation have no two names in the same place
/// that differ. What this denies cannot be unified.
fn may_match(condition: &Sentence, head: &Sentence) -> bool {
    fn terms_may_match(left: &Term, right: &Term) -> bool {
        match (left, right) {
            (Term::Variable(_), _) | (_, Term::Variable(_)) => true,
            (Term::Function(f, left), Term::Function(g, right)) => {
                f == g
                    && left.len() == right.len()
                    && left.iter().zip(right).all(|(left, right)| terms_may_match(left, right))
            }
            _ => left == right,
        }
    }
    condition.args.iter().zip(&head.args).all(|(left, right)| terms_may_match(left, right))
}

#[cfg(test)]
mod tests {
    use crate::check::tests::{SOUND, diagnose, marked};
    use gdlr_text::diagnostic::Code;

    #[test]
    fn a_cycle_through_negation_is_shown_step_by_step() {
        let text = "(<= (p ?x) (q ?x) (not (r ?x))) (<= (r ?x) (s ?x)) (<= (s ?x) (p ?x)) (q 1)";
        assert_eq!(marked(text, Code::NotStratified), ["(r ?x)"]);
        let diagnostics = diagnose(text);
        let cycle = &diagnostics.iter().find(|d| d.code == Code::NotStratified).unwrap().related;
        let words: Vec<_> = cycle.iter().map(|(_, words)| &**words).collect();
        assert_eq!(words, ["`r` depends on `s` here", "`s` depends on `p` here"]);
        assert_eq!(&text[cycle[1].0.range()], "(p ?x)");
    }

    #[test]
    fn a_relation_that_denies_itself() {
        let text = "(<= (p ?x) (q ?x) (or (not (p ?x)) (not (p 2)))) (q 1)";
        assert_eq!(marked(text, Code::NotStratified), ["(p ?x)"]);
    }

    #[test]
    fn negation_beside_a_cycle() {
        assert!(marked(SOUND, Code::NotStratified).is_empty());
        let text =
            "(<= (p ?x) (p ?x) (not (q ?x))) (<= (q ?x) (r ?x)) (<= (p 1) (not (not (p 2))))";
        assert!(marked(text, Code::NotStratified).is_empty());
        // The state breaks the cycle.
        let text = "(<= (next (p)) (not (true (p))))";
        assert!(marked(text, Code::NotStratified).is_empty());
    }

    #[test]
    fn a_cycle_of_relations_but_not_of_rules() {
        let local = |text| {
            [Code::LocallyStratified, Code::NotStratified].map(|code| marked(text, code).len())
        };
        let goals = "(<= (goal ?r 100) (q ?r)) (<= (goal ?r 0) (role ?r) (not (goal ?r 100)))";
        assert_eq!(local(goals), [1, 0]);
        assert_eq!(local("(<= (p (f ?x)) (q ?x) (not (p (g ?x)))) (p (g 1))"), [1, 0]);
        assert_eq!(local("(<= (p (f ?x)) (q ?x) (not (p ?x)))"), [0, 1]);
        let back = "(<= (p 1) (not (p 2))) (<= (p 2) (r)) (<= (r) (p 1))";
        assert_eq!(local(back), [0, 1]);
    }
}
