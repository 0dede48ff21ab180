//! Which expressions could stand for the variables: after `x = e`, until `x` or a variable that
//! stands in `e` is assigned to.
//!
//! In `x = f[x]` the `x` within is the one before it. So `f[x]` can stand for `x` where the
//! assignment itself is gone.

use super::patricia::Patricia;
use super::{Analysis, Direction};
use crate::rg::name::Name;
use crate::rg::optimise::program::{Edge, EdgeId, ExprId, Label, Node, Program};
use hashbrown::HashMap;

/// By variable: the expression that could stand for it, as the number of the expression.
#[derive(Debug, Default)]
pub struct ReachingAssignments {
    /// By variable: those that are assigned an expression which it stands in.
    dependent: HashMap<Name, Vec<Name>>,
    /// By number: the expression.
    expressions: HashMap<u32, ExprId>,
}

impl ReachingAssignments {
    /// The analysis for a program.
    pub fn new(program: &Program) -> ReachingAssignments {
        let mut analysis = ReachingAssignments::default();
        for (_, edge) in program.edges() {
            let Some((variable, value)) = assigned(program, edge.label) else { continue };
            analysis.expressions.insert(value.index() as u32, value);
            for &read in program.expressions.reads(value).iter().filter(|&&read| read != variable) {
                analysis.dependent.entry(read).or_default().push(variable);
            }
        }
        for dependent in analysis.dependent.values_mut() {
            dependent.sort_unstable();
            dependent.dedup();
        }
        analysis
    }

    /// The expression that could stand for a variable.
    pub fn of(&self, known: &Patricia<u32>, variable: Name) -> Option<ExprId> {
        Some(self.expressions[&known.get(variable.index() as u32)?])
    }
}

/// The variable and the expression of an assignment to all of a variable.
fn assigned(program: &Program, label: Label) -> Option<(Name, ExprId)> {
    let Label::Assign { target, value } = label else { return None };
    let variable = program.expressions.as_variable(target)?;
    Some((variable, value))
}

impl Analysis for ReachingAssignments {
    type Knowledge = Patricia<u32>;

    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&mut self, _: &Program, _: Node) -> Option<Patricia<u32>> {
        Some(Patricia::default())
    }

    fn transfer(
        &mut self,
        program: &Program,
        _: EdgeId,
        edge: Edge,
        known: &Patricia<u32>,
    ) -> Option<Patricia<u32>> {
        let mut known = known.clone();
        if let Some(written) = program.written(edge.label) {
            known.remove(written.index() as u32);
            for dependent in self.dependent.get(&written).into_iter().flatten() {
                let equals = self.of(&known, *dependent);
                if equals.is_some_and(|expr| program.expressions.mentions(expr, written)) {
                    known.remove(dependent.index() as u32);
                }
            }
            if let Some((variable, value)) = assigned(program, edge.label) {
                known.insert(variable.index() as u32, value.index() as u32);
            }
        }
        Some(known)
    }

    fn join(&mut self, one: &Patricia<u32>, other: &Patricia<u32>) -> Patricia<u32> {
        one.intersection(other, &mut |left, right| (left == right).then_some(left))
    }
}
