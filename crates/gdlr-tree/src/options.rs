//! Switches for the optimisations, and the bounds by which they choose.

/// Switches for the optimisations of FI, all on by default. Turning one off never changes a
/// result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeOptions {
    /// Pass what a rule knows on to the relations that it asks (FI, VI.D). Relations that
    /// are too large to compute whole have a filter all the same.
    pub filters: bool,
    /// Hash rows on the columns asked for (FI, VII.A).
    pub hashing: bool,
    /// Remove filters that do not pay (FI, VII.C).
    pub filter_removal: bool,
    /// Remove relations that only rename another (FI, VII.B).
    pub redundant_removal: bool,
    /// How much work goes into what set-up tries.
    pub tuning: Tuning,
}

/// How much work goes into what set-up computes once, and into sample play. Work is counted in rows, so
/// that the same choices are made on every machine. None of these changes a result. [`Tuning::default`] has
/// what served public rulesheets best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// The most work for relations that never change and depend on each other. What is larger is
    /// proved when it is asked.
    pub static_work: u64,
    /// The most work for all relations that never change.
    pub all_static_work: u64,
    /// The work for a playout to take states from.
    pub playout_work: u64,
    /// The longest playout to take states from, in steps.
    pub playout_steps: usize,
    /// How many states of it choices are tried on: 2 or more.
    pub states: usize,
    /// The work for computing every relation whole in a state, which tells how large they are.
    pub whole_work: u64,
    /// The work for trying choices, all of them together.
    pub trial_work: u64,
    /// A choice is made that saves more than one in so many parts of the work; 1 or more.
    pub trial_gain: u64,
    /// The cost of building trees for a trial, in rows a column of their conditions.
    pub build_work: u64,
    /// The most rules to try other first conditions for.
    pub rules: usize,
}

impl Default for Tuning {
    fn default() -> Tuning {
        Tuning {
            static_work: 500_000,
            all_static_work: 1 << 24,
            playout_work: 1_000_000,
            playout_steps: 400,
            states: 6,
            whole_work: 400_000,
            trial_work: 20_000_000,
            trial_gain: 100,
            build_work: 20,
            rules: 8,
        }
    }
}

impl Tuning {
    /// So little work that small games have relations that are not computed whole, and trials that are
    /// broken off.
    #[cfg(test)]
    pub(crate) fn small() -> Tuning {
        Tuning {
            static_work: 5,
            all_static_work: 20,
            playout_work: 200,
            playout_steps: 3,
            states: 2,
            whole_work: 20,
            trial_work: 500,
            trial_gain: 10,
            build_work: 1,
            rules: 1,
        }
    }
}

impl Default for TreeOptions {
    fn default() -> Self {
        TreeOptions {
            filters: true,
            hashing: true,
            filter_removal: true,
            redundant_removal: true,
            tuning: Tuning::default(),
        }
    }
}
