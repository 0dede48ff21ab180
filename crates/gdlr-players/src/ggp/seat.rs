//! One role of a match: what happens to the state, and the player who is asked for moves.
//!
//! Play begins on the trees. Whenever a net has become ready, the state goes over to it by its
//! facts, between two turns.
//!
//! In a game with rules for `sees` the seat never has the state: it is told what its role did and
//! saw, and has the states that agree with that from a [`Sampler`].

use super::thought::{Thought, View};
use crate::player::{Clock, Player, Start, Turn};
use crate::set_up::Handover;
use gdlr_engine::engine::{
    AnyEngine, AnyScratch, Engine, EngineKind, MoveId, RoleId, StepError, WorkLimit, choose, seeded,
};
use gdlr_engine::play::report::Report;
use gdlr_engine::play::sampler::{DEFAULT_CANDIDATES, Observation, ObservationError, Sampler};
use gdlr_rules::gdl::Term;
use hashbrown::HashSet;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// How long the end of a match is thought about, where the state is hidden.
const FAREWELL: Duration = Duration::from_millis(200);

/// How often who waits for engines looks at the clock.
const LOOK: Duration = Duration::from_millis(20);

/// A role of a match that is played.
pub struct Seat {
    handover: Arc<Handover>,
    engine: AnyEngine,
    kind: EngineKind,
    scratch: AnyScratch,
    /// Where rules for `sees` hide the state. The scratch is memory to use, then.
    sampler: Option<Sampler>,
    role: RoleId,
    step: u64,
    player: Box<dyn Player>,
    /// The last turn, if there was one.
    turn: Option<LastTurn>,
}

/// A turn that the player has taken.
struct LastTurn {
    step: u64,
    chosen: MoveId,
    /// How many legal moves there were.
    legal: usize,
    left: Duration,
}

/// Why a turn is none.
#[derive(Clone, Debug, PartialEq)]
pub enum SeatError {
    /// The role has no such move; so the joint move that was told cannot be played.
    NoMove(RoleId, Term),
    /// The joint move that was told cannot be played.
    Step(StepError),
    /// The state is hidden, and nothing that can have been played agrees with what was told.
    Impossible,
    /// The state is hidden, and none was found in time that agrees with what was told.
    Dry,
    /// The match is over.
    Terminal,
    /// The role has no legal move.
    Stuck,
    /// The state is too much for the engine.
    Limit(WorkLimit),
}

impl fmt::Display for SeatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SeatError::NoMove(role, _) => write!(f, "the role number {} has no such move", role.0),
            SeatError::Step(error) => error.fmt(f),
            SeatError::Impossible => f.write_str("what was told cannot have come about"),
            SeatError::Dry => f.write_str("no state was found that agrees with what was told"),
            SeatError::Terminal => f.write_str("the match is over"),
            SeatError::Stuck => f.write_str("the role has no legal move"),
            SeatError::Limit(limit) => limit.fmt(f),
        }
    }
}

impl std::error::Error for SeatError {}

impl Seat {
    /// Takes a seat in a match that is played on these engines, and tells the player, who is back
    /// before `clock` is over; waits for the lanes until then, if the player wants that. Other seats may share the engines.
    pub fn take(
        handover: Arc<Handover>,
        role: RoleId,
        play_clock: Duration,
        clock: &Clock,
        mut player: Box<dyn Player>,
    ) -> Seat {
        let engine = best(&handover, &*player).0;
        player.start(&Start { engine: &engine, role, play_clock, clock });
        while player.waits_for_lanes() && !clock.is_over() && !handover.wait(LOOK) {}
        let (engine, kind) = best(&handover, &*player);
        let scratch = engine.scratch();
        let hidden = || Sampler::new(engine.clone(), role, DEFAULT_CANDIDATES);
        let sampler = engine.has_percepts().then(hidden);
        Seat { handover, engine, kind, scratch, sampler, role, step: 0, player, turn: None }
    }

    /// Whom the player plays.
    pub fn role(&self) -> RoleId {
        self.role
    }

    /// The engine that is played on at present, which knows the names of roles and moves.
    pub fn engine(&self) -> &AnyEngine {
        &self.engine
    }

