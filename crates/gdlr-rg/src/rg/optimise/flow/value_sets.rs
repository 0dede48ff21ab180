//! Value sets: the values that each variable may have at a node.

use super::live_variables::Live;
use super::patricia::{Forest, Map, Rule};
use super::sets::{SetRef, Sets};
use super::{Analysis, Direction, Solution, solve};
use crate::rg::name::Name;
use crate::rg::optimise::program::{
    Edge, EdgeId, ExprId, Finding, Kind, Label, Node, Program, Shape, Val,
};
use crate::rg::types::Ty;
use gdlr_text::budget::{Exhausted, Meter};
use hashbrown::HashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// By live variable: the symbols that it may have; for a map, the symbols that any of its entries
/// may have. A variable without an entry may have any symbol of its type.
pub struct ValueSets {
    live: Rc<Live>,
    /// The sets of symbols, as sets of numbers.
    pub sets: Sets,
    forest: Forest<SetRef>,
    /// The symbols of the type of each variable.
    all: HashMap<u32, SetRef>,
    of_types: HashMap<Ty, Option<SetRef>>,
    /// The symbols that occur anywhere in a constant.
    of_constants: HashMap<Name, SetRef>,
    /// Memoised accesses: the values of a constant map for a set of keys.
    looked_up: HashMap<(Name, SetRef), Option<SetRef>>,
    /// Memoised selections, by constant map, keys, values, and a flag: the keys with one of the
    /// values, or, if false, with another value.
    selected: HashMap<(Name, SetRef, SetRef, bool), SetRef>,
}

impl ValueSets {
    /// The analysis, for the live variables of a program.
    pub fn new(live: Rc<Live>) -> ValueSets {
        ValueSets {
            live,
            sets: Sets::default(),
            forest: Forest::default(),
            all: HashMap::new(),
            of_types: HashMap::new(),
            of_constants: HashMap::new(),
            looked_up: HashMap::new(),
            selected: HashMap::new(),
        }
    }

    /// The symbols that an expression may have; `None` if it is a map, or nothing is known.
    pub fn of(&mut self, program: &Program, knowledge: Map, expr: ExprId) -> Option<SetRef> {
        let expressions = &program.expressions;
        if !matches!(expressions.ty(expr), Ty::Set(_) | Ty::Symbol(_)) {
            return None;
        }
        match expressions.shape(expr) {
            Shape::Name(name) => match expressions.kind(name) {
                Kind::Symbol => Some(self.symbol(name)),
                Kind::Constant(_) => match program.constant(name)? {
                    Val::Symbol(symbol) => Some(self.symbol(*symbol)),
                    Val::Map(_) => None,
                },
                Kind::Variable(ty) => self.leaves_of_variable(program, knowledge, name, ty),
            },
            Shape::Access { .. } => {
                let (root, keys) = expressions.parts(expr);
                match expressions.kind(root) {
                    Kind::Symbol => None,
                    Kind::Variable(ty) => self.leaves_of_variable(program, knowledge, root, ty),
                    Kind::Constant(_) => self.look_up(program, knowledge, root, &keys),
                }
            }
        }
    }

    /// The symbols that an expression may have; for a map, the symbols anywhere in it.
    fn leaves(&mut self, program: &Program, knowledge: Map, expr: ExprId) -> Option<SetRef> {
        let root = program.expressions.root(expr);
        match (self.of(program, knowledge, expr), program.expressions.kind(root)) {
            (Some(set), _) => Some(set),
            (None, Kind::Constant(_)) => self.leaves_of_constant(program, root),
            (None, Kind::Variable(ty)) => self.leaves_of_variable(program, knowledge, root, ty),
            (None, Kind::Symbol) => None,
        }
    }

    /// The symbols that a variable may have; for a map, the symbols anywhere in it.
    pub fn leaves_of_variable(
        &mut self,
        program: &Program,
        knowledge: Map,
        variable: Name,
        ty: Ty,
    ) -> Option<SetRef> {
        match self.forest.get(knowledge, variable.index() as u32) {
            Some(set) => Some(set),
            None => self.of_type(program, ty),
        }
    }

    /// The knowledge at a node after a variable gets a value set; for a map, the set of each entry.
    /// No entry is stored for the set of all symbols of its type.
    fn with(&mut self, node: Node, knowledge: Map, variable: Name, set: SetRef) -> Map {
        let number = variable.index() as u32;
        if !self.live.has(node, variable) {
            return knowledge;
        }
        match self.all.get(&number) == Some(&set) {
            true => self.forest.remove(knowledge, number),
            false => self.forest.insert(knowledge, number, set),
        }
    }

    fn symbol(&mut self, symbol: Name) -> SetRef {
        self.sets.of(&[symbol.index() as u32])
    }

    fn symbols(&mut self, symbols: impl IntoIterator<Item = Name>) -> SetRef {
        let mut numbers: Vec<u32> =
            symbols.into_iter().map(|symbol| symbol.index() as u32).collect();
        numbers.sort_unstable();
        numbers.dedup();
        self.sets.of(&numbers)
    }

