//! Merge accesses: an access to a constant with an access to a constant as its key becomes an
//! access to one constant (RG, figures 7, 8).
//!
//! ```text
//! const AB: A -> B = { 1: 1, :2 };
//! const BC: B -> C = { 1: 2, 2: 3, :4 };
//! begin, end: x == BC[AB[y]];            begin, end: x == BC_AB[y];
//! ```
//!
//! where `const BC_AB: A -> C = { 1: 2, :3 };`.

use crate::rg::ast::{Constant, Entry, Map, Place, SimpleType, Type, Value};
use crate::rg::name::Name;
use crate::rg::optimise::program::{ExprId, Label, MapVal, Program, Shape, Val};
use crate::rg::types::Ty;
use gdlr_text::budget::{Exhausted, Meter};
use hashbrown::HashMap;
use std::rc::Rc;

/// The greatest length of a name that is made of two, in bytes.
const MAX_NAME: usize = 60;

/// Applies the transformation everywhere.
pub fn run(program: &mut Program, meter: &Meter<'_>) -> Result<(), Exhausted> {
    let mut merger = Merger::default();
    for constant in &program.constants {
        let name = constant.name.name;
        if let Some(value @ Val::Map(_)) = program.constant(name) {
            let ty = parts(program, program.ty_of(name));
            merger.by_value.entry((ty, value.clone())).or_insert(name);
        }
    }
    for id in program.edge_numbers() {
        meter.spend(1)?;
        let Some(edge) = program.get(id) else { continue };
        let label = match edge.label {
            Label::Assign { target, value } => Label::Assign {
                target: merger.target(program, target),
                value: merger.expression(program, value),
            },
            Label::AssignAny { target, drawn } => {
                Label::AssignAny { target: merger.target(program, target), drawn }
            }
            Label::Compare { left, right, equal } => Label::Compare {
                left: merger.expression(program, left),
                right: merger.expression(program, right),
                equal,
            },
            label => label,
        };
        program.relabel(id, label);
    }
    Ok(())
}

#[derive(Default)]
struct Merger {
    /// The constants by the types of their keys and values, and by value.
    by_value: HashMap<(Option<(Ty, Ty)>, Val), Name>,
    /// By outer and inner constant: their composition, if there can be one.
    merged: HashMap<(Name, Name), Option<Name>>,
    done: HashMap<ExprId, ExprId>,
}

impl Merger {
    fn target(&mut self, program: &mut Program, expr: ExprId) -> ExprId {
        match program.expressions.shape(expr) {
            Shape::Name(_) => expr,
            Shape::Access { map, key } => {
                let (map, key) = (self.target(program, map), self.expression(program, key));
                let Program { expressions, resolved, .. } = program;
                expressions.access(resolved, map, key)
            }
        }
    }

    fn expression(&mut self, program: &mut Program, expr: ExprId) -> ExprId {
        if let Some(&done) = self.done.get(&expr) {
            return done;
        }
        let done = match program.expressions.shape(expr) {
            Shape::Name(_) => expr,
            Shape::Access { map, key } => {
                let (map, key) = (self.expression(program, map), self.expression(program, key));
                let (map, key) = self.merge(program, map, key).unwrap_or((map, key));
                let Program { expressions, resolved, .. } = program;
                expressions.access(resolved, map, key)
            }
        };
        self.done.insert(expr, done);
        done
    }

    /// For `outer[inner[key]]`: the composition of both, and the key.
    fn merge(
        &mut self,
        program: &mut Program,
        map: ExprId,
        key: ExprId,
    ) -> Option<(ExprId, ExprId)> {
        let outer = program.expressions.as_name(map)?;
        let Shape::Access { map: inner, key } = program.expressions.shape(key) else {
            return None;
        };
        let inner = program.expressions.as_name(inner)?;
        let merged = match self.merged.get(&(outer, inner)) {
            Some(&merged) => merged,
            None => {
                let merged = self.constant(program, outer, inner);
                self.merged.insert((outer, inner), merged);
                merged
            }
        };
        Some((program.expressions.name(merged?), key))
    }

    /// Finds or makes the constant that is the composition of two.
    fn constant(&mut self, program: &mut Program, outer: Name, inner: Name) -> Option<Name> {
        let (Some(Val::Map(of_outer)), Some(Val::Map(of_inner))) =
            (program.constant(outer), program.constant(inner))
        else {
            return None;
        };
        let look_up = |key: &Val| match key {
            Val::Symbol(key) => of_outer.get(*key).or(of_outer.default.as_ref()).cloned(),
            Val::Map(_) => None,
        };
        let values: Vec<Val> = of_inner.values.iter().map(look_up).collect::<Option<_>>()?;
        let default = look_up(of_inner.default.as_ref()?)?;
        let symbol = |value: &Val| match value {
            Val::Symbol(symbol) => Some(*symbol),
            Val::Map(_) => None,
        };
        let default_symbol = symbol(&default)?;
        let mut entries = Vec::new();
        for (&key, value) in of_inner.keys.iter().zip(&values) {
            let value = symbol(value)?;
            if value != default_symbol {
                entries.push(entry(Some(key), value));
            }
        }
        entries.push(entry(None, default_symbol));
        let type_ =
            Type { keys: vec![written(program, inner)?.0], value: written(program, outer)?.1 };
        let value = Val::Map(Rc::new(MapVal {
            keys: Rc::clone(&of_inner.keys),
            values,
            default: Some(default),
        }));
        let ty = program.resolved.resolve(&type_, &mut Vec::new());
        let ty = parts(program, ty);
        if let Some(&existing) = self.by_value.get(&(ty, value.clone())) {
            return Some(existing);
        }
        let mut stem = format!("{}_{}", program.text(outer), program.text(inner));
        if stem.chars().count() > MAX_NAME {
            "merged".clone_into(&mut stem);
        }
        let name = program.fresh_name(&stem);
        let constant = Constant {
            name: name.into(),
            type_,
            value: Value::Map(Map { entries, place: Place::default() }),
            place: Place::default(),
        };
        self.by_value.insert((ty, value.clone()), name);
        program.add_constant(constant, value);
        Some(name)
    }
}

/// The types of the keys and values of a map type.
fn parts(program: &Program, ty: Ty) -> Option<(Ty, Ty)> {
    match ty {
        Ty::Map(map) => Some(program.resolved.map(map)),
        _ => None,
    }
}

fn entry(key: Option<Name>, value: Name) -> Entry {
    Entry { key: key.map(Into::into), value: Value::Name(value.into()), place: Place::default() }
}

/// The types of the keys and values of a constant map of symbols, as written.
fn written(program: &Program, name: Name) -> Option<(SimpleType, SimpleType)> {
    let constant = program.constants.iter().find(|constant| constant.name.name == name)?;
    let mut type_ = &constant.type_;
    for _ in 0..program.types.len() + 1 {
        match (&type_.keys[..], &type_.value) {
            ([key], value) => {
                let ty = match value {
                    SimpleType::Named(name) => program.resolved.named(name.name)?,
                    SimpleType::Set(_) => return Some((key.clone(), value.clone())),
                };
                return matches!(ty, Ty::Set(_)).then(|| (key.clone(), value.clone()));
            }
            ([], SimpleType::Named(name)) => {
                let name = name.name;
                type_ = &program.types.iter().find(|alias| alias.name.name == name)?.type_;
            }
            _ => return None,
        }
    }
    None
}
