//! Marks by which the reader tells the layout where lines begin.

/// A mark at a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    /// The beginning of the token, in bytes.
    pub at: usize,
    pub kind: MarkKind,
}

/// The kind of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MarkKind {
    /// The beginning of a declaration, a case of a function, or a statement.
    Start,
    /// The brace that opens a block of statements.
    Open,
    /// The brace that closes a block of statements.
    Close,
    /// `or` or `else` after a block.
    Continue,
    /// A word with a condition or a value before or after it: `if (…` is no call.
    Word,
    /// The `:` before the default of a map.
    Default,
}
