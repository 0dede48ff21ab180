//! Passes: each makes a smaller net that does the same.
//!
//! Each pass has one file. The head of the file shows gates before and after the pass, and says what
//! the pass costs. The code and the tests follow. [`PASSES`] is the table of passes. Most passes
//! run in rounds, until a round hardly makes the net smaller or a bound of rounds is reached. Within a round they run in the order of the table. [`fast_extract`] is not in the table: it runs later, when the phases of the net
//! have been found.
//!
//! A pass takes a net and returns a net. It makes the new net with [`super::rebuild`]. It costs at most n log n in the
//! size of the net. A meter counts the work of the pass. When the budget is exhausted, the pass
//! returns no net, and the net from before the pass stays.
//!
//! *The same* means: for every state that play can reach, and every joint move that is legal in this
//! state, every output and every fact has the same value. The tests of this file check this on
//! random nets.

mod absorption;
mod chains;
mod choices;
mod common_cube;
mod cone_of_influence;
mod consequences;
mod constants;
mod duplicates;
mod fast_extract;
mod guards;
mod invariants;
mod polarity;
mod products;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod random;
mod register_correspondence;
mod remainders;
#[cfg(test)]
mod same;
mod shared;

use super::gates::Net;
use crate::tuning::Tuning;
use gdlr_text::budget::{Exhausted, Limit, Memory, Meter};
use gdlr_text::decisions::{self, Decision, Decisions, Part};

/// A way to make a net smaller.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// Its name, as users write it.
    pub name: &'static str,
    /// Its effect, in a line.
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
}

