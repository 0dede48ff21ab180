//! Phases: a net for each turn of a game in which players alternate.
//!
//! Some latches follow a short cycle whatever is played: those that say whose turn it is.
//! With their values put in, a net loses the moves of whoever only waits, and all that these
//! would do. All games of a batch are in the same phase at all times, so a game begins only
//! when it is the turn of its first state's phase; a lane waits for some steps between
//! two games, fewer than there are phases.
//!
//! ```text
//! next(white) = not white      phase 0: white     legal(m) = p    next(l) = m or (l and not n)
//! legal(m) = white and p       phase 1: black     legal(m) = 0    next(l) = l
//! ```

use crate::budget::{Exhausted, Meter};
use crate::net::{Evaluation, GateId, Net, Replaced, Signal, pass, read, replace};

/// The most phases. With more, games wait longer for their turn to begin than it saves.
const MOST: usize = 8;

/// How often what is found out about the inputs is put in at most.
const ROUNDS: usize = 3;

/// A round that makes a net smaller by less than this part of it is the last.
const GAIN: usize = 100;

/// A net for each phase, in the order of play.
#[derive(Clone, Debug)]
pub(super) struct Phases {
    /// All have the same latches, in the same order; each has its own inputs.
    pub nets: Vec<Net>,
    /// By latch of the nets: which latch of the original net it is.
    pub latches: Vec<u32>,
    /// By phase: latches of the original net that are known there, and their values.
    pub known: Vec<Vec<(u32, bool)>>,
}

impl Phases {
    /// Looks for the phases of a net; a game without turns has one. Linear in the net, for
    /// each phase.
    pub fn of(net: &Net, meter: &Meter<'_>) -> Result<Phases, Exhausted> {
        meter.spend((1 + MOST) * (net.len() + net.wires()))?;
        let known = cycle(net);
        let mut is_known = vec![false; net.latches.len()];
        known[0].iter().for_each(|&(latch, _)| is_known[latch as usize] = true);
        let latches = (0..net.latches.len() as u32).filter(|&at| !is_known[at as usize]).collect();
        let nets: Result<_, Exhausted> =
            known.iter().map(|values| specialised(net, values, meter)).collect();
        Ok(Phases { nets: nets?, latches, known })
    }
}

/// A net with some latches put in, and with them the moves that are never or always made.
fn specialised(net: &Net, values: &[(u32, bool)], meter: &Meter<'_>) -> Result<Net, Exhausted> {
    let mut replaced =
        Replaced { latches: vec![None; net.latches.len()], inputs: vec![None; net.inputs.len()] };
    for &(latch, value) in values {
        replaced.latches[latch as usize] = Some(Signal::TRUE.negated_if(!value));
    }
    let mut made = replace(net, &replaced, meter)?;
    for _ in 0..ROUNDS {
        let mut replaced = Replaced { latches: Vec::new(), inputs: vec![None; made.inputs.len()] };
        for role in 0..made.roles {
            let mine = (0..made.inputs.len()).filter(|&at| made.inputs[at].role.0 == role);
            let (never, may): (Vec<usize>, Vec<usize>) =
                mine.partition(|&at| made.inputs[at].legal == Signal::FALSE);
            never.into_iter().for_each(|at| replaced.inputs[at] = Some(Signal::FALSE));
            if let [only] = may[..] {
                replaced.inputs[only] = Some(Signal::TRUE);
            }
        }
        let before = made.len() + made.wires();
        made = replace(&made, &replaced, meter)?;
        for name in ["duplicates", "consequences", "absorption", "choices", "shared"] {
            if let Some(pass) = pass(name) {
                made = (pass.run)(&made, meter)?;
            }
        }
        let after = made.len() + made.wires();
        if after + before / GAIN >= before {
            break;
        }
    }
    Ok(made)
}

/// The latches that go through a short cycle by themselves, with their values in each phase.
fn cycle(net: &Net) -> Vec<Vec<(u32, bool)>> {
    // What becomes of the latches that no move has an influence on.
    let evaluation = Evaluation::new(net);
    let initial = net.latches.iter().map(|latch| u64::from(latch.initial)).collect();
    let mut states: Vec<Vec<u64>> = vec![initial];
    let mut values = Vec::new();
    for step in 0..MOST {
        evaluation.run(&states[step], &vec![0; net.inputs.len()], &mut values);
        let next = net.latches.iter().map(|latch| read(&values, latch.next) & 1);
        states.push(next.collect());
    }
    let influence = Influence::of(net);
    let returning = |length: usize| {
        let returns = |place: usize| states[length][place] == states[0][place];
        (length, influence.free(net, |place| !returns(place)))
    };
    let mut best = (1, Vec::new());
    for (length, latches) in (2..=MOST).map(returning) {
        if latches.len() > best.1.len() {
            best = (length, latches);
        }
    }
    let (length, latches) = best;
    let known = |state: &Vec<u64>| {
        latches.iter().map(|&place| (place, state[place as usize] == 1)).collect()
    };
    states[..length].iter().map(known).collect()
}

