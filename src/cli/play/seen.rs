//! A game with rules for `sees`, as its roles know it: what each played itself, and what it saw.

use super::game_position::GamePosition;
use gdlr::engine::{AnyEngine, Engine, RoleId};
use gdlr::play::sampler::Observation;

const WIDTH: usize = 80;

/// How far lines are indented, and where the numbers of steps end.
const INDENT: usize = 6;

/// The observations of a step, counted from 1: a paragraph for each, under its name.
pub fn step(
    engine: &AnyEngine,
    number: u64,
    observations: &[Observation],
    roles: &[RoleId],
) -> String {
    let mut text = String::new();
    for &role in roles {
        let label = if text.is_empty() { format!("{number:>3}.") } else { String::new() };
        text += &filled(
            &format!("{label:<INDENT$}"),
            &words(engine, role, &observations[role.index()]),
        );
    }
    text
}

/// The observations of a role of all steps that led to a position.
pub fn all(engine: &AnyEngine, place: &GamePosition, role: RoleId) -> String {
    if place.observations.is_empty() {
        return "Nothing was played yet.\n".to_owned();
    }
    (1..)
        .zip(&place.observations)
        .map(|(number, observations)| step(engine, number, observations, &[role]))
        .collect()
}

/// The move and the percepts of a role, in words that no line is to part.
fn words(engine: &AnyEngine, role: RoleId, observation: &Observation) -> Vec<String> {
    let spelled = |term: &gdlr::gdl::Term| term.spelled(engine.symbols());
    let own = observation.own(role).map(spelled).unwrap_or_default();
    let mut words = vec![format!("{}:", engine.roles().name(role)), format!("{own};")];
    words.push("sees".to_owned());
    match observation {
        Observation::Own { percepts, .. } if !percepts.is_empty() => {
            let last = percepts.len() - 1;
            let word = |(at, percept)| spelled(percept) + if at < last { "," } else { "" };
            words.extend(percepts.iter().enumerate().map(word));
        }
        _ => words.push("nothing".to_owned()),
    }
    words
}

/// Words in lines of the width of a terminal, the first of which begins with `start`.
fn filled(start: &str, words: &[String]) -> String {
    let mut text = start.to_owned();
    let mut width = start.chars().count();
    for (at, word) in words.iter().enumerate() {
        let length = word.chars().count();
        if at > 0 && width + 1 + length > WIDTH {
            text += &format!("\n{:1$}", "", INDENT + 2);
            width = INDENT + 2;
        } else if at > 0 {
            text.push(' ');
            width += 1;
        }
        text += word;
        width += length;
    }
    text + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_too_wide() {
        let words: Vec<String> = (0..40).map(|n| format!("(card {n})")).collect();
        let text = filled("  1.  ", &words);
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert!(
            text.lines().count() > 4 && text.lines().skip(1).all(|l| l.starts_with("        ("))
        );
        let joined: Vec<&str> = text.split_whitespace().collect();
        assert_eq!(joined.join(" "), format!("1. {}", words.join(" ")));
        // A text that is wider than a line stands alone on one.
        let wide = "x".repeat(100);
        assert_eq!(filled("", &["a".into(), wide.clone()]), format!("a\n        {wide}\n"));
    }
}
