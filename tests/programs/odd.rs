//! Small rulesheets of odd shape: constants in heads and variables that stand there twice, what
//! only `does` binds, moves as values of facts, views that drop columns and ask for themselves,
//! relations without arguments, columns with one symbol, functions, roles without a move.
//!
//! Each column has a [`Kind`] of terms, and so has each variable: no term grows, and a rulesheet
//! is safe and stratified by construction. Its number says which one it is.

use std::fmt::Write;

/// The terms of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A constant, one of the first so many.
    Constant(usize),
    /// `(g …)` of one of so many constants.
    Compound(usize),
    Role,
    Move,
}

const CONSTANTS: [&str; 4] = ["1", "2", "b", "x"];
const ROLES: [&str; 3] = ["red", "blue", "(team 1)"];
const MOVES: [&str; 4] = ["go", "put", "x", "wait"];
const FLUENTS: [&str; 4] = ["cell", "at", "lamp", "x"];
const VIEWS: [&str; 5] = ["open", "line", "near", "both", "free"];

/// Numbers that look random (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % limit as u64) as usize
    }

    /// One in so many.
    fn one_in(&mut self, so_many: usize) -> bool {
        self.below(so_many) == 0
    }

    fn kind(&mut self) -> Kind {
        match self.below(10) {
            0 => Kind::Constant(1),
            1 | 2 => Kind::Compound(2),
            3 => Kind::Role,
            4 => Kind::Move,
            5..8 => Kind::Constant(2),
            _ => Kind::Constant(3),
        }
    }

    fn kinds(&mut self, most: usize) -> Vec<Kind> {
        (0..self.below(most + 1)).map(|_| self.kind()).collect()
    }
}

/// A relation, fluent or move: its name and its columns.
#[derive(Clone, Debug)]
struct Shape {
    name: &'static str,
    columns: Vec<Kind>,
    /// Whether it stands in brackets where it has no columns.
    brackets: bool,
    /// Whether it depends on moves.
    asks_moves: bool,
}

impl Shape {
    fn text(&self, args: &[String]) -> String {
        match args {
            [] if !self.brackets => self.name.to_owned(),
            [] => format!("({})", self.name),
            _ => format!("({} {})", self.name, args.join(" ")),
        }
    }
}

/// The variables that conditions bind, each of one kind.
type Bound = Vec<(String, Kind)>;

struct Writer {
    random: Random,
    roles: usize,
    fluents: Vec<Shape>,
    moves: Vec<Shape>,
    views: Vec<Shape>,
    text: String,
}

/// The relations that a condition may name: the views up to a number, and whether moves.
#[derive(Clone, Copy)]
struct About {
    views: usize,
    does: bool,
}

/// The rulesheet with a number. With `stuck`, roles often have no move.
pub fn rulesheet(number: u64, stuck: bool) -> String {
    let mut random = Random(number.wrapping_mul(0x2545_f491_4f6c_dd1d));
    let roles = [1, 1, 2, 2, 2, 3][random.below(6)];
    let shape = |random: &mut Random, name, most| {
        let columns = random.kinds(most);
        Shape { name, columns, brackets: random.one_in(3), asks_moves: false }
    };
    let count = 1 + random.below(4);
    let fluents = FLUENTS[..count].iter().map(|name| shape(&mut random, *name, 3)).collect();
    let count = 1 + random.below(4);
    let mut moves: Vec<Shape> =
        MOVES[..count].iter().map(|name| shape(&mut random, *name, 2)).collect();
    // No move is part of itself.
    for kind in moves.iter_mut().flat_map(|of| &mut of.columns) {
        if *kind == Kind::Move {
            *kind = Kind::Constant(2);
        }
    }
    let count = random.below(VIEWS.len() + 1);
    let mut views: Vec<Shape> =
        VIEWS[..count].iter().map(|name| shape(&mut random, *name, 2)).collect();
    let first = random.below(count + 1);
    views[first..].iter_mut().for_each(|view| view.asks_moves = random.one_in(2));
    views.sort_by_key(|view| view.asks_moves);
    let mut writer = Writer { random, roles, fluents, moves, views, text: String::new() };
    writer.write(stuck);
    writer.text
}

