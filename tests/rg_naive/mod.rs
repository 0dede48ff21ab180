//! Regular games straight from the definition (RG, section 2): semistates are maps from names
//! to values, which are cloned; a search keeps everything that it has seen in a set.

pub mod generator;
mod others;

use gdlr::rg::{Base, Description, Edge, Expr, Label, Name, SimpleType, Type, Value};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// How many semistates a search may see.
const MAX_SEEN: usize = 600;

/// How many edges may be looked at for the moves of a state.
const MAX_EDGES: usize = 20_000;

/// A value; a map has all its keys.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Val {
    Symbol(Name),
    Map(BTreeMap<Name, Val>),
}

#[derive(Clone, Debug)]
enum Ty {
    Set(BTreeSet<Name>),
    Map(BTreeSet<Name>, Box<Ty>),
}

pub type Semistate = BTreeMap<Name, Val>;
pub type State = (Name, Semistate);
pub type Move = (Vec<Name>, State);

/// A case that the definition does not allow, or that is too much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// An action is not valid, or a reachability check needs itself.
    Invalid,
    TooMuch,
}

pub struct Game {
    description: Description,
    pub constants: BTreeMap<Name, Val>,
    variables: BTreeMap<Name, Ty>,
    /// Of variables and constants that are maps.
    defaults: BTreeMap<Name, Val>,
    pub initial: State,
    /// How many edges have been looked at.
    edges: Cell<usize>,
}

impl Game {
    pub fn new(description: &Description) -> Game {
        let mut description = description.clone();
        description.add_built_ins();
        let mut game = Game {
            constants: BTreeMap::new(),
            variables: BTreeMap::new(),
            defaults: BTreeMap::new(),
            initial: (Name::BEGIN, BTreeMap::new()),
            edges: Cell::new(0),
            description,
        };
        for constant in game.description.constants.clone() {
            let ty = game.ty(&constant.type_);
            let value = game.constant(&constant.value, &ty);
            let default = game.default(&constant.value, &ty);
            game.defaults.extend(default.map(|default| (constant.name.name, default)));
            game.constants.insert(constant.name.name, value);
        }
        for variable in game.description.variables.clone() {
            let ty = game.ty(&variable.type_);
            let value = game.constant(&variable.initial, &ty);
            let default = game.default(&variable.initial, &ty);
            game.defaults.extend(default.map(|default| (variable.name.name, default)));
            game.initial.1.insert(variable.name.name, value);
            game.variables.insert(variable.name.name, ty);
        }
        game
    }

    fn named(&self, name: Name) -> Ty {
        let mut aliases = self.description.types.iter();
        self.ty(&aliases.find(|alias| alias.name.name == name).expect("a type").type_)
    }

    fn simple(&self, type_: &SimpleType) -> Ty {
        match type_ {
            SimpleType::Named(name) => self.named(name.name),
            SimpleType::Set(set) => Ty::Set(set.members.iter().map(|m| m.name).collect()),
        }
    }

    fn ty(&self, type_: &Type) -> Ty {
        type_.keys.iter().rev().fold(self.simple(&type_.value), |value, key| {
            let Ty::Set(keys) = self.simple(key) else { panic!("keys are symbols") };
            Ty::Map(keys, Box::new(value))
        })
    }

    /// The value that is written where a constant or variable, whatever comes first, is defined.
    fn definition(&self, name: Name) -> Option<&Value> {
        let mut constants = self.description.constants.iter();
        let mut variables = self.description.variables.iter();
        constants
            .find(|constant| constant.name.name == name)
            .map(|constant| &constant.value)
            .or_else(|| variables.find(|v| v.name.name == name).map(|v| &v.initial))
    }

    fn is_constant(&self, name: Name) -> bool {
        self.description.constants.iter().any(|constant| constant.name.name == name)
    }

    /// A value of a type; a constant of another type has what is written where it is defined.
    fn constant(&self, value: &Value, ty: &Ty) -> Val {
        match (value, ty) {
            (Value::Name(name), _) if self.is_constant(name.name) => {
                self.constant(self.definition(name.name).expect("a constant"), ty)
            }
            (Value::Name(name), _) => Val::Symbol(name.name),
            (Value::Map(map), Ty::Map(keys, ty)) => {
                let of = |key: Name| {
                    let own = map.entries.iter().find(|e| e.key.is_some_and(|k| k.name == key));
                    let entry = own.or_else(|| map.entries.iter().find(|e| e.key.is_none()));
                    self.constant(&entry.expect("a default").value, ty)
                };
                Val::Map(keys.iter().map(|&key| (key, of(key))).collect())
            }
            _ => panic!("the value is of its type"),
        }
    }

    fn eval(&self, expr: &Expr, state: &Semistate) -> Result<Val, Fault> {
        let keys: Vec<Name> = (expr.keys.iter())
            .map(|key| match self.eval(key, state)? {
                Val::Symbol(key) => Ok(key),
                Val::Map(_) => panic!("types are checked"),
            })
            .collect::<Result<_, _>>()?;
        Ok(self.access(&expr.base, &keys, state)?.0)
    }

