//! The bounds by which this crate chooses.

/// By what bounds automata are made smaller, compiled, and given pragmas. None changes what an automaton
/// means: each weighs the time of set-up, or memory, against the time of play. [`Tuning::default`] has
/// those that served public automata best.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tuning {
    /// How often all transformations are applied at most.
    pub rounds: usize,
    /// How often knowledge of a node changes before it is widened, in an analysis.
    pub widened_after: u8,
    /// How often a node is visited, on average, before an analysis gives up what still changes…
    pub visits: usize,
    /// … beyond so many visits of all nodes, which no small automaton has.
    pub free_visits: usize,
    /// The most combinations of keys for which the values of a constant are looked up one by one.
    pub lookups: usize,
    /// The most conditions of a way that are put into another order.
    pub reordered: usize,
    /// The most conditions that are written in place of a check.
    pub inlined: usize,
    /// Tags behind this place of a move are not looked at.
    pub tag_places: u32,
    /// The most accesses of an expression that is written in place of a variable that is read several
    /// times.
    pub shared_accesses: u32,
    /// The most accesses of an expression that becomes longer so.
    pub accesses: u32,
    /// A comparison is written for each of the edges that enter its node, if these are no more.
    pub copies: u8,
    /// The most comparisons `x != s` that one switch takes in.
    pub exclusions: usize,
    /// A search remembers where it was after so many steps.
    pub remembered_after: u64,
    /// The most edges of a straight walk whose conditions are found out, for pragmas.
    pub straight: usize,
    /// The most edges of a node that are compared each with each, for pragmas.
    pub paired: usize,
    /// The most edges that a walk is followed back, to see how it differs from others.
    pub back: usize,
    /// The most places where searches begin that are told apart.
    pub begun: usize,
    /// The most tags that are told apart as the last one.
    pub last_tags: usize,
    /// How often knowledge of what tags determine changes at a node before it is joined.
    pub joined_after: u8,
    /// The most pairs of a beginning and a last tag by which edges are told apart.
    pub beginnings_and_tags: usize,
    /// The most bits of the variables of a pragma `@repeat`: to keep more costs as much as to keep all.
    pub repeat_bits: f64,
    /// The most places of walks from one node that are looked at for `@simpleApply`…
    pub apply_places: usize,
    /// … and in all, besides four for each node.
    pub apply_work: usize,
    /// The most tags of a walk, or assignments, that are followed for it.
    pub apply_length: usize,
    /// The most pairs of moves of a node that are compared for it.
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
    /// Bounds that small automata reach, for tests: what only large ones see by default is tried with
    /// these as well.
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
