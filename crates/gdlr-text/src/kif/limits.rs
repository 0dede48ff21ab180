//! How much a reader takes.

/// What the reader refuses to go beyond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The longest text, in bytes.
    pub max_bytes: usize,
    /// The deepest nesting of brackets.
    pub max_depth: usize,
    /// The most errors to report; the rest is left out.
    pub max_errors: usize,
}

impl Default for Limits {
    /// 16 MiB, 256 brackets, 100 errors.
    fn default() -> Self {
        Limits { max_bytes: 16 << 20, max_depth: 256, max_errors: 100 }
    }
}
