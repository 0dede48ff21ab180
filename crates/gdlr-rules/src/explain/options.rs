//! How far an explanation goes.

/// How far an explanation goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How many rules deep: 1 is the rule that gives the answer, without reasons for its
    /// conditions; those that are not looked into are
    /// [`Why::Unexplored`](super::Why::Unexplored).
    pub depth: usize,
    /// Whether it is told why what stands under `not` does not hold.
    pub negations: bool,
    /// The most instances that are explained of a question with variables.
    pub answers: usize,
    /// About how many steps there may be.
    pub steps: usize,
}

impl Default for Options {
    /// As deep as it goes, without negations; 1,000 instances, 100,000 steps.
    fn default() -> Self {
        Options { depth: usize::MAX, negations: false, answers: 1000, steps: 100_000 }
    }
}
