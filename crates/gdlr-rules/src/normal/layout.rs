//! The flat relations and how their arguments are laid out.

use super::encoding::{EMPTY, Encoding};
use super::flat::{Fluent, FluentRelations, Relation, RelationId, RelationKind};
use super::names::Names;
use super::shape::{Shape, Shapes};
use crate::gdl::{RelationName, Rule, Sentence, Symbol, SymbolTable, Term, Variable};
use gdlr_text::diagnostic::{Code, Diagnostic, Span};
use hashbrown::HashMap;

/// The most columns of a relation: 16 bits number them.
const MAX_WIDTH: usize = u16::MAX as usize;
/// The most roles: each asks for its moves by itself.
const MAX_ROLES: usize = 1 << 10;

/// The functions that have a tag.
#[derive(Default)]
pub(super) struct Tags {
    pub(super) numbers: Vec<(Symbol, u16)>,
    pub(super) places: HashMap<(Symbol, u16), Symbol>,
    pub(super) first: usize,
    pub(super) overflow: bool,
}

impl Tags {
    pub(super) fn number(&mut self, name: Symbol, arity: u16) -> Symbol {
        if let Some(&tag) = self.places.get(&(name, arity)) {
            return tag;
        }
        let number = self.first + self.numbers.len();
        if number >= SymbolTable::CAPACITY {
            self.overflow = true;
            return EMPTY;
        }
        let tag = Symbol::from_index(number as u16);
        self.numbers.push((name, arity));
        self.places.insert((name, arity), tag);
        tag
    }
}

/// Two occurrences of a variable have different layouts.
pub(super) struct Conflict {
    pub(super) variable: Variable,
}

/// The relations and their layouts.
pub(super) struct RelationLayouts {
    pub(super) relations: Vec<Relation>,
    pub(super) views: HashMap<RelationName, RelationId>,
    pub(super) fluents: Vec<FluentRelations>,
    pub(super) fluent_places: HashMap<Fluent, usize>,
    pub(super) does: RelationId,
    pub(super) tags: Tags,
}

impl RelationLayouts {
    pub(super) fn new(names: &Names, shapes: &Shapes) -> Result<RelationLayouts, Diagnostic> {
        let mut layout = RelationLayouts {
            relations: Vec::new(),
            views: HashMap::new(),
            fluents: Vec::new(),
            fluent_places: HashMap::new(),
            does: RelationId(0),
            tags: Tags { first: names.len(), ..Tags::default() },
        };
        let nothing = [Shape::default(), Shape::default()];
        let moves = shapes.of(Symbol::DOES, 2).unwrap_or(&nothing);
        layout.does = layout.add(RelationKind::Does, moves);
        if let Some([facts]) = shapes.of(Symbol::TRUE, 1) {
            if facts.constants {
                let constant = Shape { constants: true, ..Shape::default() };
                layout.add_fluent(Fluent::Constants, &[constant]);
            }
            for (&(name, arity), args) in &facts.functions {
                layout.add_fluent(Fluent::Function(name, arity), args);
            }
        }
        let mut relations: Vec<RelationName> = shapes
            .relations()
            .filter(|name| !matches!(name.symbol, Symbol::TRUE | Symbol::DOES))
            .collect();
        for (symbol, arity) in [(Symbol::LEGAL, 2), (Symbol::GOAL, 2), (Symbol::TERMINAL, 0)] {
            relations.push(RelationName { symbol, arity });
        }
        relations.sort_unstable();
        relations.dedup();
        for name in relations {
            let args = shapes.of(name.symbol, name.arity).unwrap_or_else(|| &nothing[..name.arity]);
            let id = layout.add(RelationKind::View(name), args);
            layout.views.insert(name, id);
        }
        if layout.tags.overflow {
            return Err(Diagnostic::new(
                Code::TooManySymbols,
                Span::default(),
                format!(
                    "the symbols and functions are more than {} together",
                    SymbolTable::CAPACITY
                ),
            )
            .with_help("use fewer names"));
        }
        Ok(layout)
    }

