//! The engine `batch`: hundreds of random playouts at once.

mod choice;
mod layout;
mod machine;
mod phases;
mod plane;
mod program;
mod random;
mod schedule;

use crate::gdl::{Game, Term};
use crate::play::{Statistics, seeded};
use crate::propnet::Net;
use layout::Layout;
pub use machine::Control;
use machine::{Machine, Start};
use plane::Plane;
use random::Random;
use std::sync::Arc;

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
        let available = Width::ALL.into_iter().filter(|width| width.is_available());
        available.last().unwrap_or(Width::Portable)
    }
}

/// A game laid out for many playouts at once.
#[derive(Clone, Debug)]
pub struct Batch {
    layout: Arc<Layout>,
    initial: Vec<bool>,
    width: Width,
}

impl Batch {
    /// Lays out a net; `game` is what the net was made from.
    pub fn new(game: &Game, net: &Net) -> Batch {
        let value = |goal: &crate::propnet::Goal| match &goal.value {
            Term::Constant(symbol) => {
                game.symbols.spelling(*symbol).parse::<u8>().ok().filter(|&value| value <= 100)
            }
            _ => None,
        };
        let layout = Arc::new(Layout::new(net, value));
        let initial = net.latches.iter().map(|latch| latch.initial).collect();
        Batch { layout, initial, width: Width::best() }
    }

    /// For experiments.
    pub fn describe(&self) -> String {
        let mut text = format!("{} phases, {} slots, {} latches\n", self.layout.phases.len(), self.layout.size, self.layout.latches.len());
        for phase in &self.layout.phases {
            text += &format!("  state {} gates {} runs; moves {} gates {} runs; choices {:?}\n", phase.state.gates(), phase.state.runs(), phase.moves.gates(), phase.moves.runs(), phase.choices.iter().map(|m| m.legal.len()).collect::<Vec<_>>());
        }
        text += &format!("  goals {} gates {} read\n", self.layout.goals.program.gates(), self.layout.goals.read.len());
        text
    }

    /// Plays.
    pub fn run(&self, playouts: u64, max_steps: u64, seed: u64, width: Width, mut control: impl FnMut(&Statistics) -> Control) -> Statistics {
        let start = Start {
            latches: self.layout.latches.iter().map(|&latch| self.initial[latch as usize]).collect(),
            phase: 0,
            playouts,
            max_steps,
        };
        match width {
            Width::Portable => self.with::<u64>(&start, seed, &mut control),
            Width::Avx2 => self.with::<plane::Avx2>(&start, seed, &mut control),
            Width::Avx512 => self.with::<plane::Avx512>(&start, seed, &mut control),
        }
    }

    fn with<P: Plane>(&self, start: &Start, seed: u64, control: &mut dyn FnMut(&Statistics) -> Control) -> Statistics {
        let mut random = seeded(seed, 0);
        P::enable(|| {
        let mut machine = Machine::<P>::new(self.layout.clone(), Random::new(&mut random));
        machine.run(start, control) })
    }
}
