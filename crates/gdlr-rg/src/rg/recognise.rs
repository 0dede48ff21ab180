//! Tells automata from rulesheets.

use super::name::{Keyword, is_name_character};

/// Whether a text is in Regular Games: after its comments it begins with a definition, a pragma or
/// an edge. No rulesheet does.
///
/// ```
/// # mod gdlr { pub use gdlr_rg::rg; }
/// use gdlr::rg::is_automaton;
///
/// assert!(is_automaton("// a game\ntype Player = { x, o };"));
/// assert!(is_automaton("begin, turn: player = x;"));
/// assert!(!is_automaton("; a game\n(role x) (role o)"));
/// assert!(!is_automaton("% a game\nrole(x). role(o)."));
/// ```
pub fn is_automaton(text: &str) -> bool {
    let rest = skip_comments(text.trim_start_matches('\u{feff}'));
    if rest.starts_with('@') {
        return true;
    }
    let (word, rest) = split_word(rest);
    let rest = skip_comments(rest);
    if let Some((_, "")) = Keyword::split(word) {
        return !rest.starts_with(['(', ')', ':', '.', ';']);
    }
    let Some(rest) = rest.strip_prefix(',') else { return false };
    let (other, rest) = split_word(skip_comments(rest));
    !word.is_empty() && !other.is_empty() && skip_comments(rest).starts_with(':')
}

fn skip_comments(text: &str) -> &str {
    let mut rest = text.trim_start();
    while rest.starts_with("//") {
        rest = rest.split_once('\n').map_or("", |(_, behind)| behind).trim_start();
    }
    rest
}

/// The name at the beginning of a text, which may be empty, and the rest.
fn split_word(text: &str) -> (&str, &str) {
    text.split_at(text.find(|character| !is_name_character(character)).unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rulesheets_are_none() {
        for text in ["", "x", "(type x)", "type(x).", "var :- x", "a, b", "a :- b", ";type x"] {
            assert!(!is_automaton(text), "{text}");
        }
    }

    #[test]
    fn automata_are_told_by_their_beginning() {
        for text in ["@unique a;", "const c: T = x;", "var\n x: T = y;", " // x\n//y\n a , b :;"] {
            assert!(is_automaton(text), "{text}");
        }
    }
}
