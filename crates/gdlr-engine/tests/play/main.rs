//! Tests of `play` with the engines of both roads, which are crates above this one.

mod exploitability;
mod information_sets;
mod sampler;
mod test_positions;
