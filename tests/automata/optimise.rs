//! Automata keep their meaning through the optimiser and the normalisations. They are random, or made by hand;
//! the definition (RG, section 2) says so, move by move.

use crate::rg_naive::generator::Generator;
use crate::rg_naive::{Fault, Game, Move, State, Val};
use gdlr::budget::{Budget, Limit, Meter};
use gdlr::diagnostic::{Code, Severity};
use gdlr::rg::normalise::NORMALISATIONS;
use gdlr::rg::optimise::{Size, TRANSFORMATIONS, Transformation, optimise};
use gdlr::rg::{self, Description, Name, read, validate};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// How many pairs of states are looked at.
const STATES: usize = 25;

/// An automaton without errors, if the text is one.
fn sound(text: &str) -> Option<Description> {
    let description = read(text).ok()?;
    let errors = validate(&description).into_iter();
    (errors.filter(|found| found.severity() == Severity::Error).count() == 0).then_some(description)
}

fn optimised(
    description: &Description,
    wanted: impl FnMut(&Transformation) -> bool,
) -> Description {
    let mut result = description.clone();
    optimise(&mut result, wanted, &Meter::unlimited(), |_, _| ()).expect("there is no limit");
    result
}

/// The view that players have of a state: whose turn it is, the goals, who sees what, whether it is over.
/// Names are texts, for the two descriptions number them differently.
type Shown = (bool, Vec<String>);

fn shown(description: &Description, (node, semistate): &State) -> Shown {
    fn texts(description: &Description, value: &Val, all: &mut Vec<String>) {
        match value {
            Val::Symbol(symbol) => all.push(description.names.text(*symbol).to_owned()),
            Val::Map(map) => {
                let text = |key: &Name| description.names.text(*key).to_owned();
                let entries: BTreeMap<_, _> =
                    map.iter().map(|(key, value)| (text(key), value)).collect();
                for (key, value) in entries {
                    all.push(key);
                    texts(description, value, all);
                }
            }
        }
    }
    let mut all = Vec::new();
    for name in [Name::PLAYER, Name::GOALS, Name::VISIBLE] {
        texts(description, &semistate[&name], &mut all);
    }
    (*node == Name::END, all)
}

/// The moves by their tags; none if two of them are called the same.
fn by_tags(
    description: &Description,
    moves: BTreeSet<Move>,
) -> Option<BTreeMap<Vec<String>, State>> {
    let mut all = BTreeMap::new();
    for (tags, state) in moves {
        let tags = tags.iter().map(|&tag| description.names.text(tag).to_owned()).collect();
        if all.insert(tags, state).is_some() {
            return None;
        }
    }
    Some(all)
}

/// Compares the moves in the first states; how many had moves.
fn compare(before: &Description, after: &Description) -> usize {
    let (one, other) = (Game::new(before), Game::new(after));
    let mut seen = BTreeSet::from([(one.initial.clone(), other.initial.clone())]);
    let mut open = vec![(one.initial.clone(), other.initial.clone())];
    let mut next = 0;
    let mut compared = 0;
    while next < open.len().min(STATES) {
        let (state, its) = open[next].clone();
        next += 1;
        assert_eq!(shown(before, &state), shown(after, &its));
        if state.0 == Name::END {
            continue;
        }
        // An invalid automaton has no meaning, nor has an ambiguous one.
        let Ok(moves) = one.moves(&state) else { continue };
        let Some(moves) = by_tags(before, moves) else { continue };
        let its_moves = match other.moves(&its) {
            Err(Fault::TooMuch) => continue,
            its_moves => its_moves.expect("an action that was valid is valid"),
        };
        let its_moves = by_tags(after, its_moves).expect("moves are ambiguous that were not");
        assert!(moves.keys().eq(its_moves.keys()), "{moves:?} {its_moves:?}");
        compared += usize::from(!moves.is_empty());
        for pair in moves.into_values().zip(its_moves.into_values()) {
            if seen.insert(pair.clone()) {
                open.push(pair);
            }
        }
    }
    compared
}

