//! From expressions to rules.

use super::symbol::{Symbol, SymbolTable};
use super::term::{Literal, LiteralKind, Rule, Sentence, Term, Variable};
use gdlr_text::diagnostic::{Code, Diagnostic, counted};
use gdlr_text::kif::{Document, Expr, ExprKind};
use hashbrown::HashMap;

/// The most errors that are reported of one rulesheet.
const MAX_ERRORS: usize = 100;
/// The most rules of a rulesheet, facts included.
const MAX_RULES: usize = 1 << 18;
/// The most arguments of a relation or function.
const MAX_ARITY: usize = u16::MAX as usize;

/// How a rulesheet is to be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Tell upper from lower case, keywords excepted.
    pub case_sensitive: bool,
    /// Make tables for built-in relations such as `(plus ?x 1 ?y)` that the rulesheet asks for and does not
    /// define; see [`with_built_ins`](gdlr_text::operations::with_built_ins). GDL has none.
    pub built_ins: bool,
}

/// Makes rules of all expressions of a document.
pub(super) fn lower(
    document: &Document,
    reading: Reading,
) -> Result<(SymbolTable, Vec<Rule>), Vec<Diagnostic>> {
    if let Some(item) = document.items.get(MAX_RULES) {
        return Err(vec![*error(
            Code::TooLarge,
            item,
            format!("the rulesheet has {} rules, more than {MAX_RULES}", document.items.len()),
            "no game needs so many",
        )]);
    }
    let mut lowering = Lowering {
        symbols: SymbolTable::new(reading.case_sensitive),
        variables: Vec::new(),
        numbers: HashMap::new(),
    };
    let mut rules = Vec::new();
    let mut errors = Vec::new();
    for item in &document.items {
        match lowering.rule(item) {
            Ok(rule) => rules.push(rule),
            Err(error) => {
                let full = error.code == Code::TooManySymbols;
                errors.push(*error);
                if full || errors.len() == MAX_ERRORS {
                    break;
                }
            }
        }
    }
    if errors.is_empty() { Ok((lowering.symbols, rules)) } else { Err(errors) }
}

type Lowered<T> = Result<T, Box<Diagnostic>>;

fn error(code: Code, at: &Expr, message: impl Into<String>, help: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(code, at.span, message).with_help(help))
}

/// The arity of a keyword that stands for a relation. `base` and `input` are keywords of hints
/// alone: with another number of arguments they are names like any other.
fn keyword_arity(symbol: Symbol) -> Option<usize> {
    match symbol {
        Symbol::TERMINAL => Some(0),
        Symbol::ROLE | Symbol::INIT | Symbol::TRUE | Symbol::NEXT => Some(1),
        Symbol::DOES | Symbol::LEGAL | Symbol::GOAL | Symbol::SEES => Some(2),
        _ => None,
    }
}

struct Lowering {
    symbols: SymbolTable,
    /// The variables of the rule at hand.
    variables: Vec<Box<str>>,
    /// Their numbers.
    numbers: HashMap<Box<str>, u16>,
}

impl Lowering {
    fn rule(&mut self, item: &Expr) -> Lowered<Rule> {
        self.variables.clear();
        self.numbers.clear();
        let (head, body) = match item.list() {
            Some([first, rest @ ..]) if first.atom() == Some("<=") => {
                let [head, body @ ..] = rest else {
                    return Err(error(
                        Code::BadHead,
                        item,
                        "this rule has no head",
                        "write `(<= head condition ...)`",
                    ));
                };
                (self.sentence(head, Code::BadHead)?, body)
            }
            _ => (self.sentence(item, Code::NotASentence)?, &[][..]),
        };
        let body = body.iter().map(|literal| self.literal(literal)).collect::<Lowered<_>>()?;
        let variables = std::mem::take(&mut self.variables);
        Ok(Rule { head, body, span: item.span, variables })
    }

