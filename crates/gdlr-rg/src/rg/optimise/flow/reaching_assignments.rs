//! Available expressions: the expression that a variable still equals. After `x = e` that is `e`,
//! up to an assignment to `x` or to a variable in `e`.
//!
//! In `x = f[x]`, the `x` on the right is the old one. So `f[x]` can stand for `x` only if the
//! assignment itself is removed.

use super::live_variables::Live;
use super::patricia::{Forest, Map, Rule};
use super::{Analysis, Direction};
use crate::rg::name::Name;
use crate::rg::optimise::program::{Edge, EdgeId, ExprId, Label, Node, Program};
use hashbrown::HashMap;
use std::rc::Rc;

/// By live variable: the number of the expression that can stand for it.
pub struct ReachingAssignments<'l> {
    live: &'l Live,
    /// By variable: the variables that are assigned an expression that contains it.
    dependent: HashMap<Name, Rc<[Name]>>,
    /// The expressions, by number.
    expressions: HashMap<u32, ExprId>,
    forest: Forest<u32>,
}

impl ReachingAssignments<'_> {
    /// The analysis, for the live variables of a program.
    pub fn new<'l>(program: &Program, live: &'l Live) -> ReachingAssignments<'l> {
        let mut analysis = ReachingAssignments {
            live,
            dependent: HashMap::new(),
            expressions: HashMap::new(),
            forest: Forest::default(),
        };
        let mut dependent: HashMap<Name, Vec<Name>> = HashMap::new();
        for (_, edge) in program.edges() {
            let Some((variable, value)) = assigned(program, edge.label) else { continue };
            analysis.expressions.insert(value.index() as u32, value);
            for &read in program.expressions.reads(value).iter().filter(|&&read| read != variable) {
                dependent.entry(read).or_default().push(variable);
            }
        }
        for (read, mut variables) in dependent {
            variables.sort_unstable();
            variables.dedup();
            analysis.dependent.insert(read, variables.into());
        }
        analysis
    }

    /// The expression that can stand for a variable.
    pub fn of(&self, knowledge: Map, variable: Name) -> Option<ExprId> {
        Some(self.expressions[&self.forest.get(knowledge, variable.index() as u32)?])
    }
}

/// The variable and the expression of an assignment to a whole variable.
fn assigned(program: &Program, label: Label) -> Option<(Name, ExprId)> {
    let Label::Assign { target, value } = label else { return None };
    let variable = program.expressions.as_variable(target)?;
    Some((variable, value))
}

impl Analysis for ReachingAssignments<'_> {
    type Knowledge = Map;

    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&mut self, _: &Program, _: Node) -> Option<Map> {
        Some(Map::EMPTY)
    }

    fn transfer(
        &mut self,
        program: &Program,
        _: EdgeId,
        edge: Edge,
        knowledge: &Map,
    ) -> Option<Map> {
        let mut knowledge = *knowledge;
        if let Some(written) = program.written(edge.label) {
            let live = self.live.has(edge.to, written);
            if live {
                knowledge = self.forest.remove(knowledge, written.index() as u32);
            }
            let dependent = self.dependent.get(&written).map(Rc::clone);
            for &dependent in dependent.iter().flat_map(|all| all.iter()) {
                let equals = self.of(knowledge, dependent);
                if equals.is_some_and(|expr| program.expressions.mentions(expr, written)) {
                    knowledge = self.forest.remove(knowledge, dependent.index() as u32);
                }
            }
            if let Some((variable, value)) = assigned(program, edge.label)
                && live
            {
                let (key, value) = (variable.index() as u32, value.index() as u32);
                knowledge = self.forest.insert(knowledge, key, value);
            }
        }
        Some(knowledge)
    }

    fn join(&mut self, node: Node, one: &Map, other: &Map) -> Map {
        let mut same = |_, left, right| (left == right).then_some(left);
        self.forest.common(*one, *other, self.live.at(node), Rule::Join, &mut same)
    }

    fn bytes(&self) -> usize {
        self.forest.bytes()
    }
}
