//! Constant propagation: the variables that have one value at a node on all walks, and that value.

use super::live_variables::Live;
use super::patricia::{Forest, Map, Rule};
use super::{Analysis, Direction};
use crate::rg::name::Name;
use crate::rg::optimise::program::{Edge, EdgeId, ExprId, Label, Node, Program, Shape, Val};
use hashbrown::HashMap;

/// By live variable that is no map: the number of its symbol.
pub struct Constants<'l> {
    live: &'l Live,
    symbols: HashMap<u32, Name>,
    forest: Forest<u32>,
}

impl Constants<'_> {
    /// The analysis, for the live variables of a program.
    pub fn new(live: &Live) -> Constants<'_> {
        Constants { live, symbols: HashMap::new(), forest: Forest::default() }
    }

    /// The symbol that a variable has.
    pub fn of(&self, knowledge: Map, variable: Name) -> Option<Name> {
        Some(self.symbols[&self.forest.get(knowledge, variable.index() as u32)?])
    }

    /// The value of an expression, if the known variables determine it.
    pub fn evaluate(&self, program: &Program, knowledge: Map, expr: ExprId) -> Option<Val> {
        if program.expressions.reads(expr).is_empty() {
            return program.evaluate(expr);
        }
        match program.expressions.shape(expr) {
            Shape::Name(name) => Some(Val::Symbol(self.of(knowledge, name)?)),
            Shape::Access { map, key } => {
                let Val::Map(map) = self.evaluate(program, knowledge, map)? else { return None };
                let Val::Symbol(key) = self.evaluate(program, knowledge, key)? else { return None };
                match map.get(key) {
                    Some(value) => Some(value.clone()),
                    None => map.default.clone(),
                }
            }
        }
    }

    /// Records that a variable has a symbol at a node, if it is live there.
    fn set(&mut self, node: Node, knowledge: &mut Map, variable: Name, symbol: Name) {
        if !self.live.has(node, variable) {
            return;
        }
        self.symbols.insert(symbol.index() as u32, symbol);
        let (key, value) = (variable.index() as u32, symbol.index() as u32);
        *knowledge = self.forest.insert(*knowledge, key, value);
    }
}

impl Analysis for Constants<'_> {
    type Knowledge = Map;

    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&mut self, program: &Program, node: Node) -> Option<Map> {
        let mut knowledge = Map::EMPTY;
        for name in program.all_variables() {
            if let Some(&Val::Symbol(symbol)) = program.initial(name) {
                self.set(node, &mut knowledge, name, symbol);
            }
        }
        Some(knowledge)
    }

    fn transfer(
        &mut self,
        program: &Program,
        _: EdgeId,
        edge: Edge,
        knowledge: &Map,
    ) -> Option<Map> {
        let mut knowledge = *knowledge;
        if let Label::Assign { target, value } = edge.label
            && let Some(variable) = program.expressions.as_variable(target)
            && let Some(Val::Symbol(symbol)) = self.evaluate(program, knowledge, value)
        {
            self.set(edge.to, &mut knowledge, variable, symbol);
        } else if let Some(variable) = program.overwritten(edge.label) {
            if self.live.has(edge.to, variable) {
                knowledge = self.forest.remove(knowledge, variable.index() as u32);
            }
        } else if let Label::Compare { left, right, equal: true } = edge.label {
            for (one, other) in [(left, right), (right, left)] {
                if let Some(variable) = program.expressions.as_variable(one)
                    && let Some(Val::Symbol(symbol)) = self.evaluate(program, knowledge, other)
                {
                    self.set(edge.to, &mut knowledge, variable, symbol);
                }
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
