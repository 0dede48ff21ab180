//! Pragmas: those that are computed are true of random automata, as the definition of walks says
//! (RG, section 2); each kind is found where it should be and nowhere else; false ones are refuted.

use crate::rg_naive::generator::Generator;
use crate::rg_naive::{Fault, Game, Semistate, State, Val, ends_move};
use gdlr::budget::Meter;
use gdlr::diagnostic::{Code, Severity};
use gdlr::play::seeded;
use gdlr::rg::pragmas::{self, Effort, Refuted};
use gdlr::rg::{
    self, AppliedTag, Base, Description, Edge, Expr, Hint, Ident, Label, Name, SimpleType, Type,
    read, validate,
};
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;

/// How many states of a random automaton are looked at.
const STATES: usize = 12;

/// How many semistates a search may see.
const SEEN: usize = 400;

/// A description with the pragmas that are computed for it and no others, printed and read again.
fn with_pragmas(mut description: Description) -> Description {
    description.pragmas = computed(&mut description);
    read(&rg::print(&description).expect("it can be printed")).expect("it can be read")
}

fn computed(description: &mut Description) -> Vec<rg::Pragma> {
    pragmas::compute(description, &Meter::unlimited()).expect("there is no limit")
}

fn refuted(description: &Description, states: usize) -> Refuted {
    let (effort, mut rng) = (Effort { states }, seeded(0, 0));
    pragmas::refute(description, effort, &mut rng, &Meter::unlimited()).expect("there is no limit")
}

/// How many random automata are looked at: few by default, more by hand. At full size it is
/// `GDLR_RANDOM_AUTOMATA=20000 cargo test --release --test automata computed`.
fn wanted(few: u64) -> u64 {
    let wanted = std::env::var("GDLR_RANDOM_AUTOMATA").ok();
    wanted.map_or(few, |wanted| wanted.parse().expect("GDLR_RANDOM_AUTOMATA is a number"))
}

/// An automaton without errors, if the text is one.
fn sound(text: &str) -> Option<Description> {
    let description = read(text).ok()?;
    let errors = validate(&description).into_iter();
    (errors.filter(|found| found.severity() == Severity::Error).count() == 0).then_some(description)
}

/// Random automata without errors.
fn random(seeds: std::ops::Range<u64>) -> impl Iterator<Item = (u64, Description)> {
    seeds.filter_map(|seed| {
        let mut generator = Generator::new(seed);
        let text = match seed % 4 {
            0 | 2 => generator.text(),
            1 => generator.ways(),
            _ => generator.chains(),
        };
        Some((seed, sound(&text)?))
    })
}

/// Looks at semistates as the definition of walks has them.
struct Looker<'a> {
    game: Game,
    pragmas: Vec<&'a Hint>,
    description: &'a Description,
    looked: Looked,
}

type Tags = Vec<Name>;
type Arrival = (Tags, Name, Semistate);

