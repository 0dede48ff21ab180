//! The limits of readers: too many bytes, bytes that are not UTF-8, too deep nesting.

use super::language::Language;
use crate::diagnostic::{Code, Diagnostic, Span};

/// The limits that a reader does not go beyond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The longest text, in bytes.
    pub max_bytes: usize,
    /// The deepest nesting of brackets.
    pub max_depth: usize,
    /// The most errors to report; the rest is left out.
    pub max_errors: usize,
}

impl Limits {
    /// 16 MiB, 256 brackets, 100 errors.
    pub const DEFAULT: Limits = Limits { max_bytes: 16 << 20, max_depth: 256, max_errors: 100 };
}

impl Default for Limits {
    /// [`Limits::DEFAULT`]: 16 MiB, 256 brackets, 100 errors.
    fn default() -> Self {
        Limits::DEFAULT
    }
}

/// Why a text is refused, and what to do about it.
#[derive(Clone, Copy, Debug)]
pub struct Refusal {
    /// The code of the error.
    pub code: Code,
    /// The advice, unless that goes without saying.
    pub help: Option<&'static str>,
}

/// Why every reader refuses a text.
#[derive(Clone, Copy, Debug)]
pub struct Refusals {
    /// Bytes that are not UTF-8.
    pub not_utf8: Refusal,
    /// Too many bytes.
    pub too_large: Refusal,
    /// Something that nests too deep.
    pub too_deep: Refusal,
}

impl Refusal {
    fn diagnostic(self, span: Span, message: String) -> Diagnostic {
        let diagnostic = Diagnostic::new(self.code, span, message);
        match self.help {
            Some(help) => diagnostic.with_help(help),
            None => diagnostic,
        }
    }
}

/// The text that bytes are.
///
/// # Errors
///
/// The place of the first byte that is not UTF-8.
pub fn utf8<L: Language>(bytes: &[u8]) -> Result<&str, Vec<Diagnostic>> {
    std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        let message = format!("the text is not UTF-8: byte {:#04x} at offset {at}", bytes[at]);
        vec![L::REFUSALS.not_utf8.diagnostic(Span::new(at, at + 1), message)]
    })
}

/// Refuses a text that is too long.
///
/// # Errors
///
/// More bytes than [`Limits::max_bytes`].
pub fn check_size<L: Language>(text: &str, limits: &Limits) -> Result<(), Vec<Diagnostic>> {
    let (length, most) = (text.len(), limits.max_bytes);
    if length <= most {
        return Ok(());
    }
    let message = format!("the text has {length} bytes, more than the limit of {most}");
    Err(vec![L::REFUSALS.too_large.diagnostic(Span::new(0, 0), message)])
}

/// The message about a bracket at `span`, beyond [`Limits::max_depth`].
pub fn too_deep<L: Language>(span: Span, limits: &Limits) -> Diagnostic {
    let message = format!("{} nested more than {} deep", L::NESTED, limits.max_depth);
    L::REFUSALS.too_deep.diagnostic(span, message)
}
