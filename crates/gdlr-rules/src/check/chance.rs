//! Rules that the role of chance has no use for: `random` moves at random, wants nothing and sees
//! nothing (GDL-II). Rulesheets older than that have a player of this name, so it is a warning.

use super::placed::arguments;
use super::sheet::Sheet;
use crate::gdl::Symbol;
use gdlr_text::diagnostic::{Code, Diagnostic};
use gdlr_text::findings::Findings;

pub(super) fn check(sheet: &Sheet, findings: &mut Findings) {
    let Some(chance) = sheet.game.chance() else { return };
    for rule in &sheet.rules {
        let head = &rule.rule.head;
        let (what, why) = match head.relation {
            Symbol::GOAL => ("a goal", "chance wants nothing: leave its goal out"),
            Symbol::SEES => ("a percept", "chance sees nothing: leave the rule out"),
            _ => continue,
        };
        if head.args.first() != Some(chance) {
            continue;
        }
        let place = arguments(rule.head_form()).first().map_or(head.span, |role| role.span);
        let code = Code::ChanceRole;
        findings.report(code, || {
            let name = chance.spelled(&sheet.game.symbols);
            Diagnostic::new(code, place, format!("{what} of the role of chance, `{name}`"))
                .with_help(why)
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::check::tests::{SOUND, marked};
    use gdlr_text::diagnostic::Code;

    #[test]
    fn what_chance_has_no_use_for() {
        let text = format!(
            "{SOUND} (role Random) (<= (goal RANDOM 5) (succ 1 2)) (sees random x) (sees a x)
             (<= (goal ?r 0) (role ?r) (true (at 1))) (<= (sees ?r y) (role ?r))"
        );
        assert_eq!(marked(&text, Code::ChanceRole), ["RANDOM", "random"]);
        let player = format!("{SOUND} (goal random 5) (sees random x)");
        assert!(marked(&player, Code::ChanceRole).is_empty(), "no role");
    }
}