impl Looker<'_> {
    fn looked(&mut self, kind: &'static str) {
        *self.looked.entry(kind).or_insert(0) += 1;
    }

    fn text(&self, name: Name) -> &str {
        self.description.names.text(name)
    }

    /// The moves of a state; looks at all on the way.
    fn search(
        &mut self,
        start: &State,
        target: Option<Name>,
        depth: usize,
    ) -> Result<Vec<Arrival>, Fault> {
        let mut arrivals: BTreeMap<Arrival, usize> = BTreeMap::new();
        let mut moves = BTreeSet::new();
        let mut open = vec![(Vec::new(), start.0, start.1.clone())];
        while let Some(arrival) = open.pop() {
            if target == Some(arrival.1) {
                continue;
            }
            let count = arrivals.entry(arrival.clone()).or_insert(0);
            *count += 1;
            if *count > 1 {
                continue;
            }
            if arrivals.len() > SEEN || depth > 3 {
                return Err(Fault::TooMuch);
            }
            let (tags, node, semistate) = arrival;
            let edges: Vec<Edge> = self.game.leaving(node).cloned().collect();
            let mut legal = Vec::new();
            let mut tagged = false;
            for edge in &edges {
                let after = self.game.apply(edge, &semistate, &mut Vec::new())?;
                if let Label::Reach { from, to, .. } = &edge.label {
                    self.search(&(from.name, semistate.clone()), Some(to.name), depth + 1)?;
                }
                if !after.is_empty() {
                    legal.push(edge.to.name);
                }
                for (tag, after) in after {
                    tagged |= tag.is_some();
                    // The tags of checks do not count.
                    let tag = tag.filter(|_| target.is_none());
                    let tags: Tags = tags.iter().copied().chain(tag).collect();
                    match target.is_none() && ends_move(edge) {
                        true => _ = moves.insert((tags, edge.to.name, after)),
                        false => open.push((tags, edge.to.name, after)),
                    }
                }
            }
            self.look_at_edges(node, &legal);
            if target.is_none() && tagged {
                self.look_at_place(node, tags.len() as u64);
            }
        }
        self.look_at_arrivals(&arrivals);
        Ok(moves.into_iter().collect())
    }

    fn look_at_edges(&mut self, at: Name, legal: &[Name]) {
        for hint in self.pragmas.clone() {
            if let Hint::Disjoint { node, targets, exhaustive } = hint
                && node.name == at
            {
                let count = self.game.leaving(at).count();
                assert_eq!(targets.len(), count, "all edges of `{}`", self.text(at));
                assert!(legal.len() <= 1, "`{}` is not disjoint", self.text(at));
                assert!(!exhaustive || legal.len() == 1, "`{}` has no edge", self.text(at));
                self.looked("disjoint");
            }
        }
    }

    fn look_at_place(&mut self, at: Name, place: u64) {
        for hint in self.pragmas.clone() {
            match hint {
                Hint::TagIndex { nodes, index } if has(nodes, at) => {
                    assert_eq!(place, *index, "a tag of `{}`", self.text(at));
                    self.looked("tagIndex");
                }
                Hint::TagMaxIndex { nodes, index } if has(nodes, at) => {
                    assert!(place <= *index, "a tag of `{}` is at {place}", self.text(at));
                    self.looked("tagMaxIndex");
                }
                _ => {}
            }
        }
    }

    fn look_at_arrivals(&mut self, arrivals: &BTreeMap<Arrival, usize>) {
        for hint in self.pragmas.clone() {
            match hint {
                Hint::Unique { nodes } => {
                    for ((tags, node, _), count) in arrivals {
                        if has(nodes, *node) {
                            let node = self.text(*node).to_owned();
                            assert_eq!(*count, 1, "`{node}` is not unique, tags {tags:?}");
                            self.looked("unique");
                        }
                    }
                }
                Hint::Repeat { nodes, variables } => {
                    let mut met: BTreeMap<(&Tags, Name, Vec<&Val>), &Semistate> = BTreeMap::new();
                    for (tags, node, semistate) in arrivals.keys() {
                        if !has(nodes, *node) {
                            continue;
                        }
                        let kept = variables.iter().map(|variable| &semistate[&variable.name]);
                        let other = met.entry((tags, *node, kept.collect())).or_insert(semistate);
                        assert_eq!(*other, semistate, "`{}` needs more", self.text(*node));
                        self.looked("repeat");
                    }
                }
                _ => {}
            }
        }
    }

    /// Looks at what is said of the moves of a state.
    fn look_at_moves(&mut self, (at, semistate): &State, moves: &[Arrival]) {
        for (tags, node, after) in moves {
            let mut exhaustive = false;
            let mut said = false;
            for hint in self.pragmas.clone() {
                let Hint::SimpleApply { from, to, tags: pattern, assignments, exhaustive: all } =
                    hint
                else {
                    continue;
                };
                if from.name != *at {
                    continue;
                }
                exhaustive |= all;
                let Some(meanings) = self.meanings(pattern, tags) else { continue };
                assert!(!said, "the move {tags:?} of `{}` has two pragmas", self.text(*at));
                said = true;
                assert_eq!(to.name, *node, "the move {tags:?} of `{}`", self.text(*at));
                let mut expected = semistate.clone();
                for (target, value) in assignments {
                    let edge = Edge {
                        from: Ident::from(*at),
                        to: Ident::from(*at),
                        label: Label::Assign {
                            target: target.clone(),
                            value: replaced(value, &meanings),
                        },
                        place: rg::Place::default(),
                    };
                    let mut all =
                        self.game.apply(&edge, &expected, &mut Vec::new()).expect("valid");
                    expected = all.pop().expect("an assignment is legal").1;
                }
                assert_eq!(expected, *after, "the move {tags:?} of `{}`", self.text(*at));
                self.looked("simpleApply");
            }
            assert!(said || !exhaustive, "the move {tags:?} of `{}` is left out", self.text(*at));
        }
    }

    /// Looks at what edges show whatever the state is.
    fn look_at_edges_alone(&mut self) {
        for hint in self.pragmas.clone() {
            let Hint::Iterator { nodes: [from, middle, to], variable } = hint else { continue };
            let leaving =
                |node: &Ident| -> Vec<Edge> { self.game.leaving(node.name).cloned().collect() };
            let first: Vec<Edge> =
                leaving(from).into_iter().filter(|edge| edge.to == *middle).collect();
            let [Edge { label: Label::AssignAny { target, .. }, .. }] = &first[..] else {
                panic!("no iterator: {first:?}")
            };
            assert_eq!(target.as_name(), Some(*variable));
            let behind = leaving(middle);
            let [Edge { label: Label::Compare { left, right, .. }, to: end, .. }] = &behind[..]
            else {
                panic!("no iterator: {behind:?}")
            };
            assert!(end == to && (names(left, variable.name) || names(right, variable.name)));
            self.looked("iterator");
        }
    }

    /// Looks at the numbers that symbols stand for: each for one, a numeral for itself; and no
    /// constant steps through the symbols in another order.
    fn look_at_integers(&mut self) {
        let mut numbers: BTreeMap<Name, u64> = BTreeMap::new();
        for hint in self.pragmas.clone() {
            let Hint::Integer { first, symbols } = hint else { continue };
            for (symbol, number) in symbols.iter().zip(*first..) {
                let text = self.text(symbol.name);
                let own: Result<u64, _> = text.parse();
                assert!(own.is_err() || text == number.to_string(), "{text} is not {number}");
                let number_of_symbol = *numbers.entry(symbol.name).or_insert(number);
                assert_eq!(number_of_symbol, number, "{text}");
            }
            let order: Vec<Name> = symbols.iter().map(|symbol| symbol.name).collect();
            let back: Vec<Name> = order.iter().rev().copied().collect();
            for map in self.game.constants.values() {
                let way = steps(map, &order);
                assert!(way.is_none_or(|way| way == order || way == back), "{order:?}");
            }
            self.looked("integer");
        }
    }

    /// The meanings of the names of tags, if the tags are of this kind.
    fn meanings(&self, pattern: &[AppliedTag], tags: &[Name]) -> Option<BTreeMap<Name, Name>> {
        let mut meanings = BTreeMap::new();
        let fits = |(pattern, tag): (&AppliedTag, &Name)| match pattern {
            AppliedTag::Tag(only) => only.name == *tag,
            AppliedTag::Any { name, type_ } => {
                meanings.insert(name.name, *tag);
                self.symbols(type_).contains(tag)
            }
        };
        (pattern.len() == tags.len() && pattern.iter().zip(tags).all(fits)).then_some(meanings)
    }

    fn symbols(&self, type_: &Type) -> Vec<Name> {
        match &type_.value {
            SimpleType::Set(set) => set.members.iter().map(|member| member.name).collect(),
            SimpleType::Named(name) => {
                let symbols = self.description.symbols_of(name.name).expect("a set");
                symbols.iter().map(|symbol| symbol.name).collect()
            }
        }
    }
}

