//! A rulesheet that has been read.

use super::lower::{Reading, lower};
use super::symbol::{Symbol, SymbolTable};
use super::term::{Rule, Term};
use gdlr_text::diagnostic::{Code, Diagnostic};
use gdlr_text::kif::{self, Document};
use gdlr_text::notation;
use gdlr_text::operations;
use hashbrown::HashSet;
use std::sync::Arc;

/// A rulesheet, read.
#[derive(Clone, Debug)]
pub struct Game {
    /// The name of the game: the rulesheet's file name without its ending, as a rule.
    pub name: String,
    /// The names.
    pub symbols: SymbolTable,
    /// The roles in order of appearance.
    pub roles: Vec<Term>,
    /// The facts and rules in order of appearance, those of `role` included.
    pub rules: Vec<Rule>,
    /// The text that it was made of, as expressions.
    pub document: Arc<Document>,
}

/// The name of the role of chance, in any spelling of its letters (Thielscher, *A general game
/// description language for incomplete information games*, 2010).
pub fn names_chance(role: &str) -> bool {
    role.eq_ignore_ascii_case("random")
}

impl Game {
    /// The role of chance, `random`, if there is one. It moves at random, each legal move with the
    /// same chance, needs no goal, and gets no percepts (GDL-II).
    pub fn chance(&self) -> Option<&Term> {
        self.roles.iter().find(|role| names_chance(&role.spelled(&self.symbols)))
    }

    /// Whether there are rules for `sees`: then a role is told of a step what they say, and
    /// nothing else (GDL-II). Linear in the rules.
    pub fn has_percepts(&self) -> bool {
        self.rules.iter().any(|rule| rule.head.relation == Symbol::SEES)
    }

    /// A game that is not described in GDL, for who shows its states and runs its matches. It has
    /// names and roles, and of rules only what somebody can say who looks for boards
    /// (`board::Boards::find`): nobody is to play them.
    pub fn not_in_gdl(
        name: &str,
        symbols: SymbolTable,
        roles: Vec<Term>,
        rules: Vec<Rule>,
    ) -> Game {
        Game { name: name.to_owned(), symbols, roles, rules, document: Arc::default() }
    }

    /// Reads a rulesheet in KIF, folding case.
    ///
    /// Only what cannot be read at all is an error here: [`crate::check`] looks at the
    /// restrictions of GDL.
    ///
    /// # Errors
    ///
    /// The reader's errors (`K…`), and forms that are no rules (`G…`).
    ///
    /// ```
    /// # mod gdlr { pub use gdlr_rules::gdl; }
    /// let game = gdlr::gdl::Game::from_kif("solo", "(role robot) (<= terminal (true done))").unwrap();
    /// assert_eq!(game.roles.len(), 1);
    /// assert_eq!(game.rules.len(), 2);
    /// ```
    pub fn from_kif(name: &str, text: &str) -> Result<Game, Vec<Diagnostic>> {
        Game::from_document(name, kif::read(text)?, Reading::default())
    }

    /// Reads a rulesheet in the notation that it has, folding case.
    ///
    /// # Errors
    ///
    /// As [`Game::from_kif`]; besides, those of the reader of [infix notation](gdlr_text::infix).
    ///
    /// ```
    /// # mod gdlr { pub use gdlr_rules::gdl; }
    /// let game = gdlr::gdl::Game::from_text("solo", "role(robot). terminal :- true(done).").unwrap();
    /// assert_eq!(game.rules.len(), 2);
    /// ```
    pub fn from_text(name: &str, text: &str) -> Result<Game, Vec<Diagnostic>> {
        Game::from_document(name, notation::read(text)?, Reading::default())
    }

    /// Makes rules of expressions.
    ///
    /// # Errors
    ///
    /// Forms that are no rules (`G…`), and built-in relations that cannot be tables (`K…`), if they are read.
    pub fn from_document(
        name: &str,
        document: impl Into<Arc<Document>>,
        reading: Reading,
    ) -> Result<Game, Vec<Diagnostic>> {
        let mut document = document.into();
        if reading.built_ins {
            document = operations::with_built_ins(&document)?.into();
        }
        let (symbols, rules) = lower(&document, reading)?;
        let mut roles: Vec<Term> = Vec::new();
        let mut distinct = HashSet::new();
        for rule in &rules {
            if let (Symbol::ROLE, [role], true) =
                (rule.head.relation, &rule.head.args[..], rule.body.is_empty())
                && role.is_ground()
                && distinct.insert(role.clone())
            {
                roles.push(role.clone());
            }
        }
        Ok(Game { name: name.to_owned(), symbols, roles, rules, document })
    }

    /// The diagnostics among `found` that leave the game without a meaning to play.
    pub fn forbidding(found: &[Diagnostic]) -> impl Iterator<Item = &Diagnostic> {
        found.iter().filter(|d| Code::forbids_play(d.code))
    }
}
