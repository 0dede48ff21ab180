//! Pragmas that nobody knows pass through everything, as long as what they mention is there.

use crate::rg_naive::generator::Generator;
use gdlr::budget::Meter;
use gdlr::diagnostic::Severity;
use gdlr::rg::normalise::NORMALISATIONS;
use gdlr::rg::optimise::optimise;
use gdlr::rg::{self, Description, Hint, Label, pragmas, read, validate};
use std::collections::BTreeSet;

/// One has the name that the paper gives to `@tagMaxIndex`, and begins like another.
const TEXT: &str = "type Player = { p }; type Score = { 0, 1 }; type A = { 0, 1, 2 };
    var x: A = 0; var y: A = 0;
    @tagIndexMax q1 q2 : 0; @tagMaxIndex q1 : 0; @checked by \"me\", (q0) → [x] // twice;
    begin, q0: player = p; q0, q1: x = A(*); q1, q2: $$ x; q2, q3: $$ y; q3, q4: player = keeper;
    q4, end: player = keeper;";

fn optimised(description: &Description) -> Description {
    let mut after = description.clone();
    optimise(&mut after, |_| true, &Meter::unlimited(), |_, _| ()).expect("there is no limit");
    after
}

/// The unknown pragmas in the text of an automaton.
fn unknown(description: &Description) -> Vec<String> {
    let again = read(&rg::print(description).expect("it has a text")).expect("it can be read");
    let unknown = again.pragmas.into_iter().filter_map(|pragma| match pragma.hint {
        Hint::Unknown(text) => Some(text.into_string()),
        _ => None,
    });
    unknown.collect()
}

#[test]
fn they_pass_through() {
    let description = read(TEXT).expect("it can be read");
    let expected = ["tagIndexMax q1 q2 : 0", "checked by \"me\", (q0) → [x] // twice"];
    assert_eq!(unknown(&description), expected);
    let after = optimised(&description);
    assert_eq!(unknown(&after), expected);
    // The second tag is always the same and goes; of two nodes that become one the name stays
    // that is mentioned.
    let text = rg::print(&after).expect("it has a text");
    assert!(text.contains("\nq1, q2: $$ x;\nq2, q4: player = keeper;\n"), "{text}");
    assert!(rg::left_out(&description, &after).is_empty());
    let mut annotated = description.clone();
    pragmas::annotate(&mut annotated, &Meter::unlimited()).expect("there is no limit");
    assert_eq!(unknown(&annotated), expected);
    let laid_out = rg::format(TEXT).expect("it can be laid out");
    assert_eq!(unknown(&read(&laid_out).expect("it can be read")), expected);
    for form in &NORMALISATIONS {
        let mut after = description.clone();
        form.apply(&mut after).expect("few edges");
        let kept: &[&str] = if form.name == "mangle-symbols" { &[] } else { &expected };
        assert_eq!(unknown(&after), kept, "{}", form.name);
    }
}

#[test]
fn what_speaks_of_nothing_is_left_out() {
    let text = format!(
        "{TEXT} @seen q4 lost; @of lost q1; @of q2 q3; @of y; @of A const1; @of nobody;
         const const1: A = 1; lost, q4: x == const1; lost, q3: x == y;"
    );
    let description = read(&text).expect("it can be read");
    let after = optimised(&description);
    let left_out: Vec<String> =
        rg::left_out(&description, &after).iter().map(ToString::to_string).collect();
    let expected = [
        // Of `q2` and `q3`, which become one, another pragma mentions both.
        "the pragma `@tagIndexMax q1 q2 : 0` is left out: there is no node `q2` any more",
        "the pragma `@seen q4 lost` is left out: there is no node `lost` any more",
        "the pragma `@of lost q1` is left out: there is no node `lost` any more",
        "the pragma `@of q2 q3` is left out: there is no node `q2` any more",
        "the pragma `@of y` is left out: there is no variable `y` any more",
        "the pragma `@of A const1` is left out: there is no constant `const1` any more",
    ];
    assert_eq!(left_out, expected);
    assert_eq!(unknown(&after).last().map(String::as_str), Some("of nobody"));
    let mangle = NORMALISATIONS.iter().find(|one| one.name == "mangle-symbols").expect("there");
    let mut mangled = description.clone();
    mangle.apply(&mut mangled).expect("few edges");
    assert_eq!(unknown(&mangled), ["of nobody"]);
}

/// The nodes, types, constants and variables.
fn things(description: &Description) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for edge in &description.edges {
        names.extend([edge.from.name, edge.to.name]);
        if let Label::Reach { from, to, .. } = &edge.label {
            names.extend([from.name, to.name]);
        }
    }
    names.extend(description.types.iter().map(|one| one.name.name));
    names.extend(description.constants.iter().map(|one| one.name.name));
    names.extend(description.variables.iter().map(|one| one.name.name));
    names.iter().map(|&name| description.names.text(name).to_owned()).collect()
}

#[test]
fn what_is_kept_speaks_of_what_is_there() {
    let (mut kept, mut gone) = (0, 0);
    for seed in 0..100 {
        let mut text = Generator::new(seed).ways();
        for inner in 1..12 {
            text += &format!("@about i{inner} h1; @about i{inner} : i{}, next;", inner + 3);
        }
        let description = read(&text).expect("it can be read");
        let errors = validate(&description).into_iter();
        if errors.filter(|found| found.severity() == Severity::Error).count() > 0 {
            continue;
        }
        let after = optimised(&description);
        let (before, there) = (things(&description), things(&after));
        let all = unknown(&after);
        for text in &all {
            let mut words = text.split(|c: char| !c.is_alphanumeric()).skip(1);
            assert!(words.all(|word| !before.contains(word) || there.contains(word)), "{text}");
        }
        let left_out = rg::left_out(&description, &after);
        assert!(left_out.iter().all(|one| one.mentioned.is_some()));
        assert_eq!(all.len() + left_out.len(), 22);
        kept += all.len();
        gone += left_out.len();
    }
    assert!(kept > 20 && gone > 100, "{kept} {gone}");
}
