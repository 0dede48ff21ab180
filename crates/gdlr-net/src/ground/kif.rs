//! The ground rules as a rulesheet.
//!
//! The rulesheet plays like the one that was grounded. What is true in every state is
//! written as a fact where play asks for it, and left out of conditions elsewhere; auxiliary
//! facts get numbered names that the rulesheet does not use. A rulesheet must have rules for
//! `legal`, `goal` and `terminal`: what is never true gets one that never applies.

use super::facts::{FactId, Ground, Value};
use gdlr_rules::gdl::{Symbol, Term};
use gdlr_rules::normal::{FluentRelations, RelationId, RelationKind};
use std::fmt;

impl Ground {
    /// The ground rules as a rulesheet in KIF, a rule a line.
    pub fn to_kif(&self) -> impl fmt::Display + '_ {
        let symbols = &self.game().symbols;
        let is_free = |prefix: &String| {
            let mut all = (0..symbols.len()).map(|s| Symbol::from_index(s as u16).spelled(symbols));
            !all.any(|name| name.to_lowercase().starts_with(prefix.as_str()))
        };
        let mut prefixes = (0..).map(|n| "aux".to_owned() + &"_".repeat(n + 1));
        // A rulesheet has finitely many names, so that some prefix is free.
        let prefix = prefixes.find(is_free).unwrap_or_default();
        Kif { ground: self, prefix }
    }
}

struct Kif<'g> {
    ground: &'g Ground,
    prefix: String,
}

impl Kif<'_> {
    /// A fact as a sentence.
    fn sentence(&self, fact: FactId, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (normal, symbols) = (self.ground.normal(), &self.ground.game().symbols);
        let Some(relation) = self.ground.relation_of(fact) else {
            return write!(f, "{}{}", self.prefix, fact.0);
        };
        let row = self.ground.row_of(relation, fact);
        let keyword = match normal.relation(relation).kind {
            RelationKind::Base(fluent) => Some(("true", fluent)),
            RelationKind::Next(fluent) => Some(("next", fluent)),
            RelationKind::Init(fluent) => Some(("init", fluent)),
            RelationKind::Does | RelationKind::View(_) => None,
        };
        if let Some((keyword, fluent)) = keyword {
            let term = normal.decode_fact(fluent, relation, row);
            return write!(f, "({keyword} {})", term.spelled(symbols));
        }
        let name = match normal.relation(relation).kind {
            RelationKind::View(name) => normal.spelling(name.symbol),
            _ => "does",
        };
        if name.contains(' ') {
            // A relation that the normal form has made.
            return write!(f, "{}{}", self.prefix, fact.0);
        }
        let args = normal.relation(relation).args.len();
        if args == 0 {
            return f.write_str(name);
        }
        write!(f, "({name}")?;
        for place in 0..args {
            let term: Term = normal.decode_arg(relation, place, row);
            write!(f, " {}", term.spelled(symbols))?;
        }
        f.write_str(")")
    }

    /// A rule that never applies, for a relation that play asks for and no state has; for `sees`,
    /// if it is none.
    fn never(&self, relation: Option<RelationId>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (game, normal) = (self.ground.game(), self.ground.normal());
        let Some(role) = game.roles.first() else { return Ok(()) };
        let (role, free) = (role.spelled(&game.symbols), &self.prefix);
        let head = match relation {
            None => format!("(sees {role} {free})"),
            Some(legal) if legal == normal.legal => format!("(legal {role} {free})"),
            Some(goal) if goal == normal.goal => format!("(goal {role} 0)"),
            Some(_) => "terminal".to_owned(),
        };
        writeln!(f, "(<= {head} (distinct {free} {free}))")
    }

    /// The facts of a relation that are true in every state.
    fn constant(&self, relation: RelationId, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for fact in self.ground.facts_of(relation) {
            if self.ground.value(fact) == Value::Constant(true) {
                self.sentence(fact, f)?;
                f.write_str("\n")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Kif<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (game, normal) = (self.ground.game(), self.ground.normal());
        for role in &game.roles {
            writeln!(f, "(role {})", role.spelled(&game.symbols))?;
        }
        for &FluentRelations { init, next, .. } in &normal.fluents {
            self.constant(init, f)?;
            self.constant(next, f)?;
        }
        let mut outputs = vec![normal.legal, normal.goal, normal.terminal];
        outputs.extend(normal.sees);
        let is_written = |&relation: &RelationId| {
            let mut facts = self.ground.facts_of(relation);
            facts.any(|fact| self.ground.value(fact) == Value::Constant(true))
        };
        let mut written: Vec<bool> = outputs.iter().map(is_written).collect();
        for &relation in &outputs {
            self.constant(relation, f)?;
        }
        for (head, body) in self.ground.rules() {
            let relation = self.ground.relation_of(head);
            if let Some(place) = outputs.iter().position(|&outputs| Some(outputs) == relation) {
                written[place] = true;
            }
            f.write_str("(<= ")?;
            self.sentence(head, f)?;
            for literal in body {
                f.write_str(if literal.negated { " (not " } else { " " })?;
                self.sentence(literal.fact, f)?;
                f.write_str(if literal.negated { ")" } else { "" })?;
            }
            f.write_str(")\n")?;
        }
        // Without rules for `sees` it would be a game without percepts.
        if game.has_percepts() && !(normal.sees.is_some() && written[written.len() - 1]) {
            self.never(None, f)?;
        }
        for (relation, written) in outputs.into_iter().zip(written) {
            if !written && Some(relation) != normal.sees {
                self.never(Some(relation), f)?;
            }
        }
        Ok(())
    }
}
