//! Well-formedness by simulation (SPEC, definitions 21 to 24).
//!
//! Whether a game is playable, ends, and can be won by every role is a question about all
//! its states, which are too many to visit. Random playouts answer it from below: what they
//! run into is a defect for certain, with a play that shows it; what they do not run into
//! may still be there. So a role that never won is only reported as *not seen* winning.
//!
//! In a game with rules for `sees` a role must be able to tell its legal moves and the end from its
//! own moves and what it sees (GDL-II). Single playouts do not show that: all plays are compared, up
//! to the length that a bound on their number allows.

mod diagnostics;

use super::flat_mc::canonical_play;
use super::sight::{Early, Sight, look};
use crate::engine::{End, Engine, GoalError, Playout, RoleId, WorkLimit, seeded};
use gdlr_rules::gdl::{Game, Sentence, Symbol, SymbolTable, Term};
use gdlr_text::diagnostic::counted;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How much to simulate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Simulation {
    /// The number of playouts.
    pub playouts: u64,
    /// The joint moves after which a game should have ended.
    pub max_steps: u32,
    /// Where the random numbers start. The same seed and engine give the same report.
    pub seed: u64,
    /// How many situations are remembered to compare what roles see, in a game with rules for
    /// `sees`.
    pub situations: usize,
}

/// A defect that the playouts ran into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The number of playouts that were asked for.
    pub options: Simulation,
    /// The playouts that were started, which are fewer than asked for if interrupted.
    pub started: u64,
    /// The playouts that reached a terminal state within the bound.
    pub terminated: u64,
    /// Whether the simulation was stopped before it was over. The playout that was cut short is in
    /// `started` only.
    pub interrupted: bool,
    /// Why the simulation ended early, if a state was too much for the engine.
    pub limit: Option<WorkLimit>,
    /// Playouts that reached a state that is not terminal and in which a role has no legal
    /// move.
    pub stuck: Finding,
    /// Playouts that did not end within the bound.
    pub too_long: Finding,
    /// Terminal states in which a role has not exactly one integer from 0 to 100 as its goal. The
    /// role of chance may have none (GDL-II).
    pub bad_goal: Finding,
    /// The goal values of each role, in the order of the roles.
    pub roles: Vec<RoleReport>,
    /// Which states roles can tell apart; `None` in a game without rules for `sees`.
    pub sight: Option<Sight>,
}

/// A defect of the game: how often it was met, and how to get there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Finding {
    /// The number of playouts that met it.
    pub count: u64,
    /// The first of them.
    pub first: Option<FailingPlay>,
}

/// A play from the initial state to a defect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailingPlay {
    /// The joint moves in order; each has the canonical string of one move a role.
    pub moves: Vec<Vec<String>>,
    /// The role with the defect, if it is a role's.
    pub role: Option<RoleId>,
    /// The defect, in words.
    pub what: String,
}

/// The goal values that a role got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoleReport {
    /// The role, as the rulesheet spells it.
    pub role: String,
    /// Whether it is chance, which has nothing to win.
    pub chance: bool,
    /// By goal value: in how many terminal states it was seen.
    pub goals: BTreeMap<u8, u64>,
    /// The highest value that the rules name for the role; 100 if they compute values.
    pub highest: u8,
}

impl RoleReport {
    /// Whether a terminal state with the highest value was seen (SPEC, definition 23: the
    /// role's part of weak winnability), or there is no question of winning.
    pub fn seen_winning(&self) -> bool {
        self.chance || self.goals.contains_key(&self.highest)
    }
}

/// Plays random games, every role choosing uniformly among its legal moves. Ends early, with
/// a report of what was seen so far, when `stop` becomes true. `game` is what the engine plays.
pub fn simulate<E: Engine>(
    engine: &E,
    game: &Game,
    options: &Simulation,
    stop: &AtomicBool,
) -> Report {
    let mut report = Report::new(game, options);
    report.play(engine, &mut || stop.load(Ordering::Relaxed));
    if engine.has_percepts() && !report.interrupted && report.limit.is_none() {
        let (sight, early) = look(engine, options.max_steps as usize, options.situations, stop);
        report.sight = Some(sight);
        match early {
            None => {}
            Some(Early::Stopped) => report.interrupted = true,
            Some(Early::Limit(limit)) => report.limit = Some(limit),
        }
    }
    report
}

