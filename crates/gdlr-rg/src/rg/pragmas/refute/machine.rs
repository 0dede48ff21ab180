//! Runs actions on semistates in the plainest way: a semistate is a list of symbols.

use crate::rg::ast::Description;
use crate::rg::name::Name;
use crate::rg::optimise::program::{EdgeId, ExprId, Kind, Label, Program, Val};
use crate::rg::tuning::Tuning;
use crate::rg::types::Ty;
use gdlr_text::budget::{Exhausted, Meter};
use hashbrown::HashMap;
use std::ops::Range;
use std::rc::Rc;

/// The greatest number of symbols of a semistate.
const MAX_SLOTS: usize = 1 << 20;

/// The values of all variables, maps entry by entry.
pub type Values = Rc<[Name]>;

/// The reason why a walk cannot be followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// An action is not valid, or a check needs itself: the game is not proper.
    Invalid,
    /// The walk is too much work.
    TooMuch,
}

/// The values of the parameters of an `@simpleApply`.
pub type Meanings = HashMap<Name, Name>;

/// An automaton whose edges can be taken one by one.
pub struct Machine {
    /// The automaton.
    pub program: Program,
    /// By variable: the index of its first value, and its type.
    slots: HashMap<Name, (usize, Ty)>,
    /// The initial values.
    pub initial: Values,
}

impl Machine {
    /// The machine of a description without errors.
    pub fn new(
        description: &Description,
        meter: &Meter<'_>,
    ) -> Result<Result<Machine, Fault>, Exhausted> {
        let program = Program::load(description, &Tuning::default(), meter)?;
        let (mut slots, mut initial) = (HashMap::new(), Vec::new());
        for name in program.all_variables() {
            let (Kind::Variable(ty), Some(value)) =
                (program.expressions.kind(name), program.initial(name))
            else {
                continue;
            };
            let first = initial.len();
            value.for_each_entry(&mut |symbol| initial.push(symbol));
            if initial.len() > MAX_SLOTS || size(&program, ty) != Some(initial.len() - first) {
                return Ok(Err(Fault::TooMuch));
            }
            slots.insert(name, (first, ty));
        }
        Ok(Ok(Machine { program, slots, initial: initial.into() }))
    }

    /// The indices of the values of a variable.
    pub fn slots(&self, variable: Name) -> Range<usize> {
        let Some(&(first, ty)) = self.slots.get(&variable) else { return 0..0 };
        first..first + size(&self.program, ty).unwrap_or(0)
    }

    /// The semistates after an edge that is no check.
    pub fn after(&self, id: EdgeId, values: &Values) -> Result<Vec<Values>, Fault> {
        let none = Meanings::new();
        Ok(match self.program.edge(id).label {
            Label::Skip | Label::Tag(_) | Label::TagVariable(_) | Label::Reach { .. } => {
                vec![Rc::clone(values)]
            }
            Label::Compare { left, right, equal } => {
                let same = self.value(left, values, &none)? == self.value(right, values, &none)?;
                if same == equal { vec![Rc::clone(values)] } else { Vec::new() }
            }
            Label::Assign { target, value } => {
                let value = self.value(value, values, &none)?;
                vec![self.assign(target, &value, values, &none)?]
            }
            Label::AssignAny { target, drawn } => {
                let symbols = self.program.drawn(drawn).iter();
                symbols
                    .map(|&symbol| self.assign(target, &[symbol], values, &none))
                    .collect::<Result<_, _>>()?
            }
        })
    }

    /// The tag of an edge.
    pub fn tag(&self, id: EdgeId, values: &Values) -> Option<Name> {
        match self.program.edge(id).label {
            Label::Tag(tag) => Some(tag),
            Label::TagVariable(variable) => values[self.slots(variable)].first().copied(),
            _ => None,
        }
    }

