//! Who explains: the rules of a game made ready, and a moment of it.

use super::build::Builder;
use super::error::ExplainError;
use super::explanation::Explanation;
use super::options::Options;
use super::program::Program;
use super::question::Question;
use super::rows::Rows;
use super::tables::Tables;
use super::terms::Terms;
use crate::gdl::{Game, Term};
use crate::normal;
use gdlr_text::budget::Meter;
use std::sync::Arc;

/// The rules of a game, made ready to be asked about.
#[derive(Clone, Debug)]
pub struct Explainer {
    game: Arc<Game>,
    program: Program,
    /// The ground terms of the rules.
    terms: Terms,
}

impl Explainer {
    /// Makes a game ready. Linear in the rulesheet, as a rule.
    pub fn new(game: impl Into<Arc<Game>>) -> Explainer {
        let game = game.into();
        let mut terms = Terms::default();
        let program = Program::new(&game, &mut terms);
        Explainer { game, program, terms }
    }

    /// The game.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// Whether the answer to a question depends on a joint move, as that of `next` does.
    pub fn follows_moves(&self, question: &Question) -> bool {
        match normal::Question::of_keyword(question.relation) {
            Some(asked) => asked.follows_moves(),
            None => {
                let relation = self.program.number(question.relation, question.args.len());
                relation.is_some_and(|relation| self.program.follows_moves(relation))
            }
        }
    }

    /// The moment in which these facts are true and, if there is one, this joint move is made: a
    /// move a role, in their order. Whether play can come there makes no difference. Terms with
    /// variables are left out. Linear in the facts and in the terms of the rulesheet.
    pub fn moment(&self, facts: &[Term], joint: Option<&[Term]>) -> Moment<'_> {
        let mut terms = self.terms.clone();
        let (mut state, mut moves) = (Rows::default(), Rows::default());
        for fact in facts {
            if let Some(fact) = terms.intern(fact) {
                state.insert([fact].into(), &terms);
            }
        }
        for (role, chosen) in self.game.roles.iter().zip(joint.unwrap_or_default()) {
            if let (Some(role), Some(chosen)) = (terms.intern(role), terms.intern(chosen)) {
                moves.insert([role, chosen].into(), &terms);
            }
        }
        let tables = Tables::new(&self.program, terms, state, moves);
        Moment { game: &self.game, tables, has_moved: joint.is_some() }
    }
}

/// A state of a game, perhaps with a joint move: what questions are asked about. What was computed
/// for a question helps with the next one.
pub struct Moment<'e> {
    game: &'e Game,
    tables: Tables<'e>,
    has_moved: bool,
}

impl Moment<'_> {
    /// Explains why a sentence holds, or why not.
    ///
    /// `legal`, `goal` and `terminal` are asked before the roles move, `init` before there is a
    /// state, other relations after the joint move if there is one.
    ///
    /// # Errors
    ///
    /// When it takes more than the meter allows, and when the rules have no meaning, which those of
    /// a game that an engine plays have. The moment can be asked again.
    pub fn explain(
        &mut self,
        question: &Question,
        options: &Options,
        meter: &Meter<'_>,
    ) -> Result<Explanation, ExplainError> {
        Builder::new(self.game, &mut self.tables, options, meter).explain(question, self.has_moved)
    }
}
