//! The size of a rulesheet, in numbers.

use super::{Dependencies, Game};

/// The size of a rulesheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figures {
    /// The roles, in their order.
    pub roles: Vec<String>,
    /// Rules without conditions.
    pub facts: usize,
    /// Rules with conditions.
    pub rules: usize,
    /// Relations, those of different arity apart.
    pub relations: usize,
    /// Strata: one more than the most negations on a path through the dependency graph (SPEC,
    /// definition 12).
    pub strata: usize,
    /// The groups of relations that depend on each other, as `name/arity`.
    pub recursive: Vec<Vec<String>>,
}

impl Figures {
    /// Of a rulesheet. Linear in it.
    pub fn of(game: &Game) -> Figures {
        let graph = Dependencies::new(&game.rules);
        let spelled = |number: u32| {
            let relation = graph.relations[number as usize];
            format!("{}/{}", relation.symbol.spelled(&game.symbols), relation.arity)
        };
        let recursive = graph
            .components
            .iter()
            .filter(|members| match members[..] {
                [one] => graph.conditions[one as usize].iter().any(|&(to, _)| to == one),
                _ => true,
            })
            .map(|members| members.iter().map(|&number| spelled(number)).collect())
            .collect();
        let facts = game.rules.iter().filter(|rule| rule.body.is_empty()).count();
        Figures {
            roles: game.roles.iter().map(|role| role.spelled(&game.symbols)).collect(),
            facts,
            rules: game.rules.len() - facts,
            relations: graph.relations.len(),
            strata: strata(&graph),
            recursive,
        }
    }
}

fn strata(graph: &Dependencies) -> usize {
    let mut level = vec![0usize; graph.components.len()];
    for (place, members) in graph.components.iter().enumerate() {
        for &(to, negated) in members.iter().flat_map(|&m| &graph.conditions[m as usize]) {
            let below = graph.component_of[to as usize] as usize;
            if below != place {
                level[place] = level[place].max(level[below] + usize::from(negated));
            }
        }
    }
    level.iter().max().map_or(0, |most| most + 1)
}
