//! Relations that are asked too early for what they depend on.
//!
//! SPEC, definition 20, wants `init` to depend on neither `true` nor `does`, and `legal`,
//! `goal` and `terminal` not on `does`. Sheets that break this are played all the same, and
//! mean the same to every engine: what is not there yet does not hold. While the initial
//! state is made nothing is true and nobody moves; while moves, goals and the end are settled
//! nobody moves. And the state is what `init` and `next` say, the joint move what the roles
//! choose: rules for `true` and `does` add nothing to that and are left out.
//!
//! A relation that one of those keywords depends on, and that itself depends on what is not
//! there yet, is divided by the time at which it is asked. Each time gets a relation of its
//! own, and in the rules of the early ones the conditions on what is not there yet never
//! hold. So nothing later in the library has to know of times.

use super::error::NormalError;
use super::names::Names;
use super::question::Question;
use crate::gdl::{Dependencies, Literal, LiteralKind, RelationName, Rule, Sentence, Symbol, hints};
use gdlr_text::budget::Meter;
use gdlr_text::diagnostic::Diagnostic;
use hashbrown::HashMap;
use std::borrow::Cow;

/// When a relation is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Time {
    /// Before there is a state.
    Initially,
    /// In a state, before the roles have moved.
    BeforeMoves,
    /// In a state, when they have.
    AfterMoves,
}

impl Time {
    /// When play asks for a relation itself.
    fn of(relation: Symbol) -> Option<Time> {
        match Question::of_keyword(relation) {
            Some(question) if question.follows_moves() => Some(Time::AfterMoves),
            Some(_) => Some(Time::BeforeMoves),
            None => (relation == Symbol::INIT).then_some(Time::Initially),
        }
    }

    /// Whether this keyword holds of nothing yet.
    fn lacks(self, keyword: Symbol) -> bool {
        match keyword {
            Symbol::TRUE => self == Time::Initially,
            Symbol::DOES => self != Time::AfterMoves,
            _ => false,
        }
    }
}

/// The rules that play needs: without those for `true` and `does`, and without hints.
pub(super) fn without_given(rules: &[Rule]) -> Cow<'_, [Rule]> {
    let hints = hints(rules);
    let given = |rule: &Rule| matches!(rule.head.relation, Symbol::TRUE | Symbol::DOES);
    let needed = |(rule, hint): &(&Rule, bool)| !hint && !given(rule);
    let rules_and_hints = || rules.iter().zip(hints.iter().copied());
    match rules_and_hints().all(|rule| needed(&rule)) {
        true => Cow::Borrowed(rules),
        false => Cow::Owned(rules_and_hints().filter(needed).map(|(r, _)| r.clone()).collect()),
    }
}

/// The rules, with relations divided by the time at which they are asked where that makes a
/// difference.
pub(super) fn divide<'r>(
    rules: Cow<'r, [Rule]>,
    names: &mut Names,
    meter: &Meter<'_>,
) -> Result<Cow<'r, [Rule]>, NormalError> {
    let graph = Dependencies::new(&*rules);
    let reaching = |keyword, arity| {
        let number = graph.number(keyword, arity);
        graph.reaching(number.as_slice())
    };
    let mut division = Division {
        on_state: reaching(Symbol::TRUE, 1),
        on_moves: reaching(Symbol::DOES, 2),
        graph: &graph,
        names,
        versions: HashMap::new(),
        open: Vec::new(),
    };
    let too_early = |relation: &RelationName| {
        Time::of(relation.symbol).is_some_and(|time| division.effective(*relation, time).is_some())
    };
    if !graph.relations.iter().any(too_early) {
        return Ok(rules);
    }
    let mut rules_of: HashMap<RelationName, Vec<&Rule>> = HashMap::new();
    for rule in &*rules {
        rules_of.entry(name_of(&rule.head)).or_default().push(rule);
    }
    let mut divided = Vec::new();
    for rule in &*rules {
        meter.spend(1 + rule.body.len())?;
        let time = Time::of(rule.head.relation).unwrap_or(Time::AfterMoves);
        divided.push(division.version(rule, rule.head.relation, time)?);
    }
    while let Some((relation, time, symbol)) = division.open.pop() {
        for rule in rules_of.get(&relation).into_iter().flatten() {
            meter.spend(1 + rule.body.len())?;
            divided.push(division.version(rule, symbol, time)?);
        }
    }
    Ok(Cow::Owned(divided))
}

fn name_of(sentence: &Sentence) -> RelationName {
    RelationName { symbol: sentence.relation, arity: sentence.args.len() }
}

struct Division<'a> {
    graph: &'a Dependencies,
    /// By relation: whether it depends on the state.
    on_state: Vec<bool>,
    /// By relation: whether it depends on the joint move.
    on_moves: Vec<bool>,
    names: &'a mut Names,
    /// The relations made up so far.
    versions: HashMap<(RelationName, Time), Symbol>,
    /// Those of them whose rules are still to be written.
    open: Vec<(RelationName, Time, Symbol)>,
}