    /// Goes on by what was told of the `last` step, if there was one, and asks the player for a
    /// move. A player who gives no legal one plays a legal move at random. Up to half of the clock
    /// goes into finding states, where they are hidden.
    ///
    /// # Errors
    ///
    /// When there was no such step: the seat then stays where it was. When the match is over by
    /// then, the state is too much for the engine, or it is hidden and none was found.
    pub fn play(&mut self, last: Option<&Observation>, clock: &Clock) -> Result<Term, SeatError> {
        self.turn = None;
        self.advance(last, false, clock.left() / 2, clock)?;
        self.take_better();
        let mut rng = seeded(self.step, self.role.index());
        if let Some(sampler) = &self.sampler {
            let candidate = sampler.draw(&mut rng).ok_or(SeatError::Dry)?;
            self.engine.enter(&mut self.scratch, &candidate.state);
        }
        let mut legal = Vec::new();
        if self.engine.terminal(&mut self.scratch).map_err(SeatError::Limit)? {
            return Err(SeatError::Terminal);
        }
        match &mut self.sampler {
            Some(sampler) => sampler.legal(&mut legal),
            None => {
                let (engine, scratch) = (&self.engine, &mut self.scratch);
                engine.legal(scratch, self.role, &mut legal).map_err(SeatError::Limit)?;
            }
        }
        let any = choose(&legal, &mut rng).ok_or(SeatError::Stuck)?;
        let state = self.engine.state(&self.scratch);
        let (engine, role, step, sampler) =
            (&self.engine, self.role, self.step, self.sampler.as_ref());
        let lanes = self.handover.batch();
        let lanes = lanes.as_ref();
        let (state, legal_now) = (&state, &legal[..]);
        let turn =
            Turn { engine, state, sampler, role, legal: legal_now, last, step, clock, lanes };
        let chosen = self.player.play(&turn);
        let chosen = if legal.contains(&chosen) { chosen } else { any };
        self.turn = Some(LastTurn { step, chosen, legal: legal.len(), left: clock.left() });
        Ok(self.engine.move_term(chosen).1)
    }

    /// The joint move of the next step, of which one move is told: one role does it, and every other
    /// role has no choice. Nothing if there is no such role, or the state is hidden.
    pub fn joint_of(&mut self, action: &Term) -> Option<Vec<Term>> {
        if self.sampler.is_some() {
            return None;
        }
        let Seat { engine, scratch, .. } = self;
        let (mut joint, mut mover, mut legal) = (Vec::new(), None, Vec::new());
        for role in engine.roles().iter() {
            engine.legal(scratch, role, &mut legal).ok()?;
            let own = engine.move_id(role, action).filter(|own| legal.contains(own));
            let does = match (own, mover, &legal[..]) {
                (Some(own), None, _) => {
                    mover = Some(role);
                    own
                }
                (_, _, &[only]) => only,
                _ => return None,
            };
            joint.push(engine.move_term(does).1);
        }
        mover.map(|_| joint)
    }

    /// The evaluation of the turn, if the player has just had one and there was a choice. Moves
    /// are those of the engine that is played on at present.
    pub fn report(&self) -> Option<Report> {
        let had_choice = self.turn.as_ref().is_some_and(|turn| turn.legal > 1);
        if had_choice { self.player.report() } else { None }
    }

    /// The same in the words of the game; nothing but the move, if there was no choice.
    pub fn thought(&self) -> Option<Thought> {
        let LastTurn { step, chosen, legal, left } = *self.turn.as_ref()?;
        let engine = &self.engine;
        Some(Thought {
            step,
            role: engine.roles().name(self.role).to_lowercase(),
            chosen: engine.move_term(chosen).1.canonical(engine.symbols()),
            legal,
            left,
            view: self.report().map(|report| View::new(&report, engine)),
        })
    }

    /// The match is over, after the `last` step if there is one, or broken off: what the role has
    /// achieved, if it is over, and if that can be told where the state is hidden.
    pub fn stop(mut self, last: Option<&Observation>) -> Option<u8> {
        let clock = Clock::new(FAREWELL);
        let goal = self.advance(last, true, FAREWELL, &clock).ok().and_then(|()| self.goal());
        self.player.stop(goal);
        goal
    }

    /// The goal value of the role, if the match is over.
    fn goal(&mut self) -> Option<u8> {
        let Seat { engine, scratch, sampler, role, .. } = self;
        let Some(sampler) = sampler else {
            let is_over = engine.terminal(scratch).unwrap_or_default();
            return is_over.then(|| engine.goal(scratch, *role).ok()).flatten();
        };
        let goals = sampler.candidates().map(|(candidate, _)| {
            engine.enter(scratch, &candidate.state);
            let is_over = engine.terminal(scratch).unwrap_or_default();
            is_over.then(|| engine.goal(scratch, *role).ok()).flatten()
        });
        let goals = goals.collect::<HashSet<Option<u8>>>();
        if goals.len() == 1 { goals.into_iter().next().flatten() } else { None }
    }

