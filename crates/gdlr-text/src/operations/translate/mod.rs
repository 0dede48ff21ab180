//! From statements to rules of GDL.
//!
//! | operations | GDL |
//! |---|---|
//! | `cell(M,N,b)` in a condition, a fact of the state | `(true (cell ?m ?n b))` |
//! | `legal(a) :- p` | `(<= (legal ?role a) (true (control ?role)) p)` |
//! | – | `(<= (legal ?role noop) (role ?role) (not (true (control ?role))))` |
//! | `a :: p ==> q & ~r` | `(<= (next q) (does ?role a) p)`, `(<= (removed r) (does ?role a) p)` |
//! | `a :: b(X)`, where `b` is an operation | `(<= (happens_b ?x) (does ?role a))` |
//! | – | `(<= (next (cell ?x1)) (true (cell ?x1)) (not (removed (cell ?x1))))` for each kind of fact |
//! | – | `(<= (goal ?role 0) (role ?role) (not (rewarded ?role)))`, unless all goals are given |
//!
//! A fact that is added and taken away in one step holds afterwards: `next` has both rules.
//!
//! | file | what it is for |
//! |---|---|
//! | `names` | what each name stands for |
//! | `alternatives` | conditions as alternatives of literals |
//! | `conditions` | bodies of rules |
//! | `effects` | operations, and the facts that stay |
//! | `legal` | moves of the role in control and of the others |
//! | `goals` | the goal of who is given none |
//! | `heads` | what rules and facts of the sheet become |
//! | `gdl` | rules that are in GDL already, with built-in relations |

mod alternatives;
mod conditions;
mod effects;
mod gdl;
mod goals;
mod heads;
mod legal;
mod names;

use super::sheet::{Functor, Kind, Sheet, Statement, atom, sentence};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::kif::{Expr, ExprKind};
use hashbrown::HashMap;

pub(super) use alternatives::{replaced, same, unify};
pub(super) use gdl::with_tables as gdl_with_tables;
pub(super) use names::Names;

pub(super) use conditions::Tally;

/// The most rules that a sheet becomes.
const MAX_RULES: usize = 1 << 18;

/// The most errors that are reported.
const MAX_ERRORS: usize = 100;

/// A rule of GDL.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub head: Expr,
    pub body: Vec<Expr>,
    /// The statement that it comes from.
    pub span: Span,
}

impl Rule {
    /// The rule as an expression of KIF.
    pub(super) fn into_expr(self) -> Expr {
        if self.body.is_empty() {
            return Expr { span: self.span, kind: self.head.kind };
        }
        let start = Span { start: self.span.start, end: self.span.start };
        let items = [atom("<=", start), self.head].into_iter().chain(self.body).collect();
        Expr { span: self.span, kind: ExprKind::List(items) }
    }
}

/// The rules of a sheet, and the counts in them.
pub(super) struct Translated {
    pub rules: Vec<Rule>,
    pub tallies: Vec<Tally>,
    pub names: Names,
}

/// Translates a sheet.
///
/// # Errors
///
/// Effects that are no facts of the state, names that mean something else here, and conditions that no
/// rule can have.
pub(super) fn translate(sheet: &Sheet) -> Result<Translated, Vec<Diagnostic>> {
    let mut names = Names::of(sheet);
    let mut happens = HashMap::new();
    let mut requested: Vec<_> = names.requested.iter().cloned().collect();
    requested.sort();
    for operation in requested {
        let relation = names.fresh(&format!("happens_{}", operation.0));
        happens.insert(operation, relation);
    }
    let goals = sheet.statements.iter().filter(|goal| goals::is_goal(goal)).cloned().collect();
    let mut translation = Translation { happens, goals, ..Translation::new(names) };
    translation.must_have_control(sheet);
    for statement in &sheet.statements {
        match &statement.kind {
            Kind::Rule { body } => translation.rule_of(statement, body.as_ref()),
            Kind::Operation { condition, effects } => {
                translation.operation(statement, condition.as_ref(), effects);
            }
        }
        if translation.rules.len() > MAX_RULES {
            let message = format!("the rulesheet becomes more than {MAX_RULES} rules");
            translation.error(
                Diagnostic::new(Code::TooLarge, statement.span, message)
                    .with_help("no game needs so many"),
            );
            break;
        }
    }
    translation.idle(sheet);
    translation.moves_that_operations_ask_for();
    translation.frame();
    translation.default_goals(sheet);
    if translation.errors.is_empty() {
        let Translation { rules, tallies, names, .. } = translation;
        Ok(Translated { rules, tallies, names })
    } else {
        translation.errors.sort_by_key(|error| error.span.start);
        Err(translation.errors)
    }
}

/// Names that the sheet does not have.
#[derive(Default)]
struct Words {
    /// The relation of facts that are taken away.
    removed: Box<str>,
    /// The relation of legal moves, without a role.
    can: Box<str>,
    /// The relation of what `init` says, where conditions ask for it.
    initially: Box<str>,
    /// The relation of roles that have a goal value.
    rewarded: Box<str>,
    /// The move of a role that is not in control.
    idle: Box<str>,
    /// A variable of roles.
    role: Box<str>,
}

#[derive(Default)]
struct Translation {
    /// Whether the sentences are those of GDL already.
    is_gdl: bool,
    names: Names,
    words: Words,
    /// The relations of operations that effects ask for: that they happen.
    happens: HashMap<Functor, Box<str>>,
    rules: Vec<Rule>,
    tallies: Vec<Tally>,
    /// The relations that stand for conditions with variables of their own, by what these are.
    helpers: HashMap<String, Box<str>>,
    /// The statements of `goal`.
    goals: Vec<Statement>,
    /// The relations of goals of one value, by that value.
    goal_values: HashMap<Box<str>, Box<str>>,
    errors: Vec<Diagnostic>,
}

impl Translation {
    fn new(mut names: Names) -> Translation {
        let words = Words {
            removed: names.fresh("removed"),
            can: names.fresh("can"),
            initially: names.fresh("initially"),
            rewarded: names.fresh("rewarded"),
            idle: names.fresh("noop"),
            role: names.fresh("?role"),
        };
        Translation { names, words, ..Translation::default() }
    }

    /// A translation of rules that have the sentences of GDL.
    fn of_gdl(names: Names) -> Translation {
        Translation { is_gdl: true, names, ..Translation::default() }
    }

    fn error(&mut self, diagnostic: Diagnostic) {
        if self.errors.len() < MAX_ERRORS {
            self.errors.push(diagnostic);
        }
    }

    fn push(&mut self, head: Expr, body: Vec<Expr>, span: Span) {
        self.rules.push(Rule { head, body, span });
    }

    /// The variable that stands for a role.
    fn role(&self, span: Span) -> Expr {
        atom(&self.words.role, span)
    }
}

/// `name` with so many variables, for a rule that has no others but that of the role.
fn general(name: &str, arity: usize, span: Span) -> Expr {
    let variable = |number| atom(&format!("?x{number}"), span);
    sentence(name, (1..=arity).map(variable).collect(), span)
}
