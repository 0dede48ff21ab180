//! Shorter statements in place of neighbouring ones (peephole optimisation; Aho, Lam, Sethi and
//! Ullman, *Compilers*, 8.7).
//!
//! Each list of statements is visited from its end to its beginning, with the variables that are
//! live. If there is a shorter form, it replaces the statements, and is looked at again.
//!
//! | statements | by |
//! |---|---|
//! | a copy of a variable that is only copied on | [`Peephole::copied`], [`coalesce`](super::coalesce) |
//! | a choice of one way | [`only_way`] |
//! | a test of the border | [`borders`](super::borders) |
//! | a loop that acts for one value, or that another one repeats | [`loops`](super::loops) |

use super::declared::{Declared, Members};
use super::live::{Live, Liveness};
use super::reread::names;
use super::values::values;
use super::{Act, Body, If, Program, Search, Statement};
use crate::export::slots::{Slot, Slots};
use gdlr_rg::rg::Name;
use hashbrown::HashSet;

impl Program {
    /// Shortens the statements of the program. Returns the maps of the state that are read beyond a
    /// border, each with the place of the key that may lie there.
    pub(in crate::export) fn with_fewer_statements(
        &mut self,
        declared: &Declared,
    ) -> HashSet<(Name, usize)> {
        let mut asked = HashSet::new();
        // Two loops may become alike only when both have been shortened.
        while self.round(declared, &mut asked) {}
        asked
    }

    /// Visits all statements once. Returns whether some have changed.
    fn round(&mut self, declared: &Declared, asked: &mut HashSet<(Name, usize)>) -> bool {
        let liveness = Liveness::of(self);
        let mut peephole = Peephole {
            emptied: emptied(self),
            values: values(self, &declared.members, &liveness),
            liveness,
            slots: std::mem::take(&mut self.slots),
            declared,
            asked: std::mem::take(asked),
            has_changed: false,
        };
        let nothing = &Live::new();
        for block in &mut self.blocks {
            match &mut block.body[..] {
                // A block that is a choice stays one: it is a condition with several ways.
                [Statement::Choice(ways)] => {
                    ways.iter_mut().for_each(|way| peephole.body(way, nothing, nothing));
                }
                _ => peephole.body(&mut block.body, nothing, nothing),
            }
        }
        for way in self.checks.iter_mut().flatten() {
            peephole.body(way, nothing, nothing);
        }
        self.slots = peephole.slots;
        *asked = peephole.asked;
        peephole.has_changed
    }
}

pub(super) struct Peephole<'d> {
    /// The possible values of variables without keys.
    pub values: Members,
    pub liveness: Liveness,
    pub slots: Slots,
    pub declared: &'d Declared,
    /// Maps to which constant maps are assigned. These have no entry beyond a border.
    pub emptied: HashSet<Name>,
    /// Maps of the state, and places of keys that may lie beyond a border.
    pub asked: HashSet<(Name, usize)>,
    has_changed: bool,
}

