//! The last step of a message, in any dialect.
//!
//! That of incomplete information tells a player its own move and what it sees. In a game without
//! rules for `sees` nothing is hidden, and managers tell the whole joint move there: as percepts
//! `(did ROLE MOVE)`, one for each role, or as the moves alone, in the order of the roles.

use crate::ggp::message::Last;
use gdlr_engine::engine::{RoleId, Roles};
use gdlr_engine::play::sampler::Observation;
use gdlr_rules::gdl::{SymbolTable, Term};
use gdlr_text::kif::Expr;

/// Who is told, and of what game.
pub(super) struct Listener<'g> {
    pub(super) roles: &'g Roles,
    pub(super) symbols: &'g SymbolTable,
    /// Whom the player plays.
    pub(super) role: RoleId,
    /// Whether the game has rules for what players see.
    pub(super) has_sees: bool,
}

/// The last step of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// That the match begins.
    Nothing,
    /// The observation of a step, in the names of the game.
    Step(Observation),
    /// The one move of a step in which nobody else had a choice. Who did it shows in the state.
    One(Term),
    /// Terms of no step of this game, or fewer than the role is to observe.
    Nonsense,
}

impl Listener<'_> {
    /// The last step of a message.
    pub(super) fn heard(&self, last: &Last) -> Heard {
        let observation = match last {
            Last::One { action, .. } => {
                return self.term(action).map_or(Heard::Nonsense, Heard::One);
            }
            Last::Nothing | Last::Own { action: None, .. } => return Heard::Nothing,
            Last::Joint(moves) => self.in_order(moves).map(Observation::Joint),
            Last::Own { action: Some(own), percepts, .. } if self.has_sees => {
                self.own(own, percepts)
            }
            Last::Own { action: Some(own), .. } if self.roles.count() == 1 => {
                self.term(own).map(|term| Observation::Joint(vec![term]))
            }
            Last::Own { action: Some(own), percepts, .. } => self.told_all(own, percepts),
        };
        observation.map_or(Heard::Nonsense, Heard::Step)
    }

    /// The player's own move and its percepts.
    fn own(&self, own: &Expr, percepts: &[Expr]) -> Option<Observation> {
        let percepts = percepts.iter().map(|percept| self.term(percept));
        Some(Observation::Own {
            action: self.term(own)?,
            percepts: percepts.collect::<Option<_>>()?,
        })
    }

    /// The joint move, in percepts.
    fn told_all(&self, own: &Expr, percepts: &[Expr]) -> Option<Observation> {
        let joint = self.by_role(own, percepts).or_else(|| self.in_order(percepts))?;
        // Who tells another move than the one played has another match in mind.
        (joint[self.role.index()] == self.term(own)?).then_some(Observation::Joint(joint))
    }

    /// The joint move of percepts `(did ROLE MOVE)`, among which the player's own may be missing.
    fn by_role(&self, own: &Expr, percepts: &[Expr]) -> Option<Vec<Term>> {
        let mut joint = vec![None; self.roles.count()];
        for percept in percepts {
            let [did, role, action] = percept.list()? else { return None };
            if !did.atom()?.eq_ignore_ascii_case("did") {
                return None;
            }
            let role = self.roles.find(&role.to_string())?;
            let observation = joint[role.index()].replace(self.term(action)?);
            if observation.is_some() {
                return None;
            }
        }
        let own_place = &mut joint[self.role.index()];
        if own_place.is_none() {
            *own_place = self.term(own);
        }
        joint.into_iter().collect()
    }

    /// The joint move of a list with a move for each role.
    fn in_order(&self, moves: &[Expr]) -> Option<Vec<Term>> {
        let is_whole = moves.len() == self.roles.count();
        is_whole.then(|| moves.iter().map(|expr| self.term(expr)).collect()).flatten()
    }

    fn term(&self, expr: &Expr) -> Option<Term> {
        Term::from_expr(expr, self.symbols)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ggp::message::Message;
    use gdlr_rules::gdl::Game;

    /// The joint move that the black player hears, or `-`.
    fn observation(rules: &str, last: &str) -> String {
        let game = Game::from_kif("g", rules).expect("a rulesheet");
        let roles = Roles::of(&game);
        let role = roles.find("black").expect("a role");
        let listener = Listener { roles: &roles, symbols: &game.symbols, role, has_sees: false };
        let Ok(Message::Play { last, .. }) = Message::parse(&format!("(PLAY m {last})")) else {
            panic!("{last}");
        };
        let text = |term: &Term| term.canonical(&game.symbols);
        match listener.heard(&last) {
            Heard::Nothing => String::new(),
            Heard::Step(Observation::Joint(joint)) => {
                joint.iter().map(text).collect::<Vec<_>>().join(" ")
            }
            Heard::Step(Observation::Own { .. }) | Heard::One(_) | Heard::Nonsense => "-".into(),
        }
    }

    const THREE: &str = "(role White) (role Black) (role random)
        (legal ?r (go 1)) (legal ?r (go 2)) (legal ?r noop)";

    #[test]
    fn both_forms_of_a_joint_move() {
        for (last, joint) in [
            ("((go 1) noop (go 2))", "(go 1) noop (go 2)"),
            ("nil", ""),
            ("0 nil nil", ""),
            ("1 nil ()", ""),
            // By role, in any order and case, with and without the player's own.
            (
                "1 NOOP ((DID WHITE (GO 1)) (DID BLACK NOOP) (DID RANDOM (GO 2)))",
                "(go 1) noop (go 2)",
            ),
            ("1 noop ((did random (go 2)) (did white (go 1)))", "(go 1) noop (go 2)"),
            // In the order of the roles.
            ("1 noop ((go 1) NOOP (go 2))", "(go 1) noop (go 2)"),
        ] {
            assert_eq!(observation(THREE, last), joint, "{last}");
        }
    }

    #[test]
    fn what_tells_no_joint_move() {
        for last in [
            "((go 1) noop)",
            "((go 1) noop (go x))",
            // Nobody says what chance did.
            "1 noop ()",
            "1 noop ((did white (go 1)) (did black noop))",
            "1 noop ((go 1) noop)",
            // Twice, nobody's, no move; not the own one.
            "1 noop ((did white (go 1)) (did white (go 2)) (did random (go 2)))",
            "1 noop ((did white (go 1)) (did green (go 2)) (did random (go 2)))",
            "1 noop ((did white (go 1)) (did random (fly 2)))",
            "1 noop ((did white (go 1)) (did black (go 2)) (did random (go 2)))",
            "1 noop ((saw white (go 1)) (saw random (go 2)))",
            "1 noop ((go 1) (go 1) (go 2))",
        ] {
            assert_eq!(observation(THREE, last), "-", "{last}");
        }
    }

    #[test]
    fn moves_may_look_like_percepts() {
        let rules = "(role white) (role black) (legal ?r (did ?x ?y)) (legal ?r (did black did))";
        let last = "1 (did black did) ((did black did) (did black did))";
        assert_eq!(observation(rules, last), "(did black did) (did black did)");
    }

    #[test]
    fn where_something_is_hidden_percepts_are_percepts() {
        let game = Game::from_kif("g", THREE).expect("a rulesheet");
        let roles = Roles::of(&game);
        let own = gdlr_text::kif::read("noop").expect("KIF").items.remove(0);
        let last = Last::Own { turn: 1, action: Some(own.clone()), percepts: vec![own; 3] };
        let heard = |has_sees| {
            let listener =
                Listener { roles: &roles, symbols: &game.symbols, role: RoleId(1), has_sees };
            listener.heard(&last)
        };
        let noop = game.symbols.get("noop").map(Term::Constant).expect("a symbol");
        let three = vec![noop.clone(); 3];
        assert_eq!(heard(false), Heard::Step(Observation::Joint(three.clone())));
        assert_eq!(heard(true), Heard::Step(Observation::Own { action: noop, percepts: three }));
    }
}
