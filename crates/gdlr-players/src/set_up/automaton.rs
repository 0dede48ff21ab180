//! The engines of an automaton for players.
//!
//! Machine code or the interpreter is there at once. The net of the automaton comes later, and with it
//! its lanes. Which of them plays single states faster depends on the game: in reversi machine code is 50 times as fast
//! as the net, in hex the net is 50 times as fast as machine code. Whether lanes help a search depends on the
//! game, too. A short play measures both.

use super::handover::{Handover, Ready, Shared};
use super::{SetUp, Tuning};
use crate::search::worth_of_a_second;
use gdlr_automata::automaton::AutomatonGame;
use gdlr_automata::automaton::net::{self, NoNet};
use gdlr_batch::{Batch, Width};
use gdlr_engine::engine::{AnyEngine, EngineKind};
use gdlr_engine::play::{FlatMonteCarlo, RandomPlay, Statistics};
use gdlr_net::propnet::Propnet;
use gdlr_text::budget::Budget;
use gdlr_text::decisions::{Decision, Decisions, Part};
use std::sync::Arc;
use std::time::Duration;

/// How long each engine is tried in random play.
const RANDOM_PLAY: Duration = Duration::from_millis(50);

/// How long a search is tried on each engine.
const SEARCH: Duration = Duration::from_millis(150);

impl SetUp<'_> {
    /// Has an engine of an automaton at once, the given one, and begins to make the net of the automaton
    /// and its lanes on a thread of its own. If random play meets a defect of the automaton, no net is
    /// made, because a net does not see defects. Neither the kind nor the flag of interruption is looked at.
    pub fn start_automaton(
        &self,
        game: Arc<AutomatonGame>,
        first: AnyEngine,
        kind: EngineKind,
    ) -> Handover {
        let (tuning, engine) = (self.tuning, first.clone());
        Handover::begin((first, kind), Decisions::default(), &self.budget, move |budget, shared| {
            match make(&game, &engine, &tuning, budget, shared) {
                Err(NoNet::Exhausted(why)) => Some(why),
                Ok(()) | Err(_) => None,
            }
        })
    }
}

/// Makes the net and its lanes, and tells of them as far as they are worth more than the first engine.
fn make(
    game: &Arc<AutomatonGame>,
    first: &AnyEngine,
    tuning: &Tuning,
    budget: &Budget<'_>,
    shared: &Shared,
) -> Result<(), NoNet> {
    let (meter, mut decisions) = (budget.start(), Decisions::default());
    let by_first = try_out(first, shared);
    if by_first.limit.is_some() {
        return Ok(());
    }
    let net = net::optimised_tuned(game, &tuning.automata, &meter, &mut decisions)?;
    let propnet = Propnet::tuned(game.game().clone(), net.clone(), &tuning.batch.net, &meter)?;
    decisions.append(propnet.decisions());
    let propnet = AnyEngine::new(propnet);
    let lanes = Batch::tuned(Width::best(), &tuning.batch, game.game().clone(), net, &meter)?;
    decisions.append(lanes.decisions());
    let lanes = Arc::new(lanes);

    let trials = Trials {
        states_per_second: [by_first, try_out(&propnet, shared)]
            .map(|statistics| statistics.states_per_second()),
        worth_of_a_second: [(first, None), (&propnet, Some(&lanes))]
            .map(|(engine, lanes)| worth_of_a_second(engine, lanes, SEARCH, &shared.stop)),
    };
    trials.decide(&mut decisions);
    shared.tell(|ready| {
        trials.give(ready, propnet, lanes);
        ready.decisions = decisions;
    });
    Ok(())
}

/// Two figures of the first engine, and of the net with its lanes, in this order.
struct Trials {
    states_per_second: [f64; 2],
    worth_of_a_second: [f64; 2],
}

impl Trials {
    fn first_is_faster(&self) -> bool {
        self.states_per_second[0] > self.states_per_second[1]
    }

    fn lanes_are_better(&self) -> bool {
        self.worth_of_a_second[1] > self.worth_of_a_second[0]
    }

    /// Records the two decisions.
    fn decide(&self, decisions: &mut Decisions) {
        let [by_first, by_net] = self.states_per_second.map(|figure| figure as u64);
        let faster = if self.first_is_faster() { "the automaton" } else { "the net" };
        decisions.record(
            Decision::new(Part::SetUp, "single states", faster)
                .measured("states a second of the automaton", by_first)
                .measured("of the net", by_net)
                .bound("time", RANDOM_PLAY.as_secs_f64()),
        );
        let [one_by_one, in_lanes] = self.worth_of_a_second.map(|figure| figure as u64);
        let better = if self.lanes_are_better() { "in lanes" } else { "one by one" };
        decisions.record(
            Decision::new(Part::SetUp, "playouts of searches", better)
                .measured("worth of a second one by one", one_by_one)
                .measured("in lanes", in_lanes)
                .bound("time", SEARCH.as_secs_f64()),
        );
    }

    /// Gives players the engines that are worth more than the first one.
    fn give(&self, ready: &mut Ready, propnet: AnyEngine, lanes: Arc<Batch>) {
        ready.first_is_faster = self.first_is_faster();
        if self.lanes_are_better() {
            (ready.propnet, ready.batch) = (Some(propnet), Some(lanes));
        } else if !self.first_is_faster() {
            ready.propnet = Some(propnet);
        }
    }
}

