//! A game as a program of blocks and statements, from which the nodes and edges of an automaton are
//! made.
//!
//! A *block* is one of four things: a turn; a ply, in which a role chooses; a derived relation that
//! several places ask for; the end of the play. A block has a name, a comment and a list of
//! statements. Statements choose, test, assign, and go on to other blocks. They do not know of
//! nodes. A statement is followed by the next one, unless it goes on to a block.
//!
//! ```text
//! turn:    player = x, go on to choose_x
//! choose_x: x = X(*), y = Y(*), test cell[x][y] == b, $ mark, $$ x, $$ y
//!           player = keeper, cell[x][y] = x
//!           if check is_line { over } else { turn_1 }
//! is_line: m = M(*), one of { test …, test … } { test …, test … }
//! ```
//!
//! | file | what it is for |
//! |---|---|
//! | `mod` | the program |
//! | `alike` | turns that differ only in their player, as one turn |
//! | `declared` | types, first values and constant maps of a program |
//! | `peephole` | shorter statements for neighbouring ones |
//! | `borders` | a part of `peephole`: steps beyond the border of a board |
//! | `loops` | a part of `peephole`: loops that need one round only, or none |
//! | `coalesce` | a part of `peephole`: copy coalescing, one variable in place of two |
//! | `live` | the registers that are read later |
//! | `lower` | a program as nodes and edges |
//! | `hrg` | a program as a text in High-level Regular Games |
//! | `reads` | the variables that a program reads |
//! | `reread` | redundant loads |
//! | `sound` | a checker of programs |
//! | `turns` | the order of turns |
//! | `values` | the possible values of variables |
//! | `guesses` | choices of a value that a variable already holds |

pub(super) mod alike;
mod borders;
mod coalesce;
pub(super) mod declared;
mod guesses;
pub(super) mod hrg;
mod live;
mod loops;
pub(super) mod lower;
mod peephole;
mod reads;
mod reread;
pub(super) mod sound;
mod turns;
mod values;

pub(super) use reread::names;

use super::slots::{Slot, Slots};
use gdlr_rg::rg::Name;
use hashbrown::HashMap;

/// A block of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct BlockId(u32);

impl BlockId {
    /// The place of the block in the list of blocks.
    pub fn place(self) -> usize {
        self.0 as usize
    }
}

/// A check of a program: it succeeds if one of its bodies can be gone through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct CheckId(u32);

/// A list of statements, done one after the other.
pub(super) type Body = Vec<Statement>;

/// A condition. The last field of each variant says whether it must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Test {
    /// `slot == symbol`
    Is(Slot, Name, bool),
    /// `slot == slot`
    Same(Slot, Slot, bool),
    /// The check succeeds.
    Check(CheckId, bool),
}

impl Test {
    /// The test that holds if and only if this one does not.
    pub fn opposite(self) -> Test {
        match self {
            Test::Is(slot, symbol, holds) => Test::Is(slot, symbol, !holds),
            Test::Same(one, other, holds) => Test::Same(one, other, !holds),
            Test::Check(check, holds) => Test::Check(check, !holds),
        }
    }
}

/// An action that can always be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Act {
    /// `slot = type(*)`: any value of the type, a choice.
    Any(Slot, Name),
    /// `slot = symbol`
    Set(Slot, Name),
    /// `slot = slot`
    Copy(Slot, Slot),
    /// `$ tag`
    Tag(Name),
    /// `$$ slot`
    TagOf(Slot),
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Statement {
    /// Goes on only if the test holds.
    Test(Test),
    Do(Act),
    /// Never goes on.
    Never,
    /// Does one of these bodies, a choice.
    Choice(Vec<Body>),
    Search(Search),
    If(If),
    /// Does the body whose tests all hold. At most one is such a body.
    Cases(Vec<(Vec<Test>, Body)>),
    Each(Each),
    Follow(Follow),
    Find(Find),
    /// Goes on to a target, instead of the next statement.
    Go(Target),
}

