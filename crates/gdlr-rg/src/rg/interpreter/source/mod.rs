//! The forward model of a game as one source file, in Rust or C (RG, 3.4: the paper compiles automata to C++).
//!
//! The file has no dependencies. Its functions list moves, play a move, play at random, and count plays. Others say whose turn it is,
//! whether the game is over, and how many points each player has. The file is printed from the [program](super::program) that the interpreter
//! runs, operation by operation. A *landmark* is a node where walks begin or meet, or that a reachability check looks for. A landmark becomes a
//! function, named `walk_` and the node. Code that several operations jump to becomes a function, too.
//!
//! Calls and returns replace the stack of alternatives that the interpreter has. A function returns when the walk cannot go on. The
//! code after the call then undoes the last assignment, and the next alternative follows:
//!
//! ```text
//! take, one: $ one;                // take, one: $ one
//! one, taken: pile = less[pile];   self.tags.push(…);
//! take, two: $ two;                // one, taken: pile = less[pile]
//!                                  let old_1 = self.set(V_PILE, …);
//!                                  self.walk_taken();
//!                                  self.unset(V_PILE, old_1);
//!                                  self.tags.pop();
//!                                  // take, two: $ two
//! ```
//!
//! A search does not remember its first 256 visits to nodes on cycles, because most searches are short. Until then a walk may go
//! round a cycle. Later, the function of a node on a cycle remembers the values and tags of each visit, and a walk that comes back
//! with the same values and tags ends there.
//!
//! | file | content |
//! |---|---|
//! | `functions` | the functions of the file, and whether each one is on a cycle |
//! | `body` | the code of one function |
//! | `syntax` | the two languages: expressions, statements, tables |
//! | `runtime.rs.txt`, `runtime.c.txt` | the code that is the same for every game |

mod body;
mod functions;
mod syntax;

use super::automaton::Automaton;
use super::program::{ABSENT, Op};
use crate::rg::ast::{Description, Edge};
use crate::rg::name::{Name, Names};
use crate::rg::printer::print_label;
use crate::rg::recast::recast;
use functions::Functions;
use gdlr_text::diagnostic::Diagnostic;
use hashbrown::HashSet;
use std::fmt::Write;
use syntax::Syntax;

/// The language of a source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceLanguage {
    /// Rust, of any edition. The model needs `core` and `alloc`.
    Rust,
    /// C99. The model needs `stdlib.h` and `string.h`.
    C,
}

/// The forward model of a description as one source file. `title` is the name of the game in its first line.
///
/// The model finds the moves of each player, as [`Automaton::moves`] does, and gives every state to everybody: what players do
/// not see is not hidden. Its size is about that of the automaton. It has no budget: a walk without end has no end there.
///
/// # Errors
///
/// As [`Automaton::new`].
///
/// ```
/// # mod gdlr { pub use gdlr_rg::rg; }
/// use gdlr::rg::{self, SourceLanguage};
/// let text = "type Player = { a }; type Score = { 0, 1 };
///     begin, turn: player = a; turn, tagged: $ go; tagged, moved: player = keeper; moved, end: player = keeper;";
/// let description = rg::read(text).unwrap();
/// let source = rg::to_source(&description, "one move", SourceLanguage::C).unwrap();
/// assert!(source.contains("/* tagged, moved: player = keeper */"));
/// ```
pub fn to_source(
    description: &Description,
    title: &str,
    language: SourceLanguage,
) -> Result<String, Vec<Diagnostic>> {
    let automaton = Automaton::new(description)?;
    let program = &automaton.program;
    let recast = recast(description);
    let written = recast.as_ref().map_or(description, |recast| &recast.description);
    let comments = written.edges.iter().map(|edge| comment(&written.names, edge)).collect();
    let variables = Variables::of(&automaton);
    let functions = Functions::of(program, &automaton.nodes, &automaton.names);
    let tags = tag_names(&automaton);
    let names: Vec<&str> = tags.iter().map(|&name| automaton.text(name)).collect();
    let syntax = Syntax::new(language);
    let printed = body::print(program, &functions, &variables, comments, (&tags, &names), syntax);
    let tables = Tables { automaton: &automaton, variables: &variables, names };
    Ok(syntax.file(title, &tables, &functions, &printed))
}