/// Optimises random automata and compares; how many states with moves there were, and how many
/// automata became smaller.
fn tried(
    seed: u64,
    wanted: usize,
    mut transformations: impl FnMut(&Transformation) -> bool,
) -> (usize, usize) {
    let mut generator = Generator::new(seed);
    let (mut tried, mut compared, mut smaller) = (0, 0, 0);
    while tried < wanted {
        let text = match tried % 4 {
            0 | 2 => generator.ways(),
            1 => generator.text(),
            _ => generator.casts(),
        };
        let Some(description) = sound(&text) else { continue };
        tried += 1;
        let after = optimised(&description, &mut transformations);
        let checked = std::panic::catch_unwind(|| {
            let text = rg::print(&after).expect("it can be written");
            let again = read(&text).expect("it can be read");
            let wrong: Vec<_> = validate(&again)
                .into_iter()
                .filter(|found| found.severity() == Severity::Error)
                // Errors that were hidden before: a check that needs itself behind a condition that
                // always holds, tags without an end on a cycle of several edges.
                .filter(|found| !matches!(found.code, Code::RgRecursion | Code::RgTagLoop))
                .collect();
            assert!(wrong.is_empty(), "{wrong:?}");
            compare(&description, &after)
        });
        let became = || rg::print(&after).unwrap_or_default();
        compared += checked.unwrap_or_else(|_| panic!("{text}\nbecame\n{}", became()));
        smaller += usize::from(Size::of(&after).edges < Size::of(&description).edges);
    }
    (compared, smaller)
}

#[test]
fn random_automata_mean_the_same() {
    let wanted = if cfg!(debug_assertions) { 3000 } else { 20_000 };
    let (compared, smaller) = tried(1, wanted, |one| !one.renames_moves);
    assert!(compared > wanted / 3 && smaller > wanted / 2, "{compared} {smaller}");
}

#[test]
fn each_transformation_alone_keeps_the_meaning() {
    for (seed, transformation) in TRANSFORMATIONS.iter().enumerate() {
        if !transformation.renames_moves {
            let (compared, _) = tried(seed as u64, 250, |one| one.name == transformation.name);
            assert!(compared > 20, "{}", transformation.name);
        }
    }
}

/// Edges that read what they assign to, in rows: `d = next[d]`, `d = m[d]`, `m[m[d]] = d`.
#[test]
fn what_reads_what_it_assigns_means_the_same() {
    let wanted = std::env::var("GDLR_RANDOM_AUTOMATA").ok();
    let wanted = wanted.map_or(200, |wanted| wanted.parse().expect("a number"));
    let inline = |one: &Transformation| one.name == "inline-assignment";
    let (mut compared, mut inlined) = (0, 0);
    for seed in 0..wanted {
        let text = Generator::new(seed).chains();
        let Some(description) = sound(&text) else { continue };
        let after = optimised(&description, inline);
        let checked = std::panic::catch_unwind(|| {
            compare(&description, &after)
                + compare(&description, &optimised(&description, |one| !one.renames_moves))
        });
        compared += checked.unwrap_or_else(|_| panic!("{text}"));
        // Actions of two edges are in one edge.
        let text = rg::print(&after).expect("it can be written");
        inlined += usize::from(
            ["next[m[", "next[next[next[", "m[next[m["].iter().any(|one| text.contains(one)),
        );
    }
    assert!(compared > 30 && inlined > 4, "{compared} {inlined}");
}

#[test]
fn other_forms_mean_the_same() {
    let mut generator = Generator::new(9);
    let mut compared = [0; NORMALISATIONS.len() + 1];
    for number in 0..1200 {
        let text = match number % 4 {
            0 | 2 => generator.ways(),
            1 => generator.text(),
            _ => generator.casts(),
        };
        let Some(description) = sound(&text) else { continue };
        // Each by itself, and all of them, one after the other.
        for (which, compared) in compared.iter_mut().enumerate() {
            let mut after = description.clone();
            let chosen =
                NORMALISATIONS.get(which).map_or(&NORMALISATIONS[..], std::slice::from_ref);
            for normalisation in chosen {
                normalisation.apply(&mut after).expect("few edges");
            }
            let text = rg::print(&after).expect("it can be written");
            let wrong: Vec<_> = validate(&read(&text).expect("it can be read"))
                .into_iter()
                .filter(|found| found.severity() == Severity::Error)
                .collect();
            assert!(wrong.is_empty(), "{wrong:?}\n{text}");
            *compared += compare(&description, &after);
        }
    }
    assert!(compared.iter().all(|&compared| compared > 100), "{compared:?}");
}

