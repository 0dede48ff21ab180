//! The engine `batch`: hundreds of random playouts at once.
//!
//! A propositional net is a circuit. An instruction that works on 512 bits computes one gate of
//! the circuit for 512 games. Each of these games is a *lane*. There are as many lanes as the
//! widest register of the processor has bits. All lanes are played by the same
//! instructions, whatever happens in a single lane.
//!
//! Set-up compiles the net to programs, which all machines share:
//!
//! 1. `phases` makes a net for each phase of play, such as the turn of a player.
//! 2. `schedule` puts the gates in order and gives each value a place in memory. `cycles` does the
//!    same for gates that depend on each other. The result is a `program`. A `layout` has all
//!    programs of a game, and the places of its latches, moves and goals.
//!
//! A machine runs the programs. There is a machine for each `width`, the number of lanes:
//!
//! 3. `native` compiles programs to machine code. For a width without machine code, `execute`
//!    interprets the programs, gate by gate. `backend` says which of the two is used, and why.
//! 4. A `plane` is a vector with one bit for each lane, of 64 to 512 lanes, and has the
//!    operations on such vectors. `simd128` and `avx` have planes of 128 bits and more. A plane
//!    can be made with a `token` only, and a token proves that the processor has the instructions.
//! 5. `machine` is the loop over steps. If moves decide which player is next, lanes are in
//!    different phases. Then a step computes one phase, and the lanes of the other phases wait.
//!    The caller passes two values to the loop. The first value chooses the moves (`choose`):
//!    `uniform` draws each legal move with the same chance, by numbers of `draw` and bits of
//!    `random`. The second value says which playouts are played, and counts them (`tally`).
//!    `step_counters` counts steps, and `finished` computes the goals.
//! 6. `scratch` is the working memory. The caller makes it once for each thread.
//!
//! `docs/performance.md` tells where the time goes.
//!
//! The statistics have the same distribution as the statistics of any other engine. The playouts
//! themselves differ: each pair of a seed and a width has playouts of its own. If a game has a
//! defect, a playout is counted as stuck, or as a playout without a proper goal. The moves of such
//! a playout are not recorded.

#[cfg(target_arch = "x86_64")]
mod avx;
mod backend;
mod choose;
mod cycles;
mod decided;
mod draw;
mod entry;
mod execute;
mod finished;
mod lanes;
mod layout;
mod machine;
#[cfg(all(any(feature = "cranelift", all(feature = "native", target_arch = "x86_64")), not(miri)))]
mod native;
#[cfg(not(all(
    any(feature = "cranelift", all(feature = "native", target_arch = "x86_64")),
    not(miri)
)))]
#[path = "native_stub.rs"]
mod native;
mod numbers;
mod phases;
mod plane;
mod program;
mod random;
mod schedule;
mod scratch;
mod simd128;
mod step_counters;
mod tally;
#[cfg(all(test, not(miri)))]
mod tests;
mod token;
mod tuning;
mod uniform;
mod waits;
mod width;

pub use backend::{Backend, WithoutCode};
pub use lanes::BatchLanes;
pub use scratch::Scratch;
pub use tuning::Tuning;
pub use width::{UnsupportedWidth, Width};

use gdlr_engine::engine::Roles;
use gdlr_engine::play::{Control, DEFAULT_MAX_STEPS, RandomPlay, Share, Statistics, seeded};
use gdlr_net::ground::GroundError;
use gdlr_net::net::Net;
use gdlr_net::propnet::State;
use gdlr_rules::gdl::Game;
use gdlr_text::budget::{Budget, Exhausted, Meter};
use gdlr_text::decisions::{Decisions, Part, Stage};
use layout::{GameLayout, Phase};
use machine::Rollouts;
use plane::Plane;
use rand_xoshiro::Xoshiro256PlusPlus;
use schedule::Order;
use scratch::{AnyLanes, RandomLanes};
use std::sync::{Arc, OnceLock};
use tally::{ByLane, Total};
use width::{AnyToken, with_width};

/// A game laid out for many playouts at once.
#[derive(Clone, Debug)]
pub struct Batch {
    game: Arc<Game>,
    net: Net,
    /// For random playouts.
    played: GameLayout,
    /// For lanes that are stepped from outside, once there are some.
    stepped: OnceLock<GameLayout>,
    /// The processor has the instructions for as many lanes as are played in.
    token: AnyToken,
    backend: Backend,
    decisions: Decisions,
}

