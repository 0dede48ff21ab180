//! A play under way: its position, moves as words and as terms.

use gdlr_rg::rbg::Game;
use gdlr_rg::rbg::play::{Machine, Move, Position, Tags, Trouble, Work};

/// A play under way.
pub(super) struct Table {
    machine: Machine,
    tags: Tags,
    position: Position,
    /// The moves of whoever has the turn; none if the play is over.
    moves: Vec<Move>,
}

impl Table {
    /// Begins a play; why the game cannot be played.
    pub fn new(game: &Game) -> Result<Table, String> {
        let machine = Machine::new(game).map_err(|error| error.to_string())?;
        let first = |errors: Vec<_>| match errors.first() {
            Some(error) => ToString::to_string(error),
            None => String::new(),
        };
        let tags = Tags::new(&machine).map_err(first)?;
        let position = machine.initial();
        let mut table = Table { machine, tags, position, moves: Vec::new() };
        table.begin().map_err(|trouble| trouble.to_string())?;
        Ok(table)
    }

    /// Begins again.
    pub fn begin(&mut self) -> Result<(), Trouble> {
        self.go_to(&self.machine.initial())
    }

    fn go_to(&mut self, position: &Position) -> Result<(), Trouble> {
        let mut work = Work::default();
        self.position = self.machine.keep(position, &mut work)?;
        self.moves = match self.position.player() {
            Some(_) => self.machine.moves(&self.position, &mut work)?,
            None => Vec::new(),
        };
        Ok(())
    }

    /// The place of the player who has the turn; none if the play is over.
    pub fn turn(&self) -> Option<usize> {
        let player = self.position.player()?;
        (!self.moves.is_empty()).then(|| player.index())
    }

    /// The scores of all players.
    pub fn scores(&self) -> &[u32] {
        &self.position.values()[..self.machine.game().players]
    }

    /// The legal move that a text of numbers is.
    pub fn find_word(&self, text: &str) -> Option<usize> {
        let word = self.machine.read_word(text).ok()?;
        self.moves.iter().position(|it| it.word == word)
    }

    /// The legal move that a term spells: its tags, in brackets if there are several.
    pub fn find_term(&self, text: &str) -> Option<usize> {
        let tags: Vec<&str> = text.split(['(', ')', ' ']).filter(|part| !part.is_empty()).collect();
        let same = |it: &Move| self.tags.of(&it.word) == tags;
        // A move without tags is the only move, whatever its name is.
        let alone = || self.moves.len() == 1 && self.tags.of(&self.moves[0].word).is_empty();
        self.moves.iter().position(same).or_else(|| alone().then_some(0))
    }

    /// A legal move as a text of numbers.
    pub fn word(&self, number: usize) -> String {
        self.machine.number_word(&self.moves[number].word)
    }

    /// A legal move for people.
    pub fn spelled(&self, number: usize) -> String {
        self.machine.spell_word(&self.moves[number].word)
    }

    /// A legal move as a term; none if it has no tags.
    pub fn term(&self, number: usize) -> Option<String> {
        let tags = self.tags.of(&self.moves[number].word);
        match tags[..] {
            [] => None,
            [only] => Some(only.to_owned()),
            _ => Some(format!("({})", tags.join(" "))),
        }
    }

    /// Plays a legal move, and what the keeper does behind it.
    pub fn play(&mut self, number: usize) -> Result<(), Trouble> {
        let to = self.moves[number].to.clone();
        self.go_to(&to)
    }
}