/// Plays at random for a short while.
fn try_out(player: &impl RandomPlay, shared: &Shared) -> Statistics {
    let trial = FlatMonteCarlo { time: Some(RANDOM_PLAY), ..FlatMonteCarlo::default() };
    trial.run(player, &shared.stop, |_| {})
}

#[cfg(test)]
mod tests {
    use super::*;
    use gdlr_automata::automaton::AutomatonEngine;
    use gdlr_engine::engine::Engine;
    use gdlr_rg::hrg;
    use gdlr_text::budget::Meter;
    use gdlr_text::decisions::Quantity;

    /// The engines of an automaton: it is played at once by the interpreter.
    fn of_automaton(name: &str, text: &str, budget: Budget<'static>) -> Handover {
        let description = hrg::read_automaton(text.as_bytes()).expect("a game");
        let game = Arc::new(AutomatonGame::new(name, description).expect("an automaton"));
        let engine = AutomatonEngine::within(game.clone(), &Meter::unlimited()).expect("no budget");
        let first = AnyEngine::new(engine.expect("an engine"));
        let set_up = SetUp { budget, ..SetUp::default() };
        let handover = set_up.start_automaton(game, first, EngineKind::Rg);
        while !handover.wait(Duration::from_secs(1)) {}
        handover
    }

    #[test]
    fn an_automaton_gets_a_net_and_what_is_faster_is_measured() {
        let text = include_str!("../../../../abg/tictactoe.abg");
        let handover = of_automaton("tictactoe", text, Budget::default());
        assert_eq!(handover.exhausted(), None);
        let (engine, kind) = handover.best();
        assert_eq!(Engine::roles(&engine), Engine::roles(handover.first()));
        let decisions = handover.decisions();
        let searches = decisions.of(Part::SetUp, "playouts of searches").expect("it is decided");
        assert!(
            searches.measured.iter().all(|figure| figure.value != Quantity::Count(0)),
            "{searches:?}"
        );
        assert_eq!(searches.chosen == "in lanes", handover.batch().is_some());
        let single = decisions.of(Part::SetUp, "single states").expect("it is decided");
        assert_eq!(single.measured.len(), 2);
        let faster = if single.chosen == "the net" { EngineKind::Propnet } else { EngineKind::Rg };
        assert_eq!(handover.best_of_single_states().1, faster);
        let has_net = handover.batch().is_some() || faster == EngineKind::Propnet;
        assert_eq!(kind == EngineKind::Propnet, has_net);
    }

    #[test]
    fn players_get_what_is_worth_more() {
        let text = include_str!("../../../../abg/tictactoe.abg");
        let description = hrg::read_automaton(text.as_bytes()).expect("a game");
        let game = Arc::new(AutomatonGame::new("tictactoe", description).expect("a game"));
        let (meter, tuning) = (Meter::unlimited(), Tuning::default());
        let mut decisions = Decisions::default();
        let net = net::optimised_tuned(&game, &tuning.automata, &meter, &mut decisions);
        let net = net.expect("a net");
        let propnet = Propnet::tuned(game.game().clone(), net.clone(), &tuning.batch.net, &meter);
        let propnet = AnyEngine::new(propnet.expect("a net"));
        let lanes = Batch::tuned(Width::Portable, &tuning.batch, game.game().clone(), net, &meter);
        let lanes = Arc::new(lanes.expect("lanes"));
        // By speed of the first engine and its worth: whether it is the faster one for single
        // states, whether there is a net, and whether there are lanes.
        for (speed, worth, wanted) in [
            (2.0, 2.0, (true, false, false)),
            (0.5, 2.0, (false, true, false)),
            (2.0, 0.5, (true, true, true)),
            (0.5, 0.5, (false, true, true)),
        ] {
            let trials =
                Trials { states_per_second: [speed, 1.0], worth_of_a_second: [worth, 1.0] };
            let mut ready = Ready::default();
            trials.give(&mut ready, propnet.clone(), lanes.clone());
            let given = (ready.first_is_faster, ready.propnet.is_some(), ready.batch.is_some());
            assert_eq!(given, wanted, "{speed} {worth}");
            let mut decisions = Decisions::default();
            trials.decide(&mut decisions);
            let single = decisions.of(Part::SetUp, "single states").expect("a decision");
            assert_eq!(single.chosen == "the automaton", speed > 1.0);
            let searches = decisions.of(Part::SetUp, "playouts of searches").expect("a decision");
            assert_eq!(searches.chosen == "in lanes", worth < 1.0);
        }
    }

    #[test]
    fn an_automaton_without_a_net_stays_as_it_is() {
        let text = include_str!("../../../../abg/tictactoe.abg");
        let none = Budget { memory: 0, ..Budget::default() };
        let handover = of_automaton("tictactoe", text, none);
        assert_eq!(handover.best().1, EngineKind::Rg);
        assert!(handover.batch().is_none() && handover.exhausted().is_some());
        // The keeper has no move: a defect, which a net does not see.
        let stuck = "type Player = { x }; type Score = { 0 }; type Flag = { 0, 1 };
            var flag: Flag = 0; begin, a: player = x; a, b: $ go; b, c: player = keeper;
            c, end: flag == 1;";
        let handover = of_automaton("stuck", stuck, Budget::default());
        assert_eq!((handover.best().1, handover.batch().is_none()), (EngineKind::Rg, true));
        assert!(handover.exhausted().is_none() && handover.decisions().is_empty());
    }
}
