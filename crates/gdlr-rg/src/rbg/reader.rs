//! Reads a text as a game: expands macros, accepts sections in any order, reports several errors in
//! one run.

use super::ast::Game;
use super::cursor::{Cursor, Read};
use super::declarations::Meanings;
use super::directives::{Directive, Head, Section, directives};
use super::expand::Macros;
use super::limits::Limits;
use super::rules::Rules;
use super::token::{Rbg, Tokens};
use super::translate::translate_within;
use super::words::{Frames, Lexeme, Words};
use gdlr_text::diagnostic::{Code, Diagnostic, Severity, Span};
use gdlr_text::syntax::{Language, check_size, utf8};

/// The longest text, in bytes: 16 MiB.
pub const MAX_BYTES: usize = Rbg::LIMITS.max_bytes;

/// The greatest number of errors that are reported for one text.
pub const MAX_ERRORS: usize = Rbg::LIMITS.max_errors;

/// Reads a game, and expands its macros.
///
/// # Errors
///
/// Violations of the grammar, undefined names, and games beyond the limits. Spans are in the text.
/// An error in the expansion of a macro has its chain of uses.
///
/// ```
/// # mod gdlr { pub use gdlr_rg::rbg; }
/// let text = "#players = x(100) #pieces = e, p #variables =
///     #board = rectangle(up, down, left, right, [e, e] [e, p])
///     #rules = ->x (left + right) {p} [e] ->> {}";
/// let game = gdlr::rbg::read(text).unwrap();
/// assert_eq!(game.board.squares.len(), 4);
/// let errors = gdlr::rbg::read(&text.replace("{p}", "{q}").replace("->x", "->y")).unwrap_err();
/// assert_eq!(errors.len(), 2);
/// ```
pub fn read(text: &str) -> Result<Game, Vec<Diagnostic>> {
    read_within(text, Limits::default()).map(|(game, _)| game)
}

/// Reads bytes that should be UTF-8.
///
/// # Errors
///
/// As [`read`]; also the place of the first byte that is not UTF-8.
pub fn read_bytes(bytes: &[u8]) -> Result<Game, Vec<Diagnostic>> {
    read(utf8::<Rbg>(bytes)?)
}

/// The errors and warnings of a text, in its order. If the game has no automaton, the reason is
/// among them.
pub fn check(bytes: &[u8]) -> Vec<Diagnostic> {
    let limits = Limits::default();
    match utf8::<Rbg>(bytes).and_then(|text| read_within(text, limits)) {
        Ok((game, warnings)) => {
            let errors = translate_within(&game, limits).err().unwrap_or_default();
            warnings.into_iter().chain(errors).collect()
        }
        Err(errors) => errors,
    }
}

/// Whether a text is a game in RBG: after comments it begins with `#`, a name, and `=` or `(`.
///
/// ```
/// # mod gdlr { pub use gdlr_rg::rbg; }
/// assert!(gdlr::rbg::is_rbg("// a game\n#players = white(100)"));
/// assert!(!gdlr::rbg::is_rbg("# a rulesheet\n(role white)"));
/// ```
pub fn is_rbg(text: &str) -> bool {
    use super::token::TokenKind;
    let mut tokens = Tokens::new(text);
    let [hash, name, behind] = std::array::from_fn(|_| tokens.next_but_comments());
    hash.kind == TokenKind::Hash
        && name.kind == TokenKind::Word
        && matches!(behind.kind, TokenKind::Assign | TokenKind::Open)
}

/// Reads a game within limits. Also returns the warnings.
///
/// # Errors
///
/// As [`read`].
pub fn read_within(text: &str, limits: Limits) -> Result<(Game, Vec<Diagnostic>), Vec<Diagnostic>> {
    check_size::<Rbg>(text, &Rbg::LIMITS)?;
    let (mut words, mut frames) = (Words::default(), Frames::default());
    let mut errors = Vec::new();
    let directives = directives(text, &mut words, &mut errors);
    let mut macros = Macros::new(&mut words, &mut frames, limits);
    let mut sections = Sections::default();
    for directive in &directives {
        sections.add(directive, &mut macros);
    }
    macros.warn_unused();
    errors.append(&mut macros.errors);
    let mut warnings = std::mem::take(&mut macros.warnings);
    let reading = Reading { sections: &sections, words: &words, frames: &frames, limits };
    let game = reading.game(&mut errors, &mut warnings);
    sort(&mut errors);
    sort(&mut warnings);
    if errors.is_empty() { Ok((game, warnings)) } else { Err(errors) }
}