/// Checks what a normalisation makes of an automaton.
#[track_caller]
fn takes_form(name: &str, before: &str, after: &[&str]) {
    let head = "type Player = { x }; type Score = { 0 }; type B = { 0, 1 };";
    let end = "begin, p: player = x; p, q: $ t; q, end: player = keeper;";
    let mut description = sound(&format!("{head} {before} {end}")).expect("an automaton");
    let normalisation = NORMALISATIONS.iter().find(|one| one.name == name).expect("it is there");
    normalisation.apply(&mut description).unwrap();
    let text = rg::print(&description).unwrap();
    for line in after {
        assert!(text.lines().any(|own| own == *line), "{line} is not in\n{text}");
    }
}

#[test]
fn normalisations_do_what_their_files_say() {
    takes_form(
        "expand-any-assignments",
        "var b: B = 0; r, s: b = B(*);",
        &["r, s: b = 0;", "r, s: b = 1;"],
    );
    takes_form(
        "expand-tag-variables",
        "var b: B = 0; r, s: $$ b; n2, s: ;",
        &["r, n1: b == 0;", "n1, s: $ 0;", "r, n3: b == 1;", "n3, s: $ 1;"],
    );
    takes_form(
        "normalise-constants",
        "var m: B -> B -> B = { :{ :0 } }; r, s: m[0][0] == 1;",
        &[
            "const map1: B -> B = { :0 };",
            "const map2: B -> B -> B = { :map1 };",
            "var m: B -> B -> B = map2;",
        ],
    );
    takes_form(
        "normalise-types",
        "type X = { x } -> { y }; var m: X = { :y }; var n: B -> B -> B = { :{ :0 } }; r, s: m = m;",
        &[
            "type Type2 = { x };",
            "type Type1 = { y };",
            "type X = Type2 -> Type1;",
            "type Type3 = B -> B;",
            "type Type4 = B -> Type3;",
            "var n: Type4 = { :{ :0 } };",
        ],
    );
    takes_form(
        "add-explicit-casts",
        "var b: B = 0; var m: B -> B = { :0 }; r, s: m[b] == 1; r, s: m[0] = b;",
        &["r, s: B(m[B(b)]) == B(1);", "r, s: m[B(0)] = B(b);"],
    );
    takes_form(
        "mangle-symbols",
        "type Long = { first, second }; var long: Long = first; r, s: $$ long; r, s: long == first;
         @artificialTag t;",
        &["type b = { first, second };", "var c: b = first;", "@artificialTag t;"],
    );
}

#[test]
fn what_is_optimised_once_stays() {
    let mut generator = Generator::new(3);
    for _ in 0..200 {
        let Some(description) = sound(&generator.ways()) else { continue };
        let once = optimised(&description, |_| true);
        let twice = optimised(&once, |_| true);
        assert_eq!(Size::of(&once), Size::of(&twice), "{}", rg::print(&once).unwrap());
    }
}

/// The text of an optimised automaton, edges alone.
#[track_caller]
fn edges_of(text: &str, mut wanted: impl FnMut(&Transformation) -> bool) -> String {
    let head = "type Player = { x, o }; type Score = { 0, 1 }; type D = { 0, 1, 2 };
        const next: D -> D = { 0: 1, 1: 2, :0 }; const after: D -> D = { 0: 2, 2: 1, :0 };
        var d: D = 0; var f: D = 1; var m: D -> D = { :0 };";
    let description = sound(&format!("{head} {text}")).expect("an automaton without errors");
    let mut renames = false;
    let after = optimised(&description, |one| {
        let wanted = wanted(one);
        renames |= wanted && one.renames_moves;
        wanted
    });
    if !renames {
        compare(&description, &after);
    }
    let text = rg::print(&after).unwrap();
    let definitions = ["type ", "const ", "var "];
    let is_edge = |line: &&str| {
        !line.is_empty() && !definitions.iter().any(|keyword| line.starts_with(keyword))
    };
    text.lines().filter(is_edge).collect::<Vec<_>>().join(" ")
}

