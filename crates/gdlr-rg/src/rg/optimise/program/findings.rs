//! What was found out about a program, as long as it stays as it is: most transformations change
//! nothing, and ask for the same.

use std::any::{Any, TypeId};
use std::rc::Rc;

/// Something found out about a program.
pub trait Finding: Any {
    /// How many bytes it takes, about.
    fn bytes(&self) -> usize;
}

/// What was found out about a program since it was changed.
#[derive(Debug, Default)]
pub struct Findings {
    /// How often the program was changed until then.
    changes: u64,
    all: Vec<(TypeId, Rc<dyn Any>)>,
    bytes: usize,
}

impl Findings {
    /// Forgets what may not be true any more.
    pub fn forget(&mut self, changes: u64) {
        if self.changes != changes {
            *self = Findings { changes, ..Findings::default() };
        }
    }

    /// What was found out of a kind.
    pub fn get<F: Finding>(&self) -> Option<Rc<F>> {
        let (_, found) = self.all.iter().find(|(kind, _)| *kind == TypeId::of::<F>())?;
        Rc::clone(found).downcast().ok()
    }

    /// Keeps what was found out.
    pub fn keep<F: Finding>(&mut self, found: Rc<F>) {
        self.bytes += found.bytes();
        self.all.push((TypeId::of::<F>(), found));
    }

    /// How many bytes it takes, about.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}
