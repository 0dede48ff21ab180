//! A graph with words on it, and its drawing.

use super::layered::{self, GraphLayout};
use crate::draw::svg::Svg;
use crate::draw::theme;

/// A graph of more nodes is too large to be looked at.
pub(super) const MOST_NODES: usize = 400;
/// And one with more edges.
const MOST_EDGES: usize = 3000;

const GAP: f64 = 16.0;
/// The size of letters, and how wide one is as a part of it.
const LETTERS: f64 = 12.0;
const LETTER: f64 = 0.6;
/// The height of a node.
const HEIGHT: f64 = 22.0;
/// The longest words, in letters.
const LONGEST: usize = 40;
/// How long the head of an arrow is.
const HEAD: f64 = 7.0;
/// The height of a line of the legend.
const LINE: f64 = 20.0;

/// The look of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// A fact of the state.
    State,
    /// A move.
    Move,
    /// A relation that play reads.
    Answer,
    /// A relation that never changes.
    Static,
    /// Anything else.
    Plain,
    And,
    Or,
    /// Words alone: what stands beside an edge.
    Words,
}

impl Kind {
    fn class(self) -> &'static str {
        match self {
            Kind::State => "state",
            Kind::Move => "move",
            Kind::Answer => "answer",
            Kind::Static => "static",
            Kind::Plain => "other",
            Kind::And => "and",
            Kind::Or => "or",
            Kind::Words => "words",
        }
    }
}

/// Whether something came or went, in a drawing of what has changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Change {
    /// Nothing is said of that.
    #[default]
    None,
    Kept,
    Added,
    Removed,
}

