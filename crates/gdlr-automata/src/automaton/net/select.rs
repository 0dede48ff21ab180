//! The contents of slots where several walks meet.

use super::memory::{HeldId, holds};
use super::rounds::Rounds;
use gdlr_net::net::Signal;
use gdlr_rg::rg::Name;
use hashbrown::HashMap;
use std::hash::Hash;

impl Rounds<'_> {
    /// The content that belongs to the signal that is true.
    ///
    /// Walks often have the same content, such as the content of a slot before they parted. So the
    /// condition of each content is computed first, whatever the content is.
    pub fn select(&mut self, signals: &[Signal], held: &[HeldId]) -> HeldId {
        let signals = self.wires.apart(signals);
        let mut cases = Vec::new();
        for (&signal, &held) in signals.iter().zip(held) {
            for &(content, when) in self.contents.chosen(held).iter() {
                cases.push((content, self.wires.both(signal, when)));
            }
        }
        let mut ways = by_content(cases);
        match ways[..] {
            // No signal can be true.
            [] => return held.first().copied().unwrap_or_else(|| self.contents.hold(Vec::new())),
            [(only, _)] => return only,
            _ => {}
        }
        if ways.len() > self.wires.tuning.whole_contents {
            let cases: Vec<(HeldId, Signal)> = held.iter().copied().zip(signals).collect();
            let held = self.symbols_of_chosen(&cases);
            return self.contents.hold(held);
        }
        // The content with the most walks is chosen if no other content is.
        let most = (0..ways.len()).max_by_key(|&at| ways[at].1.len()).unwrap_or_default();
        let (rest, _) = ways.swap_remove(most);
        let mut chosen: Vec<(HeldId, Signal)> = Vec::new();
        for (content, ways) in ways {
            chosen.push((content, self.wires.one_of(&ways)));
        }
        let others: Vec<Signal> = chosen.iter().map(|&(_, when)| when).collect();
        chosen.push((rest, !self.wires.or(&others)));
        chosen.sort_unstable();
        let held = self.symbols_of_chosen(&chosen);
        self.contents.hold_chosen(held, chosen)
    }

    /// The content that is chosen from some contents.
    pub fn select_case(&mut self, cases: &[(HeldId, Signal)]) -> HeldId {
        let (held, signals): (Vec<HeldId>, Vec<Signal>) = cases.iter().copied().unzip();
        self.select(&signals, &held)
    }

    /// By symbol: the signal that it is held.
    fn symbols_of_chosen(&mut self, chosen: &[(HeldId, Signal)]) -> Vec<(Name, Signal)> {
        let mut symbols: Vec<Name> = Vec::new();
        for &(content, _) in chosen {
            symbols.extend(self.contents.held(content).iter().map(|&(symbol, _)| symbol));
        }
        symbols.sort_unstable();
        symbols.dedup();
        let when = |rounds: &mut Self, symbol: Name| {
            let mut cases = Vec::new();
            for &(content, when) in chosen {
                let held = holds(rounds.contents.held(content), symbol);
                cases.push(rounds.wires.both(when, held));
            }
            rounds.wires.one_of(&cases)
        };
        match symbols[..] {
            [only] => vec![(only, Signal::TRUE)],
            [one, other] => {
                let first = when(self, one);
                vec![(one, first), (other, !first)]
            }
            _ => symbols.iter().map(|&symbol| (symbol, when(self, symbol))).collect(),
        }
    }
}

/// The contents or symbols, each once, in the order of their first occurrence, with all their
/// signals. Contents with the signal `FALSE` are left out.
pub(super) fn by_content<K: Copy + Eq + Hash>(
    cases: impl IntoIterator<Item = (K, Signal)>,
) -> Vec<(K, Vec<Signal>)> {
    let mut groups: Vec<(K, Vec<Signal>)> = Vec::new();
    let mut places = HashMap::new();
    for (content, when) in cases.into_iter().filter(|&(_, when)| when != Signal::FALSE) {
        let place = *places.entry(content).or_insert(groups.len());
        match groups.get_mut(place) {
            Some((_, all)) => all.push(when),
            None => groups.push((content, vec![when])),
        }
    }
    groups
}
