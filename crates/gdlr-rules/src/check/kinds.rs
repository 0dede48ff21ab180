//! Which arguments can be a role, and which a goal value.
//!
//! For each argument of each relation and function this finds whether a role can stand there at
//! all, and whether an integer from 0 to 100 can: the least fixpoint over the rules, where a
//! variable has what all the conditions that bind it allow. It errs on one side only: where it
//! says that no role can stand, there is none.
//!
//! The arguments of a function are taken together wherever it stands. Each of them changes twice
//! at most, so the cost is linear in the rulesheet.

use super::placed::PlacedRule;
use super::sheet::Sheet;
use crate::gdl::{Game, Literal, LiteralKind, Rule, Sentence, Symbol, Term};
use gdlr_text::graph::Agenda;
use hashbrown::HashMap;

/// The possible kinds of a term.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Kind {
    pub role: bool,
    pub goal_value: bool,
}

impl Kind {
    const ANY: Kind = Kind { role: true, goal_value: true };

    fn meet(self, other: Kind) -> Kind {
        Kind { role: self.role && other.role, goal_value: self.goal_value && other.goal_value }
    }

    fn join(self, other: Kind) -> Kind {
        Kind { role: self.role || other.role, goal_value: self.goal_value || other.goal_value }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Of {
    Relation,
    Function,
}

/// An argument: of what, its name, how many arguments it has, and which of them.
type Position = (Of, Symbol, usize, usize);

/// The kinds of terms at the arguments of a game.
pub(super) struct Kinds<'a> {
    game: &'a Game,
    numbers: HashMap<Position, usize>,
    kinds: Vec<Kind>,
}

impl<'a> Kinds<'a> {
    pub fn new(sheet: &Sheet<'a>) -> Kinds<'a> {
        let mut kinds = Kinds { game: sheet.game, numbers: HashMap::new(), kinds: Vec::new() };
        kinds.mention(&sheet.played);
        let rules = &sheet.played;
        let mut readers: Vec<Vec<usize>> = vec![Vec::new(); kinds.kinds.len()];
        for (place, PlacedRule { rule, .. }) in rules.iter().enumerate() {
            for literal in &rule.body {
                literal.for_each_sentence(&mut |sentence, _| {
                    kinds.each_position(sentence, &mut |at, _| readers[at].push(place));
                });
            }
        }
        let mut agenda = Agenda::of_all(rules.len());
        let mut grown = Vec::new();
        while let Some(place) = agenda.pop() {
            kinds.apply(rules[place].rule, &mut grown);
            let readers = grown.drain(..).flat_map(|at: usize| &readers[at]);
            readers.for_each(|&reader| agenda.push(reader));
        }
        kinds
    }

    /// The kinds of each variable of a rule where its conditions hold.
    pub fn variables(&self, rule: &Rule) -> Vec<Kind> {
        let mut kinds = vec![Kind::ANY; rule.variables.len()];
        rule.body.iter().for_each(|literal| self.restrict(literal, false, &mut kinds));
        kinds
    }

    /// The kinds that the sentence allows for one of its arguments.
    pub fn argument(&self, sentence: &Sentence, index: usize) -> Kind {
        let name = (Of::Relation, joined(sentence.relation), sentence.args.len(), index);
        self.numbers.get(&name).map_or(Kind::ANY, |&at| self.kinds[at])
    }

    /// The kind of a term without variables.
    pub fn of_term(&self, term: &Term) -> Kind {
        let function = |role: &Term| match (role, term) {
            (Term::Function(name, args), Term::Function(other, others)) => {
                (name, args.len()) == (other, others.len())
            }
            _ => role == term,
        };
        Kind {
            role: self.game.roles.iter().any(function),
            goal_value: term.goal_value(&self.game.symbols).is_some(),
        }
    }

    /// Gives all arguments their numbers. Nothing is known of a relation without rules.
    fn mention(&mut self, rules: &[PlacedRule]) {
        let mut heads: Vec<&Sentence> = rules.iter().map(|rule| &rule.rule.head).collect();
        let conditions = rules.iter().flat_map(|rule| &rule.rule.body);
        let mut asked = Vec::new();
        conditions.for_each(|literal| literal.for_each_sentence(&mut |s, _| asked.push(s)));
        for sentence in heads.drain(..) {
            self.number_all(sentence, Kind::default());
        }
        for sentence in asked {
            self.number_all(sentence, Kind::ANY);
        }
        for index in 0..2 {
            self.number((Of::Relation, Symbol::DOES, 2, index), Kind::ANY);
        }
        // Only roles make moves. What these are, the rules for `legal` say.
        let role = self.game.roles.iter().map(|role| self.of_term(role));
        let roles = role.fold(Kind::default(), Kind::join);
        let [by, moves] = [0, 1].map(|index| self.numbers[&(Of::Relation, Symbol::DOES, 2, index)]);
        self.kinds[by] = roles;
        self.kinds[moves] = Kind::default();
    }

    fn number(&mut self, position: Position, kind: Kind) {
        let next = self.kinds.len();
        if *self.numbers.entry(position).or_insert(next) == next {
            self.kinds.push(kind);
        }
    }

    fn number_all(&mut self, sentence: &Sentence, kind: Kind) {
        let name = joined(sentence.relation);
        let mut open: Vec<(Of, Symbol, &[Term])> = vec![(Of::Relation, name, &sentence.args)];
        while let Some((of, name, args)) = open.pop() {
            for (index, arg) in args.iter().enumerate() {
                self.number((of, name, args.len(), index), kind);
                if let Term::Function(name, args) = arg {
                    open.push((Of::Function, *name, args));
                }
            }
        }
    }

    /// Calls `visit` with the number of each argument of a sentence, inner ones too, and what
    /// stands there.
    fn each_position<'t>(&self, sentence: &'t Sentence, visit: &mut impl FnMut(usize, &'t Term)) {
        let name = joined(sentence.relation);
        let mut open: Vec<(Of, Symbol, &[Term])> = vec![(Of::Relation, name, &sentence.args)];
        while let Some((of, name, args)) = open.pop() {
            for (index, arg) in args.iter().enumerate() {
                visit(self.numbers[&(of, name, args.len(), index)], arg);
                if let Term::Function(name, args) = arg {
                    open.push((Of::Function, *name, args));
                }
            }
        }
    }

    fn restrict(&self, literal: &Literal, negated: bool, kinds: &mut Vec<Kind>) {
        match &literal.kind {
            LiteralKind::Sentence(sentence) if !negated => {
                self.each_position(sentence, &mut |at, term| {
                    if let Term::Variable(v) = term {
                        let kind = &mut kinds[usize::from(v.0)];
                        *kind = kind.meet(self.kinds[at]);
                    }
                });
            }
            LiteralKind::Sentence(_) | LiteralKind::Distinct(..) => {}
            LiteralKind::Not(inner) => self.restrict(inner, !negated, kinds),
            LiteralKind::Or(items) if negated => {
                items.iter().for_each(|item| self.restrict(item, true, kinds));
            }
            LiteralKind::Or(items) => {
                let ways = items.iter().map(|item| {
                    let mut kinds = kinds.clone();
                    self.restrict(item, false, &mut kinds);
                    kinds
                });
                let joined = ways.reduce(|one, other| {
                    one.into_iter().zip(other).map(|(one, other)| one.join(other)).collect()
                });
                *kinds = joined.unwrap_or_else(|| std::mem::take(kinds));
            }
        }
    }

    /// Adds what a rule makes to the arguments of its head; notes those that grow.
    fn apply(&mut self, rule: &Rule, grown: &mut Vec<usize>) {
        let variables = self.variables(rule);
        let mut kinds = Vec::new();
        self.each_position(&rule.head, &mut |at, term| {
            let kind = match term {
                Term::Variable(v) => variables[usize::from(v.0)],
                term => self.of_term(term),
            };
            kinds.push((at, kind));
        });
        if let (Symbol::LEGAL, [_, action]) = (rule.head.relation, &rule.head.args[..]) {
            let kind = match action {
                Term::Variable(v) => variables[usize::from(v.0)],
                term => self.of_term(term),
            };
            kinds.push((self.numbers[&(Of::Relation, Symbol::DOES, 2, 1)], kind));
        }
        for (at, kind) in kinds {
            let own = &mut self.kinds[at];
            let joined = own.join(kind);
            if std::mem::replace(own, joined) != joined {
                grown.push(at);
            }
        }
    }
}

/// The relation whose arguments a keyword shares.
fn joined(relation: Symbol) -> Symbol {
    match relation {
        Symbol::INIT | Symbol::NEXT => Symbol::TRUE,
        other => other,
    }
}
