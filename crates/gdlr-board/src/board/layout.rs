//! Which gaps of a form say where something stands.
//!
//! A pair of gaps can be the two axes of a board if the values of both have an order and most
//! pairs of them occur. Several pairs of a form may (a sudoku writes rows, columns and numbers
//! from 1 to 9), so each gets a score: for being part of moves, for being related to neighbours
//! by the rules, for filling the board, for standing side by side and early, and for pairs of the
//! same sorts in other forms.

use super::generated::{NOWHERE, grid};
use super::groups::{Gap, Group};
use super::order::parts;
use super::sorts::Sort;
use gdlr_rules::gdl::{Symbol, SymbolTable};
use hashbrown::{HashMap, HashSet};
use std::fmt;

/// The least part of the squares of a board that can hold something.
const LEAST_COVERAGE: f64 = 0.25;
/// The least part of squares times channels that are facts.
const LEAST_FILL: f64 = 1.0 / 12.0;
/// The least part of the squares of a board of boards, or of one in three dimensions.
const DEEP_COVERAGE: f64 = 0.5;
/// A board of boards has at most so many rows of boards, and each at most so many rows.
const LARGEST_NESTED: usize = 5;
/// The most layers, and the most of those that nothing but the moves tells of.
const MOST_LAYERS: usize = 16;
const MOST_LAYERS_OF_MOVES: usize = 4;
/// A row of squares has at least so many, and at most so many channels.
const SHORTEST_ROW: usize = 4;
const MOST_PIECES_OF_A_ROW: usize = 16;

/// How a form names a square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Squares {
    /// By two gaps; by four, where each square of a board is a board.
    Pairs {
        /// The gaps that say the one axis, the outer one first.
        first: Vec<usize>,
        /// The gaps that say the other.
        second: Vec<usize>,
    },
    /// By one constant such as `a1`.
    Named(usize),
    /// By one gap, since there is one row only.
    Row(usize),
}

impl Squares {
    /// All gaps that are part of the name.
    pub(super) fn gaps(&self) -> Vec<usize> {
        match self {
            Squares::Pairs { first, second } => [&first[..], second].concat(),
            Squares::Named(gap) | Squares::Row(gap) => vec![*gap],
        }
    }
}

/// How the facts of a form stand on a board.
#[derive(Clone, Debug)]
pub(super) struct BoardLayout {
    pub(super) squares: Squares,
    /// The gap that says which of several boards of the same size.
    pub(super) layer: Option<usize>,
    /// Of pairs and names: which forms share a board.
    pub(super) key: Option<Key>,
    /// Whether the rules leave no doubt that there is a board.
    pub(super) is_certain: bool,
    score: f64,
}

/// The sorts of the axes and of the layer: forms with the same stand on one board.
pub(super) type Key = (Sort, Sort, Option<Sort>);

fn key(a: &Gap, b: &Gap, layer: Option<&Gap>) -> Option<Key> {
    let (a, b) = (a.evidence.sort?, b.evidence.sort?);
    Some((a.min(b), a.max(b), layer.and_then(|gap| gap.evidence.sort)))
}

/// By group: how its facts stand on a board, if they do.
pub(super) fn layouts(groups: &[Group], symbols: &SymbolTable) -> Vec<Option<BoardLayout>> {
    let mut candidates: Vec<Vec<BoardLayout>> = groups
        .iter()
        .map(|group| match (named(group, symbols), nested(group)) {
            (Some(named), _) => vec![named],
            (None, Some(nested)) => vec![nested],
            (None, None) => pairs(group),
        })
        .collect();
    let mut support: HashMap<Key, u32> = HashMap::new();
    for key in candidates.iter().flatten().filter_map(|layout| layout.key) {
        *support.entry(key).or_default() += 1;
    }
    let mut chosen: Vec<Option<BoardLayout>> = candidates
        .iter_mut()
        .map(|layouts| {
            let more =
                |l: &BoardLayout| l.key.map_or(0.0, |key| 0.5 * f64::from(support[&key].min(5)));
            let scored = layouts.drain(..).map(|l| (l.score + more(&l), l));
            // The first of the best.
            scored.reduce(|a, b| if b.0 > a.0 { b } else { a }).map(|(_, layout)| layout)
        })
        .collect();
    let certain: HashSet<Key> =
        chosen.iter().flatten().filter(|l| l.is_certain).filter_map(|l| l.key).collect();
    for (group, layout) in groups.iter().zip(&mut chosen) {
        let stays =
            |l: &BoardLayout| l.is_certain || l.key.is_some_and(|key| certain.contains(&key));
        *layout = layout.take().filter(stays).or_else(|| guest(group, &certain));
    }
    if chosen.iter().all(Option::is_none) {
        chosen = rows(groups);
    }
    chosen
}