impl Statement {
    /// The bodies within the statement.
    fn bodies(&self) -> Vec<&Body> {
        match self {
            Statement::Test(_) | Statement::Do(_) | Statement::Never | Statement::Go(_) => {
                Vec::new()
            }
            Statement::Choice(ways) => ways.iter().collect(),
            Statement::Search(Search { first, rounds, exit }) => {
                first.iter().chain(rounds).chain([exit]).collect()
            }
            Statement::If(If { tests, then, otherwise }) => vec![tests, then, otherwise],
            Statement::Cases(cases) => cases.iter().map(|(_, body)| body).collect(),
            Statement::Each(Each { body, .. }) => vec![body],
            Statement::Follow(Follow { first, step, body }) => vec![first, step, body],
            Statement::Find(Find { first, step, tests, then }) => vec![first, step, tests, then],
        }
    }

    /// The bodies within the statement, mutable.
    fn bodies_mut(&mut self) -> Vec<&mut Body> {
        match self {
            Statement::Test(_) | Statement::Do(_) | Statement::Never | Statement::Go(_) => {
                Vec::new()
            }
            Statement::Choice(ways) => ways.iter_mut().collect(),
            Statement::Search(Search { first, rounds, exit }) => {
                first.iter_mut().chain(rounds).chain([exit]).collect()
            }
            Statement::If(If { tests, then, otherwise }) => vec![tests, then, otherwise],
            Statement::Cases(cases) => cases.iter_mut().map(|(_, body)| body).collect(),
            Statement::Each(Each { body, .. }) => vec![body],
            Statement::Follow(Follow { first, step, body }) => vec![first, step, body],
            Statement::Find(Find { first, step, tests, then }) => vec![first, step, tests, then],
        }
    }
}

/// A search: one of the bodies `first`, then any number of bodies of `rounds`, and then `exit`.
/// Which ones is a choice.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Search {
    pub first: Vec<Body>,
    pub rounds: Vec<Body>,
    pub exit: Body,
}

/// A decision: `then` if all tests hold, and `otherwise` if one does not.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct If {
    /// Tests, and assignments between them.
    pub tests: Body,
    pub then: Body,
    pub otherwise: Body,
}

/// A loop: the body once for each value of a slot.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Each {
    pub slot: Slot,
    pub first: Name,
    pub last: Name,
    /// The slot that holds the value after the current one.
    pub next: Slot,
    pub body: Body,
}

/// A loop along a chain of rows: the body is done as long as all tests hold. The tests are those of
/// `first` for the first row, and those of `step` for each further row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Follow {
    pub first: Body,
    pub step: Body,
    pub body: Body,
}

/// A search along a chain of rows, as in [`Follow`]. It stops at the first row for which all
/// `tests` hold, and does `then` for this row alone.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Find {
    pub first: Body,
    pub step: Body,
    /// Tests, and assignments between them.
    pub tests: Body,
    pub then: Body,
}

/// The place where a program goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Target {
    Block(BlockId),
    /// The block in which the keeper ends the play.
    Over,
    /// The end of the play.
    End,
}

/// A block.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// A name that no other block has.
    pub name: String,
    /// The registers that are set before the program goes to the block.
    pub parameters: Vec<Slot>,
    /// The text above the block, such as the rules from which it was written.
    pub comment: Option<String>,
    /// The statements. A check succeeds at their end.
    pub body: Body,
}

/// A turn. It begins at `block`. The block `judge` tests whether the play is over before the turn.
#[derive(Clone, Debug)]
pub(super) struct Turn {
    pub block: BlockId,
    pub judge: BlockId,
    /// Tests of the state that hold in this turn and in no other one. `None` if they are not
    /// needed.
    pub known: Option<Vec<Test>>,
}

