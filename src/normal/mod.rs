//! The normal form that both roads start from: rules over flat rows of symbols.
//!
//! FI prepares a rulesheet in four steps before any tree is built, and so do we:
//!
//! 1. [`local`] divides relations that are stratified only constant by constant; [`timing`]
//!    those that are asked before what they depend on is there. [`clause`]: negation normal form (FI, IV.B). `not` moves inwards, an `or` that binds
//!    variables is multiplied out, one that only tests stays a test.
//! 2. [`shape`]: which terms can stand at which argument (the domains of FI, IV.C), as a
//!    least fixpoint over the rules. Terms that grow without bound are refused here, with
//!    the rule that grows them; but where a static relation may end by its facts alone,
//!    [`enumerate`] computes these first, term by term.
//! 3. [`encoding`]: every argument gets a fixed number of columns, so that every sentence
//!    becomes a flat row (FI, IV.C), and every row turns back into exactly one sentence.
//!    [`layout`]: the fluents are divided by their function, so that each function gets a
//!    base relation of its own. [`cases`] and [`flatten`] rewrite the rules.
//! 4. [`redundant`]: relations that only rename another are removed (FI, VII.B).
//!
//! Where FI joins the domains of all arguments that share a variable, the fixpoint here
//! follows the flow from conditions to heads, which is finer: domains that are joined but
//! not fed by each other stay apart, and rules that can never fire disappear. A variable
//! whose occurrences are laid out differently is split by cases until they agree.
//!
//! A rule whose head has a variable that no condition binds (SPEC, definition 18, forbids
//! it) is taken to hold for every constant of the rulesheet, but for no compound term: public
//! sheets have such rules, and ask them only where the variable is bound.
//!
//! Invariants of a [`Normal`]: every variable of a head, of a `distinct` and of a test is
//! bound by a positive condition of the rule; a variable that only one negative condition
//! mentions reads as "for no value"; the rules are stratified; rows of a relation have all
//! the same width.

mod cases;
mod clause;
mod encoding;
mod enumerate;
mod flatten;
mod layout;
mod local;
mod names;
mod question;
mod redundant;
mod shape;
mod timing;

pub use encoding::{EMPTY, Encoding};
pub use question::Question;

use crate::diagnostic::{Diagnostic, Span};
use crate::gdl::{Game, RelationName, Symbol, Term, Variable};
use names::Names;
use std::sync::Arc;

/// The number of a flat relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelationId(pub u32);

impl RelationId {
    /// The place of the relation in [`Normal::relations`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a flat relation stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RelationKind {
    /// The facts of a state with one function: what `true` of them says.
    Base(Fluent),
    /// The same facts in the next state.
    Next(Fluent),
    /// The same facts in the initial state.
    Init(Fluent),
    /// The joint move: a row is a role and its move.
    Does,
    /// Any other relation, `legal`, `goal`, `terminal` and `role` included.
    View(RelationName),
}

/// The facts of a state that share a base relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fluent {
    /// All facts that are constants.
    Constants,
    /// The facts with this function and number of arguments.
    Function(Symbol, u16),
}

/// A relation over flat rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    /// What it stands for.
    pub kind: RelationKind,
    /// How each argument is laid out. A base relation has the arguments of its function.
    pub args: Vec<Encoding>,
    /// The number of columns: the sum of the arguments' widths.
    pub width: usize,
}

/// One column of a flat atom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FlatTerm {
    /// This symbol.
    Constant(Symbol),
    /// A variable, numbered within its rule.
    Variable(Variable),
}

/// A flat relation applied to columns.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FlatAtom {
    /// The relation.
    pub relation: RelationId,
    /// Its columns.
    pub args: Vec<FlatTerm>,
}

/// A condition of a flat rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FlatLiteral {
    /// The atom holds.
    Positive(FlatAtom),
    /// The atom holds for no value of the variables that nothing else binds.
    Negative(FlatAtom),
    /// At least one of the pairs differs.
    Distinct(Vec<(FlatTerm, FlatTerm)>),
    /// Every pair is equal.
    Same(Vec<(FlatTerm, FlatTerm)>),
    /// All conditions of at least one branch hold. Binds nothing.
    Any(Vec<Vec<FlatLiteral>>),
}

/// A rule over flat rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlatRule {
    /// What follows.
    pub head: FlatAtom,
    /// What it follows from.
    pub body: Vec<FlatLiteral>,
    /// How many variables there are.
    pub variables: u16,
    /// The rule of the rulesheet that it comes from.
    pub source: Span,
}

/// A base relation with its relations for the next and the initial state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FluentRelations {
    /// Which facts.
    pub fluent: Fluent,
    /// In the current state.
    pub base: RelationId,
    /// In the next state.
    pub next: RelationId,
    /// In the initial state.
    pub init: RelationId,
}