impl Peephole<'_> {
    /// Shortens statements. `after` are the variables that are live behind them, and `failed` those
    /// that are live where one of them fails.
    fn body(&mut self, body: &mut Body, after: &Live, failed: &Live) {
        let mut live: Live = after.union(failed).copied().collect();
        let mut place = body.len();
        while place > 0 {
            self.within(&mut body[place - 1], &live);
            if let Some(fewer) = self.shorter(&body[..place], &live, failed) {
                self.has_changed = true;
                let first = place - fewer.taken;
                place = first + fewer.put.len();
                body.splice(first..first + fewer.taken, fewer.put);
                continue;
            }
            place -= 1;
            live = self.liveness.before(&self.slots, &body[place], live);
            live.extend(failed.iter().copied());
        }
    }

    /// Shortens the bodies within a statement.
    fn within(&mut self, statement: &mut Statement, after: &Live) {
        let never = &Live::new();
        match statement {
            Statement::Test(_) | Statement::Do(_) | Statement::Never | Statement::Go(_) => {}
            Statement::Choice(ways) => {
                ways.iter_mut().for_each(|way| self.body(way, after, never));
            }
            Statement::If(branch) => self.branch(branch, after),
            Statement::Cases(cases) => {
                cases.iter_mut().for_each(|(_, body)| self.body(body, after, never));
            }
            Statement::Search(search) => {
                let (_, round) = self.liveness.in_search(&self.slots, search, after.clone());
                let ways = search.first.iter_mut().chain(&mut search.rounds);
                ways.for_each(|way| self.body(way, &round, never));
                self.body(&mut search.exit, after, never);
            }
            Statement::Each(each) => {
                let end = self.liveness.in_each(&self.slots, each, after.clone());
                self.body(&mut each.body, &end, never);
            }
            Statement::Follow(follow) => {
                let end = self.liveness.in_follow(&self.slots, follow, after.clone());
                let begin = self.liveness.before_all(&self.slots, &follow.body, end.clone());
                self.body(&mut follow.first, &begin, after);
                self.body(&mut follow.step, &begin, after);
                self.body(&mut follow.body, &end, never);
            }
            Statement::Find(find) => {
                let (begin, failed) = self.liveness.in_find(&self.slots, find, after);
                let then = self.liveness.before_all(&self.slots, &find.then, after.clone());
                self.body(&mut find.first, &begin, after);
                self.body(&mut find.step, &begin, after);
                self.body(&mut find.tests, &then, &failed);
                self.body(&mut find.then, after, never);
            }
        }
    }

    /// Shortens a decision. Copies behind its last test move to its first body.
    fn branch(&mut self, If { tests, then, otherwise }: &mut If, after: &Live) {
        let never = &Live::new();
        self.body(otherwise, after, never);
        let passed = self.liveness.before_all(&self.slots, then, after.clone());
        let failed = self.liveness.before_all(&self.slots, otherwise, after.clone());
        self.body(tests, &passed, &failed);
        while let Some(Statement::Do(Act::Copy(..))) = tests.last() {
            then.splice(..0, tests.pop());
        }
        self.body(then, after, never);
    }

    /// A shorter form of the last of some statements, behind which the variables `live` are live. The variables
    /// `failed` are live where one of the statements fails.
    fn shorter(&mut self, body: &[Statement], live: &Live, failed: &Live) -> Option<Fewer> {
        only_way(body)
            .or_else(|| self.copied(body, live))
            .or_else(|| self.coalesced(body, live, failed))
            .or_else(|| self.over_border(body, live))
            .or_else(|| self.decided_loop(body, live))
            .or_else(|| self.only_last_loop(body, live))
    }

    /// One assignment in place of two, if the first variable is not read afterwards.
    fn copied(&self, body: &[Statement], live: &Live) -> Option<Fewer> {
        let [.., Statement::Do(Act::Copy(first, from)), Statement::Do(Act::Copy(to, same))] = body
        else {
            return None;
        };
        let name = self.slots.expr(*first).as_name()?.name;
        let is_last = !live.contains(&name) && !names(self.slots.expr(*to), name);
        (first == same && is_last)
            .then(|| Fewer { taken: 2, put: vec![Statement::Do(Act::Copy(*to, *from))] })
    }
}

/// The statements of the only way of a choice or a search, unless they go on elsewhere.
fn only_way(body: &[Statement]) -> Option<Fewer> {
    let put = match body.last()? {
        Statement::Choice(ways) => only(ways)?.clone(),
        Statement::Search(Search { first, rounds, exit }) if rounds.is_empty() => {
            [&only(first)?[..], exit].concat()
        }
        _ => return None,
    };
    let goes_on = !matches!(put.last(), Some(Statement::Go(_)));
    goes_on.then_some(Fewer { taken: 1, put })
}

fn only(ways: &[Body]) -> Option<&Body> {
    match ways {
        [way] => Some(way),
        _ => None,
    }
}

/// The variables to which others are assigned as a whole. Pairs of a variable and its next state
/// are left out.
fn emptied(program: &Program) -> HashSet<Name> {
    let mut all: HashSet<Name> = HashSet::new();
    let mut copies: Vec<(Name, Name)> = Vec::new();
    program.each_statement(&mut |statement| {
        if let Statement::Do(Act::Copy(to, from)) = statement {
            let name = |slot: Slot| program.slots.expr(slot).as_name().map(|name| name.name);
            copies.extend(name(*to).zip(name(*from)));
        }
    });
    // A map and the map of its next state are assigned to each other.
    let is_back = |&(to, from): &(Name, Name)| copies.contains(&(from, to));
    all.extend(copies.iter().filter(|copy| !is_back(copy)).map(|(to, _)| *to));
    all
}

/// Statements that replace the last `taken` ones.
pub(super) struct Fewer {
    pub taken: usize,
    pub put: Body,
}

#[cfg(test)]
mod tests {
    use crate::export::program::declared::Declared;
    use crate::export::program::{Act, Body, Each, If, Program, Search, Statement, Target, Test};
    use crate::export::slots::Slot;
    use gdlr_rg::rg::{Base, Expr, Ident, Name, Names, Place};
    use hashbrown::{HashMap, HashSet};