/// The way of a constant map through some symbols, which are its keys, from any of them to one
/// behind which it comes to none of them.
fn steps(map: &Val, symbols: &[Name]) -> Option<Vec<Name>> {
    let Val::Map(map) = map else { return None };
    let keys: BTreeSet<Name> = symbols.iter().copied().collect();
    if symbols.len() < 3 || !map.keys().eq(&keys) {
        return None;
    }
    symbols.iter().find_map(|&start| {
        let mut way = vec![start];
        loop {
            match map[&way[way.len() - 1]] {
                Val::Symbol(next) if next == way[way.len() - 1] || !keys.contains(&next) => break,
                Val::Symbol(next) if !way.contains(&next) => way.push(next),
                _ => return None,
            }
        }
        (way.len() == keys.len()).then_some(way)
    })
}

/// Whether a name stands in an expression.
fn names(expr: &Expr, name: Name) -> bool {
    let base = match &expr.base {
        Base::Name(own) => own.name == name,
        Base::Cast(_, inner) => names(inner, name),
    };
    base || expr.keys.iter().any(|key| names(key, name))
}

fn has(nodes: &[Ident], node: Name) -> bool {
    nodes.iter().any(|one| one.name == node)
}

/// An expression with tags for their names.
fn replaced(expr: &Expr, meanings: &BTreeMap<Name, Name>) -> Expr {
    let base = match &expr.base {
        Base::Name(name) => Base::Name(meanings.get(&name.name).map_or(*name, |&tag| tag.into())),
        Base::Cast(type_, inner) => Base::Cast(*type_, Box::new(replaced(inner, meanings))),
    };
    let keys = expr.keys.iter().map(|key| replaced(key, meanings)).collect();
    Expr { base, keys, place: expr.place }
}

