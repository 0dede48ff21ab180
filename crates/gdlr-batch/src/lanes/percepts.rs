//! The percepts of a step: what the rules for `sees` let each role see (GDL-II).
//!
//! A percept depends on the state before the step and on the joint move, chance's included. So it
//! is computed when the moves are made, for all lanes of a block at once, and kept with the block
//! until its lanes play again or begin. Games without rules for `sees` have nothing of this.

use crate::layout::{Constant, GameLayout, Transfer, Whole};
use crate::program::{Slot, TRUE};
use crate::schedule::Order;
use gdlr_net::net::Net;
use gdlr_rules::gdl::{SymbolTable, Term, natural_order};
use gdlr_text::budget::{Exhausted, Meter};
use hashbrown::HashMap;

/// The moves of a phase, on their way into the memory of percepts.
#[derive(Clone, Debug)]
pub(super) struct MovesMade {
    /// Those that can be made.
    pub copied: Vec<Transfer>,
    /// Those that are always or never made.
    pub known: Vec<Constant>,
}

/// How percepts are found, and where they are kept.
#[derive(Clone, Debug)]
pub(super) struct Percepts {
    pub whole: Whole,
    /// By phase.
    pub moves: Vec<MovesMade>,
    /// The terms that can be seen, sorted by name, each once.
    pub terms: Vec<Term>,
    /// By role, one after the other, and by term: where it is kept, if the role can see it.
    pub kept: Vec<Option<Slot>>,
}

/// The slot of a block that keeps the first percept: behind those of the layout, and the one that
/// says whose turn it is.
pub(super) fn first_percept(layout: &GameLayout) -> usize {
    layout.size + 1
}

impl Percepts {
    /// Lays out the percepts of a net, without those of chance, which sees nothing; `None` where
    /// there is none. Linear in the net.
    ///
    /// # Errors
    ///
    /// When the budget is exhausted.
    pub fn new(
        net: &Net,
        layout: &GameLayout,
        symbols: &SymbolTable,
        meter: &Meter<'_>,
    ) -> Result<Option<Percepts>, Exhausted> {
        let seen = net.percepts.iter().filter(|percept| layout.chance != Some(percept.role.0));
        let seen: Vec<_> = seen.collect();
        if seen.is_empty() {
            return Ok(None);
        }
        let signals = seen.iter().map(|percept| percept.signal).collect();
        let whole = Whole::new(net, signals, &layout.latches, &layout.known, Order::Shapes, meter)?;
        let mut moves = Vec::with_capacity(layout.phases.len());
        for phase in &layout.phases {
            let mut slots: HashMap<(u16, u32), Slot> = HashMap::new();
            for (of_role, choice) in phase.terms.iter().zip(&phase.choices) {
                let does = of_role.terms.iter().zip(choice.does..);
                slots.extend(does.map(|(&term, slot)| ((of_role.role, term), slot)));
            }
            slots.extend(phase.forced.iter().map(|&of_role| (of_role, TRUE)));
            meter.spend(whole.moves.len() + slots.len())?;
            let mut moves_of_phase = MovesMade { copied: Vec::new(), known: Vec::new() };
            for &(place, slot) in &whole.moves {
                let input = &net.inputs[place];
                match slots.get(&(input.role.0, input.term)) {
                    Some(&TRUE) => moves_of_phase.known.push(Constant { slot, value: true }),
                    Some(&from) => moves_of_phase.copied.push(Transfer { to: slot, from }),
                    None => moves_of_phase.known.push(Constant { slot, value: false }),
                }
            }
            moves.push(moves_of_phase);
        }
        let mut terms: Vec<Term> = seen.iter().map(|percept| percept.term.clone()).collect();
        terms.sort_by_cached_key(|term| natural_order(&term.canonical(symbols)));
        terms.dedup();
        let columns: HashMap<&Term, usize> = terms.iter().zip(0..).collect();
        let mut kept = vec![None; usize::from(layout.roles) * terms.len()];
        for (percept, slot) in seen.iter().zip(first_percept(layout) as Slot..) {
            kept[percept.role.index() * terms.len() + columns[&percept.term]] = Some(slot);
        }
        drop(columns);
        Ok(Some(Percepts { whole, moves, terms, kept }))
    }
}
