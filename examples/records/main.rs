//! Records of benchmarks, and the tables of README and docs that are written from them.
//!
//! ```sh
//! cargo run --example records -- --check               # whether the tables are those of the records
//! cargo run --example records -- write                 # writes the tables
//! cargo run --example records -- measure NAME          # measures, into benches/record/NAME.json
//! cargo run --example records -- measure NAME widths   # measures one experiment again
//! ```
//!
//! A record is a file in `benches/record/`: for each experiment the commit, date, machine and command,
//! and the figures ([`record`]). A line of `benches/record/shown` names a document and the record of its tables.
//! [`tables`] says which columns of which experiment a table has, [`experiments`] how they are measured.
//! In a document a table stands between `<!-- table NAME -->` and `<!-- end -->`; all between them is
//! written by this program, and nobody else.

mod documents;
mod experiments;
mod figures;
mod markdown;
mod record;
mod tables;

use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "usage: records --check | write | measure NAME [EXPERIMENT...]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let done = match &words[..] {
        ["--check"] => documents::check(root),
        ["write"] => documents::write(root),
        ["measure", name, names @ ..] => experiments::measure(root, name, names),
        _ => Err(USAGE.to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