/// Two gaps that could be the axes, each such pair.
fn pairs(group: &Group) -> Vec<BoardLayout> {
    let mut layouts = Vec::new();
    let fits = |gap: &usize| group.gaps[*gap].could_be_axis();
    let gaps: Vec<usize> = (0..group.gaps.len()).filter(fits).collect();
    for (at, &i) in gaps.iter().enumerate() {
        for &j in &gaps[at + 1..] {
            layouts.extend(pair(group, i, j));
        }
    }
    layouts
}

/// Two gaps of the sorts of a board, whatever their values: perhaps there is a single one.
fn guest(group: &Group, certain: &HashSet<Key>) -> Option<BoardLayout> {
    let sort = |gap: usize| group.gaps[gap].evidence.sort;
    let count = group.gaps.len();
    let mut pairs = (0..count).flat_map(|i| (i + 1..count).map(move |j| (i, j)));
    let fits = |&(i, j): &(usize, usize)| {
        let of_board = |key: Key| key.0 != key.1 && certain.contains(&key);
        let mut rest = (0..count).filter(|&gap| gap != i && gap != j);
        key(&group.gaps[i], &group.gaps[j], None).is_some_and(of_board)
            && rest.all(|gap| sort(gap).is_none() || ![sort(i), sort(j)].contains(&sort(gap)))
    };
    pairs.find(fits).map(|(i, j)| BoardLayout {
        squares: Squares::Pairs { first: vec![i], second: vec![j] },
        layer: None,
        key: key(&group.gaps[i], &group.gaps[j], None),
        is_certain: false,
        score: 0.0,
    })
}

fn pair(group: &Group, i: usize, j: usize) -> Option<BoardLayout> {
    let (a, b) = (&group.gaps[i], &group.gaps[j]);
    let rest: Vec<usize> = (0..group.gaps.len()).filter(|&gap| gap != i && gap != j).collect();
    // A fact about two squares stands on neither, unless it is about a cube.
    let sorts = [a.evidence.sort, b.evidence.sort];
    let sort = |gap: usize| group.gaps[gap].evidence.sort;
    let again = |&gap: &usize| {
        let others = rest.iter().filter(|&&other| other > gap).map(|&other| sort(other));
        sort(gap).is_some() && sorts.into_iter().chain(others).any(|other| other == sort(gap))
    };
    let alike = |&gap: &usize| {
        let values = &group.gaps[gap].values;
        *values == a.values || *values == b.values
    };
    let mut again: Vec<usize> = rest.iter().copied().filter(again).collect();
    let second: Vec<usize> = rest.iter().copied().filter(alike).collect();
    if second.len() > again.len() && second.len() >= 2 {
        again = second;
    }
    if !again.is_empty() && coverage(group, &[&[i, j], &again[..]].concat()) < DEEP_COVERAGE {
        return None;
    }
    let covered = coverage(group, &[i, j]);
    let channels = channels(group, &rest);
    let cells = (a.values.len() * b.values.len()) as f64;
    let fill = group.rows().len() as f64 / (channels as f64 * cells);
    if covered < LEAST_COVERAGE || fill < LEAST_FILL {
        return None;
    }
    let moves = a.evidence.in_moves && b.evidence.in_moves;
    let neighbours = a.evidence.have_neighbours && b.evidence.have_neighbours;
    let near = a.evidence.near_moves && b.evidence.near_moves;
    let points = [
        (moves, 4.0),
        (neighbours, 3.0),
        (near, 1.0),
        (j == i + 1, 1.0),
        (a.order == b.order, 0.5),
    ];
    let points: f64 = points.iter().filter(|point| point.0).map(|point| point.1).sum();
    // With nothing beside them, two objects of one sort are related to each other, as blocks
    // that stand on blocks; and of two that are not alike one is the other's number, as the size
    // of a heap is.
    let related = sorts[0] == sorts[1] && sorts[0].is_some();
    let alike = a.evidence.have_neighbours == b.evidence.have_neighbours;
    let of_squares = !rest.is_empty() || (!related && alike);
    let layer = layer(group, i, j, &rest);
    Some(BoardLayout {
        squares: Squares::Pairs { first: vec![i], second: vec![j] },
        layer,
        key: key(a, b, layer.map(|gap| &group.gaps[gap])),
        is_certain: (moves || neighbours || near) && of_squares,
        // Half of the squares are dark.
        score: points + 4.0 * covered.min(0.5) - 0.05 * (i + j) as f64,
    })
}

