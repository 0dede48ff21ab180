//! Which axis runs down and which across, and from which end.

use super::groups::Gap;
use super::order::{Order, parts};
use gdlr_rules::gdl::SymbolTable;

/// How a pair of gaps is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Orientation {
    /// Whether the first gap says the row, and the second the column.
    pub(super) first_is_row: bool,
    /// Whether the first row in order is the lowest.
    pub(super) upward: bool,
}

/// The direction of a gap by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Looks {
    Across,
    Up,
    Down,
}

/// How people expect to see two axes.
///
/// Letters run across and the numbers beside them up, as on a chess board. Otherwise what the
/// rules call the variables or the values decides: `?x`, `?col` and `c1` run across, `?y` up,
/// `?row` and `r1` down, if rows are named before columns. Where nothing says anything, or columns
/// come first, the first gap runs across and the second up.
pub(super) fn orientation(first: &Gap, second: &Gap, symbols: &SymbolTable) -> Orientation {
    use Looks::{Across, Down, Up};
    let lettered = |gap: &Gap| gap.order == Some(Order::Letters);
    match (lettered(first), lettered(second)) {
        (true, false) => return Orientation { first_is_row: false, upward: true },
        (false, true) => return Orientation { first_is_row: true, upward: true },
        _ => {}
    }
    let (first_is_row, row) = match (looks(first, symbols), looks(second, symbols)) {
        (Some(row @ (Down | Up)), Some(Across) | None) => (true, row),
        (Some(Down), Some(Up)) => (true, Down),
        (None, Some(row @ (Down | Up))) => (false, row),
        (None, Some(Across)) => (true, Down),
        _ => (false, Up),
    };
    Orientation { first_is_row, upward: row == Up }
}

fn looks(gap: &Gap, symbols: &SymbolTable) -> Option<Looks> {
    let hints = gap.evidence.hints;
    let by_name = || match parts(gap.values.first()?.spelled(symbols))?.0 {
        "r" | "row" => Some(Looks::Down),
        "y" => Some(Looks::Up),
        "c" | "col" | "x" => Some(Looks::Across),
        _ => None,
    };
    let most = hints.across.max(hints.up).max(hints.down);
    let by_hints = || match most {
        0 => None,
        _ if hints.down == most => Some(Looks::Down),
        _ if hints.up == most => Some(Looks::Up),
        _ => Some(Looks::Across),
    };
    match gap.order {
        Some(Order::NumberedNames) => by_name().or_else(by_hints),
        _ => by_hints(),
    }
}
