//! Which numbers may be the value of a goal.
//!
//! `(<= (goal ?r ?n) (true (score ?r ?n)))` gives no number: that comes from wherever `score` has
//! it from. Two argument positions are *joined* if a variable of a rule stands at both; what a
//! rule can make a goal of stands, somewhere in the rulesheet, at a position that is joined with
//! the second one of `goal`, over however many others. More may stand there than ever becomes a
//! goal, never less.

use crate::gdl::{Game, Literal, LiteralKind, Rule, Sentence, Symbol, Term};
use gdlr_text::classes::Classes;
use hashbrown::{HashMap, HashSet};

/// Whose argument: a relation's or a function's.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Of {
    Relation,
    Function,
}

/// The place of an argument: whose, of which name and arity, and its index.
type Position = (Of, Symbol, usize, usize);

/// The integers at positions that are joined with the value of `goal`.
pub(super) fn goal_values(game: &Game) -> HashSet<Symbol> {
    let mut positions = Positions::default();
    for rule in &game.rules {
        positions.rule(rule);
    }
    let goal = positions.number((Of::Relation, Symbol::GOAL, 2, 1));
    let goal = positions.joined.of(goal);
    let constants = std::mem::take(&mut positions.constants);
    constants
        .into_iter()
        .filter(|&(at, _)| positions.joined.of(at) == goal)
        .map(|(_, constant)| constant)
        .filter(|constant| constant.spelled(&game.symbols).parse::<i64>().is_ok())
        .collect()
}

/// All argument positions, and which of them are joined.
#[derive(Default)]
struct Positions {
    numbers: HashMap<Position, usize>,
    /// The numbers of positions that are joined.
    joined: Classes,
    /// The constants that stand there.
    constants: HashSet<(usize, Symbol)>,
}

impl Positions {
    fn rule(&mut self, rule: &Rule) {
        // By variable: a position where it stands.
        let mut met = vec![None; rule.variables.len()];
        self.sentence(&rule.head, &mut met);
        for literal in &rule.body {
            self.literal(literal, &mut met);
        }
    }

    fn literal(&mut self, literal: &Literal, met: &mut [Option<usize>]) {
        match &literal.kind {
            LiteralKind::Sentence(sentence) => self.sentence(sentence, met),
            LiteralKind::Not(inner) => self.literal(inner, met),
            LiteralKind::Or(items) => items.iter().for_each(|item| self.literal(item, met)),
            // It only compares. Terms in terms that it has are nowhere else for that.
            LiteralKind::Distinct(..) => {}
        }
    }

    fn sentence(&mut self, sentence: &Sentence, met: &mut [Option<usize>]) {
        // Facts of a state and moves have one position, whichever rule names them.
        let relation = match sentence.relation {
            Symbol::INIT | Symbol::NEXT | Symbol::BASE => Symbol::TRUE,
            Symbol::LEGAL | Symbol::INPUT => Symbol::DOES,
            other => other,
        };
        self.arguments((Of::Relation, relation), &sentence.args, met);
    }

    fn arguments(&mut self, (of, name): (Of, Symbol), args: &[Term], met: &mut [Option<usize>]) {
        for (index, arg) in args.iter().enumerate() {
            let here = self.number((of, name, args.len(), index));
            match arg {
                Term::Constant(constant) => {
                    self.constants.insert((here, *constant));
                }
                Term::Variable(variable) => match &mut met[usize::from(variable.0)] {
                    Some(there) => self.joined.join(*there, here),
                    first => *first = Some(here),
                },
                Term::Function(function, args) => {
                    self.arguments((Of::Function, *function), args, met);
                }
            }
        }
    }

    fn number(&mut self, position: Position) -> usize {
        *self.numbers.entry(position).or_insert_with(|| self.joined.add())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<String> {
        let game = Game::from_kif("t", text).unwrap();
        let values = goal_values(&game);
        let mut values: Vec<_> =
            values.iter().map(|s| s.spelled(&game.symbols).to_owned()).collect();
        values.sort();
        values
    }

    #[test]
    fn written_in_the_head() {
        assert_eq!(values("(goal 1 50) (<= (goal a 0) (p 2))"), ["0", "50"]);
        assert!(values("(p 7) (goal a win)").is_empty());
    }

    #[test]
    fn through_facts_functions_and_moves() {
        let text = "
            (role a) (init (score a 0)) (init (cell 1 2))
            (<= (legal ?r (bid ?n 9)) (role ?r) (amount ?n))
            (amount 10) (amount all)
            (<= (next (score ?r ?n)) (does ?r (bid ?n ?m)))
            (<= (goal ?r ?n) (true (score ?r ?n)))";
        assert_eq!(values(text), ["0", "10"]);
    }

    #[test]
    fn through_whole_facts_and_either_side_of_or() {
        let text = "
            (init (kept (score 5))) (init (score 6)) (init (other 7))
            (<= (next ?f) (true (kept ?f)))
            (<= (goal r ?n) (or (true (score ?n)) (not (p ?n 8))) (distinct ?n 9))
            (p 3 4)";
        assert_eq!(values(text), ["3", "5", "6"]);
    }

    #[test]
    fn arity_counts() {
        assert_eq!(values("(<= (goal r ?n) (p ?n)) (p 1) (p 2 3) (q (p 4))"), ["1"]);
    }
}
