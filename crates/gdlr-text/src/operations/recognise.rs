//! Whether a text is in the notation of operations.
//!
//! `legal` tells: it has one argument here, and two in GDL. Where no statement of `legal` stands, a `::`
//! or a `==>` outside of quotes and comments tells. A text with both is one of GDL.

use super::token::{Operations, TokenKind};
use crate::syntax::{Token, Tokens};

/// Whether a text that is no KIF is in the notation of operations. Linear in the text.
pub(super) fn is_operations(text: &str) -> bool {
    let mut tokens = Tokens::<Operations>::new(text);
    let mut before = TokenKind::End;
    let mut signs = false;
    let mut legal = false;
    loop {
        let token = tokens.next_but_comments();
        match token.kind {
            TokenKind::End => return signs || legal,
            TokenKind::Operation | TokenKind::Effects => signs = true,
            // Not within a condition or a term.
            TokenKind::Word
                if tokens.text_of(token) == "legal"
                    && !matches!(
                        before,
                        TokenKind::And
                            | TokenKind::Or
                            | TokenKind::Not
                            | TokenKind::If
                            | TokenKind::Open
                            | TokenKind::Comma
                    ) =>
            {
                match arguments(tokens) {
                    Some(1) => legal = true,
                    Some(2) => return false,
                    _ => {}
                }
            }
            _ => {}
        }
        before = token.kind;
    }
}

/// The most tokens within the brackets of one `legal` that are looked at.
const MAX_TOKENS: usize = 1_000;

/// How many arguments stand between the brackets that come next.
fn arguments(mut tokens: Tokens<'_, Operations>) -> Option<usize> {
    let mut next = || -> Token<TokenKind> { tokens.next_but_comments() };
    if next().kind != TokenKind::Open {
        return None;
    }
    let (mut depth, mut count) = (1, 1);
    let mut before = TokenKind::Open;
    for _ in 0..MAX_TOKENS {
        let token = next().kind;
        // A blank in place of a comma says nothing.
        let joined = matches!(before, TokenKind::Word | TokenKind::Close);
        if joined && matches!(token, TokenKind::Word | TokenKind::Quoted) {
            return None;
        }
        before = token;
        match token {
            TokenKind::Open => depth += 1,
            TokenKind::Close if depth == 1 => return Some(count),
            TokenKind::Close => depth -= 1,
            TokenKind::Comma if depth == 1 => count += 1,
            // A bracket that is never closed, or that the next statement follows.
            TokenKind::End | TokenKind::If | TokenKind::Operation | TokenKind::Effects => {
                return None;
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::is_operations;

    #[test]
    fn the_arguments_of_legal_tell() {
        for text in [
            "legal(go)",
            "% legal(a,b)\nlegal(mark(M,N)) :- cell(M,N,b)",
            "a :: b",
            "a :: b ==> c",
            "legal(f(a,b)) :- x",
        ] {
            assert!(is_operations(text), "{text}");
        }
        for text in [
            "",
            "role(x)",
            "legal(W,noop) :- role(W)",
            "legal(p,go). m(M) :: c(x) ==> d(M)",
            "p :- legal(a)",
            "% a :: b",
            "legal(((",
            "legal(a b)",
            "legal(go) legal(w,go)",
            "p(\"::\")",
        ] {
            assert!(!is_operations(text), "{text}");
        }
    }
}