/// An edge as it stands in a description, on one line.
fn comment(names: &Names, edge: &Edge) -> String {
    let [from, to] = [edge.from, edge.to].map(|node| names.text(node.name));
    match print_label(names, &edge.label) {
        Ok(label) if !label.is_empty() => format!("{from}, {to}: {label}"),
        _ => format!("{from}, {to}:"),
    }
}

/// The variables of a state: the name, the first register and the number of registers, in the order of the registers.
struct Variables(Vec<(String, u32, u32)>);

impl Variables {
    fn of(automaton: &Automaton) -> Variables {
        let mut all: Vec<_> = (automaton.variables.iter())
            .map(|(&name, variable)| {
                let size = variable.keys.iter().map(|(keys, _)| keys.len()).product::<usize>();
                (automaton.text(name).to_owned(), variable.base, size as u32)
            })
            .collect();
        all.sort_by_key(|&(_, base, _)| base);
        // Names that differ in case alone, or in signs.
        let mut taken = HashSet::new();
        for (name, base, _) in &mut all {
            if !taken.insert(constant(name)) {
                name.push_str(&format!("_{base}"));
            }
        }
        Variables(all)
    }

    /// The name of the register of a variable, as an index: `BOARD + 3`.
    fn index(&self, register: u32) -> String {
        let holds =
            |&&(_, base, size): &&(String, u32, u32)| (base..base + size).contains(&register);
        match self.0.iter().find(holds) {
            Some((name, base, _)) if *base == register => constant(name),
            Some((name, base, _)) => format!("{} + {}", constant(name), register - base),
            None => register.to_string(),
        }
    }
}

/// The constant with the first register of a variable.
fn constant(name: &str) -> String {
    format!("V_{}", identifier(name).to_uppercase())
}

/// A name with letters of ASCII, digits and underscores alone.
fn identifier(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

/// What the tables of a file are made from.
struct Tables<'t> {
    automaton: &'t Automaton,
    variables: &'t Variables,
    /// The texts of symbols, and behind these of the tags that are no symbols.
    names: Vec<&'t str>,
}

impl Tables<'_> {
    /// The greatest number that a register holds.
    fn greatest(&self) -> u32 {
        let program = &self.automaton.program;
        let offsets = program.offsets.iter().copied().filter(|&offset| offset != ABSENT);
        let numbers = program.registers.iter().copied().chain(offsets);
        numbers.max().unwrap_or(0).max(self.names.len() as u32)
    }

    /// The symbol of a name, `u32::MAX` if there is none.
    fn symbol(&self, name: Name) -> u32 {
        let place = self.automaton.symbols.iter().position(|&symbol| symbol == name);
        place.map_or(u32::MAX, |place| place as u32)
    }
}

/// The names of all symbols, and of the tags that are no symbols.
fn tag_names(automaton: &Automaton) -> Vec<Name> {
    let mut all = automaton.symbols.clone();
    for op in &automaton.program.code {
        if let Op::Tag(name) = op
            && !all.contains(name)
        {
            all.push(*name);
        }
    }
    all
}

/// A list of numbers, twelve or so a line.
fn listed<T: ToString>(items: impl IntoIterator<Item = T>, indent: &str) -> String {
    let mut text = String::new();
    let mut width = usize::MAX;
    for item in items {
        let item = item.to_string();
        if width.saturating_add(item.len() + 2) > 96 {
            let _ = write!(text, "\n{indent}");
            width = indent.len();
        } else {
            text.push(' ');
            width += 1;
        }
        width += item.len() + 1;
        text.push_str(&item);
        text.push(',');
    }
    text
}
