//! Collecting what checks find, of a rulesheet or of a regular game, within a limit.

use crate::diagnostic::{Code, Diagnostic};
use hashbrown::HashMap;

/// How often one code is reported of one text.
pub const MAX_PER_CODE: usize = 100;

/// The findings of checks so far.
#[derive(Default)]
pub struct Findings {
    kept: Vec<Diagnostic>,
    /// By code: how often it was found.
    counts: HashMap<Code, usize>,
}

impl Findings {
    /// Keeps a diagnostic, unless there are enough of its code. It is built only if kept:
    /// building one may cost more than finding it.
    pub fn report(&mut self, code: Code, diagnostic: impl FnOnce() -> Diagnostic) {
        let count = self.counts.entry(code).or_insert(0);
        *count += 1;
        if *count <= MAX_PER_CODE {
            self.kept.push(diagnostic());
        }
    }

    /// Whether anything was found that forbids play.
    pub fn forbid_play(&self) -> bool {
        self.counts.keys().any(|code| code.forbids_play())
    }

    /// Everything kept, by place. The last one of a code with too many says how many more
    /// there are.
    pub fn into_sorted(mut self) -> Vec<Diagnostic> {
        self.kept.sort_by_key(|diagnostic| (diagnostic.span, diagnostic.code));
        for (&code, &count) in self.counts.iter().filter(|&(_, &count)| count > MAX_PER_CODE) {
            if let Some(last) = self.kept.iter_mut().rfind(|diagnostic| diagnostic.code == code) {
                let more = format!("{} more of this kind are not shown", count - MAX_PER_CODE);
                last.help = Some(match last.help.take() {
                    Some(help) => format!("{help}; {more}"),
                    None => more,
                });
            }
        }
        self.kept
    }
}
