//! The memory of reachability checks: the places where a walk has been.
//!
//! A check whose walks go in circles would follow the same walks again and again: in Hex, from
//! stone to stone. What a walk can do from a landmark depends on the values of the variables that
//! the check has assigned to and reads again. If these variables are few, and no maps, then each
//! landmark on a circle has a *mark* for each of their values. A walk ends at a mark that the same
//! check has set before.
//!
//! A mark is the number of the check that set it, so that no check has to clear the marks of those
//! before it.

use super::function::{Function, Way};
use super::functions::Task;
use super::host::Context;
use super::registers::{Region, RegisterIndex};
use crate::rg::interpreter::program::{Check, NodeId, Program, Register, Scalar};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use hashbrown::{HashMap, HashSet};
use std::mem::offset_of;

/// The greatest number of marks of a program.
const MOST_MARKS: u64 = 1 << 16;

/// The marks of all checks of a program.
#[derive(Default)]
pub(super) struct Visits {
    by_target: HashMap<NodeId, Marks>,
    /// The number of marks, and of the numbers of checks.
    pub length: usize,
}

/// The marks of the checks that look for one node.
struct Marks {
    /// The place of the number of the check under way.
    number: usize,
    /// By landmark on a circle.
    landmarks: HashMap<NodeId, Landmark>,
}

/// The marks of one landmark. The place of a mark is `first`, plus the value of each variable times
/// its stride.
struct Landmark {
    first: usize,
    digits: Vec<Digit>,
}

/// A variable that a mark depends on.
struct Digit {
    scalar: Scalar,
    stride: u64,
}

impl Visits {
    pub fn of(program: &Program) -> Visits {
        let mut visits = Visits::default();
        let mut targets: Vec<NodeId> = program.checks.iter().map(|check| check.to).collect();
        targets.sort_unstable();
        targets.dedup();
        for target in targets {
            if let Some(marks) = visits.marks(program, target) {
                visits.by_target.insert(target, marks);
            }
        }
        visits
    }

    /// The marks of the checks that look for a node, unless they need none, or too many.
    fn marks(&mut self, program: &Program, target: NodeId) -> Option<Marks> {
        let is_circle = |&node: &NodeId| program.walked(node, target).landmarks.contains(&node);
        let checks = program.checks.iter().filter(|check| check.to == target);
        let mut landmarks: HashSet<NodeId> = HashSet::new();
        let mut written: HashSet<Register> = HashSet::new();
        let mut inner: HashSet<Check> = HashSet::new();
        for check in checks {
            let walked = program.walked(check.from, target);
            landmarks.extend(walked.landmarks.iter().chain([&check.from]));
            written.extend(walked.assigned?);
            inner.extend(walked.checks);
        }
        let inner = program.read_by_checks(inner, Some(target))?;
        landmarks.retain(is_circle);
        if landmarks.is_empty() {
            return None;
        }
        let mut landmarks: Vec<NodeId> = landmarks.into_iter().collect();
        landmarks.sort_unstable();
        let mut length = self.length as u64 + 1;
        let mut marks = Marks { number: self.length, landmarks: HashMap::new() };
        let mut written: Vec<Register> = written.into_iter().collect();
        written.sort_unstable();
        let scalars = written.iter().map(|&register| program.scalar(register));
        let written: Vec<Scalar> = scalars.collect::<Option<_>>()?;
        for node in landmarks {
            let mut digits = Vec::new();
            let mut stride: u64 = 1;
            for &scalar in &written {
                if program.is_read_behind((node, Some(target)), scalar.register, &inner) {
                    digits.push(Digit { scalar, stride });
                    stride = stride.saturating_mul(u64::from(scalar.span) + 1);
                }
            }
            marks.landmarks.insert(node, Landmark { first: length as usize, digits });
            length = length.saturating_add(stride);
            if length > MOST_MARKS {
                return None;
            }
        }
        self.length = length as usize;
        Some(marks)
    }

    fn landmark(&self, (node, task): (NodeId, Task)) -> Option<(usize, &Landmark)> {
        let Task::Reach(target) = task else { return None };
        let marks = self.by_target.get(&target)?;
        Some((marks.number, marks.landmarks.get(&node)?))
    }
}

impl Function<'_, '_> {
    /// Begins a check: the marks of earlier checks do not count any more.
    pub(super) fn begin_check(&mut self, block: Block, target: NodeId) {
        let Some(marks) = self.all.parts.visits.by_target.get(&target) else { return };
        let place = marks.number as i32 * 8;
        let (context, flags) = (self.context, self.flags(Region::Context));
        let lists = self.flags(Region::Lists);
        let mut cursor = self.at(block);
        let marks = cursor.ins().load(I64, flags, context, offset_of!(Context, marks) as i32);
        let last = cursor.ins().load(I64, lists, marks, place);
        let one = cursor.ins().iconst(I64, 1);
        let number = cursor.ins().iadd(last, one);
        cursor.ins().store(lists, number, marks, place);
    }

    /// Marks the place of the walk at the landmark where the function begins. The walk fails if it
    /// is marked already. Returns the block to go on in.
    pub(super) fn mark(&mut self, block: Block, node: NodeId, way: Way) -> Block {
        let all = &*self.all;
        let Some((number, landmark)) = all.parts.visits.landmark((node, way.task)) else {
            return block;
        };
        let first = landmark.first as i32 * 8;
        let digits = landmark.digits.iter().map(|digit| (digit.scalar, digit.stride));
        let digits: Vec<(Scalar, u64)> = digits.collect();
        let (context, given_up) = (self.context, self.given_up);
        let (flags, lists) = (self.flags(Region::Context), self.flags(Region::Lists));
        let mut block = block;
        let mut place = self.at(block).ins().iconst(I64, 0);
        for (Scalar { register, least, span }, stride) in digits {
            let symbol = self.load(block, RegisterIndex::Constant(register));
            let next = self.block();
            let mut cursor = self.at(block);
            let least = cursor.ins().iconst(I32, -i64::from(least));
            let value = cursor.ins().iadd(symbol, least);
            let span = cursor.ins().iconst(I32, i64::from(span));
            let is_in = cursor.ins().icmp(IntCC::UnsignedLessThanOrEqual, value, span);
            cursor.ins().brif(is_in, next, &[], given_up, &[]);
            let mut cursor = self.at(next);
            let value = cursor.ins().uextend(I64, value);
            let stride = cursor.ins().iconst(I64, 8 * stride as i64);
            let distance = cursor.ins().imul(value, stride);
            place = cursor.ins().iadd(place, distance);
            block = next;
        }
        let new = self.block();
        let mut cursor = self.at(block);
        let marks = cursor.ins().load(I64, flags, context, offset_of!(Context, marks) as i32);
        let current = cursor.ins().load(I64, lists, marks, number as i32 * 8);
        let place = cursor.ins().iadd(marks, place);
        let mark: Value = cursor.ins().load(I64, lists, place, first);
        let is_marked = cursor.ins().icmp(IntCC::Equal, mark, current);
        cursor.ins().brif(is_marked, way.fail, &[], new, &[]);
        self.at(new).ins().store(lists, current, place, first);
        new
    }
}
