//! Arrays of Python that a step of lanes writes.
//!
//! They are bound once, and written at each step without the lock of the interpreter. They are
//! exported as buffers as long as they are bound, so that Python neither frees nor moves them; they
//! are checked to be writable, whole, of the right type and size, and not to overlap; and they
//! belong to the lanes alone, which only one call at a time may use. What Python reads of them
//! during a step may be of either state.

use pyo3::buffer::{Element, PyBuffer};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::ops::Range;
use std::slice;

/// An array of Python that is written at each step.
pub struct Output<T> {
    buffer: PyBuffer<T>,
    /// How many items belong to a lane.
    width: usize,
}

/// The part of an output that belongs to some lanes.
pub struct Part<T>(*mut T, usize);

// SAFETY: a part is a pointer to items that nobody else writes (see the top of the file).
unsafe impl<T: Send> Send for Part<T> {}

impl<T> Part<T> {
    /// The items.
    ///
    /// # Safety
    ///
    /// The buffer must still be bound, and no other reference to the part in use.
    pub unsafe fn slice(&mut self) -> &mut [T] {
        // SAFETY: the pointer and the length are of a part of a buffer that is bound, writable,
        // whole and aligned.
        unsafe { slice::from_raw_parts_mut(self.0, self.1) }
    }
}

impl<T: Element> Output<T> {
    /// Checks an array; `width` items belong to each of some lanes.
    pub fn bind(
        name: &str,
        array: &Bound<'_, PyAny>,
        lanes: usize,
        width: usize,
    ) -> PyResult<Self> {
        let buffer = PyBuffer::<T>::get(array)
            .map_err(|error| PyTypeError::new_err(format!("{name}: {error}")))?;
        let problem = match &buffer {
            buffer if buffer.readonly() => "is read-only",
            buffer if !buffer.is_c_contiguous() => "is not contiguous",
            buffer if buffer.item_count() != lanes * width => "has another size",
            buffer if buffer.buf_ptr().addr() % align_of::<T>() != 0 => "is not aligned",
            _ => return Ok(Output { buffer, width }),
        };
        Err(PyValueError::new_err(format!("{name}: the array {problem}")))
    }

    /// What belongs to some lanes.
    pub fn part(&self, lanes: &Range<usize>) -> Part<T> {
        let first = self.buffer.buf_ptr().cast::<T>();
        Part(first.wrapping_add(lanes.start * self.width), lanes.len() * self.width)
    }

    /// The addresses of all items.
    fn addresses(&self) -> Range<usize> {
        let start = self.buffer.buf_ptr().addr();
        start..start + self.buffer.len_bytes()
    }
}

/// Declares what may be bound, by name, and of what items.
macro_rules! outputs {
    ($($name:ident: $item:ty,)*) => {
        /// All that may be bound; what is not bound is not computed.
        #[derive(Default)]
        pub struct Outputs {
            $(pub $name: Option<Output<$item>>,)*
        }

        /// The same of some lanes.
        #[derive(Default)]
        pub struct Parts {
            $(pub $name: Option<Part<$item>>,)*
        }

        impl Outputs {
            /// What belongs to some lanes.
            pub fn parts(&self, lanes: &Range<usize>) -> Parts {
                Parts { $($name: self.$name.as_ref().map(|output| output.part(lanes)),)* }
            }

            /// The addresses of all that are bound.
            pub fn addresses(&self) -> Vec<Range<usize>> {
                let all = [$(self.$name.as_ref().map(Output::addresses),)*];
                all.into_iter().flatten().collect()
            }
        }
    };
}

outputs! {
    legal: u8,
    legal_bits: u64,
    observation: u8,
    observation_bits: u64,
    final_observation: u8,
    rewards: f32,
    terminated: u8,
    truncated: u8,
    ended: u8,
    current_player: i32,
    last_action: i32,
}
