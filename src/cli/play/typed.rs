//! The commands that a user types at the prompt of a game.

use crate::cli::time::seconds;
use gdlr::kif;
use gdlr::nearest::nearest_name;
use std::time::Duration;

/// The help of the prompt; `hides` where the state is not shown.
pub fn help(hides: bool) -> String {
    let (state, save) = match hides {
        true => ("show what you played and saw, and your moves", ""),
        false => (
            "show the state and your moves again",
            "  save FILE     write the position to a file\n",
        ),
    };
    [
        "  a number, or a move as it is listed   play it\n",
        &format!("  state         {state}\n"),
        "  hint [SECS]   what a search expects of each of your moves\n",
        "  undo          go back to your last choice\n",
        save,
        "  load FILE     go on from the position of a file\n",
        "  resign        give up\n",
        "  quit          leave the game\n",
    ]
    .concat()
}

/// A line, understood.
#[derive(Clone, Debug, PartialEq)]
pub enum Typed<'t> {
    Nothing,
    Help,
    State,
    Undo,
    Resign,
    Quit,
    /// How long to think about it, if that was said.
    Hint(Option<Duration>),
    Save(&'t str),
    Load(&'t str),
    /// A move, by its number or as a term.
    Move(&'t str),
    /// The defect of a command.
    Wrong(String),
}

impl<'t> Typed<'t> {
    /// Understands a line. What is no command is a move; one that is called like a command can
    /// be typed in brackets.
    pub fn read(line: &'t str) -> Typed<'t> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let file = |command: fn(&'t str) -> Typed<'t>| match rest {
            "" => Typed::Wrong(format!("Say which file: `{word} FILE`.")),
            "-" => Typed::Wrong("A file, please: standard input is where you type.".to_owned()),
            file => command(file),
        };
        match (word, rest) {
            ("", _) => Typed::Nothing,
            ("help" | "?", "") => Typed::Help,
            ("state", "") => Typed::State,
            ("undo", "") => Typed::Undo,
            ("resign", "") => Typed::Resign,
            ("quit" | "exit" | "q", "") => Typed::Quit,
            ("hint", "") => Typed::Hint(None),
            ("hint", time) => match seconds(time) {
                Ok(time) => Typed::Hint(Some(time)),
                Err(error) => Typed::Wrong(format!("`{time}` is {error}: `hint SECS`.")),
            },
            ("save", _) => file(Typed::Save),
            ("load", _) => file(Typed::Load),
            _ => Typed::Move(line),
        }
    }
}

/// The commands that are one word.
const WORDS: [&str; 5] = ["help", "state", "undo", "resign", "quit"];

/// The commands that something follows, or may follow.
const WITH_MORE: [&str; 3] = ["hint", "save", "load"];

/// The command that a line may mean which is neither one nor a move. `sign 1 1` is not `resign`:
/// nothing follows that command.
pub fn nearest_command(line: &str) -> Option<&'static str> {
    let mut words = line.split_whitespace();
    let first = words.next()?;
    match words.next() {
        Some(_) => nearest_name(first, WITH_MORE),
        None => nearest_name(first, WORDS.into_iter().chain(WITH_MORE)),
    }
}

/// A move as it was typed, without regard to blanks, and as a term if brackets were left out.
pub fn as_term(typed: &str) -> Option<String> {
    let document = kif::read(typed).ok()?;
    let items: Vec<String> = document.items.iter().map(ToString::to_string).collect();
    match &items[..] {
        [one] => Some(one.clone()),
        many => Some(format!("({})", many.join(" "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_and_moves() {
        assert_eq!(Typed::read("  \n"), Typed::Nothing);
        assert_eq!(Typed::read(" hint\n"), Typed::Hint(None));
        assert_eq!(Typed::read("hint 0.5"), Typed::Hint(Some(Duration::from_millis(500))));
        assert!(matches!(Typed::read("hint more"), Typed::Wrong(_)));
        assert_eq!(Typed::read("save  my file.kif \n"), Typed::Save("my file.kif"));
        assert!(matches!(Typed::read("load"), Typed::Wrong(_)));
        assert!(matches!(Typed::read("load -"), Typed::Wrong(_)));
        assert_eq!(Typed::read("(load 3)"), Typed::Move("(load 3)"));
        assert_eq!(Typed::read("state 3"), Typed::Move("state 3"));
        assert_eq!(Typed::read("resign\r\n"), Typed::Resign);
    }

    #[test]
    fn commands_that_are_meant() {
        assert_eq!(nearest_command("udno"), Some("undo"));
        assert_eq!(nearest_command("und"), Some("undo"));
        assert_eq!(nearest_command("hnt 3"), Some("hint"));
        assert_eq!(nearest_command("sign 1 1"), None);
        assert_eq!(nearest_command("resig"), Some("resign"));
        assert_eq!(nearest_command("sav my file"), Some("save"));
    }

    #[test]
    fn moves_without_brackets() {
        assert_eq!(as_term("sign  1 2").as_deref(), Some("(sign 1 2)"));
        assert_eq!(as_term("( sign 1 2 )").as_deref(), Some("(sign 1 2)"));
        assert_eq!(as_term("wait").as_deref(), Some("wait"));
        assert_eq!(as_term("(sign"), None);
    }
}
