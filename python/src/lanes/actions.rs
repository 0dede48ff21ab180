//! Actions of lanes: read out of arrays of Python, and named where they are not legal.

use super::Lanes;
use crate::errors::illegal_actions;
use gdlr::engine::{Engine, Illegal};
use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// Instead of an action that does not fit into 32 bits.
const OUT_OF_RANGE: i32 = i32::MIN;

/// An action as a number of 32 bits; what is out of range is no action.
fn narrow<T: TryInto<i32>>(action: T) -> i32 {
    action.try_into().unwrap_or(OUT_OF_RANGE)
}

impl Lanes {
    /// Copies the actions of all lanes out of an array.
    pub(super) fn read_actions(
        &mut self,
        py: Python<'_>,
        array: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let wrong_type =
            |_| PyTypeError::new_err("actions are an array of integers, such as numpy.int32");
        let buffer = PyUntypedBuffer::get(array).map_err(wrong_type)?;
        let (lanes, acting) = (self.len(), self.any().acting());
        let expected = if self.any().is_simultaneous() { vec![lanes, acting] } else { vec![lanes] };
        if buffer.shape() != expected {
            let shape = |sizes: &[usize]| {
                let sizes: Vec<String> = sizes.iter().map(usize::to_string).collect();
                format!("({}{})", sizes.join(", "), if sizes.len() == 1 { "," } else { "" })
            };
            return Err(PyValueError::new_err(format!(
                "actions have the shape {}, not {}",
                shape(buffer.shape()),
                shape(&expected)
            )));
        }
        self.actions.clear();
        macro_rules! copy {
            ($($type:ty),*) => {
                $(if let Ok(typed) = buffer.as_typed::<$type>() {
                    match typed.as_slice_ptr() {
                        Some(items) => {
                            // SAFETY: the items are there and aligned as long as the buffer is,
                            // and are read while the interpreter is locked.
                            let read = |at| unsafe { items.cast::<$type>().add(at).read() };
                            self.actions.extend((0..items.len()).map(|at| narrow(read(at))));
                        }
                        None => {
                            let items = typed.to_vec(py)?;
                            self.actions.extend(items.into_iter().map(narrow));
                        }
                    }
                    return Ok(());
                })*
            };
        }
        copy!(i64, i32, u8, i8, u16, i16, u32, u64);
        Err(PyTypeError::new_err("actions are an array of integers, such as numpy.int32"))
    }

    /// Says which actions are not legal.
    pub(super) fn refused(&self, py: Python<'_>, found: &[(usize, Illegal)]) -> PyErr {
        let engine = &self.compiled.engine;
        let (lane, illegal) = found[0];
        let name = self.any().vocabulary().moves.get(illegal.action as usize);
        let what = match name {
            Some(term) => {
                format!(
                    "action {}, {}, is not legal",
                    illegal.action,
                    term.spelled(engine.symbols())
                )
            }
            None if illegal.action == OUT_OF_RANGE => {
                "there is no such action: it does not fit into 32 bits".to_owned()
            }
            None => format!(
                "there is no action {}: they are 0 to {}, or -1 for a lane that is to wait",
                illegal.action,
                self.any().vocabulary().moves.len() as i64 - 1
            ),
        };
        let role = &engine.roles().names()[usize::from(illegal.role)];
        let more = match found.len() - 1 {
            0 => String::new(),
            more => format!("; the actions of {more} more are not, either"),
        };
        let lanes = found.iter().map(|of| of.0).collect();
        illegal_actions(py, format!("lane {lane}, {role}: {what}{more}"), lanes)
    }
}