/// The same for so long at most, and without a look at what roles see.
pub fn glance<E: Engine>(
    engine: &E,
    game: &Game,
    options: &Simulation,
    time: Duration,
    stop: &AtomicBool,
) -> Report {
    let mut report = Report::new(game, options);
    let start = Instant::now();
    report.play(engine, &mut || stop.load(Ordering::Relaxed) || start.elapsed() >= time);
    report
}

impl Report {
    /// A report of nothing.
    fn new(game: &Game, options: &Simulation) -> Report {
        let role_report = |role: &Term| RoleReport {
            role: role.spelled(&game.symbols),
            chance: game.chance() == Some(role),
            goals: BTreeMap::new(),
            highest: highest_goal(game, role),
        };
        Report {
            options: *options,
            started: 0,
            terminated: 0,
            interrupted: false,
            limit: None,
            stuck: Finding::default(),
            too_long: Finding::default(),
            bad_goal: Finding::default(),
            roles: game.roles.iter().map(role_report).collect(),
            sight: None,
        }
    }

    /// Plays the playouts, until somebody halts them.
    fn play<E: Engine>(&mut self, engine: &E, halted: &mut dyn FnMut() -> bool) {
        let mut scratch = engine.scratch();
        let mut playout = Playout::new(u64::from(self.options.max_steps));
        let mut random = seeded(self.options.seed, 0);
        while self.started < self.options.playouts && self.limit.is_none() {
            if halted() {
                self.interrupted = true;
                break;
            }
            self.started += 1;
            engine.enter(&mut scratch, engine.initial());
            let end = engine.playout(&mut scratch, &mut playout, &mut random, halted);
            let failing =
                |role, what| FailingPlay { moves: canonical_play(engine, &playout), role, what };
            match end {
                End::Terminal => match count_goals(engine, &mut scratch, self) {
                    Ok(bad) => {
                        self.terminated += 1;
                        if let Some((role, error)) = bad {
                            let what = goal_words(&error, engine.symbols());
                            self.bad_goal.note(|| failing(Some(role), what));
                        }
                    }
                    Err(limit) => self.limit = Some(limit),
                },
                End::Capped => {
                    let steps = self.options.max_steps as usize;
                    let what = format!("no end after {}", counted(steps, "joint move"));
                    self.too_long.note(|| failing(None, what));
                }
                End::Stuck(role) => {
                    self.stuck.note(|| failing(Some(role), "no legal move".into()));
                }
                End::Halted => self.interrupted = true,
                End::Limit(limit) => self.limit = Some(limit),
            }
        }
    }

    /// The playouts that were not cut short from outside.
    pub fn finished(&self) -> u64 {
        self.terminated + self.stuck.count + self.too_long.count
    }
}

/// Counts the goals of a terminal state; the first role without one, and why.
fn count_goals<E: Engine>(
    engine: &E,
    scratch: &mut E::Scratch,
    report: &mut Report,
) -> Result<Option<(RoleId, GoalError)>, WorkLimit> {
    let mut bad = None;
    for role in engine.roles().iter() {
        match engine.goal(scratch, role) {
            Ok(value) => *report.roles[role.index()].goals.entry(value).or_insert(0) += 1,
            Err(GoalError::Limit(limit)) => return Err(limit),
            Err(GoalError::Missing) if engine.roles().random() == Some(role) => {}
            Err(error) => _ = bad.get_or_insert((role, error)),
        }
    }
    Ok(bad)
}

impl Finding {
    /// Counts it; the first play that met it is kept.
    fn note(&mut self, play: impl FnOnce() -> FailingPlay) {
        self.count += 1;
        self.first.get_or_insert_with(play);
    }
}

