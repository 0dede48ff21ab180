//! The moves of players. Walks are followed tag by tag, and only walks that some state may allow
//! are continued.

use super::NoNet;
use super::at_turns::AtTurns;
use super::follow::Instance;
use super::memory::MemoryId;
use super::rounds::Rounds;
use super::turns::Turns;
use super::walks::{At, Configuration, Kind, KnownValue, walks};
use gdlr_net::net::Signal;
use gdlr_rg::rg::Name;
use gdlr_rg::rg::optimise::program::Node;
use hashbrown::{HashMap, HashSet};
use std::rc::Rc;

/// The end of a walk.
pub(super) struct End {
    /// The player, followed by the tags.
    pub tags: Rc<[Name]>,
    /// The node at which play goes on, and the next player.
    pub turn: (Node, Name),
    /// The signal of the walk, and its writes.
    pub instance: Instance,
}

/// The ends of all moves.
pub(super) fn ends(
    rounds: &mut Rounds<'_>,
    turns: &Turns,
    at_turns: &AtTurns,
    turn_signals: &[Signal],
) -> Result<Vec<End>, NoNet> {
    let player = rounds.sheet.variable(Name::PLAYER).expect("every automaton has it");
    let begin = |&(node, value): &(Node, Name)| {
        let same_value = [Some(player), at_turns.mover(node)].into_iter().flatten();
        let mut environment: Vec<KnownValue> =
            same_value.map(|var| KnownValue { var, value, assigned: false }).collect();
        environment.sort_unstable();
        Configuration { at: At::Node(node), environment: environment.into(), tags: [value].into() }
    };
    // The keeper moves behind the move.
    let inner = HashSet::new();
    let kind = Kind::Moves { tagged: true, inner: &inner, kept: rounds.kept };
    let first = rounds.begin(turn_signals, MemoryId::NOTHING);
    let mut layer: Vec<(Configuration, Instance)> =
        turns.players.iter().map(begin).zip(first).collect();
    let mut ends = Vec::new();
    let mut tags = 0;
    while !layer.is_empty() {
        rounds.wires.meter.set_walks(ends.len() + layer.len(), tags);
        tags += 1;
        let mut places: HashMap<Configuration, usize> = HashMap::new();
        let mut starts = Vec::new();
        let mut instances = Vec::new();
        for (configuration, instance) in layer {
            let place = *places.entry(configuration).or_insert_with_key(|configuration| {
                starts.push(configuration.clone());
                starts.len() - 1
            });
            instances.push((place, instance));
        }
        let (found, starts) = walks(rounds.sheet, rounds.live, &kind, starts, rounds.wires.meter)?;
        let instances = instances.into_iter().map(|(place, instance)| (starts[place], instance));
        layer = Vec::new();
        for (end, instance) in rounds.follow(&found, instances)? {
            let configuration = &found.configurations[end as usize];
            let tags = configuration.tags.clone();
            match configuration.at {
                At::End(node, next) => ends.push(End { tags, turn: (node, next), instance }),
                _ => layer.push((configuration.clone(), instance)),
            }
        }
    }
    check_proper(&ends, rounds)?;
    Ok(ends)
}

/// Refuses walks with the same tags that lead to different ends, if one of them has all conditions
/// of the other. Where that one exists, the state behind the move would be ambiguous (RG, 2.2).
/// Walks that never exist do not matter.
fn check_proper(ends: &[End], rounds: &Rounds<'_>) -> Result<(), NoNet> {
    let mut by_tags: HashMap<&[Name], Vec<&End>> = HashMap::new();
    for end in ends {
        let others = by_tags.entry(&end.tags).or_default();
        rounds.wires.meter.spend(others.len())?;
        let both = |other: &&End| {
            let (one, other) = (end.instance.signal, other.instance.signal);
            let wires = &rounds.wires;
            let more = match (wires.asks_all_of(one, other), wires.asks_all_of(other, one)) {
                (true, _) => one,
                (_, true) => other,
                _ => return false,
            };
            !wires.is_never(more)
        };
        if others.iter().filter(|other| other.turn != end.turn).any(both) {
            let program = &rounds.sheet.program;
            let tags: Vec<&str> = end.tags[1..].iter().map(|&tag| program.text(tag)).collect();
            return Err(NoNet::Ambiguous(tags.join(" ")));
        }
        others.push(end);
    }
    Ok(())
}