    /// The symbols of a type; for a map type, the symbols of its values.
    fn of_type(&mut self, program: &Program, ty: Ty) -> Option<SetRef> {
        if let Some(&memoised) = self.of_types.get(&ty) {
            return memoised;
        }
        let mut leaf = ty;
        while let Ty::Map(map) = leaf {
            leaf = program.resolved.map(map).1;
        }
        let symbols = program.symbols(leaf).map(<[Name]>::to_vec);
        let set = symbols.map(|symbols| self.symbols(symbols));
        self.of_types.insert(ty, set);
        set
    }

    fn leaves_of_constant(&mut self, program: &Program, name: Name) -> Option<SetRef> {
        if let Some(&memoised) = self.of_constants.get(&name) {
            return Some(memoised);
        }
        let set = self.leaves_of_value(program.constant(name)?);
        self.of_constants.insert(name, set);
        Some(set)
    }

    fn leaves_of_value(&mut self, value: &Val) -> SetRef {
        let mut symbols = Vec::new();
        value.for_each_symbol(&mut |symbol| symbols.push(symbol));
        self.symbols(symbols)
    }

    /// The values that an access to a constant may have.
    fn look_up(
        &mut self,
        program: &Program,
        knowledge: Map,
        root: Name,
        keys: &[ExprId],
    ) -> Option<SetRef> {
        let sets: Option<Vec<SetRef>> =
            keys.iter().map(|&key| self.of(program, knowledge, key)).collect();
        let Some(sets) = sets else { return self.leaves_of_constant(program, root) };
        if let [only] = sets[..]
            && let Some(&memoised) = self.looked_up.get(&(root, only))
        {
            return memoised;
        }
        let count = |set: &SetRef| self.sets.members(*set).len();
        let lookups = sets.iter().map(count).try_fold(1, usize::checked_mul);
        if lookups.is_none_or(|lookups| lookups > program.tuning.lookups) {
            return self.leaves_of_constant(program, root);
        }
        let mut values: Vec<&Val> = vec![program.constant(root)?];
        for set in &sets {
            let mut next = Vec::new();
            for value in values {
                let Val::Map(map) = value else { return None };
                for &key in self.sets.members(*set).iter() {
                    match map.keys.binary_search_by_key(&(key as usize), |name| name.index()) {
                        Ok(index) => next.push(&map.values[index]),
                        Err(_) => next.extend(&map.default),
                    }
                }
            }
            values = next;
        }
        let symbols: Option<Vec<Name>> = values
            .into_iter()
            .map(|value| match value {
                Val::Symbol(symbol) => Some(*symbol),
                Val::Map(_) => None,
            })
            .collect();
        let set = symbols.map(|symbols| self.symbols(symbols));
        if let [only] = sets[..] {
            self.looked_up.insert((root, only), set);
        }
        set
    }

    /// The knowledge at a node after two expressions were found equal, or different. `None` if that
    /// is impossible.
    fn compare(
        &mut self,
        program: &Program,
        (node, mut knowledge): (Node, Map),
        (left, right): (ExprId, ExprId),
        equal: bool,
    ) -> Option<Map> {
        if left == right {
            return equal.then_some(knowledge);
        }
        let (Some(of_left), Some(of_right)) =
            (self.of(program, knowledge, left), self.of(program, knowledge, right))
        else {
            return Some(knowledge);
        };
        if equal {
            let both = self.sets.intersection(of_left, of_right);
            if self.sets.members(both).is_empty() {
                return None;
            }
        } else if of_left == of_right && self.sets.only(of_left).is_some() {
            return None;
        }
        for (expr, others) in [(left, of_right), (right, of_left)] {
            self.restrict(program, (node, &mut knowledge), expr, others, equal);
        }
        Some(knowledge)
    }

    /// Removes values of an expression. If `equal`, it keeps the members of `others`; else it
    /// removes the only member of `others`.
    fn restrict(
        &mut self,
        program: &Program,
        (node, knowledge): (Node, &mut Map),
        expr: ExprId,
        others: SetRef,
        equal: bool,
    ) {
        if !equal && self.sets.only(others).is_none() {
            return;
        }
        if let Some(variable) = program.expressions.as_variable(expr) {
            let Some(now) = self.of(program, *knowledge, expr) else { return };
            let now = match equal {
                true => self.sets.intersection(now, others),
                false => self.sets.difference(now, others),
            };
            *knowledge = self.with(node, *knowledge, variable, now);
        } else if let Shape::Access { map, key } = program.expressions.shape(expr)
            && let Some(root) = program.expressions.as_name(map)
            && let Some(variable) = program.expressions.as_variable(key)
            && let Some(Val::Map(map)) = program.constant(root)
        {
            let Some(keys) = self.of(program, *knowledge, key) else { return };
            let selected = match self.selected.get(&(root, keys, others, equal)) {
                Some(&selected) => selected,
                None => {
                    let value = |key: u32| match map
                        .keys
                        .binary_search_by_key(&(key as usize), |name| name.index())
                    {
                        Ok(index) => Some(&map.values[index]),
                        Err(_) => map.default.as_ref(),
                    };
                    let selected: Vec<u32> = (self.sets.members(keys).iter().copied())
                        .filter(|&key| match value(key) {
                            Some(Val::Symbol(symbol)) => {
                                self.sets.has(others, symbol.index() as u32) == equal
                            }
                            _ => true,
                        })
                        .collect();
                    let selected = self.sets.of(&selected);
                    self.selected.insert((root, keys, others, equal), selected);
                    selected
                }
            };
            *knowledge = self.with(node, *knowledge, variable, selected);
        }
    }
}

