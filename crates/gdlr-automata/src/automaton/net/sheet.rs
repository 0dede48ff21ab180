//! The automaton in its working form, its variables as rows of slots, and the possible symbols of
//! each variable.
//!
//! A variable of a set type has one slot. A map has a slot for each entry. The possible symbols of a
//! variable are all symbols that some edge may assign. The order of edges is ignored, so there may
//! be too many.

use super::evaluate::{Store, Thing, evaluate};
use gdlr_rg::rg::Name;
use gdlr_rg::rg::optimise::program::{ExprId, Kind, Label, MapVal, Node, Program, Val};
use gdlr_rg::rg::types::Ty;
use gdlr_text::budget::{Exhausted, Meter};
use gdlr_text::graph::Worklist;
use hashbrown::HashMap;
use std::rc::Rc;

/// The place of a symbol in a state, counted over all variables.
pub(super) type Slot = u32;

/// The place of a variable in [`Sheet::variables`].
pub(super) type Var = u32;

/// The keys of an access, in order, and the distance between the slots of neighbouring keys.
pub(super) type Keys = (Rc<[Name]>, u32);

/// A variable.
pub(super) struct Variable {
    pub name: Name,
    /// The first slot of the variable.
    pub base: Slot,
    /// The keys of each access, from the outermost to the innermost.
    pub keys: Vec<Keys>,
    /// The value at the beginning of the play.
    pub initial: Val,
    /// The symbols of its type, in order.
    pub type_: Rc<[Name]>,
    /// The possible symbols, in order.
    pub values: Vec<Name>,
    /// Whether walks treat the variable like a map, as a part of their writes. Otherwise they know
    /// its value.
    pub is_written: bool,
}

impl Variable {
    /// Whether the variable is a map.
    pub fn is_map(&self) -> bool {
        !self.keys.is_empty()
    }

    /// The number of slots of the variable.
    pub fn size(&self) -> u32 {
        self.keys.first().map_or(1, |(keys, stride)| keys.len() as u32 * stride)
    }
}

/// An automaton and its variables.
pub(super) struct Sheet {
    pub program: Program,
    pub variables: Vec<Variable>,
    by_name: HashMap<Name, Var>,
}

impl Sheet {
    /// The variables of an automaton.
    ///
    /// Walks know the values of `known` variables. Other variables with `many` values may be
    /// counters.
    pub fn new(
        program: Program,
        known: &[Name],
        many: usize,
        meter: &Meter<'_>,
    ) -> Result<Sheet, Exhausted> {
        let mut sheet = Sheet { program, variables: Vec::new(), by_name: HashMap::new() };
        let names: Vec<Name> = sheet.program.all_variables().collect();
        let mut base = 0;
        for name in names {
            let Kind::Variable(ty) = sheet.program.expressions.kind(name) else { continue };
            let Some(initial) = sheet.program.initial(name).cloned() else { continue };
            let (keys, type_) = sheet.shape(ty);
            let mut values = Vec::new();
            initial.for_each_entry(&mut |symbol| values.push(symbol));
            values.sort_unstable();
            values.dedup();
            let is_written = !keys.is_empty();
            let variable = Variable { name, base, keys, initial, type_, values, is_written };
            base += variable.size();
            sheet.by_name.insert(name, sheet.variables.len() as Var);
            sheet.variables.push(variable);
        }
        sheet.find_values(meter)?;
        sheet.find_counters(known, many);
        Ok(sheet)
    }

    /// The keys of a type with their distances, and the symbols of its values.
    fn shape(&self, mut ty: Ty) -> (Vec<Keys>, Rc<[Name]>) {
        let mut keys: Vec<Keys> = Vec::new();
        while let Ty::Map(map) = ty {
            let (key, value) = self.program.resolved.map(map);
            keys.push((self.program.symbols(key).unwrap_or_default().into(), 1));
            ty = value;
        }
        for at in (1..keys.len()).rev() {
            keys[at - 1].1 = keys[at].1 * keys[at].0.len() as u32;
        }
        (keys, self.program.symbols(ty).unwrap_or_default().into())
    }

    /// The variable of a name.
    pub fn variable(&self, name: Name) -> Option<Var> {
        self.by_name.get(&name).copied()
    }

    /// The variable of a number.
    pub fn at(&self, var: Var) -> &Variable {
        &self.variables[var as usize]
    }

    /// The variable to which a slot belongs.
    pub fn owner(&self, slot: Slot) -> Var {
        self.variables.partition_point(|variable| variable.base <= slot) as Var - 1
    }

    /// The keys of a slot.
    pub fn keys_of(&self, slot: Slot) -> Vec<Name> {
        let variable = self.at(self.owner(slot));
        let mut rest = slot - variable.base;
        let mut keys = Vec::new();
        for (symbols, stride) in &variable.keys {
            keys.push(symbols[(rest / stride) as usize]);
            rest %= stride;
        }
        keys
    }

    /// The number of slots.
    pub fn slots(&self) -> usize {
        self.variables.last().map_or(0, |last| (last.base + last.size()) as usize)
    }

    /// The variable of an expression, if walks know its value.
    pub fn as_known(&self, expr: ExprId) -> Option<Var> {
        let var = self.variable(self.program.expressions.as_variable(expr)?)?;
        (!self.at(var).is_written).then_some(var)
    }

    /// Adds the variables in keys of an expression, if walks know their values.
    pub fn in_keys(&self, expr: ExprId, found: &mut Vec<Var>) {
        let (_, keys) = self.program.expressions.parts(expr);
        for key in keys {
            for &name in self.program.expressions.reads(key).iter() {
                found.extend(self.variable(name).filter(|&var| !self.at(var).is_written));
            }
        }
    }