fn goal_words(error: &GoalError, symbols: &SymbolTable) -> String {
    match error {
        GoalError::Improper(values) => {
            let values: Vec<_> = values.iter().map(|value| value.canonical(symbols)).collect();
            format!("{error}: {}", values.join(", "))
        }
        _ => error.to_string(),
    }
}

/// The heads of the rules of `keyword` that may speak of `role`.
fn heads_of<'a>(
    game: &'a Game,
    keyword: Symbol,
    role: &'a Term,
) -> impl Iterator<Item = &'a Sentence> {
    let speaks = move |head: &&Sentence| {
        head.relation == keyword
            && head.args.first().is_some_and(|of| of == role || !of.is_ground())
    };
    game.rules.iter().map(|rule| &rule.head).filter(speaks)
}

/// The goal value of a head: `None` if it is a variable or no value at all.
fn goal_value(game: &Game, head: &Sentence) -> Option<u8> {
    head.args.get(1)?.goal_value(&game.symbols)
}

fn highest_goal(game: &Game, role: &Term) -> u8 {
    let computed = |head: &Sentence| matches!(head.args.get(1), Some(Term::Variable(_)));
    if heads_of(game, Symbol::GOAL, role).any(computed) {
        return 100;
    }
    heads_of(game, Symbol::GOAL, role)
        .filter_map(|head| goal_value(game, head))
        .max()
        .unwrap_or(100)
}

#[cfg(test)]
mod tests {
    use super::diagnostics::difference;
    use super::*;
    use crate::engine::{FactError, MoveId, Roles, StepError};
    use crate::play::information_sets::Untold;
    use crate::play::sight::LookAlike;

    const RULES: &str = "(role walker) (role idler) (legal walker left) (legal walker right)
        (legal idler wait) (goal walker 0) (goal walker 90) (goal idler ?x) terminal";

    /// A walk on a line from 2: `walker` goes left or right, `idler` waits.
    struct Walk {
        game: Game,
        roles: Roles,
        /// Positions that are terminal, with the goals there.
        ends: Vec<(u8, [Result<u8, GoalError>; 2])>,
        /// Where `idler` has no legal move.
        stuck: Option<u8>,
    }

    fn walk(ends: Vec<(u8, [Result<u8, GoalError>; 2])>, stuck: Option<u8>) -> Walk {
        let game = Game::from_kif("walk", RULES).unwrap();
        Walk { roles: Roles::of(&game), game, ends, stuck }
    }

    impl Engine for Walk {
        type State = u8;
        type Scratch = u8;

        fn roles(&self) -> &Roles {
            &self.roles
        }
        fn symbols(&self) -> &SymbolTable {
            &self.game.symbols
        }
        fn moves(&self) -> Option<usize> {
            Some(3)
        }
        fn scratch(&self) -> u8 {
            2
        }
        fn initial(&self) -> &u8 {
            &2
        }
        fn enter(&self, scratch: &mut u8, state: &u8) {
            *scratch = *state;
        }
        fn enter_facts(&self, _: &mut u8, _: &[Term]) -> Result<(), FactError> {
            Err(FactError::Unreachable(None))
        }
        fn save(&self, scratch: &u8, state: &mut u8) {
            *state = *scratch;
        }
        fn terminal(&self, scratch: &mut u8) -> Result<bool, WorkLimit> {
            Ok(self.ends.iter().any(|(end, _)| end == scratch))
        }
        fn legal(
            &self,
            scratch: &mut u8,
            role: RoleId,
            moves: &mut Vec<MoveId>,
        ) -> Result<(), WorkLimit> {
            moves.clear();
            match role {
                RoleId(0) => moves.extend([MoveId(0), MoveId(1)]),
                _ if self.stuck == Some(*scratch) => {}
                _ => moves.push(MoveId(2)),
            }
            Ok(())
        }
        fn goal(&self, scratch: &mut u8, role: RoleId) -> Result<u8, GoalError> {
            let (_, goals) = self.ends.iter().find(|(end, _)| end == scratch).unwrap();
            goals[role.index()].clone()
        }
        fn step(&self, scratch: &mut u8, joint: &[MoveId]) -> Result<(), StepError> {
            *scratch = if joint[0] == MoveId(0) {
                scratch.saturating_sub(1)
            } else {
                (*scratch + 1).min(4)
            };
            Ok(())
        }
        fn facts(&self, _: &u8) -> Vec<Term> {
            Vec::new()
        }
        fn move_term(&self, id: MoveId) -> (RoleId, Term) {
            let name = ["left", "right", "wait"][id.index()];
            let role = RoleId(u16::from(id == MoveId(2)));
            (role, Term::Constant(self.game.symbols.get(name).unwrap()))
        }
        fn move_id(&self, _: RoleId, _: &Term) -> Option<MoveId> {
            None
        }
    }

