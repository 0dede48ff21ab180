//! Well-formedness by simulation (SPEC, definitions 21 to 24).
//!
//! Whether a game is playable, ends, and can be won by every role is a question about all
//! its states, which are too many to visit. Random playouts answer it from below: what they
//! run into is a defect for certain, with a play that shows it; what they do not run into
//! may still be there. So a role that never won is only reported as *not seen* winning.

use crate::diagnostic::{Code, Diagnostic, Span};
use crate::engine::{Engine, GoalError, MoveId, RoleId};
use crate::gdl::{Game, Sentence, Symbol, Term};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// How much to simulate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Simulation {
    /// The number of playouts.
    pub playouts: u64,
    /// The joint moves after which a game should have ended.
    pub max_steps: u32,
    /// Where the random numbers start. The same seed and engine give the same report.
    pub seed: u64,
}

/// What the playouts ran into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// What was asked for.
    pub options: Simulation,
    /// The playouts that were started, which are fewer than asked for if interrupted.
    pub started: u64,
    /// The playouts that reached a terminal state within the bound.
    pub terminated: u64,
    /// Whether the simulation was stopped before its last playout. The playout that was cut
    /// short is in `started` only.
    pub interrupted: bool,
    /// Why the simulation ended early, if a state was too much for the engine.
    pub too_much: Option<Diagnostic>,
    /// Playouts that reached a state that is not terminal and in which a role has no legal
    /// move.
    pub stuck: Defect,
    /// Playouts that did not end within the bound.
    pub too_long: Defect,
    /// Terminal states in which a role has not exactly one integer from 0 to 100 as its goal.
    pub bad_goal: Defect,
    /// What each role got, in the order of the roles.
    pub roles: Vec<RoleReport>,
}

/// A defect of the game: how often it was met, and how to get there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Defect {
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
    /// What is wrong there, in words.
    pub what: String,
}

/// The goal values that a role got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoleReport {
    /// The role, as the rulesheet spells it.
    pub role: String,
    /// By goal value: in how many terminal states it was seen.
    pub goals: BTreeMap<u8, u64>,
    /// The highest value that the rules name for the role; 100 if they compute values.
    pub highest: u8,
}

impl RoleReport {
    /// Whether a terminal state with the highest value was seen (SPEC, definition 23: the
    /// role's part of weak winnability).
    pub fn seen_winning(&self) -> bool {
        self.goals.contains_key(&self.highest)
    }
}

/// Plays random games, every role choosing uniformly among its legal moves. Ends early, with
/// a report of what was seen so far, when `stop` becomes true.
pub fn simulate<E: Engine>(engine: &E, options: &Simulation, stop: &AtomicBool) -> Report {
    let game = engine.game();
    let role_report = |role: &Term| RoleReport {
        role: role.spelled(&game.symbols),
        goals: BTreeMap::new(),
        highest: highest_goal(game, role),
    };
    let mut report = Report {
        options: *options,
        started: 0,
        terminated: 0,
        interrupted: false,
        too_much: None,
        stuck: Defect::default(),
        too_long: Defect::default(),
        bad_goal: Defect::default(),
        roles: game.roles.iter().map(role_report).collect(),
    };
    let mut playout = Playout {
        engine,
        scratch: engine.scratch(),
        random: Xoshiro256PlusPlus::seed_from_u64(options.seed),
        legal: Vec::new(),
        joint: Vec::new(),
        played: Vec::new(),
    };
    while report.started < options.playouts {
        if stop.load(Ordering::Relaxed) {
            report.interrupted = true;
            break;
        }
        report.started += 1;
        match playout.run(options.max_steps, stop) {
            Outcome::Terminal => {
                report.terminated += 1;
                playout.goals(&mut report);
            }
            Outcome::TooLong => {
                let what = format!("no end after {} joint moves", options.max_steps);
                playout.note(&mut report.too_long, None, what);
            }
            Outcome::Stuck(role) => {
                playout.note(&mut report.stuck, Some(role), "no legal move".into());
            }
            Outcome::Refused => {
                playout.note(&mut report.stuck, None, "a legal move is refused".into());
            }
            Outcome::Stopped => report.interrupted = true,
            Outcome::TooMuchWork(reason) => {
                report.too_much = Some(reason);
                break;
            }
        }
    }
    report
}

/// How a playout ends.
enum Outcome {
    Terminal,
    TooLong,
    Stuck(RoleId),
    /// The engine does not play a move that it gave as legal: a defect of the engine.
    Refused,
    Stopped,
    TooMuchWork(Diagnostic),
}

