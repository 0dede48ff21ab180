//! Labels of edges, and the variables and nodes that a label reads, writes and names.

use super::{ExprId, Node, Program, Shape};
use crate::rg::ast::Type;
use crate::rg::name::Name;
use crate::rg::types::Ty;
use hashbrown::HashSet;
use smallvec::SmallVec;

/// The label of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Label {
    /// No action.
    Skip,
    /// `target = value`
    Assign {
        /// The target: a variable, or an entry of a map.
        target: ExprId,
        /// The value.
        value: ExprId,
    },
    /// `target = T(*)`
    AssignAny {
        /// The target: a variable, or an entry of a map.
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
        /// Whether the edge is legal if the two are equal.
        equal: bool,
    },
    /// `? from -> to` or `! from -> to`
    Reach {
        /// The node where walks begin.
        from: Node,
        /// The node that a walk must reach.
        to: Node,
        /// Whether the edge is legal if there is no such walk.
        negated: bool,
    },
    /// `$ tag`
    Tag(Name),
    /// `$$ variable`
    TagVariable(Name),
}

impl Label {
    /// Whether the label is a condition: it changes nothing and adds no tag.
    pub fn is_condition(&self) -> bool {
        matches!(self, Label::Compare { .. } | Label::Reach { .. })
    }
}

/// A type from which an any-assignment takes its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DrawnId(pub(super) u32);

impl DrawnId {
    /// The number of the type.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Program {
    /// The symbols of an any-assignment, in order.
    pub fn drawn(&self, drawn: DrawnId) -> &[Name] {
        &self.drawn[drawn.0 as usize].1
    }

    /// The types of the any-assignments, as written.
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

    /// Whether the keys of an expression agree with the key types of its maps.
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

    /// Whether a label ends a move: it assigns to `player`, or is a probe, which is a move of its
    /// own.
    pub fn ends_move(&self, label: Label) -> bool {
        match label {
            Label::Assign { target, .. } => {
                self.expressions.as_variable(target) == Some(Name::PLAYER)
            }
            Label::Tag(tag) => self.probes.contains_key(&tag),
            _ => false,
        }
    }

    /// The variable that a label assigns to, as a whole or in part.
    pub fn written(&self, label: Label) -> Option<Name> {
        match label {
            Label::Assign { target, .. } | Label::AssignAny { target, .. } => {
                Some(self.expressions.root(target))
            }
            _ => None,
        }
    }

    /// The variable that a label assigns to as a whole.
    pub fn overwritten(&self, label: Label) -> Option<Name> {
        match label {
            Label::Assign { target, .. } | Label::AssignAny { target, .. } => {
                self.expressions.as_variable(target)
            }
            _ => None,
        }
    }

    /// The variables that a label reads, with repetitions; without the reads on the walks of a
    /// reachability check.
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

    /// The nodes at which reachability checks begin, and the nodes that they look for.
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

/// The nodes that reachability checks name.
#[derive(Debug, Default)]
pub struct Checked {
    /// The nodes where walks begin.
    pub starts: HashSet<Node>,
    /// The nodes that walks must reach.
    pub targets: HashSet<Node>,
}

impl Checked {
    /// Whether a check names the node.
    pub fn names(&self, node: Node) -> bool {
        self.starts.contains(&node) || self.targets.contains(&node)
    }
}
