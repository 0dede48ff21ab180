//! Phases: a net for each turn of a game in which players alternate.
//!
//! The latches that say whose turn it is go through a short [cycle](super::cycle) whatever is
//! played, and so all games of a batch are in the same phase at all times. So may a
//! [sign](super::signs), if each move of a phase decides it the same way. A game begins only
//! when it is the turn of its first state's phase; a lane waits for some steps between two
//! games, fewer than there are phases.

use super::choices::Choices;
use super::compound::{Compound, compound};
use super::cycle::{MOST_TURNS, cycle, cycle_with};
use super::decided::{decided, frequencies};
use super::denied::denied;
use super::playing::while_playing;
use super::{Sign, Turns};
use crate::net::evaluate::{Evaluation, read};
use crate::net::gates::{GateId, LatchId, Net, Signal};
use crate::net::passes::{ABSORPTION, CHOICES, DUPLICATES, PAIRS, Pass, SHARED};
use crate::net::rebuild::{Replaced, replace};
use gdlr_text::budget::{Exhausted, Meter};

/// How often what is found out about the inputs is put in at most.
const ROUNDS: usize = 3;

/// A round that makes a net smaller by less than this part of it is the last.
const GAIN: usize = 100;

/// What runs in a round.
const PASSES: [&Pass; 4] = [&DUPLICATES, &ABSORPTION, &CHOICES, &SHARED];

/// A net for each phase, in the order of play.
#[derive(Clone, Debug)]
pub struct Phases {
    /// All have the same latches, in the same order; each has its own inputs.
    pub nets: Vec<Net>,
    /// By latch of the nets: which latch of the original net it is.
    pub latches: Vec<LatchId>,
    /// The latches of the original net that are known in each phase.
    pub turns: Turns,
    /// By phase: its compound moves, if rows and columns are inputs in place of them.
    pub compounds: Vec<Vec<Compound>>,
}

impl Phases {
    /// Looks for the phases of a net; a game without turns has one. Linear in the net, for
    /// each phase.
    ///
    /// # Errors
    ///
    /// When the budget is exhausted.
    pub fn of(net: &Net, meter: &Meter<'_>) -> Result<Phases, Exhausted> {
        meter.spend((1 + MOST_TURNS) * (net.len() + net.wires()))?;
        let mut turns = cycle(net);
        if turns.count() == 1 {
            turns = while_playing(net, meter)?.unwrap_or(turns);
        }
        // Signs go with latches that go round in any case.
        let signs = if turns.over.is_none() { Sign::of(net) } else { Vec::new() };
        for sign in signs {
            meter.spend((1 + MOST_TURNS) * (net.len() + net.wires()))?;
            if let Some(longer) = cycle_with(net, &turns.latches, &sign)
                && (turns.count() + 1..=MOST_TURNS).contains(&longer.count())
            {
                turns = longer;
            }
        }
        let mut phases = Phases::of_turns(net, turns, meter)?;
        phases.deny(net, meter)?;
        Ok(phases)
    }

    /// The phases of a net in which moves decide whose turn it is, and how often
    /// each is computed for a step of a game. Linear in the net, for each phase and every 32
    /// latches.
    ///
    /// # Errors
    ///
    /// When the budget is exhausted.
    pub fn decided(net: &Net, meter: &Meter<'_>) -> Result<Option<(Phases, Vec<f64>)>, Exhausted> {
        let Some(turns) = decided(net, meter)? else { return Ok(None) };
        let frequencies = frequencies(net, &turns, meter)?;
        Ok(Some((Phases::of_turns(net, turns, meter)?, frequencies)))
    }

    /// A net for each turn.
    fn of_turns(net: &Net, turns: Turns, meter: &Meter<'_>) -> Result<Phases, Exhausted> {
        let mut is_known = vec![false; net.latches.len()];
        turns.latches.iter().for_each(|&latch| is_known[latch.index()] = true);
        let latches: Vec<LatchId> =
            net.latch_ids().filter(|latch| !is_known[latch.index()]).collect();
        let known = |turn| turns.replaced(net, turn);
        let nets: Result<Vec<Net>, Exhausted> =
            (0..turns.count()).map(|turn| specialised(net, known(turn), meter)).collect();
        let compounds = vec![Vec::new(); turns.count()];
        Ok(Phases { nets: nets?, latches, turns, compounds })
    }

    /// The same with rows and columns in place of compound moves; none if there are none.
    ///
    /// # Errors
    ///
    /// When the budget is exhausted.
    pub fn compound(&self, meter: &Meter<'_>) -> Result<Option<Phases>, Exhausted> {
        let found: Result<Vec<_>, Exhausted> =
            self.nets.iter().map(|net| compound(net, meter)).collect();
        let found = found?;
        if found.iter().all(Option::is_none) {
            return Ok(None);
        }
        let mut phases = self.clone();
        for (place, (net, compounds)) in
            found.into_iter().enumerate().filter_map(|(place, found)| Some((place, found?)))
        {
            (phases.nets[place], phases.compounds[place]) = (net, compounds);
        }
        Ok(Some(phases))
    }

    /// Makes gates of what moves have in common.
    ///
    /// # Errors
    ///
    /// When the budget is exhausted.
    pub fn pair(&mut self, meter: &Meter<'_>) -> Result<(), Exhausted> {
        for net in &mut self.nets {
            *net = (PAIRS.run)(net, meter)?;
        }
        Ok(())
    }