/// One playout after another, with what they write on.
struct Playout<'a, E: Engine> {
    engine: &'a E,
    scratch: E::Scratch,
    random: Xoshiro256PlusPlus,
    legal: Vec<MoveId>,
    joint: Vec<MoveId>,
    /// The moves of the playout, joint move by joint move.
    played: Vec<MoveId>,
}

impl<E: Engine> Playout<'_, E> {
    fn run(&mut self, max_steps: u32, stop: &AtomicBool) -> Outcome {
        self.played.clear();
        self.engine.enter(&mut self.scratch, self.engine.initial());
        let mut steps = 0;
        while !self.engine.terminal(&mut self.scratch) {
            if stop.load(Ordering::Relaxed) {
                return Outcome::Stopped;
            }
            if steps == max_steps {
                return Outcome::TooLong;
            }
            self.joint.clear();
            for role in role_ids(self.engine.game()) {
                self.engine.legal(&mut self.scratch, role, &mut self.legal);
                match self.legal.choose(&mut self.random) {
                    Some(&chosen) => self.joint.push(chosen),
                    None => {
                        let reason = self.engine.gave_up(&self.scratch);
                        return reason.map_or(Outcome::Stuck(role), Outcome::TooMuchWork);
                    }
                }
            }
            if let Some(reason) = self.engine.gave_up(&self.scratch) {
                return Outcome::TooMuchWork(reason);
            }
            if self.engine.step(&mut self.scratch, &self.joint).is_err() {
                return Outcome::Refused;
            }
            self.played.extend_from_slice(&self.joint);
            steps += 1;
        }
        self.engine.gave_up(&self.scratch).map_or(Outcome::Terminal, Outcome::TooMuchWork)
    }

    /// Asks for the goals in a terminal state.
    fn goals(&mut self, report: &mut Report) {
        let mut bad = None;
        for role in role_ids(self.engine.game()) {
            match self.engine.goal(&mut self.scratch, role) {
                Ok(value) => {
                    let goals = &mut report.roles[usize::from(role.0)].goals;
                    *goals.entry(value).or_insert(0) += 1;
                }
                Err(error) => _ = bad.get_or_insert((role, error)),
            }
        }
        if let Some((role, error)) = bad {
            let what = goal_words(&error, self.engine.game());
            self.note(&mut report.bad_goal, Some(role), what);
        }
    }

    fn note(&self, defect: &mut Defect, role: Option<RoleId>, what: String) {
        defect.count += 1;
        if defect.first.is_none() {
            let symbols = &self.engine.game().symbols;
            let words = |id: &MoveId| self.engine.move_term(&self.scratch, *id).canonical(symbols);
            let roles = self.engine.game().roles.len().max(1);
            let moves = self.played.chunks(roles).map(|joint| joint.iter().map(words).collect());
            defect.first = Some(FailingPlay { moves: moves.collect(), role, what });
        }
    }
}

fn role_ids(game: &Game) -> impl Iterator<Item = RoleId> + use<> {
    let count = u16::try_from(game.roles.len()).unwrap_or(u16::MAX);
    (0..count).map(RoleId)
}

