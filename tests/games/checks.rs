//! Every public rulesheet can be played: none of them may have a defect that forbids it.

use crate::rulesheets;
use gdlr::check::check;
use gdlr::diagnostic::Code;
use gdlr::gdl::{Game, Reading};
use gdlr::kif;

#[test]
fn no_public_rulesheet_is_refused() {
    let Some(corpus) = rulesheets::corpus() else { return };
    let mut refused = Vec::new();
    for path in &rulesheets::files(&corpus, "kif") {
        let bytes = std::fs::read(path).expect("a readable rulesheet");
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let found = kif::read_bytes(&bytes).and_then(|document| {
            let game = Game::from_document(&name, document, Reading::default())?;
            Ok(check(&game))
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
