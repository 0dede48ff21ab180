//! Ground terms as numbers, equal exactly where the terms are; patterns, and matching.

use crate::gdl::{Symbol, Term};
use gdlr_text::heap::Heap;
use hashbrown::HashMap;

/// How deep a term may be that rules make, so that whatever walks a term may recurse.
pub(super) const MOST_DEPTH: u16 = 512;

/// A ground term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct TermId(pub(super) u32);

impl Heap for TermId {
    fn heap(&self) -> usize {
        0
    }
}

impl TermId {
    /// No term: a variable that is not bound.
    pub(super) const NONE: TermId = TermId(u32::MAX);

    /// Whether this is a term.
    pub(super) fn is_some(self) -> bool {
        self != TermId::NONE
    }
}

/// By variable of a rule: its value.
pub(super) type Bindings = Box<[TermId]>;

/// The outermost name of a ground term.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Node {
    Constant(Symbol),
    Function(Symbol, Box<[TermId]>),
}

/// A piece of a [`Pattern`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Piece {
    /// A ground term.
    Ground(TermId),
    /// A variable, numbered by its first appearance.
    Free(u16),
    /// A function of so many arguments, which are the next pieces.
    Open(Symbol, u16),
}

/// The arguments of a sentence in which some variables are bound, written from left to right.
/// Two are equal exactly if the same rows match them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Pattern(pub(super) Box<[Piece]>);

impl Heap for Piece {
    fn heap(&self) -> usize {
        0
    }
}

impl Pattern {
    /// Whether no variable is free.
    pub(super) fn is_ground(&self) -> bool {
        self.0.iter().all(|piece| matches!(piece, Piece::Ground(_)))
    }

    /// The row that a ground pattern is.
    pub(super) fn row(&self) -> Option<Box<[TermId]>> {
        let term = |piece: &Piece| match piece {
            Piece::Ground(term) => Some(*term),
            _ => None,
        };
        self.0.iter().map(term).collect()
    }
}

/// All ground terms that were met.
#[derive(Clone, Debug, Default)]
pub(super) struct Terms {
    nodes: Vec<Node>,
    /// By term: how deep functions nest.
    depths: Vec<u16>,
    numbers: HashMap<Node, TermId>,
}

impl Terms {
    /// How deep the deepest term is.
    pub(super) fn deepest(&self) -> u16 {
        self.depths.iter().copied().max().unwrap_or(0)
    }

    /// The number of a constant.
    pub(super) fn constant(&mut self, name: Symbol) -> TermId {
        self.number(Node::Constant(name))
    }

    /// The number of a ground term; `None` if it has a variable.
    pub(super) fn intern(&mut self, term: &Term) -> Option<TermId> {
        self.instance(term, &[])
    }

    /// The number of a term with its variables replaced; `None` if one is not bound.
    pub(super) fn instance(&mut self, term: &Term, bound: &[TermId]) -> Option<TermId> {
        match term {
            Term::Variable(v) => {
                bound.get(usize::from(v.0)).copied().filter(|value| value.is_some())
            }
            Term::Constant(name) => Some(self.constant(*name)),
            Term::Function(name, args) => {
                let args = self.row(args, bound)?;
                Some(self.number(Node::Function(*name, args)))
            }
        }
    }

    /// The numbers of several terms.
    pub(super) fn row(&mut self, args: &[Term], bound: &[TermId]) -> Option<Box<[TermId]>> {
        args.iter().map(|arg| self.instance(arg, bound)).collect()
    }

    fn number(&mut self, node: Node) -> TermId {
        if let Some(&known) = self.numbers.get(&node) {
            return known;
        }
        let number = TermId(self.nodes.len() as u32);
        let depth = match &node {
            Node::Constant(_) => 0,
            Node::Function(_, args) => {
                let deepest = args.iter().map(|arg| self.depths[arg.0 as usize]).max();
                deepest.unwrap_or(0).saturating_add(1)
            }
        };
        self.depths.push(depth);
        self.nodes.push(node.clone());
        self.numbers.insert(node, number);
        number
    }

    /// How deep functions nest in a term.
    pub(super) fn depth(&self, term: TermId) -> u16 {
        self.depths[term.0 as usize]
    }

    /// The function of a term and its arguments; `None` for a constant.
    pub(super) fn function(&self, term: TermId) -> Option<(Symbol, &[TermId])> {
        match &self.nodes[term.0 as usize] {
            Node::Constant(_) => None,
            Node::Function(name, args) => Some((*name, args)),
        }
    }

