//! Expressions as numbers: equal ones are one.

use crate::rg::name::Name;
use crate::rg::types::{Ty, Types};
use hashbrown::HashMap;
use std::rc::Rc;

/// An expression of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExprId(u32);

/// What an expression is made of. There are no casts: in a proper game they change nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// A constant, a variable, or else a symbol.
    Name(Name),
    /// `map[key]`
    Access {
        /// What is looked up in.
        map: ExprId,
        /// What is looked up.
        key: ExprId,
    },
}

/// What a name means in an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A value that never changes.
    Constant(Ty),
    /// A part of the state.
    Variable(Ty),
    /// Itself.
    Symbol,
}

#[derive(Debug)]
struct Expression {
    shape: Shape,
    ty: Ty,
    /// The variables that its value depends on, in order.
    reads: Rc<[Name]>,
    /// How many accesses it has.
    accesses: u32,
}

/// The expressions of a program, and what the names in them mean.
#[derive(Debug, Default)]
pub struct Expressions {
    all: Vec<Expression>,
    numbers: HashMap<Shape, ExprId>,
    kinds: HashMap<Name, Kind>,
    nothing: Rc<[Name]>,
}

impl Expressions {
    /// Says what a name means. What stands for a symbol until then is changed with it.
    pub fn define(&mut self, name: Name, kind: Kind) {
        debug_assert!(!self.numbers.contains_key(&Shape::Name(name)), "not in use yet");
        self.kinds.entry(name).or_insert(kind);
    }

    /// Lets a variable be a constant of the same type; linear in all expressions.
    pub fn freeze(&mut self, name: Name) {
        if let Kind::Variable(ty) = self.kind(name) {
            self.kinds.insert(name, Kind::Constant(ty));
        }
        for expression in &mut self.all {
            if expression.reads.binary_search(&name).is_ok() {
                let others = expression.reads.iter().copied().filter(|&read| read != name);
                expression.reads = others.collect();
            }
        }
    }

    /// What a name means.
    pub fn kind(&self, name: Name) -> Kind {
        self.kinds.get(&name).copied().unwrap_or(Kind::Symbol)
    }

    /// The expression of a name.
    pub fn name(&mut self, name: Name) -> ExprId {
        if let Some(&known) = self.numbers.get(&Shape::Name(name)) {
            return known;
        }
        let (ty, reads) = match self.kind(name) {
            Kind::Constant(ty) => (ty, Rc::clone(&self.nothing)),
            Kind::Variable(ty) => (ty, Rc::from([name])),
            Kind::Symbol => (Ty::Symbol(name), Rc::clone(&self.nothing)),
        };
        self.add(Expression { shape: Shape::Name(name), ty, reads, accesses: 0 })
    }

    /// The expression `map[key]`.
    pub fn access(&mut self, types: &Types, map: ExprId, key: ExprId) -> ExprId {
        let shape = Shape::Access { map, key };
        if let Some(&known) = self.numbers.get(&shape) {
            return known;
        }
        let ty = match self.ty(map) {
            Ty::Map(map) => types.map(map).1,
            _ => Ty::Unknown,
        };
        let (of_map, of_key) = (&self.get(map).reads, &self.get(key).reads);
        let reads = match (of_map.is_empty(), of_key.is_empty()) {
            (true, _) => Rc::clone(of_key),
            (_, true) => Rc::clone(of_map),
            _ => {
                let mut both: Vec<Name> = of_map.iter().chain(of_key.iter()).copied().collect();
                both.sort_unstable();
                both.dedup();
                both.into()
            }
        };
        let accesses = self.accesses(map).saturating_add(self.accesses(key)).saturating_add(1);
        self.add(Expression { shape, ty, reads, accesses })
    }

    fn add(&mut self, expression: Expression) -> ExprId {
        let number = ExprId(u32::try_from(self.all.len()).expect("fewer than 2^32 expressions"));
        self.numbers.insert(expression.shape, number);
        self.all.push(expression);
        number
    }

    fn get(&self, expr: ExprId) -> &Expression {
        &self.all[expr.0 as usize]
    }

    /// What an expression is made of.
    pub fn shape(&self, expr: ExprId) -> Shape {
        self.get(expr).shape
    }

    /// The type of an expression.
    pub fn ty(&self, expr: ExprId) -> Ty {
        self.get(expr).ty
    }

    /// The variables that the value of an expression depends on, in order.
    pub fn reads(&self, expr: ExprId) -> &Rc<[Name]> {
        &self.get(expr).reads
    }

    /// Whether the value of an expression depends on a variable.
    pub fn mentions(&self, expr: ExprId, variable: Name) -> bool {
        self.reads(expr).binary_search(&variable).is_ok()
    }

    /// How many accesses an expression has: what it costs to evaluate.
    pub fn accesses(&self, expr: ExprId) -> u32 {
        self.get(expr).accesses
    }

    /// The name, if an expression is nothing else.
    pub fn as_name(&self, expr: ExprId) -> Option<Name> {
        match self.shape(expr) {
            Shape::Name(name) => Some(name),
            Shape::Access { .. } => None,
        }
    }

    /// The variable, if an expression is nothing else.
    pub fn as_variable(&self, expr: ExprId) -> Option<Name> {
        self.as_name(expr).filter(|&name| matches!(self.kind(name), Kind::Variable(_)))
    }

    /// The symbol, if an expression is nothing else.
    pub fn as_symbol(&self, expr: ExprId) -> Option<Name> {
        self.as_name(expr).filter(|&name| self.kind(name) == Kind::Symbol)
    }

    /// The name that the first key is looked up in, or the name itself, and the keys in the
    /// order in which they are looked up.
    pub fn parts(&self, expr: ExprId) -> (Name, Vec<ExprId>) {
        let mut keys = Vec::new();
        let mut at = expr;
        loop {
            match self.shape(at) {
                Shape::Name(name) => {
                    keys.reverse();
                    return (name, keys);
                }
                Shape::Access { map, key } => {
                    keys.push(key);
                    at = map;
                }
            }
        }
    }

    /// The name that the first key is looked up in, or the name itself.
    pub fn root(&self, expr: ExprId) -> Name {
        let mut at = expr;
        loop {
            match self.shape(at) {
                Shape::Name(name) => return name,
                Shape::Access { map, .. } => at = map,
            }
        }
    }

    /// The variables that an assignment to an expression reads, those of its keys, with
    /// repetitions.
    pub fn reads_of_target(&self, target: ExprId) -> Vec<Name> {
        let keys = self.parts(target).1;
        keys.iter().flat_map(|&key| self.reads(key).iter().copied()).collect()
    }

    /// The expression with what a function says for its names. Where the function says nothing
    /// the name stays.
    ///
    /// The recursion is bounded by what a reader accepts, and by what the transformation
    /// *inline assignment* makes of it.
    pub fn replace(
        &mut self,
        types: &Types,
        expr: ExprId,
        with: &mut impl FnMut(Name) -> Option<ExprId>,
    ) -> ExprId {
        match self.shape(expr) {
            Shape::Name(name) => with(name).unwrap_or(expr),
            Shape::Access { map, key } => {
                let (new_map, new_key) =
                    (self.replace(types, map, with), self.replace(types, key, with));
                match (new_map, new_key) == (map, key) {
                    true => expr,
                    false => self.access(types, new_map, new_key),
                }
            }
        }
    }
}

impl ExprId {
    /// The number of the expression.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
