//! The engine `batch`: hundreds of random playouts at once.
//!
//! A propositional net is a circuit, and an instruction that works on 512 bits computes one
//! gate of it for 512 games. So flat Monte Carlo, and the rollouts of an agent, are played in
//! as many *lanes* as the processor's widest register has bits, all by the same instructions:
//! nothing in the loop depends on what happens in a lane.
//!
//! 1. [`Phases`] takes the turns of the players out of the net: a net for each.
//! 2. [`schedule`] puts gates in order and gives their values places, [`cycles`] does so for
//!    those that depend on each other, [`layout`] for all that is needed of a game, and a
//!    [`program`] is the outcome.
//! 3. [`plane`] is a bit for each lane, 64, 256 or 512 of them, with the instructions for it.
//! 4. [`choice`] chooses a legal move in each lane, uniformly, from the bits of [`random`].
//! 5. [`machine`] is the loop, and a [`book`] says which playouts it plays and counts them.
//!
//! `docs/performance.md` tells where the time goes.
//!
//! The statistics are those of any other engine, but for which playouts they are: each seed
//! and width has its own. A playout of a game with a defect is counted as stuck or as one
//! without a proper goal; how it got there is not recorded.

mod book;
mod choice;
mod cycles;
mod layout;
mod machine;
mod plane;
mod program;
mod random;
mod schedule;
#[cfg(all(test, not(miri)))]
mod tests;

use crate::gdl::Game;
use crate::ground::{Budget, GroundError};
use crate::net::Net;
use crate::play::{Control, DEFAULT_MAX_STEPS, RandomPlay, Share, Statistics, seeded};
use crate::propnet::State;
use book::{Book, ByLane, Total};
use choice::Choice;
use layout::{Layout, Phase};
use machine::{Machine, Start};
use plane::Plane;
use rand_xoshiro::Xoshiro256PlusPlus;
use random::Random;

/// How many playouts at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Width {
    /// 64, on any processor.
    Portable,
    /// 256, with AVX2.
    Avx2,
    /// 512, with AVX-512.
    Avx512,
}

impl Width {
    /// All, the narrowest first.
    pub const ALL: [Width; 3] = [Width::Portable, Width::Avx2, Width::Avx512];

    /// Whether this processor has the instructions.
    pub fn is_available(self) -> bool {
        match self {
            Width::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Width::Avx2 => plane::Avx2::is_available(),
            #[cfg(target_arch = "x86_64")]
            Width::Avx512 => plane::Avx512::is_available(),
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }

    /// The widest that this processor has the instructions for.
    pub fn best() -> Width {
        let widest = Width::ALL.into_iter().rev().find(|width| width.is_available());
        widest.unwrap_or(Width::Portable)
    }
}

/// A game laid out for many playouts at once.
#[derive(Clone, Debug)]
pub struct Batch {
    game: Game,
    net: Net,
    layout: Layout,
    width: Width,
}

impl Batch {
    /// Compiles a game: grounds it, makes a net of it, optimises that and lays it out.
    ///
    /// # Errors
    ///
    /// When the rulesheet is refused or the budget runs out before there is a net.
    pub fn new(game: Game, budget: &Budget<'_>) -> Result<Batch, GroundError> {
        let (game, net) = Net::of_game(game, budget)?;
        Ok(Batch::of_net(game, net))
    }

    /// Lays out a net; `game` is what the net was made from. Linear in the net, but for
    /// sorting.
    pub fn of_net(game: Game, net: Net) -> Batch {
        let layout = Layout::new(&net, |goal| goal.points(&game.symbols));
        Batch { game, net, layout, width: Width::best() }
    }

    /// The same, played in so many lanes.
    ///
    /// # Panics
    ///
    /// When this processor does not have the instructions for it.
    pub fn with_width(self, width: Width) -> Batch {
        assert!(width.is_available(), "this processor has no instructions for {width:?}");
        Batch { width, ..self }
    }

    /// How many playouts at once.
    pub fn width(&self) -> Width {
        self.width
    }

    /// The rules that are played.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The net that is played.
    /// [`Propnet::of_net`](crate::propnet::Propnet::of_net) makes the engine of single states
    /// from it, whose states are those of [`Batch::rollouts`].
    pub fn net(&self) -> &Net {
        &self.net
    }

