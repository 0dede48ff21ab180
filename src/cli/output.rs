//! Writing: results to standard output, messages to standard error.

use super::status::{Failure, Outcome, Status};
use codespan_reporting::term::termcolor::{
    Buffer, BufferWriter, Color, ColorChoice, ColorSpec, StandardStream, WriteColor,
};
use comfy_table::presets::ASCII_MARKDOWN;
use comfy_table::{CellAlignment, ContentArrangement, Table, TableStyle};
use gdlr::decisions::{Decision, Decisions, Quantity};
use gdlr::diagnostic::{legible, visible};
use gdlr::notation::{self, Notation};
use gdlr::rg;
use serde_json::Value;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::time::Duration;
use terminal_size::{Width, terminal_size_of};

/// The narrowest terminal to which tables are folded.
const NARROWEST: u16 = 30;

/// Writes results for people: control characters of names become visible signs.
pub fn print(text: &str) -> Result<(), Failure> {
    print_exactly(&visible(text))
}

/// Writes results for programs, to the last byte.
pub fn print_exactly(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()?;
    Ok(())
}

/// Writes the one JSON object of a command.
pub fn print_json(value: &Value) -> Result<(), Failure> {
    print_exactly(&format!("{value}\n"))
}

/// Writes a text to where the user wants it: to a file, or to standard output, which is also
/// called `-`.
pub fn deliver(text: &str, to: Option<&Path>) -> Result<(), Failure> {
    match to.filter(|path| path.as_os_str() != "-") {
        None => print_exactly(text),
        Some(path) => write_file(path, text).map_err(|error| {
            Failure::Unusable(format!("cannot write `{}`: {error}", path.display()))
        }),
    }
}

/// The same for an automaton, laid out as `gdlr rg fmt` does it.
pub fn deliver_automaton(text: &str, to: Option<&Path>) -> Result<(), Failure> {
    // A text that is too long to be read again stays as it is.
    deliver(rg::format(text).as_deref().unwrap_or(text), to)
}

/// The same for a rulesheet, laid out as `gdlr fmt` does it.
pub fn deliver_rules(text: &str, to: Option<&Path>) -> Result<(), Failure> {
    let document = notation::read(text);
    let laid_out = document.and_then(|document| notation::format(text, &document, Notation::Kif));
    deliver(laid_out.as_deref().unwrap_or(text), to)
}

/// Writes a file at one blow: nobody ever sees half of it. A link is followed, and the
/// permissions stay. What is no ordinary file, such as a device, is just written to.
pub fn write_file(path: &Path, text: &str) -> io::Result<()> {
    let old = fs::metadata(path).ok();
    if old.as_ref().is_some_and(|data| !data.is_file()) {
        return fs::write(path, text);
    }
    let path = if old.is_some() { path.canonicalize()? } else { path.to_owned() };
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(name);
    let write = || {
        let mut file = fs::File::create_new(&temporary)?;
        file.write_all(text.as_bytes())?;
        if let Some(old) = &old {
            file.set_permissions(old.permissions())?;
        }
        file.sync_all()?;
        fs::rename(&temporary, &path)
    };
    let result = write();
    if result.as_ref().is_err_and(|error| error.kind() != io::ErrorKind::AlreadyExists) {
        let _ = fs::remove_file(&temporary);
    }
    result
}

/// A result for people, in colour only on a terminal and where `NO_COLOR` is not set: collected,
/// and then printed as a whole.
pub struct Page {
    writer: BufferWriter,
    buffer: Buffer,
}

impl Page {
    pub fn new() -> Page {
        Page::in_colour(match io::stdout().is_terminal() {
            true => ColorChoice::Auto,
            false => ColorChoice::Never,
        })
    }

    /// A page of standard error.
    pub fn of_stderr() -> Page {
        Page::on(BufferWriter::stderr(colour_of_stderr()))
    }

    /// A page with colours or without.
    pub fn in_colour(choice: ColorChoice) -> Page {
        Page::on(BufferWriter::stdout(choice))
    }

