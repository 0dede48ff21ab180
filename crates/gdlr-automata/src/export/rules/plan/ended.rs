//! The conditions that ended the play, asked again for goals.
//!
//! Before the last move these conditions were false, since play went on. So goals may ask for them
//! as the test of the end does: whether the last move has made them true.
//!
//! ```text
//! (<= terminal (line ?p))
//! (<= (goal ?p 100) (line ?p))          asks whether a line of p goes through the last square
//! ```

use super::Planner;
use crate::export::program::Target;
use crate::export::rules::Stop;
use gdlr_rules::gdl::Variable;
use gdlr_rules::normal::{FlatAtom, FlatLiteral, FlatRule, FlatTerm, RelationId};
use hashbrown::HashMap;

/// A term that stands for any symbol.
const ANYTHING: FlatTerm = FlatTerm::Variable(Variable(u16::MAX));

impl Planner<'_> {
    /// Lets goals ask about the facts that the last move has made true, where these suffice. A play that is
    /// over before its first move has none.
    pub(super) fn ask_goals_anew(&mut self) -> Result<(), Stop> {
        if self.out.program.begin == Target::Over {
            return Ok(());
        }
        let Some(about) = self.anew.only_changes().filter(|_| self.turns.are_judged.is_empty())
        else {
            return Ok(());
        };
        let ending = self.ending()?;
        for number in self.relations.info(self.input.normal.goal).rules.clone() {
            let mut body = self.relations.rules[number].body.clone();
            for literal in &mut body {
                let (FlatLiteral::Positive(atom) | FlatLiteral::Negative(atom)) = literal else {
                    continue;
                };
                if self.ends_play(atom, &ending) {
                    let before = self.relations.rules.len();
                    let anew = self.anew(about, atom.relation, before, 0)?;
                    if self.is_less_to_ask(anew, atom.relation) {
                        atom.relation = anew;
                    }
                }
            }
            self.relations.rules[number].body = body;
        }
        Ok(())
    }

    /// Whether a relation takes no more rules than another one, or asks for lines through a square.
    fn is_less_to_ask(&self, relation: RelationId, than: RelationId) -> bool {
        let rules = |of: RelationId| &self.relations.info(of).rules;
        let is_through = |literal: &FlatLiteral| match literal {
            FlatLiteral::Positive(atom) => self.relations.lines.is_through(atom.relation),
            _ => false,
        };
        rules(relation).len() <= rules(than).len()
            || rules(relation)
                .iter()
                .all(|&rule| self.relations.rules[rule].body.iter().any(is_through))
    }

    /// The atoms that end the play if one of them holds, by relation.
    fn ending(&mut self) -> Result<HashMap<RelationId, Vec<Vec<FlatTerm>>>, Stop> {
        let terminal = FlatAtom { relation: self.input.normal.terminal, args: Vec::new() };
        let mut open = vec![terminal];
        let mut ending: HashMap<RelationId, Vec<Vec<FlatTerm>>> = HashMap::new();
        while let Some(atom) = open.pop() {
            let info = self.relations.info(atom.relation).clone();
            self.input.meter.spend(info.rules.len() + 1)?;
            if info.group.is_some() {
                continue;
            }
            for rule in info.rules {
                let rule = self.relations.rules[rule].clone();
                if let Some(of) = self.alone(&rule, &atom.args) {
                    let patterns = ending.entry(of.relation).or_default();
                    if !patterns.contains(&of.args) {
                        patterns.push(of.args.clone());
                        open.push(of);
                    }
                }
            }
        }
        Ok(ending)
    }

    /// The only condition from which a head follows, for all symbols that its columns can have.
    /// `head` may have variables that stand for anything.
    fn alone(&mut self, rule: &FlatRule, head: &[FlatTerm]) -> Option<FlatAtom> {
        let mut substitution: HashMap<FlatTerm, FlatTerm> = HashMap::new();
        for (&term, &wanted) in rule.head.args.iter().zip(head) {
            match term {
                _ if wanted == ANYTHING || term == wanted => {}
                FlatTerm::Variable(_) if substitution.insert(term, wanted).is_none() => {}
                _ => return None,
            }
        }
        let mut only: Option<&FlatAtom> = None;
        let mut others: Vec<&FlatAtom> = Vec::new();
        for literal in &rule.body {
            let FlatLiteral::Positive(atom) = literal else { return None };
            match self.relations.rows(atom.relation).is_some() {
                true => others.push(atom),
                false if only.is_some() => return None,
                false => only = Some(atom),
            }
        }
        let atom = only.filter(|atom| self.relations.info(atom.relation).is_derived())?;
        for (column, term) in atom.args.iter().enumerate() {
            let is_variable = matches!(term, FlatTerm::Variable(_));
            if is_variable && atom.args[..column].contains(term) {
                return None;
            }
        }
        // The static conditions must hold for every symbol of their column.
        for other in others {
            let [term] = other.args[..] else { return None };
            let column = atom.args.iter().position(|&own| own == term)?;
            let set = self.column_set(atom.relation, column);
            let rows = self.relations.rows(other.relation)?;
            let all = self.out.symbols.sets.members(set);
            if !all.iter().all(|&symbol| rows.iter().any(|row| row[0] == symbol)) {
                return None;
            }
        }
        let args = atom.args.iter().map(|term| match term {
            FlatTerm::Constant(_) => *term,
            FlatTerm::Variable(_) => substitution.get(term).copied().unwrap_or(ANYTHING),
        });
        Some(FlatAtom { relation: atom.relation, args: args.collect() })
    }

    /// Whether the play ends if an atom holds. It does if the atom is in `ending`, or if each of
    /// its rules has a condition that is.
    fn ends_play(
        &mut self,
        atom: &FlatAtom,
        ending: &HashMap<RelationId, Vec<Vec<FlatTerm>>>,
    ) -> bool {
        if self.is_covered(atom, ending) {
            return true;
        }
        let info = self.relations.info(atom.relation).clone();
        let is_own = info.is_derived() && info.group.is_none() && !info.asks_moves;
        is_own
            && info.rules.iter().all(|&rule| {
                self.relations.rules[rule].body.clone().iter().any(|literal| match literal {
                    FlatLiteral::Positive(of) => self.is_covered(of, ending),
                    _ => false,
                })
            })
    }

    /// Whether all instances of an atom are in `ending`.
    fn is_covered(
        &mut self,
        atom: &FlatAtom,
        ending: &HashMap<RelationId, Vec<Vec<FlatTerm>>>,
    ) -> bool {
        let Some(ends) = ending.get(&atom.relation) else { return false };
        let covers = |args: &[FlatTerm]| {
            ends.iter()
                .any(|end| end.iter().zip(args).all(|(&own, &term)| own == ANYTHING || own == term))
        };
        match atom.args[..] {
            [FlatTerm::Variable(_)] => {
                let set = self.column_set(atom.relation, 0);
                let members = self.out.symbols.sets.members(set);
                covers(&atom.args)
                    || members.iter().all(|&symbol| covers(&[FlatTerm::Constant(symbol)]))
            }
            _ => covers(&atom.args),
        }
    }
}