impl Batch {
    /// Compiles a game: grounds it, makes a net of it, optimises that and lays it out.
    ///
    /// # Errors
    ///
    /// When the rulesheet is refused or the budget runs out.
    pub fn new(game: impl Into<Arc<Game>>, budget: &Budget<'_>) -> Result<Batch, GroundError> {
        let (game, meter) = (game.into(), budget.start());
        let net = Net::within(game.clone(), &meter)?;
        Ok(Batch::within(game, net, &meter)?)
    }

    /// Lays out a net; `game` is what the net was made from. Linear in the net, but for
    /// sorting.
    pub fn of_net(game: impl Into<Arc<Game>>, net: Net) -> Batch {
        Batch::within(game, net, &Meter::unlimited()).expect("there is no limit")
    }

    /// The same, within a budget.
    ///
    /// # Errors
    ///
    /// When the budget runs out.
    pub fn within(
        game: impl Into<Arc<Game>>,
        net: Net,
        meter: &Meter<'_>,
    ) -> Result<Batch, Exhausted> {
        Batch::in_lanes(Width::best(), game, net, meter)
    }

    /// The same, played in so many lanes.
    ///
    /// # Errors
    ///
    /// When the budget runs out.
    ///
    /// # Panics
    ///
    /// When this processor does not have the instructions for it: see [`Width::is_available`].
    pub fn in_lanes(
        width: Width,
        game: impl Into<Arc<Game>>,
        net: Net,
        meter: &Meter<'_>,
    ) -> Result<Batch, Exhausted> {
        Batch::tuned(width, &Tuning::default(), game, net, meter)
    }

    /// The same, by bounds of one's own.
    ///
    /// # Errors
    ///
    /// When the budget runs out.
    ///
    /// # Panics
    ///
    /// When this processor does not have the instructions for it: see [`Width::is_available`].
    pub fn tuned(
        width: Width,
        tuning: &Tuning,
        game: impl Into<Arc<Game>>,
        net: Net,
        meter: &Meter<'_>,
    ) -> Result<Batch, Exhausted> {
        let token = width.token().unwrap_or_else(|unsupported| panic!("{unsupported}"));
        let backend = Backend::of(width, net.inputs.len(), tuning.most_moves_of_code);
        Batch::laid_out(token, backend, tuning, game.into(), net, meter)
    }

    /// Lays out a net for random playouts.
    fn laid_out(
        token: AnyToken,
        backend: Backend,
        tuning: &Tuning,
        game: Arc<Game>,
        net: Net,
        meter: &Meter<'_>,
    ) -> Result<Batch, Exhausted> {
        let stage = Stage::begin(Part::Batch, "layout");
        let (moves, mut decisions) = (net.inputs.len(), Decisions::default());
        decisions.record(decided::lanes(token.width()));
        let to_lay_out = to_lay_out(&game, &net, backend, tuning);
        let mut played = GameLayout::played(to_lay_out, meter, &mut decisions)?;
        stage.end();
        decisions.record(decided::choices(&played, moves));
        decisions.record(decided::computed_by(backend, moves, tuning));
        if backend == Backend::Code {
            let stage = Stage::begin(Part::Batch, "machine code");
            played.compile_steps(token, &net, meter, &mut decisions)?;
            stage.end();
        } else {
            decisions.record(decided::counting(&played));
        }
        Ok(Batch { game, net, played, stepped: OnceLock::new(), token, backend, decisions })
    }

    /// The same, played in so many lanes. The net is laid out anew where one of the widths has
    /// machine code.
    ///
    /// # Errors
    ///
    /// When this processor does not have the instructions for it.
    pub fn with_width(self, width: Width) -> Result<Batch, UnsupportedWidth> {
        let token = width.token()?;
        let backend = match self.backend {
            wish @ Backend::Loops(WithoutCode::Wish) => wish,
            _ => {
                let most = self.played.tuning.most_moves_of_code;
                Backend::of(width, self.net.inputs.len(), most)
            }
        };
        Ok(self.with(token, backend))
    }

    /// The same, played without machine code in any width: to compare the two, which play the same
    /// playouts. The net is laid out anew where there was some.
    pub fn by_loops(self) -> Batch {
        let token = self.token;
        self.with(token, Backend::Loops(WithoutCode::Wish))
    }

    fn with(self, token: AnyToken, backend: Backend) -> Batch {
        let width = token.width();
        let has_code = [self.backend, backend].contains(&Backend::Code);
        let is_same = (width, backend) == (self.width(), self.backend);
        if is_same {
            return self;
        }
        if !has_code {
            let mut decisions = self.decisions;
            decisions.record(decided::lanes(width));
            let (moves, tuning) = (self.net.inputs.len(), &self.played.tuning);
            decisions.record(decided::computed_by(backend, moves, tuning));
            return Batch { token, backend, decisions, ..self };
        }
        let Batch { game, net, played, .. } = self;
        let unlimited = Meter::unlimited();
        let laid_out = Batch::laid_out(token, backend, &played.tuning, game, net, &unlimited);
        laid_out.expect("there is no limit")
    }

