//! Random small games, and broken texts.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

struct Maker {
    random: Xoshiro256PlusPlus,
}

impl Maker {
    fn one<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.random.random_range(0..texts.len())]
    }

    fn test(&mut self) -> String {
        self.one(&[
            "Empty",
            "Empty",
            "Opponent",
            "True",
            "not Own",
            "a or b",
            "wall",
            "row == 2",
            "this == at",
            "n == 1",
            "near()",
            "not near()",
            "Board[1][1] == empty",
            "any(b)",
            "Board[this.x + 1][this.y] != wall",
            "not any(a, near2(1))",
            "column != 1 and Empty",
        ])
        .to_owned()
    }

    fn letter(&mut self) -> String {
        let deltas = ["0, 1", "1, 0", "-1, 0", "0, -1", "0, 0", "1, 1", "-1, 1"];
        let (delta, test) = (self.one(&deltas), self.test());
        let effect = self.one(&[
            "",
            "",
            "",
            "",
            "{Mark}",
            "{Count()}",
            "{Turn}",
            "{Wall(1)}",
            "{Grow()}",
            "{Swap()}",
        ]);
        format!("[{delta}, {test}]{effect}")
    }

    fn sentence(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.letter();
        }
        let (left, right) = (self.sentence(depth - 1), self.sentence(depth - 1));
        match self.random.random_range(0..6) {
            0 | 1 => format!("{left} | {right}"),
            2 | 3 => format!("({left})({right})"),
            // An effect that is repeated would make moves without end.
            4 => {
                let (step, test) = (self.one(&["0, 1", "1, 0", "1, -1"]), self.test());
                format!("[{step}, {test}]+")
            }
            _ => format!("({left})({right})?"),
        }
    }
}

/// A game of two players on a board of 3 columns and 3 rows.
pub fn game(seed: u64) -> String {
    let mut maker = Maker { random: Xoshiro256PlusPlus::seed_from_u64(seed) };
    let (a, b) = (maker.sentence(2), maker.sentence(2));
    let squares: Vec<&str> =
        (0..9).map(|_| maker.one(&["a", "b", "c", "wall", "empty", "empty", "empty"])).collect();
    let effects = maker.one(&["", "effects add;", "effects replace;"]);
    format!(
        "players = one, two;
         pieces = empty, a(one), b(two), c(one, two), wall;
         variable n: 0..3 = 0;
         fading variable at: square = none;
         {effects}
         each move {{ if n == 3 {{ n = 0; }} }}
         effect Mark {{ move; at = this; }}
         effect Count() {{ if taken {{ n = n + 1; }} else {{ n = n - 1; }} }}
         effect Turn {{ if mover == one {{ put a; }} else {{ put b; }} }}
         effect Wall(x) {{ Board[x][2] = wall; }}
         effect Grow() {{ Board[this.x + 1][this.y] = Board[this.x][this.y]; }}
         effect Swap() {{ if wall {{ put empty; }} else {{ n = 2; }} }}
         function near() = [1, 0, Opponent] | [0, 1, Empty]+[0, 1, wall];
         macro near2(x) = [x, 0, Empty][0, x, not Empty];
         rule a = {a};
         rule b = {b};
         rule c = [0, 1, Empty] | [0, -1, Opponent];
         post one a = [0, 1, wall];
         terminal gone {{ return not any(b) and n == 1; }} scores one: 100;
         terminal stuck {{ return moves == 0 and any(a); }} scores mover: 30, others: 70;
         board_size = 3, 3;
         board = {};",
        squares.join(", ")
    )
}

/// A text with some bytes changed, left out or said twice.
pub fn broken(text: &[u8], seed: u64) -> Vec<u8> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut bytes = text.to_vec();
    for _ in 0..random.random_range(1..6) {
        let at = random.random_range(0..bytes.len());
        match random.random_range(0..4) {
            0 => bytes[at] = random.random_range(0..=255),
            1 => bytes[at] = b"(){}[]|*+?,;=-0 "[random.random_range(0..16)],
            2 => {
                let end = bytes.len().min(at + random.random_range(1..20));
                bytes.drain(at..end);
            }
            _ => {
                let end = bytes.len().min(at + random.random_range(1..20));
                let copy = bytes[at..end].to_vec();
                bytes.splice(at..at, copy);
            }
        }
    }
    bytes
}
