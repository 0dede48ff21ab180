//! Propagate constants: an expression with only one possible value is replaced by it (RG, figures
//! 9, 10).
//!
//! ```text
//! const down: A -> A = { 4: 3, 3: 2, :1 };
//! var x: A = 3;
//! begin, a: y = A(*);          begin, a: y = A(*);
//! a, b: y == down[x];          a, b: y == 2;
//! ```
//!
//! A variable without assignments becomes a constant.

use crate::rg::name::Name;
use crate::rg::optimise::flow::constants::Constants;
use crate::rg::optimise::flow::live_variables::Live;
use crate::rg::optimise::flow::patricia::Map;
use crate::rg::optimise::flow::solve;
use crate::rg::optimise::moves::is_special;
use crate::rg::optimise::program::{ExprId, Label, Program, Shape, Val};
use crate::rg::types::Ty;
use gdlr_text::budget::{Exhausted, Meter};
use hashbrown::HashSet;

/// Applies the transformation everywhere.
pub fn run(program: &mut Program, meter: &Meter<'_>) -> Result<(), Exhausted> {
    freeze(program);
    let live = Live::of(program, meter)?;
    let mut constants = Constants::new(&live);
    let solution = solve(program, &mut constants, meter)?;
    for id in program.edge_numbers() {
        let Some(edge) = program.get(id) else { continue };
        let Some(&knowledge) = solution.at(edge.from) else { continue };
        let mut substitution = Substitution { program, constants: &constants, knowledge };
        let label = match edge.label {
            Label::Assign { target, value } => Label::Assign {
                target: substitution.target(target),
                value: substitution.value(value),
            },
            Label::AssignAny { target, drawn } => {
                Label::AssignAny { target: substitution.target(target), drawn }
            }
            Label::Compare { left, right, equal } => {
                match (substitution.value(left), substitution.value(right)) {
                    // Two different symbols have no common type: see `decide_comparisons`.
                    (new_left, new_right) if substitution.are_symbols(new_left, new_right) => {
                        match (new_left == new_right) == equal {
                            true => Label::Skip,
                            false => {
                                program.remove_edge(id);
                                continue;
                            }
                        }
                    }
                    (left, right) => Label::Compare { left, right, equal },
                }
            }
            Label::TagVariable(variable) => match constants.of(knowledge, variable) {
                Some(symbol) => Label::Tag(symbol),
                None => edge.label,
            },
            Label::Skip | Label::Reach { .. } | Label::Tag(_) => edge.label,
        };
        // A label with a key that the map does not have could not be written.
        if program.is_well_typed(label) {
            program.relabel(id, label);
        }
    }
    Ok(())
}

/// Turns variables without assignments into constants.
fn freeze(program: &mut Program) {
    let written: HashSet<Name> =
        program.edges().filter_map(|(_, edge)| program.written(edge.label)).collect();
    let frozen: Vec<Name> = program
        .variables
        .iter()
        .map(|variable| variable.name.name)
        .filter(|name| !written.contains(name) && !is_special(*name))
        // A probed variable must stay a variable.
        .filter(|&name| !program.is_probed(name))
        // A variable that is a tag has to stay, unless its value can be the tag.
        .filter(|&name| program.initial(name).is_some())
        .collect();
    for id in program.edge_numbers() {
        let Some(edge) = program.get(id) else { continue };
        if let Label::TagVariable(variable) = edge.label
            && frozen.contains(&variable)
            && let Some(&Val::Symbol(symbol)) = program.initial(variable)
        {
            program.relabel(id, Label::Tag(symbol));
        }
    }
    for name in frozen {
        program.freeze(name);
    }
}

/// An edge, and the knowledge before it.
struct Substitution<'p> {
    program: &'p mut Program,
    constants: &'p Constants<'p>,
    knowledge: Map,
}

impl Substitution<'_> {
    /// An expression in which known values replace it or its parts.
    fn value(&mut self, expr: ExprId) -> ExprId {
        let is_set = matches!(self.program.expressions.ty(expr), Ty::Set(_));
        if is_set
            && let Some(Val::Symbol(symbol)) =
                self.constants.evaluate(self.program, self.knowledge, expr)
        {
            return self.program.expressions.name(symbol);
        }
        match self.program.expressions.shape(expr) {
            Shape::Name(_) => expr,
            Shape::Access { map, key } => {
                let (new_map, new_key) = (self.value(map), self.value(key));
                if (new_map, new_key) == (map, key) {
                    return expr;
                }
                let Program { expressions, resolved, .. } = &mut *self.program;
                expressions.access(resolved, new_map, new_key)
            }
        }
    }

    /// A target in which known values replace its keys.
    fn target(&mut self, expr: ExprId) -> ExprId {
        match self.program.expressions.shape(expr) {
            Shape::Name(_) => expr,
            Shape::Access { map, key } => {
                let (map, key) = (self.target(map), self.value(key));
                let Program { expressions, resolved, .. } = &mut *self.program;
                expressions.access(resolved, map, key)
            }
        }
    }

    fn are_symbols(&self, left: ExprId, right: ExprId) -> bool {
        let is_symbol = |expr| self.program.expressions.as_symbol(expr).is_some();
        is_symbol(left) && is_symbol(right)
    }
}
