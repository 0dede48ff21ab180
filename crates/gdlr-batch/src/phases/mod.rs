//! A net for each [phase](Phases) of a game in which players alternate.
//!
//! A step computes only one of the nets, so sharing between them would gain nothing. Each net is made as small as passes can make
//! it. Gates that no state of the phase makes true are removed ([`care_set`]). For random playouts a net may have rows and
//! columns in place of compound moves ([`compound`](mod@compound)).
//!
//! If phases follow each other periodically, all games of a batch are in the same phase at all times. A game begins only
//! in the phase of the initial state. So a lane waits between two games, for fewer steps than there are phases. If moves
//! decide about phases, lanes wait for their phase.

mod care_set;
mod compound;

pub(crate) use compound::Compound;

use care_set::outside_care_set;
use compound::compound;
use gdlr_net::net::{
    ABSORPTION, CHOICES, Choices, DUPLICATES, Evaluation, GateId, LatchId, Net, Pass, Phases,
    Replaced, SHARED, Signal, Tuning, fast_extract, read, replace,
};
use gdlr_text::budget::{Exhausted, Meter};

/// How often what is found out about the inputs is put in at most.
const ROUNDS: usize = 3;

/// A round that makes a net smaller by less than this part of it is the last.
const GAIN: usize = 100;

/// The passes of a round.
const PASSES: [&Pass; 4] = [&DUPLICATES, &ABSORPTION, &CHOICES, &SHARED];

/// A net for each phase, in the order of play.
#[derive(Clone, Debug)]
pub(crate) struct PhaseNets {
    /// All have the same latches, in the same order; each has its own inputs.
    pub nets: Vec<Net>,
    /// By latch of the nets: which latch of the original net it is.
    pub latches: Vec<LatchId>,
    /// The phases, by latches of the original net.
    pub phases: Phases,
    /// By phase: its compound moves, if rows and columns are inputs in place of them.
    pub compounds: Vec<Vec<Compound>>,
}

impl PhaseNets {
    /// The nets of the phases of a net that come round; a game without turns has one. Linear in the
    /// net, for each phase.
    ///
    /// # Errors
    ///
    /// When the budget is exhausted.
    pub fn around(net: &Net, meter: &Meter<'_>) -> Result<PhaseNets, Exhausted> {
        let phases = Phases::around(net, meter)?;
        let mut nets = PhaseNets::of(net, phases, meter)?;
        nets.restrict_to_care_set(net, meter)?;
        Ok(nets)
    }

    /// The nets of the phases about which moves decide, and how often each is computed for a step of
    /// a game. Linear in the net, for each phase and every 32 latches.
    ///
    /// # Errors
    ///
    /// When the budget is exhausted.
    pub fn decided(
        net: &Net,
        meter: &Meter<'_>,
    ) -> Result<Option<(PhaseNets, Vec<f64>)>, Exhausted> {
        let Some((phases, frequencies)) = Phases::decided(net, meter)? else { return Ok(None) };
        Ok(Some((PhaseNets::of(net, phases, meter)?, frequencies)))
    }

    /// A net for each phase.
    fn of(net: &Net, phases: Phases, meter: &Meter<'_>) -> Result<PhaseNets, Exhausted> {
        let mut is_known = vec![false; net.latches.len()];
        phases.latches.iter().for_each(|&latch| is_known[latch.index()] = true);
        let latches: Vec<LatchId> =
            net.latch_ids().filter(|latch| !is_known[latch.index()]).collect();
        let replaced = |phase| phases.replaced(net, phase);
        let nets: Result<Vec<Net>, Exhausted> =
            (0..phases.count()).map(|phase| specialised(net, replaced(phase), meter)).collect();
        let compounds = vec![Vec::new(); phases.count()];
        Ok(PhaseNets { nets: nets?, latches, phases, compounds })
    }

