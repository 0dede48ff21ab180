//! Every public rulesheet can be played: none of them may have a defect that forbids it.

use gdlr::check::check;
use gdlr::diagnostic::Code;
use gdlr::gdl::{Game, Reading};
use gdlr::kif;
use std::path::{Path, PathBuf};

/// The rulesheets of the folder, sorted; none if it is absent.
fn rulesheets(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = folder.read_dir() else { return Vec::new() };
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "kif"))
        .collect();
    paths.sort();
    paths
}

#[test]
fn no_public_rulesheet_is_refused() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    let paths = rulesheets(&folder);
    if paths.is_empty() {
        eprintln!("skipped: there is no {}", folder.display());
        return;
    }
    let mut refused = Vec::new();
    for path in &paths {
        let bytes = std::fs::read(path).expect("a readable rulesheet");
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let found = kif::read_bytes(&bytes).and_then(|document| {
            let game = Game::from_document(&name, &document, Reading::default())?;
            Ok(check(&document, &game))
        });
        let found = found.unwrap_or_else(|errors| errors);
        let fatal = found.iter().filter(|d| Code::forbids_play(d.code));
        refused.extend(fatal.map(|d| {
            let text = String::from_utf8_lossy(&bytes[d.span.range()]).into_owned();
            format!("{name}: {d}: {text}")
        }));
    }
    assert!(refused.is_empty(), "{} refused:\n{}", refused.len(), refused.join("\n"));
}
