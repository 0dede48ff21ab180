//! Rules as comments, and notes on how they were written.

use gdlr_rules::gdl::Game;
use gdlr_rules::normal::FlatRule;
use gdlr_text::diagnostic::Span;
use hashbrown::{HashMap, HashSet};

/// The rules of a rulesheet as text.
#[derive(Debug)]
pub struct Quotes {
    texts: HashMap<Span, String>,
    /// By rule: other rules that were merged into it.
    also: HashMap<Span, Vec<Span>>,
}

impl Quotes {
    pub fn of(game: &Game) -> Quotes {
        // The expressions of the document give the rules, one by one.
        let texts = game.rules.iter().zip(&game.document.items);
        Quotes {
            texts: texts.map(|(rule, item)| (rule.span, item.to_string())).collect(),
            also: HashMap::new(),
        }
    }
}

impl Quotes {
    /// The texts of the rules from which some flat rules were made, each once.
    pub fn quoted<'r>(&self, rules: impl Iterator<Item = &'r FlatRule>) -> String {
        let mut seen: HashSet<Span> = HashSet::new();
        let all = rules.flat_map(|rule| {
            let also = self.also.get(&rule.source).into_iter().flatten().copied();
            std::iter::once(rule.source).chain(also)
        });
        let spans = all.filter(|&span| seen.insert(span));
        let texts = spans.filter_map(|span| self.texts.get(&span).cloned());
        texts.collect::<Vec<_>>().join("\n")
    }

    /// Quotes other rules where a rule is quoted.
    pub fn also(&mut self, rule: Span, others: Vec<Span>) {
        self.also.entry(rule).or_default().extend(others);
    }
}

/// Notes on how parts of a game were written: the part, and the note.
#[derive(Debug, Default)]
pub struct Notes(pub Vec<(String, String)>);

impl Notes {
    /// Adds a note about a part, once.
    pub fn add(&mut self, what: &str, how: String) {
        if !self.0.iter().any(|(other, known)| other == what && *known == how) {
            self.0.push((what.to_owned(), how));
        }
    }
}