/// By kind of pragma: how often one was looked at.
type Looked = BTreeMap<&'static str, usize>;

/// Looks at the pragmas of an automaton in its first states, of searches for moves and for checks.
fn look(description: &Description, all: &mut Looked) {
    let text = rg::print(description).expect("it can be printed");
    let failed = AssertUnwindSafe(|| look_at_all(description, all));
    if let Err(panic) = catch_unwind(failed) {
        eprintln!("{text}");
        resume_unwind(panic);
    }
}

fn look_at_all(description: &Description, all: &mut Looked) {
    let game = Game::new(description);
    let pragmas = description.pragmas.iter().map(|pragma| &pragma.hint).collect();
    let mut looker = Looker { game, pragmas, description, looked: BTreeMap::new() };
    looker.look_at_edges_alone();
    looker.look_at_integers();
    let initial = looker.game.initial.clone();
    let mut seen = BTreeSet::from([initial.clone()]);
    let mut open = vec![initial];
    while let Some(state) = open.pop() {
        looker.game.rest();
        let Ok(moves) = looker.search(&state, None, 0) else { continue };
        looker.look_at_moves(&state, &moves);
        for (_, node, semistate) in moves {
            if seen.len() < STATES && seen.insert((node, semistate.clone())) {
                open.push((node, semistate));
            }
        }
    }
    for (kind, count) in looker.looked {
        *all.entry(kind).or_insert(0) += count;
    }
}

/// Every pragma that is computed for random automata is true.
#[test]
fn what_is_computed_is_true() {
    let mut looked = Looked::new();
    for (_, description) in random(0..wanted(700)) {
        look(&with_pragmas(description), &mut looked);
    }
    for kind in ["disjoint", "unique", "repeat", "simpleApply", "tagIndex", "tagMaxIndex"] {
        assert!(looked.get(kind).is_some_and(|&count| count > 50), "{looked:?}");
    }
}

#[test]
fn what_is_computed_is_not_refuted() {
    let mut complete = 0;
    for (seed, description) in random(10_000..10_000 + wanted(500)) {
        let description = with_pragmas(description);
        let refuted = refuted(&description, 60);
        if !refuted.found.is_empty() {
            let text = rg::print(&description).expect("it can be printed");
            panic!("seed {seed}: {:?}\n{text}", refuted.found);
        }
        complete += u32::from(refuted.complete);
    }
    assert!(complete > 100, "{complete}");
}

/// So is every one where types share symbols, and constants permute them; and those that are
/// written stay if they are true.
#[test]
fn what_is_computed_of_shared_symbols_is_true() {
    let (mut looked, mut kept, mut gone) = (Looked::new(), 0, 0);
    for seed in 0..wanted(60) {
        let text = Generator::new(seed).numbers();
        // In some no way leads to the end.
        let Some(mut description) = sound(&text) else { continue };
        let alone = with_pragmas(description.clone());
        assert_eq!(refuted(&alone, 40).found, [], "{text}");
        look(&alone, &mut looked);
        let written = description.pragmas.len();
        let false_ones = refuted(&description, 0).found.len();
        pragmas::annotate(&mut description, &Meter::unlimited()).expect("there is no limit");
        let text = rg::print(&description).expect("it can be printed");
        assert_eq!(refuted(&read(&text).expect("it can be read"), 40).found, [], "{text}");
        let integers =
            description.pragmas.iter().filter(|one| matches!(one.hint, Hint::Integer { .. }));
        assert!(integers.count() >= written - false_ones, "{text}");
        kept += written - false_ones;
        gone += false_ones;
    }
    let kinds =
        ["disjoint", "unique", "repeat", "simpleApply", "tagIndex", "tagMaxIndex", "integer"];
    for kind in kinds {
        assert!(looked.get(kind).is_some_and(|&count| count > 5), "{looked:?}");
    }
    assert!(kept > 3 && gone > 3, "{kept} {gone}");
}

