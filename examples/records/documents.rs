//! The documents that have tables of a record, and the parts of them that are written.

use crate::record::{self, Record};
use crate::tables;
use std::path::Path;

/// Writes the tables.
pub fn write(root: &Path) -> Result<(), String> {
    for Page { name, record } in pages(root)? {
        let path = root.join(&name);
        let old = read(&path)?;
        let new = filled(&old, &record).map_err(|error| format!("{name}: {error}"))?;
        if new != old {
            std::fs::write(&path, new).map_err(|error| format!("{name}: {error}"))?;
            println!("{name}: written");
        }
    }
    Ok(())
}

/// Whether the tables are those of the records; names the first line that differs.
pub fn check(root: &Path) -> Result<(), String> {
    let pages = pages(root)?;
    if let Some(name) = unnamed(root, &pages)? {
        return Err(format!("{name}: it has tables, and benches/record/shown names no record"));
    }
    for Page { name, record } in pages {
        let old = read(&root.join(&name))?;
        let new = filled(&old, &record).map_err(|error| format!("{name}: {error}"))?;
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

/// A page of `docs/` that has tables and is not among the pages.
fn unnamed(root: &Path, pages: &[Page]) -> Result<Option<String>, String> {
    let files = std::fs::read_dir(root.join("docs")).map_err(|error| format!("docs: {error}"))?;
    for file in files {
        let file = file.map_err(|error| format!("docs: {error}"))?.path();
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let name = format!("docs/{name}");
        let is_page = name.ends_with(".md") && !pages.iter().any(|page| page.name == name);
        if is_page && read(&file)?.contains(BEGIN) {
            return Ok(Some(name));
        }
    }
    Ok(None)
}

/// A document, and the only record of its tables.
struct Page {
    name: String,
    record: Record,
}

/// The documents that `benches/record/shown` names: in each line a document, and its record.
fn pages(root: &Path) -> Result<Vec<Page>, String> {
    let page = |line: &str| match line.split_once(' ') {
        Some((name, record)) => {
            let record = Record::read(&record::path(root, record.trim()))?;
            Ok(Page { name: name.to_owned(), record })
        }
        None => Err(format!("benches/record/shown: `{line}` names no record")),
    };
    read(&root.join("benches/record/shown"))?.lines().map(page).collect()
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// The markers at the beginning and end of a table.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Experiment;
    use std::path::PathBuf;

    /// A project with two records that have one experiment, and the given lines of `shown`.
    fn project(name: &str, shown: &str) -> PathBuf {
        let root = std::env::temp_dir().join(format!("records-{}-{name}", std::process::id()));
        std::fs::create_dir_all(root.join("benches/record")).unwrap();
        std::fs::create_dir_all(root.join("docs")).unwrap();
        for (record, figure) in [("old", 1), ("new", 2)] {
            let experiment = Experiment {
                name: "parts".into(),
                columns: vec!["game".into(), "rate".into()],
                rows: vec![vec!["hex".into(), figure.into()]],
                ..Experiment::default()
            };
            let text = Record { experiments: vec![experiment] }.to_json();
            std::fs::write(record::path(&root, record), text).unwrap();
        }
        std::fs::write(root.join("benches/record/shown"), shown).unwrap();
        for page in ["docs/a.md", "docs/b.md"] {
            let text = format!("{BEGIN}parts -->\n{END}\n");
            std::fs::write(root.join(page), text).unwrap();
        }
        root
    }

    #[test]
    fn a_page_has_tables_of_its_record() {
        let root = project("pages", "docs/a.md new\ndocs/b.md old\n");
        assert!(check(&root).unwrap_err().starts_with("docs/a.md:2: "));
        write(&root).unwrap();
        check(&root).unwrap();
        assert!(read(&root.join("docs/a.md")).unwrap().contains("| hex | 2 |"));
        assert!(read(&root.join("docs/b.md")).unwrap().contains("| hex | 1 |"));
        std::fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn a_page_with_tables_needs_a_record() {
        let root = project("unnamed", "docs/a.md new\n");
        assert!(check(&root).unwrap_err().starts_with("docs/b.md: it has tables"));
        std::fs::remove_dir_all(root).unwrap();
        let root = project("nameless", "docs/a.md\n");
        assert!(check(&root).unwrap_err().contains("names no record"));
        std::fs::remove_dir_all(root).unwrap();
    }
}
