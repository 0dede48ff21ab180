//! What the layout has to know of the grammar: where lines begin.

/// Something at a token that the layout goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    /// Where the token begins, in bytes.
    pub at: usize,
    pub kind: MarkKind,
}

/// What begins or ends at a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MarkKind {
    /// A declaration, a case of a function, or a statement.
    Start,
    /// The brace that opens a block of statements.
    Open,
    /// The brace that closes a block of statements.
    Close,
    /// `or` or `else` behind a block.
    Continue,
    /// A word before which or behind which a condition or value stands: `if (…` is no call.
    Word,
    /// The `:` before what all other keys of a map are mapped to.
    Default,
}