/// Every pass, in the order in which they run.
pub const PASSES: &[&Pass] = &[
    &CONSTANTS,
    &CONE_OF_INFLUENCE,
    &DUPLICATES,
    &REGISTER_CORRESPONDENCE,
    &CHAINS,
    &COMMON_CUBE,
    &ABSORPTION,
    &CHOICES,
    &REMAINDERS,
    &PRODUCTS,
    &GUARDS,
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

static CONE_OF_INFLUENCE: Pass = Pass {
    name: "cone-of-influence",
    about: "gates that no output needs, moves that are never legal, unread latches",
    run: cone_of_influence::run,
    stage: Stage::Rounds,
};

/// Gates that do the same become one.
pub static DUPLICATES: Pass = Pass {
    name: "duplicates",
    about: "gates that compute the same become one",
    run: duplicates::run,
    stage: Stage::Rounds,
};

static REGISTER_CORRESPONDENCE: Pass = Pass {
    name: "register-correspondence",
    about: "latches that begin alike and become the same are one",
    run: register_correspondence::run,
    stage: Stage::Rounds,
};

static CHAINS: Pass = Pass {
    name: "chains",
    about: "a gate merges into its only reader, if both are And or both are Or",
    run: chains::run,
    stage: Stage::Rounds,
};

static COMMON_CUBE: Pass = Pass {
    name: "common-cube",
    about: "common operands, taken out of the terms of a gate",
    run: common_cube::run,
    stage: Stage::Rounds,
};

/// Operands that say nothing beside others go.
pub static ABSORPTION: Pass = Pass {
    name: "absorption",
    about: "operands that the others make superfluous",
    run: absorption::run,
    stage: Stage::Rounds,
};

/// Uses that each role makes exactly one move, a legal one.
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

static GUARDS: Pass = Pass {
    name: "guards",
    about: "operands beside an Or whose terms imply or exclude them go, and so do these terms",
    run: guards::run,
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

/// Makes gates of operands that many gates have in common. Not in the table: it runs when a net is laid
/// out for an engine, after phases are found, since these are judged by how many gates read a latch.
///
/// # Errors
///
/// When the budget is exhausted.
pub fn fast_extract(net: &Net, tuning: &Tuning, meter: &Meter<'_>) -> Result<Net, Exhausted> {
    fast_extract::run(net, tuning.fewest_pairs, meter)
}

static POLARITY: Pass = Pass {
    name: "polarity",
    about: "And or Or for each gate, whichever needs fewer complements",
    run: polarity::run,
    stage: Stage::End,
};

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
    net: Net,
    meter: &Meter<'_>,
    observer: &mut dyn FnMut(&'static Pass, &Net),
) -> Result<Net, Exhausted> {
    optimise_tuned(net, &Tuning::default(), meter, observer, &mut Decisions::default())
}

/// The same, by bounds of one's own; what is decided is recorded.
///
/// # Errors
///
/// As [`optimise`].
pub fn optimise_tuned(
    mut net: Net,
    tuning: &Tuning,
    meter: &Meter<'_>,
    observer: &mut dyn FnMut(&'static Pass, &Net),
    decisions: &mut Decisions,
) -> Result<Net, Exhausted> {
    let stage = decisions::Stage::begin(Part::Net, "making the net small");
    let before = net.len() + net.wires();
    let mut rounds = Vec::new();
    let part = meter.leaving_one_in(LEFT);
    let optimised = run_all(&mut net, tuning, &part, observer, &mut rounds);
    decisions.record(of_rounds(&rounds, optimised.is_err(), before, &net, tuning));
    stage.end();
    meter.hold(Memory::Net, net.bytes());
    meter.check()?;
    match optimised {
        Err(exhausted) if exhausted.limit == Limit::Interrupted => Err(exhausted),
        _ => Ok(net),
    }
}

/// How many rounds each series had.
fn of_rounds(
    rounds: &[usize],
    is_broken_off: bool,
    before: usize,
    net: &Net,
    tuning: &Tuning,
) -> Decision {
    let mut chosen = rounds.iter().map(usize::to_string).collect::<Vec<_>>().join(" and ");
    if is_broken_off {
        chosen += ", broken off";
    }
    Decision::new(Part::Net, "rounds", chosen)
        .measured("size", before)
        .measured("then", net.len() + net.wires())
        .bound("rounds", tuning.rounds)
}

/// Runs the passes of all stages; of each series of rounds `rounds` says how many there were.
fn run_all(
    net: &mut Net,
    tuning: &Tuning,
    meter: &Meter<'_>,
    observer: &mut dyn FnMut(&'static Pass, &Net),
    rounds: &mut Vec<usize>,
) -> Result<(), Exhausted> {
    let mut series = |net: &mut Net, observer: &mut dyn FnMut(&'static Pass, &Net)| {
        rounds.push(0);
        let round = rounds.last_mut().expect("it was just put there");
        let mut before = net.len() + net.wires();
        while *round < tuning.rounds {
            *round += 1;
            run(Stage::Rounds, net, meter, observer)?;
            let after = net.len() + net.wires();
            if after + before / tuning.round_gain >= before {
                break;
            }
            before = after;
        }
        Ok(())
    };
    series(net, observer)?;
    for _ in 0..tuning.series {
        let invariants = |net: &Net| (net.latches.len(), net.exclusive.len(), net.covering.len());
        let before = invariants(net);
        run(Stage::Between, net, meter, observer)?;
        if invariants(net) == before {
            break;
        }
        series(net, observer)?;
    }
    run(Stage::End, net, meter, observer)
}

/// Runs the passes of a stage once.
fn run(
    stage: Stage,
    net: &mut Net,
    meter: &Meter<'_>,
    observer: &mut dyn FnMut(&'static Pass, &Net),
) -> Result<(), Exhausted> {
    for &pass in PASSES.iter().filter(|pass| pass.stage == stage) {
        meter.hold(Memory::Net, net.bytes());
        *net = (pass.run)(net, meter)?;
        observer(pass, net);
        meter.hold(Memory::Scratch, 0);
    }
    Ok(())
}

/// The result of a pass on a net without a budget.
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

    type Run = fn(&Net, &Meter<'_>) -> Result<Net, Exhausted>;

    /// The states in which a pass must preserve what a net does.
    fn within(pass: &Pass, net: &Net) -> u64 {
        let holds_where_play_comes =
            [&INVARIANTS, &REGISTER_CORRESPONDENCE].iter().any(|of| std::ptr::eq(pass, *of));
        if holds_where_play_comes { same::reachable(net) } else { !0 }
    }

    #[test]
    fn every_pass_preserves_what_a_net_does() {
        let shipped: Run = |net, meter| fast_extract(net, &Tuning::default(), meter);
        let small: Run = |net, meter| fast_extract(net, &Tuning::small(), meter);
        let pairs = [("pairs", shipped), ("pairs of few gates", small)].map(|(name, run)| Pass {
            name,
            about: "",
            run,
            stage: Stage::End,
        });
        for seed in 0..NETS {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
            let raw = random::net(&mut random);
            // As it comes, and as a pass finds it in a later round.
            let clean = freely(constants::run, &raw);
            for net in [&raw, &clean] {
                for pass in PASSES.iter().copied().chain(&pairs) {
                    let result = freely(pass.run, net);
                    let within = within(pass, net);
                    if let Err(why) = same::check_same(net, &result, within, &mut random) {
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
            let result = optimise(net.clone(), &Meter::unlimited(), observer).expect("no limit");
            assert_eq!(result, before);
            let within = same::reachable(&net);
            if let Err(why) = same::check_same(&net, &result, within, &mut random) {
                panic!("all passes on net {seed}: {why}");
            }
            assert!(result.size().gates() <= net.size().gates());
        }
    }

    #[test]
    fn names_are_unique() {
        for (place, one) in PASSES.iter().enumerate() {
            assert!(PASSES[..place].iter().all(|other| other.name != one.name));
        }
    }
}
