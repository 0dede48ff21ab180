//! Whether a text is in infix notation.
//!
//! It is told by the beginning of the text, comments set aside, since no sheet in KIF that could
//! be played begins like one in infix notation: a list begins with a bracket, a fact of infix
//! notation with the name before it.

use crate::dialect::behind_comment;
use crate::syntax::line_end;

/// Whether a text is in infix notation rather than in KIF: behind comments and names by
/// themselves it begins with a name before `:-`, or at the bracket of what can be its arguments.
///
/// A text of nothing but names, or of nothing at all, is KIF, but infix if a comment in it
/// begins with `%`.
///
/// ```
/// # mod gdlr { pub use gdlr_text::infix; }
/// use gdlr::infix::is_infix;
///
/// assert!(is_infix("% a game\nrole(white)"));
/// assert!(!is_infix("; a game\n(role white)"));
/// ```
pub fn is_infix(text: &str) -> bool {
    let mut rest = text.trim_start_matches('\u{feff}');
    let mut percent = false;
    loop {
        let (behind, signs) = skip_comments(rest);
        rest = behind;
        percent |= signs;
        match rest.chars().next() {
            None => return percent,
            Some('(' | ')') => return false,
            Some(_) => {
                let (word, behind) = split_word(rest);
                rest = behind;
                let next = behind.trim_start_matches([' ', '\t']);
                if word == ":-" || next.starts_with(":-") {
                    return true;
                }
                if let Some(inside) = next.strip_prefix('(') {
                    // In KIF a keyword that needs arguments stands in a bracket itself.
                    let applied = behind.starts_with('(') && (percent || is_keyword(word));
                    if applied && begins_with_word(inside) || begins_arguments(inside) {
                        return true;
                    }
                    // Where neither decides, the text behind it does.
                    match behind_words(inside).filter(|_| behind.starts_with('(')) {
                        Some(behind) => rest = behind,
                        None => return false,
                    }
                }
            }
        }
    }
}

/// The text behind the comments and white space at the beginning; and whether one of
/// the comments begins with `%`.
fn skip_comments(text: &str) -> (&str, bool) {
    let mut percent = false;
    let mut rest = text.trim_start();
    loop {
        rest = match behind_comment(rest) {
            Some(behind) => behind.trim_start(),
            None if rest.starts_with(['%', ';']) => {
                percent |= rest.starts_with('%');
                rest[line_end(rest, 0)..].trim_start()
            }
            None => return (rest, percent),
        };
    }
}

/// Whether a word is a relation of GDL that has arguments.
fn is_keyword(word: &str) -> bool {
    let keywords =
        ["role", "init", "true", "does", "next", "legal", "goal", "base", "input", "sees"];
    keywords.contains(&word)
}

/// Whether a name is the first of what stands behind an opening bracket.
fn begins_with_word(inside: &str) -> bool {
    inside.starts_with(|c: char| c.is_alphanumeric() || c == '_')
}

/// The text behind a bracket with nothing but words in it, and not `role a` or `<= a b`; given
/// without the bracket that opens it.
fn behind_words(inside: &str) -> Option<&str> {
    let (first, _) = split_word(inside);
    let end = inside.find(['(', ')', '?', ';'])?;
    let is_list = is_keyword(first) || first == "<=" || !inside[end..].starts_with(')');
    (!is_list).then(|| &inside[end + 1..])
}

/// A word at the beginning of a text, and what is behind it.
fn split_word(text: &str) -> (&str, &str) {
    let ends = |(at, c): (usize, char)| {
        let end = c.is_whitespace() || matches!(c, '(' | ')' | ';' | ',');
        end || at > 0 && text[at..].starts_with(":-")
    };
    let end = text.char_indices().find(|&place| ends(place)).map_or(text.len(), |(at, _)| at);
    // A sign that is no part of a word is one by itself.
    text.split_at(end.max(text.chars().next().map_or(0, char::len_utf8)))
}

/// Whether what stands behind an opening bracket can be arguments rather than the items of a
/// list: after the first there is a comma, a bracket, or the end of the line.
fn begins_arguments(inside: &str) -> bool {
    let (inside, _) = skip_comments(inside);
    if inside.starts_with(')') {
        return true;
    }
    if inside.starts_with(['(', '?']) || inside.starts_with("<=") {
        return false;
    }
    let (_, behind) = split_word(inside);
    let next = behind.trim_start_matches([' ', '\t']);
    behind.starts_with('(') || next.is_empty() || next.starts_with([',', ')', '\n', '\r', '%', ';'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kif() {
        for text in [
            "",
            " \n",
            "; role(x)\n",
            "(role x)",
            "\u{feff}(role x)",
            "; a :- b\n(role x)",
            "% a note\n(role x)",
            "terminal",
            "a b\nc",
            "open\n(role x)",
            "open(role x)",
            "open (<= p\n q)",
            "open(<= p)",
            "open((p a) (q b))",
            "open(?x)",
            "open( ; p(a, b)\n role x)",
            "a) (b (c d)",
            "open(p x)\n(role x)",
            "# legal(x,y)\n(role x)",
            "#| role(x) |# (role x)",
            "```\n(role x)\n```",
            ")",
        ] {
            assert!(!is_infix(text), "{text:?}");
        }
    }

    #[test]
    fn infix() {
        for text in [
            "role(x)",
            "\u{feff}role(x)",
            "role(x\nrole(y)\n",
            "role(",
            "role (x)",
            "% nothing",
            "% names\nopen.",
            "; a game\n\nrole(x)",
            "% (role x)\nrole(x)",
            "open closed\nrole(x)",
            "open :- closed",
            "open:-closed",
            "open\n  :- closed",
            "p()",
            "p(f(a),b)",
            "p(a % (\n ,b)",
            "p( % one\n a,b)",
            "\"White\"(\"a-b\")",
            "role(player 1)",
            "% a game\nsucc(1 2)",
            "succ(1 2)\nsucc(2,3)",
            "# (a note)\nrole(x)",
            "/* (a\n) */ role(x)",
            "```prolog\nrole(x).",
            "legal(W,mark(X,Y)) :- true(cell(X,Y,b)) & ~terminal",
        ] {
            assert!(is_infix(text), "{text:?}");
        }
    }
}
