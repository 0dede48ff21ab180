//! A game as a program: what is done, before it is nodes and edges.
//!
//! A program has *blocks*: a turn, a ply in which a role chooses, a derived relation that is asked
//! in several places, the end of the play. Each has a name, a comment, and a list of statements
//! that choose, test, assign, and go on to other blocks. No statement knows of nodes: what has no
//! other place to go on to goes on behind itself.
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
//! | `alike` | turns that are alike but for whose they are, as one turn |
//! | `declared` | what is declared beside it |
//! | `peephole` | statements that are fewer |
//! | `borders` | among these: what lies beyond the border of a board |
//! | `loops` | among these: loops that do nothing for most values |
//! | `coalesce` | among these: one variable in place of two |
//! | `live` | which registers are read later |
//! | `lower` | a program as nodes and edges |
//! | `hrg` | a program as a text in High-level Regular Games |
//! | `reads` | which variables it reads |
//! | `reread` | what is read again though the variable still holds it |
//! | `sound` | what every program must be, checked |
//! | `turns` | in which order its turns come |
//! | `values` | what its variables can hold |
//! | `guesses` | what is guessed though a variable holds it |

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
    /// Its place among the blocks.
    pub fn place(self) -> usize {
        self.0 as usize
    }
}

/// Something that a program checks: whether one of some bodies can be gone through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct CheckId(u32);

/// What is done one thing after another.
pub(super) type Body = Vec<Statement>;

/// A condition. Whether it holds is the last field of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Test {
    /// `slot == symbol`
    Is(Slot, Name, bool),
    /// `slot == slot`
    Same(Slot, Slot, bool),
    /// That a check succeeds.
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

/// What can always be done.
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
    /// Goes on only if it holds.
    Test(Test),
    Do(Act),
    /// Never goes on.
    Never,
    /// One of these, a choice.
    Choice(Vec<Body>),
    Search(Search),
    If(If),
    /// The one of these of which all tests hold.
    Cases(Vec<(Vec<Test>, Body)>),
    Each(Each),
    Follow(Follow),
    Find(Find),
    /// Goes on elsewhere, and not behind this.
    Go(Target),
}

impl Statement {
    /// The bodies within.
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

    /// The same, to be changed.
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

/// One of some bodies, then one of others as often as wanted, then the last: a choice.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Search {
    pub first: Vec<Body>,
    pub rounds: Vec<Body>,
    pub exit: Body,
}

/// Does one thing if all tests among some statements hold, and else another one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct If {
    /// Tests, and what is assigned between them.
    pub tests: Body,
    pub then: Body,
    pub otherwise: Body,
}

/// Does something for each value of a slot, from one to the next.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Each {
    pub slot: Slot,
    pub first: Name,
    pub last: Name,
    /// The value that follows.
    pub next: Slot,
    pub body: Body,
}

/// Does something again and again, as long as all tests hold: those among some statements at first,
/// and those among others from then on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Follow {
    pub first: Body,
    pub step: Body,
    pub body: Body,
}

/// Goes on from one value to the next, as [`Follow`] does, up to the first for which all tests hold, and
/// does something for that one alone.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Find {
    pub first: Body,
    pub step: Body,
    /// Tests, and what is assigned between them.
    pub tests: Body,
    pub then: Body,
}

/// Where to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Target {
    Block(BlockId),
    /// The keeper takes over where the play is over.
    Over,
    /// The play ends.
    End,
}

/// A block.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// No other block has it.
    pub name: String,
    /// What the block is told by those that go on to it, if anything.
    pub parameters: Vec<Slot>,
    /// What it is about.
    pub comment: Option<String>,
    /// A check succeeds behind it.
    pub body: Body,
}

/// A turn: it begins at a block, and before it another one may ask whether the play is over.
#[derive(Clone, Debug)]
pub(super) struct Turn {
    pub block: BlockId,
    pub judge: BlockId,
    /// What the state tells when it is this turn, and no other one. Nothing where that is not needed.
    pub known: Option<Vec<Test>>,
}

