//! The values of variables: as declared, or all that assignments can make.

use super::Resolver;
use crate::abg::ast::{VariableDeclaration, VariableKind};
use crate::abg::game::{Number, Values, Variable};
use gdlr_text::diagnostic::Code;
use std::collections::BTreeSet;

/// The greatest absolute value that is inferred.
const LARGEST: u64 = 1_000_000_000;

impl Resolver<'_> {
    /// The values of a declared range.
    pub fn range(&mut self, declared: &VariableDeclaration, least: i64, most: i64) -> Vec<i64> {
        let span = declared.name.span;
        if least > most {
            let message = format!("the range {least}..{most} has no values");
            let _: super::Resolved<()> =
                self.error(Code::AbgNumber, span, &message, "write the smaller number first");
            return vec![least];
        }
        let count = (i128::from(most) - i128::from(least) + 1) as u128;
        if count > self.limits.values as u128 {
            let message = format!("a variable has more than {} values", self.limits.values);
            let _: super::Resolved<()> =
                self.error(Code::AbgGrowth, span, &message, "write a smaller range");
            return vec![least];
        }
        if let Ok(first) = self.initial_of(declared)
            && !(least..=most).contains(&first)
        {
            let message = format!("the first value {first} is not in {least}..{most}");
            let _: super::Resolved<()> =
                self.error(Code::AbgNumber, span, &message, "begin with a value of the range");
        }
        (least..=most).collect()
    }

    fn initial_of(&mut self, declared: &VariableDeclaration) -> super::Resolved<i64> {
        let tree = self.tree;
        let own = tree.variables.iter().find(|it| it.name == declared.name);
        own.map_or(Err(super::Unresolved), |it| self.initial_number(&it.initial))
    }

    /// Adds to inferred variables the values that are assigned to them, up to a fixed point.
    pub fn infer(&mut self, variables: &mut [Variable]) {
        let tree = self.tree;
        let inferred: Vec<bool> =
            tree.variables.iter().map(|it| it.kind == VariableKind::Inferred).collect();
        let assignments = std::mem::take(&mut self.assignments);
        loop {
            let mut changed = false;
            for (variable, number) in &assignments {
                if !inferred[*variable] {
                    continue;
                }
                let Some(more) = self.values_of(number, variables) else { continue };
                let Values::Numbers(values, _) = &mut variables[*variable].values else { continue };
                let all: BTreeSet<i64> = values.iter().copied().chain(more).collect();
                changed |= all.len() > values.len();
                *values = all.into_iter().collect();
                let is_large = values.iter().any(|value| value.unsigned_abs() > LARGEST);
                if values.len() > self.limits.values || is_large {
                    let name = &tree.variables[*variable].name;
                    let message = format!("`{}` has no bound that can be seen", name.text);
                    let help = "declare its values: `variable NAME: 0..100 = 0;`";
                    let _: super::Resolved<()> =
                        self.error(Code::AbgNumber, name.span, &message, help);
                    return;
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// The values that a number can have; `None` if they are too many.
    fn values_of(&self, number: &Number, variables: &[Variable]) -> Option<Vec<i64>> {
        let size = self.tree.size.map_or((1, 1), |it| (i64::from(it.width), i64::from(it.height)));
        Some(match number {
            Number::Constant(number) => vec![*number],
            Number::Variable(variable) => match &variables[*variable].values {
                Values::Numbers(values, _) => values.clone(),
                Values::Squares(_) => return None,
            },
            Number::Column(more) => (0..size.0).map(|column| column + more).collect(),
            Number::Row(more) => (0..size.1).map(|row| row + more).collect(),
            Number::Binary(left, operator, right) => {
                let left = self.values_of(left, variables)?;
                let right = self.values_of(right, variables)?;
                let mut all = BTreeSet::new();
                for left in &left {
                    all.extend(right.iter().map(|right| operator.apply(*left, *right)));
                    if all.len() > self.limits.values {
                        break;
                    }
                }
                all.into_iter().collect()
            }
        })
    }
}
