//! Which relation of a rulesheet depends on which.

use super::diagram::{Diagram, Kind};
use gdlr_rules::gdl::{Dependencies, Game, RelationName, Rule, Sentence, Symbol, Term};
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
    let mut drawing = Drawing {
        game,
        strata: graph.strata(),
        graph: &graph,
        has_conditions: with_conditions(&game.rules),
        numbers: HashMap::new(),
        diagram: Diagram {
            name: format!("{}: relations", game.name),
            legend: vec![
                (Kind::State, "fact of the state"),
                (Kind::Move, "move"),
                (Kind::Static, "listed facts"),
                (Kind::Plain, "relation with rules"),
                (Kind::Answer, "what play asks"),
            ],
            ..Diagram::default()
        },
    };
    for rule in &game.rules {
        // `init` and `role` are no relations to reason with, unless
        // rules ask for it.
        let is_listed = matches!(
            rule.head.relation,
            Symbol::INIT | Symbol::ROLE | Symbol::BASE | Symbol::INPUT
        );
        if is_listed && rule.body.is_empty() {
            continue;
        }
        let head = drawing.node(&rule.head);
        for literal in &rule.body {
            literal.for_each_sentence(&mut |sentence, negated| {
                let condition = drawing.node(sentence);
                drawing.diagram.join(condition, head, negated, true);
            });
        }
    }
    drawing.add_notes();
    drawing.diagram.svg()
}

/// The relations that have rules with conditions.
fn with_conditions(rules: &[Rule]) -> HashSet<Symbol> {
    let conditional = rules.iter().filter(|rule| !rule.body.is_empty());
    conditional.map(|rule| rule.head.relation).collect()
}

/// A diagram in the making.
struct Drawing<'g> {
    game: &'g Game,
    graph: &'g Dependencies,
    /// By relation of the graph: its stratum, if there are strata.
    strata: Option<Vec<u32>>,
    has_conditions: HashSet<Symbol>,
    /// The nodes that there are.
    numbers: HashMap<Name, usize>,
    diagram: Diagram,
}

impl Drawing<'_> {
    /// The node of a relation; there is one for each function of facts.
    fn node(&mut self, sentence: &Sentence) -> usize {
        let relation = RelationName { symbol: sentence.relation, arity: sentence.args.len() };
        let function = match sentence.relation {
            Symbol::TRUE | Symbol::NEXT | Symbol::INIT => function(&sentence.args),
            _ => None,
        };
        if let Some(&node) = self.numbers.get(&(relation, function)) {
            return node;
        }
        let node = self.diagram.add(self.kind(sentence.relation), self.label(relation, function));
        if let Some(number) = self.graph.number(relation.symbol, relation.arity) {
            let is_next = relation.symbol == Symbol::NEXT;
            self.diagram.nodes[node].is_thick = !is_next && self.graph.in_cycle(number, number);
            if let Some(stratum) = self.strata.as_ref().map(|strata| strata[number as usize])
                && stratum > 0
            {
                self.diagram.nodes[node].note = stratum.to_string();
            }
        }
        self.numbers.insert((relation, function), node);
        node
    }

    fn kind(&self, relation: Symbol) -> Kind {
        match relation {
            Symbol::TRUE => Kind::State,
            Symbol::DOES => Kind::Move,
            Symbol::NEXT | Symbol::LEGAL | Symbol::GOAL | Symbol::TERMINAL | Symbol::SEES => {
                Kind::Answer
            }
            name if self.has_conditions.contains(&name) => Kind::Plain,
            _ => Kind::Static,
        }
    }

    fn label(&self, relation: RelationName, function: Option<(Symbol, usize)>) -> String {
        let spelled = |symbol: Symbol| symbol.spelled(&self.game.symbols);
        let named = |(symbol, arity): (Symbol, usize)| format!("{}/{arity}", spelled(symbol));
        match (function, relation.symbol) {
            (Some(function), Symbol::TRUE) => named(function),
            (Some(function), name) => format!("{} {}", spelled(name), named(function)),
            (None, name) => named((name, relation.arity)),
        }
    }

    /// Says what dashes, thick rims and numbers mean, if there are such.
    fn add_notes(&mut self) {
        let Diagram { arrows, nodes, notes, .. } = &mut self.diagram;
        if arrows.iter().any(|arrow| arrow.is_dashed) {
            notes.push("dashed: asked not to hold".to_owned());
        }
        if nodes.iter().any(|node| node.is_thick) {
            notes.push("thick rim: depends on itself".to_owned());
        }
        match &self.strata {
            Some(strata) if strata.iter().any(|&of| of > 0) => notes.push(
                "number: stratum, the most negations on the way to it; 0 is not shown".to_owned(),
            ),
            Some(_) => {}
            None => {
                notes.push("a relation depends on its own negation: there are no strata".to_owned())
            }
        }
    }
}

/// The outermost function of a fact, or the constant that it is.
fn function(args: &[Term]) -> Option<(Symbol, usize)> {
    match args {
        [Term::Function(name, args)] => Some((*name, args.len())),
        [Term::Constant(name)] => Some((*name, 0)),
        _ => None,
    }
}