    fn on(writer: BufferWriter) -> Page {
        let buffer = writer.buffer();
        Page { writer, buffer }
    }

    pub fn plain(&mut self, text: &str) {
        // A buffer takes everything.
        let _ = write!(self.buffer, "{}", visible(text));
    }

    pub fn good(&mut self, text: &str) {
        self.styled(ColorSpec::new().set_fg(Some(Color::Green)), text);
    }

    pub fn bad(&mut self, text: &str) {
        self.styled(ColorSpec::new().set_fg(Some(Color::Red)).set_bold(true), text);
    }

    pub fn faint(&mut self, text: &str) {
        self.styled(ColorSpec::new().set_dimmed(true), text);
    }

    pub fn styled(&mut self, style: &ColorSpec, text: &str) {
        let _ = self.buffer.set_color(style);
        self.plain(text);
        let _ = self.buffer.reset();
    }

    /// The text that would be printed.
    #[cfg(test)]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(self.buffer.as_slice()).into_owned()
    }

    pub fn print(&self) -> Result<(), Failure> {
        Ok(self.writer.print(&self.buffer)?)
    }
}

/// Standard error, in colour only on a terminal and where `NO_COLOR` is not set.
pub fn stderr() -> StandardStream {
    StandardStream::stderr(colour_of_stderr())
}

fn colour_of_stderr() -> ColorChoice {
    match io::stderr().is_terminal() {
        true => ColorChoice::Auto,
        false => ColorChoice::Never,
    }
}

/// Says why the command cannot go on.
pub fn error(message: &str) {
    labelled("error", Color::Red, message);
}

/// Says what the user should know.
pub fn warn(message: &str) {
    labelled("warning", Color::Yellow, message);
}

/// Says how things are, without weight. A standard error that is closed is no reason to end.
pub fn note(message: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", legible(message));
}

fn labelled(label: &str, color: Color, message: &str) {
    let mut stderr = stderr();
    let _ = stderr.set_color(ColorSpec::new().set_fg(Some(color)).set_bold(true));
    let _ = write!(stderr, "{label}");
    let _ = stderr.reset();
    let _ = writeln!(stderr, ": {}", legible(message));
}