    /// The same with rows and columns in place of compound moves; none if there are none.
    ///
    /// # Errors
    ///
    /// When the budget is exhausted.
    pub fn compound(&self, meter: &Meter<'_>) -> Result<Option<PhaseNets>, Exhausted> {
        let with_grids: Result<Vec<_>, Exhausted> =
            self.nets.iter().map(|net| compound(net, meter)).collect();
        let with_grids = with_grids?;
        if with_grids.iter().all(Option::is_none) {
            return Ok(None);
        }
        let mut nets = self.clone();
        for (place, (net, compounds)) in
            with_grids.into_iter().enumerate().filter_map(|(place, net)| Some((place, net?)))
        {
            (nets.nets[place], nets.compounds[place]) = (net, compounds);
        }
        Ok(Some(nets))
    }

    /// Makes gates of what moves have in common.
    ///
    /// # Errors
    ///
    /// When the budget is exhausted.
    pub fn fast_extract(&mut self, tuning: &Tuning, meter: &Meter<'_>) -> Result<(), Exhausted> {
        for net in &mut self.nets {
            *net = fast_extract(net, tuning, meter)?;
        }
        Ok(())
    }

    /// Puts in the gates that are known in the [care set](outside_care_set) of each phase.
    fn restrict_to_care_set(&mut self, net: &Net, meter: &Meter<'_>) -> Result<(), Exhausted> {
        let phases = self.phases.count();
        let initial = |latch: LatchId| net.latches[latch.index()].initial;
        let latches: Vec<u64> = net.latch_ids().map(|latch| u64::from(initial(latch))).collect();
        let mut values = Vec::new();
        Evaluation::new(net).run(&latches, &vec![0; net.inputs.len()], &mut values);
        if phases < 2 || read(&values, net.terminal) & 1 == 1 {
            return Ok(());
        }
        let before = |phase: usize| &self.nets[(phase + phases - 1) % phases];
        let fixed: Vec<Vec<(GateId, bool)>> = (0..phases)
            .map(|phase| outside_care_set(net, &self.phases, &self.latches, before(phase)))
            .collect();
        for (phase, fixed) in fixed.into_iter().enumerate().filter(|(_, of)| !of.is_empty()) {
            let mut replaced = self.phases.replaced(net, phase);
            replaced.known.extend(fixed);
            self.nets[phase] = specialised(net, replaced, meter)?;
        }
        Ok(())
    }
}

/// A net with what is known put in, and with that the moves that are never or always made.
fn specialised(net: &Net, known: Replaced, meter: &Meter<'_>) -> Result<Net, Exhausted> {
    let mut rebuilt = replace(net, &known, meter)?;
    for _ in 0..ROUNDS {
        let choices = Choices::of(&rebuilt, |at| rebuilt.inputs[at].legal != Signal::FALSE);
        let inputs = choices.known.iter().map(|known| known.map(Signal::constant)).collect();
        let before = rebuilt.len() + rebuilt.wires();
        rebuilt = replace(&rebuilt, &Replaced { inputs, ..Replaced::default() }, meter)?;
        for pass in PASSES {
            rebuilt = (pass.run)(&rebuilt, meter)?;
        }
        let after = rebuilt.len() + rebuilt.wires();
        if after + before / GAIN >= before {
            break;
        }
    }
    Ok(rebuilt)
}

// Grounding takes long under Miri, and nothing here is unsafe.
#[cfg(all(test, not(miri)))]
mod tests {
    use super::*;
    use gdlr_net::net::GOES_ON;
    use gdlr_rules::gdl::Game;
    use gdlr_text::budget::Budget;

