//! The bounds of this crate's work.

/// The bounds of the optimiser, the compiler, and the search for pragmas. No bound changes the
/// meaning of an automaton: each weighs the time of set-up, or memory, against the time of play.
/// [`Tuning::default`] has the values that served public automata best.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tuning {
    /// The greatest number of rounds of all transformations.
    pub rounds: usize,
    /// How often the knowledge of a node may change in an analysis before it is widened.
    pub widened_after: u8,
    /// The average number of visits of a node after which an analysis gives up knowledge that still
    /// changes…
    pub visits: usize,
    /// … not counting this total of visits, which no small automaton exceeds.
    pub free_visits: usize,
    /// The most combinations of keys for which the values of a constant are looked up one by one.
    pub lookups: usize,
    /// The most conditions of a walk that are reordered.
    pub reordered: usize,
    /// The most conditions that replace a check.
    pub inlined: usize,
    /// The greatest index of a tag in a move that is looked at.
    pub tag_places: u32,
    /// The most accesses of an expression that replaces a variable with several uses.
    pub shared_accesses: u32,
    /// The most accesses of an expression that becomes longer by a replacement.
    pub accesses: u32,
    /// The most edges into a node for which its comparison is copied to each of them.
    pub copies: u8,
    /// The most comparisons `x != s` in one switch.
    pub exclusions: usize,
    /// The number of steps after which a search remembers the semistates at landmarks.
    pub remembered_after: u64,
    /// For pragmas: the most edges of a straight walk whose conditions are collected.
    pub straight: usize,
    /// For pragmas: the most edges of a node that are compared pairwise.
    pub paired: usize,
    /// For pragmas: the most edges that a walk is followed back, to see how it differs from others.
    pub back: usize,
    /// The most beginnings of searches that are told apart at a node.
    pub begun: usize,
    /// The most last tags that are told apart at a node.
    pub last_tags: usize,
    /// How often the knowledge of determined variables may change at a node before it is joined.
    pub joined_after: u8,
    /// The most pairs of a beginning and a last tag by which edges are told apart.
    pub beginnings_and_tags: usize,
    /// The most bits of the variables of an `@repeat`: to remember more costs as much as to
    /// remember all.
    pub repeat_bits: f64,
    /// For `@simpleApply`: the most steps of the walks from one node…
    pub apply_places: usize,
    /// … and of all walks, besides four for each node.
    pub apply_work: usize,
    /// For `@simpleApply`: the most tags, or assignments, of a walk.
    pub apply_length: usize,
    /// For `@simpleApply`: the most pairs of moves of a node that are compared.
    pub apply_pairs: usize,
}

impl Default for Tuning {
    fn default() -> Tuning {
        Tuning {
            rounds: 200,
            widened_after: 12,
            visits: 2,
            free_visits: 1 << 19,
            lookups: 1 << 12,
            reordered: 32,
            inlined: 64,
            tag_places: 64,
            shared_accesses: 2,
            accesses: 16,
            copies: 4,
            exclusions: 4,
            remembered_after: 2_000,
            straight: 8,
            paired: 12,
            back: 24,
            begun: 64,
            last_tags: 256,
            joined_after: 8,
            beginnings_and_tags: 1 << 10,
            repeat_bits: 16.0,
            apply_places: 1 << 15,
            apply_work: 1 << 19,
            apply_length: 64,
            apply_pairs: 1 << 20,
        }
    }
}

impl Tuning {
    /// Small bounds, for tests: they show on small automata the cases that the default bounds show
    /// on large ones.
    #[cfg(any(test, feature = "testing"))]
    pub fn small() -> Tuning {
        Tuning {
            rounds: 3,
            widened_after: 1,
            visits: 1,
            free_visits: 0,
            lookups: 2,
            reordered: 2,
            inlined: 2,
            tag_places: 1,
            shared_accesses: 0,
            accesses: 1,
            copies: 0,
            exclusions: 1,
            remembered_after: 1,
            straight: 1,
            paired: 2,
            back: 2,
            begun: 1,
            last_tags: 1,
            joined_after: 1,
            beginnings_and_tags: 1,
            repeat_bits: 1.0,
            apply_places: 4,
            apply_work: 4,
            apply_length: 2,
            apply_pairs: 4,
        }
    }
}
