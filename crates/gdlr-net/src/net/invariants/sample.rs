//! Random play of 64 games at once: what the latches of a net do, as far as play shows it.

use crate::net::evaluate::{Evaluation, read};
use crate::net::gates::{Latch, Net};
use gdlr_text::budget::{Exhausted, Memory, Meter};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Gates and wires that are computed for the sample of one net, at most.
const WORK: usize = 1 << 22;

/// How many states each game passes through at most.
const STEPS: usize = 1 << 8;

/// How many states each game passes through at least: so many that most plays have come to an end.
/// A state that random play does not come to costs a proof that fails, and those cost most.
const LEAST_STEPS: usize = 96;

/// The states of 64 games.
pub(super) struct Samples {
    /// By latch: its values, a word for each step.
    bits: Vec<Vec<u64>>,
}

impl Samples {
    /// Plays a net, with random legal moves; a game that is over begins again. The same net
    /// gives the same sample.
    pub fn of(net: &Net, meter: &Meter<'_>) -> Result<Samples, Exhausted> {
        let evaluation = Evaluation::new(net);
        let mut choice = Choice::new(net);
        let initial = |latch: &Latch| 0u64.wrapping_sub(u64::from(latch.initial));
        let mut latches: Vec<u64> = net.latches.iter().map(initial).collect();
        let mut bits = vec![Vec::new(); latches.len()];
        let mut values = Vec::new();
        let size = net.len() + net.wires();
        let steps = (WORK / (2 * size)).clamp(LEAST_STEPS, STEPS);
        meter.hold(Memory::Scratch, 8 * (net.len() + steps.next_power_of_two() * latches.len()));
        for _ in 0..steps {
            meter.spend(2 * size)?;
            bits.iter_mut().zip(&latches).for_each(|(bits, &value)| bits.push(value));
            evaluation.run(&latches, &vec![0; net.inputs.len()], &mut values);
            let over = read(&values, net.terminal) | choice.draw(net, &values);
            evaluation.run(&latches, &choice.inputs, &mut values);
            for (value, latch) in latches.iter_mut().zip(&net.latches) {
                *value = initial(latch) & over | read(&values, latch.next) & !over;
            }
        }
        Ok(Samples { bits })
    }

    /// How many states each game passed through.
    pub fn steps(&self) -> usize {
        self.bits.first().map_or(0, Vec::len)
    }

    /// How much memory it takes.
    pub fn bytes(&self) -> usize {
        self.bits.iter().map(|bits| size_of_val(bits) + 8 * bits.capacity()).sum()
    }

    /// The values of a latch.
    pub fn of_latch(&self, place: usize) -> &[u64] {
        &self.bits[place]
    }
}

/// A random joint move for each game.
struct Choice {
    random: Xoshiro256PlusPlus,
    /// By input: in which games it is chosen.
    inputs: Vec<u64>,
    /// By role: its inputs.
    by_role: Vec<Vec<usize>>,
}

impl Choice {
    fn new(net: &Net) -> Choice {
        let mut by_role = vec![Vec::new(); usize::from(net.roles)];
        for (place, input) in net.inputs.iter().enumerate() {
            by_role[usize::from(input.role.0)].push(place);
        }
        let random = Xoshiro256PlusPlus::seed_from_u64(0);
        Choice { random, inputs: vec![0; net.inputs.len()], by_role }
    }

    /// Draws; returns the games in which a role has no legal move.
    fn draw(&mut self, net: &Net, values: &[u64]) -> u64 {
        self.inputs.fill(0);
        let mut stuck = 0;
        for inputs in &self.by_role {
            let mut seen = [0u32; 64];
            let mut chosen = [0usize; 64];
            for &input in inputs {
                let mut legal = read(values, net.inputs[input].legal);
                while legal != 0 {
                    let game = legal.trailing_zeros() as usize;
                    legal &= legal - 1;
                    seen[game] += 1;
                    if self.random.random_range(0..seen[game]) == 0 {
                        chosen[game] = input;
                    }
                }
            }
            for game in 0..64 {
                match seen[game] {
                    0 => stuck |= 1 << game,
                    _ => self.inputs[chosen[game]] |= 1 << game,
                }
            }
        }
        stuck
    }
}
