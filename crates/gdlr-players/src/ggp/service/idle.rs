//! The move of a role that is not in control.

use crate::ggp::message::Reply;
use gdlr_rules::gdl::{Game, Rule, Symbol, Term};

/// The move that does nothing, which rulesheets of operations become rules with: its name, if the game
/// has such a rule.
#[derive(Clone, Debug)]
pub(super) struct Idle(Option<String>);

impl Idle {
    /// That of a game: its name in a rule `(<= (legal ?role NAME) ... (not (true (control ?role))))`.
    pub(super) fn of(game: &Game) -> Idle {
        let control = game.symbols.get("control");
        let is_control = |term: &Term, role: &Term| match term {
            Term::Function(name, args) => Some(*name) == control && args[..] == [role.clone()],
            _ => false,
        };
        let named = |rule: &Rule| {
            let (Symbol::LEGAL, [role, Term::Constant(name)]) =
                (rule.head.relation, &rule.head.args[..])
            else {
                return None;
            };
            let mut is_idle = false;
            for literal in &rule.body {
                literal.for_each_sentence(&mut |sentence, is_negated| {
                    let of_role = match (sentence.relation, &sentence.args[..]) {
                        (Symbol::TRUE, [fact]) => is_control(fact, role),
                        (relation, args) => Some(relation) == control && args == [role.clone()],
                    };
                    is_idle |= is_negated && of_role;
                });
            }
            is_idle.then(|| name.spelled(&game.symbols).to_owned())
        };
        Idle(game.rules.iter().find_map(named))
    }

    /// The reply that a move is.
    pub(super) fn reply(&self, text: String) -> Reply {
        match self.0.as_ref() == Some(&text) {
            true => Reply::Idle(text),
            false => Reply::Move(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn idle(text: &str) -> Option<String> {
        Idle::of(&Game::from_text("g", text).expect("a rulesheet")).0
    }

    #[test]
    fn the_move_of_who_is_not_in_control() {
        let of = |action: &str, init: &str| {
            idle(&format!(
                "role(a) role(b)\n{init}\nlegal({action}) :- ~done\n{action} :: done\nterminal :- done"
            ))
        };
        assert_eq!(of("go", "init(control(a))").as_deref(), Some("noop"));
        assert_eq!(of("noop", "init(control(a))").as_deref(), Some("noop_1"));
        assert_eq!(of("go", "control(a) :- ~done").as_deref(), Some("noop"));
        // The one role of a game is always in control.
        let one = "role(a) init(control(a))\nlegal(go) :- ~done\ngo :: done\nterminal :- done";
        assert_eq!(idle(one), None);
        // Other rulesheets say in other words who moves.
        assert_eq!(idle(include_str!("../../../../../kif/tictactoe.kif")), None);
    }
}
