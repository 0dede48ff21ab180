//! Which relation of a rulesheet depends on which.

use super::diagram::{Diagram, Kind};
use gdlr_rules::gdl::{Dependencies, Game, RelationName, Sentence, Symbol, Term};
use hashbrown::{HashMap, HashSet};

/// A relation; for what is true of states, with the function of the fact.
type Name = (RelationName, Option<(Symbol, usize)>);

/// The relations of a rulesheet and what their rules ask for, as a document of SVG: an arrow leads
/// from a relation to each whose rules ask for it, dashed where they ask that it does not hold.
///
/// The facts of states are shown by their functions, as rules read them and as they are in the next
/// state. Recursion has a thick rim; where there are several strata, a small number says which.
/// `None` if there are more than 400 nodes. Linear in the rules, and near linear in what is drawn.
pub fn dependencies(game: &Game) -> Option<String> {
    let graph = Dependencies::new(&game.rules);
    let strata = graph.strata();
    let is_layered = strata.as_ref().is_some_and(|strata| strata.iter().any(|&of| of > 0));
    let has_conditions: HashSet<Symbol> = game
        .rules
        .iter()
        .filter(|rule| !rule.body.is_empty())
        .map(|rule| rule.head.relation)
        .collect();
    let mut diagram = Diagram {
        name: format!("{}: relations", game.name),
        legend: vec![
            (Kind::State, "fact of the state"),
            (Kind::Move, "move"),
            (Kind::Static, "listed facts"),
            (Kind::Plain, "relation with rules"),
            (Kind::Answer, "what play asks"),
        ],
        ..Diagram::default()
    };
    let mut numbers: HashMap<Name, usize> = HashMap::new();
    let mut add = |diagram: &mut Diagram, sentence: &Sentence| {
        let relation = RelationName { symbol: sentence.relation, arity: sentence.args.len() };
        let function = match sentence.relation {
            Symbol::TRUE | Symbol::NEXT | Symbol::INIT => function(&sentence.args),
            _ => None,
        };
        *numbers.entry((relation, function)).or_insert_with(|| {
            let kind = match sentence.relation {
                Symbol::TRUE => Kind::State,
                Symbol::DOES => Kind::Move,
                Symbol::NEXT | Symbol::LEGAL | Symbol::GOAL | Symbol::TERMINAL | Symbol::SEES => {
                    Kind::Answer
                }
                name if has_conditions.contains(&name) => Kind::Plain,
                _ => Kind::Static,
            };
            let named = |(symbol, arity): (Symbol, usize)| {
                format!("{}/{arity}", symbol.spelled(&game.symbols))
            };
            let node = diagram.add(
                kind,
                match (function, sentence.relation) {
                    (Some(function), Symbol::TRUE) => named(function),
                    (Some(function), name) => {
                        format!("{} {}", name.spelled(&game.symbols), named(function))
                    }
                    (None, name) => named((name, relation.arity)),
                },
            );
            if let Some(number) = graph.number(relation.symbol, relation.arity) {
                let is_next = relation.symbol == Symbol::NEXT;
                diagram.nodes[node].is_thick = !is_next && graph.in_cycle(number, number);
                if let Some(stratum) = strata.as_ref().map(|strata| strata[number as usize])
                    && stratum > 0
                {
                    diagram.nodes[node].note = stratum.to_string();
                }
            }
            node
        })
    };
    for rule in &game.rules {
        // What is listed for the initial state and the roles is no relation to reason with, unless
        // rules ask for it.
        let is_listed = matches!(
            rule.head.relation,
            Symbol::INIT | Symbol::ROLE | Symbol::BASE | Symbol::INPUT
        );
        if is_listed && rule.body.is_empty() {
            continue;
        }
        let head = add(&mut diagram, &rule.head);
        for literal in &rule.body {
            literal.for_each_sentence(&mut |sentence, negated| {
                let condition = add(&mut diagram, sentence);
                diagram.join(condition, head, negated, true);
            });
        }
    }
    if diagram.arrows.iter().any(|arrow| arrow.is_dashed) {
        diagram.notes.push("dashed: asked not to hold".to_owned());
    }
    if diagram.nodes.iter().any(|node| node.is_thick) {
        diagram.notes.push("thick rim: depends on itself".to_owned());
    }
    if is_layered {
        diagram.notes.push(
            "number: stratum, the most negations on the way to it; 0 is not shown".to_owned(),
        );
    } else if strata.is_none() {
        diagram
            .notes
            .push("a relation depends on its own negation: there are no strata".to_owned());
    }
    diagram.svg()
}

/// The outermost function of a fact, or the constant that it is.
fn function(args: &[Term]) -> Option<(Symbol, usize)> {
    match args {
        [Term::Function(name, args)] => Some((*name, args.len())),
        [Term::Constant(name)] => Some((*name, 0)),
        _ => None,
    }
}
