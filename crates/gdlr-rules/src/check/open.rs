//! Open relations: rules that leave variables of their head to whoever uses them.
//!
//! `(<= (same ?x ?y) (not (high ?x)) (not (high ?y)))` is unsafe, for `same` then holds of
//! infinitely many terms. Yet a rule that binds both variables before it asks has a clear
//! meaning, and a top-down prover plays it (the public sheet pilgrimage needs that). So a
//! relation that is not recursive may be *open*: it binds nothing, like a `not`, and each of
//! its uses must bind all its arguments in another way. Within its own rules the variables
//! of the head count as bound.

use super::guaranteed::guaranteed;
use super::placed::PlacedRule;
use super::sheet::Sheet;
use crate::gdl::{Literal, Sentence, Variable};

/// Which relations are open.
pub(super) struct Open<'a> {
    sheet: &'a Sheet<'a>,
    /// By relation.
    open: Vec<bool>,
}

impl<'a> Open<'a> {
    /// Looks at each rule once, conditions before heads.
    pub fn find(sheet: &'a Sheet<'a>) -> Self {
        let graph = &sheet.graph;
        let count = graph.relations.len();
        let mut rules_of: Vec<Vec<PlacedRule>> = vec![Vec::new(); count];
        for rule in sheet.played.iter().filter(|rule| rule.is_implication()) {
            if let Some(head) = sheet.number(&rule.rule.head) {
                rules_of[head as usize].push(*rule);
            }
        }
        let mut open_relations = Open { sheet, open: vec![false; count] };
        for component in &graph.components {
            if let &[relation] = &component[..]
                && !graph.in_cycle(relation, relation)
                && !graph.relations[relation as usize].symbol.is_keyword()
            {
                let open =
                    rules_of[relation as usize].iter().any(|rule| open_relations.opens(rule));
                open_relations.open[relation as usize] = open;
            }
        }
        open_relations
    }

    /// Whether a sentence is of an open relation.
    pub fn is_open(&self, sentence: &Sentence) -> bool {
        self.sheet.number(sentence).is_some_and(|number| self.open[number as usize])
    }

    /// The variables that a condition binds, whichever way it comes true; `None` when there
    /// is no such way.
    pub fn binds(&self, literal: &Literal) -> Option<Vec<Variable>> {
        guaranteed(literal, false, &|sentence: &Sentence, out| {
            if !self.is_open(sentence) {
                sentence.args.iter().for_each(|term| term.for_each_variable(&mut |v| out.push(v)));
            }
        })
    }

    /// Whether some variable of a rule's head is bound by no condition.
    fn opens(&self, rule: &PlacedRule) -> bool {
        let mut bound = vec![false; rule.rule.variables.len()];
        for literal in &rule.rule.body {
            match self.binds(literal) {
                Some(variables) => variables.iter().for_each(|v| bound[usize::from(v.0)] = true),
                // The rule never applies.
                None => return false,
            }
        }
        let mut open = false;
        for term in &rule.rule.head.args {
            term.for_each_variable(&mut |v| open |= !bound[usize::from(v.0)]);
        }
        open
    }
}
