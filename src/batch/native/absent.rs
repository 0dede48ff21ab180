//! Where no code can be made.

use super::Step;
use crate::batch::layout::Moves;
use crate::batch::plane::Plane;
use crate::batch::program::{Program, Slot};

/// There is none.
#[derive(Clone, Debug)]
pub(in crate::batch) enum Code {}

/// There is none.
#[derive(Clone, Debug)]
pub(in crate::batch) enum Choosing {}

/// Where the code of a choice would read and write.
pub(in crate::batch) struct Places {
    pub total: Box<[Slot]>,
    pub number: Box<[Slot]>,
    pub any: Slot,
}

impl Code {
    pub fn is_available() -> bool {
        false
    }

    pub fn of(_: &Program, _: &[Slot]) -> Option<Code> {
        None
    }

    pub fn steps(&self) -> &[Step] {
        match *self {}
    }

    pub fn run<P: Plane>(&self, _: usize, _: &mut [P]) {
        match *self {}
    }
}

impl Choosing {
    pub fn new(_: &[Moves], _: &mut usize) -> Option<Choosing> {
        None
    }

    pub fn places(&self) -> &[Option<Places>] {
        match *self {}
    }

    pub fn count<P: Plane>(&self, _: &mut [P]) {
        match *self {}
    }

    pub fn find<P: Plane>(&self, _: &mut [P]) {
        match *self {}
    }
}
