//! The page of stages: what stands in it is what the optimiser did, whatever is in the automaton.

use crate::rg_naive::generator::Generator;
use gdlr::budget::{Budget, Meter};
use gdlr::diagnostic::{Code, Severity};
use gdlr::rg::normalise::{NORMALISATIONS, Normalisation};
use gdlr::rg::optimise::{Size, Transformation, optimise};
use gdlr::rg::{self, Description};
use gdlr::stages::{self, Failure, Stages};
use gdlr::{draw, hrg};
use serde_json::Value;

fn game(name: &str) -> Description {
    let path = format!("{}/hrg/{name}.hrg", env!("CARGO_MANIFEST_DIR"));
    hrg::read_automaton(&std::fs::read(path).expect("a file")).expect("a game")
}

fn print(description: &Description) -> String {
    rg::print(description).expect("it has a text")
}

fn errors(description: &Description) -> Vec<Code> {
    let diagnostics = rg::validate(description).into_iter();
    diagnostics.filter(|one| one.severity() == Severity::Error).map(|one| one.code).collect()
}

fn stages_in(name: &str, description: &Description, forms: &[&Normalisation]) -> Stages {
    let meter = Meter::unlimited();
    stages::record(name, description, |_| true, forms, &meter, |_| ()).expect("there is no limit")
}

/// The first text of a page between two texts.
fn between<'p>(page: &'p str, before: &str, behind: &str) -> &'p str {
    let (_, rest) = page.split_once(before).unwrap_or_else(|| panic!("no {before}"));
    rest.split_once(behind).expect("it ends").0
}

fn data(page: &str) -> Value {
    let text = between(page, "<script type=\"application/json\" id=\"data\">", "</script>");
    serde_json::from_str(text).expect("JSON")
}

/// The texts of all stages, out of the page alone.
fn texts(data: &Value) -> Vec<String> {
    let lines = data["lines"].as_array().expect("lines");
    let (mut now, mut texts): (Vec<u64>, Vec<String>) = (Vec::new(), Vec::new());
    for stage in data["stages"].as_array().expect("stages") {
        let (mut next, mut place) = (Vec::new(), 0);
        for edit in stage["edits"].as_array().expect("edits") {
            match (edit.as_i64(), edit.as_array()) {
                (Some(count), _) => {
                    let end = place + count.unsigned_abs() as usize;
                    if count > 0 {
                        next.extend(&now[place..end]);
                    }
                    place = end;
                }
                (_, Some(new)) => next.extend(new.iter().map(|of| of.as_u64().expect("a line"))),
                _ => panic!("no edit: {edit}"),
            }
        }
        assert_eq!(place, now.len(), "all lines of the stage before are spoken of");
        let line = |&at: &u64| lines[at as usize].as_str().expect("a line").to_owned() + "\n";
        texts.push(next.iter().map(line).collect());
        now = next;
    }
    texts
}

/// The stages of the optimiser alone: the different texts, one after the other.
fn expected(description: &Description, forms: &[&Normalisation]) -> Vec<String> {
    let mut as_read = description.clone();
    optimise(&mut as_read, |_| false, &Meter::unlimited(), |_, _| ()).expect("no limit");
    let mut texts = vec![print(description), print(&as_read)];
    let mut now = description.clone();
    optimise(&mut now, |_| true, &Meter::unlimited(), |_, now| texts.push(print(&now())))
        .expect("no limit");
    assert_eq!(texts.last(), Some(&print(&now)), "what it says last is what it makes");
    for form in forms {
        form.apply(&mut now).expect("not too large");
        texts.push(print(&now));
    }
    texts.dedup();
    texts
}

