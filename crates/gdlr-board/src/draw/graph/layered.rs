//! Where the nodes of a directed graph stand, in layers from left to right, and how its edges run
//! (K. Sugiyama, S. Tagawa, M. Toda, *Methods for Visual Understanding of Hierarchical System
//! Structures*, 1981).
//!
//! 1. Edges that close a cycle are turned for as long as it takes.
//! 2. A node stands in the layer behind the last of those before it; one with none before it just
//!    left of those behind it. An edge over several layers has a bend in each between; edges of one
//!    kind that leave a node together share their bends for as long as they run together.
//! 3. Sweeps there and back put the nodes of each layer in the order of the medians of their
//!    neighbours; the order with the fewest crossings is kept.
//! 4. Sweeps move them up and down to the mean of their neighbours, as near as the order and the
//!    gaps between them allow: the least sum of squares, by pooling neighbours that would overlap.
//!
//! All that is done a fixed number of times, so the cost is near linear in nodes, edges and bends.

use hashbrown::{HashMap, HashSet};
use std::cmp::Reverse;
use std::hash::Hash;

/// Between layers, between nodes of a layer, and between bends.
const BETWEEN_LAYERS: f64 = 48.0;
const BETWEEN_NODES: f64 = 10.0;
const BETWEEN_BENDS: f64 = 5.0;
/// Nodes alone stand in rows at least so wide.
const LEAST_ROW: f64 = 400.0;
/// How often the nodes are put in order, and how often they are moved.
const SWEEPS: usize = 12;
/// How much more a bend wants to be straight than a node does.
const STIFFNESS: f64 = 4.0;
/// At most so many bends: beyond, nobody could follow an edge.
const MOST_BENDS: usize = 30_000;

/// A graph laid out.
#[derive(Debug)]
pub(super) struct GraphLayout {
    /// By node: its middle.
    pub nodes: Vec<(f64, f64)>,
    /// By edge: the points that it runs through, from one end to the other. From the first to the
    /// second it is level, then it bends to the third, and so on by turns. Empty for an edge from a
    /// node to itself.
    pub edges: Vec<Vec<(f64, f64)>>,
    pub width: f64,
    pub height: f64,
}

/// An item of a layer: a node, or a bend.
struct Item {
    layer: usize,
    /// Height, and how far it is away from what stands above and below.
    height: f64,
    gap: f64,
    weight: f64,
    /// Its neighbours in the layers before and behind.
    before: Vec<usize>,
    behind: Vec<usize>,
}

/// Lays out nodes of these sizes; `None` where the edges are too many and too long. By edge, `kind`
/// says which share bends with each other.
///
/// Parts that are not connected stand below each other, the largest first, and nodes alone in rows.
pub(super) fn layout<K: Eq + Hash>(
    sizes: &[(f64, f64)],
    edges: &[(usize, usize)],
    kind: impl Fn(usize) -> K,
) -> Option<GraphLayout> {
    let part_of = parts(sizes.len(), edges);
    let mut parts: Vec<(Vec<usize>, Vec<usize>)> = vec![Default::default(); sizes.len()];
    let mut place = vec![0; sizes.len()];
    for (node, &part) in part_of.iter().enumerate() {
        place[node] = parts[part].0.len();
        parts[part].0.push(node);
    }
    for (edge, &(from, _)) in edges.iter().enumerate() {
        parts[part_of[from]].1.push(edge);
    }
    parts.retain(|(nodes, _)| !nodes.is_empty());
    parts.sort_by_key(|(nodes, _)| Reverse(nodes.len()));
    let mut whole = GraphLayout {
        nodes: vec![(0.0, 0.0); sizes.len()],
        edges: vec![Vec::new(); edges.len()],
        width: 0.0,
        height: 0.0,
    };
    // Where the next node alone stands, and how high the row is.
    let (mut x, mut row) = (0.0, 0f64);
    for (nodes, inner) in &parts {
        let own_sizes: Vec<(f64, f64)> = nodes.iter().map(|&node| sizes[node]).collect();
        let own_edges: Vec<(usize, usize)> =
            inner.iter().map(|&edge| (place[edges[edge].0], place[edges[edge].1])).collect();
        let part = connected(&own_sizes, &own_edges, |edge| kind(inner[edge]))?;
        let is_alone = nodes.len() == 1;
        if !is_alone || x == 0.0 || x + part.width > whole.width.max(LEAST_ROW) {
            whole.height += row + if whole.height + row > 0.0 { 2.0 * BETWEEN_NODES } else { 0.0 };
            (x, row) = (0.0, 0.0);
        }
        let shifted = |&(left, top): &(f64, f64)| (left + x, top + whole.height);
        for (&node, point) in nodes.iter().zip(&part.nodes) {
            whole.nodes[node] = shifted(point);
        }
        for (&edge, points) in inner.iter().zip(&part.edges) {
            whole.edges[edge] = points.iter().map(shifted).collect();
        }
        whole.width = whole.width.max(x + part.width);
        row = row.max(part.height);
        if is_alone {
            // An edge from a node to itself needs room, too.
            x += part.width + BETWEEN_LAYERS / 2.0;
        }
    }
    whole.height += row;
    Some(whole)
}

