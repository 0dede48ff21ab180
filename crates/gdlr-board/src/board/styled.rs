//! Text in parts that say what they show, so that a terminal can tell them apart by more than
//! their letters.

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The text itself, which may be any number of lines.
    pub text: String,
    /// Its content.
    pub shows: Shows,
    /// Whether it is of a square on which something else stood in the state before.
    pub changed: bool,
}

/// The content of a part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shows {
    /// The name of a board, what short names mean, facts that are on no board, white space.
    Plain,
    /// The label of a row or a column.
    Label,
    /// A square with nothing on it.
    Blank,
    /// A piece on a square; of the role at this place among the game's roles, if it is
    /// one's ([`Channel::owner`](super::Channel::owner)).
    Piece(Option<usize>),
}

impl Part {
    /// A part of this text.
    pub(super) fn new(text: &str, shows: Shows, changed: bool) -> Part {
        Part { text: text.to_owned(), shows, changed }
    }
}

/// One line of a text, without its end.
#[derive(Clone, Debug, Default)]
pub(super) struct Line(Vec<Part>);

impl Line {
    /// A line of plain text.
    pub(super) fn plain(text: &str) -> Line {
        let mut line = Line::default();
        line.write(text);
        line
    }

    /// How wide it is, in characters.
    pub(super) fn width(&self) -> usize {
        width_of(&self.0)
    }

    /// Writes plain text at its end.
    pub(super) fn write(&mut self, text: &str) {
        self.push(Part::new(text, Shows::Plain, false));
    }

    /// Writes a part at its end.
    pub(super) fn push(&mut self, part: Part) {
        match self.0.last_mut() {
            Some(last) if (last.shows, last.changed) == (part.shows, part.changed) => {
                last.text += &part.text;
            }
            _ => self.0.push(part),
        }
    }

    /// Writes parts at its end, to the right of a field.
    pub(super) fn push_right(&mut self, parts: &[Part], width: usize) {
        self.write(&" ".repeat(width.saturating_sub(width_of(parts))));
        parts.iter().for_each(|part| self.push(part.clone()));
    }

    /// Writes another line behind it, and blanks up to a width of that.
    pub(super) fn push_left(&mut self, line: &Line, width: usize) {
        line.0.iter().for_each(|part| self.push(part.clone()));
        self.write(&" ".repeat(width.saturating_sub(width_of(&line.0))));
    }

    /// Takes the white space away at its end.
    pub(super) fn trim_end(&mut self) {
        while let Some(last) = self.0.last_mut() {
            last.text.truncate(last.text.trim_end().len());
            if !last.text.is_empty() {
                break;
            }
            self.0.pop();
        }
    }

    /// The parts of lines, with their ends.
    pub(super) fn join(lines: Vec<Line>) -> Vec<Part> {
        let mut text = Line::default();
        for line in lines {
            line.0.into_iter().for_each(|part| text.push(part));
            text.write("\n");
        }
        text.0
    }
}

/// How many characters there are in some parts.
pub(super) fn width_of(parts: &[Part]) -> usize {
    parts.iter().map(|part| part.text.chars().count()).sum()
}
