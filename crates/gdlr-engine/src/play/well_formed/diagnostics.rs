//! The findings of a simulation, as diagnostics with places in the rules.

use super::{FailingPlay, Finding, Report, RoleReport, goal_value, heads_of};
use crate::engine::RoleId;
use crate::play::information_sets::Untold;
use crate::play::sight::LookAlike;
use gdlr_rules::gdl::{Game, Symbol, Term};
use gdlr_text::diagnostic::{Code, Diagnostic, Span, counted};

/// How many joint moves of a failing play a diagnostic shows.
const SHOWN_MOVES: usize = 8;

impl Report {
    /// Whether no defect was met and every role was seen winning.
    pub fn is_well_formed(&self) -> bool {
        self.stuck.count == 0
            && self.too_long.count == 0
            && self.bad_goal.count == 0
            && self.roles.iter().all(RoleReport::seen_winning)
            && self.sight.iter().all(|sight| sight.look_alikes.is_empty())
    }

    /// The report as diagnostics (S001 to S007) about the rules of the game that was played.
    pub fn diagnostics(&self, game: &Game) -> Vec<Diagnostic> {
        let mut diagnostics: Vec<Diagnostic> =
            self.limit.iter().map(|limit| limit.diagnostic().clone()).collect();
        let legal = |role: Option<RoleId>| first_head(game, Symbol::LEGAL, role);
        let stuck = self.defect(Code::Unplayable, &self.stuck, legal);
        diagnostics.extend(stuck.map(|diagnostics| self.with_missing_move(diagnostics, game)));
        let terminal = |_| {
            let mut heads = game.rules.iter().map(|rule| &rule.head);
            heads.find(|head| head.relation == Symbol::TERMINAL).map(|head| head.span)
        };
        diagnostics.extend(self.defect(Code::NoTermination, &self.too_long, terminal));
        let goal = |role: Option<RoleId>| first_head(game, Symbol::GOAL, role);
        diagnostics.extend(self.defect(Code::BadGoal, &self.bad_goal, goal));
        for (role, report) in game.roles.iter().zip(&self.roles) {
            // Without a terminal state there is nothing to say about winning.
            if self.terminated > 0 && !report.seen_winning() {
                diagnostics.push(self.not_seen_winning(game, role, report));
            }
        }
        let look_alikes = self.sight.iter().flat_map(|sight| &sight.look_alikes);
        diagnostics.extend(look_alikes.map(|look_alike| self.untold(game, look_alike)));
        diagnostics.sort_by_key(|diagnostic| (diagnostic.span, diagnostic.code));
        diagnostics
    }

    /// Says which move may be missing where a role has none.
    fn with_missing_move(&self, mut diagnostics: Diagnostic, game: &Game) -> Diagnostic {
        let role = self.stuck.first.as_ref().and_then(|play| play.role);
        let Some(report) = role.and_then(|role| self.roles.get(usize::from(role.0))) else {
            return diagnostics;
        };
        let name = &report.role;
        let has_moves = game.roles.iter().any(|role| {
            role.spelled(&game.symbols) == *name
                && heads_of(game, Symbol::LEGAL, role).next().is_some()
        });
        let missing = match (self.roles.len(), has_moves) {
            (1, _) => "add a move for such a state, or a rule for `terminal`".to_owned(),
            (_, false) => {
                format!("a role with nothing to do still moves: add `(legal {name} noop)`")
            }
            (_, true) => format!(
                "a role with nothing to do still moves: add `(<= (legal {name} noop) ...)` for \
                 such states"
            ),
        };
        let happens = diagnostics.help.take().map_or(String::new(), |help| format!("{help}; "));
        diagnostics.with_help(format!("{happens}{missing}"))
    }

    fn untold(&self, game: &Game, look_alike: &LookAlike) -> Diagnostic {
        let LookAlike { role, untold, .. } = look_alike;
        let code = match untold {
            Untold::Moves => Code::UntoldMoves,
            Untold::End => Code::UntoldEnd,
        };
        let span = first_head(game, Symbol::SEES, Some(*role)).unwrap_or_default();
        let name = &self.roles[role.index()].role;
        let message = format!("role `{name}` cannot tell {untold} from what it sees");
        Diagnostic::new(code, span, message).with_help(difference(look_alike))
    }

    fn defect(
        &self,
        code: Code,
        defect: &Finding,
        place: impl Fn(Option<RoleId>) -> Option<Span>,
    ) -> Option<Diagnostic> {
        let play = defect.first.as_ref()?;
        let role = play.role.and_then(|role| self.roles.get(usize::from(role.0)));
        let whose = role.map_or(String::new(), |report| format!("role `{}`: ", report.role));
        let playouts = counted(self.started as usize, "playout");
        let message = format!("{whose}{} in {} of {playouts}", play.what, defect.count);
        let span = place(play.role).unwrap_or_default();
        Some(Diagnostic::new(code, span, message).with_help(play.words()))
    }

    fn not_seen_winning(&self, game: &Game, role: &Term, report: &RoleReport) -> Diagnostic {
        let best = heads_of(game, Symbol::GOAL, role)
            .find(|head| goal_value(game, head) == Some(report.highest))
            .or_else(|| heads_of(game, Symbol::GOAL, role).next());
        let span = best.map_or(Span::default(), |head| head.span);
        let name = &report.role;
        let message = format!(
            "role `{name}` was not seen to reach {} in {}",
            report.highest,
            counted(self.terminated as usize, "terminal state")
        );
        Diagnostic::new(Code::NotSeenWinning, span, message).with_help(
            match report.goals.last_key_value() {
                Some((value, _)) => format!("{value} was the best it got; try more playouts"),
                None => "it got no proper goal value at all".to_owned(),
            },
        )
    }
}

/// Where the first rule of `keyword` for a role stands, or the first rule for any.
fn first_head(game: &Game, keyword: Symbol, role: Option<RoleId>) -> Option<Span> {
    let role = game.roles.get(usize::from(role?.0))?;
    let mut any = game.rules.iter().map(|rule| &rule.head).filter(|head| head.relation == keyword);
    heads_of(game, keyword, role).next().or_else(|| any.next()).map(|head| head.span)
}

impl FailingPlay {
    /// The last joint moves on one line.
    fn words(&self) -> String {
        if self.moves.is_empty() {
            return "it happens in the initial state".to_owned();
        }
        let shown = &self.moves[self.moves.len().saturating_sub(SHOWN_MOVES)..];
        let line = line(shown);
        match self.moves.len() - shown.len() {
            0 => format!("it happens after {line}"),
            more => format!("it happens after {} and {line}", counted(more, "joint move")),
        }
    }
}

/// Joint moves on one line.
fn line(moves: &[Vec<String>]) -> String {
    moves.iter().map(|joint| joint.join(" ")).collect::<Vec<_>>().join(", ")
}

/// Two plays that look the same, from the first joint move that differs.
pub(super) fn difference(look_alike: &LookAlike) -> String {
    let [one, other] = &look_alike.plays;
    let same = one.iter().zip(other).take_while(|(one, other)| one == other).count();
    let begin = match same {
        0 => String::new(),
        1 => "after a joint move, ".to_owned(),
        same => format!("after {same} joint moves, "),
    };
    let shown = |play: &[Vec<String>]| {
        let rest = &play[same..];
        let shown = &rest[..rest.len().min(SHOWN_MOVES)];
        match rest.len() - shown.len() {
            0 => format!("`{}`", line(shown)),
            more => format!("`{}` and {more} more", line(shown)),
        }
    };
    format!("{begin}{} looks to it like {}", shown(one), shown(other))
}