/// A table without rules between its cells; the columns after the first are aligned right,
/// as numbers are, except those in `left`.
pub fn table(header: &[&str], left: &[usize], rows: Vec<Vec<String>>) -> Table {
    let mut table = Table::new();
    table.load_style(TableStyle::new());
    if let Some(width) = terminal_width() {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    }
    if !header.is_empty() {
        table.set_header(header.to_vec());
    }
    table.add_rows(rows);
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if index > 0 && !left.contains(&index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// The columns of the terminal that results are written to, if it is one, and says a width that can be.
fn terminal_width() -> Option<u16> {
    let (Width(columns), _) = terminal_size_of(io::stdout())?;
    (columns >= NARROWEST).then_some(columns)
}

/// Lets a table be one of Markdown.
pub fn make_markdown(table: &mut Table) {
    table.load_style(ASCII_MARKDOWN);
    for column in table.column_iter_mut() {
        column.set_padding((1, 1));
    }
}

/// The lines of a table, without blanks at their ends.
pub fn table_text(table: &Table) -> String {
    table.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

/// The decisions of set-up, one below the other, under a heading; nothing if there are none. Lines
/// are folded to the width of a terminal, and to 80 columns where there is none.
pub fn decisions_text(decisions: &Decisions) -> String {
    if decisions.is_empty() {
        return String::new();
    }
    let row = |decision: &Decision| {
        let Decision { part, subject, chosen, .. } = decision;
        let grounds = match &*decision.grounds() {
            "" => chosen.to_string(),
            grounds => format!("{chosen} ({grounds})"),
        };
        vec![format!("{part}: {subject}"), grounds]
    };
    let mut table = table(&[], &[1], decisions.iter().map(row).collect());
    let width = terminal_width().unwrap_or(80);
    table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    format!("\nDecisions\n{}", table_text(&table))
}

/// Decisions as a list of JSON objects.
pub fn decisions_json(decisions: &Decisions) -> Value {
    // Plain data with names for keys.
    serde_json::to_value(decisions).unwrap_or_default()
}

/// A number with its digits in groups of three.
pub fn grouped(number: u64) -> String {
    Quantity::Count(number).to_string()
}

/// A rate or measure with three digits or so that count.
pub fn rounded(number: f64) -> String {
    match number {
        _ if !number.is_finite() => "-".to_owned(),
        _ if number >= 100.0 => grouped(number.round() as u64),
        _ if number >= 10.0 => format!("{number:.1}"),
        _ => format!("{number:.2}"),
    }
}

/// A time with its unit.
pub fn duration(time: Duration) -> String {
    match time.as_secs_f64() {
        seconds if seconds < 1.0 => format!("{} ms", rounded(seconds * 1e3)),
        seconds => format!("{} s", rounded(seconds)),
    }
}

/// A time that is no measure: in seconds, minutes or hours, whichever is easiest to read.
pub fn about(time: Duration) -> String {
    match time.as_secs_f64() {
        seconds if seconds < 9.95 => {
            format!("{} s", format!("{seconds:.1}").trim_end_matches(".0"))
        }
        seconds if seconds < 119.5 => format!("{seconds:.0} s"),
        seconds if seconds < 119.5 * 60.0 => format!("{:.0} min", seconds / 60.0),
        seconds => format!("{} h", grouped((seconds / 3600.0).round() as u64)),
    }
}

/// `1 error`, `2 errors`.
pub fn counted(count: usize, noun: &str) -> String {
    format!("{} {noun}{}", grouped(count as u64), if count == 1 { "" } else { "s" })
}

/// That no play came to its end; `option` is the one that bounds their length.
pub fn none_ended(play: &str, cut: u64, option: &str) -> String {
    let cut = match cut {
        1 => "the one was cut".to_owned(),
        _ => format!("all {} were cut", grouped(cut)),
    };
    format!("no {play} ended: {cut} (see {option})")
}

/// That some plays did not come to their end; `option` is the one that bounds their length.
pub fn some_cut(play: &str, cut: u64, option: &str) -> String {
    let (plays, were, count) = match cut {
        1 => (play.to_owned(), "was", "does"),
        _ => (format!("{play}s"), "were", "do"),
    };
    format!("{} {plays} {were} cut and {count} not count (see {option})", grouped(cut))
}

/// Seconds to the microsecond, for JSON.
pub fn seconds(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}

/// The status that a command ends with; says why what it was given is unusable.
pub fn status_of(outcome: Outcome) -> Status {
    match outcome {
        Ok(status) | Err(Failure::Reported(status)) => status,
        // Whoever read the results has seen enough.
        Err(Failure::BrokenPipe) => Status::Done,
        Err(Failure::Unusable(message)) => {
            error(&message);
            Status::Unusable
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1000), "1,000");
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(rounded(1234.5), "1,235");
        assert_eq!(rounded(12.34), "12.3");
        assert_eq!(rounded(1.234), "1.23");
        assert_eq!(duration(Duration::from_micros(2340)), "2.34 ms");
        assert_eq!(duration(Duration::from_secs(75)), "75.0 s");
        assert_eq!(counted(1, "error"), "1 error");
    }

    #[test]
    fn plays_that_were_cut() {
        assert_eq!(none_ended("play", 1, "-m"), "no play ended: the one was cut (see -m)");
        assert_eq!(none_ended("play", 2000, "-m"), "no play ended: all 2,000 were cut (see -m)");
        assert_eq!(some_cut("play", 1, "-m"), "1 play was cut and does not count (see -m)");
        assert_eq!(some_cut("play", 2, "-m"), "2 plays were cut and do not count (see -m)");
    }
}
