//! Terms, sentences, literals and rules.

use super::{Symbol, SymbolTable};
use gdlr_text::diagnostic::Span;
use gdlr_text::heap::Heap;
use gdlr_text::kif::Expr;

/// A variable, numbered within its rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Variable(pub u16);

/// A term (SPEC, definition 17). Nested at most as deep as the reader allows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Term {
    /// A variable of the rule that the term stands in.
    Variable(Variable),
    /// An object constant.
    Constant(Symbol),
    /// A function applied to terms; without arguments it is still not a constant.
    Function(Symbol, Vec<Term>),
}

impl Heap for Term {
    fn heap(&self) -> usize {
        match self {
            Term::Variable(_) | Term::Constant(_) => 0,
            Term::Function(_, args) => args.heap(),
        }
    }
}

impl Term {
    /// Whether no variable occurs.
    pub fn is_ground(&self) -> bool {
        match self {
            Term::Variable(_) => false,
            Term::Constant(_) => true,
            Term::Function(_, args) => args.iter().all(Term::is_ground),
        }
    }

    /// How deep functions nest: 0 for a variable or a constant.
    pub fn depth(&self) -> usize {
        match self {
            Term::Variable(_) | Term::Constant(_) => 0,
            Term::Function(_, args) => 1 + args.iter().map(Term::depth).max().unwrap_or(0),
        }
    }

    /// Calls `visit` with every variable, from left to right, repeats included.
    pub fn for_each_variable(&self, visit: &mut impl FnMut(Variable)) {
        match self {
            Term::Variable(variable) => visit(*variable),
            Term::Constant(_) => {}
            Term::Function(_, args) => args.iter().for_each(|arg| arg.for_each_variable(visit)),
        }
    }

    /// The ground term that an expression writes in known names; `None` if it has a variable or
    /// a name that the table does not know.
    pub fn from_expr(expr: &Expr, symbols: &SymbolTable) -> Option<Term> {
        let name = |expr: &Expr| match expr.atom()? {
            text if text.starts_with('?') => None,
            text => symbols.get(text),
        };
        match expr.list() {
            None => name(expr).map(Term::Constant),
            Some(items) => {
                let (function, args) = items.split_first()?;
                let args = args.iter().map(|arg| Term::from_expr(arg, symbols));
                Some(Term::Function(name(function)?, args.collect::<Option<_>>()?))
            }
        }
    }

    /// The value that the term has as a goal: an integer from 0 to 100, or none.
    pub fn goal_value(&self, symbols: &SymbolTable) -> Option<u8> {
        match self {
            Term::Constant(name) => {
                name.spelled(symbols).parse().ok().filter(|&value| value <= 100)
            }
            Term::Variable(_) | Term::Function(..) => None,
        }
    }

    /// The canonical string of traces: names in lower case, single spaces.
    /// Variables print as `?0`, `?1`, ….
    pub fn canonical(&self, symbols: &SymbolTable) -> String {
        self.print(&|symbol| symbol.canonical(symbols), &|v| format!("?{}", v.0))
    }

    /// The term with its names as the rulesheet spells them.
    /// Variables print as `?0`, `?1`, ….
    pub fn spelled(&self, symbols: &SymbolTable) -> String {
        self.print(&|symbol| symbol.spelled(symbols).to_owned(), &|v| format!("?{}", v.0))
    }

    /// The term with names and variables printed by the given functions.
    pub fn print(
        &self,
        name: &impl Fn(Symbol) -> String,
        variable: &impl Fn(Variable) -> String,
    ) -> String {
        match self {
            Term::Variable(v) => variable(*v),
            Term::Constant(symbol) => name(*symbol),
            Term::Function(symbol, args) => {
                let mut text = format!("({}", name(*symbol));
                for arg in args {
                    text.push(' ');
                    text.push_str(&arg.print(name, variable));
                }
                text.push(')');
                text
            }
        }
    }
}

/// A relation applied to terms (SPEC, definition 3: an atomic sentence).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// The name of the relation.
    pub relation: Symbol,
    /// The arguments.
    pub args: Vec<Term>,
    /// Where the sentence stands.
    pub span: Span,
}

/// A condition of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Literal {
    /// Where the literal stands.
    pub span: Span,
    /// The kind of the condition, with its parts.
    pub kind: LiteralKind,
}

/// The kinds of condition. `or` and `not` may nest, at most as deep as the reader allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LiteralKind {
    /// The sentence holds.
    Sentence(Sentence),
    /// The literal does not hold.
    Not(Box<Literal>),
    /// At least one of the literals holds; of none, never.
    Or(Vec<Literal>),
    /// The two terms differ.
    Distinct(Term, Term),
}

impl Literal {
    /// Calls `visit` with every sentence and whether it stands under an odd number of `not`.
    pub fn for_each_sentence<'a>(&'a self, visit: &mut impl FnMut(&'a Sentence, bool)) {
        self.sentences(false, visit);
    }

    fn sentences<'a>(&'a self, negated: bool, visit: &mut impl FnMut(&'a Sentence, bool)) {
        match &self.kind {
            LiteralKind::Sentence(sentence) => visit(sentence, negated),
            LiteralKind::Not(inner) => inner.sentences(!negated, visit),
            LiteralKind::Or(items) => items.iter().for_each(|l| l.sentences(negated, visit)),
            LiteralKind::Distinct(..) => {}
        }
    }
}

/// A rule; a fact is a rule without conditions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The head.
    pub head: Sentence,
    /// The body.
    pub body: Vec<Literal>,
    /// Where the rule stands.
    pub span: Span,
    /// The names of the rule's variables by number, with their `?`.
    pub variables: Vec<Box<str>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_are_integers_up_to_100() {
        let mut table = SymbolTable::new(false);
        let names = ["0", "70", "100", "101", "-1", "draw"];
        let values = names.map(|name| {
            let constant = Term::Constant(table.intern(name).unwrap());
            let nested = Term::Function(Symbol::GOAL, vec![constant.clone()]);
            assert_eq!(nested.goal_value(&table), None);
            constant.goal_value(&table)
        });
        assert_eq!(values, [Some(0), Some(70), Some(100), None, None, None]);
    }
}
