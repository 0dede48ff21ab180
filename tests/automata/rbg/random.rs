//! Random programs: a small board, and a few moves after each other.

use gdlr::play::seeded;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

struct Writer {
    rng: Xoshiro256PlusPlus,
}

/// A game of a few moves.
pub fn program(seed: u64) -> String {
    let mut writer = Writer { rng: seeded(seed, 0) };
    let mut board = String::new();
    for square in 0..4 {
        let piece = writer.pick(&["e", "e", "x", "y"]);
        let mut edges = Vec::new();
        for label in ["l", "r", "u"] {
            if writer.rng.random_range(0..3) > 0 {
                edges.push(format!("{label}: s{}", writer.rng.random_range(0..4)));
            }
        }
        board.push_str(&format!(" s{square} [{piece}] {{{}}}", edges.join(", ")));
    }
    // All labels are there.
    board.push_str(" s4 [y] {l: s0, r: s1, u: s2}");
    let mut rules = vec!["->w".to_owned()];
    for _ in 0..writer.rng.random_range(2..5) {
        rules.push(writer.rule(3, true));
        rules.push(writer.pick(&["->w", "->b", "->>", "->>"]).to_owned());
    }
    rules.push(writer.rule(2, true));
    format!(
        "#players = w(3), b(2)\n#pieces = e, x, y\n#variables = v(2), t(3)\n#board ={board}\n\
         #rules = {}\n",
        rules.join(" ")
    )
}

impl Writer {
    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.rng.random_range(0..of.len())]
    }

    /// A rule without switches; without modifiers if it may be repeated.
    fn rule(&mut self, depth: usize, changes: bool) -> String {
        if depth == 0 {
            return self.action(0, changes);
        }
        match self.rng.random_range(0..8) {
            0..3 => (0..self.rng.random_range(2..4))
                .map(|_| self.rule(depth - 1, changes))
                .collect::<Vec<_>>()
                .join(" "),
            3..5 => {
                let parts: Vec<_> = (0..self.rng.random_range(2..4))
                    .map(|_| self.rule(depth - 1, changes))
                    .collect();
                format!("({})", parts.join(" + "))
            }
            5 => format!("({})*", self.rule(depth - 1, false)),
            6 => format!("({})^2", self.rule(depth - 1, changes)),
            _ => self.action(depth - 1, changes),
        }
    }

    fn action(&mut self, depth: usize, changes: bool) -> String {
        let kinds = if changes { 10 } else { 7 };
        match self.rng.random_range(0..kinds) {
            0..3 => self.pick(&["l", "r", "u", "(l + r)", "(l + r + u)*", "{! l}"]).to_owned(),
            3 => self.pick(&["{e}", "{x}", "{e, x}", "{e, y}", "{}", "{x, y, e}"]).to_owned(),
            4 => format!("{{? {}}}", self.rule(depth, true)),
            5 => format!("{{! {}}}", self.rule(depth, true)),
            6 => format!(
                "{{$ {} {} {}}}",
                self.sum(),
                self.pick(&["<", "<=", "==", "!=", ">", ">="]),
                self.sum()
            ),
            7..9 => self.pick(&["[e]", "[x]", "[y]", "[x, y]"]).to_owned(),
            _ => {
                let (variable, value) = (self.pick(&["v", "t", "w", "b"]), self.sum());
                format!("[$ {variable} = {value}]")
            }
        }
    }

    fn sum(&mut self) -> String {
        let term =
            ["v", "t", "w", "b", "x", "y", "0", "1", "2", "3", "(t - v)", "(v * 2)", "(t / 2)"];
        match self.rng.random_range(0..3) {
            0 => {
                format!("{} {} {}", self.pick(&term), self.pick(&["+", "-", "*"]), self.pick(&term))
            }
            _ => self.pick(&term).to_owned(),
        }
    }
}
