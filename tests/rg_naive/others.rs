//! Random automata of other kinds: rows of assignments, and symbols that are numbers.

use super::generator::{Generator, HEAD};
use std::fmt::Write;

impl Generator {
    /// An automaton of ways with assignments above all, most of which read what they assign to.
    pub fn chains(&mut self) -> String {
        let labels: Vec<String> = (0..3 + self.below(5))
            .map(|_| match self.below(4) {
                0 => self.way_label(),
                1 => self.of(&["d = m[d]", "d = mm[d][f]", "m[m[d]] = d", "mm[d] = m"]).to_owned(),
                2 => self.of(&["f = F(next[f])", "f = F(m[f])", "d = next[f]", "e = 1"]).to_owned(),
                _ => self.of(&["d = next[d]", "d = next[next[d]]", "d = m[next[d]]"]).to_owned(),
            })
            .collect();
        self.ways_with(HEAD.to_owned(), &labels)
    }

    /// An automaton of several types over the same symbols, numerals mostly, with constants that
    /// permute them, and with pragmas about the numbers that they stand for, true or not.
    pub fn numbers(&mut self) -> String {
        let mut text = String::from(
            "type Player = { x, o }; type Score = { 0, 1 }; type D = { 0, 1 }; var d: D = 0;\n",
        );
        let pools: [&[&str]; 5] = [
            &["0", "1", "2", "3"],
            &["c_1", "c_2", "c_3", "c_4"],
            &["low", "mid", "high", "top"],
            &["nan", "0", "1", "2"],
            &["a1", "b1", "a2", "b2"],
        ];
        let pool = pools[self.below(pools.len())];
        let mut labels = Vec::new();
        for number in 0..2 + self.below(3) {
            let mut symbols = self.some_of(pool);
            writeln!(text, "type T{number} = {{ {} }};", symbols.join(", ")).unwrap();
            writeln!(text, "var v{number}: T{number} = {};", symbols[0]).unwrap();
            let (first, any) = (symbols[0], self.of(&symbols));
            labels.push(format!("v{number} = T{number}(*)"));
            labels.push(format!("v{number} {} {any}", self.of(&["==", "!="])));
            labels.push(format!("v{number} = {first}"));
            labels.push(format!("$$ v{number}"));
            for map in 0..self.below(3) {
                match self.below(3) {
                    // In the order of the pool, back, or in any other.
                    0 => symbols.sort_by_key(|&symbol| pool.iter().position(|&one| one == symbol)),
                    1 => symbols.reverse(),
                    _ => symbols = self.shuffled(symbols),
                }
                let last = symbols[symbols.len() - 1];
                let default = if self.below(4) == 0 { symbols[0] } else { last };
                let steps = symbols.windows(2).map(|pair| format!("{}: {}, ", pair[0], pair[1]));
                let steps: String = steps.collect();
                writeln!(
                    text,
                    "const s{number}{map}: T{number} -> T{number} = {{ {steps}:{default} }};"
                )
                .unwrap();
                labels.push(format!("v{number} = s{number}{map}[v{number}]"));
                labels.push(format!("s{number}{map}[v{number}] {} {any}", self.of(&["==", "!="])));
            }
            if self.below(3) == 0 {
                let written = self.some_of(pool).join(" ");
                writeln!(text, "@integer {} : {written};", self.below(3)).unwrap();
            }
        }
        labels.extend(["$ s", "? c1 -> c2", "! c1 -> c2"].map(str::to_owned));
        self.ways_with(text, &labels)
    }

    /// Two things or more, in any order.
    fn some_of<'t>(&mut self, things: &[&'t str]) -> Vec<&'t str> {
        let mut some = self.shuffled(things.to_vec());
        some.truncate(2 + self.below(things.len() - 1));
        some
    }

    fn shuffled<'t>(&mut self, mut things: Vec<&'t str>) -> Vec<&'t str> {
        for place in (1..things.len()).rev() {
            let other = self.below(place + 1);
            things.swap(place, other);
        }
        things
    }
}
