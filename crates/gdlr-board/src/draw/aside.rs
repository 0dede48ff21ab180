//! The facts that are on no board, in lines.

use super::svg::Svg;
use gdlr_text::diagnostic::counted;

/// The size of letters, and how wide one of them is.
const SIZE: f64 = 12.0;
const LETTER: f64 = 7.3;
const LINE: f64 = 18.0;
/// At most so many are shown.
const SHOWN: usize = 80;

/// Facts in lines that are not wider than this, unless one fact is.
pub(super) fn lines(facts: &[String], width: f64) -> Vec<String> {
    let letters = (width / LETTER) as usize;
    let hidden = facts.len().saturating_sub(SHOWN);
    let more = (hidden > 0).then(|| format!("… and {}", counted(hidden, "more fact")));
    let mut lines: Vec<String> = Vec::new();
    for fact in facts.iter().take(SHOWN).chain(&more) {
        let long = fact.chars().count();
        match lines.last_mut() {
            Some(line) if line.chars().count() + 2 + long <= letters => {
                line.push_str("  ");
                line.push_str(fact);
            }
            _ => lines.push(fact.clone()),
        }
    }
    lines
}

/// How high they are.
pub(super) fn height(lines: &[String]) -> f64 {
    lines.len() as f64 * LINE
}

pub(super) fn draw(svg: &mut Svg, lines: &[String], x: f64, y: f64) {
    for (at, line) in lines.iter().enumerate() {
        // Spaces between facts are no-break ones, which XML keeps.
        let line = line.replace("  ", "\u{a0}\u{a0}");
        let y = y + (at as f64 + 0.75) * LINE;
        svg.text(&line, &[("class", &"fact"), ("x", &x), ("y", &y), ("font-size", &SIZE)]);
    }
}