impl Writer {
    fn write(&mut self, stuck: bool) {
        for role in &ROLES[..self.roles] {
            let _ = writeln!(self.text, "(role {role})");
        }
        self.text.push_str("(item 1) (item 2) (item b) (after 1 2) (after 2 b) (set)\n");
        for fluent in self.fluents.clone() {
            for _ in 0..1 + self.random.below(2) {
                let args: Vec<String> =
                    fluent.columns.iter().map(|&kind| self.term(kind, &[])).collect();
                let _ = writeln!(self.text, "(init {})", fluent.text(&args));
            }
        }
        for number in 0..self.views.len() {
            let view = self.views[number].clone();
            for rule in 0..1 + self.random.below(2) {
                // One rule at least does not ask for itself.
                let views = if rule > 0 && self.random.one_in(3) { number + 1 } else { number };
                let about = About { views, does: view.asks_moves };
                self.rule(number, about, |args| view.text(args), &view.columns);
            }
        }
        let told = self.views.iter().filter(|view| !view.asks_moves).count();
        let (state, step) =
            (About { views: told, does: false }, About { views: self.views.len(), does: true });
        if !stuck {
            let _ = writeln!(self.text, "(<= (legal ?r wait) (role ?r))");
        }
        for &one in &ROLES[..self.roles] {
            for _ in 0..1 + self.random.below(2) {
                let own = self.moves[self.random.below(self.moves.len())].clone();
                let role = match self.random.below(4) {
                    0 => None,
                    _ => Some(one),
                };
                let mut columns = own.columns.clone();
                columns.extend(role.is_none().then_some(Kind::Role));
                let head = |args: &[String]| match role {
                    Some(role) => format!("(legal {role} {})", own.text(args)),
                    None => {
                        let (last, args) = args.split_last().expect("a column for the role");
                        format!("(legal {last} {})", own.text(args))
                    }
                };
                self.rule(told, state, head, &columns);
            }
        }
        for fluent in self.fluents.clone() {
            for _ in 0..1 + self.random.below(3) {
                let head = |args: &[String]| format!("(next {})", fluent.text(args));
                self.rule(self.views.len(), step, head, &fluent.columns);
            }
            if self.random.one_in(2) {
                self.keep(&fluent, step);
            }
        }
        for _ in 0..self.random.below(3) {
            self.rule(told, state, |_| "terminal".to_owned(), &[]);
        }
        for role in &ROLES[..self.roles] {
            let value = ["100", "50", "0"][self.random.below(3)];
            match self.random.below(3) {
                0 => {
                    let _ = writeln!(self.text, "(goal {role} {value})");
                }
                _ => self.rule(told, state, |_| format!("(goal {role} {value})"), &[]),
            }
        }
    }

    /// A rule that keeps facts of a fluent, perhaps under conditions.
    fn keep(&mut self, fluent: &Shape, about: About) {
        let mut bound: Bound = Vec::new();
        for (place, &kind) in fluent.columns.iter().enumerate() {
            bound.push((format!("?k{place}"), kind));
        }
        let args: Vec<String> = bound.iter().map(|(name, _)| name.clone()).collect();
        let fact = fluent.text(&args);
        let mut body = vec![format!("(true {fact})")];
        for _ in 0..self.random.below(2) {
            let condition = self.condition(about, about.views, &mut bound);
            body.push(condition);
        }
        let _ = writeln!(self.text, "(<= (next {fact}) {})", body.join(" "));
    }

    /// A rule with these columns in its head. Below `not` are views before a number only.
    fn rule(
        &mut self,
        before: usize,
        about: About,
        head: impl Fn(&[String]) -> String,
        columns: &[Kind],
    ) {
        let mut bound: Bound = Vec::new();
        let mut body = Vec::new();
        if about.does && self.random.one_in(2) {
            body.push(self.does(&mut bound, true));
        }
        for _ in 0..1 + self.random.below(3) {
            let condition = self.condition(about, before, &mut bound);
            body.push(condition);
        }
        let args: Vec<String> = columns.iter().map(|&kind| self.term(kind, &bound)).collect();
        let turn = self.random.below(body.len());
        body.rotate_left(turn);
        let _ = writeln!(self.text, "(<= {} {})", head(&args), body.join(" "));
    }

    fn condition(&mut self, about: About, before: usize, bound: &mut Bound) -> String {
        match self.random.below(9) {
            0 => {
                // A variable that stands nowhere else is bound by nothing.
                let mut local = bound.clone();
                let about = About { views: about.views.min(before), ..about };
                let atom = self.atom(about, &mut local, false);
                format!("(not {atom})")
            }
            1 => {
                let about = About { views: about.views.min(before), ..about };
                let atom = self.dropping(about, bound);
                format!("(not {atom})")
            }
            2 if !bound.is_empty() => {
                let (name, kind) = bound[self.random.below(bound.len())].clone();
                let other = self.term(kind, bound);
                format!("(distinct {name} {other})")
            }
            3 if self.random.one_in(2) => {
                let bound_before = bound.clone();
                let ways: Vec<String> =
                    (0..2).map(|_| self.atom(about, &mut bound_before.clone(), false)).collect();
                format!("(or {})", ways.join(" "))
            }
            _ => self.atom(about, bound, true),
        }
    }