/// A program.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub slots: Slots,
    blocks: Vec<Block>,
    checks: Vec<Vec<Body>>,
    /// By body of a check that is a mere list.
    check_of: HashMap<Vec<Body>, CheckId>,
    /// How many statements there are.
    size: usize,
    pub turns: Vec<Turn>,
    /// Where the play begins.
    pub begin: Target,
    /// The variable of who moves.
    pub player: Slot,
    /// Where the goals are set and the play ends.
    pub over: BlockId,
}

/// How much memory a statement takes: here, as edges with what is remembered of them, and as a line
/// of text.
const BYTES_OF_STATEMENT: usize = size_of::<Statement>() + 256;

impl Program {
    /// A program that does nothing yet.
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

    /// A block that has nothing in it yet.
    pub fn block(&mut self, name: String, parameters: Vec<Slot>) -> BlockId {
        self.blocks.push(Block { name, parameters, comment: None, body: Vec::new() });
        BlockId(self.blocks.len() as u32 - 1)
    }

    /// Says what a block does.
    pub fn fill(&mut self, block: BlockId, body: Body) {
        self.size += size(&body);
        self.blocks[block.0 as usize].body = body;
    }

    /// Says what a block is about, after what has been said of it before.
    pub fn comment(&mut self, block: BlockId, text: &str) {
        let comment = self.blocks[block.0 as usize].comment.get_or_insert_default();
        if !comment.is_empty() {
            comment.push('\n');
        }
        comment.push_str(text);
    }

    /// Whether one of some bodies can be gone through. The same check for the same list of tests and
    /// assignments.
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

    /// What goes through one of the bodies of a check.
    pub fn gone_through(&self, check: CheckId) -> Body {
        match &self.checks[check.0 as usize][..] {
            [only] => only.clone(),
            ways => vec![Statement::Choice(ways.to_vec())],
        }
    }

    /// Looks at all statements, those within others, too.
    pub fn each_statement(&self, look: &mut dyn FnMut(&Statement)) {
        fn each(statement: &Statement, look: &mut dyn FnMut(&Statement)) {
            look(statement);
            statement.bodies().into_iter().flatten().for_each(|inner| each(inner, look));
        }
        let blocks = self.blocks.iter().map(|block| &block.body);
        let bodies = blocks.chain(self.checks.iter().flatten());
        bodies.flatten().for_each(|statement| each(statement, look));
    }

    /// What is done at a target.
    pub fn body_at(&self, target: Target) -> &[Statement] {
        match target {
            Target::Block(block) => &self.blocks[block.place()].body,
            Target::Over => &self.blocks[self.over.place()].body,
            Target::End => &[],
        }
    }

    /// Goes on to other blocks in place of some.
    pub fn redirect(&mut self, became: &HashMap<BlockId, BlockId>) {
        let other = |block: BlockId| *became.get(&block).unwrap_or(&block);
        self.blocks.iter_mut().for_each(|block| redirect(&mut block.body, &other));
        self.checks.iter_mut().flatten().for_each(|way| redirect(way, &other));
        if let Target::Block(begin) = &mut self.begin {
            *begin = other(*begin);
        }
    }

    /// Empties blocks and checks that play does not come to, from its beginning or these blocks.
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

    /// Gives a block the name of another one that has become empty.
    pub fn take_name(&mut self, block: BlockId, from: BlockId) {
        let [block, from] = [block.place(), from.place()];
        if self.blocks[from].body.is_empty() {
            let name = std::mem::take(&mut self.blocks[from].name);
            self.blocks[from].name = std::mem::replace(&mut self.blocks[block].name, name);
        }
    }

    /// The turn that begins at a block, or before which it asks whether the play is over.
    pub fn turn_of(&self, block: BlockId) -> Option<usize> {
        self.turns.iter().position(|turn| turn.block == block || turn.judge == block)
    }

    /// How much memory it takes, and will take as a description and as text, about.
    pub fn bytes(&self) -> usize {
        self.size * BYTES_OF_STATEMENT
    }
}

/// Goes on to other blocks, as a function tells of each.
fn redirect(body: &mut Body, other: &dyn Fn(BlockId) -> BlockId) {
    for statement in body {
        if let Statement::Go(Target::Block(block)) = statement {
            *block = other(*block);
        }
        statement.bodies_mut().into_iter().for_each(|body| redirect(body, other));
    }
}

/// The blocks and checks that play comes to.
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

/// How many statements there are in some, with those within.
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