impl Change {
    /// The suffix of a class.
    fn class(self) -> &'static str {
        match self {
            Change::None => "",
            Change::Kept => " kept",
            Change::Added => " added",
            Change::Removed => " removed",
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Node {
    pub kind: Kind,
    pub change: Change,
    pub label: String,
    /// A note, small, behind the label.
    pub note: String,
    /// It has a thick rim.
    pub is_thick: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Arrow {
    pub from: usize,
    pub to: usize,
    pub change: Change,
    pub is_dashed: bool,
    /// Otherwise a line without an end.
    pub has_head: bool,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Diagram {
    pub name: String,
    pub nodes: Vec<Node>,
    pub arrows: Vec<Arrow>,
    /// The legend of kinds, and the text below.
    pub legend: Vec<(Kind, &'static str)>,
    pub notes: Vec<String>,
}

impl Diagram {
    pub fn add(&mut self, kind: Kind, label: String) -> usize {
        let change = Change::None;
        self.nodes.push(Node { kind, change, label, note: String::new(), is_thick: false });
        self.nodes.len() - 1
    }

    pub fn join(&mut self, from: usize, to: usize, is_dashed: bool, has_head: bool) {
        self.arrows.push(Arrow { from, to, change: Change::None, is_dashed, has_head });
    }

    /// The drawing; `None` if it is too large to be looked at.
    pub fn svg(self) -> Option<String> {
        self.drawing(Some(&[theme::STYLE, theme::GRAPH]))
    }

    /// The drawing without its style sheets, for a page that has them.
    pub fn figure(self) -> Option<String> {
        self.drawing(None)
    }

    fn drawing(mut self, styles: Option<&[&str]>) -> Option<String> {
        self.arrows.sort_unstable();
        self.arrows.dedup();
        if self.nodes.len() > MOST_NODES || self.arrows.len() > MOST_EDGES {
            return None;
        }
        for node in &mut self.nodes {
            if node.label.chars().count() > LONGEST {
                node.label = node.label.chars().take(LONGEST - 1).chain(['…']).collect();
            }
        }
        let sizes: Vec<(f64, f64)> = self.nodes.iter().map(size).collect();
        let edges: Vec<(usize, usize)> = self.arrows.iter().map(|of| (of.from, of.to)).collect();
        let layout = layered::layout(&sizes, &edges, |edge| {
            let arrow = &self.arrows[edge];
            (arrow.is_dashed, arrow.change)
        })?;
        Some(self.draw(&layout, &sizes, styles))
    }

    fn draw(&self, layout: &GraphLayout, sizes: &[(f64, f64)], styles: Option<&[&str]>) -> String {
        let legend = self.legend_lines(layout.width.max(360.0));
        let least =
            legend.iter().map(|line| line.last().map_or(0.0, |of| of.end)).fold(0.0, f64::max);
        let below = (legend.len() + self.notes.len()) as f64 * LINE;
        let words = self.notes.iter().map(|note| text_width(note)).fold(0.0, f64::max);
        let width = layout.width.max(least).max(words) + 2.0 * GAP;
        let height = layout.height + below + if below > 0.0 { 3.0 * GAP } else { 2.0 * GAP };
        let mut svg = Svg::new(width, height, &self.name);
        if let Some(styles) = styles {
            styles.iter().for_each(|sheet| svg.style(sheet));
            svg.element("rect", &[("class", &"page"), ("width", &width), ("height", &height)]);
        }
        svg.open("g", &[("transform", &format!("translate({GAP} {GAP})"))]);
        for (arrow, points) in self.arrows.iter().zip(&layout.edges) {
            if !points.is_empty() {
                draw_arrow(&mut svg, arrow, points);
            } else {
                let (x, y) = layout.nodes[arrow.from];
                draw_loop(&mut svg, arrow, x + sizes[arrow.from].0 / 2.0, y);
            }
        }
        for ((node, &(x, y)), &(wide, high)) in self.nodes.iter().zip(&layout.nodes).zip(sizes) {
            draw_node(&mut svg, node, x - wide / 2.0, y - high / 2.0, wide);
        }
        let mut y = layout.height + GAP;
        for line in &legend {
            for entry in line {
                let (kind, meaning) = self.legend[entry.number];
                draw_node(&mut svg, &sample(kind), entry.x, y, SAMPLE);
                draw_note(&mut svg, meaning, entry.x + SAMPLE + 6.0, y);
            }
            y += LINE + 4.0;
        }
        for note in &self.notes {
            draw_note(&mut svg, note, 0.0, y);
            y += LINE;
        }
        svg.finish()
    }

    /// The kinds that there are, in lines.
    fn legend_lines(&self, room: f64) -> Vec<Vec<Entry>> {
        let mut lines: Vec<Vec<Entry>> = Vec::new();
        for (number, (kind, meaning)) in self.legend.iter().enumerate() {
            if self.nodes.iter().all(|node| node.kind != *kind) {
                continue;
            }
            let long = SAMPLE + 6.0 + text_width(meaning);
            let x = lines.last().and_then(|line| line.last()).map_or(0.0, |last| last.end + 20.0);
            match lines.last_mut() {
                Some(line) if x + long <= room => line.push(Entry { number, x, end: x + long }),
                _ => lines.push(vec![Entry { number, x: 0.0, end: long }]),
            }
        }
        lines
    }
}

/// How wide a node of the legend is.
const SAMPLE: f64 = 26.0;

/// Where something stands in a line of the legend.
struct Entry {
    number: usize,
    x: f64,
    end: f64,
}

fn sample(kind: Kind) -> Node {
    let change = Change::None;
    Node { kind, change, label: String::new(), note: String::new(), is_thick: false }
}

fn text_width(text: &str) -> f64 {
    text.chars().count() as f64 * LETTER * LETTERS
}

fn size(node: &Node) -> (f64, f64) {
    let note = match &*node.note {
        "" => 0.0,
        note => text_width(note) * 0.8 + 6.0,
    };
    let margin = if node.kind == Kind::Words { 4.0 } else { 16.0 };
    (text_width(&node.label) + note + margin, HEIGHT)
}

fn draw_node(svg: &mut Svg, node: &Node, x: f64, y: f64, wide: f64) {
    if node.kind != Kind::Words {
        let rim = if node.is_thick { " thick" } else { "" };
        let class = format!("node {}{rim}{}", node.kind.class(), node.change.class());
        let round = match node.kind {
            Kind::Move => HEIGHT / 2.0,
            Kind::State | Kind::Static => 0.0,
            _ => 5.0,
        };
        let high = if node.label.is_empty() { HEIGHT - 6.0 } else { HEIGHT };
        svg.element(
            "rect",
            &[
                ("class", &class),
                ("x", &x),
                ("y", &y),
                ("width", &wide),
                ("height", &high),
                ("rx", &round),
            ],
        );
    }
    if node.label.is_empty() {
        return;
    }
    let base = y + HEIGHT / 2.0 + 0.36 * LETTERS;
    let side = if node.kind == Kind::Words { 2.0 } else { 8.0 };
    let class = format!("caption{}", node.change.class());
    svg.text(
        &node.label,
        &[("class", &class), ("x", &(x + side)), ("y", &base), ("font-size", &LETTERS)],
    );
    if !node.note.is_empty() {
        let x = x + wide - side;
        let size = 0.8 * LETTERS;
        svg.text(&node.note, &[("class", &"aside"), ("x", &x), ("y", &base), ("font-size", &size)]);
    }
}

fn draw_note(svg: &mut Svg, text: &str, x: f64, y: f64) {
    let base = y + 0.9 * LETTERS;
    svg.text(text, &[("class", &"legend"), ("x", &x), ("y", &base), ("font-size", &LETTERS)]);
}

/// A line through points that are level and bend by turns.
fn draw_arrow(svg: &mut Svg, arrow: &Arrow, points: &[(f64, f64)]) {
    let [.., before, end] = points else { return };
    let left = if before.0 > end.0 || points[0].0 > end.0 { -1.0 } else { 1.0 };
    let mut path = format!("M{:.1} {:.1}", points[0].0, points[0].1);
    for (at, pair) in points.windows(2).enumerate() {
        let [(x, y), (to_x, to_y)] = [pair[0], pair[1]];
        if at % 2 == 0 || y == to_y {
            path += &format!("L{to_x:.1} {to_y:.1}");
        } else {
            let middle = (x + to_x) / 2.0;
            path += &format!("C{middle:.1} {y:.1} {middle:.1} {to_y:.1} {to_x:.1} {to_y:.1}");
        }
    }
    svg.element("path", &[("class", &line_class(arrow)), ("d", &path)]);
    if arrow.has_head {
        draw_head(svg, arrow, end.0, end.1, left);
    }
}

/// From a node to itself, at its right side.
fn draw_loop(svg: &mut Svg, arrow: &Arrow, x: f64, y: f64) {
    let path = format!(
        "M{x:.1} {:.1}C{:.1} {:.1} {:.1} {:.1} {x:.1} {:.1}",
        y - 6.0,
        x + 22.0,
        y - 14.0,
        x + 22.0,
        y + 14.0,
        y + 6.0
    );
    svg.element("path", &[("class", &line_class(arrow)), ("d", &path)]);
    if arrow.has_head {
        draw_head(svg, arrow, x, y + 6.0, -1.0);
    }
}

fn line_class(arrow: &Arrow) -> String {
    format!("edge{}{}", if arrow.is_dashed { " dashed" } else { "" }, arrow.change.class())
}

/// The head of an arrow that goes right, or left.
fn draw_head(svg: &mut Svg, arrow: &Arrow, x: f64, y: f64, way: f64) {
    let back = x - way * HEAD;
    let (above, below) = (y - 0.5 * HEAD, y + 0.5 * HEAD);
    let path = format!("M{x:.1} {y:.1}L{back:.1} {above:.1}L{back:.1} {below:.1}z");
    let class = format!("head{}", arrow.change.class());
    svg.element("path", &[("class", &class), ("d", &path)]);
}
