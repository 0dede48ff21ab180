//! A sentence that is asked about.

use crate::gdl::{Game, Symbol, SymbolTable, Term, Variable};
use gdlr_text::diagnostic::{Code, Diagnostic};
use gdlr_text::kif::Expr;
use gdlr_text::nearest::nearest_name;
use std::sync::Arc;

/// A sentence that is asked about: a relation of the rules applied to terms. Where it has
/// variables, each instance that holds is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The relation.
    pub relation: Symbol,
    /// The arguments.
    pub args: Vec<Term>,
    /// The names of the variables by number, with their `?`.
    pub variables: Vec<Box<str>>,
}

impl Question {
    /// The question whether a sentence without variables holds.
    pub fn of(relation: Symbol, args: Vec<Term>) -> Question {
        Question { relation, args, variables: Vec::new() }
    }

    /// The question that an expression writes in names of a game.
    ///
    /// ```
    /// # mod gdlr { pub use gdlr_rules::{explain, gdl}; pub use gdlr_text::kif; }
    /// use gdlr::explain::Question;
    /// # use gdlr::{gdl::Game, kif};
    /// let game = Game::from_kif("g", "(role you) (<= (legal ?r (take 1)) (role ?r))").unwrap();
    /// let read = |text| Question::read(&kif::read(text).unwrap().items[0], &game);
    /// assert_eq!(read("(legal ?who (take 1))").unwrap().variables.len(), 1);
    /// let error = read("(legal you (tke 1))").unwrap_err();
    /// assert_eq!(error.message, "the game has no name `tke`");
    /// assert_eq!(error.help.unwrap(), "did you mean `take`?");
    /// ```
    ///
    /// # Errors
    ///
    /// When it is no sentence, or has a name that the game does not have.
    pub fn read(expr: &Expr, game: &Game) -> Result<Question, Diagnostic> {
        let mut reader = Reader { symbols: &game.symbols, variables: Vec::new() };
        let (name, args) = match expr.list() {
            None => (expr, &[][..]),
            Some([name, args @ ..]) => (name, args),
            Some([]) => return Err(error(expr, "a pair of brackets with nothing in it")),
        };
        let relation = reader.name(name)?;
        if relation.is_connective() {
            let spelled = relation.spelled(&game.symbols);
            return Err(error(
                name,
                format!("`{spelled}` where the name of a relation should stand"),
            )
            .with_help("ask about one sentence, such as `(legal ROLE MOVE)` or `terminal`"));
        }
        let args = args.iter().map(|arg| reader.term(arg)).collect::<Result<_, _>>()?;
        Ok(Question { relation, args, variables: reader.variables })
    }
}

impl Question {
    /// The same of a sentence that may have constants which the game does not have. None of its
    /// rules gives them, and that can be explained: by the game that is given back, which has
    /// these names, too.
    ///
    /// ```
    /// # mod gdlr { pub use gdlr_rules::{explain, gdl}; pub use gdlr_text::kif; }
    /// use gdlr::explain::Question;
    /// # use gdlr::{gdl::Game, kif};
    /// # use std::sync::Arc;
    /// let rules = "(role you) (<= (legal ?r (take 1)) (role ?r))";
    /// let game = Arc::new(Game::from_kif("g", rules).unwrap());
    /// let read = |text| Question::read_any(&kif::read(text).unwrap().items[0], &game);
    /// let (question, same) = read("(legal you (take 1))").unwrap();
    /// assert!(Arc::ptr_eq(&game, &same) && question.args.len() == 2);
    /// assert!(read("(legal you (take 99))").unwrap().1.symbols.get("99").is_some());
    /// assert!(read("(legal you (tke 1))").is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// When it is no sentence, or has a relation or function that the game does not have.
    pub fn read_any(expr: &Expr, game: &Arc<Game>) -> Result<(Question, Arc<Game>), Diagnostic> {
        let args = expr.list().and_then(|items| items.get(1..)).unwrap_or_default();
        let mut strange = Vec::new();
        args.iter().for_each(|arg| constants(arg, &mut strange));
        strange.retain(|name| game.symbols.get(name.atom().unwrap_or_default()).is_none());
        let game = match strange.is_empty() {
            true => game.clone(),
            false => {
                let mut more = Game::clone(game);
                for name in strange {
                    let symbol = more.symbols.intern(name.atom().unwrap_or_default());
                    symbol.map_err(|full| error(name, full.to_string()))?;
                }
                Arc::new(more)
            }
        };
        Ok((Question::read(expr, &game)?, game))
    }
}

/// The constants of a term.
fn constants<'e>(term: &'e Expr, found: &mut Vec<&'e Expr>) {
    match (term.atom(), term.list()) {
        (Some(name), _) if !name.starts_with('?') => found.push(term),
        (_, Some([_, args @ ..])) => args.iter().for_each(|arg| constants(arg, found)),
        _ => {}
    }
}

fn error(at: &Expr, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::NotAQuestion, at.span, message)
}

struct Reader<'g> {
    symbols: &'g SymbolTable,
    variables: Vec<Box<str>>,
}

impl Reader<'_> {
    /// A name of the game.
    fn name(&self, expr: &Expr) -> Result<Symbol, Diagnostic> {
        let Some(name) = expr.atom() else {
            return Err(error(expr, "a name should stand here"));
        };
        if name.starts_with('?') {
            return Err(error(expr, format!("a variable, `{name}`, where a name should stand")));
        }
        self.symbols.get(name).ok_or_else(|| {
            let error = error(expr, format!("the game has no name `{name}`"));
            let names = (0..self.symbols.len()).map(|number| Symbol::from_index(number as u16));
            let names = names.filter(|name| !name.is_connective());
            match nearest_name(name, names.map(|name| name.spelled(self.symbols))) {
                Some(near) => error.with_help(format!("did you mean `{near}`?")),
                None => error,
            }
        })
    }

    /// A term, in which there may be variables. The reader of KIF bounds how deep it is.
    fn term(&mut self, expr: &Expr) -> Result<Term, Diagnostic> {
        match (expr.atom(), expr.list()) {
            (Some(name), _) if name.starts_with('?') => {
                let position = self.variables.iter().position(|other| **other == *name);
                let number = position.unwrap_or_else(|| {
                    self.variables.push(name.into());
                    self.variables.len() - 1
                });
                let too_many = |_| error(expr, "more variables than can be counted");
                Ok(Term::Variable(Variable(u16::try_from(number).map_err(too_many)?)))
            }
            (_, Some([function, args @ ..])) => {
                let function = self.name(function)?;
                let args = args.iter().map(|arg| self.term(arg)).collect::<Result<_, _>>()?;
                Ok(Term::Function(function, args))
            }
            (_, Some([])) => Err(error(expr, "a pair of brackets with nothing in it")),
            _ => self.name(expr).map(Term::Constant),
        }
    }
}