/// By node: the least one that it is connected with.
fn parts(nodes: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut joined: Vec<Vec<usize>> = vec![Vec::new(); nodes];
    for &(from, to) in edges {
        joined[from].push(to);
        joined[to].push(from);
    }
    let mut part = vec![usize::MAX; nodes];
    for root in 0..nodes {
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            if part[node] == usize::MAX {
                part[node] = root;
                open.extend(&joined[node]);
            }
        }
    }
    part
}

/// The same for nodes that are connected.
fn connected<K: Eq + Hash>(
    sizes: &[(f64, f64)],
    edges: &[(usize, usize)],
    kind: impl Fn(usize) -> K,
) -> Option<GraphLayout> {
    let forward = forward(sizes.len(), edges);
    let layers = layers(sizes.len(), &forward);
    let mut items: Vec<Item> = sizes
        .iter()
        .zip(&layers)
        .map(|(&(_, height), &layer)| Item {
            layer,
            height,
            gap: BETWEEN_NODES,
            weight: 1.0,
            before: Vec::new(),
            behind: Vec::new(),
        })
        .collect();
    // By edge: the items that it runs through.
    let mut chains: Vec<Vec<usize>> = Vec::new();
    // The bends of a node's edges in a layer, and which pairs are joined.
    let mut bends: HashMap<(usize, bool, K, usize), usize> = HashMap::new();
    let mut joined: HashSet<(usize, usize)> = HashSet::new();
    for (number, &(from, to)) in forward.iter().enumerate() {
        let mut chain = vec![from];
        if from != to {
            let is_turned = edges[number].0 != from;
            for layer in layers[from] + 1..layers[to] {
                let bend =
                    *bends.entry((from, is_turned, kind(number), layer)).or_insert(items.len());
                chain.push(bend);
                if bend < items.len() {
                    continue;
                }
                items.push(Item {
                    layer,
                    height: 0.0,
                    gap: BETWEEN_BENDS,
                    weight: STIFFNESS,
                    before: Vec::new(),
                    behind: Vec::new(),
                });
            }
            chain.push(to);
            if items.len() > sizes.len() + MOST_BENDS {
                return None;
            }
        }
        for pair in chain.windows(2).filter(|pair| joined.insert((pair[0], pair[1]))) {
            items[pair[0]].behind.push(pair[1]);
            items[pair[1]].before.push(pair[0]);
        }
        chains.push(chain);
    }
    let order = ordered(&items);
    let heights = heights(&items, &order);
    Some(placed(sizes, edges, &layers, &chains, &order, &heights))
}

/// The edges, with those turned that close a cycle: an edge goes to where a search in depth has not
/// been, or has left.
fn forward(nodes: usize, edges: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); nodes];
    let mut has_before = vec![false; nodes];
    for (number, &(from, to)) in edges.iter().enumerate().filter(|(_, edge)| edge.0 != edge.1) {
        out[from].push(number);
        has_before[to] = true;
    }
    let mut turned = edges.to_vec();
    let (mut is_open, mut is_seen) = (vec![false; nodes], vec![false; nodes]);
    let mut roots: Vec<usize> = (0..nodes).collect();
    roots.sort_by_key(|&node| has_before[node]);
    for root in roots {
        if is_seen[root] {
            continue;
        }
        (is_seen[root], is_open[root]) = (true, true);
        let mut path = vec![(root, 0)];
        while let Some((node, next)) = path.last_mut() {
            let Some(&edge) = out[*node].get(*next) else {
                is_open[*node] = false;
                path.pop();
                continue;
            };
            *next += 1;
            let (from, to) = edges[edge];
            if is_open[to] {
                turned[edge] = (to, from);
            } else if !is_seen[to] {
                (is_seen[to], is_open[to]) = (true, true);
                path.push((to, 0));
            }
        }
    }
    turned
}