    fn literal(&mut self, expr: &Expr) -> Lowered<Literal> {
        let connective = match expr.list() {
            Some([first, ..]) => first.atom().and_then(|name| self.symbols.get(name)),
            _ => None,
        };
        let args = expr.list().and_then(|items| items.get(1..)).unwrap_or(&[]);
        let kind = match (connective, args) {
            (Some(Symbol::OR), _) => {
                LiteralKind::Or(args.iter().map(|item| self.literal(item)).collect::<Lowered<_>>()?)
            }
            (Some(Symbol::NOT), [inner]) => LiteralKind::Not(Box::new(self.literal(inner)?)),
            (Some(Symbol::DISTINCT), [left, right]) => {
                LiteralKind::Distinct(self.term(left)?, self.term(right)?)
            }
            (Some(Symbol::NOT), _) => {
                return Err(error(
                    Code::KeywordArity,
                    expr,
                    format!("`not` takes 1 condition, not {}", args.len()),
                    "write one `not` for each condition",
                ));
            }
            (Some(Symbol::DISTINCT), _) => {
                return Err(error(
                    Code::KeywordArity,
                    expr,
                    format!("`distinct` takes 2 terms, not {}", args.len()),
                    "write one `distinct` for each pair of terms",
                ));
            }
            _ => LiteralKind::Sentence(self.sentence(expr, Code::BadCondition)?),
        };
        Ok(Literal { span: expr.span, kind })
    }

    fn sentence(&mut self, expr: &Expr, code: Code) -> Lowered<Sentence> {
        let (name, args) = match &expr.kind {
            ExprKind::Atom(name) => (&**name, &[][..]),
            ExprKind::List(items) => match &items[..] {
                [first, args @ ..] => match first.atom() {
                    Some(name) => (name, args),
                    None => {
                        return Err(error(
                            code,
                            first,
                            "a list where the name of a relation should stand",
                            "a sentence is `(relation term ...)`",
                        ));
                    }
                },
                [] => {
                    return Err(error(
                        code,
                        expr,
                        "an empty pair of brackets is no sentence",
                        "a sentence is `(relation term ...)`",
                    ));
                }
            },
        };
        if name.starts_with('?') {
            return Err(error(
                code,
                expr,
                format!("the variable `{name}` where a sentence should stand"),
                "the name of a relation cannot be a variable",
            ));
        }
        let relation = self.symbol(name, expr)?;
        if relation.is_connective() {
            return Err(error(
                code,
                expr,
                format!("`{name}` where a sentence should stand"),
                match relation {
                    Symbol::IMPLIED_BY => {
                        "a rule is `(<= head condition ...)` and stands by itself"
                    }
                    _ => "`or`, `not` and `distinct` stand in the body of a rule only",
                },
            ));
        }
        if let Some(arity) = keyword_arity(relation)
            && arity != args.len()
        {
            return Err(error(
                Code::KeywordArity,
                expr,
                format!("`{name}` takes {}, not {}", counted(arity, "argument"), args.len()),
                "see section 6 of the GDL specification",
            ));
        }
        self.arity(args, expr)?;
        let args = args.iter().map(|arg| self.term(arg)).collect::<Lowered<_>>()?;
        Ok(Sentence { relation, args, span: expr.span })
    }

    fn term(&mut self, expr: &Expr) -> Lowered<Term> {
        match &expr.kind {
            ExprKind::Atom(name) if name.starts_with('?') => self.variable(name, expr),
            ExprKind::Atom(name) => Ok(Term::Constant(self.symbol(name, expr)?)),
            ExprKind::List(items) => {
                let Some((Some(name), args)) =
                    items.split_first().map(|(first, args)| (first.atom(), args))
                else {
                    return Err(error(
                        Code::BadTerm,
                        expr,
                        "a list that does not begin with the name of a function",
                        "a compound term is `(function term ...)`",
                    ));
                };
                if name.starts_with('?') {
                    return Err(error(
                        Code::BadTerm,
                        expr,
                        format!("the variable `{name}` where the name of a function should stand"),
                        "the name of a function cannot be a variable",
                    ));
                }
                let function = self.symbol(name, expr)?;
                self.arity(args, expr)?;
                let args = args.iter().map(|arg| self.term(arg)).collect::<Lowered<_>>()?;
                Ok(Term::Function(function, args))
            }
        }
    }

    fn variable(&mut self, name: &str, at: &Expr) -> Lowered<Term> {
        let folded: Box<str> =
            if self.symbols.is_case_sensitive() { name.into() } else { name.to_lowercase().into() };
        if let Some(&number) = self.numbers.get(&folded) {
            return Ok(Term::Variable(Variable(number)));
        }
        // As many as 16 bits can count, so that there is a number for how many there are.
        let number = match u16::try_from(self.variables.len()) {
            Ok(number) if number < u16::MAX => number,
            _ => {
                return Err(error(
                    Code::TooManySymbols,
                    at,
                    "a rule with more than 65,535 variables",
                    "split the rule",
                ));
            }
        };
        self.numbers.insert(folded.clone(), number);
        self.variables.push(folded);
        Ok(Term::Variable(Variable(number)))
    }