/// Which gates a gate has an influence on at once.
struct Influence {
    /// By gate: where its readers begin.
    starts: Vec<u32>,
    readers: Vec<u32>,
}

impl Influence {
    /// Of all gates of a net; a latch is read by the gate that is its next value.
    fn of(net: &Net) -> Influence {
        let wires = || {
            let gates = net.computed();
            let operands = gates.flat_map(|gate| {
                net.operands(gate).iter().map(move |operand| (operand.gate().0, gate.0))
            });
            operands.chain(net.latches.iter().map(|latch| (latch.next.gate().0, latch.gate.0)))
        };
        let mut starts = vec![0u32; net.len() + 1];
        wires().for_each(|(from, _)| starts[from as usize + 1] += 1);
        (0..net.len()).for_each(|gate| starts[gate + 1] += starts[gate]);
        let mut readers = vec![0; starts[net.len()] as usize];
        let mut place = starts.clone();
        for (from, to) in wires() {
            readers[place[from as usize] as usize] = to;
            place[from as usize] += 1;
        }
        Influence { starts, readers }
    }

    /// The latches on which neither moves nor certain latches have an influence, however
    /// remote.
    fn free(&self, net: &Net, excluded: impl Fn(usize) -> bool) -> Vec<u32> {
        let latches = net.latches.iter().enumerate();
        let excluded = latches.filter(|(place, _)| excluded(*place)).map(|(_, latch)| latch.gate);
        let mut open: Vec<GateId> = net.inputs.iter().map(|input| input.gate).collect();
        open.extend(excluded);
        let mut touched = vec![false; net.len()];
        while let Some(gate) = open.pop() {
            if !std::mem::replace(&mut touched[gate.index()], true) {
                let (start, end) = (self.starts[gate.index()], self.starts[gate.index() + 1]);
                let readers = &self.readers[start as usize..end as usize];
                open.extend(readers.iter().map(|&reader| GateId(reader)));
            }
        }
        let is_free = |&place: &u32| !touched[net.latches[place as usize].gate.index()];
        (0..net.latches.len() as u32).filter(is_free).collect()
    }
}

// Grounding takes long under Miri, and nothing here is unsafe.
#[cfg(all(test, not(miri)))]
mod tests {
    use super::*;
    use crate::gdl::Game;
    use crate::ground::Budget;

    fn phases_of(rules: &str) -> (Net, Phases) {
        let game = Game::from_kif("test", rules).expect("a rulesheet");
        let net = Net::of_game(game, &Budget::default()).expect("it is small");
        let phases = Phases::of(&net, &Meter::unlimited()).expect("no limit");
        (net, phases)
    }

    /// So many players take turns.
    fn turns(players: usize) -> String {
        let mut rules = "(init (turn p0)) (<= terminal (true (mark 1)) (true (mark 2)))".to_owned();
        for player in 0..players {
            let next = (player + 1) % players;
            rules += &format!("(role p{player}) (goal p{player} 50) (after p{player} p{next})");
        }
        rules
            + "(index 1) (index 2)
            (<= (next (turn ?q)) (true (turn ?p)) (after ?p ?q))
            (<= (legal ?p (put ?i)) (true (turn ?p)) (index ?i))
            (<= (legal ?p wait) (role ?p) (not (true (turn ?p))))
            (<= (next (mark ?i)) (does ?p (put ?i)))
            (<= (next (mark ?i)) (true (mark ?i)))"
    }

    #[test]
    fn players_who_take_turns() {
        for players in 2..=5 {
            let (net, phases) = phases_of(&turns(players));
            assert_eq!(phases.nets.len(), players);
            assert_eq!(phases.latches.len() + phases.known[0].len(), net.latches.len());
            for made in &phases.nets {
                // One chooses among two moves; the others have one each, which nobody reads.
                let may = |role: u16| {
                    let mine = made.inputs.iter().filter(move |input| input.role.0 == role);
                    mine.count()
                };
                let counts: Vec<usize> = (0..players as u16).map(may).collect();
                assert_eq!(counts.iter().filter(|&&count| count == 2).count(), 1, "{counts:?}");
                assert_eq!(counts.iter().filter(|&&count| count == 1).count(), players - 1);
            }
        }
        assert_eq!(phases_of(&turns(MOST + 1)).1.nets.len(), 1);
    }

    #[test]
    fn turns_that_a_move_decides_about_are_no_phases() {
        let again = turns(2).replace(
            "(<= (next (turn ?q)) (true (turn ?p)) (after ?p ?q))",
            "(<= (next (turn ?q)) (true (turn ?p)) (after ?p ?q) (does ?p (put 1)))
             (<= (next (turn ?p)) (true (turn ?p)) (does ?p (put 2)))",
        );
        let (net, phases) = phases_of(&again);
        assert_eq!(phases.nets.len(), 1);
        assert_eq!(phases.latches.len(), net.latches.len());
    }
}