/// A program.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub slots: Slots,
    blocks: Vec<Block>,
    checks: Vec<Vec<Body>>,
    /// By bodies of a check, if they have no statements within others: the check.
    check_of: HashMap<Vec<Body>, CheckId>,
    /// The number of all statements.
    size: usize,
    pub turns: Vec<Turn>,
    /// The beginning of the play.
    pub begin: Target,
    /// The variable of the player who moves.
    pub player: Slot,
    /// The block that sets the goals and ends the play.
    pub over: BlockId,
}

/// An estimate of the memory of a statement, in bytes: here, as edges with their hash entries, and
/// as a line of text.
const BYTES_OF_STATEMENT: usize = size_of::<Statement>() + 256;

impl Program {
    /// A program without statements.
    pub fn new() -> Program {
        let mut slots = Slots::default();
        let player = slots.slot(Name::PLAYER, &[]);
        let mut program = Program {
            slots,
            blocks: Vec::new(),
            checks: Vec::new(),
            check_of: HashMap::new(),
            size: 0,
            turns: Vec::new(),
            begin: Target::Over,
            player,
            over: BlockId(0),
        };
        program.over = program.block("over".to_owned(), Vec::new());
        program
    }

    /// Adds a block without statements.
    pub fn block(&mut self, name: String, parameters: Vec<Slot>) -> BlockId {
        self.blocks.push(Block { name, parameters, comment: None, body: Vec::new() });
        BlockId(self.blocks.len() as u32 - 1)
    }

    /// Sets the statements of a block.
    pub fn fill(&mut self, block: BlockId, body: Body) {
        self.size += size(&body);
        self.blocks[block.0 as usize].body = body;
    }

    /// Adds a line to the comment of a block.
    pub fn comment(&mut self, block: BlockId, text: &str) {
        let comment = self.blocks[block.0 as usize].comment.get_or_insert_default();
        if !comment.is_empty() {
            comment.push('\n');
        }
        comment.push_str(text);
    }

    /// A check that succeeds if one of some bodies can be gone through. The same list of tests and
    /// assignments gives the same check.
    pub fn check(&mut self, ways: Vec<Body>) -> CheckId {
        let is_plain = |statement: &Statement| {
            matches!(statement, Statement::Test(_) | Statement::Do(_) | Statement::Go(_))
        };
        let is_list = matches!(&ways[..], [only] if only.iter().all(is_plain));
        if is_list && let Some(&known) = self.check_of.get(&ways) {
            return known;
        }
        let check = CheckId(self.checks.len() as u32);
        self.size += ways.iter().map(|way| size(way)).sum::<usize>();
        if is_list {
            self.check_of.insert(ways.clone(), check);
        }
        self.checks.push(ways);
        check
    }

    /// The statements that go through one of the bodies of a check.
    pub fn gone_through(&self, check: CheckId) -> Body {
        match &self.checks[check.0 as usize][..] {
            [only] => only.clone(),
            ways => vec![Statement::Choice(ways.to_vec())],
        }
    }

    /// Visits all statements, also those within others.
    pub fn each_statement(&self, look: &mut dyn FnMut(&Statement)) {
        fn each(statement: &Statement, look: &mut dyn FnMut(&Statement)) {
            look(statement);
            statement.bodies().into_iter().flatten().for_each(|inner| each(inner, look));
        }
        let blocks = self.blocks.iter().map(|block| &block.body);
        let bodies = blocks.chain(self.checks.iter().flatten());
        bodies.flatten().for_each(|statement| each(statement, look));
    }

    /// The statements at a target.
    pub fn body_at(&self, target: Target) -> &[Statement] {
        match target {
            Target::Block(block) => &self.blocks[block.place()].body,
            Target::Over => &self.blocks[self.over.place()].body,
            Target::End => &[],
        }
    }

    /// Replaces blocks in all jumps, by the map `became`.
    pub fn redirect(&mut self, became: &HashMap<BlockId, BlockId>) {
        let other = |block: BlockId| *became.get(&block).unwrap_or(&block);
        self.blocks.iter_mut().for_each(|block| redirect(&mut block.body, &other));
        self.checks.iter_mut().flatten().for_each(|way| redirect(way, &other));
        if let Target::Block(begin) = &mut self.begin {
            *begin = other(*begin);
        }
    }

