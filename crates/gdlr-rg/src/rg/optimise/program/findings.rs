//! A cache of the results of analyses, valid until the program changes. Most transformations change
//! nothing, and ask for the same results.

use std::any::{Any, TypeId};
use std::rc::Rc;

/// A result of an analysis of a program.
pub trait Finding: Any {
    /// Its memory in bytes, about.
    fn bytes(&self) -> usize;
}

/// The results of analyses since the program was last changed.
#[derive(Debug, Default)]
pub struct Findings {
    /// The number of changes of the program at that time.
    changes: u64,
    all: Vec<(TypeId, Rc<dyn Any>)>,
    bytes: usize,
}

impl Findings {
    /// Removes the results if the program has changed since.
    pub fn forget(&mut self, changes: u64) {
        if self.changes != changes {
            *self = Findings { changes, ..Findings::default() };
        }
    }

    /// The result of a type, if there is one.
    pub fn get<F: Finding>(&self) -> Option<Rc<F>> {
        let (_, found) = self.all.iter().find(|(kind, _)| *kind == TypeId::of::<F>())?;
        Rc::clone(found).downcast().ok()
    }

    /// Stores a result.
    pub fn keep<F: Finding>(&mut self, found: Rc<F>) {
        self.bytes += found.bytes();
        self.all.push((TypeId::of::<F>(), found));
    }

    /// The memory of all results, in bytes, about.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}