/// The games of `hrg/` pass with the pragmas that they have and with those that are computed.
#[test]
fn games_pass() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("hrg");
    for entry in folder.read_dir().expect("the folder of games") {
        let bytes = std::fs::read(entry.expect("readable").path()).expect("a readable game");
        let mut description = gdlr::hrg::read_automaton(&bytes).expect("a game");
        assert_eq!(refuted(&description, 100).found, []);
        let computed = computed(&mut description);
        assert!(computed.iter().any(|one| matches!(one.hint, Hint::SimpleApply { .. })));
        assert!(computed.iter().any(|one| matches!(one.hint, Hint::Unique { .. })));
        description.pragmas = computed;
        assert_eq!(refuted(&description, 100).found, []);
    }
}

/// Definitions, and a move from `p` on.
const HEAD: &str = "type Player = { x, o }; type Score = { 0 }; type A = { 1, 2, 3 };
    type B = { u, v, w }; type M = A -> A;
    const up: B -> B = { u: w, w: v, :v }; const next: M = { 1: 2, 2: 3, :1 };
    var a: A = 1; var b: A = 1; var m: M = next; begin, p: player = x;\n";

/// The pragmas of an automaton, a line each, without those of definitions and of these kinds.
fn lines(edges: &str, kind: &str) -> Vec<String> {
    let description = with_pragmas(read(&format!("{HEAD}{edges}")).expect("readable"));
    let text = rg::print(&description).expect("it can be printed");
    let of_kind = |line: &&str| line[1..].split(' ').next() == Some(kind);
    text.lines()
        .take_while(|line| line.starts_with('@'))
        .filter(of_kind)
        .map(str::to_owned)
        .collect()
}

#[test]
fn disjoint_edges() {
    let end = "q, s: ; r, s: ; t, s: ; s, end: player = keeper; c, d: a == 2;";
    let disjoint = |edges: &str| lines(&format!("{edges} {end}"), "disjoint");
    let exhaustive = |edges: &str| lines(&format!("{edges} {end}"), "disjointExhaustive");
    // The edge that gives `a` any value.
    let any = "p, p1: a = A(*); p1, p2: b = A(*);";
    for (edges, found) in [
        ("p2, q: a == 1; p2, r: a == 2;", true),
        ("p2, q: a == 1; p2, r: a == 2; p2, t: next[a] == 1;", true),
        ("p2, q: m[a] == 1; p2, r: 2 == m[a];", true),
        ("p2, q: m[a] == 1; p2, q: 2 == m[a];", true),
        ("p2, q: ? c -> d; p2, r: a == 3;", true),
        ("p2, q: a == 1; p2, r: b == 2;", false),
        ("p2, q: a == 1; p2, r: a != 2;", false),
        ("p2, q: a == 1; p2, r: ;", false),
        ("p2, q: ; p2, r: ; q, s: a == 1; r, s: a == 2;", false),
        ("p2, q: m[a] == 1; p2, r: m[b] == 2;", false),
    ] {
        let expected = if found { 1 } else { 0 };
        assert_eq!(disjoint(&format!("{any} {edges}")).len(), expected, "{edges}");
        assert_eq!(exhaustive(&format!("{any} {edges}")), [""; 0], "{edges}");
    }
    for (edges, found) in [
        ("p2, q: a == b; p2, r: b != a;", true),
        ("p2, q: ? c -> d; p2, r: ! c -> d;", true),
        ("p2, q: ? c -> d; p2, r: a != 2;", true),
        ("p2, q: ? c2 -> d; p2, r: ! c2 -> d; c2, c: b != 1;", true),
        ("p2, q: a == 1; p2, r: a == 2; p2, t: a == 3;", true),
        ("p2, p3: a != 3; p3, q: a == 1; p3, r: a == 2;", true),
        ("p2, p3: a == 1; p3, q: a == 1; p3, r: a == 2;", true),
        ("p2, q: a == b; p2, r: a != next[b];", false),
        ("p2, q: a == 1; p2, r: a == 2;", false),
    ] {
        let expected = if found { 1 } else { 0 };
        assert_eq!(exhaustive(&format!("{any} {edges}")).len(), expected, "{edges}");
    }
}

