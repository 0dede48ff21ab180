//! One role of a match: what happens to the state, and the player who is asked for moves.
//!
//! Play begins on the trees. Whenever a net has become ready, the state goes over to it by its
//! facts, between two turns.

use super::thought::{Thought, View};
use crate::engine::{
    AnyEngine, AnyScratch, Engine, EngineKind, MoveId, RoleId, StepError, WorkLimit, choose, seeded,
};
use crate::gdl::Term;
use crate::play::player::{Clock, Player, Start, Turn};
use crate::play::report::Report;
use crate::set_up::Handover;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// How often who waits for engines looks at the clock.
const LOOK: Duration = Duration::from_millis(20);

/// A role of a match that is played.
pub struct Seat {
    handover: Arc<Handover>,
    engine: AnyEngine,
    kind: EngineKind,
    scratch: AnyScratch,
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
        let engine = handover.best().0;
        player.start(&Start { engine: &engine, role, play_clock, clock });
        while player.waits_for_lanes() && !clock.is_over() && !handover.wait(LOOK) {}
        let (engine, kind) = handover.best();
        let scratch = engine.scratch();
        Seat { handover, engine, kind, scratch, role, step: 0, player, turn: None }
    }

    /// Whom the player plays.
    pub fn role(&self) -> RoleId {
        self.role
    }

    /// The engine that is played on at present, which knows the names of roles and moves.
    pub fn engine(&self) -> &AnyEngine {
        &self.engine
    }

    /// Goes on by the joint move `last`, if there was one, and asks the player for a move. A
    /// player who gives no legal one plays a legal move at random.
    ///
    /// # Errors
    ///
    /// When there was no such joint move: the seat then stays where it was. When the match is
    /// over by then, or the state is too much for the engine.
    pub fn play(&mut self, last: &[Term], clock: &Clock) -> Result<Term, SeatError> {
        self.turn = None;
        self.advance(last)?;
        self.take_better();
        let mut legal = Vec::new();
        if self.engine.terminal(&mut self.scratch).map_err(SeatError::Limit)? {
            return Err(SeatError::Terminal);
        }
        self.engine.legal(&mut self.scratch, self.role, &mut legal).map_err(SeatError::Limit)?;
        let mut rng = seeded(self.step, 0);
        let any = choose(&legal, &mut rng).ok_or(SeatError::Stuck)?;
        let state = self.engine.state(&self.scratch);
        let (engine, role, step) = (&self.engine, self.role, self.step);
        let lanes = self.handover.batch();
        let lanes = lanes.as_ref();
        let turn = Turn { engine, state: &state, role, legal: &legal, last, step, clock, lanes };
        let chosen = self.player.play(&turn);
        let chosen = if legal.contains(&chosen) { chosen } else { any };
        self.turn = Some(LastTurn { step, chosen, legal: legal.len(), left: clock.left() });
        Ok(self.engine.move_term(chosen).1)
    }

    /// What the player thought of its turn, if it has just had one and there was a choice. Moves
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

    /// The match is over, after the joint move `last` if there is one, or broken off.
    pub fn stop(mut self, last: &[Term]) -> Option<u8> {
        let is_over = self.advance(last).is_ok()
            && self.engine.terminal(&mut self.scratch).unwrap_or_default();
        let goal = is_over.then(|| self.engine.goal(&mut self.scratch, self.role).ok()).flatten();
        self.player.stop(goal);
        goal
    }

    fn advance(&mut self, last: &[Term]) -> Result<(), SeatError> {
        if last.is_empty() {
            return Ok(());
        }
        if last.len() != self.engine.roles().count() {
            return Err(SeatError::Step(StepError::WrongLength));
        }
        let roles = self.engine.roles().iter();
        let ids = roles.zip(last).map(|(role, term)| {
            let id = self.engine.move_id(role, term);
            id.ok_or_else(|| SeatError::NoMove(role, term.clone()))
        });
        let joint = ids.collect::<Result<Vec<MoveId>, _>>()?;
        self.engine.step(&mut self.scratch, &joint).map_err(SeatError::Step)?;
        self.step += 1;
        Ok(())
    }

    /// Goes over to the net, if it is ready.
    fn take_better(&mut self) {
        let (engine, kind) = self.handover.best();
        if kind != self.kind {
            let facts = self.engine.facts(&self.engine.state(&self.scratch));
            let mut scratch = engine.scratch();
            if engine.enter_facts(&mut scratch, &facts).is_ok() {
                (self.engine, self.kind, self.scratch) = (engine, kind, scratch);
            }
        }
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
    use crate::gdl::Game;
    use crate::play::DEFAULT_MAX_STEPS;
    use crate::play::player::ThinkingPlayer;
    use crate::play::report::Estimate;
    use crate::play::thinker::Thinker;
    use crate::set_up::SetUp;

    fn engines(name: &str, text: &str) -> Arc<Handover> {
        let game = Game::from_kif(name, text).expect("a rulesheet");
        Arc::new(SetUp::default().start(game).expect("engines"))
    }

    #[test]
    fn two_seats_play_a_match() {
        let engines = engines("tictactoe", include_str!("../../kif/tictactoe.kif"));
        let clock = Clock::new(Duration::from_secs(100));
        let mut seats: Vec<Seat> = (0..2)
            .map(|role| {
                let player = ThinkingPlayer::new(Thinker::Random, 1, DEFAULT_MAX_STEPS);
                let time = Duration::from_secs(1);
                Seat::take(engines.clone(), RoleId(role), time, &clock, Box::new(player))
            })
            .collect();
        let mut last = Vec::new();
        let mut steps = 0;
        loop {
            let joint: Result<Vec<Term>, SeatError> =
                seats.iter_mut().map(|seat| seat.play(&last, &clock)).collect();
            match joint {
                Ok(joint) => last = joint,
                Err(error) => {
                    assert_eq!(error, SeatError::Terminal);
                    break;
                }
            }
            steps += 1;
        }
        assert!((5..=9).contains(&steps));
        // The first seat went on before it saw the end; the second one has not.
        let second = seats.pop().expect("two seats").stop(&last);
        let first = seats.pop().expect("two seats").stop(&[]);
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
        let engines = engines("tictactoe", include_str!("../../kif/tictactoe.kif"));
        let clock = Clock::new(Duration::from_secs(100));
        let time = Duration::from_secs(1);
        let mut seat = Seat::take(engines, RoleId(0), time, &clock, Box::new(Talker(None)));
        assert_eq!(seat.thought(), None);
        let first = seat.play(&[], &clock).expect("a move");
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
        let second = seat.play(&[first, wait.clone()], &clock).expect("a move");
        let thought = seat.thought().expect("a thought");
        assert_eq!((&thought.chosen, thought.legal, thought.step), (&name(&seat, &wait), 1, 1));
        assert_eq!((thought.view, seat.report()), (None, None));
        // A turn that was none leaves nothing to tell.
        assert!(seat.play(&[second], &clock).is_err() && seat.thought().is_none());
    }

    #[test]
    fn what_cannot_be_played_is_refused() {
        let engines = engines("nim", include_str!("../../kif/nim.kif"));
        let player = ThinkingPlayer::new(Thinker::Random, 1, DEFAULT_MAX_STEPS);
        let clock = Clock::new(Duration::from_secs(100));
        let time = Duration::from_secs(1);
        let mut seat = Seat::take(engines, RoleId(0), time, &clock, Box::new(player));
        let role = seat.engine().roles().name(RoleId(0)).to_owned();
        assert!(!role.is_empty());
        let chosen = seat.play(&[], &clock).expect("a move");
        let error = seat.play(std::slice::from_ref(&chosen), &clock);
        assert_eq!(error, Err(SeatError::Step(StepError::WrongLength)));
        let error = seat.play(&[chosen.clone(), chosen.clone()], &clock);
        assert!(matches!(error, Err(SeatError::NoMove(..) | SeatError::Step(_))), "{error:?}");
        let error = seat.play(&vec![chosen; 3], &clock);
        assert_eq!(error, Err(SeatError::Step(StepError::WrongLength)));
        // It still knows where it is.
        assert!(seat.play(&[], &clock).is_ok());
    }
}