/// Compares a page with what the optimiser did; how many stages there are.
fn check(name: &str, description: &Description, forms: &[&Normalisation]) -> usize {
    let page = stages::page(&stages_in(name, description, forms));
    let data = data(&page);
    let texts = texts(&data);
    assert_eq!(texts, expected(description, forms), "{name}");
    let mut before: Option<Description> = None;
    for (number, (text, stage)) in
        texts.iter().zip(data["stages"].as_array().expect("stages")).enumerate()
    {
        let now = rg::read(text).unwrap_or_else(|errors| panic!("{name} {number}: {errors:?}"));
        // Errors that were hidden before: a check that needs itself behind a condition that always holds,
        // tags without an end on a cycle of several edges.
        let is_hidden = |code: Code| matches!(code, Code::RgRecursion | Code::RgTagLoop);
        assert!(errors(&now).into_iter().all(is_hidden), "{name} {number}: {text}");
        let Size { nodes, edges, reachability_checks, variables, constants, state_bits } =
            Size::of(&now);
        let measures = ["nodes", "edges", "checks", "variables", "constants"];
        let values = [nodes, edges, reachability_checks, variables, constants];
        for (measure, value) in measures.iter().zip(values) {
            assert_eq!(stage[measure].as_u64(), Some(value as u64), "{name} {number} {measure}");
        }
        assert_eq!(stage["bits"].as_u64(), Some(state_bits), "{name} {number}");
        assert_eq!(
            reachability_checks,
            text.matches(['?', '!']).count() - text.matches("!=").count()
        );
        // The drawing highlights the lines of edges that differ.
        if let Some(before) = &before {
            let edges = |of: &Description| {
                let mut edges: Vec<String> = print(of)
                    .lines()
                    .filter(|line| !line.starts_with(['@']) && line.contains(", "))
                    .filter(|line| rg::Keyword::split(line).is_none())
                    .map(str::to_owned)
                    .collect();
                edges.sort();
                edges
            };
            let (was, is) = (edges(before), edges(&now));
            let missing = |from: &[String], of: &[String]| {
                let mut of = of.to_vec();
                from.iter()
                    .filter(|line| match of.binary_search(line) {
                        Ok(at) => {
                            of.remove(at);
                            false
                        }
                        Err(_) => true,
                    })
                    .count()
            };
            let changed = missing(&was, &is) + missing(&is, &was);
            assert_eq!(stage["changed"].as_u64(), Some(changed as u64), "{name} {number}");
            let drawing = page.contains(&format!("<template id=\"change-{number}\">"));
            assert_eq!(drawing, changed > 0, "{name} {number}");
        }
        before = Some(now);
    }
    texts.len()
}

#[test]
fn games_are_told_stage_by_stage() {
    for (name, least) in [("tictactoe", 7), ("connect4", 12), ("hex", 5), ("reversi", 12)] {
        let stages = check(name, &game(name), &[]);
        assert!(stages >= least, "{name}: {stages}");
    }
}

#[test]
fn random_automata_are_too() {
    let mut generator = Generator::new(7);
    let (mut tried, mut stages) = (0, 0);
    while tried < 60 {
        let text = if tried % 2 == 0 { generator.ways() } else { generator.text() };
        let Ok(description) = rg::read(&text) else { continue };
        if !errors(&description).is_empty() {
            continue;
        }
        tried += 1;
        stages += check("random", &description, &[]);
    }
    assert!(stages > 3 * tried, "{stages}");
}

#[test]
fn other_forms_are_stages() {
    let forms: Vec<&Normalisation> = NORMALISATIONS.iter().collect();
    let description = game("nim");
    let recorded = stages_in("nim", &description, &forms);
    let names: Vec<&str> = recorded.stages.iter().map(|stage| stage.cause.name).collect();
    assert_eq!(names[0], "source");
    assert!(names.ends_with(&["add-explicit-casts", "mangle-symbols"]), "{names:?}");
    check("nim", &description, &forms);
}

#[test]
fn what_is_as_it_was_has_one_stage() {
    let text = "type Player = { x };\ntype Score = { 0 };\nbegin, p: player = x;\n\
                p, q: $ go;\np, q: $ stay;\nq, end: player = keeper;\n\n";
    let recorded = stages_in("still", &rg::read(text).expect("an automaton"), &[]);
    assert_eq!(recorded.stages.len(), 1);
    assert_eq!(texts(&data(&stages::page(&recorded))), [text]);
}

#[test]
fn nothing_in_a_page_becomes_markup() {
    let evil = "</script><img src=x onerror=alert(1)>&\"'<!--";
    let text = format!(
        "@{evil};\ntype Player = {{ x }};\ntype Score = {{ 0 }};\nbegin, a: ;\na, p: player = x;\n\
         p, q: $ go;\nq, end: player = keeper;\n"
    );
    let description = rg::read(&text).expect("an automaton");
    let page =
        stages::page(&stages_in(&format!("{evil}\u{202e}\u{7}{{{{data}}}}"), &description, &[]));
    assert!(!page.contains("<img"), "{page}");
    let plain = stages::page(&stages_in("plain", &description, &[]));
    for tag in ["<script", "</script", "<!--", "<template", "<title"] {
        assert_eq!(page.matches(tag).count(), plain.matches(tag).count(), "{tag}");
    }
    let data = data(&page);
    assert!(data["game"].as_str().is_some_and(|name| name.starts_with(evil)), "{data}");
    assert!(!page.contains(['\u{202e}', '\u{7}']), "what nobody sees is made visible");
    assert!(texts(&data)[0].starts_with(&format!("@{evil};\n")), "pragmas are as they were");
    // The parts of the page are put in once: a name that looks like one is a name.
    assert!(page.contains("{{data}}: stages</title>"));
}