/// By node: its layer.
fn layers(nodes: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut before = vec![0; nodes];
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); nodes];
    for &(from, to) in edges.iter().filter(|edge| edge.0 != edge.1) {
        before[to] += 1;
        out[from].push(to);
    }
    let mut layer = vec![0; nodes];
    let is_source: Vec<bool> = before.iter().map(|&count| count == 0).collect();
    let mut ready: Vec<usize> = (0..nodes).filter(|&node| is_source[node]).collect();
    while let Some(node) = ready.pop() {
        for &to in &out[node] {
            layer[to] = layer[to].max(layer[node] + 1);
            before[to] -= 1;
            if before[to] == 0 {
                ready.push(to);
            }
        }
    }
    for node in (0..nodes).filter(|&node| is_source[node]) {
        if let Some(first) = out[node].iter().map(|&to| layer[to]).min() {
            layer[node] = first - 1;
        }
    }
    layer
}

/// The items of each layer, from above.
fn ordered(items: &[Item]) -> Vec<Vec<usize>> {
    let count = items.iter().map(|item| item.layer + 1).max().unwrap_or(0);
    let mut order: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (number, item) in items.iter().enumerate() {
        order[item.layer].push(number);
    }
    let mut place = vec![0; items.len()];
    let number = |order: &[Vec<usize>], place: &mut Vec<usize>| {
        for layer in order {
            layer.iter().enumerate().for_each(|(at, &item)| place[item] = at);
        }
    };
    number(&order, &mut place);
    let mut best = (crossings(items, &order, &place), order.clone());
    for sweep in 0..SWEEPS {
        let is_back = sweep % 2 == 1;
        for step in 0..count {
            let layer = if is_back { count - 1 - step } else { step };
            let median = |item: usize| {
                let item_of = &items[item];
                let joined = if is_back { &item_of.behind } else { &item_of.before };
                let mut places: Vec<usize> = joined.iter().map(|&other| place[other]).collect();
                places.sort_unstable();
                match places.len() {
                    // It stays where it is.
                    0 => place[item] as f64,
                    all if all % 2 == 1 => places[all / 2] as f64,
                    all => (places[all / 2 - 1] + places[all / 2]) as f64 / 2.0,
                }
            };
            let mut keyed: Vec<(f64, usize)> =
                order[layer].iter().map(|&item| (median(item), item)).collect();
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
            order[layer] = keyed.into_iter().map(|(_, item)| item).collect();
            number(&order[layer..=layer], &mut place);
        }
        let crossings = crossings(items, &order, &place);
        if crossings < best.0 {
            best = (crossings, order.clone());
        }
    }
    best.1
}

/// How many pairs of edges cross, by counting for each edge those that end above it and begin
/// below, in a tree of sums (P. Fenwick, 1994).
fn crossings(items: &[Item], order: &[Vec<usize>], place: &[usize]) -> usize {
    let mut crossings = 0;
    for pair in order.windows(2) {
        let mut sums = vec![0usize; pair[1].len() + 1];
        let mut met = 0;
        for &item in &pair[0] {
            let mut ends: Vec<usize> = items[item].behind.iter().map(|&to| place[to]).collect();
            ends.sort_unstable();
            for &end in &ends {
                let mut at = end + 1;
                let mut above = 0;
                while at > 0 {
                    above += sums[at];
                    at &= at - 1;
                }
                crossings += met - above;
            }
            for &end in &ends {
                let mut at = end + 1;
                while at < sums.len() {
                    sums[at] += 1;
                    at += at & at.wrapping_neg();
                }
            }
            met += ends.len();
        }
    }
    crossings
}

