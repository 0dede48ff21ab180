//! The working memory of rollouts, which the caller keeps.

#[cfg(target_arch = "x86_64")]
use super::avx::{Avx2, Avx512};
use super::layout::GameLayout;
use super::machine::{Machine, Rollouts};
use super::plane::Plane;
use super::random::Random;
use super::simd128::Simd128;
use super::tally::{ByLane, Tally, Total};
use super::token::Token;
use super::uniform::Uniform;
use super::width::{AnyToken, Width};
use gdlr_engine::play::{Control, seeded};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::fmt;

/// The working memory of a thread that plays a [`Batch`](super::Batch), which makes it:
/// [`Batch::scratch`](super::Batch::scratch). It holds all lanes and what was found, and may be
/// used for as many calls as there are; after the first ones these allocate nothing.
#[derive(Clone)]
pub struct Scratch {
    pub(super) lanes: AnyLanes,
    pub(super) total: Total,
    pub(super) by_lane: ByLane,
    /// The numbers of states that are in the same phase.
    pub(super) of_phase: Vec<usize>,
}

impl Scratch {
    pub(super) fn new(layout: &GameLayout, token: AnyToken) -> Scratch {
        let roles = usize::from(layout.roles);
        Scratch {
            lanes: AnyLanes::new(layout, token),
            total: Total::new(roles),
            by_lane: ByLane::new(roles),
            of_phase: Vec::new(),
        }
    }

    /// How many playouts at once.
    pub fn width(&self) -> Width {
        match self.lanes {
            AnyLanes::Portable(_) => Width::Portable,
            AnyLanes::Simd128(_) => Width::Simd128,
            #[cfg(target_arch = "x86_64")]
            AnyLanes::Avx2(_) => Width::Avx2,
            #[cfg(target_arch = "x86_64")]
            AnyLanes::Avx512(_) => Width::Avx512,
        }
    }
}

impl fmt::Debug for Scratch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scratch").field("width", &self.width()).finish_non_exhaustive()
    }
}

/// Lanes of any width.
#[derive(Clone)]
pub(super) enum AnyLanes {
    Portable(Box<RandomLanes<u64>>),
    Simd128(Box<RandomLanes<Simd128>>),
    #[cfg(target_arch = "x86_64")]
    Avx2(Box<RandomLanes<Avx2>>),
    #[cfg(target_arch = "x86_64")]
    Avx512(Box<RandomLanes<Avx512>>),
}

impl AnyLanes {
    fn new(layout: &GameLayout, token: AnyToken) -> AnyLanes {
        match token {
            AnyToken::Portable(token) => AnyLanes::Portable(RandomLanes::new(token, layout)),
            AnyToken::Simd128(token) => AnyLanes::Simd128(RandomLanes::new(token, layout)),
            #[cfg(target_arch = "x86_64")]
            AnyToken::Avx2(token) => AnyLanes::Avx2(RandomLanes::new(token, layout)),
            #[cfg(target_arch = "x86_64")]
            AnyToken::Avx512(token) => AnyLanes::Avx512(RandomLanes::new(token, layout)),
        }
    }
}

/// Lanes in which random moves are played.
#[derive(Clone)]
pub(super) struct RandomLanes<P> {
    token: Token<P>,
    machine: Machine<P>,
    chooser: Uniform<P>,
    /// By state in which lanes begin: these lanes.
    in_state: Vec<P>,
}

impl<P: Plane> RandomLanes<P> {
    fn new(token: Token<P>, layout: &GameLayout) -> Box<Self> {
        // Other random bits come with every call.
        let random = Random::new(token, &mut seeded(0, 0));
        let chooser = Uniform::new(random, layout.most_moves, layout.tuning.most_moves_in_groups);
        let machine = Machine::new(token, layout);
        Box::new(RandomLanes { token, machine, chooser, in_state: Vec::new() })
    }

    /// Puts the lanes into first states, in which lanes are as a tally says: `latch` tells a latch of
    /// the net in a state, by its place among these.
    ///
    /// # Panics
    ///
    /// When the lanes were made for another layout.
    pub fn enter(
        &mut self,
        layout: &GameLayout,
        tally: &ByLane,
        states: usize,
        latch: impl Fn(u32, usize) -> bool,
    ) {
        assert!(self.machine.fits(layout), "the scratch is one of this batch");
        let RandomLanes { token, machine, in_state, .. } = self;
        token.enable(
            #[inline(always)]
            || {
                in_state.clear();
                in_state.resize(states, token.none());
                (0..P::LANES).for_each(|lane| in_state[tally.place(lane)].put(lane, true));
                machine.enter(layout, |at| {
                    let in_state = in_state.iter().enumerate();
                    in_state.fold(token.none(), |plane, (place, &lanes)| {
                        // A branch on it would be hard to predict.
                        let value = token.splat(0u64.wrapping_sub(latch(at, place).into()));
                        plane.or(lanes.and(value))
                    })
                });
            },
        );
    }

    /// Puts all lanes into the same first state; see [`RandomLanes::enter`].
    pub fn enter_all(&mut self, layout: &GameLayout, latch: impl Fn(u32) -> bool) {
        assert!(self.machine.fits(layout), "the scratch is one of this batch");
        let RandomLanes { token, machine, .. } = self;
        token.enable(
            #[inline(always)]
            || machine.enter(layout, |at| token.all_if(latch(at))),
        );
    }

    /// Plays random moves from there, with random bits from a stream.
    pub fn play<T: Tally<P>>(
        &mut self,
        layout: &GameLayout,
        rollouts: Rollouts,
        stream: &mut Xoshiro256PlusPlus,
        tally: &mut T,
        control: &mut dyn FnMut(&T) -> Control,
    ) {
        self.chooser.reseed(Random::new(self.token, stream));
        self.token.enable(
            #[inline(always)]
            || self.machine.run(layout, rollouts, &mut self.chooser, tally, control),
        );
    }
}