    /// A board of squares `a` and `b`, with pieces `x` and `o`, and a map `step` from square to
    /// square.
    struct Board {
        program: Program,
        names: Names,
        declared: Declared,
    }

    impl Board {
        fn new() -> Board {
            let mut names = Names::default();
            let mut of = |texts: &[&str]| -> HashSet<Name> {
                texts.iter().map(|text| names.intern(text).expect("a name")).collect()
            };
            let (squares, step) = (of(&["a", "b"]), of(&["a", "b", "none"]));
            let (pieces, marks) = (of(&["x", "o"]), of(&["x", "o", "empty"]));
            let mut name = |text: &str| names.intern(text).expect("a name");
            let (cell, next) = (name("cell"), name("next"));
            let mut members = HashMap::new();
            let squares_of = ["s", "t", "u"].map(&mut name);
            members.extend(squares_of.map(|name| (name, squares.clone())));
            members.extend(["p", "q"].map(&mut name).map(|name| (name, pieces.clone())));
            members.extend([cell, next, name("mark")].map(|name| (name, marks.clone())));
            members.insert(name("step"), step);
            let (empty, square) = (name("empty"), name("Square"));
            let declared = Declared {
                none: name("none"),
                members,
                // `u` is of another type.
                types: squares_of[..2].iter().map(|&name| (name, square)).collect(),
                keys: [cell, next].map(|map| (map, vec![squares.clone()])).into_iter().collect(),
                others: [cell, next].map(|map| (map, empty)).into_iter().collect(),
            };
            Board { program: Program::new(), names, declared }
        }

        fn name(&mut self, text: &str) -> Name {
            self.names.intern(text).expect("a name")
        }

        /// The slot `s`, `cell[s]`, `cell[step[s]]`, and so on: names from the outermost to the
        /// innermost.
        fn slot(&mut self, texts: &[&str]) -> Slot {
            let mut texts = texts.iter().rev();
            let innermost = self.name(texts.next().expect("a name"));
            let expr = texts.fold(Expr::from(Ident::from(innermost)), |key, text| {
                let base = Base::Name(self.name(text).into());
                Expr { base, keys: vec![key], place: Place::default() }
            });
            self.program.slots.of(expr)
        }

        fn is(&mut self, texts: &[&str], value: &str, holds: bool) -> Statement {
            Statement::Test(Test::Is(self.slot(texts), self.name(value), holds))
        }

        fn same(&mut self, one: &[&str], other: &[&str]) -> Statement {
            Statement::Test(Test::Same(self.slot(one), self.slot(other), true))
        }

        fn copy(&mut self, to: &[&str], from: &[&str]) -> Statement {
            Statement::Do(Act::Copy(self.slot(to), self.slot(from)))
        }

        fn set(&mut self, to: &[&str], value: &str) -> Statement {
            Statement::Do(Act::Set(self.slot(to), self.name(value)))
        }

        fn any(&mut self, to: &[&str]) -> Statement {
            Statement::Do(Act::Any(self.slot(to), self.name("Square")))
        }

        fn each(&mut self, slot: &str, body: Body) -> Statement {
            let (slot, next) = (self.slot(&[slot]), self.slot(&["following", slot]));
            Statement::Each(Each { slot, first: self.name("x"), last: self.name("o"), next, body })
        }

        /// The shortened statements, and the number of keys that may lie beyond a border.
        fn left(mut self, body: Body) -> (Body, usize) {
            let block = self.program.block("block".to_owned(), Vec::new());
            self.program.fill(block, body);
            let asked = self.program.with_fewer_statements(&self.declared);
            (self.program.blocks[block.place()].body.clone(), asked.len())
        }
    }

    #[test]
    fn a_border_is_not_asked_for() {
        for is_read in [false, true] {
            let mut board = Board::new();
            let go = board.copy(&["t"], &["step", "s"]);
            let mut body = vec![board.is(&["step", "s"], "none", false), go.clone()];
            body.push(board.is(&["cell", "t"], "x", true));
            let mut wanted = vec![board.is(&["cell", "step", "s"], "x", true)];
            if is_read {
                let read = board.is(&["t"], "a", true);
                body.push(read.clone());
                wanted.extend([go, read]);
            }
            assert_eq!(board.left(body), (wanted, 1));
        }
    }

    /// Beyond the border the entry is `empty`, and the variable may hold this value.
    #[test]
    fn a_border_is_asked_for_where_the_test_may_hold_there() {
        let tests: [fn(&mut Board) -> Statement; 4] = [
            |board| board.is(&["cell", "t"], "empty", true),
            |board| board.is(&["cell", "t"], "x", false),
            |board| board.same(&["cell", "t"], &["mark"]),
            |board| board.same(&["cell", "t"], &["t"]),
        ];
        for test in tests {
            let mut board = Board::new();
            let body = vec![
                board.is(&["step", "s"], "none", false),
                board.copy(&["t"], &["step", "s"]),
                test(&mut board),
            ];
            assert_eq!(board.left(body.clone()), (body, 0));
        }
    }

