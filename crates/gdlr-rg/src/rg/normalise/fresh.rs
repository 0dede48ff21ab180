//! New names.

use crate::rg::name::{Name, Names};

/// Makes names that nothing else has.
pub(super) struct Fresh {
    number: u64,
}

impl Fresh {
    pub fn new() -> Fresh {
        Fresh { number: 0 }
    }

    /// A name: the stem and a number.
    pub fn name(&mut self, names: &mut Names, stem: &str) -> Name {
        loop {
            self.number += 1;
            let text = format!("{stem}{}", self.number);
            if names.get(&text).is_none()
                && let Ok(name) = names.intern(&text)
            {
                return name;
            }
        }
    }
}
