//! The looks of things, by their names.

use super::theme::{NAMED, ROLES};
use crate::board::{Board, Channel, short_names, words};

/// A piece of chess.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Man {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

/// A side of a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    North,
    East,
    South,
    West,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    /// An empty square.
    Nothing,
    Disc,
    /// A disc with a crown: a king of draughts.
    Crowned,
    Man(Man),
    Cross,
    Ring,
    /// Turned so many degrees from up, clockwise.
    Arrow(i32),
    /// A square where nothing can stand.
    Block,
    Wall(Side),
    /// A mark.
    Dot,
    /// Words, in short.
    Text(String),
}

/// A colour, by its class in the theme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Colour {
    Named(&'static str),
    Role(usize),
    Plain,
}

impl Colour {
    pub fn class(self) -> String {
        match self {
            Colour::Named(class) => class.to_owned(),
            Colour::Role(role) => format!("role{}", role % ROLES),
            Colour::Plain => "plain".to_owned(),
        }
    }
}

/// The look of one thing.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Look {
    pub shape: Shape,
    pub colour: Colour,
    /// It stands behind other things: a mark, or something of a relation that is not the one which
    /// the board has its name from.
    pub is_faint: bool,
    /// Its name, where the picture has only a short form.
    pub name: Option<String>,
}

/// The looks of the channels of a board.
pub(super) fn looks(board: &Board, roles: &[String]) -> Vec<Look> {
    let context = Context::of(board, roles);
    let mut looks: Vec<Look> =
        board.channels.iter().map(|channel| context.look(board, channel)).collect();
    shorten(&mut looks, board);
    looks
}

/// The short texts on tiles; different names stay different.
fn shorten(looks: &mut [Look], board: &Board) {
    let texts: Vec<String> = looks
        .iter()
        .map(|look| match &look.shape {
            Shape::Text(text) => text.clone(),
            _ => String::new(),
        })
        .collect();
    if texts.iter().all(|text| text.chars().count() <= LONGEST) {
        return;
    }
    let names: Vec<&str> = texts.iter().map(|text| &**text).collect();
    let hidden: Vec<bool> = texts.iter().map(String::is_empty).collect();
    for ((look, short), channel) in
        looks.iter_mut().zip(short_names(&names, &hidden, &[])).zip(&board.channels)
    {
        if let Shape::Text(text) = &mut look.shape {
            if *text != short {
                look.name = Some(channel.piece.clone());
            }
            *text = short;
        }
    }
}

/// The longest text that is written in full.
const LONGEST: usize = 3;

/// How the names of a board are to be read.
struct Context<'b> {
    roles: &'b [String],
    /// Words before which a name may be divided.
    prefixes: Vec<&'b str>,
    /// Names are codes of a colour and a piece of chess: `wn`, `bp3`.
    has_codes: bool,
    /// Single letters are colours: `r`, `w`.
    has_letters: bool,
    /// Names are points of the compass.
    has_compass: bool,
    /// Things are numbers, and `b` or `hole` is where none is.
    has_numbers: bool,
    /// Kings and pawns are those of chess.
    is_chess: bool,
}

const MEN: [(&str, Man); 6] = [
    ("pawn", Man::Pawn),
    ("knight", Man::Knight),
    ("bishop", Man::Bishop),
    ("rook", Man::Rook),
    ("queen", Man::Queen),
    ("king", Man::King),
];

fn man_of_letter(letter: char) -> Option<Man> {
    Some(match letter {
        'p' => Man::Pawn,
        'n' => Man::Knight,
        'b' => Man::Bishop,
        'r' => Man::Rook,
        'q' => Man::Queen,
        'k' => Man::King,
        _ => return None,
    })
}

fn colour_of_letter(letter: &str) -> Option<&'static str> {
    Some(match letter {
        "r" => "red",
        "w" => "white",
        "y" => "yellow",
        "g" => "green",
        "b" => "black",
        _ => return None,
    })
}

/// A colour and a piece of chess in two letters, and a third that tells pieces apart.
fn code(name: &str) -> Option<(&'static str, Man)> {
    let mut letters = name.chars();
    let colour = match letters.next()? {
        'w' => "white",
        'b' => "black",
        _ => return None,
    };
    let man = man_of_letter(letters.next()?)?;
    (letters.count() <= 1).then_some((colour, man))
}

/// How many degrees from north.
fn direction(word: &str) -> Option<i32> {
    Some(match word {
        "n" | "north" | "up" => 0,
        "ne" | "northeast" => 45,
        "e" | "east" | "right" => 90,
        "se" | "southeast" => 135,
        "s" | "south" | "down" => 180,
        "sw" | "southwest" => 225,
        "w" | "west" | "left" => 270,
        "nw" | "northwest" => 315,
        _ => return None,
    })
}

