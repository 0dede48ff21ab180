//! What comes after the legal actions of lanes, into numpy arrays.

use crate::outputs::Output;
use gdlr::engine::{Children, NO_GOAL, TERMINAL};
use pyo3::buffer::Element;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// A value by child, of the children of several shards: those of the first come first.
type OfShard<T> = fn(&Children) -> &[T];

/// Copies what was found into arrays, by name, each of which has a row for every child.
pub fn write(shards: &[(usize, &Children)], arrays: &Bound<'_, PyDict>) -> PyResult<()> {
    let count = shards.iter().map(|of| of.1.len()).sum();
    for (name, array) in arrays.iter() {
        let name: String = name.extract()?;
        match &*name {
            "action" => copy(&name, &array, count, shards, |of| &of.actions)?,
            "current_player" => copy(&name, &array, count, shards, |of| &of.to_move)?,
            "legal_bits" => copy(&name, &array, count, shards, |of| &of.legal_bits)?,
            "observation" => copy(&name, &array, count, shards, |of| &of.observations)?,
            "lane" => {
                let lanes = shards.iter().flat_map(|&(start, children)| {
                    let counts = children.first.windows(2).map(|two| two[1] - two[0]);
                    let lane =
                        move |(lane, count)| std::iter::repeat_n((start + lane) as i64, count);
                    counts.enumerate().flat_map(lane)
                });
                fill(&name, &array, count, lanes)?;
            }
            "terminated" => {
                let all = shards.iter().flat_map(|of| &of.1.ended);
                fill(&name, &array, count, all.map(|&ended| u8::from(ended == TERMINAL)))?;
            }
            "truncated" => {
                let all = shards.iter().flat_map(|of| &of.1.ended);
                fill(&name, &array, count, all.map(|&ended| u8::from(ended > TERMINAL)))?;
            }
            "rewards" => {
                let value = |&goal: &u8| match goal {
                    NO_GOAL => f32::NAN,
                    goal => f32::from(goal) / 100.0,
                };
                let all = shards.iter().flat_map(|of| &of.1.goals);
                let size = all.clone().count();
                fill(&name, &array, size, all.map(value))?;
            }
            _ => return Err(PyValueError::new_err(format!("no array is called {name}"))),
        }
    }
    Ok(())
}

/// Copies slices, one after the other.
fn copy<T: Element + Copy>(
    name: &str,
    array: &Bound<'_, PyAny>,
    count: usize,
    shards: &[(usize, &Children)],
    of_shard: OfShard<T>,
) -> PyResult<()> {
    let values = shards.iter().flat_map(|of| of_shard(of.1).iter().copied());
    let size = shards.iter().map(|of| of_shard(of.1).len()).sum::<usize>();
    // Where nothing was asked for there is nothing to write.
    if size == 0 && count > 0 {
        return Err(PyValueError::new_err(format!("{name} was not asked for")));
    }
    fill(name, array, size, values)
}

/// Writes so many values into an array.
fn fill<T: Element>(
    name: &str,
    array: &Bound<'_, PyAny>,
    size: usize,
    values: impl Iterator<Item = T>,
) -> PyResult<()> {
    let output = Output::<T>::bind(name, array, size, 1)?;
    let mut part = output.part(&(0..size));
    // SAFETY: the array was just checked, and the interpreter is locked.
    let items = unsafe { part.slice() };
    items.iter_mut().zip(values).for_each(|(item, value)| *item = value);
    Ok(())
}