    /// The value under some keys, and where it is: of which name, under which keys.
    fn access(
        &self,
        base: &Base,
        keys: &[Name],
        state: &Semistate,
    ) -> Result<(Val, (Name, Vec<Name>)), Fault> {
        let name = match base {
            Base::Name(name) => name.name,
            Base::Cast(ty, inner) => {
                // A value under a key of a cast map is cast, too.
                let mut ty = self.named(ty.name);
                for key in keys {
                    let Ty::Map(own, deeper) = ty else { panic!("types are checked") };
                    own.contains(key).then_some(()).ok_or(Fault::Invalid)?;
                    ty = *deeper;
                }
                let mut all = Vec::new();
                for key in &inner.keys {
                    let Val::Symbol(key) = self.eval(key, state)? else { panic!("a symbol") };
                    all.push(key);
                }
                all.extend(keys);
                let (value, place) = self.access(&inner.base, &all, state)?;
                let value = self.cast(&value, &place, &ty);
                return fits(&value, &ty).then_some((value, place)).ok_or(Fault::Invalid);
            }
        };
        let base_value = self.constants.get(&name).or_else(|| state.get(&name));
        let mut value = base_value.cloned().unwrap_or(Val::Symbol(name));
        for (number, key) in keys.iter().enumerate() {
            let Val::Map(map) = value else { panic!("types are checked") };
            let default = || self.defaults.get(&name).filter(|_| number == 0);
            value = map.get(key).or_else(default).cloned().ok_or(Fault::Invalid)?;
        }
        Ok((value, (name, keys.to_vec())))
    }

    /// A map with the keys of a type: under each what stands there, else the default of the place.
    fn cast(&self, value: &Val, place: &(Name, Vec<Name>), ty: &Ty) -> Val {
        let (Val::Map(map), Ty::Map(keys, ty)) = (value, ty) else { return value.clone() };
        let of = |key: Name| match map.get(&key) {
            Some(value) => {
                let deeper = place.1.iter().copied().chain([key]).collect();
                self.cast(value, &(place.0, deeper), ty)
            }
            None => self.constant(self.default_at(place), ty),
        };
        Val::Map(keys.iter().map(|&key| (key, of(key))).collect())
    }

    /// The default of a place, as it is written.
    fn default_at(&self, (name, keys): &(Name, Vec<Name>)) -> &Value {
        let mut value = self.definition(*name).expect("a definition");
        for key in keys.iter().copied().map(Some).chain([None]) {
            while let Value::Name(name) = value {
                value = self.definition(name.name).expect("a constant");
            }
            let Value::Map(map) = value else { panic!("a map") };
            let of = |key: Option<Name>| {
                map.entries.iter().find(|entry| entry.key.map(|key| key.name) == key)
            };
            value = &of(key).or_else(|| of(None)).expect("a default").value;
        }
        value
    }

    /// Whether two expressions are equal: maps are so if they are under every key of either.
    fn equal(&self, left: &Expr, right: &Expr, state: &Semistate) -> Result<bool, Fault> {
        let [(left, of_left), (right, of_right)] =
            [self.access_of(left, state)?, self.access_of(right, state)?];
        let ty = joined(&left, &right);
        Ok(match ty {
            None => left == right,
            Some(ty) => self.cast(&left, &of_left, &ty) == self.cast(&right, &of_right, &ty),
        })
    }

    fn access_of(&self, expr: &Expr, state: &Semistate) -> Result<(Val, (Name, Vec<Name>)), Fault> {
        let mut keys = Vec::new();
        for key in &expr.keys {
            let Val::Symbol(key) = self.eval(key, state)? else { panic!("a symbol") };
            keys.push(key);
        }
        self.access(&expr.base, &keys, state)
    }

    /// The value of a map at a symbol that is no key of its type.
    fn default(&self, value: &Value, ty: &Ty) -> Option<Val> {
        match (value, ty) {
            (Value::Name(name), _) if self.is_constant(name.name) => {
                self.default(self.definition(name.name).expect("a constant"), ty)
            }
            (Value::Map(map), Ty::Map(_, ty)) => {
                let default = map.entries.iter().find(|entry| entry.key.is_none())?;
                Some(self.constant(&default.value, ty))
            }
            _ => None,
        }
    }

    fn assign(
        &self,
        target: &Expr,
        (value, of): (Val, (Name, Vec<Name>)),
        state: &Semistate,
    ) -> Result<Semistate, Fault> {
        let mut after = state.clone();
        let Base::Name(name) = target.base else { panic!("no casts of targets here") };
        let mut place = after.get_mut(&name.name).expect("a variable");
        let mut ty = &self.variables[&name.name];
        for key in &target.keys {
            let (Val::Map(map), Ty::Map(_, inner)) = (place, ty) else { panic!("a map") };
            let Val::Symbol(key) = self.eval(key, state)? else { panic!("a symbol") };
            place = map.get_mut(&key).ok_or(Fault::Invalid)?;
            ty = inner;
        }
        let value = self.cast(&value, &of, ty);
        if !fits(&value, ty) {
            return Err(Fault::Invalid);
        }
        *place = value;
        Ok(after)
    }

