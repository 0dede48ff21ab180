//! Rules as comments of blocks.

use super::Planner;
use crate::export::program::BlockId;
use gdlr_rules::normal::{FlatRule, FlatTerm, RelationId};

impl Planner<'_> {
    /// Quotes rules of relations at a block.
    pub(super) fn quote_all(&mut self, block: BlockId, wanted: impl Fn(RelationId) -> bool) {
        let text = self
            .relations
            .quotes
            .quoted(self.input.normal.rules.iter().filter(|rule| wanted(rule.head.relation)));
        if !text.is_empty() {
            self.out.program.comment(block, &text);
        }
    }

    /// Quotes the rules of a relation that is asked anew.
    pub(super) fn quote_anew(&mut self, block: BlockId, relation: RelationId) {
        let rules = self.relations.rules.iter().filter(|rule| rule.head.relation == relation);
        let text = format!(
            "Facts that the move has just made true:\n{}",
            self.relations.quotes.quoted(rules)
        );
        self.out.program.comment(block, &text);
    }

    /// Quotes the rules for the legal moves of a role.
    pub(super) fn quote_legal(&mut self, block: BlockId, role: usize) {
        let own = self.analysis.roles.rows[role].clone();
        let is_of_role = |rule: &&FlatRule| {
            rule.head.relation == self.input.normal.legal
                && rule.head.args.iter().zip(&own).all(|(term, symbol)| match term {
                    FlatTerm::Constant(other) => other == symbol,
                    FlatTerm::Variable(_) => true,
                })
        };
        let text = self.relations.quotes.quoted(self.input.normal.rules.iter().filter(is_of_role));
        if !text.is_empty() {
            self.out.program.comment(block, &text);
        }
    }
}
