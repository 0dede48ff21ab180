//! Where no code can be made.

use crate::entry::StepSource;
use crate::layout::{GameLayout, Phase};
use crate::plane::Plane;
use crate::program::{Program, Slot};
use crate::token::Token;
use crate::width::{AnyToken, Width};
use gdlr_net::net::Net;

/// There is none.
#[derive(Clone, Debug)]
pub(crate) enum Code {}

/// There is none.
#[derive(Clone, Debug)]
pub(crate) enum StepCode {}

/// Where the code of a choice would read and write.
pub(crate) struct Places {
    pub total: Box<[Slot]>,
    pub number: Box<[Slot]>,
    pub any: Slot,
}

/// Nothing is played.
pub(crate) fn made_together(_: AnyToken, _: &GameLayout, _: &Net) -> Vec<f64> {
    Vec::new()
}

/// Makes none.
pub(crate) fn compile(_: Width, _: &mut Program, free: Slot, _: &[Slot]) -> usize {
    free as usize
}

impl Code {
    pub fn is_built(_: Width) -> bool {
        false
    }

    pub fn is_available(_: Width) -> bool {
        false
    }

    pub fn is_for<P: Plane>(&self) -> bool {
        match *self {}
    }

    pub fn run<P: Plane>(&self, _: Token<P>, _: &Program, _: &mut [P]) {
        match *self {}
    }
}

impl StepCode {
    pub fn is_for<P: Plane>(&self) -> bool {
        match *self {}
    }

    pub fn new(_: StepSource<'_>, _: &mut usize) -> Option<StepCode> {
        None
    }

    pub fn places(&self) -> &[Option<Places>] {
        match *self {}
    }

    pub fn finds(&self) -> bool {
        match *self {}
    }

    pub fn look<P: Plane>(&self, _: Token<P>, _: &Phase, _: &mut [P]) {
        match *self {}
    }

    pub fn find<P: Plane>(&self, _: Token<P>, _: &Phase, _: &mut [P]) -> bool {
        match *self {}
    }

    pub fn advance<P: Plane>(&self, _: Token<P>, _: &Phase, _: bool, _: &mut [P]) {
        match *self {}
    }
}
