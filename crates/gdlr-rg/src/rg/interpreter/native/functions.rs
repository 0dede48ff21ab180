//! The functions that a program becomes: which were asked for, and which are still to be written.

use super::code::{Parts, signature};
use super::words::WORD;
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
    Words(Taken),
    /// Plays the move of a word.
    Play(Taken),
    /// Plays the first move, whatever its tags are.
    First,
    /// Looks for a node.
    Reach(NodeId),
}

/// The number of bits that the tags before have taken of the first word of a move. `None` if walks
/// differ in it, or if the first word is full.
pub(super) type Taken = Option<u8>;

/// The greatest number of functions of a landmark with the same task that differ in [`Taken`]. (With
/// 2, Chess is a little slower; four other games, and set-up, take the same time.)
const MOST_TAKEN: usize = 4;

/// A landmark, and the task of a function that begins there.
pub(super) type Key = (NodeId, Task);

/// The functions of a program that were asked for so far.
pub(super) struct Functions<'p> {
    pub parts: &'p Parts<'p>,
    pub finish: FuncId,
    pub finish_long: FuncId,
    /// The greatest number of operations of a landmark that replace a call.
    most_inlined: usize,
    /// By landmark and target of a check: the number of operations, if there are so few.
    sizes: HashMap<(NodeId, Option<NodeId>), Option<usize>>,
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
        let (sizes, needed, ids, open) = Default::default();
        Functions { parts, finish, finish_long, most_inlined, sizes, needed, ids, open }
    }

    /// Whether a landmark has so little code that it replaces calls, with the code of all landmarks
    /// behind it, or as far as the target `to` of a check. No walk comes to such a landmark twice.
    pub fn is_small(&mut self, node: NodeId, to: Option<NodeId>) -> bool {
        self.size((node, to)).is_some()
    }

    fn size(&mut self, (node, to): (NodeId, Option<NodeId>)) -> Option<usize> {
        if let Some(&known) = self.sizes.get(&(node, to)) {
            return known;
        }
        // The answer for a walk that comes here again.
        self.sizes.insert((node, to), None);
        let (mut size, landmarks) = self.parts.program.size(node, to);
        for landmark in landmarks {
            if size > self.most_inlined {
                break;
            }
            size = size.saturating_add(self.size((landmark, to)).unwrap_or(usize::MAX));
        }
        let size = Some(size).filter(|&size| size <= self.most_inlined);
        self.sizes.insert((node, to), size);
        size
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

    /// The task of a function of a landmark, which may rely on the number of bits that tags have
    /// taken, unless there are many such functions.
    pub fn taken(&self, node: NodeId, task: Task) -> Task {
        let general = match task {
            Task::Words(_) => Task::Words,
            Task::Play(_) => Task::Play,
            Task::Moves | Task::First | Task::Reach(_) => return task,
        };
        let is_known = |task: Task| self.ids.contains_key(&(node, task));
        let others = (0..WORD as u8).filter(|&bits| is_known(general(Some(bits)))).count();
        if is_known(task) || others < MOST_TAKEN { task } else { general(None) }
    }

    /// Whether the function of a landmark needs the value of a variable in its register.
    pub fn needs(&mut self, (node, task): Key, register: Register) -> bool {
        let to = match task {
            Task::Reach(to) => Some(to),
            Task::Words(_) => None,
            // The registers are the next state.
            Task::Moves | Task::Play(_) | Task::First => return true,
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