/// The nodes that are said to be unique, and the variables that others need.
fn searched(edges: &str) -> (Vec<String>, Vec<String>) {
    let words = |line: &String| line.trim_end_matches(';').split(' ').map(str::to_owned).collect();
    let unique: Vec<Vec<String>> = lines(edges, "unique").iter().map(words).collect();
    (unique.concat(), lines(edges, "repeat"))
}

#[test]
fn unique_nodes() {
    let end = "s, end: player = keeper;";
    for (edges, is_unique) in [
        ("p, s: ;", true),
        ("p, q: a = A(*); q, s: ;", true),
        // The last tag tells the ways apart, a value does, or a condition.
        ("p, q: $ l; p, r: $ r; q, s: ; r, s: ;", true),
        ("p, q: a = 2; p, r: a = 3; q, s: ; r, s: ;", true),
        ("p, o: b = A(*); o, q: b == 1; o, r: b != 1; q, s: ; r, s: ;", true),
        ("p, o: b = A(*); o, q: b == m[b]; o, r: b != m[b]; q, s: ; r, s: ;", true),
        ("p, o: b = A(*); o, q: b == m[b]; o, r: b != m[b]; q, s: a = 2; r, s: ;", true),
        ("p, q: ? c -> d; p, r: ! c -> d; q, s: b = 2; r, s: ; c, d: m[a] == 2;", true),
        // Nothing does.
        ("p, q: ; p, r: ; q, s: ; r, s: ;", false),
        ("p, q: a = 2; p, r: a = 2; q, s: ; r, s: ;", false),
        ("p, q: $ l; p, r: $ l; q, s: ; r, s: ;", false),
        ("p, o: b = A(*); o, q: b == 1; o, r: b != 1; q, t: ; r, t: ; t, s: b = 3;", false),
        ("p, s: ; s, s: a == 1;", false),
        ("p, q: a = A(*); q, s: a = 1;", false),
        // A tag has told it.
        ("p, q: a = A(*); q, r: $$ a; r, s: a = 1;", true),
        // No two values have the same one behind it, or two have.
        ("p, q: a = A(*); q, s: a = next[a];", true),
        ("p, q: a = A(*); q, s: a = m[a];", false),
        // A step of each round is a tag.
        ("p, s: ; s, s: $ on;", true),
    ] {
        let (unique, repeat) = searched(&format!("{edges} {end}"));
        assert_eq!(unique.contains(&"s".to_owned()), is_unique, "{edges}: {unique:?} {repeat:?}");
    }
}

#[test]
fn repeated_nodes() {
    for (edges, expected) in [
        ("p, q: ; p, r: ; q, s: ; r, s: ;", "@repeat s :;"),
        ("p, q: a = A(*); q, r: b = A(*); r, s: a = 1;", "@repeat s : b;"),
        ("p, s: ; s, s: a = next[a];", "@repeat s : a;"),
        ("p, q: a = A(*); q, r: m[a] = 1; r, s: a = 1;", "@repeat s : m;"),
        // Each of two ways changes another variable.
        ("p, q: a = A(*); p, r: b = A(*); q, s: ; r, s: ;", "@repeat s : a b;"),
        // The tag tells the value, though another has it already.
        ("p, q: a = A(*); q, r: $$ a; r, t: b = a; t, u: ; t, u: ; u, s: ;", "@repeat u s :;"),
        // Walks of a check come there once with each value, those of moves twice with one.
        (
            "p, q: ? c -> w; q, s: ; q, t: ; t, s: ; c, d: a = 1; c, e: a = 2; d, s: ; e, s: ; s, w: ;",
            "@repeat w s : a;",
        ),
    ] {
        let (unique, repeat) = searched(&format!("{edges} s, end: player = keeper;"));
        assert_eq!(repeat, [expected], "{edges}: {unique:?}");
    }
}