    /// The name of a term that is a constant.
    pub(super) fn as_constant(&self, term: TermId) -> Option<Symbol> {
        match self.nodes[term.0 as usize] {
            Node::Constant(name) => Some(name),
            Node::Function(..) => None,
        }
    }

    /// The term with this number.
    pub(super) fn term(&self, term: TermId) -> Term {
        match &self.nodes[term.0 as usize] {
            Node::Constant(name) => Term::Constant(*name),
            Node::Function(name, args) => {
                Term::Function(*name, args.iter().map(|&arg| self.term(arg)).collect())
            }
        }
    }

    /// A term in which the variables that are bound are replaced.
    pub(super) fn partly(&self, term: &Term, bound: &[TermId]) -> Term {
        match term {
            Term::Variable(v) => match bound.get(usize::from(v.0)) {
                Some(&value) if value.is_some() => self.term(value),
                _ => term.clone(),
            },
            Term::Constant(_) => term.clone(),
            Term::Function(name, args) => {
                Term::Function(*name, args.iter().map(|arg| self.partly(arg, bound)).collect())
            }
        }
    }

    /// Extends the bindings so that the term becomes this ground one; false if there is no way,
    /// and then some variables may have been bound.
    pub(super) fn unify(&self, term: &Term, ground: TermId, bound: &mut [TermId]) -> bool {
        match term {
            Term::Variable(v) => {
                let value = &mut bound[usize::from(v.0)];
                if !value.is_some() {
                    *value = ground;
                }
                *value == ground
            }
            Term::Constant(name) => self.as_constant(ground) == Some(*name),
            Term::Function(name, args) => match self.function(ground) {
                Some((other, values)) => *name == other && self.unify_all(args, values, bound),
                None => false,
            },
        }
    }

    /// The same for several terms.
    pub(super) fn unify_all(&self, args: &[Term], row: &[TermId], bound: &mut [TermId]) -> bool {
        args.len() == row.len()
            && args.iter().zip(row).all(|(arg, &value)| self.unify(arg, value, bound))
    }

    /// The pattern of arguments under bindings.
    pub(super) fn pattern(&mut self, args: &[Term], bound: &[TermId]) -> Pattern {
        let (mut pieces, mut free) = (Vec::with_capacity(args.len()), Vec::new());
        args.iter().for_each(|arg| self.pieces(arg, bound, &mut pieces, &mut free));
        Pattern(pieces.into())
    }

    fn pieces(
        &mut self,
        term: &Term,
        bound: &[TermId],
        pieces: &mut Vec<Piece>,
        free: &mut Vec<u16>,
    ) {
        if let Some(ground) = self.instance(term, bound) {
            pieces.push(Piece::Ground(ground));
            return;
        }
        match term {
            Term::Variable(v) => {
                let place = free.iter().position(|other| *other == v.0).unwrap_or_else(|| {
                    free.push(v.0);
                    free.len() - 1
                });
                pieces.push(Piece::Free(place as u16));
            }
            Term::Constant(_) => {}
            Term::Function(name, args) => {
                pieces.push(Piece::Open(*name, args.len() as u16));
                args.iter().for_each(|arg| self.pieces(arg, bound, pieces, free));
            }
        }
    }

    /// Binds what a pattern says about the arguments of a head; false if no row can be both an
    /// instance of the head and match the pattern. What two free variables have in common is not
    /// looked at: see [`Terms::accepts`].
    pub(super) fn meets(&self, head: &[Term], pattern: &Pattern, bound: &mut [TermId]) -> bool {
        let mut pieces = &pattern.0[..];
        head.iter().all(|term| self.meet(term, &mut pieces, bound))
    }

    fn meet(&self, term: &Term, pieces: &mut &[Piece], bound: &mut [TermId]) -> bool {
        let Some((&piece, rest)) = pieces.split_first() else { return false };
        *pieces = rest;
        match (piece, term) {
            (Piece::Ground(ground), _) => self.unify(term, ground, bound),
            (Piece::Free(_), _) => true,
            (Piece::Open(name, arity), Term::Function(other, args)) => {
                name == *other
                    && usize::from(arity) == args.len()
                    && args.iter().all(|arg| self.meet(arg, pieces, bound))
            }
            (Piece::Open(..), Term::Constant(_)) => false,
            (Piece::Open(_, arity), Term::Variable(v)) => match bound[usize::from(v.0)] {
                // The head may still bind it; the rows that it gives are compared then.
                value if !value.is_some() => {
                    skip(pieces, arity);
                    true
                }
                value => self.matches(piece, value, pieces, &mut Vec::new()),
            },
        }
    }

