//! Questions about the walks of a program, which decide how its functions are written.

use crate::rg::interpreter::program::{Address, BEGIN, FAIL, NodeId, Op, Program, Register};
use hashbrown::HashSet;

impl Program {
    /// Whether a walk may read the variable that an assignment changes, before the move ends.
    pub fn is_read_later(&self, assignment: Address) -> bool {
        self.read_later[assignment as usize]
    }

    /// The nodes where moves begin.
    pub fn starts(&self) -> Vec<NodeId> {
        let finish = |op: &Op| match *op {
            Op::Finish { node, .. } => Some(node),
            _ => None,
        };
        let mut nodes: Vec<NodeId> = self.code.iter().filter_map(finish).chain([BEGIN]).collect();
        nodes.retain(|&node| self.entries[node as usize] != FAIL);
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    /// Whether there is no choice on any walk from a node to the end of a move.
    pub fn is_certain(&self, node: NodeId) -> bool {
        let mut choices = false;
        self.follow(self.entries[node as usize], |_, op| match op {
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

    /// Whether each walk from an address on that does not fail has the symbol in a register as its
    /// next tag, without an assignment before it.
    pub fn is_first_tag(&self, at: Address, register: Register) -> bool {
        let mut is_first = true;
        self.follow(at, |_, op| match *op {
            Op::TagVariable(tagged) => {
                is_first &= tagged == register;
                false
            }
            Op::Tag(_)
            | Op::Move { .. }
            | Op::Store { .. }
            | Op::StoreThere { .. }
            | Op::CopyRow { .. }
            | Op::Any { .. }
            | Op::AnyThere { .. }
            | Op::Finish { .. } => {
                is_first = false;
                false
            }
            _ => is_first,
        });
        is_first
    }

    /// Visits each operation that walks from an address can come to, until `visit` says no.
    fn follow(&self, first: Address, mut visit: impl FnMut(Address, &Op) -> bool) {
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
                Op::Fail | Op::Finish { .. } => {}
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
