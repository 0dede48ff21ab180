//! A written description with its legend: what its names stand for.

use super::program::{Program, hrg};
use gdlr_net::net::{LatchId, Net, Phases};
use gdlr_rg::rg::{Description, Name, Unprintable};
use gdlr_rules::gdl::Term;
use std::sync::Arc;

/// What says whether a fact is true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FactTest {
    /// It always is.
    Always,
    /// It is if the variable, or the entry with these keys of a map, has this value.
    Is(Name, Vec<Name>, Name),
    /// It is unless it has this value.
    IsNot(Name, Vec<Name>, Name),
}

/// How a role moves in a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RoleTurn {
    /// By a ply at this node: a move of the role with a tag.
    Ply(Name),
    /// By its only move, for which there is no ply.
    Implied(Term),
}

/// The node where the first choice of a turn is made, and how each role moves in it. `plies` are
/// the nodes where roles choose, in their order; `implied` has the only move of each role that has
/// no ply, as an input of the net. `None` if there are not as many plies as roles that choose.
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

/// A description of a game, with what its names stand for.
#[derive(Clone, Debug)]
pub struct Export {
    /// The automaton.
    pub description: Description,
    /// By role of the game: its symbol. That of chance is `random`, which is a member of `Player`
    /// only if it has goals.
    pub roles: Vec<Name>,
    /// What says whether a fact is true, while a role chooses or at the end.
    pub facts: Vec<(Term, FactTest)>,
    /// The tags of a ply, and the move that they stand for.
    pub moves: Vec<(Vec<Name>, Term)>,
    /// The tags of percepts; one that several roles may have stands here for each of them.
    pub percepts: Vec<(Vec<Name>, Term)>,
    /// Goal values and the symbols of `Score` that stand for them.
    pub scores: Vec<(Name, Term)>,
    /// The score of a role for which the rules give no value.
    pub no_score: Name,
    /// The score of a role for which they give several.
    pub scores_differ: Name,
    /// The node from which the keeper sets the goals and ends the play.
    pub over: Name,
    /// By node where the first choice of a turn is made: how each role moves in that turn.
    pub turns: Vec<(Name, Vec<RoleTurn>)>,
    /// Comments, each before the edge at this place of the description.
    pub comments: Vec<(usize, String)>,
    /// How parts of the rules were written: the part and how.
    pub notes: Vec<(String, String)>,
    /// How any state of the game is entered.
    pub(super) entry: EntryPoints,
    /// What the automaton was made of, if it was written from the rules.
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
        // A line an edge, and an empty one at the end.
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
    /// Why it cannot be written so: it was written from the net, or it has something that graphs
    /// cannot do.
    pub fn hrg(&self) -> Result<String, &'static str> {
        let program = self.program.as_ref().ok_or("it was written from the net")?;
        hrg::text(program, &self.description)
    }
}

/// How wide comments are.
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

/// Where the automaton is in a state of the game, before the keeper's first move of the turn.
#[derive(Clone, Debug)]
pub(super) struct EntryPoints {
    /// The variables that hold the state.
    pub(super) variables: Vec<EntryVariable>,
    pub(super) turns: Phases,
    /// By turn: the node where it begins, if play can come to it.
    pub(super) starts: Vec<Option<Name>>,
    /// Whether the automaton tells of any state entered whether the play is over, and of any
    /// state what the goals are. Else it tells only what play asks: whether it is over after a
    /// move, goals at the end; the net tells the rest.
    pub(super) tells_all: bool,
}

impl EntryPoints {
    /// The nodes where turns begin.
    pub fn nodes(&self) -> Vec<Name> {
        self.starts.iter().copied().flatten().collect()
    }

    /// By turn: the node where it begins, if play can come to it.
    pub fn starts(&self) -> &[Option<Name>] {
        &self.starts
    }

    /// The variables that hold the state, and entries of maps.
    pub fn variables(&self) -> &[EntryVariable] {
        &self.variables
    }

    /// The turn in which the state with these latches is, by its place in
    /// [`starts`](EntryPoints::starts). `None` if the automaton has no such state.
    pub fn turn(&self, latches: &[bool]) -> Option<usize> {
        let says = |(latch, value): (LatchId, bool)| latches[latch.index()] == value;
        (0..self.turns.count()).find(|&turn| self.turns.known(turn).all(says))
    }
}

/// What a variable of the state, or an entry of a map, is in a state of the game.
#[derive(Clone, Debug)]
pub(super) struct EntryVariable {
    pub name: Name,
    pub keys: Vec<Name>,
    /// The values with the latches that say so, and how; without one, it always is.
    pub values: Vec<(Name, Option<(LatchId, bool)>)>,
    /// What it is if none says so.
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
