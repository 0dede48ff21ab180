//! The size of the rules of a game.

use super::ast::Game;
use super::limits::Limits;
use super::program::{Act, Program};
use gdlr_text::diagnostic::Diagnostic;

/// The size of rules after powers and lists are written out. Neighbouring moves along the board
/// that depend only on the square count as one action. Equal patterns count once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// The number of actions.
    pub actions: usize,
    /// The number of offs, assignments and switches, also in patterns.
    pub modifiers: usize,
    /// The number of patterns.
    pub patterns: usize,
    /// The greatest number of modifiers of a move without its switch, by the rules alone. `None` if
    /// a star repeats a modifier. Modifiers in patterns do not count.
    pub straightness: Option<usize>,
    /// As `straightness`, but the walk may end within a pattern, whose modifiers count (RBG, strong
    /// straightness; Theorem 4).
    pub strong_straightness: Option<usize>,
}

impl Size {
    /// The size of a game.
    ///
    /// # Errors
    ///
    /// When the rules exceed the limits.
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

/// By pattern: the greatest number of modifiers on a walk that begins there, and may end within one
/// of its own patterns. These come before it in the list.
fn within_patterns(program: &Program) -> Vec<Option<usize>> {
    let mut within = Vec::with_capacity(program.patterns.len());
    for pattern in &program.patterns {
        let mut longest = vec![None; program.nodes];
        longest[pattern.start as usize] = Some(0);
        within.push(longest_way(program, longest, &within));
    }
    within
}

/// The greatest number of modifiers on a walk without a switch, or on one that ends within a
/// pattern; `within` has the numbers of patterns.
fn straightness(program: &Program, within: &[Option<usize>]) -> Option<usize> {
    let mut longest = vec![None; program.nodes];
    longest[program.start as usize] = Some(0);
    for edge in program.edges.iter().filter(|edge| matches!(edge.act, Act::Switch(_))) {
        longest[edge.to as usize] = Some(0);
    }
    longest_way(program, longest, within)
}

/// The greatest number of modifiers on a walk from some nodes; `None` if there is no bound.
///
/// Computed by rounds of relaxation. A walk without a cycle has fewer edges than there are nodes.
/// So a number that still grows after so many rounds has no bound.
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
            if longest[edge.to as usize].is_none_or(|length| length < after) {
                // A walk that repeats no modifier has each of them at most once.
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
