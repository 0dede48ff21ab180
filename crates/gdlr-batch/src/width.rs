//! How many playouts at once.

#[cfg(target_arch = "x86_64")]
use super::avx::{Avx2, Avx512};
#[cfg(test)]
use super::native::Code;
use super::plane::Plane;
use super::simd128::Simd128;
use super::token::Token;
use std::fmt;

/// How many playouts at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Width {
    /// 64, on any processor.
    Portable,
    /// 128, on any processor; in one register where it has any of 128 bits, as x86-64 (SSE2) and AArch64 (NEON).
    Simd128,
    /// 256, with AVX2.
    Avx2,
    /// 512, with AVX-512.
    Avx512,
}

impl Width {
    /// All, the narrowest first.
    pub const ALL: [Width; 4] = [Width::Portable, Width::Simd128, Width::Avx2, Width::Avx512];

    /// How many playouts at once.
    pub fn lanes(self) -> usize {
        match self {
            Width::Portable => u64::LANES,
            Width::Simd128 => Simd128::LANES,
            Width::Avx2 => 256,
            Width::Avx512 => 512,
        }
    }

    /// Whether this processor has the instructions.
    pub fn is_available(self) -> bool {
        self.token().is_ok()
    }

    /// The proof of that.
    pub(super) fn token(self) -> Result<AnyToken, UnsupportedWidth> {
        let token = match self {
            Width::Portable => Token::detect().map(AnyToken::Portable),
            Width::Simd128 => Token::detect().map(AnyToken::Simd128),
            #[cfg(target_arch = "x86_64")]
            Width::Avx2 => Token::detect().map(AnyToken::Avx2),
            #[cfg(target_arch = "x86_64")]
            Width::Avx512 => Token::detect().map(AnyToken::Avx512),
            #[cfg(not(target_arch = "x86_64"))]
            _ => None,
        };
        token.ok_or(UnsupportedWidth::new(self))
    }

    /// Whether programs are made machine code for it here.
    #[cfg(test)]
    pub(super) fn has_code(self) -> bool {
        Code::is_available(self)
    }

    /// That of so many lanes, if there is one.
    pub fn of_lanes(lanes: usize) -> Option<Width> {
        Width::ALL.into_iter().find(|width| width.lanes() == lanes)
    }

    /// The widest that this processor has the instructions for.
    pub fn best() -> Width {
        let widest = Width::ALL.into_iter().rev().find(|width| width.is_available());
        widest.unwrap_or(Width::Portable)
    }
}

/// This processor has the instructions for a width.
#[derive(Clone, Copy, Debug)]
pub(super) enum AnyToken {
    Portable(Token<u64>),
    Simd128(Token<Simd128>),
    #[cfg(target_arch = "x86_64")]
    Avx2(Token<Avx2>),
    #[cfg(target_arch = "x86_64")]
    Avx512(Token<Avx512>),
}

impl AnyToken {
    /// The width.
    pub fn width(self) -> Width {
        match self {
            AnyToken::Portable(_) => Width::Portable,
            AnyToken::Simd128(_) => Width::Simd128,
            #[cfg(target_arch = "x86_64")]
            AnyToken::Avx2(_) => Width::Avx2,
            #[cfg(target_arch = "x86_64")]
            AnyToken::Avx512(_) => Width::Avx512,
        }
    }
}

/// Does something with what is in an enum by width, compiled for each of them:
/// `with_width!(Enum, value, name => work)`.
macro_rules! with_width {
    ($any:ident, $value:expr, $name:ident => $work:expr) => {
        match $value {
            $any::Portable($name) => $work,
            $any::Simd128($name) => $work,
            #[cfg(target_arch = "x86_64")]
            $any::Avx2($name) => $work,
            #[cfg(target_arch = "x86_64")]
            $any::Avx512($name) => $work,
        }
    };
}
pub(super) use with_width;

/// This processor has no instructions for a [`Width`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnsupportedWidth {
    width: Width,
}

impl UnsupportedWidth {
    /// Says of a width that this processor does not have it.
    pub fn new(width: Width) -> Self {
        UnsupportedWidth { width }
    }

    /// The width that was asked for.
    pub fn width(self) -> Width {
        self.width
    }
}

impl fmt::Display for UnsupportedWidth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (width, lanes) = (self.width, self.width.lanes());
        let needed = match width {
            Width::Portable | Width::Simd128 => "nothing",
            Width::Avx2 => "AVX2",
            Width::Avx512 => "AVX-512 (F and BW)",
        };
        write!(f, "{lanes} lanes need {needed}, which this processor does not have")
    }
}

impl std::error::Error for UnsupportedWidth {}