    /// The value of an expression; a map as its entries.
    pub fn value(
        &self,
        expr: ExprId,
        values: &Values,
        meanings: &Meanings,
    ) -> Result<Vec<Name>, Fault> {
        let (root, keys) = self.program.expressions.parts(expr);
        let keys = self.symbols(&keys, values, meanings)?;
        if let Some(&meaning) = meanings.get(&root) {
            return Ok(vec![meaning]);
        }
        match self.program.expressions.kind(root) {
            Kind::Symbol => Ok(vec![root]),
            Kind::Constant(_) => {
                let value = self.program.constant(root).ok_or(Fault::Invalid)?;
                entries(value, &keys)
            }
            Kind::Variable(_) => match self.place(root, &keys) {
                Ok(place) => Ok(values[place].to_vec()),
                Err(fault) => match (self.program.initial(root), &keys[..]) {
                    // A symbol that is no key has the default of the map.
                    (Some(value @ Val::Map(map)), [first, ..]) if map.get(*first).is_none() => {
                        entries(value, &keys)
                    }
                    _ => Err(fault),
                },
            },
        }
    }

    /// The semistate after an assignment.
    pub fn assign(
        &self,
        target: ExprId,
        value: &[Name],
        values: &Values,
        meanings: &Meanings,
    ) -> Result<Values, Fault> {
        let (root, keys) = self.program.expressions.parts(target);
        let keys = self.symbols(&keys, values, meanings)?;
        let place = self.place(root, &keys)?;
        let mut leaf = self.slots.get(&root).ok_or(Fault::Invalid)?.1;
        while let Ty::Map(map) = leaf {
            leaf = self.program.resolved.map(map).1;
        }
        let symbols = self.program.symbols(leaf).ok_or(Fault::Invalid)?;
        if place.len() != value.len() || !value.iter().all(|one| symbols.binary_search(one).is_ok())
        {
            return Err(Fault::Invalid);
        }
        let mut after: Vec<Name> = values.to_vec();
        after[place].copy_from_slice(value);
        Ok(after.into())
    }

    fn symbols(
        &self,
        keys: &[ExprId],
        values: &Values,
        meanings: &Meanings,
    ) -> Result<Vec<Name>, Fault> {
        let symbol = |&key| match self.value(key, values, meanings)?[..] {
            [symbol] => Ok(symbol),
            _ => Err(Fault::Invalid),
        };
        keys.iter().map(symbol).collect()
    }

    /// The indices of an entry of a variable.
    fn place(&self, variable: Name, keys: &[Name]) -> Result<Range<usize>, Fault> {
        let &(mut first, mut ty) = self.slots.get(&variable).ok_or(Fault::Invalid)?;
        for key in keys {
            let Ty::Map(map) = ty else { return Err(Fault::Invalid) };
            let (key_type, value) = self.program.resolved.map(map);
            let symbols = self.program.symbols(key_type).ok_or(Fault::Invalid)?;
            let index = symbols.binary_search(key).map_err(|_| Fault::Invalid)?;
            first += index * size(&self.program, value).ok_or(Fault::TooMuch)?;
            ty = value;
        }
        Ok(first..first + size(&self.program, ty).ok_or(Fault::TooMuch)?)
    }
}

/// The number of symbols of a value of a type.
fn size(program: &Program, ty: Ty) -> Option<usize> {
    let (mut size, mut ty) = (1_usize, ty);
    loop {
        match ty {
            Ty::Map(map) => {
                let (key, value) = program.resolved.map(map);
                size = size.checked_mul(program.symbols(key)?.len())?;
                ty = value;
            }
            Ty::Set(_) => return Some(size).filter(|&size| size <= MAX_SLOTS),
            Ty::Symbol(_) | Ty::Unknown => return None,
        }
    }
}

/// The value behind some keys, as its entries.
fn entries(value: &Val, keys: &[Name]) -> Result<Vec<Name>, Fault> {
    let mut value = value;
    for &key in keys {
        let Val::Map(map) = value else { return Err(Fault::Invalid) };
        value = map.get(key).or(map.default.as_ref()).ok_or(Fault::Invalid)?;
    }
    let mut entries = Vec::new();
    value.for_each_entry(&mut |symbol| entries.push(symbol));
    Ok(entries)
}