    fn arity(&self, args: &[Expr], at: &Expr) -> Lowered<()> {
        if args.len() <= MAX_ARITY {
            return Ok(());
        }
        Err(error(
            Code::TooLarge,
            at,
            format!("{} arguments, more than {MAX_ARITY}", args.len()),
            "no game needs so many",
        ))
    }

    fn symbol(&mut self, name: &str, at: &Expr) -> Lowered<Symbol> {
        self.symbols
            .intern(name)
            .map_err(|full| error(Code::TooManySymbols, at, full.to_string(), "use fewer names"))
    }
}

#[cfg(test)]
mod tests {
    use crate::gdl::{Game, LiteralKind, Symbol, Term, Variable};
    use gdlr_text::diagnostic::Code;

    fn codes(text: &str) -> Vec<Code> {
        Game::from_kif("test", text).unwrap_err().iter().map(|d| d.code).collect()
    }

    #[test]
    fn several_errors_in_one_run() {
        assert_eq!(
            codes("() (?x) (<=) (<= (p)) (<= p ()) (p (())) (role) (<= p (not a b)) (or a b)"),
            [
                Code::NotASentence,
                Code::NotASentence,
                Code::BadHead,
                Code::BadCondition,
                Code::BadTerm,
                Code::KeywordArity,
                Code::KeywordArity,
                Code::NotASentence,
            ]
        );
    }

    #[test]
    fn a_rule_in_parts() {
        let game =
            Game::from_kif("t", "(<= (p ?X (f ?y)) (Q ?x) (or (r ?y) (not (distinct ?x ?y))))")
                .unwrap();
        let rule = &game.rules[0];
        assert_eq!(rule.variables, ["?x".into(), "?y".into()]);
        assert_eq!(rule.head.args[0], Term::Variable(Variable(0)));
        assert!(matches!(&rule.head.args[1], Term::Function(_, args) if args.len() == 1));
        assert!(matches!(&rule.body[1].kind, LiteralKind::Or(items) if items.len() == 2));
    }

    #[test]
    fn brackets_around_a_name_alone() {
        let game = Game::from_kif("t", "(p) (q (f) f)").unwrap();
        assert!(game.rules[0].head.args.is_empty());
        let [function, constant] = &game.rules[1].head.args[..] else { panic!("two arguments") };
        assert_ne!(function, constant);
    }

    #[test]
    fn roles_keep_their_order() {
        let game = Game::from_kif("t", "(role b) (role a) (ROLE B) (role (team 1))").unwrap();
        let names: Vec<_> = game.roles.iter().map(|role| role.canonical(&game.symbols)).collect();
        assert_eq!(names, ["b", "a", "(team 1)"]);
        assert_eq!(game.rules[2].head.relation, Symbol::ROLE);
    }

    #[test]
    fn variables_arguments_and_rules_are_counted() {
        let conditions = |count: usize| (0..count).map(|i| format!("(q ?{i})")).collect::<String>();
        assert!(Game::from_kif("t", &format!("(<= p {})", conditions(65_535))).is_ok());
        assert_eq!(codes(&format!("(<= p {})", conditions(65_536))), [Code::TooManySymbols]);
        assert!(Game::from_kif("t", &format!("(p {})", "a ".repeat(65_535))).is_ok());
        assert_eq!(codes(&format!("(p {})", "a ".repeat(65_536))), [Code::TooLarge]);
        assert_eq!(codes(&format!("(p (f {}))", "a ".repeat(65_536))), [Code::TooLarge]);
        assert!(Game::from_kif("t", &"(p)".repeat(262_144)).is_ok());
        assert_eq!(codes(&"(p)".repeat(262_145)), [Code::TooLarge]);
    }

    #[test]
    fn a_name_too_many() {
        let text: String = (0..70_000).map(|i| format!("(p {i})")).collect();
        assert_eq!(codes(&text), [Code::TooManySymbols]);
    }
}