    /// What is laid out, by name: the phases; for a step, on average of the phases, the gates
    /// of states, the gates of moves, and the moves that may be chosen, of all roles; the gates
    /// of goals; the latches and the slots of a lane.
    pub fn statistics(&self) -> [(&'static str, usize); 7] {
        let Layout { phases, goals, latches, size, .. } = &self.layout;
        let mean = |figure: &dyn Fn(&Phase) -> usize| {
            phases.iter().map(figure).sum::<usize>() / phases.len().max(1)
        };
        let choices = |phase: &Phase| phase.choices.iter().map(|moves| moves.legal.len()).sum();
        [
            ("phases", phases.len()),
            ("gates of states", mean(&|phase| phase.state.gates())),
            ("gates of moves", mean(&|phase| phase.moves.gates())),
            ("gates of goals", goals.program.gates()),
            ("moves to choose", mean(&choices)),
            ("latches", latches.len()),
            ("slots", *size),
        ]
    }

    /// Plays `playouts` random playouts from a state, on this thread; those of
    /// [`DEFAULT_MAX_STEPS`] are cut. The same seed gives the same playouts for the same
    /// [`Width`].
    ///
    /// ```
    /// use gdlr::batch::Batch;
    /// use gdlr::engine::Engine;
    /// use gdlr::gdl::Game;
    /// use gdlr::ground::Budget;
    /// use gdlr::propnet::Propnet;
    ///
    /// let game = Game::from_kif("tictactoe", include_str!("../../kif/tictactoe.kif")).unwrap();
    /// let engine = Propnet::new(game.clone(), &Budget::default()).unwrap();
    /// let batch = Batch::of_net(game, engine.net().clone());
    /// let found = batch.rollouts(engine.initial(), 10_000, 1);
    /// assert_eq!(found.playouts, 10_000);
    /// assert!((7.5..7.8).contains(&found.mean_length().unwrap()));
    /// println!("x: {:?}", found.roles[0].mean_goal()); // some 64.8
    /// ```
    ///
    /// # Panics
    ///
    /// When the state is not one of an engine of this net.
    pub fn rollouts(&self, state: &State, playouts: u64, seed: u64) -> Statistics {
        let mut stream = seeded(seed, 0);
        self.play_from(state, playouts, DEFAULT_MAX_STEPS, &mut stream, &mut |_| Control::Play)
    }

    /// Plays `each` random playouts from every one of some states, as the leaves of a search
    /// tree are; many states share the lanes. What was found is by state. See
    /// [`Batch::rollouts`].
    ///
    /// # Panics
    ///
    /// When a state is not one of an engine of this net.
    pub fn rollouts_many(&self, states: &[State], each: u64, seed: u64) -> Vec<Statistics> {
        let mut stream = seeded(seed, 0);
        match self.width {
            Width::Portable => self.many::<u64>(states, each, &mut stream),
            #[cfg(target_arch = "x86_64")]
            Width::Avx2 => self.many::<plane::Avx2>(states, each, &mut stream),
            #[cfg(target_arch = "x86_64")]
            Width::Avx512 => self.many::<plane::Avx512>(states, each, &mut stream),
            #[cfg(not(target_arch = "x86_64"))]
            _ => self.many::<u64>(states, each, &mut stream),
        }
    }

    fn play_from(
        &self,
        state: &State,
        playouts: u64,
        max_steps: u64,
        stream: &mut Xoshiro256PlusPlus,
        control: &mut dyn FnMut(&Total) -> Control,
    ) -> Statistics {
        let mut book = Total { to_begin: playouts, statistics: self.no_statistics() };
        match self.width {
            Width::Portable => self.run::<u64, _>(&[state], max_steps, stream, &mut book, control),
            #[cfg(target_arch = "x86_64")]
            Width::Avx2 => {
                self.run::<plane::Avx2, _>(&[state], max_steps, stream, &mut book, control);
            }
            #[cfg(target_arch = "x86_64")]
            Width::Avx512 => {
                self.run::<plane::Avx512, _>(&[state], max_steps, stream, &mut book, control);
            }
            #[cfg(not(target_arch = "x86_64"))]
            _ => self.run::<u64, _>(&[state], max_steps, stream, &mut book, control),
        }
        book.statistics
    }

    fn many<P: Plane>(
        &self,
        states: &[State],
        each: u64,
        stream: &mut Xoshiro256PlusPlus,
    ) -> Vec<Statistics> {
        let mut statistics = vec![self.no_statistics(); states.len()];
        for phase in 0..self.layout.phases.len() {
            let here = (0..states.len()).filter(|&at| self.phase(&states[at]) == phase);
            let here: Vec<usize> = here.collect();
            for some in here.chunks(P::LANES) {
                // Each has as many lanes as any other.
                let lanes = P::LANES / some.len();
                let owner = (0..P::LANES).map(|lane| some[(lane / lanes).min(some.len() - 1)]);
                let to_begin = |lane: usize| match lane / lanes < some.len() {
                    true => {
                        each / lanes as u64
                            + u64::from(((lane % lanes) as u64) < each % lanes as u64)
                    }
                    false => 0,
                };
                let owner: Vec<usize> = owner.collect();
                let of_lanes: Vec<&State> = owner.iter().map(|&at| &states[at]).collect();
                let mut book = ByLane {
                    to_begin: (0..P::LANES).map(to_begin).collect(),
                    owner,
                    statistics: &mut statistics,
                };
                let mut play = |_: &ByLane<'_>| Control::Play;
                self.run::<P, _>(&of_lanes, DEFAULT_MAX_STEPS, stream, &mut book, &mut play);
            }
        }
        statistics
    }

    /// Plays from states of the same phase, one for each lane in turn.
    fn run<P: Plane, B: Book<P>>(
        &self,
        states: &[&State],
        max_steps: u64,
        stream: &mut Xoshiro256PlusPlus,
        book: &mut B,
        control: &mut dyn FnMut(&B) -> Control,
    ) {
        let choice = Choice::new(Random::new(stream), self.layout.most_moves);
        P::enable(
            #[inline(always)]
            || {
                let latches = self.layout.latches.iter().map(|&latch| {
                    let mut plane = P::none();
                    for lane in 0..P::LANES {
                        plane.put(lane, states[lane % states.len()].latch(latch));
                    }
                    plane
                });
                let phase = self.phase(states[0]);
                let start = Start { latches: latches.collect(), phase, max_steps };
                Machine::new(&self.layout, choice).run(&start, book, control);
            },
        );
    }

    /// The phase of a state.
    fn phase(&self, state: &State) -> usize {
        let fits = |known: &Vec<(u32, bool)>| {
            known.iter().all(|&(latch, value)| state.latch(latch) == value)
        };
        self.layout.known.iter().position(fits).expect("a state of an engine of this net")
    }

    fn no_statistics(&self) -> Statistics {
        Statistics::new(usize::from(self.net.roles))
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
        let initial = State::initial(&self.net);
        self.play_from(&initial, share.playouts, share.max_steps, &mut stream, &mut |book| {
            control(book.statistics.playouts, book.statistics.states)
        })
    }
}