/// Checks what a transformation alone makes of edges.
#[track_caller]
fn becomes(name: &str, before: &str, after: &str) {
    assert!(TRANSFORMATIONS.iter().any(|one| one.name == name), "{name}");
    assert_eq!(edges_of(before, |one| one.name == name), after);
}

#[test]
fn transformations_do_what_their_files_say() {
    becomes(
        "compact-comparisons",
        "begin, a: d = D(*); a, b: d == 1; a, b: d == 2; b, end: player = x;",
        "begin, a: d = D(*); a, b: d != 0; b, end: player = x;",
    );
    becomes(
        "inline-assignment",
        "begin, a: f = next[d]; a, b: f != 1; b, c: $ t; c, end: player = x;",
        "begin, a: ; a, b: next[d] != 1; b, c: $ t; c, end: player = x;",
    );
    becomes(
        "inline-assignment",
        "begin, a: d = next[d]; a, b: d != 1; b, end: player = x;",
        "begin, a: ; a, b: next[d] != 1; b, end: player = x;",
    );
    becomes(
        "inline-assignment",
        "begin, a: d = m[f]; a, b: d = next[d]; b, c: $$ d; c, end: player = x;",
        "begin, a: ; a, b: d = next[m[f]]; b, c: $$ d; c, end: player = x;",
    );
    // The other entries of a map are what they were.
    becomes(
        "inline-assignment",
        "begin, a: m = next; a, b: m[f] = m[0]; b, c: d = m[f]; c, e: $$ d; e, end: player = x;",
        "begin, a: m = next; a, b: m[f] = m[0]; b, c: d = m[f]; c, e: $$ d; e, end: player = x;",
    );
    becomes(
        "merge-accesses",
        "begin, a: d == next[after[f]]; a, b: d != next[after[d]]; b, end: player = x;",
        "begin, a: d == next_after[f]; a, b: d != next_after[d]; b, end: player = x;",
    );
    becomes(
        "propagate-constants",
        "begin, a: f = D(*); a, b: f == next[d]; b, c: $$ d; c, end: player = x;",
        "begin, a: f = D(*); a, b: f == 1; b, c: $ 0; c, end: player = x;",
    );
    becomes(
        "decide-comparisons",
        "begin, a: d = D(*); a, b: d != 0; b, c: d != 0; c, e: d == 0; c, end: player = x;
         e, end: player = x;",
        "begin, a: d = D(*); a, b: d != 0; b, c: ; c, end: player = x;",
    );
    becomes(
        "reorder-conditions",
        "begin, a: d = D(*); a, b: d != 1; b, c: f == 1; a, i: f == 1; i, c: d != 2;
         c, end: player = x;",
        "begin, a: d = D(*); a, b: f == 1; a, i: f == 1; b, c: d != 1; c, end: player = x; \
         i, c: d != 2;",
    );
    becomes(
        "skip-self-assignments",
        "begin, a: d = d; a, end: player = x;",
        "begin, a: ; a, end: player = x;",
    );
    becomes(
        "skip-self-comparisons",
        "begin, a: m[d] == m[d]; begin, b: m[d] != m[d]; a, end: player = x; b, end: player = o;",
        "begin, a: ; a, end: player = x; b, end: player = o;",
    );
    becomes(
        "join-exclusive-edges",
        "begin, a: m[d] == f; begin, a: f != m[d]; a, end: player = x;",
        "begin, a: ; a, end: player = x;",
    );
    becomes(
        "join-fork-prefixes",
        "begin, a: d == f; begin, b: d == f; a, c: $ s; b, c: $ t; c, end: player = x;",
        "begin, a: d == f; a, c: $ s; a, c: $ t; c, end: player = x;",
    );
    becomes(
        "join-fork-suffixes",
        "begin, a: $ s; begin, b: $ t; a, c: d == 0; b, c: d == 0; c, end: player = x;",
        "begin, a: $ s; begin, a: $ t; a, c: d == 0; c, end: player = x;",
    );
    becomes(
        "compact-skip-edges",
        "begin, a: d == 0; a, b: ; b, c: $ s; c, end: player = x;",
        "begin, b: d == 0; b, c: $ s; c, end: player = x;",
    );
    becomes(
        "prune-unreachable-nodes",
        "begin, b: ? r1 -> r; b, end: player = x; a, end: ; r1, r2: ; r1, r: d == 0;",
        "begin, b: ? r1 -> r; b, end: player = x; r1, r: d == 0;",
    );
    becomes(
        "prune-unreachable-nodes",
        "begin, b: ? r1 -> r; begin, c: ! r1 -> r; b, end: player = x; c, end: player = o; a, r: d == 0;",
        "begin, c: ; c, end: player = o;",
    );
    becomes(
        "prune-self-loops",
        "begin, begin: d == 0; begin, begin: ; begin, end: player = x;",
        "begin, end: player = x;",
    );
    becomes(
        "prune-dead-assignments",
        "begin, a: d = 1; a, b: d = D(*); b, c: $$ d; c, end: player = x;",
        "begin, a: ; a, b: d = D(*); b, c: $$ d; c, end: player = x;",
    );
    becomes(
        "skip-redundant-tags",
        "begin, a: $ s; begin, b: $ t; a, c: $ u; b, c: $ u; c, end: player = x;",
        "begin, a: $ s; begin, b: $ t; a, c: ; c, end: player = x; b, c: ;",
    );
    becomes(
        "skip-unused-tags",
        "begin, a: ? r -> s; a, end: player = x; r, q: $ 1; q, s: d == 0;",
        "begin, a: ? r -> s; a, end: player = x; r, q: ; q, s: d == 0;",
    );
    becomes(
        "compact-reachability",
        "begin, a: ? r -> s; a, end: player = x; r, q: ; q, p: d == 0; p, s: f = 2;",
        "begin, a: ? q -> p; a, end: player = x; q, p: d == 0; p, s: f = 2; r, q: ;",
    );
    becomes(
        "inline-reachability",
        "begin, a: ! r -> s; a, end: player = x; r, q: d == 0; q, s: f == 1;",
        "begin, a: d != 0; begin, a: f != 1; a, end: player = x; r, q: d == 0; q, s: f == 1;",
    );
}

