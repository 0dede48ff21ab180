//! By what the programs of a batch are computed, and why not by machine code.

use super::native::Code;
use super::width::Width;
use std::fmt;

/// By what gates are computed, in as many lanes as a [`Width`] has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Backend {
    /// By machine code, which was made of the game for this processor.
    Code,
    /// By loops over the gates, the same for every game.
    Loops(WithoutCode),
}

/// Why a game is played without machine code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WithoutCode {
    /// There is none for this width.
    Width,
    /// This program was built without the feature that makes code for this width: `native` for 256 and 512
    /// lanes, `cranelift` for 128.
    Build(&'static str),
    /// Somebody wants to have none, to compare the two.
    Wish,
    /// The system does not let memory be run that was written.
    System,
    /// The game has more moves than this: loops are faster then.
    Moves(usize),
}

impl Backend {
    /// For a game with so many moves of all roles; code is for `most` of them.
    pub(super) fn of(width: Width, moves: usize, most: usize) -> Backend {
        Backend::Loops(if width == Width::Portable {
            WithoutCode::Width
        } else if !Code::is_built(width) {
            WithoutCode::Build(if width == Width::Simd128 { "cranelift" } else { "native" })
        } else if !Code::is_available(width) {
            WithoutCode::System
        } else if moves > most {
            WithoutCode::Moves(most)
        } else {
            return Backend::Code;
        })
    }

    /// Its name in one word: `code` or `loops`.
    pub fn as_str(self) -> &'static str {
        match self {
            Backend::Code => "code",
            Backend::Loops(_) => "loops",
        }
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Backend::Code => write!(f, "machine code"),
            Backend::Loops(why) => write!(f, "loops: {why}"),
        }
    }
}

impl fmt::Display for WithoutCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WithoutCode::Width => write!(f, "machine code is for 128 lanes and more"),
            WithoutCode::Build(feature) => {
                write!(
                    f,
                    "this build makes no machine code for so many lanes: it lacks the feature `{feature}`"
                )
            }
            WithoutCode::Wish => write!(f, "machine code was not wanted"),
            WithoutCode::System => {
                write!(f, "the system does not let machine code be run that was made just now")
            }
            WithoutCode::Moves(most) => write!(f, "the game has more than {most} moves"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuning::Tuning;

    #[test]
    fn a_game_is_played_without_code_for_a_reason() {
        const MOST_MOVES: usize = 1 << 16;
        assert_eq!(Tuning::default().most_moves_of_code, MOST_MOVES);
        let backends = |moves| Width::ALL.map(|width| Backend::of(width, moves, MOST_MOVES));
        assert_eq!(backends(1)[0], Backend::Loops(WithoutCode::Width));
        for (width, [few, many]) in Width::ALL.into_iter().zip(
            backends(MOST_MOVES).into_iter().zip(backends(MOST_MOVES + 1)).map(|(a, b)| [a, b]),
        ) {
            assert_eq!(few == Backend::Code, width.has_code(), "{width:?}");
            let too_many = Backend::Loops(WithoutCode::Moves(MOST_MOVES));
            assert_eq!(many == too_many, width.has_code(), "{width:?}: {many}");
        }
        assert_eq!(Backend::Code.to_string(), "machine code");
        let loops = Backend::Loops(WithoutCode::Moves(MOST_MOVES));
        assert_eq!(loops.to_string(), "loops: the game has more than 65536 moves");
        assert_eq!([Backend::Code.as_str(), loops.as_str()], ["code", "loops"]);
    }
}
