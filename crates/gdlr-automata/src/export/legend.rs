//! A written description with its legend: the meaning of its names.

use super::program::{Program, hrg};
use gdlr_net::net::{LatchId, Net, Phases};
use gdlr_rg::rg::{Description, Name, Unprintable};
use gdlr_rules::gdl::Term;
use std::sync::Arc;

/// The test that tells whether a fact is true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FactTest {
    /// The fact is always true.
    Always,
    /// The fact is true if the variable, or the entry of a map with these keys, has this value.
    Is(Name, Vec<Name>, Name),
    /// The fact is true unless the variable or entry has this value.
    IsNot(Name, Vec<Name>, Name),
}

/// The way in which a role moves in a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RoleTurn {
    /// A ply at this node: a move of the role, shown by tags.
    Ply(Name),
    /// The only move of the role, for which there is no ply.
    Implied(Term),
}

/// The node of the first choice of a turn, and how each role moves in the turn. `plies` are the
/// nodes of the choices, in the order of the roles. `implied` has the only move of each role
/// without a ply, as an input of the net. `None` if the number of plies differs from the number of
/// roles that choose.
pub(super) fn role_turns(
    net: &Net,
    plies: &[Name],
    implied: &[Option<usize>],
) -> Option<(Name, Vec<RoleTurn>)> {
    let mut rest = plies.iter();
    let part = |implied: &Option<usize>| {
        Some(match implied {
            None => RoleTurn::Ply(*rest.next()?),
            Some(input) => RoleTurn::Implied(net.moves[net.inputs[*input].term as usize].clone()),
        })
    };
    let parts = implied.iter().map(part).collect::<Option<Vec<RoleTurn>>>()?;
    Some((*plies.first()?, parts))
}

/// A description of a game, with the meaning of its names.
#[derive(Clone, Debug)]
pub struct Export {
    /// The automaton.
    pub description: Description,
    /// By role of the game: its symbol. The symbol of chance is `random`, which is a member of
    /// `Player` only if chance has goals.
    pub roles: Vec<Name>,
    /// The test of each fact. It is valid while a role chooses, and at the end.
    pub facts: Vec<(Term, FactTest)>,
    /// The tags of a ply, and the move for which they stand.
    pub moves: Vec<(Vec<Name>, Term)>,
    /// The tags of percepts. A percept of several roles is listed for each of them.
    pub percepts: Vec<(Vec<Name>, Term)>,
    /// Goal values, and the symbols of `Score` that stand for them.
    pub scores: Vec<(Name, Term)>,
    /// The score of a role without a goal value.
    pub no_score: Name,
    /// The score of a role with several goal values.
    pub scores_differ: Name,
    /// The node from which the keeper sets the goals and ends the play.
    pub over: Name,
    /// By node of the first choice of a turn: how each role moves in the turn.
    pub turns: Vec<(Name, Vec<RoleTurn>)>,
    /// Comments, each with the place of the edge that it precedes.
    pub comments: Vec<(usize, String)>,
    /// Notes on how parts of the rules were written: the part, and the note.
    pub notes: Vec<(String, String)>,
    /// The data to enter the automaton in any state of the game.
    pub(super) entry: EntryPoints,
    /// The program of which the automaton was made, if it was written from the rules.
    pub(super) program: Option<Arc<Program>>,
}

impl Export {
    /// The automaton as text, with its comments.
    ///
    /// # Errors
    ///
    /// As [`rg::print`](gdlr_rg::rg::print()).
    pub fn text(&self) -> Result<String, Unprintable> {
        let plain = gdlr_rg::rg::print(&self.description)?;
        if self.comments.is_empty() {
            return Ok(plain);
        }
        // There is one line for each edge, and an empty line at the end.
        let first = plain.lines().count() - self.description.edges.len() - 1;
        let mut comments = self.comments.iter().peekable();
        let mut text = String::new();
        for (number, line) in plain.lines().enumerate() {
            let is_due = |(at, _): &&(usize, String)| first + at <= number;
            while let Some((_, comment)) = comments.next_if(is_due) {
                text.push('\n');
                comment.lines().for_each(|line| push_comment(&mut text, line));
            }
            text.push_str(line);
            text.push('\n');
        }
        Ok(text)
    }
}

impl Export {
    /// The game as a text in High-level Regular Games, with comments.
    ///
    /// # Errors
    ///
    /// The reason why the game cannot be written in this language. It was written from the net, or
    /// it has something that graphs cannot do.
    pub fn hrg(&self) -> Result<String, &'static str> {
        let program = self.program.as_ref().ok_or("it was written from the net")?;
        hrg::text(program, &self.description)
    }
}

/// The width of comments, in characters.
const WIDTH: usize = 90;

/// A comment, in several lines if it is long.
pub(super) fn push_comment(text: &mut String, comment: &str) {
    let mut line = String::from("//");
    for word in comment.split(' ') {
        if line.chars().count() + word.chars().count() >= WIDTH {
            text.push_str(&line);
            text.push('\n');
            line = String::from("//    ");
        }
        line.push(' ');
        line.push_str(word);
    }
    text.push_str(&line);
    text.push('\n');
}

/// The places and variables of the automaton in a state of the game, before the first move of the
/// keeper in the turn.
#[derive(Clone, Debug)]
pub(super) struct EntryPoints {
    /// The variables that hold the state.
    pub(super) variables: Vec<EntryVariable>,
    pub(super) turns: Phases,
    /// By turn: its first node, if play can reach it.
    pub(super) starts: Vec<Option<Name>>,
    /// Whether the automaton answers for every state whether the play is over, and which goals
    /// there are. If not, it only answers the questions of play: whether the play is over after a
    /// move, and the goals at the end. The net answers the others.
    pub(super) tells_all: bool,
}

impl EntryPoints {
    /// The first nodes of turns.
    pub fn nodes(&self) -> Vec<Name> {
        self.starts.iter().copied().flatten().collect()
    }

    /// By turn: its first node, if play can reach it.
    pub fn starts(&self) -> &[Option<Name>] {
        &self.starts
    }

    /// The variables that hold the state, and entries of maps.
    pub fn variables(&self) -> &[EntryVariable] {
        &self.variables
    }

    /// The turn of the state with these latches, as a place in [`starts`](EntryPoints::starts).
    /// `None` if the automaton has no such state.
    pub fn turn(&self, latches: &[bool]) -> Option<usize> {
        let says = |(latch, value): (LatchId, bool)| latches[latch.index()] == value;
        (0..self.turns.count()).find(|&turn| self.turns.known(turn).all(says))
    }
}

/// The value of a variable of the state, or of an entry of a map, in a state of the game.
#[derive(Clone, Debug)]
pub(super) struct EntryVariable {
    pub name: Name,
    pub keys: Vec<Name>,
    /// The values, each with a latch and its value that tell it. A value without a latch is
    /// constant.
    pub values: Vec<(Name, Option<(LatchId, bool)>)>,
    /// The value if no latch tells one.
    pub otherwise: Option<Name>,
}

impl EntryVariable {
    /// The value in the state with these latches, if it has one.
    pub fn value(&self, latches: &[bool]) -> Option<Name> {
        let holds = |says: Option<(LatchId, bool)>| {
            says.is_none_or(|(latch, value)| latches[latch.index()] == value)
        };
        let value = self.values.iter().find(|(_, says)| holds(*says));
        value.map(|(name, _)| *name).or(self.otherwise)
    }
}
