//! Puts in the [`Invariants`] that are proven of latches.
//!
//! ```text
//! a latch that never changes                       its value
//! a latch that always equals another               that one
//! a latch that is always the complement of another the complement of that one
//! at most one of some latches is true              noted in the net
//! at least one of some latches is true             noted in the net
//! ```
//!
//! Holds in reachable states only. The work is bounded there.

use crate::net::gates::Net;
use crate::net::invariants::Invariants;
use crate::net::rebuild::{Replaced, replace};
use gdlr_text::budget::{Exhausted, Memory, Meter};

/// Takes out latches that say nothing of their own; notes groups.
pub(super) fn run(net: &Net, meter: &Meter<'_>) -> Result<Net, Exhausted> {
    let Invariants { equal, exclusive, covering } = Invariants::of(net, meter)?;
    let mut net = net.clone();
    net.exclusive = exclusive;
    net.covering = covering;
    meter.hold(Memory::Scratch, net.copied_bytes());
    replace(&net, &Replaced { latches: equal, ..Replaced::default() }, meter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::passes::freely;
    use crate::net::passes::{random, same};
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    fn run(net: &Net) -> Net {
        freely(super::run, net)
    }

    #[test]
    fn reachable_states_are_as_before() {
        let (mut replaced, mut exclusive, mut covering) = (0, 0, 0);
        for seed in 0..2000 {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut net = random::net(&mut random);
            net.exclusive.clear();
            net.covering.clear();
            let result = run(&net);
            let reachable = same::reachable(&net);
            if let Err(why) = same::check_same(&net, &result, reachable, &mut random) {
                panic!("net {seed}: {why}");
            }
            replaced += net.latches.len() - result.latches.len();
            exclusive += result.exclusive.len();
            covering += result.covering.len();
        }
        // Else nothing was tested.
        let counts = [replaced, exclusive, covering];
        assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
    }
}