#[test]
fn what_a_move_leads_to_stays_the_same() {
    // Two walks are one move: it says `s` in both, and `d` is 1 after both. The one that reads
    // it must not leave the other one behind.
    let text = "begin, p: player = x;
        p, a: d = 1; a, b: m[d] == 0; b, e: $ s;
        p, c: d = 1; c, e: $ s;
        e, end: player = keeper;";
    let edges = edges_of(text, |one| one.name == "prune-dead-assignments");
    assert_eq!(edges.matches("d = 1").count(), 2, "{edges}");
    // With no reader at all both go.
    let text = text.replace("m[d] == 0", "m[0] == 0");
    let edges = edges_of(&text, |one| one.name == "prune-dead-assignments");
    assert!(!edges.contains("d = 1"), "{edges}");
}

#[test]
fn a_check_that_begins_behind_what_it_looks_for_does_not_find_it() {
    let text = "begin, a: ? r -> s; begin, end: player = x; a, end: player = o;
        s, r: ; r, s: m[d] == 1;";
    let edges = edges_of(text, |one| one.name == "compact-skip-edges");
    assert!(edges.contains("? r -> s"), "{edges}");
}

#[test]
fn what_a_check_looks_for_is_no_other_node() {
    let text = "begin, a: ? r -> t; begin, b: ! r -> t; a, end: player = x; b, end: player = o;
        r, t: d == 1; r, u: d == 0; t, w: f == 1; u, w: f == 1; w, end: player = x;";
    let edges = edges_of(text, |one| one.name == "join-fork-suffixes");
    assert!(edges.contains("u, w"), "{edges}");
}

#[test]
fn moves_that_were_ambiguous_stay_so() {
    let text = "begin, b: player = x; begin, c: player = x; b, e: $ s; c, e: $ t;
        e, end: player = keeper;";
    let edges = edges_of(text, |one| one.name == "join-fork-prefixes");
    assert!(edges.contains("begin, c"), "{edges}");
}

#[test]
fn what_stands_for_a_variable_still_has_its_value() {
    let text = "begin, a: f = after[d]; a, b: d = next[f]; b, c: d == 0; c, g: $ t;
        g, end: player = x;";
    let edges = edges_of(text, |one| one.name == "inline-assignment");
    assert!(edges.contains("next[after[d]] == 0"), "{edges}");
}

