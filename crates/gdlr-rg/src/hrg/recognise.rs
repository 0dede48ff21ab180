//! Tells HRG from RG.

use super::token::{Token, TokenKind, Tokens};
use crate::rg::Keyword;

/// Whether a text is a game in HRG, not an automaton in RG.
///
/// The first statement decides. `domain D`, `graph g`, `reusable graph g` and `name :` begin
/// declarations of HRG; `type`, `const`, `var`, `@` and `node,` begin statements of RG. Some
/// beginnings are ambiguous: `variable : T` is a variable of HRG, and the variable `iable` of RG.
/// Then it is HRG if a line begins with `domain D` or `graph g`.
///
/// ```
/// # mod gdlr { pub use gdlr_rg::hrg; }
/// use gdlr::hrg::is_hrg;
/// assert!(is_hrg("// a game\ndomain Player = x"));
/// assert!(!is_hrg("// a game\ntype Player = { x };"));
/// ```
pub fn is_hrg(text: &str) -> bool {
    let mut tokens = Tokens::new(text);
    let first = tokens.next_but_comments();
    let second = tokens.next_but_comments();
    let word = match first.kind {
        TokenKind::Word => tokens.text_of(first),
        // A text that begins with a sign is not HRG; with `@` it is RG.
        _ => return first.kind != TokenKind::End && has_declaration(text),
    };
    match second.kind {
        TokenKind::Comma => false,
        TokenKind::Word => begins_declaration(word),
        // Rules in infix notation have `:-`.
        TokenKind::Colon if Keyword::split(word).is_none() => {
            matches!(tokens.next_but_comments().kind, TokenKind::Word | TokenKind::OpenBrace)
        }
        _ => has_declaration(text),
    }
}

fn begins_declaration(word: &str) -> bool {
    matches!(word, "domain" | "graph" | "reusable")
}

/// Whether a line begins with `domain D`, `graph g` or `reusable graph`.
fn has_declaration(text: &str) -> bool {
    let mut tokens = Tokens::new(text);
    let mut before = Token { kind: TokenKind::End, start: 0, end: 0 };
    let mut begins_line = false;
    loop {
        let token = tokens.next_but_comments();
        let is_word = token.kind == TokenKind::Word;
        if is_word && begins_line && begins_declaration(tokens.text_of(before)) {
            return true;
        }
        if token.kind == TokenKind::End {
            return false;
        }
        begins_line = is_word && text[..token.start].ends_with(['\n', '\r']) || token.start == 0;
        before = token;
    }
}

#[cfg(test)]
mod tests {
    use super::is_hrg;

    #[test]
    fn what_is_what() {
        for text in [
            "domain D = a",
            "reusable graph g() {}",
            "graph g() {}",
            "board : P -> Q",
            "variable : T\ndomain T = a",
            ")\ngraph g() {}",
        ] {
            assert!(is_hrg(text), "{text}");
        }
        for text in [
            "",
            "type T = { a };",
            "typeT={a};",
            "@unique a;",
            "@unique graph a;",
            "domain, graph: ;",
            "variable : T = a;",
            "constant: T = a;",
            "begin, end: ;",
            "; a game\n(role x) (role o)",
            "role(x).\nterminal :- true(a).",
            "terminal :- true(a).",
            "var v: T = a;",
        ] {
            assert!(!is_hrg(text), "{text}");
        }
    }
}