    fn report(engine: &Walk, playouts: u64, max_steps: u32) -> Report {
        let options = Simulation { playouts, max_steps, seed: 1, situations: 1000 };
        simulate(engine, &engine.game, &options, &AtomicBool::new(false))
    }

    fn codes(engine: &Walk, report: &Report) -> Vec<&'static str> {
        report.diagnostics(&engine.game).iter().map(|d| d.code.as_str()).collect()
    }

    #[test]
    fn a_well_formed_game() {
        let walk = walk(vec![(0, [Ok(0), Ok(100)]), (4, [Ok(90), Ok(0)])], None);
        let report = report(&walk, 100, 1000);
        assert!(report.is_well_formed());
        assert_eq!((report.started, report.terminated), (100, 100));
        assert_eq!([report.roles[0].highest, report.roles[1].highest], [90, 100]);
        assert_eq!(report.roles[0].goals.values().sum::<u64>(), 100);
        assert_eq!(report.roles[0].goals[&90], report.roles[1].goals[&0]);
        assert!(codes(&walk, &report).is_empty());
        assert_eq!(report, super::tests::report(&walk, 100, 1000), "same seed, same report");
    }

    #[test]
    fn a_role_without_a_move() {
        let walk = walk(vec![(0, [Ok(90), Ok(100)])], Some(3));
        let report = report(&walk, 50, 1000);
        assert_eq!(report.stuck.count + report.terminated, 50);
        let play = report.stuck.first.as_ref().unwrap();
        assert_eq!(play.role, Some(RoleId(1)));
        assert_eq!(play.moves.last().unwrap(), &["right", "wait"]);
        assert_eq!(codes(&walk, &report), ["S001"]);
        let diagnostic = &report.diagnostics(&walk.game)[0];
        assert_eq!(&RULES[diagnostic.span.range()], "(legal idler wait)");
        assert!(
            diagnostic.message.starts_with("role `idler`: no legal move in "),
            "{}",
            diagnostic.message
        );
        let help = diagnostic.help.as_deref().unwrap();
        assert!(help.ends_with("add `(<= (legal idler noop) ...)` for such states"), "{help}");
    }

    #[test]
    fn a_game_without_end() {
        let walk = walk(vec![], None);
        let report = report(&walk, 10, 30);
        assert_eq!((report.too_long.count, report.terminated), (10, 0));
        assert_eq!(report.too_long.first.as_ref().unwrap().moves.len(), 30);
        assert_eq!(codes(&walk, &report), ["S002"]);
        let help = report.diagnostics(&walk.game)[0].help.clone().unwrap();
        assert!(help.starts_with("it happens after 22 joint moves and "), "{help}");
    }

    #[test]
    fn the_bound_is_inclusive() {
        let ends = [1, 3].map(|end| (end, [Ok(90), Ok(100)])).to_vec();
        assert_eq!(report(&walk(ends.clone(), None), 10, 1).terminated, 10);
        assert_eq!(report(&walk(ends, None), 10, 0).too_long.count, 10);
    }

    #[test]
    fn goals_that_are_none() {
        let two = ["walker", "idler"]
            .map(|name| Game::from_kif("t", RULES).unwrap().symbols.get(name).unwrap())
            .map(Term::Constant);
        let walk = walk(
            vec![
                (1, [Ok(90), Err(GoalError::Missing)]),
                (3, [Err(GoalError::Improper(two.to_vec())), Ok(100)]),
            ],
            None,
        );
        let report = report(&walk, 20, 10);
        assert_eq!((report.bad_goal.count, report.terminated), (20, 20));
        assert_eq!(codes(&walk, &report), ["S003"]);
        let what = &report.bad_goal.first.as_ref().unwrap().what;
        let expected =
            ["the rules give no goal value", "the rules give 2 goal values: walker, idler"];
        assert!(expected.contains(&what.as_str()), "{what}");
    }

    #[test]
    fn a_role_that_never_wins() {
        let walk = walk(vec![(0, [Ok(0), Ok(50)]), (4, [Ok(90), Ok(0)])], None);
        let report = report(&walk, 100, 1000);
        assert!(report.roles[0].seen_winning() && !report.roles[1].seen_winning());
        assert_eq!(codes(&walk, &report), ["S004"]);
        let diagnostic = &report.diagnostics(&walk.game)[0];
        assert_eq!(&RULES[diagnostic.span.range()], "(goal idler ?x)");
    }

    #[test]
    fn plays_that_look_the_same_are_shown_from_where_they_differ() {
        let play = |moves: &[&str]| moves.iter().map(|&one| vec![one.to_owned()]).collect();
        let difference = |one: &[&str], other: &[&str]| {
            let plays = [play(one), play(other)];
            difference(&LookAlike { role: RoleId(0), untold: Untold::End, plays })
        };
        assert_eq!(difference(&["a"], &["b"]), "`a` looks to it like `b`");
        let long = difference(&["c", "d", "a", "e"], &["c", "d", "b", "e"]);
        assert_eq!(long, "after 2 joint moves, `a, e` looks to it like `b, e`");
        let end = ["z"; 9];
        let longer =
            difference(&[&["c", "a"], &end[..]].concat(), &[&["c", "b"], &end[..]].concat());
        let shown = [
            "after a joint move, `a, z, z, z, z, z, z, z` and 2 more",
            "`b, z, z, z, z, z, z, z` and 2 more",
        ];
        assert_eq!(longer, shown.join(" looks to it like "));
    }

    #[test]
    fn a_role_without_a_rule_for_its_moves() {
        let mut walk = walk(vec![], Some(2));
        let rules = RULES.replace("(legal idler wait)", "");
        walk.game = Game::from_kif("walk", &rules).unwrap();
        let report = report(&walk, 1, 10);
        let diagnostic = &report.diagnostics(&walk.game)[0];
        assert_eq!(diagnostic.message, "role `idler`: no legal move in 1 of 1 playout");
        let help = "it happens in the initial state; a role with nothing to do still moves: \
            add `(legal idler noop)`";
        assert_eq!(diagnostic.help.as_deref(), Some(help));
    }

    #[test]
    fn a_glance_ends_in_time() {
        let walk = walk(vec![], None);
        let options = Simulation { playouts: 1, max_steps: u32::MAX, seed: 1, situations: 0 };
        let time = Duration::from_millis(20);
        let report = glance(&walk, &walk.game, &options, time, &AtomicBool::new(false));
        assert!(report.interrupted);
        assert_eq!((report.started, report.finished()), (1, 0));
        let walk = super::tests::walk(vec![], Some(3));
        let options = Simulation { playouts: 9, ..options };
        let report = glance(&walk, &walk.game, &options, Duration::MAX, &AtomicBool::new(false));
        assert_eq!((report.finished(), report.stuck.count), (9, 9));
    }

    #[test]
    fn a_simulation_can_be_stopped() {
        let walk = walk(vec![], None);
        let options =
            Simulation { playouts: u64::MAX, max_steps: u32::MAX, seed: 1, situations: 1000 };
        let report = simulate(&walk, &walk.game, &options, &AtomicBool::new(true));
        assert!(report.interrupted);
        assert_eq!(report.started, 0);
    }
}
