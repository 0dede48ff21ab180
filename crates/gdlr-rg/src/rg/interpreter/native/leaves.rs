//! Moves that end right behind a comparison.
//!
//! Whether a piece may go to a square is hard to guess for a processor. So the code that lists words
//! has no branch there: it writes the word in any case, and goes on to the next place of the list if
//! the comparison holds.

use super::function::{Function, Way};
use super::functions::Task;
use super::registers::RegisterIndex;
use super::words::WORD;
use crate::rg::interpreter::error::NoCode;
use crate::rg::interpreter::program::{Address, FAIL, NodeId, Op, Program, Register};
use crate::rg::name::Name;
use cranelift_codegen::ir::types::I32;
use cranelift_codegen::ir::{Block, InstBuilder, Value};

/// The greatest number of operations between a comparison and the end of a move.
const LONGEST: usize = 32;

/// The rest of a move that reads and changes nothing.
struct Leaf {
    tags: Vec<LastTag>,
    /// The address of the alternatives that follow.
    others: Address,
}

#[derive(Clone, Copy)]
enum LastTag {
    Name(Name),
    Variable(Register),
}

impl Program {
    /// The rest of the moves at an address, if there is one move.
    fn leaf(&self, mut at: Address) -> Option<Leaf> {
        let mut leaf = Leaf { tags: Vec::new(), others: FAIL };
        for _ in 0..LONGEST {
            let op = self.code[at as usize];
            at += 1;
            match op {
                Op::Jump(next) => at = next,
                Op::Arrive { node, otherwise: FAIL } => at = self.entries[node as usize],
                Op::Push(others) => leaf.others = others,
                Op::Tag(name) if self.is_artificial(name) => {}
                Op::Tag(name) => leaf.tags.push(LastTag::Name(name)),
                Op::TagVariable(register) => leaf.tags.push(LastTag::Variable(register)),
                Op::Move { .. } | Op::Store { .. } if !self.is_read_later(at - 1) => {}
                Op::Finish { .. } => return Some(leaf),
                _ => return None,
            }
        }
        None
    }

    /// Whether two addresses have the same code: a jump to the same landmark.
    pub(super) fn is_same_place(&self, one: Address, other: Address) -> bool {
        let place = |mut at: Address| {
            while let Op::Jump(next) = self.code[at as usize] {
                at = next;
            }
            match self.code[at as usize] {
                Op::Arrive { node, otherwise } => (node, otherwise),
                _ => (NodeId::MAX, at),
            }
        };
        place(one) == place(other)
    }
}

impl Function<'_, '_> {
    /// Whether there is one move behind a comparison, and the walk goes on at the same place whether
    /// the comparison holds or not.
    pub(super) fn is_leaf(&self, (at, otherwise): (Address, Address), way: Way) -> bool {
        let Task::Words(Some(taken)) = way.task else { return false };
        self.all.parts.program.leaf(at).is_some_and(|leaf| {
            let bits = self.all.parts.names.bits() * leaf.tags.len() as i64;
            leaf.others == otherwise && i64::from(taken) + bits <= WORD
        })
    }

    /// Writes the word of the move behind a comparison, which is a [leaf](Function::is_leaf).
    pub(super) fn leaf(
        &mut self,
        block: Block,
        holds: Value,
        at: Address,
        way: Way,
    ) -> Result<(), NoCode> {
        let leaf = self.all.parts.program.leaf(at);
        let (Task::Words(Some(taken)), Some(leaf)) = (way.task, leaf) else {
            return Err(NoCode::Large);
        };
        let Leaf { tags, others } = leaf;
        let bits = self.all.parts.names.bits();
        let next = self.block_of(others, way);
        let (mut word, mut taken) = (way.tags, taken);
        for tag in tags {
            let number = match tag {
                LastTag::Variable(register) => self.load(block, RegisterIndex::Constant(register)),
                LastTag::Name(name) => {
                    let number = self.all.parts.names.number(name).ok_or(NoCode::Large)?;
                    self.at(block).ins().iconst(I32, i64::from(number))
                }
            };
            word = self.digit(block, number, (word, taken));
            taken += bits as u8;
        }
        self.append_word(block, word, Some(holds), next);
        Ok(())
    }
}