    /// A variable only has the values that are assigned to it, even if its type has more.
    #[test]
    fn a_variable_of_pieces_is_none_of_what_lies_beyond_the_border() {
        for piece in ["x", "empty"] {
            let mut board = Board::new();
            let set = board.set(&["mark"], piece);
            let go = board.copy(&["t"], &["step", "s"]);
            let (border, test) =
                (board.is(&["step", "s"], "none", false), board.same(&["cell", "t"], &["mark"]));
            let fewer = board.same(&["cell", "step", "s"], &["mark"]);
            let body = vec![set.clone(), border, go, test];
            let wanted = if piece == "x" { vec![set, fewer] } else { body.clone() };
            assert_eq!(board.left(body).0, wanted);
        }
    }

    #[test]
    fn a_variable_that_is_assigned_on_is_not_assigned() {
        for is_read in [false, true] {
            let mut board = Board::new();
            let mut body = vec![board.copy(&["t"], &["step", "s"]), board.copy(&["s"], &["t"])];
            body.push(board.is(&["s"], "a", true));
            let read = board.is(&["t"], "b", true);
            let wanted = match is_read {
                true => {
                    body.push(read);
                    body.clone()
                }
                false => vec![board.copy(&["s"], &["step", "s"]), body[2].clone()],
            };
            assert_eq!(board.left(body).0, wanted);
        }
    }

    /// Each of two variables that are assigned on is one with the other, over tests that lie between.
    #[test]
    fn a_variable_that_is_chosen_and_assigned_on_is_one_with_the_other() {
        let mut board = Board::new();
        let rest = |board: &mut Board| board.is(&["s"], "a", true);
        let choose = board.any(&["t"]);
        let test = board.is(&["cell", "t"], "x", true);
        let body = vec![choose, test, board.copy(&["s"], &["t"]), rest(&mut board)];
        let (choose, test) = (board.any(&["s"]), board.is(&["cell", "s"], "x", true));
        let wanted = vec![choose, test, rest(&mut board)];
        assert_eq!(board.left(body).0, wanted);
    }

    #[test]
    fn two_variables_that_differ_are_not_made_one() {
        for case in 0..7 {
            let mut board = Board::new();
            let second = if case == 0 { "u" } else { "s" };
            let mut body = vec![board.any(&["t"])];
            match case {
                // The second variable is read, or written, where the first one has its value.
                1 => body.push(board.is(&["cell", "s"], "x", true)),
                2 => body.push(board.any(&["s"])),
                // A check may read any variable.
                3 => {
                    let read = vec![board.is(&["s"], "b", true)];
                    let check = board.program.check(vec![read]);
                    body.push(Statement::Test(Test::Check(check, true)));
                }
                // The keeper takes over, who alone may assign to the state.
                6 => {
                    let player = board.program.slots.slot(Name::PLAYER, &[]);
                    body.push(Statement::Do(Act::Set(player, Name::KEEPER)));
                }
                // It is not known what the first one is.
                4 => drop(body.remove(0)),
                _ => body.push(board.is(&["cell", "t"], "x", true)),
            }
            body.push(board.copy(&[second], &["t"]));
            body.push(board.is(&[second], "a", true));
            // The first one is read afterwards.
            if case == 5 {
                body.push(board.is(&["t"], "b", true));
            }
            assert_eq!(board.left(body.clone()).0, body, "{case}");
        }
    }

    /// Where the test fails, the second variable is as it was.
    #[test]
    fn a_variable_that_the_other_way_reads_is_not_made_one_with_another() {
        for other_reads in [false, true] {
            let mut board = Board::new();
            let tests = |board: &mut Board, name: &str| {
                vec![board.any(&[name]), board.is(&["cell", name], "x", true)]
            };
            let read = board.is(&["s"], "a", true);
            let otherwise = if other_reads { vec![read.clone()] } else { Vec::new() };
            let branch =
                |tests, then| Statement::If(If { tests, then, otherwise: otherwise.clone() });
            let last = board.is(&["s"], "b", true);
            let mut first = tests(&mut board, "t");
            first.push(board.copy(&["s"], &["t"]));
            first.push(last.clone());
            let whole = first.clone();
            let wanted = match other_reads {
                false => [tests(&mut board, "s"), vec![last]].concat(),
                true => first,
            };
            let wanted = vec![branch(wanted, vec![read.clone()])];
            assert_eq!(board.left(vec![branch(whole, vec![read])]).0, wanted);
        }
    }

