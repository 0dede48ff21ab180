//! The children of lanes: the states after their legal actions.

use super::EngineLanes;
use crate::engine::lanes::children::{ChildOutputs, Children};
use crate::engine::lanes::contract::Lanes;
use crate::engine::lanes::outputs::{Encoded, Moment, Output};
use crate::engine::lanes::signals::Ended;

impl EngineLanes {
    /// Tells what comes after every legal action of every lane that is not over.
    pub(super) fn expand_each(&mut self, wanted: ChildOutputs, children: &mut Children) {
        let (words, bytes) = (self.vocabulary().moves.len().div_ceil(64), self.observed.len());
        let mut rows = vec![0; self.len() * words];
        self.write(Output::Legal, Moment::Now, Encoded::Bits(&mut rows));
        children.list(self.len(), &rows, wanted, [words, bytes, self.roles()]);
        // A lane becomes its children, one after the other.
        let lanes = std::mem::take(&mut self.lanes);
        let mut one = self.clone();
        self.lanes = lanes;
        for lane in 0..self.len() {
            for child in children.first[lane]..children.first[lane + 1] {
                one.lanes.clear();
                one.lanes.push(self.lanes[lane].clone());
                one.choose_in(0, &children.actions[child..=child], Ended::Stay);
                one.advance(0);
                children.ended[child] = one.end(0);
                one.tell_child(wanted, children, child);
            }
        }
    }

    /// Writes what was asked about the only lane as a child.
    fn tell_child(&mut self, wanted: ChildOutputs, children: &mut Children, child: usize) {
        let (words, bytes) = (self.vocabulary().moves.len().div_ceil(64), self.observed.len());
        let roles = self.roles();
        if wanted.legal_bits {
            let row = &mut children.legal_bits[child * words..][..words];
            self.write(Output::Legal, Moment::Now, Encoded::Bits(row));
        }
        if wanted.observations {
            let row = &mut children.observations[child * bytes..][..bytes];
            self.write(Output::Observations, Moment::Now, Encoded::Bytes(row));
        }
        if wanted.to_move {
            self.to_move(&mut children.to_move[child..=child]);
        }
        if wanted.goals {
            self.goals(&mut children.goals[child * roles..][..roles]);
        }
    }
}
