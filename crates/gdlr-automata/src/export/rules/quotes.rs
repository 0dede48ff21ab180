//! Rules as comments, and notes on how they were written.

use super::Planner;
use crate::export::program::BlockId;
use gdlr_rules::gdl::Game;
use gdlr_rules::normal::{FlatRule, FlatTerm, RelationId};
use gdlr_text::diagnostic::Span;
use hashbrown::{HashMap, HashSet};

/// The rules of a rulesheet as text.
#[derive(Debug)]
pub(super) struct Quotes {
    texts: HashMap<Span, String>,
    /// By rule: others that are one with it.
    also: HashMap<Span, Vec<Span>>,
}

impl Quotes {
    pub fn of(game: &Game) -> Quotes {
        // Rules are made of the expressions of the document one by one.
        let texts = game.rules.iter().zip(&game.document.items);
        Quotes {
            texts: texts.map(|(rule, item)| (rule.span, item.to_string())).collect(),
            also: HashMap::new(),
        }
    }
}

impl Quotes {
    /// Says that others are quoted where a rule is.
    pub fn also(&mut self, rule: Span, others: Vec<Span>) {
        self.also.entry(rule).or_default().extend(others);
    }
}

/// How parts of a game were written: the part and how.
#[derive(Debug, Default)]
pub(super) struct Notes(pub Vec<(String, String)>);

impl Notes {
    /// Notes how something was written, once.
    pub fn add(&mut self, what: &str, how: String) {
        if !self.0.iter().any(|(other, known)| other == what && *known == how) {
            self.0.push((what.to_owned(), how));
        }
    }
}

impl Planner<'_> {
    /// The texts of the rules that some flat rules come from, each once.
    fn quoted<'r>(&self, rules: impl Iterator<Item = &'r FlatRule>) -> String {
        let mut seen: HashSet<Span> = HashSet::new();
        let all = rules.flat_map(|rule| {
            let also = self.relations.quotes.also.get(&rule.source).into_iter().flatten().copied();
            std::iter::once(rule.source).chain(also)
        });
        let spans = all.filter(|&span| seen.insert(span));
        let texts = spans.filter_map(|span| self.relations.quotes.texts.get(&span).cloned());
        texts.collect::<Vec<_>>().join("\n")
    }

    /// Quotes rules of relations at a block.
    pub(super) fn quote_all(&mut self, block: BlockId, wanted: impl Fn(RelationId) -> bool) {
        let text =
            self.quoted(self.input.normal.rules.iter().filter(|rule| wanted(rule.head.relation)));
        if !text.is_empty() {
            self.out.program.comment(block, &text);
        }
    }

    /// Quotes the rules of a relation that is asked anew.
    pub(super) fn quote_anew(&mut self, block: BlockId, relation: RelationId) {
        let rules = self.relations.rules.iter().filter(|rule| rule.head.relation == relation);
        let text = format!("What the move has just made true:\n{}", self.quoted(rules));
        self.out.program.comment(block, &text);
    }

    /// Quotes the rules for what a role may do.
    pub(super) fn quote_legal(&mut self, block: BlockId, role: usize) {
        let own = self.analysis.roles.rows[role].clone();
        let is_of_role = |rule: &&FlatRule| {
            rule.head.relation == self.input.normal.legal
                && rule.head.args.iter().zip(&own).all(|(term, symbol)| match term {
                    FlatTerm::Constant(other) => other == symbol,
                    FlatTerm::Variable(_) => true,
                })
        };
        let text = self.quoted(self.input.normal.rules.iter().filter(is_of_role));
        if !text.is_empty() {
            self.out.program.comment(block, &text);
        }
    }
}
