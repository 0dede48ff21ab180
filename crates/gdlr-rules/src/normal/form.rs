//! A game in normal form, and the way from terms to rows and back.

use super::encoding::{self, EMPTY, Encoding};
use super::flat::{FlatRule, Fluent, FluentRelations, Relation, RelationId, RelationKind};
use super::names::Names;
use super::question::Question;
use crate::gdl::{Game, Symbol, Term};
use std::sync::Arc;

/// A game in normal form.
#[derive(Clone, Debug)]
pub struct Normal {
    pub(super) names: Names,
    /// The relations.
    pub relations: Vec<Relation>,
    /// The rules; facts have no conditions.
    pub rules: Vec<FlatRule>,
    /// The base relations.
    pub fluents: Vec<FluentRelations>,
    /// The relation of `does`; its layout is that of `legal`.
    pub does: RelationId,
    /// The relation of `legal`.
    pub legal: RelationId,
    /// The relation of `goal`.
    pub goal: RelationId,
    /// The relation of `terminal`.
    pub terminal: RelationId,
    /// The relation of `sees`, if there are rules for it.
    pub sees: Option<RelationId>,
    /// The relation of all constants, if unsafe rules need one.
    pub anything: Option<RelationId>,
    /// The functions that have a tag, by tag number from [`Normal::first_tag`].
    pub(super) tags: Vec<(Symbol, u16)>,
}

impl Normal {
    /// The rulesheet.
    pub fn game(&self) -> &Arc<Game> {
        &self.names.game
    }

    /// The name of a relation, a function or a constant: as the rulesheet spells it, or as
    /// normalisation made it up.
    pub fn spelling(&self, symbol: Symbol) -> &str {
        self.names.spelling(symbol)
    }

    /// The relation with this number.
    pub fn relation(&self, id: RelationId) -> &Relation {
        &self.relations[id.index()]
    }

    /// The relations that answer a question.
    pub fn answers(&self, question: Question) -> Vec<RelationId> {
        match question {
            Question::Legal => vec![self.legal],
            Question::Terminal => vec![self.terminal],
            Question::Goal => vec![self.goal],
            Question::Next => self.fluents.iter().map(|fluent| fluent.next).collect(),
            Question::Sees => Vec::from_iter(self.sees),
        }
    }

    /// The relation as the rulesheet would name it, such as `true cell/3` or `line/1`.
    pub fn relation_name(&self, id: RelationId) -> String {
        let fluent = |keyword: &str, fluent: Fluent| match fluent {
            Fluent::Constants => format!("{keyword} constants"),
            Fluent::Function(name, arity) => {
                format!("{keyword} {}/{arity}", self.spelling(name))
            }
        };
        match self.relation(id).kind {
            RelationKind::Base(f) => fluent("true", f),
            RelationKind::Next(f) => fluent("next", f),
            RelationKind::Init(f) => fluent("init", f),
            RelationKind::Does => "does".to_owned(),
            RelationKind::View(name) => {
                format!("{}/{}", self.spelling(name.symbol), name.arity)
            }
        }
    }

    /// The first number of a symbol that is a tag and no name.
    pub fn first_tag(&self) -> usize {
        self.names.len()
    }

    /// The first number that is no symbol of the game.
    pub fn first_free(&self) -> usize {
        self.first_tag() + self.tags.len()
    }

    /// A column's symbol as text: a name, a tag or the filling of an unused column.
    pub fn symbol_text(&self, symbol: Symbol) -> String {
        if symbol == EMPTY {
            return "_".to_owned();
        }
        match usize::from(symbol.index()).checked_sub(self.first_tag()) {
            None => self.spelling(symbol).to_owned(),
            Some(tag) => {
                let (name, arity) = self.tags[tag];
                format!("{}/{arity}", self.spelling(name))
            }
        }
    }

    /// The fact that a row of a base relation (or of its `next` or `init`) stands for.
    pub fn decode_fact(&self, fluent: Fluent, relation: RelationId, row: &[Symbol]) -> Term {
        let args = &self.relation(relation).args;
        match fluent {
            Fluent::Constants => Term::Constant(row[0]),
            Fluent::Function(name, _) => Term::Function(name, encoding::decode_all(args, row)),
        }
    }

    /// The row that stands for a fact, with the place of its base relation in
    /// [`Normal::fluents`]; `None` for a fact that is never true in the game.
    pub fn encode_fact(&self, fact: &Term) -> Option<(usize, Vec<Symbol>)> {
        let (fluent, args) = match self.known(fact)? {
            Term::Variable(_) => return None,
            Term::Constant(_) => (Fluent::Constants, std::slice::from_ref(fact)),
            Term::Function(name, args) => {
                (Fluent::Function(*name, u16::try_from(args.len()).ok()?), &args[..])
            }
        };
        let place = self.fluents.iter().position(|f| f.fluent == fluent)?;
        let mut row = Vec::new();
        for (arg, encoding) in args.iter().zip(&self.relation(self.fluents[place].base).args) {
            encoding.encode(arg, &mut row)?;
        }
        Some((place, row))
    }

    /// The term that stands at argument `place` of a row.
    pub fn decode_arg(&self, relation: RelationId, place: usize, row: &[Symbol]) -> Term {
        let range = self.columns(relation, place);
        self.relation(relation).args[place].decode(&row[range])
    }

    /// The columns that stand for a term at argument `place`; `None` for a term that cannot
    /// stand there.
    pub fn encode_arg(
        &self,
        relation: RelationId,
        place: usize,
        term: &Term,
    ) -> Option<Vec<Symbol>> {
        let mut row = Vec::new();
        self.relation(relation).args[place].encode(self.known(term)?, &mut row)?;
        Some(row)
    }

    /// The term, if all its names are of the rulesheet. Others could have the number of a tag.
    fn known<'t>(&self, term: &'t Term) -> Option<&'t Term> {
        let names = self.game().symbols.len();
        let is_name = |symbol: &Symbol| usize::from(symbol.index()) < names;
        match term {
            Term::Variable(_) => None,
            Term::Constant(symbol) => is_name(symbol).then_some(term),
            Term::Function(name, args) => {
                (is_name(name) && args.iter().all(|arg| self.known(arg).is_some())).then_some(term)
            }
        }
    }

    /// The columns of argument `place`.
    pub fn columns(&self, relation: RelationId, place: usize) -> std::ops::Range<usize> {
        let args = &self.relation(relation).args;
        let start = args[..place].iter().map(Encoding::width).sum();
        start..start + args[place].width()
    }
}
