//! Hash-consed expressions: equal expressions have the same number.

use crate::rg::name::Name;
use crate::rg::types::{Ty, Types};
use hashbrown::HashMap;
use std::rc::Rc;

/// An expression of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExprId(u32);

/// The form of an expression. There are no casts: in a proper game they change nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// The name of a constant or a variable, otherwise a symbol.
    Name(Name),
    /// `map[key]`
    Access {
        /// The map.
        map: ExprId,
        /// The key.
        key: ExprId,
    },
}

/// The meaning of a name in an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A constant of a type.
    Constant(Ty),
    /// A variable of a type.
    Variable(Ty),
    /// A symbol.
    Symbol,
}

#[derive(Debug)]
struct Expression {
    shape: Shape,
    ty: Ty,
    /// The variables that its value depends on, in order.
    reads: Rc<[Name]>,
    /// The number of accesses in it.
    accesses: u32,
}

/// The expressions of a program, and the meanings of their names.
#[derive(Debug, Default)]
pub struct Expressions {
    all: Vec<Expression>,
    numbers: HashMap<Shape, ExprId>,
    kinds: HashMap<Name, Kind>,
    nothing: Rc<[Name]>,
}

impl Expressions {
    /// Defines the meaning of a name. No expression may have used the name as a symbol before.
    pub fn define(&mut self, name: Name, kind: Kind) {
        debug_assert!(!self.numbers.contains_key(&Shape::Name(name)), "not in use yet");
        self.kinds.entry(name).or_insert(kind);
    }

    /// Turns a variable into a constant of the same type. Linear in all expressions.
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

    /// The meaning of a name.
    pub fn kind(&self, name: Name) -> Kind {
        self.kinds.get(&name).copied().unwrap_or(Kind::Symbol)
    }

    /// The expression of a name.
    pub fn name(&mut self, name: Name) -> ExprId {
        if let Some(&existing) = self.numbers.get(&Shape::Name(name)) {
            return existing;
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
        if let Some(&existing) = self.numbers.get(&shape) {
            return existing;
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

    /// The form of an expression.
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

    /// The number of accesses in an expression, which is the cost of its evaluation.
    pub fn accesses(&self, expr: ExprId) -> u32 {
        self.get(expr).accesses
    }

    /// The name, if the expression is a name.
    pub fn as_name(&self, expr: ExprId) -> Option<Name> {
        match self.shape(expr) {
            Shape::Name(name) => Some(name),
            Shape::Access { .. } => None,
        }
    }

    /// The variable, if the expression is a whole variable.
    pub fn as_variable(&self, expr: ExprId) -> Option<Name> {
        self.as_name(expr).filter(|&name| matches!(self.kind(name), Kind::Variable(_)))
    }

    /// The symbol, if the expression is a symbol.
    pub fn as_symbol(&self, expr: ExprId) -> Option<Name> {
        self.as_name(expr).filter(|&name| self.kind(name) == Kind::Symbol)
    }

    /// The root of an expression and its keys, from the innermost access on. For `m[a][b]` that is
    /// `m`, and `a`, `b`.
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

    /// The root of an expression: `m` for `m[a][b]`.
    pub fn root(&self, expr: ExprId) -> Name {
        let mut at = expr;
        loop {
            match self.shape(at) {
                Shape::Name(name) => return name,
                Shape::Access { map, .. } => at = map,
            }
        }
    }

    /// The variables that an assignment to an expression reads for its keys, with repetitions.
    pub fn reads_of_target(&self, target: ExprId) -> Vec<Name> {
        let keys = self.parts(target).1;
        keys.iter().flat_map(|&key| self.reads(key).iter().copied()).collect()
    }

    /// The expression with each name replaced by `with`, where that returns an expression.
    ///
    /// The depth of the recursion is bounded by the reader, and by the length that *inline
    /// assignment* allows.
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
