//! Which variables have one value at a node, however a walk came there, and which.

use super::patricia::Patricia;
use super::{Analysis, Direction};
use crate::rg::name::Name;
use crate::rg::optimise::program::{Edge, EdgeId, ExprId, Label, Node, Program, Shape, Val};
use hashbrown::HashMap;

/// By variable that is no map: the number of the symbol that it is.
#[derive(Debug, Default)]
pub struct Constants {
    symbols: HashMap<u32, Name>,
}

impl Constants {
    /// The symbol that a variable is.
    pub fn of(&self, known: &Patricia<u32>, variable: Name) -> Option<Name> {
        Some(self.symbols[&known.get(variable.index() as u32)?])
    }

    /// The value of an expression, if what is known decides it.
    pub fn evaluate(&self, program: &Program, known: &Patricia<u32>, expr: ExprId) -> Option<Val> {
        if program.expressions.reads(expr).is_empty() {
            return program.evaluate(expr);
        }
        match program.expressions.shape(expr) {
            Shape::Name(name) => Some(Val::Symbol(self.of(known, name)?)),
            Shape::Access { map, key } => {
                let Val::Map(map) = self.evaluate(program, known, map)? else { return None };
                let Val::Symbol(key) = self.evaluate(program, known, key)? else { return None };
                match map.get(key) {
                    Some(value) => Some(value.clone()),
                    None => map.default.clone(),
                }
            }
        }
    }

    fn set(&mut self, known: &mut Patricia<u32>, variable: Name, symbol: Name) {
        self.symbols.insert(symbol.index() as u32, symbol);
        known.insert(variable.index() as u32, symbol.index() as u32);
    }
}

impl Analysis for Constants {
    type Knowledge = Patricia<u32>;

    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&mut self, program: &Program, _: Node) -> Option<Patricia<u32>> {
        let mut known = Patricia::default();
        for name in program.all_variables() {
            if let Some(&Val::Symbol(symbol)) = program.initial(name) {
                self.set(&mut known, name, symbol);
            }
        }
        Some(known)
    }

    fn transfer(
        &mut self,
        program: &Program,
        _: EdgeId,
        edge: Edge,
        known: &Patricia<u32>,
    ) -> Option<Patricia<u32>> {
        let mut known = known.clone();
        if let Label::Assign { target, value } = edge.label
            && let Some(variable) = program.expressions.as_variable(target)
            && let Some(Val::Symbol(symbol)) = self.evaluate(program, &known, value)
        {
            self.set(&mut known, variable, symbol);
        } else if let Some(variable) = program.overwritten(edge.label) {
            known.remove(variable.index() as u32);
        } else if let Label::Compare { left, right, equal: true } = edge.label {
            for (one, other) in [(left, right), (right, left)] {
                if let Some(variable) = program.expressions.as_variable(one)
                    && let Some(Val::Symbol(symbol)) = self.evaluate(program, &known, other)
                {
                    self.set(&mut known, variable, symbol);
                }
            }
        }
        Some(known)
    }

    fn join(&mut self, one: &Patricia<u32>, other: &Patricia<u32>) -> Patricia<u32> {
        one.intersection(other, &mut |left, right| (left == right).then_some(left))
    }
}
