//! How large the rules of a game are.

use super::ast::Game;
use super::limits::Limits;
use super::program::{Act, Program};
use gdlr_text::diagnostic::Diagnostic;

/// The sizes of rules once powers and lists are written out. Moves along the board that depend on
/// nothing but the square are one action as far as they stand together, and equal patterns count
/// once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Actions.
    pub actions: usize,
    /// Offs, assignments and switches, those of patterns included.
    pub modifiers: usize,
    /// Patterns.
    pub patterns: usize,
    /// How many modifiers a move may have at most, its switch not counted, by the rules alone; none
    /// if a star repeats a modifier. Patterns are not gone into.
    pub straightness: Option<usize>,
    /// The same where the way may end within a pattern, by the modifiers there (RBG, strong
    /// straightness; Theorem 4).
    pub strong_straightness: Option<usize>,
}

impl Size {
    /// The sizes of a game.
    ///
    /// # Errors
    ///
    /// Rules beyond the limits.
    ///
    /// ```
    /// # mod gdlr { pub use gdlr_rg::rbg; }
    /// let text = "#players = x(100) #pieces = e, p #variables =
    ///     #board = rectangle(up, down, left, right, [e, e] [e, p])
    ///     #rules = (->x (left + right)* {p} [e] up [p] ->> [$ x = 100])*";
    /// let size = gdlr::rbg::Size::of(&gdlr::rbg::read(text).unwrap()).unwrap();
    /// assert_eq!((size.modifiers, size.straightness), (5, Some(2)));
    /// assert_eq!(size.strong_straightness, Some(2));
    /// ```
    pub fn of(game: &Game) -> Result<Size, Vec<Diagnostic>> {
        let program = Program::new(game, Limits::default()).map_err(|error| vec![error])?;
        Ok(Size {
            actions: program.edges.iter().filter(|edge| edge.act != Act::Skip).count(),
            modifiers: program.edges.iter().filter(|edge| edge.act.is_modifier()).count(),
            patterns: program.patterns.len(),
            straightness: straightness(&program, &vec![Some(0); program.patterns.len()]),
            strong_straightness: straightness(&program, &within_patterns(&program)),
        })
    }
}

/// By pattern: the largest number of modifiers on a way that begins there, and may end within one
/// of its own patterns. Those stand before it.
fn within_patterns(program: &Program) -> Vec<Option<usize>> {
    let mut within = Vec::with_capacity(program.patterns.len());
    for pattern in &program.patterns {
        let mut longest = vec![None; program.nodes];
        longest[pattern.start as usize] = Some(0);
        within.push(longest_way(program, longest, &within));
    }
    within
}

/// The largest number of modifiers on a way without a switch, or on one that ends within a pattern,
/// of which it is known how many there are.
fn straightness(program: &Program, within: &[Option<usize>]) -> Option<usize> {
    let mut longest = vec![None; program.nodes];
    longest[program.start as usize] = Some(0);
    for edge in program.edges.iter().filter(|edge| matches!(edge.act, Act::Switch(_))) {
        longest[edge.to as usize] = Some(0);
    }
    longest_way(program, longest, within)
}

/// The largest number of modifiers on a way from some nodes.
///
/// Rounds of relaxation: a way without a circle has fewer edges than there are nodes, so that a
/// number that still grows after so many rounds grows without end.
fn longest_way(
    program: &Program,
    mut longest: Vec<Option<usize>>,
    within: &[Option<usize>],
) -> Option<usize> {
    let modifiers = program.edges.iter().filter(|edge| edge.act.is_modifier()).count();
    loop {
        let mut changed = false;
        for edge in program.edges.iter().filter(|edge| !matches!(edge.act, Act::Switch(_))) {
            let Some(before) = longest[edge.from as usize] else { continue };
            let after = before + usize::from(edge.act.is_modifier());
            if longest[edge.to as usize].is_none_or(|known| known < after) {
                // A way that repeats no modifier has each of them once at most.
                if after > modifiers {
                    return None;
                }
                longest[edge.to as usize] = Some(after);
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    let mut most = longest.iter().flatten().copied().max().unwrap_or(0);
    for edge in &program.edges {
        if let (Act::Pattern { pattern, .. }, Some(before)) =
            (&edge.act, longest[edge.from as usize])
        {
            most = most.max(before + within.get(*pattern).copied().flatten()?);
        }
    }
    Some(most)
}
