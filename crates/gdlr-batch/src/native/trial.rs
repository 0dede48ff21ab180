//! A short random play that tells how many moves can be passed over.

use super::choice::TOGETHER;
use crate::choose::ChooseMoves;
use crate::layout::{GameLayout, Phase};
use crate::machine::{Machine, Rollouts};
use crate::plane::Plane;
use crate::random::Random;
use crate::tally::Total;
use crate::token::Token;
use crate::tuning::Tuning;
use crate::uniform::Uniform;
use crate::width::{AnyToken, with_width};
use gdlr_engine::play::{Control, DEFAULT_MAX_STEPS, seeded};
use gdlr_net::net::Net;

/// Chooses at random, and counts where neighbours among the moves are made.
struct Watched<'l, P> {
    layout: &'l GameLayout,
    uniform: Uniform<P>,
    /// By phase: of how many neighbours one was made in a lane, and of how many none was.
    does: Vec<[u64; 2]>,
}

impl<P: Plane> ChooseMoves<P> for Watched<'_, P> {
    fn choose(&mut self, phase: &Phase, playing: P, memory: &mut [P]) -> P {
        let stuck = self.uniform.choose(phase, playing, memory);
        let place = self.layout.phases.iter().position(|other| std::ptr::eq(other, phase));
        let Some(counts) = place.and_then(|place| self.does.get_mut(place)) else { return stuck };
        let token = playing.token();
        token.enable(
            #[inline(always)]
            || {
                for moves in &phase.choices {
                    let does = moves.does as usize..moves.does as usize + moves.legal.len();
                    for together in memory[does].chunks(TOGETHER) {
                        let any = together.iter().fold(token.none(), |any, &does| any.or(does));
                        counts[usize::from(any.is_zero())] += 1;
                    }
                }
            },
        );
        stuck
    }
}

/// By phase: the part of neighbours among the moves of which one is made in any lane; 1 where nothing
/// was played. Plays some steps from the initial state, in as many lanes as a width has.
pub(crate) fn made_together(token: AnyToken, layout: &GameLayout, net: &Net) -> Vec<f64> {
    with_width!(AnyToken, token, token => of_planes(token, layout, net))
}

fn of_planes<P: Plane>(token: Token<P>, layout: &GameLayout, net: &Net) -> Vec<f64> {
    let initial = |latch: u32| net.latches[latch as usize].initial;
    let Tuning { most_moves_in_groups, steps_watched, .. } = layout.tuning;
    let random = Random::new(token, &mut seeded(0, 0));
    let uniform = Uniform::new(random, layout.most_moves, most_moves_in_groups);
    let mut watched = Watched { layout, uniform, does: vec![[0; 2]; layout.phases.len()] };
    if let Some(phase) = layout.distinguished_by.find(|latch| initial(latch.0)) {
        let mut machine = Machine::new(token, layout);
        let mut total = Total::new(usize::from(layout.roles));
        total.start(u64::MAX);
        let mut steps = 0;
        let control = &mut |_: &Total| {
            steps += 1;
            if steps > steps_watched { Control::Forget } else { Control::Play }
        };
        let rollouts = Rollouts { phase, max_steps: DEFAULT_MAX_STEPS };
        token.enable(
            #[inline(always)]
            || {
                machine.enter(layout, |latch| token.all_if(initial(latch)));
                machine.run(layout, rollouts, &mut watched, &mut total, control);
            },
        );
    }
    let share = |&[some, none]: &[u64; 2]| match some + none {
        0 => 1.0,
        all => some as f64 / all as f64,
    };
    watched.does.iter().map(share).collect()
}