fn goal_words(error: &GoalError, game: &Game) -> String {
    match error {
        GoalError::Missing => error.to_string(),
        GoalError::Improper(values) => {
            let values: Vec<_> = values.iter().map(|v| v.canonical(&game.symbols)).collect();
            format!("{error}: {}", values.join(", "))
        }
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
    match head.args.get(1)? {
        Term::Constant(symbol) => {
            game.symbols.spelling(*symbol).parse().ok().filter(|value| *value <= 100)
        }
        _ => None,
    }
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

/// How many joint moves of a failing play a diagnostic shows.
const SHOWN_MOVES: usize = 8;

impl Report {
    /// Whether no defect was met and every role was seen winning.
    pub fn is_well_formed(&self) -> bool {
        self.stuck.count == 0
            && self.too_long.count == 0
            && self.bad_goal.count == 0
            && self.roles.iter().all(RoleReport::seen_winning)
    }

    /// The report as diagnostics (S001 to S004) about the rules of the game that was played.
    pub fn diagnostics(&self, game: &Game) -> Vec<Diagnostic> {
        let mut found: Vec<Diagnostic> = self.too_much.iter().cloned().collect();
        let legal = |role: Option<RoleId>| first_head(game, Symbol::LEGAL, role);
        found.extend(self.defect(Code::Unplayable, &self.stuck, legal));
        let terminal = |_| {
            let mut heads = game.rules.iter().map(|rule| &rule.head);
            heads.find(|head| head.relation == Symbol::TERMINAL).map(|head| head.span)
        };
        found.extend(self.defect(Code::NoTermination, &self.too_long, terminal));
        let goal = |role: Option<RoleId>| first_head(game, Symbol::GOAL, role);
        found.extend(self.defect(Code::BadGoal, &self.bad_goal, goal));
        for (role, report) in game.roles.iter().zip(&self.roles) {
            // Without a terminal state there is nothing to say about winning.
            if self.terminated > 0 && !report.seen_winning() {
                found.push(self.not_seen_winning(game, role, report));
            }
        }
        found.sort_by_key(|diagnostic| (diagnostic.span, diagnostic.code));
        found
    }

    fn defect(
        &self,
        code: Code,
        defect: &Defect,
        place: impl Fn(Option<RoleId>) -> Option<Span>,
    ) -> Option<Diagnostic> {
        let play = defect.first.as_ref()?;
        let role = play.role.and_then(|role| self.roles.get(usize::from(role.0)));
        let whose = role.map_or(String::new(), |report| format!("role `{}`: ", report.role));
        let message =
            format!("{whose}{} in {} of {} playouts", play.what, defect.count, self.started);
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
            "role `{name}` was not seen to reach {} in {} terminal states",
            report.highest, self.terminated
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
        let joint = |moves: &Vec<String>| moves.join(" ");
        let line = shown.iter().map(joint).collect::<Vec<_>>().join(", ");
        match self.moves.len() - shown.len() {
            0 => format!("it happens after {line}"),
            more => format!("it happens after {more} joint moves and {line}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::StepError;

    const RULES: &str = "(role walker) (role idler) (legal walker left) (legal walker right)
        (legal idler wait) (goal walker 0) (goal walker 90) (goal idler ?x) terminal";

    /// A walk on a line from 2: `walker` goes left or right, `idler` waits.
    struct Walk {
        game: Game,
        /// Positions that are terminal, with the goals there.
        ends: Vec<(u8, [Result<u8, GoalError>; 2])>,
        /// Where `idler` has no legal move.
        stuck: Option<u8>,
    }

    fn walk(ends: Vec<(u8, [Result<u8, GoalError>; 2])>, stuck: Option<u8>) -> Walk {
        Walk { game: Game::from_kif("walk", RULES).unwrap(), ends, stuck }
    }

    impl Engine for Walk {
        type State = u8;
        type Scratch = u8;

        fn game(&self) -> &Game {
            &self.game
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
        fn state(&self, scratch: &u8) -> u8 {
            *scratch
        }
        fn terminal(&self, scratch: &mut u8) -> bool {
            self.ends.iter().any(|(end, _)| end == scratch)
        }
        fn legal(&self, scratch: &mut u8, role: RoleId, moves: &mut Vec<MoveId>) {
            moves.clear();
            match role {
                RoleId(0) => moves.extend([MoveId(0), MoveId(1)]),
                _ if self.stuck == Some(*scratch) => {}
                _ => moves.push(MoveId(2)),
            }
        }
        fn goal(&self, scratch: &mut u8, role: RoleId) -> Result<u8, GoalError> {
            let (_, goals) = self.ends.iter().find(|(end, _)| end == scratch).unwrap();
            goals[usize::from(role.0)].clone()
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
        fn move_term(&self, _: &u8, id: MoveId) -> Term {
            let name = ["left", "right", "wait"][id.0 as usize];
            Term::Constant(self.game.symbols.get(name).unwrap())
        }
        fn move_id(&self, _: &mut u8, _: &Term) -> Option<MoveId> {
            None
        }
    }

    fn report(engine: &Walk, playouts: u64, max_steps: u32) -> Report {
        let options = Simulation { playouts, max_steps, seed: 1 };
        simulate(engine, &options, &AtomicBool::new(false))
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
        let found = &report.diagnostics(&walk.game)[0];
        assert_eq!(&RULES[found.span.range()], "(legal idler wait)");
        assert!(found.message.starts_with("role `idler`: no legal move in "), "{}", found.message);
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
        let found = &report.diagnostics(&walk.game)[0];
        assert_eq!(&RULES[found.span.range()], "(goal idler ?x)");
    }

    #[test]
    fn a_simulation_can_be_stopped() {
        let walk = walk(vec![], None);
        let options = Simulation { playouts: u64::MAX, max_steps: u32::MAX, seed: 1 };
        let report = simulate(&walk, &options, &AtomicBool::new(true));
        assert!(report.interrupted);
        assert_eq!(report.started, 0);
    }
}