/// Switches of the normal form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NormalOptions {
    /// Remove relations that only rename another (FI, VII.B).
    pub redundant_removal: bool,
}

impl Default for NormalOptions {
    fn default() -> Self {
        NormalOptions { redundant_removal: true }
    }
}

/// A game in normal form.
#[derive(Clone, Debug)]
pub struct Normal {
    names: Names,
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
    tags: Vec<(Symbol, u16)>,
}

impl Normal {
    /// Brings a game into normal form.
    ///
    /// # Errors
    ///
    /// A diagnostic with the rule at fault when the rules are unsafe or not stratified, when
    /// terms can grow without bound, or when the normal form would be too large.
    pub fn new(game: impl Into<Arc<Game>>, options: &NormalOptions) -> Result<Normal, Diagnostic> {
        Normal::of(&game.into(), options)
    }

    fn of(game: &Arc<Game>, options: &NormalOptions) -> Result<Normal, Diagnostic> {
        let mut names = Names::new(game.clone());
        let rules = local::divide(timing::without_given(&game.rules), &mut names)?;
        let rules = timing::divide(rules, &mut names)?;
        let mut clauses = clause::clauses(&rules, &mut names)?;
        let shapes = match shape::infer(&clauses.clauses, &names) {
            Ok(shapes) => shapes,
            Err(unbounded) if !enumerate::enumerate(&mut clauses.clauses, &names)? => {
                return Err(unbounded);
            }
            Err(_) => shape::infer(&clauses.clauses, &names)?,
        };
        let mut normal = flatten::flatten(&rules, clauses, &shapes, names)?;
        if options.redundant_removal {
            redundant::remove(&mut normal);
        }
        Ok(normal)
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    fn normal(text: &str) -> Normal {
        let game = Game::from_kif("t", text).unwrap();
        Normal::new(game, &NormalOptions { redundant_removal: false }).unwrap()
    }

    #[test]
    fn a_game_is_shared_and_not_changed() {
        let text = "(role r) (<= (goal ?r 100) won) (<= (goal ?r 0) (role ?r) (not (goal ?r 100)))";
        let game = Arc::new(Game::from_kif("t", text).unwrap());
        let n = Normal::new(game.clone(), &NormalOptions::default()).unwrap();
        assert!(Arc::ptr_eq(&game, n.game()));
        assert_eq!(game.symbols.len(), Game::from_kif("t", text).unwrap().symbols.len());
        // A rule that needs all constants, and a relation that is divided: both have names.
        let mut names = (0..n.relations.len()).map(|id| n.relation_name(RelationId(id as u32)));
        assert!(names.any(|name| name == "goal 0/2"));
        assert_eq!(n.relation_name(n.anything.unwrap()), "any constant/1");
    }

    #[test]
    fn every_function_has_its_base_relation() {
        let text = "(role r) (init (cell 1 b)) (init step) (<= (next ?f) (true ?f)) \
            (<= (next (cell 2 ?x)) (true (cell 1 ?x)))";
        let n = normal(text);
        let names: Vec<String> = n.fluents.iter().map(|f| n.relation_name(f.base)).collect();
        assert_eq!(names, ["true constants", "true cell/2"]);
        let persistence = text.find("(<= (next ?f)").unwrap() as u32;
        let persists = n.rules.iter().filter(|rule| rule.source.start == persistence).count();
        assert_eq!(persists, 2);
    }

    #[test]
    fn facts_come_back_from_rows() {
        let n = normal("(role r) (init (at (pos 1 2) x)) (init (at nowhere y)) (init done)");
        for rule in &n.rules {
            let Some(f) = n.fluents.iter().find(|f| f.init == rule.head.relation) else { continue };
            let row: Vec<Symbol> = rule
                .head
                .args
                .iter()
                .map(|term| match term {
                    FlatTerm::Constant(symbol) => *symbol,
                    FlatTerm::Variable(_) => unreachable!("facts are ground"),
                })
                .collect();
            let fact = n.decode_fact(f.fluent, f.init, &row);
            let (place, encoded) = n.encode_fact(&fact).unwrap();
            assert_eq!((n.fluents[place], encoded), (*f, row));
        }
    }

    #[test]
    fn a_variable_with_two_layouts_is_split() {
        let n = normal("(p 1) (p (f 1)) (q 1) (q (g 2)) (q (f 3)) (<= (r ?x) (p ?x) (q ?x))");
        let heads: Vec<usize> =
            n.rules.iter().filter(|r| !r.body.is_empty()).map(|r| r.head.args.len()).collect();
        // As a constant and as a term of `f`; never of `g`.
        assert_eq!(heads, [2, 2]);
    }
}
