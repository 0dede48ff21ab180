//! Explanations: everything that holds is explained, and nothing that does not, on random
//! rulesheets and on those of `kif/`; each step is checked by a checker of its own.

use crate::compare::Choices;
use crate::derivation::check;
use gdlr::budget::Meter;
use gdlr::engine::{Engine, MoveId};
use gdlr::explain::{Explainer, Options, Question, Why};
use gdlr::gdl::{Game, Symbol, Term};
use gdlr::tree::{Tree, TreeOptions};

use crate::naive::{Everything, Naive};
use crate::programs::{Program, programs};
use proptest::prelude::*;
use proptest::test_runner::Config;
use std::sync::Arc;

/// How much work a state may be before a rulesheet is passed over.
const WORK: u64 = 200_000;
/// How many joint moves are made.
const STEPS: usize = 3;
/// Of each relation, how many sentences are asked about that do not hold.
const FALSE: usize = 6;

/// A state, what holds in it, and what holds when a joint move is made.
struct Seen {
    state: Vec<Term>,
    before: Everything,
    joint: Vec<Term>,
    after: Everything,
}

/// Some states of a random play; none if they are too much work for the naive evaluator.
fn walk(naive: &Naive, random: &mut Choices) -> Vec<Seen> {
    let mut seen = Vec::new();
    let mut state = naive.scratch();
    for _ in 0..STEPS {
        let Ok(before) = naive.everything(&state, None) else { break };
        let mut joint = Vec::new();
        for role in naive.roles().iter() {
            let mut legal = Vec::new();
            if naive.legal(&mut state, role, &mut legal).is_err() || legal.is_empty() {
                return seen;
            }
            legal.sort_by_cached_key(|&id: &MoveId| {
                naive.move_term(id).1.canonical(naive.symbols())
            });
            joint.push(legal[random.below(legal.len())]);
        }
        let terms: Vec<Term> = joint.iter().map(|&id| naive.move_term(id).1).collect();
        let Ok(after) = naive.everything(&state, Some(&terms)) else { break };
        seen.push(Seen { state: naive.facts(&state), before, joint: terms, after });
        if naive.step(&mut state, &joint).is_err() {
            break;
        }
    }
    seen
}

/// Whether a relation is asked before the roles move.
fn asked_before(name: Symbol) -> bool {
    matches!(name, Symbol::LEGAL | Symbol::GOAL | Symbol::TERMINAL | Symbol::INIT)
}

/// Asks about every row that holds and about some that do not, and checks the explanations.
fn explains(
    explainer: &Explainer,
    state: &[Term],
    joint: Option<&[Term]>,
    everything: &Everything,
    random: &mut Choices,
) -> Result<usize, String> {
    let game = explainer.game();
    let mut moment = explainer.moment(state, joint);
    let mut terms: Vec<&Term> = everything.iter().flat_map(|(.., rows)| rows).flatten().collect();
    terms.sort_unstable();
    terms.dedup();
    let mut asked = 0;
    let mut ask = |question: &Question, holds: bool, count: Option<usize>| {
        let options = Options { negations: random_bit(asked), ..Options::default() };
        asked += 1;
        let explanation = moment.explain(question, &options, &Meter::unlimited());
        let explanation = explanation.map_err(|error| format!("{question:?}: {error}"))?;
        if explanation.holds != holds
            || count.is_some_and(|count| explanation.answers.len() != count)
        {
            return Err(format!(
                "{} is told to be {}, with {} answers",
                explanation.question,
                explanation.holds,
                explanation.answers.len()
            ));
        }
        // Only what fails for want of ever deeper terms is left out.
        let mut unexplored =
            explanation.steps.iter().filter(|step| matches!(step.why, Why::Unexplored));
        if let Some(step) = unexplored.find(|step| step.holds || nesting(&step.sentence) < 4) {
            return Err(format!("{}: {} is not explained", explanation.question, step.sentence));
        }
        check(&explanation, game, everything)
    };
    for (name, arity, rows) in everything {
        if joint.is_some() && asked_before(*name) {
            continue;
        }
        for row in rows.iter().take(40) {
            ask(&Question::of(*name, row.clone()), true, None)?;
        }
        for _ in 0..FALSE {
            if terms.is_empty() || *arity == 0 {
                break;
            }
            // A row with one other term, or a new one.
            let mut row: Vec<Term> = match rows.len() {
                0 => (0..*arity).map(|_| terms[random.below(terms.len())].clone()).collect(),
                count => rows.iter().nth(random.below(count)).expect("a row").clone(),
            };
            row[random.below(*arity)] = terms[random.below(terms.len())].clone();
            let holds = rows.contains(&row);
            ask(&Question::of(*name, row), holds, None)?;
        }
        if *arity == 0 {
            ask(&Question::of(*name, Vec::new()), !rows.is_empty(), None)?;
        }
        // All of them, and all with the same first argument as one of them.
        let variables = || (0..*arity).map(|number| format!("?{number}").into()).collect();
        let free = |number: usize| Term::Variable(gdlr::gdl::Variable(number as u16));
        let mut args: Vec<Term> = (0..*arity).map(free).collect();
        let question = Question { relation: *name, args: args.clone(), variables: variables() };
        ask(&question, !rows.is_empty(), (!rows.is_empty()).then_some(rows.len().min(1000)))?;
        if let (Some(row), 2..) = (rows.iter().next_back(), *arity) {
            args[0] = row[0].clone();
            let same = rows.iter().filter(|other| other[0] == row[0]).count();
            let question = Question { relation: *name, args, variables: variables() };
            ask(&question, true, Some(same.min(1000)))?;
        }
    }
    Ok(asked)
}

