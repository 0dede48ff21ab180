//! The bundled games of HRG, ABG and RBG as automata.

use gdlr::rg::Description;
use gdlr::{abg, hrg, rbg};
use std::path::Path;

/// All of them, by their paths.
pub fn games() -> Vec<(String, Description)> {
    let of_hrg = |text: &str| hrg::read_automaton(text.as_bytes()).expect("a game");
    let of_abg = |text: &str| abg::read_automaton(text).expect("a game");
    let of_rbg =
        |text: &str| rbg::translate(&rbg::read(text).expect("a game")).expect("an automaton");
    let all = [of_folder("hrg", of_hrg), of_folder("abg", of_abg), of_folder("rbg", of_rbg)];
    all.into_iter().flatten().collect()
}

fn of_folder(folder: &str, automaton: impl Fn(&str) -> Description) -> Vec<(String, Description)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut all = Vec::new();
    for entry in folder.read_dir().expect("a folder of games") {
        let path = entry.expect("readable").path();
        if path.is_file() && path.extension().is_some_and(|kind| kind != "tsv" && kind != "md") {
            let text = std::fs::read_to_string(&path).expect("a readable game");
            all.push((path.display().to_string(), automaton(&text)));
        }
    }
    all
}
