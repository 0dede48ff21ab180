//! The token that a request brings where not everybody is let in.

use std::fmt;
use std::str::FromStr;

/// The secret that every request has to bring. `Debug` does not show it.
#[derive(Clone)]
pub struct Token(String);

/// So many characters make a token that nobody guesses.
const LONG: usize = 16;

/// Why a text is no token; the text is not in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAToken;

impl fmt::Display for NotAToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a token consists of letters, digits, `-`, `.`, `_` and `~`, one at least")
    }
}

impl std::error::Error for NotAToken {}

impl FromStr for Token {
    type Err = NotAToken;

    fn from_str(text: &str) -> Result<Token, NotAToken> {
        // It stands in addresses and cookies as it is.
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._~".contains(c);
        match !text.is_empty() && text.chars().all(is_plain) {
            true => Ok(Token(text.to_owned())),
            false => Err(NotAToken),
        }
    }
}

impl Token {
    /// One that nobody can guess: 128 random bits.
    ///
    /// # Errors
    ///
    /// When the system has no randomness.
    pub fn random() -> Result<Token, getrandom::Error> {
        Ok(Token(format!("{:016x}{:016x}", getrandom::u64()?, getrandom::u64()?)))
    }

    /// Its text, which is a secret.
    pub fn secret(&self) -> &str {
        &self.0
    }

    /// Whether it is so short that somebody may guess it.
    pub fn is_short(&self) -> bool {
        self.0.len() < LONG
    }

    /// Whether a text is this token, in a time that does not tell where the two differ.
    pub(super) fn is(&self, text: &str) -> bool {
        let pairs = self.0.bytes().zip(text.bytes());
        let differ = pairs.fold(0, |differ, (a, b)| differ | (a ^ b));
        self.0.len() == text.len() && differ == 0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_itself_alone_and_never_shown() {
        let token: Token = "5ec2e7".parse().expect("a token");
        assert!(token.is("5ec2e7"));
        for wrong in ["5ec2e", "5ec2e77", "", "5ec2e8", "4ec2e7"] {
            assert!(!token.is(wrong), "{wrong}");
        }
        assert!(!format!("{token:?}").contains("5ec") && token.is_short());
        let random = Token::random().expect("randomness");
        assert!(!random.is_short() && random.secret().len() == 32);
        for wrong in ["", "a b", "a&b", "a;b", "ä", "a%20"] {
            assert!(wrong.parse::<Token>().is_err(), "{wrong}");
        }
    }
}