fn sort(found: &mut Vec<Diagnostic>) {
    found.sort_by_key(|one| (one.span.start, one.span.end));
    found.dedup_by(|one, other| one.span == other.span && one.message == other.message);
    let mut kept = 0;
    found.retain(|one| {
        kept += usize::from(one.severity() == Severity::Error);
        kept <= MAX_ERRORS
    });
}

/// The tokens of the sections, expanded.
#[derive(Default)]
struct Sections {
    found: [Option<(Span, Vec<Lexeme>)>; 5],
    /// By section: whether its macros have errors.
    broken: [bool; 5],
}

impl Sections {
    fn add(&mut self, directive: &Directive, macros: &mut Macros<'_>) {
        let Head::Section(section) = directive.head else { return macros.define(directive) };
        if let Some((first, _)) = &self.found[section as usize] {
            let message =
                format!("the section `{}` is there again; this one counts", section.text());
            let warning = Diagnostic::new(Code::RbgRepeated, directive.span, message);
            macros.warnings.push(warning.with_related(*first, "the first one"));
        }
        let body = macros.expand_section(&directive.body);
        self.broken[section as usize] = body.is_err();
        self.found[section as usize] = Some((directive.span, body.unwrap_or_default()));
    }
}

struct Reading<'a> {
    sections: &'a Sections,
    words: &'a Words,
    frames: &'a Frames,
    limits: Limits,
}

impl Reading<'_> {
    fn game(&self, errors: &mut Vec<Diagnostic>, warnings: &mut Vec<Diagnostic>) -> Game {
        let mut game = Game::default();
        let mut meanings = Meanings::new();
        for section in Section::ALL {
            let Some((span, tokens)) = &self.sections.found[section as usize] else {
                let message = format!("the section `#{} = …` is missing", section.text());
                errors.push(Diagnostic::new(Code::RbgSection, Span::default(), message));
                continue;
            };
            if self.sections.broken[section as usize] {
                continue;
            }
            let mut cursor = Cursor::new(tokens, *span, (self.words, self.frames), self.limits);
            // The reason why a section cannot be read was reported.
            let _ = section_of(section, &mut cursor, &mut game, &mut meanings);
            errors.append(&mut cursor.errors);
            warnings.append(&mut cursor.warnings);
            let nothing = match section {
                Section::Players => game.players == 0,
                Section::Pieces => game.pieces.is_empty(),
                _ => false,
            };
            if nothing && errors.is_empty() {
                let message = format!("the section `{}` is empty", section.text());
                errors.push(Diagnostic::new(Code::RbgSection, *span, message));
            }
        }
        // Unknown names of a section that was not read are no errors of their own.
        let missing = |section: Section| {
            self.sections.broken[section as usize]
                || self.sections.found[section as usize].is_none()
        };
        let declaring = [Section::Players, Section::Pieces, Section::Variables, Section::Board];
        if declaring.into_iter().any(missing) {
            errors.retain(|error| error.code != Code::RbgUnknownName);
        }
        game
    }
}

fn section_of(
    section: Section,
    cursor: &mut Cursor<'_>,
    game: &mut Game,
    meanings: &mut Meanings,
) -> Read<()> {
    match section {
        Section::Players => {
            let read = cursor.bounded(&mut game.variables, meanings, true);
            game.players = game.variables.len();
            read?;
        }
        Section::Variables => cursor.bounded(&mut game.variables, meanings, false)?,
        Section::Pieces => cursor.pieces(&mut game.pieces, meanings)?,
        Section::Board => game.board = cursor.board(meanings)?,
        Section::Rules => {
            game.rules = Rules { cursor, meanings, patterns: 0 }.section()?;
        }
    }
    Ok(())
}