    /// A condition about a view or the state, of which some columns are variables that stand
    /// nowhere else.
    fn dropping(&mut self, about: About, bound: &Bound) -> String {
        let number = self.random.below(1000);
        let of = self.shape(about);
        let mut args = Vec::new();
        for (place, &kind) in of.1.columns.iter().enumerate() {
            args.push(match self.random.one_in(2) {
                true => format!("?only{number}_{place}"),
                false => self.term(kind, bound),
            });
        }
        self.sentence(&of, &args)
    }

    /// A view that may be asked, or else a fluent.
    fn shape(&mut self, about: About) -> (bool, Shape) {
        let views: Vec<Shape> = (self.views[..about.views].iter())
            .filter(|view| about.does || !view.asks_moves)
            .cloned()
            .collect();
        match self.random.below(views.len() + self.fluents.len()) {
            number if number < views.len() => (false, views[number].clone()),
            number => (true, self.fluents[number - views.len()].clone()),
        }
    }

    fn sentence(&self, (is_fact, of): &(bool, Shape), args: &[String]) -> String {
        match is_fact {
            true => format!("(true {})", of.text(args)),
            false => of.text(args),
        }
    }

    /// A condition that holds of something; one that may bind variables if `binds`.
    fn atom(&mut self, about: About, bound: &mut Bound, binds: bool) -> String {
        match self.random.below(10) {
            0 => {
                let arg = self.pattern(Kind::Constant(3), bound, binds);
                format!("(item {arg})")
            }
            1 => {
                let args = [0, 1].map(|_| self.pattern(Kind::Constant(3), bound, binds));
                format!("(after {} {})", args[0], args[1])
            }
            2 => {
                let arg = self.pattern(Kind::Role, bound, binds);
                format!("(role {arg})")
            }
            3 if self.random.one_in(3) => "(set)".to_owned(),
            4 | 5 if about.does => self.does(bound, binds),
            _ => {
                let of = self.shape(about);
                let args: Vec<String> = (of.1.columns.clone().into_iter())
                    .map(|kind| self.pattern(kind, bound, binds))
                    .collect();
                self.sentence(&of, &args)
            }
        }
    }

    fn does(&mut self, bound: &mut Bound, binds: bool) -> String {
        let role = self.pattern(Kind::Role, bound, binds);
        let what = self.pattern(Kind::Move, bound, binds);
        format!("(does {role} {what})")
    }

    /// A term that may bind variables.
    fn pattern(&mut self, kind: Kind, bound: &mut Bound, binds: bool) -> String {
        if !binds || self.random.one_in(4) {
            return self.term(kind, bound);
        }
        match kind {
            Kind::Compound(count) if self.random.one_in(2) => {
                format!("(g {})", self.pattern(Kind::Constant(count), bound, binds))
            }
            Kind::Move if self.random.one_in(2) => {
                let own = self.moves[self.random.below(self.moves.len())].clone();
                let args: Vec<String> =
                    (own.columns.iter()).map(|&kind| self.pattern(kind, bound, binds)).collect();
                own.text(&args)
            }
            _ => {
                let name = format!("?v{}", self.random.below(4));
                match bound.iter().find(|(other, _)| *other == name) {
                    Some((_, other)) if same(*other, kind) => name,
                    Some(_) => self.term(kind, bound),
                    None => {
                        bound.push((name.clone(), kind));
                        name
                    }
                }
            }
        }
    }

    /// A term over variables that are bound.
    fn term(&mut self, kind: Kind, bound: &[(String, Kind)]) -> String {
        let fitting: Vec<&String> =
            bound.iter().filter(|(_, other)| same(*other, kind)).map(|(name, _)| name).collect();
        if !fitting.is_empty() && !self.random.one_in(4) {
            return fitting[self.random.below(fitting.len())].clone();
        }
        match kind {
            Kind::Constant(count) => CONSTANTS[self.random.below(count)].to_owned(),
            Kind::Compound(count) => format!("(g {})", CONSTANTS[self.random.below(count)]),
            Kind::Role => ROLES[self.random.below(self.roles)].to_owned(),
            Kind::Move => {
                let own = self.moves[self.random.below(self.moves.len())].clone();
                let args: Vec<String> =
                    own.columns.iter().map(|&kind| self.term(kind, bound)).collect();
                own.text(&args)
            }
        }
    }
}

/// Whether terms of one kind may stand where those of the other do.
fn same(one: Kind, other: Kind) -> bool {
    std::mem::discriminant(&one) == std::mem::discriminant(&other)
}
