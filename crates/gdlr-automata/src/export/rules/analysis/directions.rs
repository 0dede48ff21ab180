//! Rows of squares as walks along directions.
//!
//! A row is a walk if the same step leads from each of its squares to the next one. Steps are a
//! direction if no two of them begin or end at the same square. A relation is walked if its rows
//! are exactly the walks along its directions.
//!
//! ```text
//! 1_1 2_1 3_1
//! 2_1 3_1 4_1      right: 1_1 -> 2_1 -> 3_1 -> 4_1, asked twice
//! ```

use gdlr_rules::gdl::Symbol;
use gdlr_text::budget::{Exhausted, Meter};
use hashbrown::HashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Rows of squares, all of the same length.
pub type Walks = BTreeSet<Vec<Symbol>>;

/// The most squares of a row for which all orders are tried.
const MOST_ORDERED: usize = 5;

/// The offset of a step in the two coordinates of a square, by the order of these.
pub type Delta = (i32, i32);

/// Steps from square to square, and the rows that are walked along them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Direction {
    pub steps: BTreeMap<Symbol, Symbol>,
    pub walks: Walks,
    /// The offset of most steps, if all squares have a place.
    pub delta: Option<Delta>,
}

impl Direction {
    /// The direction whose walks are exactly these rows. `None` if there is none.
    fn of(walks: Walks, place: &impl Fn(Symbol) -> Option<(i32, i32)>) -> Option<Direction> {
        let mut steps = BTreeMap::new();
        for pair in walks.iter().flat_map(|walk| walk.windows(2)) {
            if *steps.entry(pair[0]).or_insert(pair[1]) != pair[1] {
                return None;
            }
        }
        let targets: BTreeSet<Symbol> = steps.values().copied().collect();
        if targets.len() < steps.len() || !are_all(&steps, &walks) {
            return None;
        }
        let mut deltas: BTreeMap<Delta, usize> = BTreeMap::new();
        for (&from, &to) in &steps {
            if let (Some(from), Some(to)) = (place(from), place(to)) {
                *deltas.entry((to.0 - from.0, to.1 - from.1)).or_default() += 1;
            }
        }
        let delta = deltas.into_iter().max_by_key(|(_, count)| *count).map(|(delta, _)| delta);
        Some(Direction { steps, walks, delta })
    }

    /// Both directions as one, if that adds no walk.
    fn with(
        &self,
        other: &Direction,
        place: &impl Fn(Symbol) -> Option<(i32, i32)>,
    ) -> Option<Direction> {
        Direction::of(self.walks.union(&other.walks).cloned().collect(), place)
    }

    /// The direction with a step from each square that has a square at the same offset, if that
    /// adds no walk.
    pub fn extended(self, places: &HashMap<Symbol, (i32, i32)>) -> Direction {
        let Some((x, y)) = self.delta else { return self };
        let at: HashMap<(i32, i32), Symbol> =
            places.iter().map(|(&s, &place)| (place, s)).collect();
        let step =
            |(&from, &(a, b)): (&Symbol, &(i32, i32))| Some((from, *at.get(&(a + x, b + y))?));
        let steps: BTreeMap<Symbol, Symbol> = places.iter().filter_map(step).collect();
        let has_all = self.steps.iter().all(|(from, to)| steps.get(from) == Some(to));
        match has_all && are_all(&steps, &self.walks) {
            true => Direction { steps, ..self },
            false => self,
        }
    }

    /// The direction with its steps reversed.
    fn reversed(&self) -> Direction {
        Direction {
            steps: self.steps.iter().map(|(&from, &to)| (to, from)).collect(),
            walks: self.walks.iter().map(|walk| walk.iter().rev().copied().collect()).collect(),
            delta: self.delta.map(|(x, y)| (-x, -y)),
        }
    }
}

/// Whether rows are all walks along steps.
fn are_all(steps: &BTreeMap<Symbol, Symbol>, walks: &Walks) -> bool {
    let length = walks.first().map_or(0, Vec::len);
    let mut count = 0;
    for &start in steps.keys() {
        let next = |square: &Symbol| steps.get(square).copied();
        let walk: Vec<Symbol> = std::iter::successors(Some(start), next).take(length).collect();
        if walk.len() == length {
            count += 1;
            if !walks.contains(&walk) {
                return false;
            }
        }
    }
    count == walks.len()
}

