//! Names in the order that people expect.

/// The order in which people expect names and terms: numbers by value, and before words.
///
/// ```
/// # mod gdlr { pub use gdlr_rules::gdl; }
/// use gdlr::gdl::natural_order;
///
/// let mut cells = ["(cell 10 b)", "(cell 9 b)", "(cell 9 1)"];
/// cells.sort_by_cached_key(|cell| natural_order(cell));
/// assert_eq!(cells, ["(cell 9 1)", "(cell 9 b)", "(cell 10 b)"]);
/// ```
pub fn natural_order(text: &str) -> Vec<(bool, u64, String)> {
    text.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')'))
        .filter(|word| !word.is_empty())
        .map(|word| match word.parse::<u64>() {
            Ok(number) => (false, number, word.to_owned()),
            Err(_) => (true, 0, word.to_owned()),
        })
        .collect()
}
