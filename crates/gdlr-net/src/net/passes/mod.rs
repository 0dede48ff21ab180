//! Passes: each makes a smaller net that does the same.
//!
//! A pass is one file: what it does, before and after as text, what it costs; the code;
//! tests. [`PASSES`] is the table of those that make a net, in the order in which they run; `PAIRS`
//! is for nets that are laid out. A pass is a
//! function from net to net, made with [`super::rebuild`], and costs at most n log n in the
//! size of the net. What it does is counted by a meter, and it gives up when the budget is
//! exhausted.
//!
//! *The same* means: for every state that play can reach and every joint move that is legal
//! in it, every output has the same value, and so has every fact. The properties below the
//! table check this on random nets.

mod absorption;
mod chains;
mod choices;
mod consequences;
mod constants;
mod duplicates;
mod factors;
mod invariants;
mod pairs;
mod polarity;
mod products;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod random;
mod remainders;
#[cfg(test)]
mod same;
mod shared;
mod twins;
mod unneeded;

use super::gates::Net;
use gdlr_text::budget::{Exhausted, Limit, Memory, Meter};

/// A way to make a net smaller.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// Its name, as users write it.
    pub name: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// Does it.
    pub run: fn(&Net, &Meter<'_>) -> Result<Net, Exhausted>,
    /// When it runs.
    pub stage: Stage,
}

/// When a pass runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Again and again, as long as something changes.
    Rounds,
    /// Between two such series of rounds.
    Between,
    /// Once, after everything else.
    End,
    /// When a net is laid out for an engine.
    Layout,
}

/// Every pass, in the order in which they run.
pub const PASSES: &[&Pass] = &[
    &CONSTANTS,
    &UNNEEDED,
    &DUPLICATES,
    &TWINS,
    &CHAINS,
    &FACTORS,
    &ABSORPTION,
    &CHOICES,
    &REMAINDERS,
    &PRODUCTS,
    &SHARED,
    &INVARIANTS,
    &POLARITY,
];

static CONSTANTS: Pass = Pass {
    name: "constants",
    about: "constants, repeated operands, operands beside their complement",
    run: constants::run,
    stage: Stage::Rounds,
};

static UNNEEDED: Pass = Pass {
    name: "unneeded",
    about: "gates that no output needs, moves that are never legal, unread latches",
    run: unneeded::run,
    stage: Stage::Rounds,
};

/// Gates that do the same become one.
pub static DUPLICATES: Pass = Pass {
    name: "duplicates",
    about: "gates that compute the same become one",
    run: duplicates::run,
    stage: Stage::Rounds,
};

static TWINS: Pass = Pass {
    name: "twins",
    about: "latches that begin alike and become the same are one",
    run: twins::run,
    stage: Stage::Rounds,
};

static CHAINS: Pass = Pass {
    name: "chains",
    about: "a gate merges into its only reader, if both are And or both are Or",
    run: chains::run,
    stage: Stage::Rounds,
};

static FACTORS: Pass = Pass {
    name: "factors",
    about: "common operands, taken out of the terms of a gate",
    run: factors::run,
    stage: Stage::Rounds,
};

/// Operands that say nothing beside others go.
pub static ABSORPTION: Pass = Pass {
    name: "absorption",
    about: "operands that the others make superfluous",
    run: absorption::run,
    stage: Stage::Rounds,
};

/// What is known of the moves of a role, of which one is made, is put in.
pub static CHOICES: Pass = Pass {
    name: "choices",
    about: "each role chooses exactly one move, a legal one",
    run: choices::run,
    stage: Stage::Rounds,
};

static REMAINDERS: Pass = Pass {
    name: "remainders",
    about: "all but one of latches of which exactly one is true: not that one",
    run: remainders::run,
    stage: Stage::Rounds,
};

static PRODUCTS: Pass = Pass {
    name: "products",
    about: "an And of two Ors whose terms exclude or imply each other is one Or",
    run: products::run,
    stage: Stage::Rounds,
};

/// Gates read others for the operands that they have in common.
pub static SHARED: Pass = Pass {
    name: "shared",
    about: "a gate that contains all of another's operands reads that one instead",
    run: shared::run,
    stage: Stage::Rounds,
};

static INVARIANTS: Pass = Pass {
    name: "invariants",
    about: "latches that are constant, equal or complementary; groups of which one is true",
    run: invariants::run,
    stage: Stage::Between,
};

/// Not in the table: it runs when a net is laid out for an engine. Whoever looks for turns asks how
/// many gates read a latch.
pub static PAIRS: Pass = Pass {
    name: "pairs",
    about: "operands that many gates have in common",
    run: pairs::run,
    stage: Stage::Layout,
};

static POLARITY: Pass = Pass {
    name: "polarity",
    about: "And or Or for each gate, whichever needs fewer complements",
    run: polarity::run,
    stage: Stage::End,
};