/// By item: how far below it stands.
fn heights(items: &[Item], order: &[Vec<usize>]) -> Vec<f64> {
    let mut height = vec![0.0; items.len()];
    for layer in order {
        let wanted: Vec<f64> = vec![0.0; layer.len()];
        spread(items, layer, &wanted, &mut height);
    }
    for sweep in 0..2 * SWEEPS {
        let is_back = sweep % 2 == 1;
        for step in 0..order.len() {
            let layer = &order[if is_back { order.len() - 1 - step } else { step }];
            let wanted = |&item: &usize| {
                let of = &items[item];
                // In the end all neighbours count.
                let joined: Vec<usize> = match (sweep + 4 < 2 * SWEEPS, is_back) {
                    (true, true) => of.behind.clone(),
                    (true, false) => of.before.clone(),
                    (false, _) => [&of.before[..], &of.behind].concat(),
                };
                match joined.len() {
                    0 => height[item],
                    all => joined.iter().map(|&other| height[other]).sum::<f64>() / all as f64,
                }
            };
            let wanted: Vec<f64> = layer.iter().map(wanted).collect();
            spread(items, layer, &wanted, &mut height);
        }
    }
    height
}

/// Puts the items of a layer as near to where they want to be as the gaps between them allow.
fn spread(items: &[Item], layer: &[usize], wanted: &[f64], height: &mut [f64]) {
    // Where each would stand if the first stood at 0 and no gap were wider than it must be.
    let mut least = vec![0.0; layer.len()];
    for at in 1..layer.len() {
        let (above, below) = (&items[layer[at - 1]], &items[layer[at]]);
        let gap = above.gap.max(below.gap);
        least[at] = least[at - 1] + (above.height + below.height) / 2.0 + gap;
    }
    // Groups that stand together: their mean, their weight, and how many they are.
    let mut groups: Vec<(f64, f64, usize)> = Vec::new();
    for ((wanted, least), &item) in wanted.iter().zip(&least).zip(layer) {
        let mut group = (wanted - least, items[item].weight, 1);
        while let Some(&(mean, weight, count)) = groups.last().filter(|last| last.0 > group.0) {
            let both = weight + group.1;
            group = ((mean * weight + group.0 * group.1) / both, both, count + group.2);
            groups.pop();
        }
        groups.push(group);
    }
    let means = groups.iter().flat_map(|&(mean, _, count)| std::iter::repeat_n(mean, count));
    for ((mean, least), &item) in means.zip(&least).zip(layer) {
        height[item] = mean + least;
    }
}

/// All points.
fn placed(
    sizes: &[(f64, f64)],
    edges: &[(usize, usize)],
    layers: &[usize],
    chains: &[Vec<usize>],
    order: &[Vec<usize>],
    heights: &[f64],
) -> GraphLayout {
    let mut widths = vec![0f64; order.len()];
    for (&(width, _), &layer) in sizes.iter().zip(layers) {
        widths[layer] = widths[layer].max(width);
    }
    let mut lefts = Vec::new();
    let mut x = 0.0;
    for width in &widths {
        lefts.push(x);
        x += width + BETWEEN_LAYERS;
    }
    let half = |item: usize| sizes.get(item).map_or(0.0, |size| size.1 / 2.0);
    let items = || heights.iter().enumerate();
    let top = items().map(|(item, y)| y - half(item)).fold(f64::INFINITY, f64::min);
    let end = items().map(|(item, y)| y + half(item)).fold(f64::NEG_INFINITY, f64::max);
    let node = |item: usize| {
        let layer = layers[item];
        (lefts[layer] + widths[layer] / 2.0, heights[item] - top)
    };
    let route = |(&(from, _), chain): (&(usize, usize), &Vec<usize>)| {
        let [first, between @ .., last] = &chain[..] else { return Vec::new() };
        let (start, goal) = (node(*first), node(*last));
        let right = |layer: usize| lefts[layer] + widths[layer];
        let mut points =
            vec![(start.0 + sizes[*first].0 / 2.0, start.1), (right(layers[*first]), start.1)];
        for (layer, &bend) in (layers[*first] + 1..).zip(between) {
            let y = heights[bend] - top;
            points.extend([(lefts[layer], y), (right(layer), y)]);
        }
        points.extend([(lefts[layers[*last]], goal.1), (goal.0 - sizes[*last].0 / 2.0, goal.1)]);
        if from != *first {
            points.reverse();
        }
        points
    };
    GraphLayout {
        nodes: (0..sizes.len()).map(node).collect(),
        edges: edges.iter().zip(chains).map(route).collect(),
        width: (x - BETWEEN_LAYERS).max(0.0),
        height: (end - top).max(0.0),
    }
}