    /// Goes on by what was told of a step, which takes so much time at most. `over` is whether the
    /// match is over by it.
    fn advance(
        &mut self,
        last: Option<&Observation>,
        over: bool,
        time: Duration,
        clock: &Clock,
    ) -> Result<(), SeatError> {
        let Some(last) = last else { return Ok(()) };
        match (&mut self.sampler, last) {
            (_, Observation::Joint(joint)) if joint.len() != self.engine.roles().count() => {
                return Err(SeatError::Step(StepError::WrongLength));
            }
            (Some(sampler), observation) => {
                let mut rng = seeded(self.step, self.role.index());
                let end = clock.left().saturating_sub(time);
                let is_over = || clock.left() <= end;
                sampler.observe(observation.clone(), over, &mut rng, &is_over).map_err(|why| {
                    match why {
                        ObservationError::NoMove(role, term) => SeatError::NoMove(role, term),
                        ObservationError::Impossible => SeatError::Impossible,
                    }
                })?;
            }
            (None, Observation::Joint(joint)) => {
                let ids = self.engine.roles().iter().zip(joint).map(|(role, term)| {
                    let id = self.engine.move_id(role, term);
                    id.ok_or_else(|| SeatError::NoMove(role, term.clone()))
                });
                let joint = ids.collect::<Result<Vec<MoveId>, _>>()?;
                self.engine.step(&mut self.scratch, &joint).map_err(SeatError::Step)?;
            }
            // Where nothing is hidden this is less than there is to be told.
            (None, Observation::Own { .. }) => return Err(SeatError::Step(StepError::WrongLength)),
        }
        self.step += 1;
        Ok(())
    }

    /// Goes over to the net, if it is ready.
    fn take_better(&mut self) {
        let (engine, kind) = best(&self.handover, &*self.player);
        if kind == self.kind {
            return;
        }
        if let Some(sampler) = &mut self.sampler {
            if sampler.change_engine(&engine) {
                self.scratch = engine.scratch();
                (self.engine, self.kind) = (engine, kind);
            }
        } else {
            let facts = self.engine.facts(&self.engine.state(&self.scratch));
            let mut scratch = engine.scratch();
            if engine.enter_facts(&mut scratch, &facts).is_ok() {
                (self.engine, self.kind, self.scratch) = (engine, kind, scratch);
            }
        }
    }
}

/// The engine for a player, as far as it is ready.
fn best(handover: &Handover, player: &dyn Player) -> (AnyEngine, EngineKind) {
    match player.plays_in_lanes() {
        true => handover.best(),
        false => handover.best_of_single_states(),
    }
}

