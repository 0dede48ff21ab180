//! The same game under names that say nothing.
//!
//! Whoever reads `(cell 1 1 b)` and `(mark 2 2)` knows tic-tac-toe without reading a rule. With
//! made-up words in the place of all names, a reader, such as a language model, has to play by
//! the rules alone. The game tree is the same: states, moves, goals and percepts correspond one
//! to one, by [`Obfuscated::names`].
//!
//! These stay: keywords, the role `random`, and the numbers that a goal may have
//! (`goal_values.rs`). Variables are numbered rule by rule. Comments and blank lines go, since
//! both are the author's words on how the rules hang together. `words.rs` makes the words up.

mod goal_values;
mod words;

use crate::gdl::{Game, Symbol, names_chance};
use gdlr_text::kif::{self, Document, Expr, ExprKind};
use goal_values::goal_values;
use hashbrown::{HashMap, HashSet};
use words::Words;

/// A rulesheet with other names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obfuscated {
    /// Its rules, in the order that they had, without comments. Spans are those of the original.
    pub document: Document,
    /// Every name that was replaced, as first spelled, and what stands for it, in order of first
    /// appearance. Variables are not among them. No name stands twice on either side.
    pub names: Vec<(String, String)>,
}

impl Obfuscated {
    /// The text in KIF, in canonical layout.
    pub fn to_kif(&self) -> String {
        kif::format("", &self.document)
    }
}

/// Gives a game other names: the same ones for the same seed, on every machine.
///
/// Names that the game's [`Reading`](crate::gdl::Reading) takes for one get one word. Near linear
/// in the rulesheet.
///
/// ```
/// # mod gdlr { pub use gdlr_rules::{gdl, obfuscate}; }
/// use gdlr::gdl::Game;
///
/// let game = Game::from_kif("g", "(role white) (<= (goal White 100) (true (cell ?row 1)))");
/// let other = gdlr::obfuscate::obfuscate(&game.unwrap(), 1);
/// assert_eq!(
///     other.to_kif(),
///     "(role todofi)\n(<= (goal todofi 100)\n    (true (zidave ?x1 dedani)))\n",
/// );
/// assert_eq!(other.names[1], ("cell".to_owned(), "zidave".to_owned()));
/// ```
pub fn obfuscate(game: &Game, seed: u64) -> Obfuscated {
    let symbols = &game.symbols;
    let all = || (0..symbols.len()).map(|index| Symbol::from_index(index as u16));
    let kept = goal_values(game);
    let mut words = Words::new(seed, all().map(|symbol| symbol.canonical(symbols)));
    let mut names = Vec::new();
    let new = all().map(|symbol| {
        let old = symbol.spelled(symbols);
        if symbol.is_keyword() || names_chance(old) || kept.contains(&symbol) {
            return old.into();
        }
        let word = words.fresh();
        names.push((old.to_owned(), word.clone()));
        word.into()
    });
    let new = new.collect();
    let variables = game.rules.iter().flat_map(|rule| &rule.variables);
    let old_variables = variables.map(|name| name.to_lowercase()).collect();
    let renaming = Renaming { game, new, old_variables };
    let items = game.document.items.iter();
    let items = items.map(|item| renaming.expr(item, &mut Variables::default())).collect();
    Obfuscated { document: Document { items, comments: Vec::new() }, names }
}

/// The made-up name of each name.
struct Renaming<'a> {
    game: &'a Game,
    /// By the number of a symbol.
    new: Vec<Box<str>>,
    /// The variables of all rules, in lower case; none of them is given again.
    old_variables: HashSet<String>,
}

/// The made-up names of the variables of a rule so far.
#[derive(Default)]
struct Variables {
    new: HashMap<String, String>,
    /// The number of the last one.
    last: usize,
}

impl Renaming<'_> {
    /// As deep as the reader allows.
    fn expr(&self, expr: &Expr, variables: &mut Variables) -> Expr {
        let kind = match &expr.kind {
            ExprKind::List(items) => {
                ExprKind::List(items.iter().map(|item| self.expr(item, variables)).collect())
            }
            ExprKind::Atom(name) if name.starts_with('?') => {
                ExprKind::Atom(self.variable(name, variables).into())
            }
            ExprKind::Atom(name) => {
                let symbol = self.game.symbols.get(name).expect("a game knows all of its names");
                ExprKind::Atom(self.new[usize::from(symbol.index())].clone())
            }
        };
        Expr { span: expr.span, kind }
    }

    fn variable(&self, name: &str, variables: &mut Variables) -> String {
        let strict = self.game.symbols.is_case_sensitive();
        let old = if strict { name.to_owned() } else { name.to_lowercase() };
        if let Some(new) = variables.new.get(&old) {
            return new.clone();
        }
        let new = loop {
            variables.last += 1;
            let new = format!("?x{}", variables.last);
            if !self.old_variables.contains(&new) {
                break new;
            }
        };
        variables.new.insert(old, new.clone());
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gdl::Reading;

    fn obfuscated(text: &str, reading: Reading) -> String {
        let document = gdlr_text::notation::read(text).unwrap();
        obfuscate(&Game::from_document("t", document, reading).unwrap(), 1).to_kif()
    }

    #[test]
    fn names_equal_up_to_case_are_one() {
        let text = "(role A) (role a) (<= (P ?V ?v) (ROLE ?v) (p ?v A))";
        assert_eq!(
            obfuscated(text, Reading::default()),
            "(role todofi)\n(role todofi)\n(<= (zidave ?x1 ?x1)\n    (role ?x1)\n    \
             (zidave ?x1 todofi))\n"
        );
        let strict = obfuscated(text, Reading { case_sensitive: true, ..Reading::default() });
        assert_eq!(
            strict,
            "(role todofi)\n(role zidave)\n(<= (dedani ?x1 ?x2)\n    (role ?x2)\n    \
             (zogofi ?x2 todofi))\n"
        );
    }

    #[test]
    fn keywords_chance_and_goals_stay() {
        let text = "(role Random) (base true) (sees random (goal 50)) (goal random 50) (p 51)";
        assert_eq!(
            obfuscated(text, Reading::default()),
            "(role Random)\n(base true)\n(sees Random (goal 50))\n(goal Random 50)\n\
             (todofi zidave)\n"
        );
    }

    #[test]
    fn no_variable_stays() {
        assert_eq!(
            obfuscated("(<= (p ?b ?X1) (q ?x3 ?b) (q ?a ?x1))", Reading::default()),
            "(<= (todofi ?x2 ?x4)\n    (zidave ?x5 ?x2)\n    (zidave ?x6 ?x4))\n"
        );
    }

    #[test]
    fn author_layout_and_notation_do_not_matter() {
        let kif = "; a game\n\n(p a)\n\n\n(<= (q ?x) ; why\n (p ?x))";
        let infix = "p(a) q(X) :- p(X)";
        assert_eq!(obfuscated(kif, Reading::default()), obfuscated(infix, Reading::default()));
        assert_eq!(
            obfuscated(kif, Reading::default()),
            "(todofi zidave)\n(<= (dedani ?x1)\n    (todofi ?x1))\n"
        );
    }
}
