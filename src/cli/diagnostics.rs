//! Printing diagnostics with the text they are about, in the manner of rustc.

use super::output;
use codespan_reporting::diagnostic::{Diagnostic as Report, Label};
use codespan_reporting::files::{Error, Files};
use codespan_reporting::term;
use gdlr::diagnostic::{Code, Diagnostic, LineIndex, Severity, Span, legible, sign_of, visible};
use serde_json::{Value, json};
use std::io::{self, IsTerminal};
use std::ops::Range;
use std::sync::OnceLock;

/// Lines longer than this are shown in part.
const LONG_LINE: usize = 400;

/// How much of a long line is shown before and after the place.
const MARGIN: usize = 60;

/// The code of the first diagnostic that this process printed.
static FIRST_PRINTED: OnceLock<Code> = OnceLock::new();

/// Says how to ask for the meaning of a code, if one was printed to a terminal.
pub fn say_where_codes_are_explained() {
    if let Some(code) = FIRST_PRINTED.get().filter(|_| io::stderr().is_terminal()) {
        output::note(&format!("`gdlr explain-code {code}` says what that means"));
    }
}

/// A text as it is shown: with visible signs for its control characters.
pub struct Printer {
    file: String,
    text: String,
    lines: LineIndex,
    /// By sign that takes more bytes than its character: the offset behind the character, and
    /// by how many bytes the text shown is longer from there on.
    longer: Vec<(usize, usize)>,
}

impl Printer {
    /// For the diagnostics of a text; `file` is what it is called.
    pub fn new(file: &str, original: &str) -> Printer {
        let mut longer = Vec::new();
        let mut text = String::with_capacity(original.len());
        let mut more = 0;
        for (at, character) in original.char_indices() {
            // The return before a line feed is part of the line's end.
            let ends_line = character == '\r' && original[at + 1..].starts_with('\n');
            let sign = sign_of(character).filter(|_| !ends_line);
            text.push(sign.unwrap_or(character));
            if let Some(sign) = sign {
                more += sign.len_utf8() - character.len_utf8();
                longer.push((at + character.len_utf8(), more));
            }
        }
        let lines = LineIndex::new(&text);
        Printer { file: visible(file).into_owned(), text, lines, longer }
    }

    /// Prints one diagnostic to standard error.
    pub fn print(&self, diagnostic: &Diagnostic) {
        let _ = FIRST_PRINTED.set(diagnostic.code);
        let spans = std::iter::once(diagnostic.span).chain(diagnostic.related.iter().map(|r| r.0));
        let printed = if spans.clone().all(|span| self.is_short(span)) {
            emit(self, &self.report(diagnostic))
        } else {
            let excerpt = self.excerpt(self.range(diagnostic.span));
            let report = header(diagnostic).with_label(
                Label::primary((), excerpt.place.clone()).with_message(&diagnostic.label),
            );
            emit(&excerpt, &report)
        };
        if printed.is_err() {
            output::note(&diagnostic.to_string());
        }
    }

    /// Prints an error that has no code, and points at its place in the text; at none if that is
    /// the empty one at the beginning.
    pub fn point(&self, message: &str, span: Span) {
        let report = Report::error().with_message(legible(message));
        let printed = if span == Span::default() {
            emit(self, &report.with_note(format!("in {}", self.file)))
        } else if self.is_short(span) {
            emit(self, &report.with_label(Label::primary((), self.range(span))))
        } else {
            let excerpt = self.excerpt(self.range(span));
            let label = Label::primary((), excerpt.place.clone());
            emit(&excerpt, &report.with_label(label))
        };
        if printed.is_err() {
            output::note(message);
        }
    }

    fn report(&self, diagnostic: &Diagnostic) -> Report<()> {
        // A diagnostic about the text as a whole has no place that could be shown.
        if diagnostic.span == Span::default() && diagnostic.related.is_empty() {
            return header(diagnostic).with_note(format!("in {}", self.file));
        }
        let place = self.range(diagnostic.span);
        let primary = Label::primary((), place).with_message(&diagnostic.label);
        let related = diagnostic
            .related
            .iter()
            .map(|(span, label)| Label::secondary((), self.range(*span)).with_message(label));
        header(diagnostic).with_labels_iter(std::iter::once(primary).chain(related))
    }

    /// A span as a range of the text shown, between characters.
    fn range(&self, span: Span) -> Range<usize> {
        let shown = |offset: usize| {
            let signs = self.longer.partition_point(|&(behind, _)| behind <= offset);
            let more = signs.checked_sub(1).map_or(0, |last| self.longer[last].1);
            (offset + more).min(self.text.len())
        };
        let start = self.text.floor_char_boundary(shown(span.range().start));
        let end = self.text.ceil_char_boundary(shown(span.range().end));
        start..end.max(start)
    }

    /// Whether every line that codespan shows of a span can be shown in full.
    fn is_short(&self, span: Span) -> bool {
        let range = self.range(span);
        let last = self.lines.line_of(range.end);
        // Of a long span only the first and last few lines are shown.
        let first = self.lines.line_of(range.start);
        let shown = (first..=last.min(first + 4)).chain(last.saturating_sub(2).max(first)..=last);
        shown.map(|line| self.lines.range(line)).all(|line| line.len() <= LONG_LINE)
    }