#[test]
fn iterators_simple_moves_and_places_of_tags() {
    let edges = "p, q: a = A(*); q, r: m[b] == a; r, s: $$ a; s, t: $ go; s, t2: $ stay;
        t, u: b = next[a]; u, end: player = keeper; t2, end: player = keeper;";
    assert_eq!(lines(edges, "iterator"), ["@iterator p q r : a;"]);
    assert_eq!(lines(edges, "tagIndex"), ["@tagIndex r : 0;", "@tagIndex s : 1;"]);
    let other = "q, end: player = keeper; p, q: a == 1;";
    assert_eq!(lines(&format!("{edges} {other}"), "iterator"), [""; 0]);
    let simple = [
        "@simpleApplyExhaustive begin p [] player = x;",
        "@simpleApplyExhaustive p end [a_1: A, go] a = A(a_1), b = next[a], player = keeper;",
        "@simpleApplyExhaustive p end [a_1: A, stay] a = A(a_1), player = keeper;",
    ];
    assert_eq!(lines(edges, "simpleApplyExhaustive"), simple);
    // No tag tells the drawn value, or two walks with the same tags do something else.
    for edges in [
        "p, q: a = A(*); q, s: $ s; s, end: player = keeper; p, t: $ t; t, end: player = keeper;",
        "p, q: a = 1; p, q: a = 2; q, s: $ s; s, end: player = keeper; p, t: $ t;
         t, end: player = keeper;",
    ] {
        assert_eq!(lines(edges, "simpleApply"), ["@simpleApply p end [t] player = keeper;"]);
    }
    let loops = "p, q: $ one; q, p: ; p, r: ; r, end: player = keeper;";
    assert_eq!(lines(loops, "tagMaxIndex"), [""; 0]);
    let longer = "p, q: $ one; q, r: $ two; p, r: ; r, s: $ three; s, end: player = keeper;";
    assert_eq!(lines(longer, "tagMaxIndex"), ["@tagMaxIndex r : 2;"]);
}

#[test]
fn integers() {
    let pragmas = lines("p, end: player = keeper;", "integer");
    assert_eq!(pragmas, ["@integer 1 : 1 2 3;", "@integer 0 : u w v;"]);
    let end = "p, end: player = keeper;";
    let also = |definitions: &str| lines(&format!("{definitions} {end}"), "integer")[2..].to_vec();
    // A constant permutes numerals: they may be mere names.
    let permuted = "type C = { 0, 7, 8 }; const c: C -> C = { 8: 7, 7: 0, :0 };";
    assert_eq!(also(permuted), [""; 0]);
    let permuted = "type C = { 7, 8, 9 }; const c: C -> C = { 8: 7, 7: 9, :9 };";
    assert_eq!(also(permuted), [""; 0]);
    // A symbol of two types stands for one number, by the larger type, forward or backward.
    let shared = "type C = { w, v, z }; const c: C -> C = { z: v, v: w, :w };";
    assert_eq!(also(shared), ["@integer 1 : w v z;"]);
    let shared = "type C = { w, v, z }; const c: C -> C = { w: z, z: v, :v };";
    assert_eq!(also(shared), [""; 0]);
    let mixed = "type C = { nan, 4, 5 }; const c: C -> C = { 5: 4, 4: nan, :nan };";
    assert_eq!(also(mixed), ["@integer 3 : nan 4 5;"]);
}

/// Of two pragmas that contradict each other the second one is false, unless the first one is.
#[test]
fn a_symbol_stands_for_one_number() {
    let text = format!(
        "@integer 0 : u w; @integer 3 : w x; @integer 0 : x u u; @integer 0 : x 1; \
         @integer 4 : x; {HEAD} p, end: player = keeper;"
    );
    let mut description = read(&text).expect("readable");
    let refuted = refuted(&description, 10);
    let messages: Vec<(usize, &str)> =
        refuted.found.iter().map(|one| (one.pragma, one.message.as_str())).collect();
    let expected = [
        (1, "`w` stands for 3, and for 1 in a pragma before it"),
        (2, "`u` stands for two numbers"),
        (4, "`x` stands for 4, and for 0 in a pragma before it"),
    ];
    assert_eq!(messages, expected);
    // So it is left out where the others are added to.
    pragmas::annotate(&mut description, &Meter::unlimited()).expect("there is no limit");
    let text = rg::print(&description).expect("it can be printed");
    let integers: Vec<&str> = text.lines().filter(|line| line.starts_with("@integer")).collect();
    let expected =
        ["@integer 1 : 1 2 3;", "@integer 0 : u w v;", "@integer 0 : u w;", "@integer 0 : x 1;"];
    assert_eq!(integers, expected);
}