    /// Empties blocks and checks that play never reaches, from its beginning or from the blocks
    /// `from`.
    pub fn forget(&mut self, from: &[BlockId]) {
        let mut live = Live {
            program: self,
            blocks: vec![false; self.blocks.len()],
            checks: vec![false; self.checks.len()],
        };
        live.target(self.begin);
        let turns = self.turns.iter().flat_map(|turn| [turn.block, turn.judge]);
        turns.chain([self.over]).chain(from.iter().copied()).for_each(|block| live.block(block));
        let Live { blocks, checks, .. } = live;
        for (block, _) in self.blocks.iter_mut().zip(blocks).filter(|(_, live)| !live) {
            block.body.clear();
            block.comment = None;
        }
        for (ways, _) in self.checks.iter_mut().zip(checks).filter(|(_, live)| !live) {
            ways.clear();
        }
    }

    /// Gives a block the name of another block that has become empty.
    pub fn take_name(&mut self, block: BlockId, from: BlockId) {
        let [block, from] = [block.place(), from.place()];
        if self.blocks[from].body.is_empty() {
            let name = std::mem::take(&mut self.blocks[from].name);
            self.blocks[from].name = std::mem::replace(&mut self.blocks[block].name, name);
        }
    }

    /// The turn of a block, as its beginning or as its test for the end of the play.
    pub fn turn_of(&self, block: BlockId) -> Option<usize> {
        self.turns.iter().position(|turn| turn.block == block || turn.judge == block)
    }

    /// An estimate of the memory of the program, as a description and as text, in bytes.
    pub fn bytes(&self) -> usize {
        self.size * BYTES_OF_STATEMENT
    }
}

/// Replaces blocks in all jumps of a body.
fn redirect(body: &mut Body, other: &dyn Fn(BlockId) -> BlockId) {
    for statement in body {
        if let Statement::Go(Target::Block(block)) = statement {
            *block = other(*block);
        }
        statement.bodies_mut().into_iter().for_each(|body| redirect(body, other));
    }
}

/// The blocks and checks that play reaches.
struct Live<'p> {
    program: &'p Program,
    blocks: Vec<bool>,
    checks: Vec<bool>,
}

impl Live<'_> {
    fn target(&mut self, target: Target) {
        if let Target::Block(block) = target {
            self.block(block);
        }
    }

    fn block(&mut self, block: BlockId) {
        if !std::mem::replace(&mut self.blocks[block.place()], true) {
            let program = self.program;
            self.body(&program.blocks[block.place()].body);
        }
    }

    fn test(&mut self, test: Test) {
        if let Test::Check(check, _) = test
            && !std::mem::replace(&mut self.checks[check.0 as usize], true)
        {
            let program = self.program;
            program.checks[check.0 as usize].iter().for_each(|way| self.body(way));
        }
    }

    fn body(&mut self, body: &[Statement]) {
        for statement in body {
            match statement {
                Statement::Test(test) => self.test(*test),
                Statement::Go(target) => self.target(*target),
                Statement::Cases(cases) => {
                    cases.iter().flat_map(|(tests, _)| tests).for_each(|&test| self.test(test));
                }
                _ => {}
            }
            statement.bodies().into_iter().for_each(|body| self.body(body));
        }
    }
}

/// The number of statements, with those within others.
fn size(body: &[Statement]) -> usize {
    let tests = |statement: &Statement| match statement {
        Statement::Cases(cases) => cases.iter().map(|(tests, _)| tests.len()).sum(),
        _ => 0,
    };
    let within = |statement: &Statement| -> usize {
        statement.bodies().into_iter().map(|body| size(body)).sum()
    };
    body.iter().map(|statement| 1 + tests(statement) + within(statement)).sum()
}
