//! The documents that have tables of the record, and the parts of them that are written.

use crate::record::Record;
use crate::tables;
use std::path::Path;

/// The documents.
const DOCUMENTS: [&str; 8] = [
    "README.md",
    "docs/benchmarks.md",
    "docs/building.md",
    "docs/explain.md",
    "docs/gdl-ii.md",
    "docs/performance.md",
    "docs/python.md",
    "docs/rbg.md",
];

/// Writes the tables.
pub fn write(root: &Path, record: &Record) -> Result<(), String> {
    for name in DOCUMENTS {
        let path = root.join(name);
        let old = read(&path)?;
        let new = filled(&old, record).map_err(|error| format!("{name}: {error}"))?;
        if new != old {
            std::fs::write(&path, new).map_err(|error| format!("{name}: {error}"))?;
            println!("{name}: written");
        }
    }
    Ok(())
}

/// Whether the tables are those of the record; names the first line that differs.
pub fn check(root: &Path, record: &Record) -> Result<(), String> {
    for name in DOCUMENTS {
        let old = read(&root.join(name))?;
        let new = filled(&old, record).map_err(|error| format!("{name}: {error}"))?;
        let differs = |(old, new): (&str, &str)| old != new;
        if let Some(line) = old.lines().zip(new.lines()).position(differs) {
            let number = line + 1;
            let should = new.lines().nth(line).unwrap_or_default();
            return Err(format!(
                "{name}:{number}: the record has\n{should}\nrun `cargo run --example records -- write`"
            ));
        }
        if old != new {
            return Err(format!("{name}: run `cargo run --example records -- write`"));
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// What a table begins and ends with.
const BEGIN: &str = "<!-- table ";
const END: &str = "<!-- end -->";

/// A document with the tables of a record.
fn filled(document: &str, record: &Record) -> Result<String, String> {
    let mut text = String::new();
    let mut rest = document;
    while let Some((before, behind)) = rest.split_once(BEGIN) {
        let (name, behind) = behind.split_once(" -->").ok_or("a table has no name")?;
        let Some((_, behind)) = behind.split_once(END) else {
            return Err(format!("the table {name} has no `{END}`"));
        };
        let table = tables::text(name, record)?;
        text.push_str(&format!("{before}{BEGIN}{name} -->\n{table}{END}"));
        rest = behind;
    }
    text.push_str(rest);
    Ok(text)
}