/// The value sets of all variables, by node.
pub struct Values {
    /// The sets in this knowledge.
    pub sets: RefCell<ValueSets>,
    at: Solution<Map>,
}

impl Values {
    /// The value sets of a program in its current form.
    pub fn of(program: &Program, meter: &Meter<'_>) -> Result<Rc<Values>, Exhausted> {
        program.find(|program| {
            let mut sets = ValueSets::new(Live::of(program, meter)?);
            let at = solve(program, &mut sets, meter)?;
            Ok(Values { sets: RefCell::new(sets), at })
        })
    }

    /// The knowledge of a node.
    pub fn at(&self, node: Node) -> Option<Map> {
        self.at.at(node).copied()
    }
}

impl Finding for Values {
    fn bytes(&self) -> usize {
        self.sets.borrow().bytes() + self.at.bytes()
    }
}

impl Analysis for ValueSets {
    type Knowledge = Map;

    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&mut self, program: &Program, node: Node) -> Option<Map> {
        let mut knowledge = Map::EMPTY;
        for name in program.all_variables() {
            if let Some(all) = self.of_type(program, program.ty_of(name)) {
                self.all.insert(name.index() as u32, all);
            }
        }
        for name in program.all_variables() {
            if let Some(value) = program.initial(name) {
                let set = self.leaves_of_value(value);
                knowledge = self.with(node, knowledge, name, set);
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
        match edge.label {
            Label::Skip | Label::Reach { .. } | Label::Tag(_) | Label::TagVariable(_) => {}
            Label::Compare { left, right, equal } => {
                return self.compare(program, (edge.to, knowledge), (left, right), equal);
            }
            Label::Assign { target, .. } | Label::AssignAny { target, .. } => {
                let new = match edge.label {
                    Label::Assign { value, .. } => self.leaves(program, knowledge, value),
                    Label::AssignAny { drawn, .. } => {
                        Some(self.symbols(program.drawn(drawn).to_vec()))
                    }
                    _ => None,
                };
                let root = program.expressions.root(target);
                let number = root.index() as u32;
                let plain = program.expressions.as_variable(target).is_some()
                    && matches!(program.expressions.ty(target), Ty::Set(_));
                match (new, self.forest.get(knowledge, number)) {
                    (Some(new), _) if plain => {
                        let own = self.of_type(program, program.expressions.ty(target));
                        let new = own.map_or(new, |own| self.sets.intersection(own, new));
                        if self.sets.members(new).is_empty() {
                            return None;
                        }
                        knowledge = self.with(edge.to, knowledge, root, new);
                    }
                    // The other entries of the map stay as they were.
                    (Some(new), Some(old)) => {
                        let both = self.sets.union(old, new);
                        knowledge = self.with(edge.to, knowledge, root, both);
                    }
                    _ if self.live.has(edge.to, root) => {
                        knowledge = self.forest.remove(knowledge, number)
                    }
                    _ => {}
                }
            }
        }
        Some(knowledge)
    }

    fn join(&mut self, node: Node, one: &Map, other: &Map) -> Map {
        let (sets, all) = (&mut self.sets, &self.all);
        let mut union = |variable, left, right| {
            let both = sets.union(left, right);
            (all.get(&variable) != Some(&both)).then_some(both)
        };
        self.forest.common(*one, *other, self.live.at(node), Rule::Join, &mut union)
    }

    /// Gives up each set that differs: sets of positions on a board grow by one in each round.
    fn widen(&mut self, node: Node, one: &Map, other: &Map) -> Map {
        let sets = &mut self.sets;
        let mut same = |_, left, right| {
            let both = sets.union(left, right);
            (both == left).then_some(left)
        };
        self.forest.common(*one, *other, self.live.at(node), Rule::Widen, &mut same)
    }

    /// Gives up all sets if any differs: in chess each round finds new squares for pieces.
    fn give_up(&mut self, _: Node, one: &Map, other: &Map) -> Map {
        if one == other { *one } else { Map::EMPTY }
    }

    fn bytes(&self) -> usize {
        self.forest.bytes() + self.sets.bytes()
    }
}