impl fmt::Debug for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Seat");
        debug.field("role", &self.role).field("step", &self.step).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::ThinkingPlayer;
    use crate::search::{DEFAULT_MEMORY, Search};
    use crate::set_up::SetUp;
    use gdlr_engine::play::DEFAULT_MAX_STEPS;
    use gdlr_engine::play::report::Estimate;
    use gdlr_engine::play::thinker::Thinker;
    use gdlr_rules::gdl::Game;
    use std::sync::Mutex;

    fn engines(name: &str, text: &str) -> Arc<Handover> {
        let game = Game::from_kif(name, text).expect("a rulesheet");
        Arc::new(SetUp::default().start(game).expect("engines"))
    }

    /// Tells a seat of a joint move.
    fn play(seat: &mut Seat, joint: &[Term]) -> Result<Term, SeatError> {
        let clock = Clock::new(Duration::from_secs(100));
        seat.play(Some(&Observation::Joint(joint.to_vec())), &clock)
    }

    #[test]
    fn a_player_gets_the_engine_that_suits_it() {
        let game = Game::from_kif("nim", include_str!("../../../../kif/nim.kif")).expect("nim");
        let started = SetUp::default().start(game).expect("engines");
        while !started.wait(Duration::from_secs(1)) {}
        let first = (started.first().clone(), EngineKind::Tree);
        let both = Handover::of_both(first, started.best().0);
        let kind = |player: &dyn Player| best(&both, player).1;
        let search = || Search::new(0, DEFAULT_MEMORY);
        assert_eq!(kind(&search()), EngineKind::Propnet);
        assert_eq!(kind(&search().by_alpha_beta()), EngineKind::Tree);
        let random = ThinkingPlayer::new(Thinker::Random, 1, DEFAULT_MAX_STEPS);
        assert_eq!(kind(&random), EngineKind::Tree);
    }

    #[test]
    fn two_seats_play_a_match() {
        let engines = engines("tictactoe", include_str!("../../../../kif/tictactoe.kif"));
        let clock = Clock::new(Duration::from_secs(100));
        let mut seats: Vec<Seat> = (0..2)
            .map(|role| {
                let player = ThinkingPlayer::new(Thinker::Random, 1, DEFAULT_MAX_STEPS);
                let time = Duration::from_secs(1);
                Seat::take(engines.clone(), RoleId(role), time, &clock, Box::new(player))
            })
            .collect();
        let mut last = None;
        let mut steps = 0;
        loop {
            let joint: Result<Vec<Term>, SeatError> =
                seats.iter_mut().map(|seat| seat.play(last.as_ref(), &clock)).collect();
            match joint {
                Ok(joint) => last = Some(Observation::Joint(joint)),
                Err(error) => {
                    assert_eq!(error, SeatError::Terminal);
                    break;
                }
            }
            steps += 1;
        }
        assert!((5..=9).contains(&steps));
        // The first seat went on before it saw the end; the second one has not.
        let second = seats.pop().expect("two seats").stop(last.as_ref());
        let first = seats.pop().expect("two seats").stop(None);
        assert_eq!(first.zip(second).map(|(a, b)| a + b), Some(100));
    }

    /// Takes the last move, and says so.
    struct Talker(Option<Report>);

    impl Player for Talker {
        fn play(&mut self, turn: &Turn<'_>) -> MoveId {
            let expects = |id| Estimate { id, visits: 1, mean: Some(50.0), certain: None };
            let estimates = turn.legal.iter().rev().copied().map(expects).collect();
            let chosen = *turn.legal.last().expect("a move");
            let main_line = vec![vec![chosen, turn.legal[0]]];
            self.0 = Some(Report { estimates, main_line, ..Report::default() });
            chosen
        }

        fn report(&self) -> Option<Report> {
            self.0.clone()
        }
    }

    #[test]
    fn what_a_player_thinks_is_told_of_its_last_turn() {
        let engines = engines("tictactoe", include_str!("../../../../kif/tictactoe.kif"));
        let clock = Clock::new(Duration::from_secs(100));
        let time = Duration::from_secs(1);
        let mut seat = Seat::take(engines, RoleId(0), time, &clock, Box::new(Talker(None)));
        assert_eq!(seat.thought(), None);
        let first = seat.play(None, &clock).expect("a move");
        let name = |seat: &Seat, term: &Term| term.canonical(seat.engine().symbols());
        let thought = seat.thought().expect("a thought");
        assert_eq!((thought.step, thought.legal), (0, 9));
        assert_eq!((&thought.role[..], &thought.chosen), ("crosses", &name(&seat, &first)));
        assert!(thought.left > Duration::from_secs(90));
        let view = thought.view.expect("a view");
        assert_eq!(view.estimates.len(), 9);
        assert_eq!(view.estimates[0].chosen, thought.chosen);
        assert_eq!(view.main_line[0], [thought.chosen, view.estimates[8].chosen.clone()]);
        // The only move is no opinion, whatever the player still has in mind.
        let wait = seat.engine().symbols().get("wait").map(Term::Constant).expect("a symbol");
        let second = play(&mut seat, &[first, wait.clone()]).expect("a move");
        let thought = seat.thought().expect("a thought");
        assert_eq!((&thought.chosen, thought.legal, thought.step), (&name(&seat, &wait), 1, 1));
        assert_eq!((thought.view, seat.report()), (None, None));
        // A turn that was none leaves nothing to tell.
        assert!(play(&mut seat, &[second]).is_err() && seat.thought().is_none());
    }

    #[test]
    fn what_cannot_be_played_is_refused() {
        let engines = engines("nim", include_str!("../../../../kif/nim.kif"));
        let player = ThinkingPlayer::new(Thinker::Random, 1, DEFAULT_MAX_STEPS);
        let clock = Clock::new(Duration::from_secs(100));
        let time = Duration::from_secs(1);
        let mut seat = Seat::take(engines, RoleId(0), time, &clock, Box::new(player));
        let role = seat.engine().roles().name(RoleId(0)).to_owned();
        assert!(!role.is_empty());
        let chosen = seat.play(None, &clock).expect("a move");
        let error = play(&mut seat, std::slice::from_ref(&chosen));
        assert_eq!(error, Err(SeatError::Step(StepError::WrongLength)));
        let error = play(&mut seat, &[chosen.clone(), chosen.clone()]);
        assert!(matches!(error, Err(SeatError::NoMove(..) | SeatError::Step(_))), "{error:?}");
        let error = play(&mut seat, &vec![chosen; 3]);
        assert_eq!(error, Err(SeatError::Step(StepError::WrongLength)));
        // It still knows where it is.
        assert!(seat.play(None, &clock).is_ok());
    }

    /// Plays the first of its moves that is not the last one, and writes down what it was told.
    struct Scribe(Arc<Mutex<Vec<String>>>);

    impl Player for Scribe {
        fn play(&mut self, turn: &Turn<'_>) -> MoveId {
            let symbols = turn.engine.symbols();
            let spelled = |terms: &[Term]| {
                terms.iter().map(|term| term.canonical(symbols)).collect::<Vec<_>>().join(" ")
            };
            let observation = match turn.last {
                None => "nothing".to_owned(),
                Some(Observation::Joint(joint)) => format!("all: {}", spelled(joint)),
                Some(Observation::Own { action, percepts }) => {
                    format!("{}: {}", action.canonical(symbols), spelled(percepts))
                }
            };
            let sampler = turn.sampler.expect("a game with percepts");
            assert!(sampler.candidates().any(|(candidate, _)| candidate.state == *turn.state));
            let count = sampler.candidates().count();
            self.0.lock().expect("a lock").push(format!("{observation} [{count}]"));
            turn.legal[0]
        }
    }

    #[test]
    fn a_seat_follows_by_what_its_role_sees() {
        let engines = engines("monty_hall", include_str!("../../../../kif/monty_hall.kif"));
        while !engines.wait(Duration::from_secs(60)) {}
        let written = Arc::new(Mutex::new(Vec::new()));
        let clock = Clock::new(Duration::from_secs(100));
        let player = Box::new(Scribe(written.clone()));
        let mut seat = Seat::take(engines, RoleId(0), Duration::from_secs(1), &clock, player);
        let own = |seat: &Seat, action: &Term, percepts: &[&str]| {
            let symbols = seat.engine().symbols();
            let term = |text: &&str| {
                let document = gdlr_text::kif::read(text).expect("KIF");
                Term::from_expr(&document.items[0], symbols).expect("a term of the game")
            };
            Observation::Own {
                action: action.clone(),
                percepts: percepts.iter().map(term).collect(),
            }
        };
        let mut observation = None;
        let sees: [&[&str]; 3] = [&[], &[], &["(goat 3)"]];
        let mut actions = Vec::new();
        for percepts in sees {
            let action = seat.play(observation.as_ref(), &clock).expect("a move");
            actions.push(action.canonical(seat.engine().symbols()));
            // The door that opens is another one.
            let door =
                if actions.contains(&"(pick 3)".to_owned()) { "(goat 1)" } else { "(goat 3)" };
            let percepts: Vec<&str> = percepts.iter().map(|_| door).collect();
            observation = Some(own(&seat, &action, &percepts));
        }
        // An impossible step is refused, and the seat stays where it was.
        let wrong = own(&seat, &seat.engine().move_term(MoveId(0)).1, &["(prize 1)"]);
        let refused = seat.play(Some(&wrong), &clock);
        assert!(
            matches!(refused, Err(SeatError::Impossible | SeatError::NoMove(..))),
            "{refused:?}"
        );
        let short = Observation::Joint(vec![seat.engine().move_term(MoveId(0)).1]);
        let refused = seat.play(Some(&short), &clock);
        assert_eq!(refused, Err(SeatError::Step(StepError::WrongLength)));
        let last = seat.play(observation.as_ref(), &clock).expect("a move");
        let written = written.lock().expect("a lock").clone();
        assert_eq!(written[..3], ["nothing [1]", "wait:  [3]", &format!("{}:  [3]", actions[1])]);
        assert!(written[3].starts_with("wait: (goat ") && written[3].ends_with(" [2]"));
        // The prize is where the candidate ends up, or it is not.
        let car = if written[3].contains("(goat 1)") { "(prize 2)" } else { "(prize 1)" };
        let observation = own(&seat, &last, &[car]);
        assert!(matches!(seat.stop(Some(&observation)), Some(0 | 100)));
    }
}