    fn nets_of(rules: &str) -> (Net, PhaseNets) {
        let game = Game::from_kif("test", rules).expect("a rulesheet");
        let net = Net::of_game(game, &Budget::default()).expect("it is small");
        let nets = PhaseNets::around(&net, &Meter::unlimited()).expect("no limit");
        (net, nets)
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
            let (net, rebuilt) = nets_of(&turns(players));
            assert_eq!(rebuilt.nets.len(), players);
            assert_eq!(rebuilt.latches.len() + rebuilt.phases.latches.len(), net.latches.len());
            for net in &rebuilt.nets {
                // One chooses among two moves; the others have one each, which nobody reads.
                let may = |role: u16| {
                    let mine = net.inputs.iter().filter(move |input| input.role.0 == role);
                    mine.count()
                };
                let counts: Vec<usize> = (0..players as u16).map(may).collect();
                assert_eq!(counts.iter().filter(|&&count| count == 2).count(), 1, "{counts:?}");
                assert_eq!(counts.iter().filter(|&&count| count == 1).count(), players - 1);
            }
        }
        assert_eq!(nets_of(&turns(9)).1.nets.len(), 1, "too many");
    }

    #[test]
    fn turns_that_a_move_decides_about_are_no_phases() {
        let again = turns(2).replace(
            "(<= (next (turn ?q)) (true (turn ?p)) (after ?p ?q))",
            "(<= (next (turn ?q)) (true (turn ?p)) (after ?p ?q) (does ?p (put 1)))
             (<= (next (turn ?p)) (true (turn ?p)) (does ?p (put 2)))",
        );
        let (net, rebuilt) = nets_of(&again);
        assert_eq!(rebuilt.nets.len(), 1);
        assert_eq!(rebuilt.latches.len(), net.latches.len());
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
        let (net, rebuilt) = nets_of(MOVE_AND_SHOT);
        assert_eq!(rebuilt.nets.len(), 4);
        let [indicator] = &rebuilt.phases.indicators[..] else { panic!("{:?}", rebuilt.phases) };
        assert_eq!(indicator.latches.len(), 4);
        assert!(
            rebuilt
                .phases
                .values
                .iter()
                .map(|values| values[values.len() - 1])
                .eq([false, true, false, true])
        );
        // The latches of the indicator stay, and a phase has the moves of one player alone.
        assert_eq!(rebuilt.latches.len() + rebuilt.phases.latches.len(), net.latches.len());
        for (phase, net) in rebuilt.nets.iter().enumerate() {
            let of = |role: u16| net.inputs.iter().filter(|input| input.role.0 == role).count();
            let expected = if phase % 2 == 0 { 4 } else { 5 };
            assert_eq!((of(0) + of(1), of(0).min(of(1))), (expected + 1, 1), "phase {phase}");
        }
    }

    #[test]
    fn an_indicator_that_a_move_may_leave_as_it_is_makes_no_phases() {
        let (_, rebuilt) = nets_of(&MOVE_AND_SHOT.replace(
            "(<= (legal ?p wait)",
            "(<= (legal ?p rest) (true (turn ?p)) (not shooting)) (<= (legal ?p wait)",
        ));
        assert_eq!(rebuilt.nets.len(), 1);
        let (_, rebuilt) = nets_of(&MOVE_AND_SHOT.replace(
            "(init (turn x))",
            "
            (init (turn x)) (init (shooter 1))",
        ));
        assert_eq!(rebuilt.nets.len(), 4, "it may be true at first");
        assert_eq!(rebuilt.phases.values[0].last(), Some(&true));
    }

    /// By phase about which moves decide: how many moves each role has.
    fn moves(rules: &str, roles: u16) -> Vec<Vec<usize>> {
        let game = Game::from_kif("test", rules).expect("a rulesheet");
        let net = Net::of_game(game, &Budget::default()).expect("it is small");
        let decided = PhaseNets::decided(&net, &Meter::unlimited()).expect("no limit");
        let (rebuilt, _) = decided.expect("phases");
        let of = |net: &Net, role| net.inputs.iter().filter(|input| input.role.0 == role).count();
        rebuilt.nets.iter().map(|net| (0..roles).map(|role| of(net, role)).collect()).collect()
    }

    #[test]
    fn who_waits_has_one_move_where_moves_decide_whose_turn_it_is() {
        assert_eq!(nets_of(GOES_ON).1.nets.len(), 1);
        assert_eq!(moves(GOES_ON, 2), [[4, 1], [1, 4]]);
        let three = GOES_ON.replace("(after o x)", "(after o z) (after z x) (role z)");
        assert_eq!(moves(&three, 3)[..3], [[4, 1, 1], [1, 4, 1], [1, 1, 4]]);
        let nobodys = GOES_ON.replace("(after o x)", "(after o nobody)")
            + "(<= (next (turn x)) (true (turn nobody)))";
        assert_eq!(moves(&nobodys, 2), [[4, 1], [1, 4], [1, 1]]);
    }
}