    /// Leaves out of each phase what the one before has [denied](denied()).
    fn deny(&mut self, net: &Net, meter: &Meter<'_>) -> Result<(), Exhausted> {
        let turns = self.turns.count();
        let initial = |latch: LatchId| net.latches[latch.index()].initial;
        let latches: Vec<u64> = net.latch_ids().map(|latch| u64::from(initial(latch))).collect();
        let mut values = Vec::new();
        Evaluation::new(net).run(&latches, &vec![0; net.inputs.len()], &mut values);
        if turns < 2 || read(&values, net.terminal) & 1 == 1 {
            return Ok(());
        }
        let before = |turn: usize| &self.nets[(turn + turns - 1) % turns];
        let denied: Vec<Vec<(GateId, bool)>> =
            (0..turns).map(|turn| denied(net, &self.turns, &self.latches, before(turn))).collect();
        for (turn, denied) in denied.into_iter().enumerate().filter(|(_, of)| !of.is_empty()) {
            let mut known = self.turns.replaced(net, turn);
            known.known.extend(denied);
            self.nets[turn] = specialised(net, known, meter)?;
        }
        Ok(())
    }
}

/// A net with what is known put in, and with that the moves that are never or always made.
fn specialised(net: &Net, known: Replaced, meter: &Meter<'_>) -> Result<Net, Exhausted> {
    let mut made = replace(net, &known, meter)?;
    for _ in 0..ROUNDS {
        let choices = Choices::of(&made, |at| made.inputs[at].legal != Signal::FALSE);
        let inputs = choices.known.iter().map(|known| known.map(Signal::constant)).collect();
        let before = made.len() + made.wires();
        made = replace(&made, &Replaced { inputs, ..Replaced::default() }, meter)?;
        for pass in PASSES {
            made = (pass.run)(&made, meter)?;
        }
        let after = made.len() + made.wires();
        if after + before / GAIN >= before {
            break;
        }
    }
    Ok(made)
}

// Grounding takes long under Miri, and nothing here is unsafe.
#[cfg(all(test, not(miri)))]
mod tests {
    use super::*;
    use gdlr_rules::gdl::Game;
    use gdlr_text::budget::Budget;

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
            assert_eq!(phases.latches.len() + phases.turns.latches.len(), net.latches.len());
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
        assert_eq!(phases_of(&turns(MOST_TURNS + 1)).1.nets.len(), 1);
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

    /// A move to one of four places, which no latch but those of the places tells, then a shot.
    const MOVE_AND_SHOT: &str = "(role x) (role o) (init (turn x)) (other x o) (other o x)
        (place 1) (place 2) (place 3) (place 4)
        (<= (legal ?p (move ?i)) (true (turn ?p)) (not shooting) (place ?i))
        (<= (legal ?p (shoot ?j)) (true (turn ?p)) (true (shooter ?i)) (place ?j)
            (not (true (hole ?j))))
        (<= (legal ?p (shoot none)) (true (turn ?p)) shooting)
        (<= (legal ?p wait) (role ?p) (not (true (turn ?p))))
        (<= shooting (true (shooter ?i)))
        (<= (next (shooter ?i)) (does ?p (move ?i)))
        (<= (next (hole ?j)) (does ?p (shoot ?j)) (place ?j))
        (<= (next (hole ?j)) (true (hole ?j)))
        (<= (next (turn ?p)) (true (turn ?p)) (not shooting))
        (<= (next (turn ?q)) (true (turn ?p)) shooting (other ?p ?q))
        (<= terminal (true (hole 1)) (true (hole 2)))
        (<= (goal ?p 50) (role ?p))";

    #[test]
    fn a_move_and_a_shot_are_phases() {
        let (net, phases) = phases_of(MOVE_AND_SHOT);
        assert_eq!(phases.nets.len(), 4);
        let [sign] = &phases.turns.signs[..] else { panic!("{:?}", phases.turns) };
        assert_eq!(sign.latches.len(), 4);
        assert!(
            phases
                .turns
                .values
                .iter()
                .map(|values| values[values.len() - 1])
                .eq([false, true, false, true])
        );
        // The latches of the sign stay, and a phase has the moves of one player alone.
        assert_eq!(phases.latches.len() + phases.turns.latches.len(), net.latches.len());
        for (turn, made) in phases.nets.iter().enumerate() {
            let of = |role: u16| made.inputs.iter().filter(|input| input.role.0 == role).count();
            let expected = if turn % 2 == 0 { 4 } else { 5 };
            assert_eq!((of(0) + of(1), of(0).min(of(1))), (expected + 1, 1), "turn {turn}");
        }
    }

    #[test]
    fn a_sign_that_a_move_may_leave_as_it_is_makes_no_phases() {
        let (_, phases) = phases_of(&MOVE_AND_SHOT.replace(
            "(<= (legal ?p wait)",
            "(<= (legal ?p rest) (true (turn ?p)) (not shooting)) (<= (legal ?p wait)",
        ));
        assert_eq!(phases.nets.len(), 1);
        let (_, phases) = phases_of(&MOVE_AND_SHOT.replace(
            "(init (turn x))",
            "
            (init (turn x)) (init (shooter 1))",
        ));
        assert_eq!(phases.nets.len(), 4, "it may be true at first");
        assert_eq!(phases.turns.values[0].last(), Some(&true));
    }
}