/// The directions along which rows of squares are walked, for some order of the squares of a row.
/// `place` gives the coordinates of a square. `None` if there are no such directions.
///
/// # Errors
///
/// When the budget runs out.
pub fn directions(
    rows: &Walks,
    place: &impl Fn(Symbol) -> Option<(i32, i32)>,
    meter: &Meter<'_>,
) -> Result<Option<Vec<Direction>>, Exhausted> {
    let length = rows.first().map_or(0, Vec::len);
    let differ = |row: &Vec<Symbol>| row.iter().collect::<BTreeSet<_>>().len() == length;
    if length < 2 || !rows.iter().all(differ) {
        return Ok(None);
    }
    let orders = match length <= MOST_ORDERED {
        true => orders(length),
        false => vec![(0..length).collect()],
    };
    for order in orders {
        meter.spend(rows.len())?;
        let walks = rows.iter().map(|row| order.iter().map(|&at| row[at]).collect());
        if let Some(direction) = Direction::of(walks.collect(), place) {
            return Ok(Some(vec![direction]));
        }
    }
    meter.spend(4 * rows.len())?;
    let sorted = rows.iter().map(|row| {
        let mut row = row.clone();
        row.sort_unstable();
        row
    });
    let sorted: Walks = sorted.collect();
    Ok(split(rows, place).or_else(|| split(&sorted, place)))
}

/// The directions of rows with several offsets.
fn split(rows: &Walks, place: &impl Fn(Symbol) -> Option<(i32, i32)>) -> Option<Vec<Direction>> {
    let mut by: BTreeMap<Delta, Walks> = BTreeMap::new();
    for row in rows {
        let (from, to) = (place(row[0])?, place(row[1])?);
        by.entry((to.0 - from.0, to.1 - from.1)).or_default().insert(row.clone());
    }
    let directions: Option<Vec<Direction>> =
        by.into_values().map(|walks| Direction::of(walks, place)).collect();
    let mut directions = directions?;
    // A step over the edge of a board joins the direction at the other side.
    let mut left = Vec::new();
    while let Some(mut own) = directions.pop() {
        while let Some((at, both)) = directions
            .iter()
            .enumerate()
            .find_map(|(at, other)| Some((at, own.with(other, place)?)))
        {
            directions.remove(at);
            own = both;
        }
        left.push(own);
    }
    left.reverse();
    Some(left)
}

/// The fewest directions: those with the same offset become one, and so do opposite ones.
pub fn united(
    all: Vec<Direction>,
    place: &impl Fn(Symbol) -> Option<(i32, i32)>,
) -> Vec<Direction> {
    let mut united: Vec<Direction> = Vec::new();
    'next: for own in all {
        for other in &mut united {
            for way in [own.clone(), own.reversed()] {
                let is_same = way.delta.is_some() && way.delta == other.delta;
                if way.steps == other.steps {
                    continue 'next;
                }
                if let Some(both) = is_same.then(|| other.with(&way, place)).flatten() {
                    *other = both;
                    continue 'next;
                }
            }
        }
        united.push(own);
    }
    united
}

/// The name of an offset. The first coordinate counts to the right, and the second one up.
pub fn name_of_way(delta: Delta) -> Option<&'static str> {
    Some(match delta {
        (1, 0) => "right",
        (-1, 0) => "left",
        (0, 1) => "up",
        (0, -1) => "down",
        (1, 1) => "up_right",
        (-1, 1) => "up_left",
        (1, -1) => "down_right",
        (-1, -1) => "down_left",
        _ => return None,
    })
}

/// All orders of `length` places, without those that are the reverse of another one.
fn orders(length: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..length {
        let mut longer = Vec::new();
        for order in all {
            let left = (0..length).filter(|next| !order.contains(next));
            longer.extend(left.map(|next| [&order[..], &[next]].concat()));
        }
        all = longer;
    }
    all.retain(|order| order.first() <= order.last());
    all
}