    /// How many playouts at once.
    pub fn width(&self) -> Width {
        self.token.width()
    }

    /// By what the gates are computed.
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// The decisions of layout. Of a subject that was decided about again, for another
    /// width, the last one counts. What was decided when the net was made is no part of it, see
    /// [`Net::tuned`].
    pub fn decisions(&self) -> &Decisions {
        &self.decisions
    }

    /// The rules that are played.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// The net that is played.
    /// [`Propnet::of_net`](gdlr_net::propnet::Propnet::of_net) makes the engine of single states
    /// from it, whose states are those of [`Batch::rollouts`].
    pub fn net(&self) -> &Net {
        &self.net
    }

    /// The size of the layout, by name: the phases; for a step, on average of the phases, the gates
    /// of states, the gates of moves, and the moves that may be chosen, of all roles; the gates
    /// of goals; the latches and the slots of a lane.
    pub fn figures(&self) -> [(&'static str, usize); 7] {
        let GameLayout { phases, goals, latches, size, .. } = &self.played;
        let mean = |figure: &dyn Fn(&Phase) -> usize| {
            phases.iter().map(figure).sum::<usize>() / phases.len().max(1)
        };
        let choices = |phase: &Phase| phase.choices.iter().map(|moves| moves.legal.len()).sum();
        [
            ("phases", phases.len()),
            ("gates of states", mean(&|phase| phase.state.gates())),
            ("gates of moves", mean(&|phase| phase.moves.gates())),
            ("gates of goals", goals.whole.program.gates()),
            ("moves to choose", mean(&choices)),
            ("latches", latches.len()),
            ("slots", *size),
        ]
    }

    /// Working memory for a thread that plays.
    pub fn scratch(&self) -> Scratch {
        Scratch::new(&self.played, self.token)
    }

    /// The layout for lanes that are stepped from outside, which have made it.
    fn stepped(&self) -> &GameLayout {
        self.stepped.get().expect("lanes have made it")
    }

    /// Makes that layout, when it is asked for first.
    fn lay_out_stepped(&self, meter: &Meter<'_>) -> Result<&GameLayout, Exhausted> {
        if let Some(layout) = self.stepped.get() {
            return Ok(layout);
        }
        let game = to_lay_out(&self.game, &self.net, self.backend, &self.played.tuning);
        let mut layout = match self.played.as_stepped() {
            Some(layout) => layout,
            None => GameLayout::stepped(game, meter)?,
        };
        if self.backend == Backend::Code {
            layout.compile(self.width(), meter)?;
        }
        Ok(self.stepped.get_or_init(|| layout))
    }

    /// Plays `playouts` random playouts from a state, on this thread; those of
    /// [`DEFAULT_MAX_STEPS`] are cut. The same seed gives the same playouts for the same
    /// [`Width`]. What was found stands in the scratch until its next use. Allocates nothing.
    ///
    /// ```
    /// # mod gdlr {
    /// #     pub mod batch { pub use gdlr_batch::*; }
    /// #     pub use gdlr_engine::engine;
    /// #     pub use gdlr_rules::gdl;
    /// #     pub use gdlr_net::{ground, propnet};
    /// # }
    /// use gdlr::batch::Batch;
    /// use gdlr::engine::Engine;
    /// use gdlr::gdl::Game;
    /// use gdlr::ground::Budget;
    /// use gdlr::propnet::Propnet;
    ///
    /// let game = Game::from_kif("tictactoe", include_str!("../../../kif/tictactoe.kif")).unwrap();
    /// let engine = Propnet::new(game.clone(), &Budget::default()).unwrap();
    /// let batch = Batch::of_net(game, engine.net().clone());
    /// let mut scratch = batch.scratch();
    /// let statistics = batch.rollouts(&mut scratch, engine.initial(), 10_000, 1);
    /// assert_eq!(statistics.playouts, 10_000);
    /// assert!((7.5..7.8).contains(&statistics.mean_length().unwrap()));
    /// println!("x: {:?}", statistics.roles[0].mean_goal()); // some 64.8
    /// ```
    ///
    /// # Panics
    ///
    /// When the state is not one of an engine of this net, or the scratch of another batch.
    pub fn rollouts<'s>(
        &self,
        scratch: &'s mut Scratch,
        state: &State,
        playouts: u64,
        seed: u64,
    ) -> &'s Statistics {
        let mut stream = seeded(seed, 0);
        let mut control = |_: &Total| Control::Play;
        self.play_from(scratch, state, playouts, DEFAULT_MAX_STEPS, &mut stream, &mut control);
        &scratch.total.statistics
    }

    /// Plays `each` random playouts from every one of some states, as the leaves of a search
    /// tree are; many states share the lanes. What was found is by state. See
    /// [`Batch::rollouts`]; this allocates nothing once there have been as many states.
    ///
    /// # Panics
    ///
    /// When a state is not one of an engine of this net, or the scratch of another batch.
    pub fn rollouts_many<'s>(
        &self,
        scratch: &'s mut Scratch,
        states: &[State],
        each: u64,
        seed: u64,
    ) -> &'s [Statistics] {
        let mut stream = seeded(seed, 0);
        let Scratch { lanes, by_lane, of_phase, .. } = scratch;
        by_lane.start(states.len());
        let layout = &self.played;
        // Where lanes wait for their turn they begin in any phase.
        let phases = if layout.waits { 1 } else { layout.phases.len() };
        for phase in 0..phases {
            of_phase.clear();
            let is_there = |at: &usize| layout.waits || self.phase(&states[*at]) == phase;
            of_phase.extend((0..states.len()).filter(is_there));
            with_width!(AnyLanes, lanes, lanes => {
                self.play_from_each(lanes, by_lane, states, of_phase, each, &mut stream);
            });
        }
        by_lane.statistics(states.len())
    }

    fn play_from(
        &self,
        scratch: &mut Scratch,
        state: &State,
        playouts: u64,
        max_steps: u64,
        stream: &mut Xoshiro256PlusPlus,
        control: &mut dyn FnMut(&Total) -> Control,
    ) {
        let Scratch { lanes, total, .. } = scratch;
        total.start(playouts);
        let layout = &self.played;
        let rollouts = Rollouts { phase: self.phase(state), max_steps };
        with_width!(AnyLanes, lanes, lanes => {
            lanes.enter_all(layout, |latch| state.latch(latch));
            lanes.play(layout, rollouts, stream, total, control);
        });
    }

    /// Plays from states with the numbers `of_phase`, which are of the same phase unless lanes
    /// wait for their turn.
    fn play_from_each<P: Plane>(
        &self,
        lanes: &mut RandomLanes<P>,
        tally: &mut ByLane,
        states: &[State],
        of_phase: &[usize],
        each: u64,
        stream: &mut Xoshiro256PlusPlus,
    ) {
        let layout = &self.played;
        for some in of_phase.chunks(P::LANES) {
            tally.share(P::LANES, some, each);
            let phase = self.phase(&states[some[0]]);
            let rollouts = Rollouts { phase, max_steps: DEFAULT_MAX_STEPS };
            lanes.enter(layout, tally, some.len(), |latch, place| states[some[place]].latch(latch));
            lanes.play(layout, rollouts, stream, tally, &mut |_| Control::Play);
        }
    }

    /// The phase of a state of this net.
    fn phase(&self, state: &State) -> usize {
        let phase = self.played.distinguished_by.find(|latch| state.latch(latch.0));
        phase.expect("a state of an engine of this net, to which play can come")
    }

    /// The phase of lanes that are stepped from outside, if it has one: a state made of facts may
    /// be nobody's turn.
    fn find_phase(&self, state: &State) -> Option<usize> {
        self.stepped().distinguished_by.find(|latch| state.latch(latch.0))
    }
}

impl RandomPlay for Batch {
    fn roles(&self) -> usize {
        usize::from(self.net.roles)
    }

    fn random_play(
        &self,
        share: &Share,
        mut control: impl FnMut(u64, u64) -> Control,
    ) -> Statistics {
        let mut stream = seeded(share.seed, share.thread);
        let mut scratch = self.scratch();
        let initial = State::initial(&self.net);
        let (playouts, max_steps) = (share.playouts, share.max_steps);
        self.play_from(&mut scratch, &initial, playouts, max_steps, &mut stream, &mut |total| {
            control(total.statistics.playouts, total.statistics.states)
        });
        scratch.total.statistics
    }
}

/// A game to be laid out for gates that are computed in some way.
fn to_lay_out<'g>(
    game: &'g Game,
    net: &'g Net,
    backend: Backend,
    tuning: &Tuning,
) -> layout::Game<'g> {
    let order = if backend == Backend::Code { Order::Depth } else { Order::Shapes };
    let chance = Roles::of(game).random().map(|role| role.0);
    layout::Game { net, symbols: &game.symbols, chance, order, tuning: *tuning }
}
