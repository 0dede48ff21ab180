//! The rulesheets at hand: those of this project, in `kif/`, and the public corpus where it is.
//!
//! The corpus is in `../shared/corpus`, or in the folder that the variable `CORPUS` names.
//! Tests of it are left out where it is absent, unless `GDLR_CORPUS_REQUIRED` is set: then they
//! fail.
// Each test that includes this module uses a part of it.
#![allow(dead_code, reason = "a test uses a part of it")]

use std::path::{Path, PathBuf};

/// The folder of the public corpus, if it is there.
pub fn corpus() -> Option<PathBuf> {
    let folder = match std::env::var_os("CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus"),
    };
    if !files(&folder, "kif").is_empty() {
        return Some(folder);
    }
    let required = std::env::var_os("GDLR_CORPUS_REQUIRED").is_some_and(|value| value != "0");
    let absent = format!("there are no rulesheets in {}", folder.display());
    assert!(!required, "{absent}, but GDLR_CORPUS_REQUIRED is set");
    eprintln!("skipped: {absent}");
    None
}

/// The path of a public rulesheet, if the corpus is there.
pub fn public(name: &str) -> Option<PathBuf> {
    corpus().map(|folder| folder.join(name).with_extension("kif"))
}

/// The paths of this project's rulesheets, sorted.
pub fn own() -> Vec<PathBuf> {
    let paths = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("kif"), "kif");
    assert!(paths.len() >= 14, "the games of kif/ are always there");
    paths
}

/// The paths of this project's rulesheets in the notation of operations, sorted.
pub fn operations() -> Vec<PathBuf> {
    let paths = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("operations"), "epilog");
    assert!(paths.len() >= 10, "the games of operations/ are always there");
    paths
}

/// The paths and texts of all rulesheets, the public ones first.
pub fn all() -> Vec<(PathBuf, String)> {
    let public = corpus().map(|folder| files(&folder, "kif")).unwrap_or_default();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a readable rulesheet");
        (path, text)
    };
    public.into_iter().chain(own()).map(read).collect()
}

/// The files of a folder with this ending, sorted; none where there is no such folder.
pub fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let Ok(entries) = folder.read_dir() else { return Vec::new() };
    let paths = entries.map(|entry| entry.expect("a readable folder").path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|found| found == ending)).collect();
    paths.sort();
    paths
}
