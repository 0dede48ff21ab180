//! What happens on an edge, and what a label reads, writes and asks for.

use super::{ExprId, Node, Program, Shape};
use crate::rg::ast::Type;
use crate::rg::name::Name;
use crate::rg::types::Ty;
use hashbrown::HashSet;
use smallvec::SmallVec;

/// What happens on an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Label {
    /// Nothing.
    Skip,
    /// `target = value`
    Assign {
        /// What changes.
        target: ExprId,
        /// What it becomes.
        value: ExprId,
    },
    /// `target = T(*)`
    AssignAny {
        /// What changes.
        target: ExprId,
        /// The type of the values.
        drawn: DrawnId,
    },
    /// `left == right` or `left != right`
    Compare {
        /// The first expression.
        left: ExprId,
        /// The second expression.
        right: ExprId,
        /// Whether the edge is legal where they are equal.
        equal: bool,
    },
    /// `? from -> to` or `! from -> to`
    Reach {
        /// Where walks begin.
        from: Node,
        /// Where a walk must arrive.
        to: Node,
        /// Whether the edge is legal where there is no such walk.
        negated: bool,
    },
    /// `$ tag`
    Tag(Name),
    /// `$$ variable`
    TagVariable(Name),
}

impl Label {
    /// Whether the label is a question, which changes nothing and says nothing.
    pub fn is_condition(&self) -> bool {
        matches!(self, Label::Compare { .. } | Label::Reach { .. })
    }
}

/// A type that an any-assignment draws from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DrawnId(pub(super) u32);

impl DrawnId {
    /// The number of the type.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Program {
    /// The symbols that an any-assignment draws from, in order.
    pub fn drawn(&self, drawn: DrawnId) -> &[Name] {
        &self.drawn[drawn.0 as usize].1
    }

    /// The types that any-assignments draw from, as written.
    pub fn drawn_types(&self) -> impl Iterator<Item = &Type> {
        let drawn: HashSet<DrawnId> = self
            .edges()
            .filter_map(|(_, edge)| match edge.label {
                Label::AssignAny { drawn, .. } => Some(drawn),
                _ => None,
            })
            .collect();
        (self.drawn.iter().enumerate())
            .filter(move |(index, _)| drawn.contains(&DrawnId(*index as u32)))
            .map(|(_, (type_, _))| type_)
    }

    /// Whether the types in a label agree.
    pub fn is_well_typed(&self, label: Label) -> bool {
        let agree = |left, right| {
            self.resolved.agree(self.expressions.ty(left), self.expressions.ty(right))
        };
        match label {
            Label::Assign { target, value } => {
                agree(target, value) && self.has_keys(target) && self.has_keys(value)
            }
            Label::AssignAny { target, .. } => self.has_keys(target),
            Label::Compare { left, right, .. } => {
                agree(left, right) && self.has_keys(left) && self.has_keys(right)
            }
            Label::Skip | Label::Reach { .. } | Label::Tag(_) | Label::TagVariable(_) => true,
        }
    }

    /// Whether the keys of an expression agree with those of its maps.
    fn has_keys(&self, expr: ExprId) -> bool {
        match self.expressions.shape(expr) {
            Shape::Name(_) => true,
            Shape::Access { map, key } => {
                let Ty::Map(ty) = self.expressions.ty(map) else { return false };
                let keys = self.resolved.map(ty).0;
                self.resolved.agree(keys, self.expressions.ty(key))
                    && self.has_keys(map)
                    && self.has_keys(key)
            }
        }
    }

    /// Whether a label assigns to `player`, so that a move ends with it, or is a probe, which is a
    /// move.
    pub fn ends_move(&self, label: Label) -> bool {
        match label {
            Label::Assign { target, .. } => {
                self.expressions.as_variable(target) == Some(Name::PLAYER)
            }
            Label::Tag(tag) => self.probes.contains_key(&tag),
            _ => false,
        }
    }

    /// The variable that a label changes, all of it or a part.
    pub fn written(&self, label: Label) -> Option<Name> {
        match label {
            Label::Assign { target, .. } | Label::AssignAny { target, .. } => {
                Some(self.expressions.root(target))
            }
            _ => None,
        }
    }

    /// The variable that a label changes altogether.
    pub fn overwritten(&self, label: Label) -> Option<Name> {
        match label {
            Label::Assign { target, .. } | Label::AssignAny { target, .. } => {
                self.expressions.as_variable(target)
            }
            _ => None,
        }
    }

    /// The variables that a label depends on, with repetitions. What a walk of a reachability
    /// check depends on is not among them.
    pub fn read(&self, label: Label) -> SmallVec<[Name; 4]> {
        let of = |expr: ExprId| self.expressions.reads(expr).iter().copied();
        match label {
            Label::Skip | Label::Reach { .. } => SmallVec::new(),
            Label::Tag(tag) => match self.probes.get(&tag) {
                Some(probe) => SmallVec::from_slice(&probe.reads),
                None => SmallVec::new(),
            },
            Label::Assign { target, value } => {
                of(value).chain(self.expressions.reads_of_target(target)).collect()
            }
            Label::AssignAny { target, .. } => {
                self.expressions.reads_of_target(target).into_iter().collect()
            }
            Label::Compare { left, right, .. } => of(left).chain(of(right)).collect(),
            Label::TagVariable(variable) => SmallVec::from_slice(&[variable]),
        }
    }

    /// Where reachability checks begin, and which nodes they look for.
    pub fn checked(&self) -> Checked {
        let mut checked = Checked::default();
        for (_, edge) in self.edges() {
            if let Label::Reach { from, to, .. } = edge.label {
                checked.starts.insert(from);
                checked.targets.insert(to);
            }
        }
        checked
    }
}

/// Nodes that reachability checks name.
#[derive(Debug, Default)]
pub struct Checked {
    /// Where walks begin.
    pub starts: HashSet<Node>,
    /// Where walks must arrive.
    pub targets: HashSet<Node>,
}

impl Checked {
    /// Whether a check names the node.
    pub fn names(&self, node: Node) -> bool {
        self.starts.contains(&node) || self.targets.contains(&node)
    }
}
