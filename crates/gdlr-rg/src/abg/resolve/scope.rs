//! The names of a game, and errors in their declarations.

use super::{Resolved, Resolver};
use crate::abg::ast::{Definition, EffectDefinition, Tree, Word};
use crate::abg::game::MAX_PIECES;
use gdlr_text::diagnostic::{Code, Diagnostic};
use gdlr_text::nearest::nearest_name;
use hashbrown::HashMap;

/// The built-in names.
pub(super) const PRELUDE: &[&str] = &[
    "Empty", "Opponent", "Own", "True", "False", "empty", "enemy", "true", "false", "mover", "row",
    "column", "moves", "none", "None", "taken",
];

/// The names of the free square.
const FREE: [&str; 2] = ["empty", "None"];

/// Names, and their meanings.
pub(super) struct Scope<'a> {
    pub players: Vec<&'a str>,
    /// Pieces with their owners.
    pub pieces: Vec<(&'a str, Vec<usize>)>,
    /// The piece on free squares.
    pub free: usize,
    pieces_by_name: HashMap<&'a str, usize>,
    players_by_name: HashMap<&'a str, usize>,
    variables: HashMap<&'a str, usize>,
    definitions: HashMap<&'a str, &'a Definition>,
    effects: HashMap<&'a str, &'a EffectDefinition>,
}

impl<'a> Scope<'a> {
    pub fn new(tree: &'a Tree, errors: &mut Vec<Diagnostic>) -> Scope<'a> {
        let mut scope = Scope {
            players: Vec::new(),
            pieces: Vec::new(),
            free: 0,
            pieces_by_name: HashMap::new(),
            players_by_name: HashMap::new(),
            variables: HashMap::new(),
            definitions: HashMap::new(),
            effects: HashMap::new(),
        };
        let mut taken: HashMap<&str, &Word> = HashMap::new();
        for player in &tree.players {
            if declare(&mut taken, player, errors) {
                scope.players_by_name.insert(&player.text, scope.players.len());
                scope.players.push(&player.text);
            }
        }
        scope.declare_pieces(tree, &mut taken, errors);
        for (number, variable) in tree.variables.iter().enumerate() {
            if declare(&mut taken, &variable.name, errors) {
                scope.variables.insert(&variable.name.text, number);
            }
        }
        for definition in &tree.definitions {
            if declare(&mut taken, &definition.name, errors) {
                scope.definitions.insert(&definition.name.text, definition);
            }
            twice(&definition.parameters, errors);
        }
        let mut effects: HashMap<&str, &Word> = HashMap::new();
        for effect in &tree.effects {
            if declare(&mut effects, &effect.name, errors) {
                scope.effects.insert(&effect.name.text, effect);
            }
            twice(&effect.parameters, errors);
        }
        scope
    }

    fn declare_pieces(
        &mut self,
        tree: &'a Tree,
        taken: &mut HashMap<&'a str, &'a Word>,
        errors: &mut Vec<Diagnostic>,
    ) {
        let is_free = |name: &str| FREE.contains(&name);
        if !tree.pieces.is_empty() && !tree.pieces.iter().any(|it| is_free(&it.name.text)) {
            // The free square needs no declaration.
            self.pieces.push((FREE[0], Vec::new()));
        }
        for piece in &tree.pieces {
            if !declare(taken, &piece.name, errors) {
                continue;
            }
            if self.pieces.len() == MAX_PIECES {
                let message = format!("there are more than {MAX_PIECES} pieces");
                let error = Diagnostic::new(Code::AbgGrowth, piece.name.span, message);
                errors.push(error.with_help("let fewer pieces stand for the same"));
                return;
            }
            let mut owners = Vec::new();
            for owner in &piece.owners {
                match self.players_by_name.get(&*owner.text) {
                    Some(player) if owners.contains(player) => {
                        let message = format!("`{}` owns the piece twice", owner.text);
                        errors.push(
                            Diagnostic::new(Code::AbgDuplicate, owner.span, message)
                                .with_help("name each owner once"),
                        );
                    }
                    Some(player) => owners.push(*player),
                    None => errors.push(unknown("player", owner, self.players.iter().copied())),
                }
            }
            if is_free(&piece.name.text) {
                self.free = self.pieces.len();
            }
            self.pieces_by_name.insert(&piece.name.text, self.pieces.len());
            self.pieces.push((&piece.name.text, owners));
        }
        for name in FREE {
            self.pieces_by_name.entry(name).or_insert(self.free);
        }
    }

    pub fn piece(&self, name: &str) -> Option<usize> {
        self.pieces_by_name.get(name).copied()
    }

    pub fn player(&self, name: &str) -> Option<usize> {
        self.players_by_name.get(name).copied()
    }

    pub fn variable(&self, name: &str) -> Option<usize> {
        self.variables.get(name).copied()
    }

    pub fn definition(&self, name: &str) -> Option<&'a Definition> {
        self.definitions.get(name).copied()
    }

