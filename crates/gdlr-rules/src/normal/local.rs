//! Rules that are stratified only when a relation is divided by a constant.
//!
//! Public rulesheets say `(<= (goal ?r 0) (role ?r) (not (goal ?r 100)))`. By the names of
//! the relations that is a cycle through negation (SPEC, definition 8); yet no sentence
//! depends on its own negation, and players have always accepted it. Where every head of a
//! relation has a constant at some argument, the relation is divided: one relation for each
//! constant, of which the relation itself is the union. If that makes the rules stratified,
//! they have the same meaning as before.

use super::error::NormalError;
use super::names::Names;
use crate::gdl::{Dependencies, Literal, LiteralKind, Rule, Sentence, Symbol, Term, Variable};
use gdlr_text::budget::Meter;
use gdlr_text::diagnostic::Diagnostic;
use hashbrown::HashMap;
use std::borrow::Cow;

/// The rules of the game, their relations divided so that they become stratified. As they
/// are if they need not be or if that does not help.
pub(super) fn divide<'r>(
    rules: Cow<'r, [Rule]>,
    names: &mut Names,
    meter: &Meter<'_>,
) -> Result<Cow<'r, [Rule]>, NormalError> {
    let dependencies = Dependencies::new(&*rules);
    if dependencies.strata().is_some() {
        return Ok(rules);
    }
    let mut divided = rules.to_vec();
    let mut divided_names = names.clone();
    for (relation, edges) in dependencies.conditions.iter().enumerate() {
        let own = dependencies.component_of[relation];
        if !edges.iter().any(|&(c, not)| not && dependencies.component_of[c as usize] == own) {
            continue;
        }
        meter.spend(rules.len())?;
        let name = dependencies.relations[relation];
        let place = (0..name.arity).rev().find(|&place| {
            let mut heads = heads_of(&rules, name.symbol, name.arity);
            heads.all(|head| matches!(head.args[place], Term::Constant(_)))
        });
        if let Some(place) = place {
            divide_relation(&mut divided, &mut divided_names, name.symbol, name.arity, place)?;
        }
    }
    if Dependencies::new(&divided).strata().is_none() {
        return Ok(rules);
    }
    *names = divided_names;
    Ok(Cow::Owned(divided))
}

fn heads_of(rules: &[Rule], symbol: Symbol, arity: usize) -> impl Iterator<Item = &Sentence> {
    let is_it = move |head: &&Sentence| head.relation == symbol && head.args.len() == arity;
    rules.iter().map(|rule| &rule.head).filter(is_it)
}

/// Divides a relation by the constants at an argument.
fn divide_relation(
    rules: &mut Vec<Rule>,
    names: &mut Names,
    symbol: Symbol,
    arity: usize,
    place: usize,
) -> Result<(), Diagnostic> {
    let mut parts: HashMap<Symbol, Symbol> = HashMap::new();
    let constants: Vec<Symbol> = heads_of(rules, symbol, arity)
        .filter_map(|head| match head.args[place] {
            Term::Constant(constant) => Some(constant),
            _ => None,
        })
        .collect();
    let mut unions = Vec::new();
    for constant in constants {
        if parts.contains_key(&constant) {
            continue;
        }
        let part =
            names.make_up(format!("{} {}", names.spelling(symbol), names.spelling(constant)))?;
        parts.insert(constant, part);
        let rule = rules.iter().find(|r| r.head.relation == symbol);
        let span = rule.map(|rule| rule.span).unwrap_or_default();
        let args: Vec<Term> = (0..arity)
            .map(|i| match i == place {
                true => Term::Constant(constant),
                false => Term::Variable(Variable(i as u16)),
            })
            .collect();
        let condition = Sentence { relation: part, args: args.clone(), span };
        unions.push(Rule {
            head: Sentence { relation: symbol, args, span },
            body: vec![Literal { span, kind: LiteralKind::Sentence(condition) }],
            span,
            variables: (0..arity).map(|i| format!("?{i}").into()).collect(),
        });
    }
    let rename = |sentence: &mut Sentence| {
        if sentence.relation == symbol
            && sentence.args.len() == arity
            && let Term::Constant(constant) = sentence.args[place]
            && let Some(&part) = parts.get(&constant)
        {
            sentence.relation = part;
        }
    };
    for rule in rules.iter_mut() {
        rename(&mut rule.head);
        rule.body.iter_mut().for_each(|literal| rename_in(literal, &rename));
    }
    rules.append(&mut unions);
    Ok(())
}

fn rename_in(literal: &mut Literal, rename: &impl Fn(&mut Sentence)) {
    match &mut literal.kind {
        LiteralKind::Sentence(sentence) => rename(sentence),
        LiteralKind::Not(inner) => rename_in(inner, rename),
        LiteralKind::Or(items) => items.iter_mut().for_each(|item| rename_in(item, rename)),
        LiteralKind::Distinct(..) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gdl::Game;
    use std::sync::Arc;

    fn stratified(text: &str) -> bool {
        let game = Arc::new(Game::from_kif("t", text).unwrap());
        let rules =
            divide(Cow::Borrowed(&game.rules), &mut Names::new(game.clone()), &Meter::unlimited())
                .unwrap();
        Dependencies::new(&*rules).strata().is_some()
    }

    #[test]
    fn goals_that_deny_each_other_are_stratified() {
        assert!(stratified(
            "(<= (goal ?r 100) won) (<= (goal ?r 0) (role ?r) (not (goal ?r 100)))"
        ));
    }

    #[test]
    fn a_true_cycle_stays_one() {
        assert!(!stratified(
            "(<= (p ?r 1) (q ?r) (not (p ?r 0))) (<= (p ?r 0) (q ?r) (not (p ?r 1)))"
        ));
        assert!(!stratified("(<= (p ?r ?x) (q ?r ?x) (not (p ?r 0)))"));
    }
}