/// How often the passes that feed each other run at most. Public rulesheets need three to
/// five rounds; each round costs time even where little is left to gain.
const ROUNDS: usize = 8;

/// A round that makes a net smaller by less than this part of it is the last.
const GAIN: usize = 200;

/// How often passes run between series of rounds at most: what the first proofs make of a net
/// lets more be proven.
const SERIES: usize = 2;

/// One in so many parts of the time is left for what is made of the net.
const LEFT: u32 = 4;

/// Runs all passes until hardly anything changes, and tells `observer` of the net after each.
/// Where time or memory run out, the result is the net as it is then: as good as the first, only
/// larger. Some of the time is left, to lay it out.
///
/// # Errors
///
/// When set-up is interrupted, or when there is no budget for the net as it is either.
pub fn optimise(
    mut net: Net,
    meter: &Meter<'_>,
    observer: &mut dyn FnMut(&'static Pass, &Net),
) -> Result<Net, Exhausted> {
    let optimised = run_all(&mut net, &meter.leaving_one_in(LEFT), observer);
    meter.hold(Memory::Net, net.bytes());
    meter.check()?;
    match optimised {
        Err(exhausted) if exhausted.limit == Limit::Interrupted => Err(exhausted),
        _ => Ok(net),
    }
}

fn run_all(
    net: &mut Net,
    meter: &Meter<'_>,
    observer: &mut dyn FnMut(&'static Pass, &Net),
) -> Result<(), Exhausted> {
    run(Stage::Rounds, net, meter, observer)?;
    for _ in 0..SERIES {
        let known = |net: &Net| (net.latches.len(), net.exclusive.len(), net.covering.len());
        let before = known(net);
        run(Stage::Between, net, meter, observer)?;
        if known(net) == before {
            break;
        }
        run(Stage::Rounds, net, meter, observer)?;
    }
    run(Stage::End, net, meter, observer)
}

/// Runs the passes of a stage.
fn run(
    stage: Stage,
    net: &mut Net,
    meter: &Meter<'_>,
    observer: &mut dyn FnMut(&'static Pass, &Net),
) -> Result<(), Exhausted> {
    let size = |net: &Net| net.len() + net.wires();
    let rounds = if stage == Stage::Rounds { ROUNDS } else { 1 };
    let mut before = size(net);
    for _ in 0..rounds {
        for &pass in PASSES.iter().filter(|pass| pass.stage == stage) {
            meter.hold(Memory::Net, net.bytes());
            *net = (pass.run)(net, meter)?;
            observer(pass, net);
            meter.hold(Memory::Scratch, 0);
        }
        let after = size(net);
        if after + before / GAIN >= before {
            break;
        }
        before = after;
    }
    Ok(())
}

/// What a pass makes of a net without a budget.
#[cfg(test)]
fn freely(run: fn(&Net, &Meter<'_>) -> Result<Net, Exhausted>, net: &Net) -> Net {
    run(net, &Meter::unlimited()).expect("there is no limit")
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    const NETS: u64 = 400;

    /// The states in which a pass must preserve what a net does.
    fn within(pass: &Pass, net: &Net) -> u64 {
        let holds_where_play_comes = [&INVARIANTS, &TWINS].iter().any(|of| std::ptr::eq(pass, *of));
        if holds_where_play_comes { same::reachable(net) } else { !0 }
    }

    #[test]
    fn every_pass_preserves_what_a_net_does() {
        for seed in 0..NETS {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
            let raw = random::net(&mut random);
            // As it comes, and as a pass finds it in a later round.
            let clean = freely(constants::run, &raw);
            for net in [&raw, &clean] {
                for pass in PASSES.iter().copied().chain([&PAIRS]) {
                    let made = freely(pass.run, net);
                    let within = within(pass, net);
                    if let Err(why) = same::check_same(net, &made, within, &mut random) {
                        panic!("{} on net {seed}: {why}", pass.name);
                    }
                }
            }
        }
    }

    #[test]
    fn all_passes_together_preserve_what_a_net_does() {
        for seed in 0..NETS {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
            let net = random::net(&mut random);
            let mut before = net.clone();
            let observer = &mut |pass: &'static Pass, after: &Net| {
                let within = within(pass, &before);
                if let Err(why) = same::check_same(&before, after, within, &mut random) {
                    panic!("{} on net {seed}: {why}", pass.name);
                }
                before = after.clone();
            };
            let made = optimise(net.clone(), &Meter::unlimited(), observer).expect("no limit");
            assert_eq!(made, before);
            let within = same::reachable(&net);
            if let Err(why) = same::check_same(&net, &made, within, &mut random) {
                panic!("all passes on net {seed}: {why}");
            }
            assert!(made.size().gates() <= net.size().gates());
        }
    }

    #[test]
    fn names_are_unique() {
        for (place, one) in PASSES.iter().enumerate() {
            assert!(PASSES[..place].iter().all(|other| other.name != one.name));
        }
    }
}
