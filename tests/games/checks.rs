//! Every public rulesheet can be played: none of them may have a defect that forbids it.

use crate::rulesheets;
use gdlr::check::check;
use gdlr::diagnostic::Code;
use gdlr::gdl::{Game, Reading};
use gdlr::kif;

/// The findings of these codes in public rulesheets were looked at, and are true. `fire` is set and never
/// asked for, as are the others; `mummy` has goals and is no role.
const KNOWN: [(&str, Code, usize); 5] = [
    ("factoringImpossibleTurtleBrain", Code::UnreadFluent, 1),
    ("firefighter", Code::UnreadFluent, 1),
    ("mummymaze1p", Code::NoSuchRole, 1),
    ("qyshinsu", Code::UnreadFluent, 3),
    ("wargame03", Code::UnreadFluent, 1),
];
const LOOKED_AT: [Code; 6] = [
    Code::InitDependsOnState,
    Code::GoalValue,
    Code::OddHint,
    Code::KeywordInPercept,
    Code::NoSuchRole,
    Code::UnreadFluent,
];

#[test]
fn no_public_rulesheet_is_refused() {
    let Some(corpus) = rulesheets::corpus() else { return };
    let mut refused = Vec::new();
    let mut reported = Vec::new();
    for path in &rulesheets::files(&corpus, "kif") {
        let bytes = std::fs::read(path).expect("a readable rulesheet");
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let diagnostics = kif::read_bytes(&bytes).and_then(|document| {
            let game = Game::from_document(&name, document, Reading::default())?;
            Ok(check(&game))
        });
        let diagnostics = diagnostics.unwrap_or_else(|errors| errors);
        for code in LOOKED_AT {
            match diagnostics.iter().filter(|one| one.code == code).count() {
                0 => {}
                count => reported.push((name.to_string(), code, count)),
            }
        }
        let fatal = diagnostics.iter().filter(|d| Code::forbids_play(d.code));
        refused.extend(fatal.map(|d| {
            let text = String::from_utf8_lossy(&bytes[d.span.range()]).into_owned();
            format!("{name}: {d}: {text}")
        }));
    }
    reported.sort();
    assert_eq!(reported, KNOWN.map(|(name, code, count)| (name.to_owned(), code, count)));
    assert!(refused.is_empty(), "{} refused:\n{}", refused.len(), refused.join("\n"));
}