/// The part of all combinations of the gaps' values that occur.
fn coverage(group: &Group, gaps: &[usize]) -> f64 {
    let all: usize = gaps.iter().map(|&gap| group.gaps[gap].values.len()).product();
    channels(group, gaps) as f64 / all as f64
}

/// How many combinations of the gaps' values occur.
fn channels(group: &Group, gaps: &[usize]) -> usize {
    let seen: HashSet<Vec<Symbol>> =
        group.rows().map(|row| gaps.iter().map(|&gap| row[gap]).collect()).collect();
    seen.len()
}

/// The gap that divides the squares into several boards.
fn layer(group: &Group, first: usize, last: usize, rest: &[usize]) -> Option<usize> {
    rest.iter().copied().find(|&gap| {
        let candidate = &group.gaps[gap];
        let mut others = rest.iter().filter(|&&other| other != gap);
        let count = candidate.values.len();
        if candidate.evidence.of_roles || !(2..=MOST_LAYERS).contains(&count) {
            return false;
        }
        // A third dimension.
        let is_like = |other: usize| group.gaps[other].values == candidate.values;
        let is_axis = candidate.could_be_axis() && candidate.evidence.in_moves;
        if first != last && is_axis && is_like(first) && is_like(last) && others.clone().count() > 0
        {
            // But not if each square has a value of its own.
            return 2 * channels(group, &[first, last, gap]) > 3 * channels(group, &[first, last]);
        }
        if !group.initial.is_empty() {
            // At first nearly the same is everywhere in all layers.
            let mut seen = HashSet::new();
            for row in &group.initial {
                let kept = row.iter().enumerate().filter(|(place, _)| *place != gap);
                seen.insert(kept.map(|(_, symbol)| *symbol).collect::<Vec<Symbol>>());
            }
            return 8 * seen.len() <= 5 * group.initial.len();
        }
        let leads = gap < first && others.clone().any(|&other| other > last);
        candidate.evidence.in_moves
            && (candidate.order.is_some() || leads)
            && count <= MOST_LAYERS_OF_MOVES
            && others.next().is_some()
    })
}

/// Four gaps, where the squares of a board are boards: a square is named from outside in.
fn nested(group: &Group) -> Option<BoardLayout> {
    let fits = |gap: &usize| {
        group.gaps[*gap].could_be_axis() && group.gaps[*gap].values.len() <= LARGEST_NESTED
    };
    let gaps: Vec<usize> = (0..group.gaps.len()).filter(fits).collect();
    let [p, q, r, s] = gaps[..] else { return None };
    let in_moves = gaps.iter().filter(|&&gap| group.gaps[gap].evidence.in_moves).count();
    let fits = in_moves >= 2 && coverage(group, &gaps) >= DEEP_COVERAGE;
    fits.then(|| BoardLayout {
        squares: Squares::Pairs { first: vec![p, r], second: vec![q, s] },
        layer: None,
        key: None,
        is_certain: true,
        score: 0.0,
    })
}

/// The axis that runs across, by the name of a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum File {
    /// As in `a1`.
    Letter(char),
    /// As in `V__1_1`.
    Number(u32),
}

impl fmt::Display for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            File::Letter(letter) => letter.fmt(f),
            File::Number(number) => number.fmt(f),
        }
    }
}