    pub fn effect(&self, name: &str) -> Option<&'a EffectDefinition> {
        self.effects.get(name).copied()
    }
}

/// Declares a name. Returns whether it is new.
fn declare<'a>(
    taken: &mut HashMap<&'a str, &'a Word>,
    word: &'a Word,
    errors: &mut Vec<Diagnostic>,
) -> bool {
    if let Some(first) = taken.get(&*word.text) {
        let message = format!("the name `{}` is declared twice", word.text);
        let error = Diagnostic::new(Code::AbgDuplicate, word.span, message);
        errors
            .push(error.with_related(first.span, "the first one").with_help("rename one of them"));
        return false;
    }
    taken.insert(&word.text, word);
    true
}

fn twice(parameters: &[Word], errors: &mut Vec<Diagnostic>) {
    let mut taken = HashMap::new();
    for parameter in parameters {
        declare(&mut taken, parameter, errors);
    }
}

/// The error about an unknown name of a kind.
fn unknown<'n>(kind: &str, word: &Word, names: impl Iterator<Item = &'n str>) -> Diagnostic {
    let message = format!("there is no {kind} `{}`", word.text);
    let error = Diagnostic::new(Code::AbgUnknownName, word.span, message);
    match nearest_name(&word.text, names) {
        Some(near) => error.with_help(format!("did you mean `{near}`?")),
        None => error.with_help(format!("declare it, or name another {kind}")),
    }
}

impl<'a> Resolver<'a> {
    pub fn unknown_piece<T>(&mut self, word: &Word) -> Resolved<T> {
        let error = unknown("piece", word, self.scope.pieces.iter().map(|(name, _)| *name));
        self.report(error);
        Err(super::Unresolved)
    }

    pub fn unknown_player<T>(&mut self, word: &Word) -> Resolved<T> {
        let error = unknown("player", word, self.scope.players.iter().copied());
        self.report(error);
        Err(super::Unresolved)
    }

    pub fn unknown_variable<T>(&mut self, word: &Word) -> Resolved<T> {
        let names: Vec<&str> = self.scope.variables.keys().copied().collect();
        let error = unknown("variable", word, names.into_iter());
        self.report(error);
        Err(super::Unresolved)
    }

    pub fn unknown_effect<T>(&mut self, word: &Word) -> Resolved<T> {
        let mut names: Vec<&str> = self.scope.effects.keys().copied().collect();
        names.sort_unstable();
        let error = unknown("effect", word, names.into_iter());
        self.report(error);
        Err(super::Unresolved)
    }

    pub fn unknown_name<T>(&mut self, word: &Word, kind: &str) -> Resolved<T> {
        let mut names: Vec<&str> = self.scope.definitions.keys().copied().collect();
        names.extend(PRELUDE);
        names.extend(self.scope.pieces.iter().map(|(name, _)| *name));
        names.extend(self.scope.variables.keys().copied());
        names.sort_unstable();
        let error = unknown(kind, word, names.into_iter());
        self.report(error);
        Err(super::Unresolved)
    }

    /// Warns of definitions without a use.
    pub fn warn_unused(&mut self) {
        for definition in &self.tree.definitions {
            if !self.used.contains(&definition.name.text) {
                let message = format!("nothing uses `{}`", definition.name.text);
                let help = "remove it, or call it";
                self.warn(Code::AbgUnused, definition.name.span, &message, help);
            }
        }
        for effect in &self.tree.effects {
            if &*effect.name.text != "Default" && !self.used.contains(&effect.name.text) {
                let message = format!("nothing uses `{}`", effect.name.text);
                self.warn(Code::AbgUnused, effect.name.span, &message, "remove it, or call it");
            }
        }
    }
}
