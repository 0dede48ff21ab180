//! A short random play that tells how many moves can be passed over.

use super::choice::TOGETHER;
use crate::avx::Avx512;
use crate::choose::ChooseMoves;
use crate::layout::{Layout, Phase};
use crate::machine::{Machine, Rollouts};
use crate::plane::Plane;
use crate::random::Random;
use crate::tally::Total;
use crate::uniform::Uniform;
use gdlr_engine::play::{Control, DEFAULT_MAX_STEPS, seeded};
use gdlr_net::net::Net;

/// How many steps are played.
const STEPS: usize = 64;

/// Chooses at random, and counts where neighbours among the moves are made.
struct Watched<'l> {
    layout: &'l Layout,
    uniform: Uniform<Avx512>,
    /// By phase: of how many neighbours one was made in a lane, and of how many none was.
    made: Vec<[u64; 2]>,
}

impl ChooseMoves<Avx512> for Watched<'_> {
    fn choose(&mut self, phase: &Phase, playing: Avx512, memory: &mut [Avx512]) -> Avx512 {
        let stuck = self.uniform.choose(phase, playing, memory);
        let place = self.layout.phases.iter().position(|other| std::ptr::eq(other, phase));
        let Some(counts) = place.and_then(|place| self.made.get_mut(place)) else { return stuck };
        Avx512::enable(
            #[inline(always)]
            || {
                for moves in &phase.choices {
                    let made = moves.made as usize..moves.made as usize + moves.legal.len();
                    for together in memory[made].chunks(TOGETHER) {
                        let any = together.iter().fold(Avx512::none(), |any, &made| any.or(made));
                        counts[usize::from(any.is_zero())] += 1;
                    }
                }
            },
        );
        stuck
    }
}

/// By phase: the part of neighbours among the moves of which one is made in any lane; 1 where nothing
/// was played. Plays some steps from the initial state, in 512 lanes.
pub(crate) fn made_together(layout: &Layout, net: &Net) -> Vec<f64> {
    let initial = |latch: u32| net.latches[latch as usize].initial;
    let uniform = Uniform::new(Random::new(&mut seeded(0, 0)), layout.most_moves);
    let mut watched = Watched { layout, uniform, made: vec![[0; 2]; layout.phases.len()] };
    if let Some(phase) = layout.turns.find(|latch| initial(latch.0)) {
        let mut machine = Machine::new(layout);
        let mut total = Total::new(usize::from(layout.roles));
        total.start(u64::MAX);
        let mut steps = 0;
        let control = &mut |_: &Total| {
            steps += 1;
            if steps > STEPS { Control::Forget } else { Control::Play }
        };
        let rollouts = Rollouts { phase, max_steps: DEFAULT_MAX_STEPS };
        Avx512::enable(
            #[inline(always)]
            || {
                machine.enter(layout, |latch| match initial(latch) {
                    true => Avx512::all(),
                    false => Avx512::none(),
                });
                machine.run(layout, rollouts, &mut watched, &mut total, control);
            },
        );
    }
    let share = |&[some, none]: &[u64; 2]| match some + none {
        0 => 1.0,
        all => some as f64 / all as f64,
    };
    watched.made.iter().map(share).collect()
}
