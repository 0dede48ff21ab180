//! The rulesheets at hand: the public ones, if they are there, and those of this project.

use std::path::{Path, PathBuf};

/// The paths and texts of the rulesheets in `../shared/corpus` and `kif/`.
pub fn all() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for folder in [root.join("../shared/corpus"), root.join("kif")] {
        let Ok(entries) = folder.read_dir() else {
            eprintln!("skipped: there is no {}", folder.display());
            continue;
        };
        for entry in entries {
            let path = entry.expect("a readable folder").path();
            if path.extension().is_some_and(|ending| ending == "kif") {
                let text = std::fs::read_to_string(&path).expect("a readable rulesheet");
                found.push((path, text));
            }
        }
    }
    assert!(found.len() >= 14, "the games of kif/ are always there");
    found
}