    #[test]
    fn a_choice_of_one_way_is_its_statements() {
        let mut board = Board::new();
        let (one, two) = (board.is(&["s"], "a", true), board.is(&["t"], "b", true));
        let search = Search { first: vec![vec![one.clone()]], rounds: Vec::new(), exit: vec![two] };
        let last = board.is(&["u"], "a", true);
        let choice = Statement::Choice(vec![vec![Statement::Search(search.clone())]]);
        let body = vec![choice, last.clone()];
        let wanted = [search.first[0].clone(), search.exit, vec![last]].concat();
        assert_eq!(board.left(body).0, wanted);
    }

    /// A block that is a choice of one way is still a condition.
    #[test]
    fn a_block_that_is_a_choice_stays_one() {
        let mut board = Board::new();
        let body = vec![Statement::Choice(vec![vec![board.is(&["s"], "a", true)]])];
        assert_eq!(board.left(body.clone()).0, body);
    }

    /// Statements behind the way would come after it has gone on elsewhere; a choice of two is one.
    #[test]
    fn a_choice_that_goes_on_elsewhere_stays() {
        for goes_on in [false, true] {
            let mut board = Board::new();
            let (one, two) = (board.is(&["s"], "a", true), board.is(&["t"], "b", true));
            let over = Statement::Go(Target::Over);
            let ways = match goes_on {
                true => vec![vec![one, over]],
                false => vec![vec![one], vec![two.clone()]],
            };
            let body = vec![Statement::Choice(ways), two];
            assert_eq!(board.left(body.clone()).0, body);
        }
    }

    /// Both bodies of a decision are visited.
    #[test]
    fn what_the_other_way_reads_is_kept() {
        for other_reads in [false, true] {
            let mut board = Board::new();
            let (go, on) = (board.copy(&["t"], &["step", "s"]), board.copy(&["s"], &["t"]));
            let (test, read) = (board.is(&["u"], "a", true), board.is(&["t"], "b", true));
            let tests = vec![go, test.clone()];
            let then = vec![on, board.is(&["s"], "a", true)];
            let otherwise = if other_reads { vec![read] } else { Vec::new() };
            let branch = Statement::If(If { tests, then, otherwise });
            // An assignment before a test does not move behind it.
            assert_eq!(board.left(vec![branch.clone()]).0, [branch]);
        }
    }

    /// The loop stays if it changes the tested value, or if its variable is read later.
    #[test]
    fn a_loop_that_keeps_one_value_is_none() {
        for case in 0..3 {
            let mut board = Board::new();
            let test = board.same(&["p"], &["q"]);
            let write = board.copy(&["next", "s"], &["p"]);
            let mut then = vec![write];
            then.extend((case == 1).then(|| board.copy(&["q"], &["p"])));
            let inner = Statement::If(If { tests: vec![test], then, otherwise: Vec::new() });
            let mut body = vec![board.each("p", vec![inner])];
            body.extend((case == 2).then(|| board.is(&["p"], "x", true)));
            let wanted = match case {
                // The variable is only copied on, too.
                0 => vec![board.copy(&["next", "s"], &["q"])],
                _ => body.clone(),
            };
            assert_eq!(board.left(body).0, wanted, "{case}");
        }
    }

    #[test]
    fn a_loop_whose_entries_are_written_again_goes() {
        for case in 0..5 {
            let mut board = Board::new();
            // In the last case, the second loop reads entries that the first one has written.
            let value: &[&str] = if case == 4 { &["next", "u"] } else { &["q"] };
            let writes = [board.set(&["next", "s"], "empty"), board.copy(&["next", "s"], value)];
            let [one, other] = writes.map(|write| {
                let tests = vec![board.is(&["cell", "s"], "x", true)];
                let branch = If { tests, then: vec![write], otherwise: Vec::new() };
                board.each("p", vec![Statement::If(branch)])
            });
            let between = match case {
                0 | 4 => board.set(&["next", "u"], "x"),
                // The tested map changes; the written map is read; the variable of the loop is
                // read.
                1 => board.set(&["cell", "u"], "x"),
                2 => board.copy(&["mark"], &["next", "u"]),
                _ => board.copy(&["mark"], &["p"]),
            };
            let read = board.copy(&["cell", "u"], &["mark"]);
            let mut body = vec![one, between, other, read];
            let left = board.left(body.clone()).0;
            if case == 0 {
                body.remove(0);
            }
            assert_eq!(left, body, "{case}");
        }
    }
}
