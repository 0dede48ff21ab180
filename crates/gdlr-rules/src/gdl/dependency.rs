//! The dependency graph of a rulesheet and its strata (SPEC, definitions 7, 8 and 12).

use super::{Rule, Symbol};
use gdlr_text::graph::strongly_connected;
use hashbrown::HashMap;

/// A relation: its name and its arity. One name with two arities is two relations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelationName {
    /// The name.
    pub symbol: Symbol,
    /// The number of arguments.
    pub arity: usize,
}

/// Which relation depends on which.
#[derive(Clone, Debug)]
pub struct Dependencies {
    /// The relations, in order of first appearance; their places number them.
    pub relations: Vec<RelationName>,
    /// By relation: the relations in the bodies of its rules, and whether negated there.
    /// Each pair once.
    pub conditions: Vec<Vec<(u32, bool)>>,
    /// The strongly connected components, each after those it depends on.
    pub components: Vec<Vec<u32>>,
    /// By relation: the place of its component.
    pub component_of: Vec<u32>,
    numbers: HashMap<RelationName, u32>,
}

impl Dependencies {
    /// The graph of rules: an edge from the head of each rule to every relation in its body.
    /// `true` and `does` have no rules, so they end every path.
    pub fn new<'r>(rules: impl IntoIterator<Item = &'r Rule>) -> Dependencies {
        let mut graph = Dependencies {
            relations: Vec::new(),
            conditions: Vec::new(),
            components: Vec::new(),
            component_of: Vec::new(),
            numbers: HashMap::new(),
        };
        for rule in rules {
            let head = graph.add(rule.head.relation, rule.head.args.len());
            for literal in &rule.body {
                literal.for_each_sentence(&mut |sentence, negated| {
                    let edge = (graph.add(sentence.relation, sentence.args.len()), negated);
                    graph.conditions[head as usize].push(edge);
                });
            }
        }
        for edges in &mut graph.conditions {
            edges.sort_unstable();
            edges.dedup();
        }
        let successors: Vec<Vec<u32>> = graph
            .conditions
            .iter()
            .map(|edges| edges.iter().map(|&(relation, _)| relation).collect())
            .collect();
        graph.components = strongly_connected(&successors);
        graph.component_of = vec![0; graph.relations.len()];
        for (place, component) in graph.components.iter().enumerate() {
            for &relation in component {
                graph.component_of[relation as usize] = place as u32;
            }
        }
        graph
    }

    fn add(&mut self, symbol: Symbol, arity: usize) -> u32 {
        let name = RelationName { symbol, arity };
        *self.numbers.entry(name).or_insert_with(|| {
            self.relations.push(name);
            self.conditions.push(Vec::new());
            (self.relations.len() - 1) as u32
        })
    }

    /// The number of a relation, if the rulesheet mentions it.
    pub fn number(&self, symbol: Symbol, arity: usize) -> Option<u32> {
        self.numbers.get(&RelationName { symbol, arity }).copied()
    }

    /// Whether two relations lie on a common cycle, or are the same and on a cycle.
    pub fn in_cycle(&self, a: u32, b: u32) -> bool {
        let component = self.component_of[a as usize];
        component == self.component_of[b as usize]
            && (self.components[component as usize].len() > 1
                || self.conditions[a as usize].iter().any(|&(relation, _)| relation == a))
    }

    /// By relation: its stratum, the most negations on any path from it; `None` when there
    /// is a cycle through a negation, so that the rules are not stratified.
    pub fn strata(&self) -> Option<Vec<u32>> {
        let mut stratum = vec![0u32; self.relations.len()];
        for (place, component) in self.components.iter().enumerate() {
            let mut level = 0;
            for &relation in component {
                for &(condition, negated) in &self.conditions[relation as usize] {
                    let inside = self.component_of[condition as usize] as usize == place;
                    if inside && negated {
                        return None;
                    }
                    if !inside {
                        level = level.max(stratum[condition as usize] + u32::from(negated));
                    }
                }
            }
            component.iter().for_each(|&relation| stratum[relation as usize] = level);
        }
        Some(stratum)
    }

    /// By relation: whether it is one of `sources` or one of them depends on it, through any path.
    pub fn reached(&self, sources: impl IntoIterator<Item = u32>) -> Vec<bool> {
        let mut reached = vec![false; self.relations.len()];
        sources.into_iter().for_each(|source| reached[source as usize] = true);
        for component in self.components.iter().rev() {
            if component.iter().any(|&relation| reached[relation as usize]) {
                for &relation in component {
                    reached[relation as usize] = true;
                    let conditions = &self.conditions[relation as usize];
                    conditions
                        .iter()
                        .for_each(|&(condition, _)| reached[condition as usize] = true);
                }
            }
        }
        reached
    }

    /// By relation: whether it is one of `sources` or depends on one, through any path.
    pub fn reaching(&self, sources: &[u32]) -> Vec<bool> {
        let mut reaches = vec![false; self.relations.len()];
        sources.iter().for_each(|&source| reaches[source as usize] = true);
        for component in &self.components {
            let any = component.iter().any(|&relation| {
                reaches[relation as usize]
                    || self.conditions[relation as usize].iter().any(|&(c, _)| reaches[c as usize])
            });
            if any {
                component.iter().for_each(|&relation| reaches[relation as usize] = true);
            }
        }
        reaches
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gdl::Game;

    fn graph(text: &str) -> (Game, Dependencies) {
        let game = Game::from_kif("t", text).unwrap();
        let graph = Dependencies::new(&game.rules);
        (game, graph)
    }

    #[test]
    fn strata_count_negations() {
        let (game, graph) = graph(
            "(<= (p ?x) (q ?x) (not (r ?x))) (<= (r ?x) (q ?x) (not (s ?x))) (<= (s ?x) (q ?x)) (q 1)",
        );
        let stratum = |name: &str| {
            let symbol = game.symbols.get(name).unwrap();
            graph.strata().unwrap()[graph.number(symbol, 1).unwrap() as usize]
        };
        assert_eq!([stratum("p"), stratum("r"), stratum("s"), stratum("q")], [2, 1, 0, 0]);
    }

    #[test]
    fn a_cycle_through_negation_has_no_strata() {
        assert!(graph("(<= (p ?x) (q ?x) (not (r ?x))) (<= (r ?x) (p ?x))").1.strata().is_none());
        assert!(graph("(<= (p ?x) (q ?x) (not (not (p ?x))))").1.strata().is_some());
    }

    #[test]
    fn reaching_follows_all_paths() {
        let (game, graph) = graph("(<= (a) (b)) (<= (b) (true x)) (<= (c) (d))");
        let reaches = graph.reaching(&[graph.number(Symbol::TRUE, 1).unwrap()]);
        let of = |name: &str| {
            reaches[graph.number(game.symbols.get(name).unwrap(), 0).unwrap() as usize]
        };
        assert_eq!([of("a"), of("b"), of("c"), of("d")], [true, true, false, false]);
        let a = graph.number(game.symbols.get("a").unwrap(), 0);
        let reached = graph.reached(a);
        let of = |name: &str| {
            reached[graph.number(game.symbols.get(name).unwrap(), 0).unwrap() as usize]
        };
        assert_eq!([of("a"), of("b"), of("c"), of("d")], [true, true, false, false]);
        assert!(reached[graph.number(Symbol::TRUE, 1).unwrap() as usize]);
    }
}
