//! Goals by unfolded rules, compared with goals by the rules as they stand.

use super::super::{Ground, Value};
use crate::net::{Net, evaluate};
use crate::tuning::Tuning;
use gdlr_rules::gdl::Game;
use gdlr_text::budget::Meter;
use rand::seq::{IndexedRandom, IteratorRandom};
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A queen is placed in each file, one file after the other. A queen attacks others along rows and diagonals, if nothing
/// stands between them. The goals are missing.
fn placing(files: usize) -> String {
    let mut rules = String::from("(role white) (init (step 1))\n");
    for n in 1..=files {
        rules += &format!("(file {n}) (rank {n}) (succ {n} {})\n", n + 1);
    }
    rules += "
        (<= (legal white (place ?x ?y)) (true (step ?x)) (file ?x) (rank ?y))
        (<= (next (queen ?x ?y)) (does white (place ?x ?y)))
        (<= (next (queen ?x ?y)) (true (queen ?x ?y)))
        (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
        (<= taken (true (queen ?x ?y)))
        (<= (empty ?x ?y) (file ?x) (rank ?y) (not (true (queen ?x ?y))))
        (<= (along ?x ?y ?z ?y) (succ ?x ?z) (file ?z) (rank ?y))
        (<= (along ?x ?y ?w ?y) (succ ?x ?z) (empty ?z ?y) (along ?z ?y ?w ?y))
        (<= (up ?x ?y ?z ?w) (succ ?x ?z) (file ?z) (succ ?y ?w) (rank ?w))
        (<= (up ?x ?y ?u ?v) (succ ?x ?z) (succ ?y ?w) (empty ?z ?w) (up ?z ?w ?u ?v))
        (<= (down ?x ?y ?z ?w) (succ ?x ?z) (file ?z) (succ ?w ?y) (rank ?y))
        (<= (down ?x ?y ?u ?v) (succ ?x ?z) (succ ?w ?y) (empty ?z ?w) (down ?z ?w ?u ?v))
        (<= (attacks ?x ?y ?z ?w) (along ?x ?y ?z ?w))
        (<= (attacks ?x ?y ?z ?w) (up ?x ?y ?z ?w))
        (<= (attacks ?x ?y ?z ?w) (down ?x ?y ?z ?w))\n";
    rules + &format!("(<= terminal (true (step {})))\n", files + 1)
}

/// Goals that ask whether the queens can be completed, after each number of queens.
fn completions(files: usize) -> String {
    let variables: Vec<String> = (1..=files).map(|file| format!("?{file}")).collect();
    let solution = format!("(solution {})", variables.join(" "));
    let mut rules = format!("(<= {solution}");
    for b in 1..=files {
        rules += &format!(" (rank ?{b})");
        (1..b).for_each(|a| rules += &format!(" (not (attacks {a} ?{a} {b} ?{b}))"));
    }
    rules += ")\n";
    for queens in 0..=files {
        rules += &format!("(<= (goal white {}) (true (step {}))", 10 * queens, queens + 1);
        (1..=queens).for_each(|file| rules += &format!(" (true (queen {file} ?{file}))"));
        rules += &format!(" {solution})\n");
    }
    rules
}

fn grounded(rules: &str, most_facts: f64) -> Ground {
    let game = Game::from_kif("test", rules).expect("a rulesheet");
    let tuning = Tuning { most_facts, ..Tuning::default() };
    Ground::tuned(game, &tuning, &Meter::unlimited()).expect("no limit")
}

/// The goal values that are true in a state.
fn goals(ground: &Ground, net: &Net, latches: &[bool]) -> Vec<String> {
    let values = evaluate(net, latches, &vec![false; net.inputs.len()]);
    let is_true = |signal: crate::net::Signal| values[signal.gate().index()] != signal.is_negated();
    let of_state = net.goals.iter().filter(|goal| is_true(goal.signal));
    let mut goals: Vec<String> =
        of_state.map(|goal| goal.value.canonical(&ground.game().symbols)).collect();
    goals.sort_unstable();
    goals
}

/// Compares the goals of two nets along random play. Latches and inputs are the same. How many goals were true.
fn compare(one: &Ground, other: &Ground, random: &mut impl Rng) -> usize {
    let nets =
        [one, other].map(|ground| Net::from_ground(ground, &Meter::unlimited()).expect("no limit"));
    let mut count = 0;
    for _ in 0..8 {
        let mut latches: Vec<bool> = nets[0].latches.iter().map(|latch| latch.initial).collect();
        loop {
            let found = goals(one, &nets[0], &latches);
            assert_eq!(found, goals(other, &nets[1], &latches));
            count += found.len();
            let mut inputs = vec![false; nets[0].inputs.len()];
            let values = evaluate(&nets[0], &latches, &inputs);
            let is_true = |values: &[bool], signal: crate::net::Signal| {
                values[signal.gate().index()] != signal.is_negated()
            };
            let legal = (0..inputs.len()).filter(|&at| is_true(&values, nets[0].inputs[at].legal));
            let Some(chosen) = legal.choose(random) else { break };
            inputs[chosen] = true;
            let values = evaluate(&nets[0], &latches, &inputs);
            latches = nets[0].latches.iter().map(|latch| is_true(&values, latch.next)).collect();
        }
    }
    count
}

#[test]
fn queens_have_few_rules_and_the_same_goals() {
    let rules = placing(5) + &completions(5);
    let (wide, whole) = (grounded(&rules, 8.0), grounded(&rules, f64::INFINITY));
    assert_eq!(wide.unfolded().len(), 1);
    assert!(whole.unfolded().is_empty());
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    assert!(compare(&wide, &whole, &mut random) > 8);
    // Ten solutions, each asked with one to five queens placed, and the empty board.
    let goal = wide.normal().goal;
    let of_goals = |ground: &Ground| {
        ground.rules().filter(|&(head, _)| ground.relation_of(head) == Some(goal)).count()
    };
    assert!(of_goals(&wide) <= 50, "{}", of_goals(&wide));
    let parts = |ground: &Ground| ground.rule_count();
    assert!(parts(&wide) < parts(&whole) / 2, "{} and {}", parts(&wide), parts(&whole));
}

#[test]
fn eight_queens_have_a_net() {
    let rules = placing(8) + &completions(8);
    let wide = grounded(&rules, Tuning::default().most_facts);
    let goal = wide.normal().goal;
    let value = |fact| wide.normal().decode_arg(goal, 1, wide.row_of(goal, fact));
    let values: Vec<String> = (wide.facts_of(goal))
        .filter(|&fact| wide.value(fact) == Value::Varies)
        .map(|fact| value(fact).canonical(&wide.game().symbols))
        .collect();
    assert_eq!(values.len(), 9, "{values:?}");
    let bodies = wide.rules().filter(|&(head, _)| wide.relation_of(head) == Some(goal));
    // 92 solutions for the last three numbers of queens; for fewer queens, solutions have a beginning in common.
    assert!(bodies.count() < 600);
}

/// Random goals and random rules of a wide relation, beside those that no net of queens has.
#[test]
fn random_goals_are_the_same() {
    let (mut unfolded, mut reached) = (0, 0);
    for seed in 0..150 {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let random = &mut random;
        let variable = |random: &mut Xoshiro256PlusPlus| random.random_range(1..=4);
        let mut rules = placing(3);
        let literal = |random: &mut Xoshiro256PlusPlus| {
            let (a, b) = (variable(random), variable(random));
            let (x, y) = (random.random_range(1..=3), random.random_range(1..=3));
            let conditions = [
                format!("(true (queen {x} ?{a}))"),
                format!("(empty {x} ?{a})"),
                format!("(attacks {x} ?{a} {y} ?{b})"),
                format!("(true (queen ?{a} ?{b}))"),
                format!("(true (step ?{a}))"),
                "taken".to_owned(),
                format!(
                    "(or (true (queen {x} ?{a})) (true (queen {y} ?{b})) (not (empty {y} ?{a})))"
                ),
                format!("(succ ?{a} ?{b})"),
            ];
            let condition = conditions.choose(random).expect("some").clone();
            match random.random_range(0..3) {
                0 => condition,
                1 => format!("(not {condition})"),
                _ => format!("(distinct ?{a} ?{b})"),
            }
        };
        for _ in 0..random.random_range(1..3) {
            let args = ["?1 ?2 ?3 ?4", "2 ?2 ?3 ?4", "?1 ?2 ?2 ?4"].choose(random).expect("some");
            rules += &format!("(<= (view {args}) (rank ?1) (rank ?2) (rank ?3) (rank ?4)");
            (0..random.random_range(1..6))
                .for_each(|_| rules += &(" ".to_owned() + &literal(random)));
            rules += ")\n";
        }
        for value in 0..4 {
            let terms = ["?1", "?2", "?3", "?4", "1", "2"];
            let args: Vec<&str> = (0..4).map(|_| *terms.choose(random).expect("some")).collect();
            rules += &format!("(<= (goal white {value}) (view {})", args.join(" "));
            (1..=4).for_each(|n| rules += &format!(" (rank ?{n})"));
            (0..random.random_range(0..3))
                .for_each(|_| rules += &(" ".to_owned() + &literal(random)));
            rules += ")\n";
        }
        // Goals that ask others of their kind, whichever comes first in the text.
        rules += "(<= (goal white 8) (not (seen 1)) (not (seen 2)))
            (<= (seen ?1) (view ?1 ?2 ?3 ?2) (true (step ?3)))
            (<= (goal white 9) (seen ?1) (not (true (queen 1 ?1))))";
        let (wide, whole) = (grounded(&rules, 1.0), grounded(&rules, f64::INFINITY));
        unfolded += wide.unfolded().len();
        reached += compare(&wide, &whole, random);
    }
    assert!(unfolded > 100 && reached > 1000, "{unfolded} and {reached}");
}

/// A relation on which more than goals depends stays, and so does one that is asked for its absence.
#[test]
fn relations_of_play_stay() {
    let views =
        "(<= (view ?1 ?2) (rank ?1) (rank ?2) (not (true (queen 1 ?1))) (not (true (queen 2 ?2))))
        (<= (goal white 1) (view 1 ?2))";
    let more = [
        ("", 1),
        ("(<= (goal white 2) (not (view 1 1)))", 0),
        ("(<= (next (seen ?1)) (view ?1 1))", 0),
        ("(<= (other ?1) (view ?1 1)) (<= (goal white 3) (other 2))", 1),
        ("(<= again (goal white 1)) (<= (next again) again)", 0),
    ];
    for (more, count) in more {
        let ground = grounded(&(placing(3) + views + more), 2.0);
        assert_eq!(ground.unfolded().len(), count, "{more}");
    }
    // Nor is a rule unfolded that has very many conditions.
    for (conditions, count) in [(10, 1), (300, 0)] {
        let mut rules = placing(3) + "(<= (next (lamp ?n)) (true (lamp ?n)) (not taken))";
        (0..300).for_each(|n| rules += &format!("(init (lamp {n}))"));
        rules += "(<= (goal white 1) (view 1 ?2)) (<= (view ?1 ?2) (rank ?1) (rank ?2)";
        (0..conditions).for_each(|n| rules += &format!("(true (lamp {n}))"));
        assert_eq!(grounded(&(rules + ")"), 2.0).unfolded().len(), count, "{conditions}");
    }
    // Nor is it if too many rules would be left.
    for (definitions, count) in [(10, 1), (70, 0)] {
        let mut rules = placing(3) + "(<= (next (lamp ?n)) (true (lamp ?n)) (not taken))";
        (0..70).for_each(|n| rules += &format!("(init (lamp {n}))"));
        rules += "(<= (goal white 1) (view 1 ?2) (view 2 ?2))";
        for n in 0..definitions {
            rules += &format!("(<= (view ?1 ?2) (rank ?1) (rank ?2) (true (lamp {n})))");
        }
        assert_eq!(grounded(&rules, 2.0).unfolded().len(), count, "{definitions}");
    }
}

/// A goal without a condition that depends on the state is true in every state.
#[test]
fn goals_can_be_constant() {
    let views = "(<= (view ?1 ?2) (rank ?1) (rank ?2) (not (attacks 2 ?1 1 ?2)))
        (<= (goal white 1) (view 1 2)) (<= sure (view 2 1)) (<= sure taken)
        (<= (goal white 2) sure taken)";
    let ground = grounded(&(placing(3) + views), 2.0);
    assert_eq!(ground.unfolded().len(), 1);
    let goal = ground.normal().goal;
    let value = |fact| ground.normal().decode_arg(goal, 1, ground.row_of(goal, fact));
    let mut values: Vec<(String, Value)> = (ground.facts_of(goal))
        .map(|fact| (value(fact).canonical(&ground.game().symbols), ground.value(fact)))
        .collect();
    values.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
    assert_eq!(values, [("1".to_owned(), Value::Constant(true)), ("2".to_owned(), Value::Varies)]);
    let mut of_goals = ground.rules().filter(|&(head, _)| ground.relation_of(head) == Some(goal));
    // Only what `taken` asks is left as a condition.
    assert!(of_goals.all(|(_, body)| body.count() == 1));
}

/// The value of a fact is not looked for through all of a long chain of rules.
#[test]
fn long_chains_take_little_stack() {
    let mut rules = placing(3);
    rules += "(<= (link 0) (true (queen 1 1)))";
    (1..3000).for_each(|n| rules += &format!("(<= (link {n}) (link {}))", n - 1));
    rules += "(<= (view ?1 ?2) (rank ?1) (rank ?2) (not (link 2999)))
        (<= (goal white 1) (view 1 ?2) (true (queen 2 ?2)))";
    let check = move || {
        let (wide, whole) = (grounded(&rules, 2.0), grounded(&rules, f64::INFINITY));
        assert_eq!(wide.unfolded().len(), 1);
        assert!(compare(&wide, &whole, &mut Xoshiro256PlusPlus::seed_from_u64(1)) > 0);
    };
    let thread = std::thread::Builder::new().stack_size(1 << 18).spawn(check).expect("a thread");
    thread.join().expect("the goals are the same");
}