/// Each kind of pragma, false: it is refuted with a play that leads there, and no other is.
#[test]
fn false_ones_are_refuted() {
    let edges = "p, q: a = A(*); q, r: m[b] != a; r, s: $$ a; s, t: $ go; s, t2: $ stay;
        t, u: b = next[a]; u, k: player = keeper; t2, k: player = keeper;
        k, e1: a == 1; k, e2: b == 3; k, e3: a == 2; k, e3: a == 3; e1, l: ; e2, l: b = 1; e3, l: ;
        l, c: m[1] != 3; c, f: m[1] = 3; l, g: m[1] == 3; f, p: player = o;
        g, end: player = keeper;";
    let text = |pragma: &str| format!("{pragma}\n{HEAD}{edges}");
    for (pragma, message) in [
        ("@disjoint k : e1 e2 e3 e3;", "are both legal"),
        ("@disjointExhaustive k : e1 e2;", "none of the edges is legal"),
        ("@unique q l;", ""),
        ("@unique q r s;", ""),
        ("@repeat q :;", "the same tags and values of these variables, but not of `a`"),
        ("@repeat s : a;", ""),
        ("@tagIndex s : 0;", "the next tag is at 1"),
        ("@tagIndex s : 1;", ""),
        ("@tagMaxIndex r s : 0;", "the next tag is at 1"),
        ("@tagMaxIndex s r : 1;", ""),
        ("@simpleApply p k [x1: A, go] a = A(x1), player = keeper;", "gives `b` another value"),
        ("@simpleApply p k [x1: A, stay] a = A(x1), player = keeper;", ""),
        ("@simpleApply p end [x1: A, go] a = A(x1), player = keeper;", "leads to another node"),
        ("@simpleApplyExhaustive p k [x1: A, stay] a = A(x1), player = keeper;", "is left out"),
        ("@iterator p q s : a;", "`q` has other edges than one to `s`"),
        ("@iterator p q r : b;", "`b` does not take any value from `p` to `q`"),
        ("@iterator p q r : a;", ""),
        ("@integer 1 : 1 3 2;", "`3` stands for 2"),
        ("@integer 0 : u v w;", "the constant `up` steps through the symbols in another order"),
        ("@integer 7 : u w v;", ""),
        ("@integer 0 : u w u;", "`u` stands for two numbers"),
    ] {
        let text = text(pragma);
        let description = read(&text).expect("readable");
        let refuted = refuted(&description, 200);
        let messages: Vec<&str> = refuted.found.iter().map(|one| one.message.as_str()).collect();
        match message {
            "" => assert_eq!(messages, [""; 0], "{pragma}"),
            _ => assert!(messages.len() == 1 && messages[0].contains(message), "{messages:?}"),
        }
        for one in &refuted.found {
            let diagnostic = one.diagnostic(&description);
            assert_eq!(diagnostic.code, Code::RgFalsePragma);
            assert_eq!(&text[diagnostic.span.range()], pragma);
            assert!(diagnostic.label.contains(message), "{}", diagnostic.label);
        }
    }
}

/// The counterexample is a state that the play leads to.
#[test]
fn a_counterexample_is_told() {
    let text = format!(
        "@disjoint q : r s;\n{HEAD} p, k: $ on; k, l: player = keeper; l, o: a = next[a];
         o, p: a != 3; o, q: a == 3; q, r: a == 3; q, s: b == 1; r, p2: player = o;
         s, p2: player = o; p2, end: player = keeper;"
    );
    let text = text.replace("o, p: a != 3;", "o, o2: a != 3; o2, p: player = o;");
    let description = read(&text).expect("readable");
    let refuted = refuted(&description, 100);
    let diagnostic = refuted.found[0].diagnostic(&description);
    let help = diagnostic.help.expect("a play");
    assert_eq!(help, "after the moves -, on, -, on; a = 3, b = 1, player = keeper");
    assert_eq!(diagnostic.label, "at `q`: the edges to `r` and `s` are both legal");
    assert_eq!(refuted.found[0].play.len(), 4);
}

#[test]
fn budgets_end_it() {
    let mut description = read(&format!("{HEAD} p, end: player = keeper;")).expect("readable");
    let stop = std::sync::atomic::AtomicBool::new(true);
    let budget =
        gdlr::budget::Budget { interrupted: Some(&stop), ..gdlr::budget::Budget::UNLIMITED };
    // So many edges that the clock is looked at.
    let edge = description.edges[1].clone();
    description.edges.extend(std::iter::repeat_n(edge, 10_000));
    assert!(pragmas::compute(&mut description, &budget.start()).is_err());
    assert!(pragmas::disjoint(&description, &budget.start()).is_err());
    assert!(pragmas::unique(&description, &budget.start()).is_err());
}
