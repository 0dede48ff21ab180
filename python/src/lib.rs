//! The native part of the Python package `gdlr`.
//!
//! | file | what it is for |
//! |---|---|
//! | [`source`] | what Python calls rules (text, a path, a bundled name), read and checked |
//! | [`compiled`] | a game with its engine, shared by all of its states |
//! | [`node`] | a state, and the one that it came from |
//! | [`game`], [`state`] | the classes `Game` and `State` |
//! | [`moves`] | joint moves between Python and engines |
//! | [`lanes`], [`shard`], [`outputs`] | many games at once, in arrays of Python |
//! | [`crew`], [`gate`], [`awake`] | the threads of lanes |
//! | [`limits`] | times, threads and engines that Python names |
//! | [`playouts`], [`perft`], [`mcts`], [`crosscheck`] | the long questions that `Game` answers |
//! | [`check`] | what is wrong with a rulesheet |
//! | [`work`] | long work: without the lock of the interpreter, with progress and Ctrl-C |
//! | [`diagnostics`] | diagnostics as values and as text |
//! | [`results`] | values of `gdlr._results` |
//! | [`errors`] | exceptions of `gdlr._errors` |
//!
//! Exceptions and results are classes of Python, in `gdlr/_errors.py` and `gdlr/_results.py`;
//! here they are only made.

mod automaton;
mod awake;
mod check;
mod children;
mod compiled;
mod crew;
mod crosscheck;
mod diagnostics;
mod errors;
mod game;
mod gate;
mod lanes;
mod limits;
mod mcts;
mod moves;
mod node;
mod outputs;
mod perft;
mod playouts;
mod results;
mod saved;
mod shard;
mod source;
mod state;
mod work;

use game::Game;
use pyo3::prelude::*;
use state::State;

#[pymodule]
fn _gdlr(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<Game>()?;
    module.add_class::<State>()?;
    module.add_class::<lanes::Lanes>()?;
    module.add_function(wrap_pyfunction!(game::games, module)?)?;
    module.add_function(wrap_pyfunction!(game::_restored, module)?)?;
    module.add_function(wrap_pyfunction!(check::check, module)?)?;
    module.add_function(wrap_pyfunction!(source::fmt, module)?)?;
    Ok(())
}
