//! Records of benchmarks, and the tables of README and docs that are written from one of them.
//!
//! ```sh
//! cargo run --example records -- --check               # whether the tables are those of the record
//! cargo run --example records -- write                 # writes the tables
//! cargo run --example records -- measure NAME          # measures, into benches/record/NAME.json
//! cargo run --example records -- measure NAME widths   # measures one experiment again
//! ```
//!
//! A record is a file in `benches/record/`: for each experiment the commit, date, machine and command,
//! and the figures ([`record`]). The file `benches/record/shown` names those whose figures are shown.
//! [`tables`] says which columns of which experiment a table has, [`experiments`] how they are measured.
//! In a document a table stands between `<!-- table NAME -->` and `<!-- end -->`; all between them is
//! written by this program, and nobody else.

mod documents;
mod experiments;
mod figures;
mod markdown;
mod record;
mod tables;

use record::Record;
use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "usage: records --check | write | measure NAME [EXPERIMENT...]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let done = match &words[..] {
        ["--check"] => Record::shown(root).and_then(|record| documents::check(root, &record)),
        ["write"] => Record::shown(root).and_then(|record| documents::write(root, &record)),
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
