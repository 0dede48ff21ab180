//! The functions that a program becomes: which were asked for, and which are still to be written.

use super::code::{Parts, signature};
use crate::rg::interpreter::error::NoCode;
use crate::rg::interpreter::program::{NodeId, Register};
use cranelift_jit::JITModule;
use cranelift_module::{FuncId, Module};
use hashbrown::HashMap;

/// The purpose for which a function follows walks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Task {
    /// Lists moves: the tags of each, and its assignments.
    Moves,
    /// Lists moves as [words](super::words), which hold their tags alone.
    Words,
    /// Plays the move of a word.
    Play,
    /// Plays the first move, whatever its tags are.
    First,
    /// Looks for a node.
    Reach(NodeId),
}

/// A landmark, and the task of a function that begins there.
pub(super) type Key = (NodeId, Task);

/// The functions of a program that were asked for so far.
pub(super) struct Functions<'p> {
    pub parts: &'p Parts<'p>,
    pub finish: FuncId,
    pub finish_long: FuncId,
    /// By node: whether it is a landmark with little code, which replaces calls.
    pub small: Vec<bool>,
    /// The answers of [`Functions::needs`].
    needed: HashMap<(NodeId, Option<NodeId>, Register), bool>,
    ids: HashMap<Key, FuncId>,
    open: Vec<Key>,
}

impl<'p> Functions<'p> {
    pub fn new(
        parts: &'p Parts<'p>,
        [finish, finish_long]: [FuncId; 2],
        most_inlined: usize,
    ) -> Functions<'p> {
        let small = parts.program.small_landmarks(most_inlined);
        let (needed, ids, open) = Default::default();
        Functions { parts, finish, finish_long, small, needed, ids, open }
    }

    /// The function of a landmark. It is queued to be written if it is new.
    pub fn wanted(&mut self, module: &mut JITModule, key: Key) -> Result<FuncId, NoCode> {
        if let Some(&existing) = self.ids.get(&key) {
            return Ok(existing);
        }
        let id = module.declare_anonymous_function(&signature()).map_err(|_| NoCode::Large)?;
        self.ids.insert(key, id);
        self.open.push(key);
        Ok(id)
    }

    /// Whether the function of a landmark needs the value of a variable in its register.
    pub fn needs(&mut self, (node, task): Key, register: Register) -> bool {
        let to = match task {
            Task::Reach(to) => Some(to),
            Task::Words => None,
            // The registers are the next state.
            Task::Moves | Task::Play | Task::First => return true,
        };
        let Parts { program, read_by_checks, .. } = self.parts;
        *self
            .needed
            .entry((node, to, register))
            .or_insert_with(|| program.is_read_behind((node, to), register, read_by_checks))
    }

    pub fn known(&self, key: Key) -> Option<FuncId> {
        self.ids.get(&key).copied()
    }

    /// The next function to write.
    pub fn next(&mut self) -> Option<(Key, FuncId)> {
        let key = self.open.pop()?;
        Some((key, self.ids[&key]))
    }
}