    /// The semistates that an edge leads to, each with a tag if it has one.
    pub fn apply(
        &self,
        edge: &Edge,
        state: &Semistate,
        within: &mut Vec<(Name, Name)>,
    ) -> Result<Vec<(Option<Name>, Semistate)>, Fault> {
        self.edges.set(self.edges.get() + 1);
        if self.edges.get() > MAX_EDGES {
            return Err(Fault::TooMuch);
        }
        let alone = |tag| vec![(tag, state.clone())];
        Ok(match &edge.label {
            Label::Skip => alone(None),
            Label::Tag(tag) => alone(Some(tag.name)),
            Label::TagVariable(variable) => match state[&variable.name] {
                Val::Symbol(symbol) => alone(Some(symbol)),
                Val::Map(_) => panic!("a symbol"),
            },
            Label::Compare { left, right, equal } => {
                let same = self.equal(left, right, state)?;
                if same == *equal { alone(None) } else { Vec::new() }
            }
            Label::Assign { target, value } => {
                vec![(None, self.assign(target, self.access_of(value, state)?, state)?)]
            }
            Label::AssignAny { target, values } => {
                let Ty::Set(symbols) = self.ty(values) else { panic!("a set") };
                let mut all = Vec::new();
                for symbol in symbols {
                    let value = (Val::Symbol(symbol), (symbol, Vec::new()));
                    all.push((None, self.assign(target, value, state)?));
                }
                all
            }
            Label::Reach { from, to, negated } => {
                let reached = self.reaches((from.name, to.name), state, within)?;
                if reached != *negated { alone(None) } else { Vec::new() }
            }
        })
    }

    /// The edges that leave a node.
    pub fn leaving(&self, node: Name) -> impl Iterator<Item = &Edge> {
        self.description.edges.iter().filter(move |edge| edge.from.name == node)
    }

    fn reaches(
        &self,
        check: (Name, Name),
        state: &Semistate,
        within: &mut Vec<(Name, Name)>,
    ) -> Result<bool, Fault> {
        if within.contains(&check) {
            return Err(Fault::Invalid);
        }
        within.push(check);
        let mut seen = BTreeSet::from([(check.0, state.clone())]);
        let mut open: Vec<(Name, Semistate)> = seen.iter().cloned().collect();
        let mut reached = false;
        while let Some((node, state)) = open.pop() {
            if node == check.1 {
                // The others are looked at all the same: their actions must be valid.
                reached = true;
                continue;
            }
            for edge in self.leaving(node) {
                for (_, after) in self.apply(edge, &state, within)? {
                    if seen.insert((edge.to.name, after.clone())) {
                        open.push((edge.to.name, after));
                    }
                }
            }
            if seen.len() > MAX_SEEN {
                return Err(Fault::TooMuch);
            }
        }
        within.pop();
        Ok(reached)
    }

    /// Forgets how much has been done so far.
    pub fn rest(&self) {
        self.edges.set(0);
    }

    /// The moves of a state, by tags; several with the same tags if they are ambiguous.
    pub fn moves(&self, state: &State) -> Result<BTreeSet<Move>, Fault> {
        self.edges.set(0);
        let mut moves = BTreeSet::new();
        let start = (Vec::new(), state.clone());
        let mut seen = BTreeSet::from([start.clone()]);
        let mut open = vec![start];
        while let Some((tags, (node, state))) = open.pop() {
            for edge in self.leaving(node) {
                for (tag, after) in self.apply(edge, &state, &mut Vec::new())? {
                    let tags: Vec<Name> = tags.iter().copied().chain(tag).collect();
                    let next = (tags, (edge.to.name, after));
                    if ends_move(edge) {
                        moves.insert(next);
                    } else if seen.insert(next.clone()) {
                        open.push(next);
                    }
                }
            }
            if seen.len() > MAX_SEEN {
                return Err(Fault::TooMuch);
            }
        }
        Ok(moves)
    }
}

/// A type of maps with the keys of both of two maps, and of anything under them.
fn joined(left: &Val, right: &Val) -> Option<Ty> {
    let (Val::Map(left), Val::Map(right)) = (left, right) else { return None };
    let keys: BTreeSet<Name> = left.keys().chain(right.keys()).copied().collect();
    let deeper = joined(left.values().next()?, right.values().next()?);
    Some(Ty::Map(keys, Box::new(deeper.unwrap_or_else(|| Ty::Set(BTreeSet::new())))))
}

/// Whether a move ends with an edge.
pub fn ends_move(edge: &Edge) -> bool {
    match &edge.label {
        Label::Assign { target, .. } => target.as_name().is_some_and(|n| n.name == Name::PLAYER),
        _ => false,
    }
}

fn fits(value: &Val, ty: &Ty) -> bool {
    match (value, ty) {
        (Val::Symbol(symbol), Ty::Set(set)) => set.contains(symbol),
        (Val::Map(map), Ty::Map(keys, ty)) => {
            map.keys().eq(keys) && map.values().all(|value| fits(value, ty))
        }
        _ => false,
    }
}
