//! Questions about the walks of a program, which decide how its functions are written.

use crate::rg::interpreter::program::{
    Address, BEGIN, Check, END, Entry, FAIL, NodeId, Op, PLAYER, Program, Register, Scalar,
};
use crate::rg::name::Name;
use hashbrown::HashSet;

impl Program {
    /// Whether a walk may read the variable that an assignment changes, before the move ends.
    pub fn is_read_later(&self, assignment: Address) -> bool {
        self.read_later[assignment as usize]
    }

    /// Whether words leave out a tag.
    pub fn is_artificial(&self, tag: Name) -> bool {
        self.artificial.contains(&tag)
    }

    /// The nodes where moves begin.
    pub fn starts(&self) -> Vec<NodeId> {
        let finish = |op: &Op| match *op {
            Op::Finish { node, .. } => Some(node),
            _ => None,
        };
        let mut nodes: Vec<NodeId> = self.code.iter().filter_map(finish).chain([BEGIN]).collect();
        nodes.retain(|&node| node != END && self.entries[node as usize] != FAIL);
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    /// Whether there is no choice on any walk from a node to the end of a move.
    pub fn is_certain(&self, node: NodeId) -> bool {
        let mut choices = false;
        self.follow(self.entries[node as usize], None, |_, op| match op {
            Op::Push(_) | Op::Branch { .. } | Op::Any { .. } | Op::AnyThere { .. } => {
                choices = true;
                false
            }
            Op::Arrive { otherwise, .. } if *otherwise != FAIL => {
                choices = true;
                false
            }
            Op::Finish { .. } => false,
            _ => true,
        });
        !choices
    }

    /// Whether the next tag of each walk from an address on that does not fail is the symbol in a
    /// register. The register is one that only its number refers to.
    pub fn is_first_tag(&self, at: Address, register: Register) -> bool {
        let mut is_first = true;
        self.follow(at, None, |_, op| match *op {
            Op::TagVariable(tagged) => {
                is_first &= tagged == register;
                false
            }
            Op::Tag(name) if self.is_artificial(name) => true,
            Op::Tag(_) | Op::Finish { .. } => {
                is_first = false;
                false
            }
            _ => {
                is_first &= op.assigned() != Some(register);
                is_first
            }
        });
        is_first
    }

    /// A variable that is no map, by its register.
    pub fn scalar(&self, register: Register) -> Option<Scalar> {
        self.scalars.iter().find(|scalar| scalar.register == register).copied()
    }

    /// The walks of a check from a node to another, or as far as they go.
    pub(super) fn walked(&self, from: NodeId, to: NodeId) -> Walked {
        let mut walked = Walked { assigned: Some(HashSet::new()), ..Walked::default() };
        self.follow(self.entries[from as usize], Some(to), |_, op| {
            match *op {
                Op::Arrive { node, .. } if node != to => {
                    walked.landmarks.insert(node);
                }
                Op::Check { check, .. } => {
                    walked.checks.insert(self.checks[check as usize]);
                }
                Op::Store { .. }
                | Op::StoreThere { .. }
                | Op::CopyRow { .. }
                | Op::AnyThere { .. } => walked.assigned = None,
                _ => {}
            }
            if let Some(assigned) = &mut walked.assigned {
                assigned.extend(op.assigned());
            }
            true
        });
        walked
    }

    /// The registers that checks read, and those within them. `None` if one of them looks for
    /// `outer`.
    pub fn read_by_checks(
        &self,
        checks: HashSet<Check>,
        outer: Option<NodeId>,
    ) -> Option<HashSet<Register>> {
        let (mut registers, mut seen) = (HashSet::new(), HashSet::new());
        let mut open: Vec<Check> = checks.into_iter().collect();
        while let Some(check) = open.pop() {
            if Some(check.to) == outer {
                return None;
            }
            if seen.insert(check) {
                self.follow(self.entries[check.from as usize], Some(check.to), |_, op| {
                    registers.extend(op.read().into_iter().flatten());
                    if let Op::Check { check, .. } = *op {
                        open.push(self.checks[check as usize]);
                    }
                    true
                });
            }
        }
        Some(registers)
    }

    /// Whether a walk that is at a landmark may read a register before it assigns to it. The walk is
    /// one of a check that looks for `to`, or else of a move. `inner` are the registers that checks
    /// within it read.
    pub fn is_read_behind(
        &self,
        (node, to): (NodeId, Option<NodeId>),
        register: Register,
        inner: &HashSet<Register>,
    ) -> bool {
        let mut is_read = false;
        self.follow(self.entries[node as usize], to, |_, op| {
            is_read |= op.read().contains(&Some(register));
            is_read |= to.is_none() && matches!(*op, Op::TagVariable(tag) if tag == register);
            is_read |= matches!(op, Op::Check { .. }) && inner.contains(&register);
            !is_read && op.assigned() != Some(register)
        });
        is_read
    }

    /// The number of operations of a landmark, without those of the landmarks behind it, which it
    /// also returns, one by one. Walks end at the landmark `to`.
    pub fn size(&self, node: NodeId, to: Option<NodeId>) -> (usize, Vec<NodeId>) {
        let (mut size, mut landmarks) = (0, Vec::new());
        self.follow_by(
            (self.entries[node as usize], to),
            |_| false,
            |_, op| {
                size += 1;
                if let Op::Arrive { node, .. } = *op
                    && Some(node) != to
                {
                    landmarks.push(node);
                }
                true
            },
        );
        (size, landmarks)
    }

    /// Visits each operation that walks from an address can come to, until `visit` says no. Walks
    /// end at the landmark `to`, and go on behind the end of a move on the way to it. Without `to`,
    /// they end with the move.
    pub(super) fn follow(
        &self,
        first: Address,
        to: Option<NodeId>,
        visit: impl FnMut(Address, &Op) -> bool,
    ) {
        self.follow_by((first, to), |node| Some(node) != to, visit);
    }

    /// As `follow`. Walks end at landmarks for which `enters` says no.
    fn follow_by(
        &self,
        (first, to): (Address, Option<NodeId>),
        enters: impl Fn(NodeId) -> bool,
        mut visit: impl FnMut(Address, &Op) -> bool,
    ) {
        let (mut seen, mut open) = (HashSet::new(), vec![first]);
        while let Some(at) = open.pop() {
            if !seen.insert(at) {
                continue;
            }
            let op = &self.code[at as usize];
            if !visit(at, op) {
                continue;
            }
            let next = at + 1;
            match *op {
                Op::Fail => {}
                Op::Finish { .. } if to.is_none() => {}
                Op::Arrive { node, otherwise } if !enters(node) => open.push(otherwise),
                Op::Arrive { node, otherwise } => {
                    open.extend([self.entries[node as usize], otherwise]);
                }
                Op::Jump(address) => open.push(address),
                Op::Push(others) => open.extend([next, others]),
                Op::Branch { first, end } => {
                    open.extend(&self.targets[first as usize..end as usize]);
                }
                Op::Switch { first, span, otherwise, .. } => {
                    open.extend(&self.targets[first as usize..=(first + span) as usize]);
                    open.push(otherwise);
                }
                Op::Compare { equal, different, .. }
                | Op::CompareEntry { equal, different, .. }
                | Op::CompareNested { equal, different, .. }
                | Op::CompareRow { equal, different, .. } => open.extend([equal, different]),
                Op::Check { found, missing, .. } => open.extend([found, missing]),
                _ => open.push(next),
            }
        }
    }
}

/// The walks of a check from a node.
#[derive(Default)]
pub(super) struct Walked {
    /// The landmarks on the way.
    pub landmarks: HashSet<NodeId>,
    /// The registers that are assigned to. `None` if entries of maps are among them.
    pub assigned: Option<HashSet<Register>>,
    /// The checks within it.
    pub checks: HashSet<Check>,
}

impl Op {
    /// The keys of the entry that the operation loads to a temporary.
    pub(super) fn keys(&self) -> Option<[Register; 2]> {
        match *self {
            Op::Load { entry: Entry { key, .. }, .. } => Some([key, key]),
            Op::LoadPair { first, second, .. } => Some([first, second]),
            _ => None,
        }
    }