/// The file and the rank of a square such as `a1`; or such as `V__1_1`, which is how automata
/// that were translated write `V(1, 1)`.
pub(super) fn square(name: &str) -> Option<(File, u32)> {
    let within = |number: &u32| *number < 100;
    if let Some((_, pair)) = name.split_once("__") {
        let (file, rank) = pair.split_once('_')?;
        let (file, rank) = (file.parse().ok()?, rank.parse().ok()?);
        return (within(&file) && within(&rank)).then_some((File::Number(file), rank));
    }
    let (letter, number) = parts(name)?;
    let mut letters = letter.chars();
    let letter = letters.next().filter(char::is_ascii_alphabetic)?.to_ascii_lowercase();
    (letters.next().is_none() && within(&number)).then_some((File::Letter(letter), number))
}

/// A gap whose values are squares, such as `a1`.
fn named(group: &Group, symbols: &SymbolTable) -> Option<BoardLayout> {
    let gap = (0..group.gaps.len()).find(|&gap| {
        let values = &group.gaps[gap].values;
        let mut spelled: Vec<&str> = values.iter().map(|value| value.spelled(symbols)).collect();
        spelled.retain(|name| *name != NOWHERE);
        if spelled.len() > 1 && grid(&spelled).is_some() {
            return true;
        }
        let names: HashSet<(File, u32)> = spelled.iter().filter_map(|name| square(name)).collect();
        // In automata the way off the board leads to a value of its own.
        let is_off = names.iter().any(|name| matches!(name.0, File::Number(_)));
        let others = spelled.len() - names.len();
        let files: HashSet<File> = names.iter().map(|name| name.0).collect();
        let ranks: HashSet<u32> = names.iter().map(|name| name.1).collect();
        let squares = files.len() * ranks.len();
        (others == 0 || others == 1 && is_off)
            && files.len() >= 2
            && ranks.len() >= 2
            && ranks.len() <= 3 * files.len()
            && names.len() as f64 >= LEAST_COVERAGE * squares as f64
    })?;
    let evidence = group.gaps[gap].evidence;
    let rest: Vec<usize> = (0..group.gaps.len()).filter(|&other| other != gap).collect();
    let relates = |&other: &usize| {
        let sort = group.gaps[other].evidence.sort;
        sort.is_some() && sort == evidence.sort
    };
    let layer = layer(group, gap, gap, &rest);
    let of_layer = layer.and_then(|gap| group.gaps[gap].evidence.sort);
    (!rest.iter().any(relates)).then(|| BoardLayout {
        squares: Squares::Named(gap),
        layer,
        key: evidence.sort.map(|sort| (sort, sort, of_layer)),
        is_certain: evidence.in_moves || evidence.have_neighbours,
        score: 0.0,
    })
}

/// Boards of one row.
fn rows(groups: &[Group]) -> Vec<Option<BoardLayout>> {
    let mut related = HashSet::new();
    let mut support: HashMap<Sort, usize> = HashMap::new();
    for group in groups {
        let mut seen = HashSet::new();
        for sort in group.gaps.iter().filter_map(|gap| gap.evidence.sort) {
            if !seen.insert(sort) {
                related.insert(sort);
            }
        }
        seen.into_iter().for_each(|sort| *support.entry(sort).or_default() += 1);
    }
    let row = |group: &Group| {
        // Who has something is named first, and stands on no square.
        let (gap, found) = (0, group.gaps.first()?);
        let of_squares = found.could_be_axis()
            && found.values.len() >= SHORTEST_ROW
            && found.evidence.in_moves
            && found.evidence.sort.is_none_or(|sort| !related.contains(&sort));
        if !of_squares {
            return None;
        }
        let rest: Vec<usize> = (1..group.gaps.len()).collect();
        let counts = |&other: &usize| {
            let other = &group.gaps[other];
            other.order.is_some() && !other.evidence.of_roles && other.values.len() > 3
        };
        let channels = channels(group, &rest);
        let fill = group.rows().len() as f64 / (channels * found.values.len()) as f64;
        let alone = rest.is_empty() && found.evidence.sort.is_none_or(|sort| support[&sort] < 2);
        let fits =
            !alone && !rest.iter().any(counts) && channels <= MOST_PIECES_OF_A_ROW && fill >= 0.5;
        let layer = layer(group, gap, gap, &rest);
        let of_layer = layer.and_then(|gap| group.gaps[gap].evidence.sort);
        fits.then(|| BoardLayout {
            squares: Squares::Row(gap),
            layer,
            key: found.evidence.sort.map(|sort| (sort, sort, of_layer)),
            is_certain: true,
            score: 0.0,
        })
    };
    groups.iter().map(row).collect()
}