impl<'b> Context<'b> {
    fn of(board: &'b Board, roles: &'b [String]) -> Context<'b> {
        let named = NAMED.iter().map(|(name, _)| *name);
        let mut context = Context {
            roles,
            prefixes: roles.iter().map(|role| &**role).chain(named).collect(),
            has_codes: false,
            has_letters: false,
            has_compass: false,
            has_numbers: false,
            is_chess: false,
        };
        let shown = || board.channels.iter().filter(|channel| !channel.is_blank);
        let count = |is: &dyn Fn(&str) -> bool| shown().filter(|of| is(&of.piece)).count();
        let all = shown().count();
        let codes = count(&|name| code(&name.to_lowercase()).is_some());
        context.has_codes = codes > 1 && 2 * codes > all;
        let letters = count(&|name| colour_of_letter(&name.to_lowercase()).is_some());
        context.has_letters = letters > 1;
        context.has_compass = count(&|name| direction(&name.to_lowercase()).is_some()) >= 4;
        context.has_numbers = count(&|name| name.parse::<u64>().is_ok()) + 1 >= all && all > 1;
        let is_man = |name: &str| {
            let words = context.words(name);
            words.iter().any(|word| {
                MEN.iter().any(|(of, man)| of == word && !matches!(man, Man::Pawn | Man::King))
            })
        };
        let is_code = |name: &str| {
            let man = code(&name.to_lowercase()).map(|of| of.1);
            !matches!(man, None | Some(Man::Pawn | Man::King))
        };
        context.is_chess = count(&is_man) > 0 || context.has_codes && count(&is_code) > 0;
        context
    }

    fn words(&self, name: &str) -> Vec<String> {
        words(name, &self.prefixes).iter().map(|word| word.to_lowercase()).collect()
    }

    fn look(&self, board: &Board, channel: &Channel) -> Look {
        let plain = |shape| Look { shape, colour: Colour::Plain, is_faint: false, name: None };
        let name = channel.piece.to_lowercase();
        if channel.is_blank || self.has_numbers && matches!(&*name, "b" | "hole") {
            return plain(Shape::Nothing);
        }
        if self.has_codes
            && let Some((class, man)) = code(&name)
        {
            let colour = Colour::Named(class);
            return Look { colour, ..plain(self.man(man)) };
        }
        if self.has_letters
            && let Some(class) = colour_of_letter(&name)
        {
            return Look { colour: Colour::Named(class), ..plain(Shape::Disc) };
        }
        let all = self.words(&channel.piece);
        let named = |word: &str| NAMED.iter().find(|of| of.0 == word).map(|of| Colour::Named(of.1));
        let mut colour = all.iter().find_map(|word| named(word));
        let owner = channel.owner.map(Colour::Role);
        let mut rest: Vec<&str> = all.iter().map(|word| &**word).collect();
        rest.retain(|word| named(word).is_none());
        let is_owner = |word: &str| {
            channel.owner.is_some_and(|role| self.roles[role].eq_ignore_ascii_case(word))
        };
        let relation = channel.name.trim_start_matches('(').split(' ').next().unwrap_or("");
        let relation = self.words(relation).join(" ");
        // A second relation on the board that says something of a square which the first may say,
        // too.
        let is_faint = relation != self.words(&board.name).join(" ")
            && rest.first().is_some_and(|word| *word == relation)
            && (rest.len() > 1 || colour.or(owner).is_some());
        if rest.len() > 1 && rest[0] == relation {
            rest.remove(0);
        } else if rest.len() == 1 && rest[0] == relation && colour.or(owner).is_some() {
            rest.clear();
        }
        let shape = match rest[..] {
            [] => Some(Shape::Disc),
            [word] => self.known(word),
            ["blocked" | "wall", side] => direction(side).and_then(side_of).map(Shape::Wall),
            ["mov" | "move" | "moving", to] => direction(to).map(Shape::Arrow),
            ["cell", "off", "limits"] => Some(Shape::Block),
            _ => None,
        };
        let shape = shape.unwrap_or_else(|| match rest.iter().all(|word| is_owner(word)) {
            true if colour.is_some() => Shape::Disc,
            _ => Shape::Text(rest.join(" ")),
        });
        if colour.is_none() {
            colour = match (&shape, owner) {
                (Shape::Cross, None) => Some(Colour::Role(0)),
                (Shape::Ring, None) => Some(Colour::Role(1)),
                _ => owner,
            };
        }
        let is_faint = is_faint || shape == Shape::Dot;
        Look { shape, colour: colour.unwrap_or(Colour::Plain), is_faint, name: None }
    }

    /// A man of chess where there are such; a king of draughts and its men elsewhere.
    fn man(&self, man: Man) -> Shape {
        match man {
            Man::King if !self.is_chess => Shape::Crowned,
            Man::Pawn if !self.is_chess => Shape::Disc,
            man => Shape::Man(man),
        }
    }

    /// The shape that a word by itself means.
    fn known(&self, word: &str) -> Option<Shape> {
        if let Some((_, man)) = MEN.iter().find(|of| of.0 == word) {
            return Some(self.man(*man));
        }
        if self.has_compass
            && let Some(turn) = direction(word)
        {
            return Some(Shape::Arrow(turn));
        }
        Some(match word {
            "x" | "ecks" | "cross" | "crosses" => Shape::Cross,
            "o" | "oh" | "nought" | "noughts" | "naught" | "circle" => Shape::Ring,
            "disc" | "disk" | "man" | "stone" | "checker" | "marble" | "ball" | "peg"
            | "counter" | "token" | "draught" => Shape::Disc,
            "q" => Shape::Man(Man::Queen),
            "wall" | "hole" | "block" | "blk" | "dirt" | "arrow" | "rock" | "obstacle" => {
                Shape::Block
            }
            "marked" | "visited" | "pellet" | "dot" | "available" | "shooter" | "chasing"
            | "here" => Shape::Dot,
            "north" | "east" | "south" | "west" => Shape::Wall(direction(word).and_then(side_of)?),
            _ => return None,
        })
    }
}

fn side_of(turn: i32) -> Option<Side> {
    Some(match turn {
        0 => Side::North,
        90 => Side::East,
        180 => Side::South,
        270 => Side::West,
        _ => return None,
    })
}