    /// The register that a walk assigns to, unless it is an entry of a map.
    fn assigned(&self) -> Option<Register> {
        match *self {
            Op::Move { to, .. } => Some(to),
            Op::Any { register, .. } => Some(register),
            Op::Finish { .. } => Some(PLAYER),
            _ => None,
        }
    }

    /// The registers that a check reads, but for entries of maps. A check ignores tags.
    fn read(&self) -> [Option<Register>; 2] {
        match *self {
            Op::Switch { register, .. } | Op::Member { register, .. } => [Some(register), None],
            Op::Compare { left, right, .. } => [Some(left), Some(right)],
            Op::CompareEntry { entry, with, .. } | Op::CompareNested { entry, with, .. } => {
                [Some(entry.key), Some(with)]
            }
            Op::LoadPair { first, second, .. } => [Some(first), Some(second)],
            Op::Load { entry, .. } => [Some(entry.key), None],
            Op::Offset { key, .. } | Op::Advance { key, .. } => [Some(key), None],
            Op::Locate { base, .. } => [Some(base), None],
            Op::Store { entry, from } => [Some(entry.key), Some(from)],
            Op::Move { from, .. } | Op::StoreThere { from } | Op::Finish { from, .. } => {
                [Some(from), None]
            }
            Op::Fail
            | Op::Arrive { .. }
            | Op::Jump(_)
            | Op::Push(_)
            | Op::Branch { .. }
            | Op::CompareRow { .. }
            | Op::LoadThere { .. }
            | Op::CopyRow { .. }
            | Op::MemberRow { .. }
            | Op::Any { .. }
            | Op::AnyThere { .. }
            | Op::Tag(_)
            | Op::TagVariable(_)
            | Op::Check { .. } => [None; 2],
        }
    }
}