    /// The surroundings of a place in a long line.
    fn excerpt(&self, place: Range<usize>) -> Excerpt<'_> {
        let index = self.lines.line_of(place.start);
        let line = self.lines.range(index);
        let shown = self.text[line.clone()].trim_end().len() + line.start;
        let from =
            self.text.floor_char_boundary(place.start.saturating_sub(MARGIN).max(line.start));
        let to = self.text.ceil_char_boundary((place.start + MARGIN).min(shown).max(from));
        let (before, after) =
            (if from > line.start { "... " } else { "" }, if to < shown { " ..." } else { "" });
        let text = format!("{before}{}{after}", &self.text[from..to]);
        let start = before.len() + place.start.min(to) - from;
        let end = before.len() + place.end.min(to).max(place.start.min(to)) - from;
        let at = self.lines.locate(&self.text, place.start);
        Excerpt { file: &self.file, text, place: start..end, line: at.line, column: at.column }
    }

    /// The findings in the text of this name, as JSON.
    pub fn report_json(&self, name: &str, found: &[Diagnostic]) -> Value {
        let (errors, warnings) = tally(found);
        json!({
            "game": name,
            "file": self.file,
            "errors": errors,
            "warnings": warnings,
            "diagnostics": found.iter().map(|found| found.to_json(|span| self.place(span))).collect::<Vec<_>>(),
        })
    }

    /// Where a span begins, as `FILE:LINE:COLUMN`.
    pub fn named_place(&self, span: Span) -> String {
        let at = self.lines.locate(&self.text, self.range(span).start);
        format!("{}:{at}", self.file)
    }

    /// Where a span is, as JSON: line and column of its beginning, and its bytes.
    pub fn place(&self, span: Span) -> Value {
        let range = self.range(span);
        let at = self.lines.locate(&self.text, range.start);
        json!({ "line": at.line, "column": at.column, "start": span.start, "end": span.end })
    }
}

/// Writes a report to standard error.
fn emit<'f>(files: &'f impl Files<'f, FileId = ()>, report: &Report<()>) -> Result<(), Error> {
    term::emit_to_write_style(&mut output::stderr(), &term::Config::default(), files, report)
}

fn header(diagnostic: &Diagnostic) -> Report<()> {
    let report = match diagnostic.severity() {
        Severity::Error => Report::error(),
        Severity::Warning => Report::warning(),
    };
    let notes = diagnostic.help.iter().map(|help| format!("help: {help}"));
    report.with_code(diagnostic.code).with_message(&diagnostic.message).with_notes_iter(notes)
}

impl<'a> Files<'a> for Printer {
    type FileId = ();
    type Name = &'a str;
    type Source = &'a str;

    fn name(&'a self, (): ()) -> Result<&'a str, Error> {
        Ok(&self.file)
    }

    fn source(&'a self, (): ()) -> Result<&'a str, Error> {
        Ok(&self.text)
    }

    fn line_index(&'a self, (): (), byte: usize) -> Result<usize, Error> {
        Ok(self.lines.line_of(byte))
    }

    fn line_range(&'a self, (): (), index: usize) -> Result<Range<usize>, Error> {
        Ok(self.lines.range(index))
    }
}

/// A part of a long line that knows where it stands.
struct Excerpt<'p> {
    file: &'p str,
    text: String,
    place: Range<usize>,
    line: usize,
    column: usize,
}

impl<'a> Files<'a> for Excerpt<'_> {
    type FileId = ();
    type Name = &'a str;
    type Source = &'a str;

    fn name(&'a self, (): ()) -> Result<&'a str, Error> {
        Ok(self.file)
    }

    fn source(&'a self, (): ()) -> Result<&'a str, Error> {
        Ok(&self.text)
    }

    fn line_index(&'a self, (): (), _: usize) -> Result<usize, Error> {
        Ok(0)
    }

    fn line_number(&'a self, (): (), _: usize) -> Result<usize, Error> {
        Ok(self.line)
    }

    fn column_number(&'a self, (): (), _: usize, _: usize) -> Result<usize, Error> {
        Ok(self.column)
    }

    fn line_range(&'a self, (): (), _: usize) -> Result<Range<usize>, Error> {
        Ok(0..self.text.len())
    }
}

/// How many errors and warnings.
pub fn tally(found: &[Diagnostic]) -> (usize, usize) {
    let errors = found.iter().filter(|d| d.severity() == Severity::Error).count();
    (errors, found.len() - errors)
}

/// `2 errors, 1 warning`
pub fn counts(found: &[Diagnostic]) -> String {
    let (errors, warnings) = tally(found);
    format!("{}, {}", output::counted(errors, "error"), output::counted(warnings, "warning"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printer(text: &str) -> Printer {
        Printer::new("t.kif", text)
    }

    #[test]
    fn spans_are_clamped_to_characters() {
        let printer = printer("é é");
        assert_eq!(printer.range(Span::new(1, 4)), 0..5);
        assert_eq!(printer.range(Span::new(9, 12)), 5..5);
    }

    #[test]
    fn control_characters_are_shown_as_signs_in_their_place() {
        let printer = printer("(\u{1b} a\u{9b})\r\n\r(b");
        assert_eq!(printer.text, "(␛ a�)\r\n␍(b");
        let shown = |start, end| &printer.text[printer.range(Span::new(start, end))];
        assert_eq!((shown(0, 2), shown(3, 4), shown(4, 6)), ("(␛", "a", "�"));
        assert_eq!(shown(10, 12), "(b");
        let place = printer.place(Span::new(10, 11));
        assert_eq!((&place["line"], &place["column"]), (&2.into(), &2.into()));
    }

    #[test]
    fn a_long_line_is_shown_in_part() {
        let printer = printer(&format!("short\n{}", "(".repeat(1000)));
        assert!(printer.is_short(Span::new(0, 3)));
        assert!(!printer.is_short(Span::new(500, 501)));
        let excerpt = printer.excerpt(500..501);
        assert_eq!((excerpt.line, excerpt.column), (2, 495));
        assert_eq!(excerpt.text.len(), 2 * MARGIN + 8);
        assert_eq!(&excerpt.text[excerpt.place.clone()], "(");
        assert_eq!(printer.excerpt(6..900).place, 0..MARGIN);
    }
}