/// How deep the brackets of a sentence nest.
fn nesting(sentence: &str) -> usize {
    let (mut depth, mut deepest) = (0, 0);
    for character in sentence.chars() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

fn random_bit(number: usize) -> bool {
    number % 2 == 1
}

fn game(program: &Program) -> Game {
    match Game::from_kif("random", &program.to_string()) {
        Ok(game) => game,
        Err(found) => panic!("{}\n{program}", found[0]),
    }
}

proptest! {
    #![proptest_config(Config { max_global_rejects: 100_000, ..Config::default() })]

    #[test]
    fn all_that_holds_is_explained_and_nothing_else(program in programs(), seed in 0..1000u64) {
        let Ok(naive) = Naive::with_limit(game(&program), WORK) else {
            return Err(TestCaseError::reject("too much work"));
        };
        let explainer = Explainer::new(game(&program));
        let mut random = Choices(seed);
        for Seen { state, before, joint, after } in walk(&naive, &mut random) {
            explains(&explainer, &state, None, &before, &mut random)
                .map_err(TestCaseError::fail)?;
            explains(&explainer, &state, Some(&joint), &after, &mut random)
                .map_err(TestCaseError::fail)?;
        }
    }
}

/// Whatever the trees say of a state of a random play is explained, and what they deny is not.
fn agrees_with_the_trees(name: &str, text: &str, turns: usize) {
    let game = Arc::new(Game::from_text(name, text).expect("a rulesheet"));
    let tree = Tree::new(game.clone(), &TreeOptions::default()).expect("a game");
    let explainer = Explainer::new(game.clone());
    let mut random = Choices(7);
    let mut scratch = tree.scratch();
    let mut all_moves: Vec<Vec<Term>> = vec![Vec::new(); game.roles.len()];
    for _ in 0..turns {
        let state = tree.facts(&tree.state(&scratch));
        let mut moment = explainer.moment(&state, None);
        let mut explain = |relation, args: Vec<Term>| {
            let question = Question::of(relation, args);
            let explanation = moment.explain(&question, &Options::default(), &Meter::unlimited());
            let explanation = explanation.unwrap_or_else(|error| panic!("{name}: {error}"));
            check(&explanation, &game, &[]).unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
            explanation.holds
        };
        let over = tree.terminal(&mut scratch).expect("little work");
        assert_eq!(explain(Symbol::TERMINAL, Vec::new()), over, "{name}");
        for (role, term) in tree.roles().iter().zip(&game.roles) {
            if let Ok(goal) = tree.goal(&mut scratch, role) {
                for value in ["0", "50", "100"] {
                    let Some(symbol) = game.symbols.get(value) else { continue };
                    let args = vec![term.clone(), Term::Constant(symbol)];
                    assert_eq!(explain(Symbol::GOAL, args), goal.to_string() == value, "{name}");
                }
            }
        }
        if over {
            scratch = tree.scratch();
            continue;
        }
        let mut joint = Vec::new();
        for (role, term) in tree.roles().iter().zip(&game.roles) {
            let mut legal = Vec::new();
            tree.legal(&mut scratch, role, &mut legal).expect("little work");
            for &id in &legal {
                let chosen = tree.move_term(id).1;
                assert!(explain(Symbol::LEGAL, vec![term.clone(), chosen.clone()]), "{name}");
                let moves = &mut all_moves[role.index()];
                if !moves.contains(&chosen) {
                    moves.push(chosen);
                }
            }
            let moves = &all_moves[role.index()];
            for chosen in (0..3).map(|_| &moves[random.below(moves.len())]) {
                let is_legal = tree.move_id(role, chosen).is_some_and(|id| legal.contains(&id));
                assert_eq!(explain(Symbol::LEGAL, vec![term.clone(), chosen.clone()]), is_legal);
            }
            joint.push(legal[random.below(legal.len())]);
        }
        let terms: Vec<Term> = joint.iter().map(|&id| tree.move_term(id).1).collect();
        let percepts = tree.percepts(&mut scratch, &joint).expect("legal moves");
        tree.step(&mut scratch, &joint).expect("legal moves");
        let next = tree.facts(&tree.state(&scratch));
        let mut moment = explainer.moment(&state, Some(&terms));
        let mut count = |relation, mut args: Vec<Term>| {
            args.push(Term::Variable(gdlr::gdl::Variable(0)));
            let question = Question { relation, args, variables: vec!["?x".into()] };
            let explanation = moment.explain(&question, &Options::default(), &Meter::unlimited());
            let explanation = explanation.unwrap_or_else(|error| panic!("{name}: {error}"));
            check(&explanation, &game, &[]).unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
            if explanation.holds { explanation.answers.len() } else { 0 }
        };
        assert_eq!(count(Symbol::NEXT, Vec::new()), next.len(), "{name}");
        for (role, seen) in tree.roles().iter().zip(&percepts) {
            if tree.roles().random() != Some(role) {
                let term = game.roles[role.index()].clone();
                assert_eq!(count(Symbol::SEES, vec![term]), seen.len(), "{name}");
            }
        }
    }
}

#[test]
fn the_games_of_this_project_are_explained() {
    for game in gdlr::bundled::GAMES {
        agrees_with_the_trees(game.name, game.text, 4);
    }
}