    /// Whether a row matches a pattern.
    pub(super) fn accepts(&self, pattern: &Pattern, row: &[TermId]) -> bool {
        let (mut pieces, mut free) = (&pattern.0[..], Vec::new());
        row.iter().all(|&value| {
            let Some((&piece, rest)) = pieces.split_first() else { return false };
            pieces = rest;
            self.matches(piece, value, &mut pieces, &mut free)
        })
    }

    /// Whether a term matches a piece and those that belong to it. `free` has the values of the
    /// free variables.
    fn matches(
        &self,
        piece: Piece,
        value: TermId,
        pieces: &mut &[Piece],
        free: &mut Vec<TermId>,
    ) -> bool {
        match piece {
            Piece::Ground(ground) => ground == value,
            Piece::Free(number) => {
                let number = usize::from(number);
                if free.len() <= number {
                    free.resize(number + 1, TermId::NONE);
                }
                if !free[number].is_some() {
                    free[number] = value;
                }
                free[number] == value
            }
            Piece::Open(name, arity) => match self.function(value) {
                Some((other, args)) if name == other && args.len() == usize::from(arity) => {
                    args.iter().all(|&arg| {
                        let Some((&piece, rest)) = pieces.split_first() else { return false };
                        *pieces = rest;
                        self.matches(piece, arg, pieces, free)
                    })
                }
                _ => false,
            },
        }
    }
}

impl Terms {
    /// Whether an argument of a pattern is deeper than the limit.
    pub(super) fn is_deep(&self, pattern: &Pattern, limit: u16) -> bool {
        let mut pieces = &pattern.0[..];
        while !pieces.is_empty() {
            if self.take(&mut pieces).1 > limit {
                return true;
            }
        }
        false
    }

    /// The pattern with a variable of its own in the place of every argument that is deeper than
    /// the limit: whatever matches the pattern matches that, too.
    pub(super) fn general(&self, pattern: &Pattern, limit: u16) -> Pattern {
        let (mut pieces, mut general, mut free) = (&pattern.0[..], Vec::new(), Vec::new());
        while !pieces.is_empty() {
            let (argument, depth) = self.take(&mut pieces);
            if depth > limit {
                general.push(Piece::Free(free.len() as u16));
                free.push(None);
                continue;
            }
            for &piece in argument {
                general.push(match piece {
                    Piece::Free(number) => {
                        let place = free.iter().position(|other| *other == Some(number));
                        Piece::Free(place.unwrap_or_else(|| {
                            free.push(Some(number));
                            free.len() - 1
                        }) as u16)
                    }
                    piece => piece,
                });
            }
        }
        Pattern(general.into())
    }

    /// The pieces of the next argument, and how deep it is.
    fn take<'p>(&self, pieces: &mut &'p [Piece]) -> (&'p [Piece], u16) {
        let whole = *pieces;
        // By function that is open: how many arguments are to come.
        let (mut open, mut deepest): (Vec<u16>, u16) = (Vec::new(), 0);
        while let Some((&piece, rest)) = pieces.split_first() {
            *pieces = rest;
            let own = match piece {
                Piece::Ground(term) => self.depth(term),
                Piece::Free(_) => 0,
                Piece::Open(..) => 1,
            };
            deepest = deepest.max(own.saturating_add(open.len() as u16));
            if let Some(left) = open.last_mut() {
                *left -= 1;
            }
            if let Piece::Open(_, arity) = piece {
                open.push(arity);
            }
            while open.last() == Some(&0) {
                open.pop();
            }
            if open.is_empty() {
                break;
            }
        }
        (&whole[..whole.len() - pieces.len()], deepest)
    }
}

/// Leaves out the arguments of a function.
pub(super) fn skip(pieces: &mut &[Piece], arity: u16) {
    let mut open = usize::from(arity);
    while let (true, Some((&piece, rest))) = (open > 0, pieces.split_first()) {
        *pieces = rest;
        open -= 1;
        if let Piece::Open(_, arity) = piece {
            open += usize::from(arity);
        }
    }
}
