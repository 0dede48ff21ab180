//! The difference of two automata in one drawing.

use super::actions::{Action, actions, add};
use super::diagram::{Change, Diagram, MOST_NODES};
use gdlr_rg::rg::Description;
use hashbrown::{HashMap, HashSet};
use std::collections::VecDeque;

/// How many nodes and actions of what has changed are drawn, and how many with those beside them.
const MOST_CHANGED: usize = 90;
const MOST_WITH_CONTEXT: usize = 130;
/// How many edges that stayed are drawn at a node for where it is.
const MOST_BESIDE: usize = 4;
/// How many edges that have changed are followed at a node before others are looked at.
const MOST_FOLLOWED: usize = 12;

/// Two automata compared by the texts of their nodes and edges.
#[derive(Debug)]
pub struct Difference {
    /// The edges of the later one, then those that are gone.
    actions: Vec<(Action, Change)>,
    /// By node, of either.
    nodes: HashMap<String, Change>,
}

/// A drawing of the changes.
#[derive(Clone, Debug)]
pub struct ChangeDrawing {
    /// SVG without a style sheet.
    pub svg: String,
    /// How many edges that came or went are drawn, of all ([`Difference::changed`]).
    pub drawn: usize,
}

impl Difference {
    /// Compares; `None` if an action has no text ([`print_label`](gdlr_rg::rg::print_label)). Linear.
    pub fn new(before: &Description, after: &Description) -> Option<Difference> {
        let (before, after) = (actions(before)?, actions(after)?);
        let mut count: HashMap<&Action, usize> = HashMap::new();
        before.iter().for_each(|action| *count.entry(action).or_insert(0) += 1);
        let mut actions = Vec::new();
        for action in &after {
            let change = match count.get_mut(action) {
                Some(left) if *left > 0 => {
                    *left -= 1;
                    Change::Kept
                }
                _ => Change::Added,
            };
            actions.push((action.clone(), change));
        }
        for action in before.iter().rev() {
            if let Some(left @ 1..) = count.get_mut(action) {
                *left -= 1;
                actions.push((action.clone(), Change::Removed));
            }
        }
        let mut nodes: HashMap<String, Change> = HashMap::new();
        for (node, change) in ends(&before).map(|node| (node, Change::Removed)) {
            nodes.insert(node.to_owned(), change);
        }
        for node in ends(&after) {
            let was = nodes.get(node).copied();
            let is = if matches!(was, None | Some(Change::Added)) {
                Change::Added
            } else {
                Change::Kept
            };
            nodes.insert(node.to_owned(), is);
        }
        Some(Difference { actions, nodes })
    }

    /// How many edges came or went.
    pub fn changed(&self) -> usize {
        self.actions.iter().filter(is_changed).count()
    }

    /// The whole of the later automaton as SVG without a style sheet, with marks at what is new in
    /// it; `None` if there are more than 400 nodes and actions. Near linear in what is drawn.
    pub fn whole(&self, title: &str) -> Option<String> {
        let now = self.actions.iter().filter(|(_, change)| *change != Change::Removed);
        // A figure of too many boxes is not laid out.
        (now.clone().count() <= MOST_NODES).then_some(())?;
        self.figure(title, now)
    }

    /// The edges that came and went, with some of their neighbours, as SVG without a style sheet;
    /// `None` if no edge has changed, or the edges are too tangled to be drawn. What does not fit
    /// is left out. Linear in the automata, and near linear in what is drawn.
    pub fn change(&self, title: &str) -> Option<ChangeDrawing> {
        (self.changed() > 0).then_some(())?;
        let chosen = self.chosen();
        let shown = || chosen.iter().map(|&at| &self.actions[at]);
        let svg = self.figure(title, shown())?;
        Some(ChangeDrawing { svg, drawn: shown().filter(is_changed).count() })
    }

    fn figure<'a>(
        &'a self,
        title: &str,
        actions: impl Iterator<Item = &'a (Action, Change)>,
    ) -> Option<String> {
        let mut diagram = Diagram { name: title.to_owned(), ..Diagram::default() };
        let pairs = actions.map(|(action, change)| (action, *change));
        add(&mut diagram, pairs, |node| self.nodes.get(node).copied().unwrap_or_default());
        diagram.figure()
    }

    /// The edges to draw of what has changed and what is beside it, in order.
    fn chosen(&self) -> Vec<usize> {
        let mut beside: HashMap<&str, Vec<usize>> = HashMap::new();
        for (at, (action, _)) in self.actions.iter().enumerate() {
            beside.entry(&action.from).or_default().push(at);
            if action.to != action.from {
                beside.entry(&action.to).or_default().push(at);
            }
        }
        let mut drawn = Drawn::default();
        let changed = |at: &usize| self.actions[*at].1 != Change::Kept;
        let all = || 0..self.actions.len();
        // Connected edges come together.
        for first in all().filter(changed) {
            let mut open = VecDeque::from([first]);
            while let Some(at) = open.pop_front() {
                let action = &self.actions[at].0;
                if drawn.take(at, action, MOST_CHANGED) {
                    for end in [&*action.from, &*action.to] {
                        open.extend(
                            beside[end].iter().filter(|at| changed(at)).take(MOST_FOLLOWED),
                        );
                    }
                }
            }
        }
        let core: HashSet<&str> = drawn.nodes.clone();
        let kept = || all().filter(|at| !changed(at));
        let inner = kept().filter(|&at| {
            let action = &self.actions[at].0;
            core.contains(&*action.from) && core.contains(&*action.to)
        });
        for at in inner {
            drawn.take(at, &self.actions[at].0, MOST_WITH_CONTEXT);
        }
        let mut count: HashMap<&str, usize> = HashMap::new();
        for at in kept() {
            let action = &self.actions[at].0;
            let core_end = [&*action.from, &*action.to].into_iter().find(|end| core.contains(end));
            let Some(end) = core_end.filter(|_| !drawn.edges.contains(&at)) else { continue };
            let count = count.entry(end).or_insert(0);
            if *count < MOST_BESIDE && drawn.take(at, action, MOST_WITH_CONTEXT) {
                *count += 1;
            }
        }
        all().filter(|at| drawn.edges.contains(at)).collect()
    }
}

fn is_changed((_, change): &&(Action, Change)) -> bool {
    *change != Change::Kept
}

fn ends(actions: &[Action]) -> impl Iterator<Item = &str> {
    actions.iter().flat_map(|action| [&*action.from, &*action.to])
}

/// The drawing so far.
#[derive(Default)]
struct Drawn<'a> {
    edges: HashSet<usize>,
    nodes: HashSet<&'a str>,
    /// How many boxes that makes.
    boxes: usize,
}

impl<'a> Drawn<'a> {
    /// Takes an edge that is new here, with its ends, if there is room.
    fn take(&mut self, at: usize, action: &'a Action, most: usize) -> bool {
        if self.edges.contains(&at) {
            return false;
        }
        let ends: HashSet<&str> = HashSet::from([&*action.from, &*action.to]);
        let new = ends.iter().filter(|end| !self.nodes.contains(*end)).count();
        let boxes = self.boxes + new + usize::from(!action.label.is_empty());
        if boxes > most {
            return false;
        }
        self.boxes = boxes;
        self.edges.insert(at);
        self.nodes.extend([&*action.from, &*action.to]);
        true
    }
}