    /// Refuses more roles and wider rows than the engines have numbers for.
    pub(super) fn check_widths(&self, rules: &[Rule], names: &Names) -> Result<(), Diagnostic> {
        let game = &names.game;
        if game.roles.len() > MAX_ROLES {
            let mut roles = game.rules.iter().filter(|rule| rule.head.relation == Symbol::ROLE);
            return Err(Diagnostic::new(
                Code::TooLarge,
                roles.nth(MAX_ROLES).map_or(Span::default(), |rule| rule.span),
                format!("{} roles, more than {MAX_ROLES}", game.roles.len()),
            )
            .with_help("no game needs so many"));
        }
        let Some(wide) = self.relations.iter().find(|relation| relation.width > MAX_WIDTH) else {
            return Ok(());
        };
        let (symbol, arity) = match wide.kind {
            RelationKind::View(name) => (name.symbol, name.arity),
            RelationKind::Does => (Symbol::LEGAL, 2),
            RelationKind::Base(_) | RelationKind::Next(_) | RelationKind::Init(_) => {
                (Symbol::INIT, 1)
            }
        };
        let is_it = |rule: &&Rule| {
            rule.head.relation == symbol && rule.head.args.len() == arity
                || (symbol, rule.head.relation) == (Symbol::INIT, Symbol::NEXT)
        };
        Err(Diagnostic::new(
            Code::TooLarge,
            rules.iter().find(is_it).map_or(Span::default(), |rule| rule.span),
            format!(
                "the terms of `{}` have {} parts, more than {MAX_WIDTH}",
                names.spelling(symbol),
                wide.width
            ),
        )
        .with_help("use terms that are less deep, or relations of fewer arguments"))
    }

    pub(super) fn add(&mut self, kind: RelationKind, args: &[Shape]) -> RelationId {
        let tags = &mut self.tags;
        let args: Vec<Encoding> = args
            .iter()
            .map(|shape| Encoding::new(shape, &mut |name, arity| tags.number(name, arity)))
            .collect();
        let width = args.iter().map(Encoding::width).sum();
        self.relations.push(Relation { kind, args, width });
        RelationId((self.relations.len() - 1) as u32)
    }

    pub(super) fn add_fluent(&mut self, fluent: Fluent, args: &[Shape]) {
        let relations = FluentRelations {
            fluent,
            base: self.add(RelationKind::Base(fluent), args),
            next: self.add(RelationKind::Next(fluent), args),
            init: self.add(RelationKind::Init(fluent), args),
        };
        self.fluent_places.insert(fluent, self.fluents.len());
        self.fluents.push(relations);
    }

    /// The flat relation of a sentence and the terms that its columns stand for, or `None`
    /// if it never holds. `plain` says of a variable whether it is a constant.
    pub(super) fn resolve<'a>(
        &self,
        sentence: &'a Sentence,
        plain: &[bool],
    ) -> Result<Option<(RelationId, &'a [Term])>, Conflict> {
        let pick: fn(&FluentRelations) -> RelationId = match sentence.relation {
            Symbol::TRUE => |f| f.base,
            Symbol::NEXT => |f| f.next,
            Symbol::INIT => |f| f.init,
            Symbol::DOES => return Ok(Some((self.does, &sentence.args))),
            symbol => {
                let name = RelationName { symbol, arity: sentence.args.len() };
                return Ok(self.views.get(&name).map(|&id| (id, &sentence.args[..])));
            }
        };
        let (fluent, args) = match &sentence.args[0] {
            Term::Variable(variable) if !plain[usize::from(variable.0)] => {
                return Err(Conflict { variable: *variable });
            }
            Term::Variable(_) | Term::Constant(_) => (Fluent::Constants, &sentence.args[..]),
            Term::Function(name, args) => (Fluent::Function(*name, args.len() as u16), &args[..]),
        };
        let place = self.fluent_places.get(&fluent);
        Ok(place.map(|&place| (pick(&self.fluents[place]), args)))
    }

    pub(super) fn args(&self, relation: RelationId) -> &[Encoding] {
        &self.relations[relation.index()].args
    }
}
