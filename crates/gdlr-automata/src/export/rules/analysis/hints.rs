//! Names for columns: the names of variables in the rulesheet.

use crate::export::naming::plain;
use gdlr_rules::gdl::{Game, Literal, LiteralKind, Rule, Sentence, Symbol, Term, Variable};
use gdlr_rules::normal::{Fluent, Normal, RelationId, RelationKind};
use hashbrown::HashMap;

/// The names of arguments.
#[derive(Debug, Default)]
pub struct Hints {
    columns: HashMap<(RelationId, usize), String>,
    /// By name of a move or a percept, and by place of its argument.
    moves: HashMap<(Symbol, usize), String>,
}

impl Hints {
    pub fn of(game: &Game, normal: &Normal) -> Hints {
        let mut votes: HashMap<(Key, usize), Vec<(String, usize)>> = HashMap::new();
        for rule in &game.rules {
            let mut vote = |key: Key, args: &[Term]| {
                for (place, arg) in args.iter().enumerate() {
                    let Term::Variable(variable) = arg else { continue };
                    let Some(name) = name(rule, *variable) else { continue };
                    let of = votes.entry((key, place)).or_default();
                    match of.iter_mut().find(|(other, _)| *other == name) {
                        Some((_, count)) => *count += 1,
                        None => of.push((name, 1)),
                    }
                }
            };
            sentences(rule, &mut |sentence: &Sentence| match sentence.relation {
                Symbol::TRUE | Symbol::NEXT | Symbol::INIT => {
                    if let [Term::Function(fluent, args)] = &sentence.args[..] {
                        vote(Key::Fluent(*fluent, args.len()), args);
                    }
                }
                Symbol::LEGAL | Symbol::DOES | Symbol::SEES => {
                    if let [_, Term::Function(move_, args)] = &sentence.args[..] {
                        vote(Key::Move(*move_), args);
                    }
                }
                relation => vote(Key::View(relation, sentence.args.len()), &sentence.args),
            });
        }
        let best = |key: Key, place: usize| {
            let of = votes.get(&(key, place))?;
            // The first of the names with most votes.
            let most = of.iter().map(|(_, count)| *count).max()?;
            of.iter().find(|(_, count)| *count == most).map(|(name, _)| name.clone())
        };
        let mut hints = Hints::default();
        for (number, relation) in normal.relations.iter().enumerate() {
            let key = match relation.kind {
                RelationKind::Base(Fluent::Function(name, arity)) => {
                    Key::Fluent(name, usize::from(arity))
                }
                RelationKind::View(name) => Key::View(name.symbol, name.arity),
                _ => continue,
            };
            let mut column = 0;
            for (place, encoding) in relation.args.iter().enumerate() {
                if let Some(name) = best(key, place) {
                    for part in 0..encoding.width() {
                        let name = if part == 0 { name.clone() } else { format!("{name}_{part}") };
                        hints.columns.insert((RelationId(number as u32), column + part), name);
                    }
                }
                column += encoding.width();
            }
        }
        for &(key, place) in votes.keys() {
            if let (Key::Move(name), Some(text)) = (key, best(key, place)) {
                hints.moves.insert((name, place), text);
            }
        }
        hints
    }

    /// The name of a column.
    pub fn column(&self, relation: RelationId, column: usize) -> String {
        self.columns.get(&(relation, column)).cloned().unwrap_or_else(|| "value".to_owned())
    }

    /// Sets the name of a column.
    pub fn name(&mut self, relation: RelationId, column: usize, name: String) {
        self.columns.insert((relation, column), name);
    }

    /// The name of an argument of a move or a percept.
    pub fn of_move(&self, name: Symbol, place: usize) -> Option<String> {
        self.moves.get(&(name, place)).cloned()
    }
}

/// The name of a pair. Two short names are joined without `_`.
pub fn both_names(one: &str, other: &str) -> String {
    match one.len() + other.len() <= 4 {
        true => format!("{one}{other}"),
        false => format!("{one}_{other}"),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Key {
    Fluent(Symbol, usize),
    View(Symbol, usize),
    Move(Symbol),
}

/// The name of a variable as a name of RG.
fn name(rule: &Rule, variable: Variable) -> Option<String> {
    let text = rule.variables.get(usize::from(variable.0))?;
    let text = plain(text.strip_prefix('?').unwrap_or(text));
    let starts_well = text.chars().next()?.is_alphabetic();
    starts_well.then(|| text.to_lowercase())
}

fn sentences(rule: &Rule, visit: &mut impl FnMut(&Sentence)) {
    visit(&rule.head);
    let mut open: Vec<&Literal> = rule.body.iter().collect();
    while let Some(literal) = open.pop() {
        match &literal.kind {
            LiteralKind::Sentence(sentence) => visit(sentence),
            LiteralKind::Not(inner) => open.push(inner),
            LiteralKind::Or(items) => open.extend(items),
            LiteralKind::Distinct(..) => {}
        }
    }
}
