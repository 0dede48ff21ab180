//! The conditions of moves, split into those of a row and those of a column.

use gdlr_engine::engine::RoleId;
use gdlr_net::net::{InputId, Net, Operation, Signal};
use gdlr_text::budget::{Exhausted, Meter};
use hashbrown::{HashMap, HashSet};

/// A move, with the conditions of a row and those of a column, which together are its own.
pub(super) struct Split {
    pub input: InputId,
    pub sides: [Vec<Signal>; 2],
}

/// The rows, or the columns, of moves, in order.
pub(super) fn distinct(splits: &[Split], side: usize) -> Vec<&Vec<Signal>> {
    let mut distinct: Vec<&Vec<Signal>> = splits.iter().map(|split| &split.sides[side]).collect();
    distinct.sort_unstable();
    distinct.dedup();
    distinct
}

/// Of each condition of moves: all that the moves with it have in common.
struct Common {
    /// How many moves have it.
    count: usize,
    conditions: Vec<Signal>,
}

/// Splits moves of a role. For each condition of a move, what all moves with it have in common may be
/// the column, and what is left the row. The split whose row and column most moves share is taken; the
/// part that fewer share counts. Moves that share neither are left out, and of those with the same
/// conditions all but one.
pub(super) fn splits(net: &Net, role: RoleId, meter: &Meter<'_>) -> Result<Vec<Split>, Exhausted> {
    let mut moves: Vec<(InputId, Vec<Signal>)> = Vec::new();
    let mut distinct = HashSet::new();
    for (input, at) in net.inputs.iter().zip(0..).filter(|(input, _)| input.role == role) {
        let conditions_of_move = conditions(net, input.legal);
        meter.spend(conditions_of_move.len() * conditions_of_move.len())?;
        if distinct.insert(conditions_of_move.clone()) {
            moves.push((InputId(at), conditions_of_move));
        }
    }
    let mut common: HashMap<Signal, Common> = HashMap::new();
    for (_, conditions_of_move) in &moves {
        for &condition in conditions_of_move {
            let common = common.entry(condition);
            let common = common
                .or_insert_with(|| Common { count: 0, conditions: conditions_of_move.clone() });
            common.count += 1;
            common.conditions.retain(|signal| conditions_of_move.binary_search(signal).is_ok());
        }
    }
    // By move: its columns, how many moves have each, and the names of what is left.
    let mut shared: HashMap<u64, usize> = HashMap::new();
    let mut choices: Vec<Vec<(&Common, u64)>> = Vec::new();
    for (_, conditions_of_move) in &moves {
        let mut columns: Vec<(&Common, u64)> = Vec::new();
        for common in conditions_of_move.iter().map(|condition| &common[condition]) {
            let rest = name(conditions_of_move).wrapping_sub(name(&common.conditions));
            let is_new = columns.iter().all(|&(_, other)| other != rest);
            if common.count > 1 && common.conditions.len() < conditions_of_move.len() && is_new {
                *shared.entry(rest).or_default() += 1;
                columns.push((common, rest));
            }
        }
        choices.push(columns);
    }
    let mut splits = Vec::new();
    for ((input, conditions_of_move), columns) in moves.into_iter().zip(choices) {
        let often =
            |&(common, rest): &(&Common, u64)| (common.count.min(shared[&rest]), common.count);
        let Some((column, rest)) = columns.into_iter().max_by_key(often) else { continue };
        if shared[&rest] > 1 {
            let (column, row) =
                conditions_of_move.iter().partition(|signal| column.conditions.contains(signal));
            splits.push(Split { input, sides: [row, column] });
        }
    }
    Ok(splits)
}

/// All signals that a signal is the And of, in their order.
fn conditions(net: &Net, signal: Signal) -> Vec<Signal> {
    let (mut open, mut all) = (vec![signal], Vec::new());
    while let Some(signal) = open.pop() {
        match &net.view(signal, Operation::And)[..] {
            &[only] if only == signal => all.push(signal),
            parts => open.extend(parts),
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// A number for some signals; that of a part, taken away, leaves the number of the rest.
fn name(signals: &[Signal]) -> u64 {
    let mixed = |signal: &Signal| {
        let mixed = (signal.index() as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    };
    signals.iter().map(mixed).fold(0, u64::wrapping_add)
}

/// The most moves that are connected by rows and columns, by their places.
pub(super) fn largest_component(splits: &[Split]) -> Vec<usize> {
    let mut having: [HashMap<&Vec<Signal>, Vec<usize>>; 2] = Default::default();
    for (at, Split { sides, .. }) in splits.iter().enumerate() {
        for (having, side) in having.iter_mut().zip(sides) {
            having.entry(side).or_default().push(at);
        }
    }
    let mut largest = Vec::new();
    let mut is_seen = vec![false; splits.len()];
    for start in 0..splits.len() {
        let (mut open, mut members) = (vec![start], Vec::new());
        while let Some(at) = open.pop() {
            if std::mem::replace(&mut is_seen[at], true) {
                continue;
            }
            members.push(at);
            for (having, side) in having.iter_mut().zip(&splits[at].sides) {
                open.extend(having.remove(side).into_iter().flatten());
            }
        }
        if members.len() > largest.len() {
            largest = members;
        }
    }
    largest.sort_unstable();
    largest
}
