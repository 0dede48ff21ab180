//! Switches for the optimisations.

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
}

impl Default for TreeOptions {
    fn default() -> Self {
        TreeOptions { filters: true, hashing: true, filter_removal: true, redundant_removal: true }
    }
}
