//! Random automata.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::fmt::Write;

/// Definitions that all of them have.
pub const HEAD: &str = "
    type Player = { x, o }; type Score = { 0, 1 }; type D = { 0, 1, 2 };
    type E = { 1, 2, 3 }; type F = { 1, 2 }; type M = D -> D; type MM = D -> M;
    const next: M = { 0: 1, 1: 2, :0 }; const out: D -> E = { 0: 3, :1 };
    var d: D = 0; var e: E = 1; var f: F = 1; var m: M = next; var mm: MM = { :{ :1 } };\n";

/// Random automata with few nodes and small types.
pub struct Generator {
    rng: Xoshiro256PlusPlus,
    nodes: usize,
}

impl Generator {
    pub fn new(seed: u64) -> Generator {
        Generator { rng: Xoshiro256PlusPlus::seed_from_u64(seed), nodes: 0 }
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.rng.random_range(0..bound)
    }

    pub fn of<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.below(texts.len())]
    }

    fn node(&mut self) -> String {
        match self.below(self.nodes) {
            0 => "begin".to_owned(),
            1 if self.below(3) == 0 => "end".to_owned(),
            node => format!("n{node}"),
        }
    }

    /// An expression, mostly of `D`, sometimes of `E`, which has two of three symbols in common
    /// with it.
    fn symbol(&mut self, depth: usize) -> String {
        if self.below(80) == 0 {
            return self.of(&["e", "out[d]", "E(e)"]).to_owned();
        }
        match self.below(if depth == 0 { 4 } else { 9 }) {
            0 => self.of(&["0", "1", "2"]).to_owned(),
            1 | 2 => "d".to_owned(),
            3 => "f".to_owned(),
            4 | 5 => format!("next[{}]", self.symbol(depth - 1)),
            6 => format!("D({})", self.symbol(depth - 1)),
            7 => format!("m[{}]", self.symbol(depth - 1)),
            _ => format!("mm[{}][{}]", self.symbol(depth - 1), self.symbol(depth - 1)),
        }
    }

    fn row(&mut self) -> String {
        match self.below(3) {
            0 => "next".to_owned(),
            1 => "m".to_owned(),
            _ => format!("mm[{}]", self.symbol(1)),
        }
    }

    fn assignment(&mut self) -> String {
        match self.below(7) {
            0 | 1 => format!("d = {}", self.symbol(2)),
            2 => format!("e = {}", self.of(&["1", "3", "f", "out[d]", "out[m[d]]", "out[f]"])),
            3 => format!("f = {}", self.of(&["1", "2", "F(e)", "1", "2"])),
            4 | 5 => format!("m[{}] = {}", self.symbol(1), self.symbol(1)),
            _ => format!("mm[{}][{}] = {}", self.symbol(1), self.symbol(1), self.symbol(1)),
        }
    }

    fn label(&mut self) -> String {
        let equal = self.of(&["==", "!="]);
        match self.below(22) {
            0 => String::new(),
            1 | 2 => format!("{} {equal} {}", self.symbol(2), self.of(&["1", "2"])),
            3..6 => {
                format!("{} {equal} {}", self.of(&["d", "m[d]"]), self.of(&["0", "1", "2", "f"]))
            }
            6 => format!("e {equal} {}", self.of(&["1", "3", "d"])),
            7 => format!("{} {equal} {}", self.row(), self.row()),
            8 => format!("{} = {}", self.of(&["m", "mm[d]", "mm[f]"]), self.row()),
            9..12 => self.assignment(),
            12 => format!("{} = {}(*)", self.of(&["d", "m[d]", "mm[1][f]"]), self.of(&["D", "F"])),
            13 => format!("{} {} -> {}", self.of(&["?", "!"]), self.node(), self.node()),
            14 => format!("goals[{}] = {}", self.of(&["x", "o"]), self.of(&["0", "1"])),
            15 => format!("$ {}", self.of(&["s", "t"])),
            16 | 17 => format!("$$ {}", self.of(&["d", "e", "player"])),
            _ => format!("player = {}", self.of(&["x", "o", "keeper", "random"])),
        }
    }

    pub fn text(&mut self) -> String {
        let mut text = String::from(HEAD);
        self.nodes = 3 + self.below(7);
        for _ in 0..self.nodes + self.below(3 * self.nodes) {
            let (from, to, label) = (self.node(), self.node(), self.label());
            writeln!(text, "{from}, {to}: {label};").unwrap();
        }
        text
    }

    /// An automaton with maps of several keys, which are cast to each other, its elements in any
    /// order.
    pub fn casts(&mut self) -> String {
        let head = "type N = E -> E; type NN = E -> N; type L = F -> D; type DN = D -> N;
            const alias: N = out; const later: N = last; const last: M = { 1: 2, :1 };
            const deep: DN = { 0: later, 1: { 3: 1, :2 }, :last };
            var n: N = { 3: 2, :1 }; var nn: NN = { 2: { 1: 3, :2 }, :{ :1 } };
            var l: L = { 2: 0, :1 };";
        let mut elements: Vec<String> = (HEAD.to_owned() + head)
            .split_inclusive(';')
            .map(str::to_owned)
            .filter(|element| !element.trim().is_empty())
            .collect();
        // A way to the end, on which maps are cast, and some edges besides.
        self.nodes = 4 + self.below(5);
        for node in 0..self.nodes {
            let from = if node == 0 { "begin".to_owned() } else { format!("n{node}") };
            let to =
                if node + 1 == self.nodes { "end".to_owned() } else { format!("n{}", node + 1) };
            let label = match self.below(6) {
                _ if to == "end" => "player = keeper".to_owned(),
                0 => format!("player = {}", self.of(&["x", "o", "keeper"])),
                1 => self.label(),
                _ => self.recast(),
            };
            elements.push(format!("{from}, {to}: {label};\n"));
        }
        for _ in 0..self.below(4) {
            let label = if self.below(2) == 0 { self.recast() } else { self.label() };
            elements.push(format!("{}, {}: {label};\n", self.node(), self.node()));
        }
        for last in (1..elements.len()).rev() {
            let other = self.below(last + 1);
            elements.swap(last, other);
        }
        elements.concat()
    }

    /// A map, mostly cast to other keys.
    fn recast_map(&mut self) -> &'static str {
        self.of(&[
            "m",
            "n",
            "next",
            "later",
            "alias",
            "N(m)",
            "M(n)",
            "N(next)",
            "M(alias)",
            "N(M(n))",
            "M(l)",
            "L(m)",
            "N(l)",
            "mm[d]",
            "nn[f]",
            "N(mm[d])",
            "M(nn[e])",
            "N(mm[m[0]])",
            "l",
            "M(deep[d])",
            "deep[f]",
            "N(L(n))",
        ])
    }

    fn recast(&mut self) -> String {
        let deep = ["MM(nn)", "NN(mm)", "mm", "nn", "deep", "NN(deep)", "DN(mm)"];
        match self.below(9) {
            0 | 1 => format!("n = {}", self.recast_map()),
            2 => format!("m = {}", self.recast_map()),
            3 => {
                let target = self.of(&["l", "mm[d]", "nn[e]", "nn[f]", "mm[mm[d][1]]", "nn[n[1]]"]);
                format!("{target} = {}", self.recast_map())
            }
            4 => {
                let equal = self.of(&["==", "!="]);
                format!("{} {equal} {}", self.recast_map(), self.recast_map())
            }
            5 => format!("{} = {}", self.of(&["mm", "nn"]), self.of(&deep)),
            6 => format!("{} {} {}", self.of(&deep), self.of(&["==", "!="]), self.of(&deep)),
            7 => {
                let map = self.of(&["N(m)[e]", "N(m)[3]", "N(next)[f]", "M(n)[d]", "N(mm[d])[f]"]);
                format!("{map} {} {}", self.of(&["==", "!="]), self.of(&["1", "2"]))
            }
            _ => format!(
                "e = {}",
                self.of(&["n[e]", "nn[e][f]", "alias[e]", "later[f]", "deep[d][e]"])
            ),
        }
    }

    /// An automaton of a few nodes with ways of several edges between them, whose labels are
    /// few, so that there are equal ones side by side.
    pub fn ways(&mut self) -> String {
        let labels: Vec<String> = (0..4 + self.below(8)).map(|_| self.way_label()).collect();
        self.ways_with(HEAD.to_owned(), &labels)
    }

    /// Ways behind some definitions, of some labels.
    pub fn ways_with(&mut self, mut text: String, labels: &[String]) -> String {
        let hubs = ["begin", "h1", "h2", "h3", "c1", "c2"];
        let mut inner = 0;
        for _ in 0..3 + self.below(7) {
            let (from, mut to) = (self.of(&hubs[..4]), self.of(&hubs[1..4]));
            let mut way: Vec<String> =
                (0..self.below(4)).map(|_| labels[self.below(labels.len())].clone()).collect();
            if self.below(2) == 0 {
                way.push(format!("$ {}", self.of(&["s", "t"])));
            }
            if self.below(2) == 0 {
                way.push(format!("player = {}", self.of(&["x", "o"])));
                if self.below(4) == 0 {
                    to = "end";
                }
            }
            if way.is_empty() {
                way.push(String::new());
            }
            if self.below(4) == 0 {
                let from = way.len().saturating_sub(1);
                way.truncate(from.max(1));
            }
            self.way(&mut text, &mut inner, (from, to), &way);
        }
        for _ in 0..1 + self.below(3) {
            let mut way: Vec<String> =
                (0..1 + self.below(3)).map(|_| labels[self.below(labels.len())].clone()).collect();
            way.retain(|label| !label.starts_with('?') && !label.starts_with('!'));
            way.push(self.of(&["", "", "$ s", "d == 1", "goals[x] = 1"]).to_owned());
            self.way(&mut text, &mut inner, ("c1", "c2"), &way);
        }
        text
    }

    /// Writes the edges of a way.
    fn way(&mut self, text: &mut String, inner: &mut u32, ends: (&str, &str), way: &[String]) {
        let mut at = ends.0.to_owned();
        for (index, label) in way.iter().enumerate() {
            *inner += 1;
            let next = match index + 1 == way.len() {
                true => ends.1.to_owned(),
                false => format!("i{inner}"),
            };
            writeln!(text, "{at}, {next}: {label};").unwrap();
            at = next;
        }
    }

    pub fn way_label(&mut self) -> String {
        match self.below(16) {
            0 => String::new(),
            1 | 2 => format!("d {} {}", self.of(&["==", "!="]), self.of(&["0", "1", "2"])),
            3 => format!("next[d] {} {}", self.of(&["==", "!="]), self.of(&["0", "1", "f"])),
            4 => format!("m[d] {} {}", self.of(&["==", "!="]), self.of(&["0", "1", "d"])),
            5 => format!("f {} {}", self.of(&["==", "!="]), self.of(&["1", "2", "d"])),
            6 | 7 => {
                format!(
                    "d = {}",
                    self.of(&["0", "f", "next[f]", "next[d]", "next[next[d]]", "m[d]"])
                )
            }
            8 => format!("f = {}", self.of(&["1", "2"])),
            9 => format!("m[{}] = {}", self.of(&["d", "0", "f"]), self.of(&["d", "1", "next[d]"])),
            10 => self.of(&["d = D(*)", "f = F(*)", "m[d] = F(*)"]).to_owned(),
            11 | 12 => format!("{} c1 -> c2", self.of(&["?", "!"])),
            13 => self.of(&["$$ d", "$$ f", "$ s"]).to_owned(),
            14 => format!("goals[{}] = {}", self.of(&["x", "o"]), self.of(&["0", "1"])),
            _ => format!("d {} next[d]", self.of(&["==", "!="])),
        }
    }
}