#[test]
fn a_condition_that_makes_others_valid_stays_before_them() {
    let odd = "type E = { 1, 2, 3 }; var e: E = 3; var mm: D -> D -> D = { :{ :0 } };";
    let text = format!(
        "{odd} begin, a: e != 3; a, b: mm[0][e] == 0; begin, c: e == 1; c, b: mm[0][e] == 0;
         begin, b: d == 0; b, end: player = x;"
    );
    edges_of(&text, |one| one.name == "reorder-conditions");
    let text =
        format!("{odd} begin, a: ! r -> s; a, end: player = x; r, q: e != 3; q, s: mm[0][e] == 0;");
    let edges = edges_of(&text, |one| one.name == "inline-reachability");
    assert!(edges.contains("! r -> s"), "{edges}");
}

#[test]
fn what_casts_let_stand_side_by_side_is_decided() {
    let text = "type Z = { 0 }; var z: Z = 0; begin, a: D(z) == 1; begin, b: D(z) != 1;
        a, end: player = x; b, end: player = o;";
    let edges = edges_of(text, |one| one.name == "prune-self-loops");
    assert_eq!(edges, "begin, b: ; b, end: player = o; a, end: player = x;");
}

#[test]
fn keys_that_a_map_does_not_have_are_merged_as_its_default() {
    let text = "type E = { 1, 3 }; const out: D -> E = { 0: 3, :1 }; begin, a: d = D(*);
        a, b: d == next[out[d]]; b, end: player = x;";
    let edges = edges_of(text, |one| one.name == "merge-accesses");
    assert!(edges.contains("d == next_out[d]"), "{edges}");
}

#[test]
fn tags_at_several_places_stay() {
    let text = "begin, a: $ u; begin, b: ; a, b: ; b, c: $ u; c, end: player = x;";
    let edges = edges_of(text, |one| one.name == "skip-redundant-tags");
    assert_eq!(edges.matches("$ u").count(), 2, "{edges}");
}

#[test]
fn long_chains_of_assignments_cost_no_stack() {
    let mut text = String::from("begin, n0: d = D(*);");
    for number in 0..20_000 {
        write!(text, "n{number}, n{}: d = next[d];", number + 1).unwrap();
    }
    let edges = edges_of(&format!("{text} n20000, a: $$ d; a, end: player = x;"), |_| true);
    // One constant does what all do.
    assert!(edges.len() < 1_000, "{}", edges.len());
}

#[test]
fn a_game_without_an_end_can_still_be_read() {
    let text = "begin, a: player = x; a, begin: $ s; a, end: d == 1;";
    let edges = edges_of(text, |one| !one.renames_moves);
    assert!(edges.contains("begin, end: player != player;"), "{edges}");
}

#[test]
fn no_time_leaves_the_automaton_as_it_was() {
    let description =
        sound("type Player = { x }; type Score = { 0 }; begin, a: ; a, end: player = x;").unwrap();
    let stop = std::sync::atomic::AtomicBool::new(true);
    let budget = Budget { interrupted: Some(&stop), ..Default::default() };
    let mut after = description.clone();
    assert!(optimise(&mut after, |_| true, &budget.start(), |_, _| ()).is_err());
    assert_eq!(after, description);
}

#[test]
fn the_memory_of_analyses_counts() {
    let mut text = "type Player = { x }; type Score = { 0 }; begin, n0: player = x;".to_owned();
    for number in 0..2000 {
        let next = number + 1;
        text += &format!("var v{number}: Bool = 0; n{number}, n{next}: v{number} = 1;");
    }
    for number in 2000..4000 {
        let (next, variable) = (number + 1, number - 2000);
        text += &format!("n{number}, n{next}: v{variable} == 1;");
    }
    let description = read(&(text + "n4000, end: player = keeper;")).unwrap();
    let budget = Budget { memory: 1 << 20, ..Budget::UNLIMITED };
    for (name, fits) in [("prune-self-loops", true), ("propagate-constants", false)] {
        let mut after = description.clone();
        let only = |one: &Transformation| one.name == name;
        let done = optimise(&mut after, only, &budget.start(), |_, _| ());
        let limit = done.err().map(|exhausted| exhausted.limit);
        assert_eq!(limit, (!fits).then_some(Limit::Memory), "{name}");
        assert!(fits || after == description);
    }
}