#[test]
fn a_page_asks_for_nothing() {
    let page = stages::page(&stages_in("hex", &game("hex"), &[]));
    let outside = page.replace("http://www.w3.org/2000/svg", "");
    for part in ["http:", "https:", "url(", "@import", "src=", "import(", "fetch("] {
        assert!(!outside.contains(part), "{part}");
    }
}

#[test]
fn large_automata_are_drawn_where_they_change() {
    // A ladder of skip edges: all of them go.
    let mut text = "type Player = { x }; type Score = { 0 }; begin, n0: player = x;".to_owned();
    for at in 0..600 {
        text += &format!("n{at}, m{at}: ; m{at}, n{}: $ t{at};", at + 1);
    }
    text += "n600, end: player = keeper;";
    let ladder = rg::read(&text).expect("an automaton");
    let only = |one: &Transformation| one.name == "compact-skip-edges";
    let meter = Meter::unlimited();
    let recorded = stages::record("ladder", &ladder, only, &[], &meter, |_| ()).expect("no limit");
    let stage = recorded.stages.last().expect("a stage");
    assert_eq!(stage.cause.name, "compact-skip-edges");
    assert!(stage.whole.is_none() && recorded.stages[0].whole.is_none(), "too large");
    let change = stage.change.as_ref().expect("edges changed");
    assert_eq!(stage.changed, 3 * 600);
    assert!((20..200).contains(&change.drawn), "{}", change.drawn);
    assert!(change.svg.contains("class=\"edge removed\"") && change.svg.contains(" added\""));
}

#[test]
fn drawings_say_what_came_and_went() {
    let of = |text: &str| rg::read(text).expect("an automaton");
    let before = of("begin, a: ; a, b: $ t; b, c: ? x -> y; c, end: player = keeper; x, y: ;");
    let after = of("begin, b: $ t; b, c: ? x -> y; c, end: player = keeper; x, y: ;");
    let difference = draw::graph::Difference::new(&before, &after).expect("it has a text");
    assert_eq!(difference.changed(), 3);
    let change = difference.change("what").expect("something changed");
    let count = |svg: &str, part: &str| svg.matches(part).count();
    assert_eq!(change.drawn, 3);
    assert_eq!(count(&change.svg, "class=\"caption removed\""), 2, "`a` and the old `$ t`");
    assert_eq!(count(&change.svg, "class=\"caption added\""), 1, "the new `$ t`");
    assert_eq!(count(&change.svg, ">? x -&gt; y<"), 1, "what is beside is drawn, too");
    assert_eq!(count(&change.svg, ">player = keeper<"), 0, "what is further away is not");
    let whole = difference.whole("all").expect("small enough");
    assert_eq!((count(&whole, " removed\""), count(&whole, "class=\"edge added\"")), (0, 2));
    assert_eq!(count(&whole, ">player = keeper<"), 1);
    assert!(!whole.contains("<style") && whole.contains("<title>all</title>"));
    let same = draw::graph::Difference::new(&before, &before).expect("it has a text");
    assert!(same.changed() == 0 && same.change("nothing").is_none());
}

#[test]
fn limits_are_kept() {
    let symbols: Vec<String> =
        (0..600_000).map(|at| format!("symbol_with_a_long_name_{at}")).collect();
    let text = format!(
        "type Player = {{ x }}; type Score = {{ 0 }}; type T = {{ {} }};
         begin, p: player = x; p, q: $ go; q, end: player = keeper;",
        symbols.join(", ")
    );
    let large = rg::read(&text).expect("an automaton");
    let unlimited = Meter::unlimited();
    let record = stages::record("large", &large, |_| true, &[], &unlimited, |_| ());
    assert_eq!(record.err(), Some(Failure::TooLarge(0)));
    let meter = Budget { time: std::time::Duration::ZERO, ..Budget::UNLIMITED }.start();
    let record = stages::record("late", &game("hex"), |_| true, &[], &meter, |_| ());
    assert!(matches!(record, Err(Failure::Exhausted(_))), "{record:?}");
}