impl Division<'_> {
    /// The time, if a relation asked then may differ from what it is after the moves.
    fn effective(&self, relation: RelationName, time: Time) -> Option<Time> {
        let number = self.graph.number(relation.symbol, relation.arity)? as usize;
        let differs = time.lacks(Symbol::TRUE) && self.on_state[number]
            || time.lacks(Symbol::DOES) && self.on_moves[number];
        differs.then_some(time)
    }

    /// The relation to ask for at a time.
    fn symbol(&mut self, relation: RelationName, time: Time) -> Result<Symbol, Diagnostic> {
        // The initial state is what it was.
        let time = if relation.symbol == Symbol::INIT { Time::Initially } else { time };
        let time = self.effective(relation, time);
        let own = Time::of(relation.symbol).and_then(|own| self.effective(relation, own));
        if time == own {
            return Ok(relation.symbol);
        }
        let time = time.unwrap_or(Time::AfterMoves);
        if let Some(&symbol) = self.versions.get(&(relation, time)) {
            return Ok(symbol);
        }
        let when = match time {
            Time::Initially => "initially",
            Time::BeforeMoves => "before moves",
            Time::AfterMoves => "after moves",
        };
        let name = format!("{} {when}", self.names.spelling(relation.symbol));
        let symbol = self.names.make_up(name)?;
        self.versions.insert((relation, time), symbol);
        self.open.push((relation, time, symbol));
        Ok(symbol)
    }

    /// A rule as it is at a time, for a relation of this name.
    fn version(&mut self, rule: &Rule, head: Symbol, time: Time) -> Result<Rule, Diagnostic> {
        let mut rule = rule.clone();
        rule.head.relation = head;
        rule.body.iter_mut().try_for_each(|literal| self.at(literal, time))?;
        Ok(rule)
    }

    fn at(&mut self, literal: &mut Literal, time: Time) -> Result<(), Diagnostic> {
        match &mut literal.kind {
            LiteralKind::Sentence(sentence) if time.lacks(sentence.relation) => {
                literal.kind = LiteralKind::Or(Vec::new());
                Ok(())
            }
            LiteralKind::Sentence(sentence) => {
                sentence.relation = self.symbol(name_of(sentence), time)?;
                Ok(())
            }
            LiteralKind::Not(inner) => self.at(inner, time),
            LiteralKind::Or(items) => items.iter_mut().try_for_each(|item| self.at(item, time)),
            LiteralKind::Distinct(..) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gdl::Game;
    use std::sync::Arc;

    /// The rules that are left, as `head: conditions`.
    fn divided(text: &str) -> Vec<String> {
        let game = Arc::new(Game::from_kif("t", text).unwrap());
        let mut names = Names::new(game.clone());
        let rules = divide(without_given(&game.rules), &mut names, &Meter::unlimited()).unwrap();
        let written = |rule: &Rule| {
            let mut text = format!("{}:", names.spelling(rule.head.relation));
            for literal in &rule.body {
                let none = matches!(&literal.kind, LiteralKind::Or(items) if items.is_empty());
                text.push_str(if none { " never" } else { "" });
                literal.for_each_sentence(&mut |sentence, negated| {
                    text.push_str(if negated { " not " } else { " " });
                    text.push_str(names.spelling(sentence.relation));
                });
            }
            text
        };
        rules.iter().map(written).collect()
    }

    #[test]
    fn what_is_in_time_stays_as_it_is() {
        let game = Game::from_kif(
            "t",
            "(<= (init (f ?x)) (p ?x)) (<= (legal a ?x) (true (f ?x))) (<= (next x) (does a b))",
        );
        let game = Arc::new(game.unwrap());
        let rules =
            divide(Cow::Borrowed(&game.rules), &mut Names::new(game.clone()), &Meter::unlimited())
                .unwrap();
        assert!(matches!(rules, Cow::Borrowed(_)));
    }

    #[test]
    fn before_the_initial_state_nothing_is_true() {
        let text = "(<= (init x) (p)) (<= (p) (q)) (<= (q) (true x)) (<= (q) (not (true y)))
            (<= (next x) (p))";
        let rules = divided(text);
        assert!(rules.starts_with(&["init: p initially".into(), "p: q".into()]), "{rules:?}");
        assert!(rules.contains(&"next: p".into()));
        assert!(rules.contains(&"p initially: q initially".into()));
        assert!(rules.contains(&"q initially: never".into()));
        assert!(rules.contains(&"q: true".into()));
    }

    #[test]
    fn before_the_moves_nobody_moves() {
        let text = "(<= (legal a x) (p)) (<= (p) (true y)) (<= (p) (does a x)) (<= (next x) (p))
            (<= (next y) (legal a x))";
        assert_eq!(
            divided(text),
            [
                "legal: p before moves",
                "p: true",
                "p: does",
                "next: p",
                "next: legal after moves",
                "legal after moves: p",
                "p before moves: true",
                "p before moves: never",
            ]
        );
    }

    #[test]
    fn rules_for_state_and_moves_are_left_out() {
        assert_eq!(divided("(true (s 7)) (<= (does a x) (p)) (p)"), ["p:"]);
    }

    #[test]
    fn hints_are_left_out() {
        let text = "(base (s ?x)) (<= (input ?r m) (true (s ?r))) (base 1 2) (p)";
        assert_eq!(divided(text), ["base:", "p:"]);
    }
}