    /// Finds counters. These are variables with many values that decide neither where walks read
    /// and write, nor the tags of moves. They are written like maps, so that walks which differ in
    /// them can meet. `known` variables are no counters.
    fn find_counters(&mut self, known: &[Name], many: usize) {
        let mut decides = vec![false; self.variables.len()];
        let mut decide = |var: Option<Var>| {
            var.into_iter().for_each(|var| decides[var as usize] = true);
        };
        for name in known.iter().chain([&Name::PLAYER]) {
            decide(self.variable(*name));
        }
        let mut expressions = Worklist::sparse();
        for (_, edge) in self.program.edges() {
            match edge.label {
                Label::Assign { target, value } => expressions.extend([target, value]),
                Label::AssignAny { target, .. } => {
                    decide(self.variable(self.program.expressions.root(target)));
                    expressions.push(target);
                }
                Label::Compare { left, right, .. } => expressions.extend([left, right]),
                Label::TagVariable(name) => decide(self.variable(name)),
                Label::Skip | Label::Reach { .. } | Label::Tag(_) => {}
            }
        }
        while let Some(expr) = expressions.pop() {
            let (root, keys) = self.program.expressions.parts(expr);
            if self.variable(root).is_some() {
                let read = keys.iter().flat_map(|&key| self.program.expressions.reads(key).iter());
                read.for_each(|&name| decide(self.variable(name)));
            }
            expressions.extend(keys);
        }
        let copies: Vec<(Var, Var)> = self.copies().collect();
        while let Some(&(_, from)) =
            (copies.iter()).find(|&&(to, from)| decides[to as usize] && !decides[from as usize])
        {
            decides[from as usize] = true;
        }
        for (variable, decides) in self.variables.iter_mut().zip(decides) {
            variable.is_written |= !decides && variable.values.len() >= many;
        }
    }

    /// Pairs of a variable and another one whose value is assigned to it.
    fn copies(&self) -> impl Iterator<Item = (Var, Var)> + '_ {
        let alone = |expr: ExprId| {
            let name = self.program.expressions.as_variable(expr)?;
            self.variable(name)
        };
        self.program.edges().filter_map(move |(_, edge)| match edge.label {
            Label::Assign { target, value } => Some((alone(target)?, alone(value)?)),
            _ => None,
        })
    }

    /// The possible symbols of an expression, in order.
    pub fn possible(&self, env: &dyn Fn(Var) -> Option<Name>, expr: ExprId) -> Vec<Name> {
        let values = evaluate(self, &mut Any { sheet: self, env }, expr);
        let mut symbols: Vec<Name> = Vec::new();
        for (thing, ()) in values {
            self.for_each_symbol(&thing, &mut |symbol| symbols.push(symbol));
        }
        symbols.sort_unstable();
        symbols.dedup();
        symbols
    }

    /// Visits a symbol, or all symbols that a map may hold.
    fn for_each_symbol(&self, thing: &Thing, visit: &mut impl FnMut(Name)) {
        match thing {
            Thing::Symbol(symbol) => visit(*symbol),
            Thing::Map(map) => Val::Map(Rc::clone(map)).for_each_entry(visit),
            Thing::Region { var, .. } => self.at(*var).values.iter().for_each(|&v| visit(v)),
        }
    }

    /// Finds the possible symbols of variables: the least sets that are closed under all
    /// assignments.
    fn find_values(&mut self, meter: &Meter<'_>) -> Result<(), Exhausted> {
        loop {
            let mut changed = false;
            let labels: Vec<Label> = self.program.edges().map(|(_, edge)| edge.label).collect();
            for label in labels {
                meter.spend(8)?;
                let (target, symbols) = match label {
                    Label::Assign { target, value } => (target, self.possible(&|_| None, value)),
                    Label::AssignAny { target, drawn } => {
                        (target, self.program.drawn(drawn).to_vec())
                    }
                    _ => continue,
                };
                let Some(var) = self.variable(self.program.expressions.root(target)) else {
                    continue;
                };
                meter.spend(symbols.len())?;
                let variable = &mut self.variables[var as usize];
                let before = variable.values.len();
                let holds = |symbol: &Name| variable.type_.binary_search(symbol).is_ok();
                let new: Vec<Name> = symbols.into_iter().filter(holds).collect();
                variable.values.extend(new);
                variable.values.sort_unstable();
                variable.values.dedup();
                changed |= variable.values.len() > before;
            }
            if !changed {
                return Ok(());
            }
        }
    }

    /// The text of a node, for messages.
    pub fn text(&self, node: Node) -> &str {
        self.program.node_name(node).map_or("", |name| self.program.text(name))
    }
}

/// A store in which no state is known, and all values are possible.
struct Any<'s> {
    sheet: &'s Sheet,
    env: &'s dyn Fn(Var) -> Option<Name>,
}

impl Store for Any<'_> {
    type Truth = ();

    const TRUE: () = ();

    fn both(&mut self, (): (), (): ()) -> Option<()> {
        Some(())
    }

    fn any(&mut self, _: &[()]) {}

    fn scalar(&mut self, var: Var) -> Vec<(Name, ())> {
        match (self.env)(var) {
            Some(symbol) => vec![(symbol, ())],
            None => self.slot(self.sheet.at(var).base, var),
        }
    }

    fn slot(&mut self, _: Slot, var: Var) -> Vec<(Name, ())> {
        self.sheet.at(var).values.iter().map(|&symbol| (symbol, ())).collect()
    }
}

/// The value of a constant map for a key.
pub(super) fn look_up(map: &MapVal, key: Name) -> Option<&Val> {
    map.get(key).or(map.default.as_ref())
}
