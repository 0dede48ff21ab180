//! One layer of a board: a stage with squares, labels and what short names mean, and scenes on it.

use super::look::{Look, Shape};
use super::picture::Square;
use super::shape;
use super::svg::Svg;
use crate::board::{Board, Placement};
use hashbrown::HashSet;
use std::collections::BTreeMap;

/// How large a square is, at most and at least, and how large a board is to be.
const LARGEST: f64 = 56.0;
const SMALLEST: f64 = 12.0;
const BOARD: f64 = 480.0;
/// The size of letters of labels and titles.
const LETTERS: f64 = 12.0;
/// How wide a letter is, as a part of its size.
const LETTER: f64 = 0.62;
/// The height of a row of hexagons, as a part of their width.
const HEXAGON_ROW: f64 = 0.866;
/// The height of a hexagon, as a part of its width.
const HEXAGON: f64 = 1.1547;

/// A layer of a board without the things on it.
#[derive(Clone)]
pub(super) struct Stage<'s> {
    board: &'s Board,
    layer: usize,
    looks: &'s [Look],
    title: String,
    legend: Vec<String>,
    square: f64,
}

/// The pieces on a stage in a state.
pub(super) struct Scene<'s> {
    pub stage: Stage<'s>,
    /// By square: the channels of what is seen there.
    things: Vec<Vec<usize>>,
    changed: HashSet<(usize, usize)>,
}

impl<'s> Scene<'s> {
    /// Of things at their places, those in the layer of the stage. What has changed is marked:
    /// layer, row and column.
    pub fn new(
        stage: Stage<'s>,
        places: &[Placement],
        changed: &HashSet<(usize, usize, usize)>,
    ) -> Scene<'s> {
        let Stage { board, layer, looks, .. } = stage;
        let (rows, columns) = (board.rows.labels.len(), board.columns.labels.len());
        let mut things = vec![Vec::new(); rows * columns];
        for place in places.iter().filter(|of| board.channels[of.channel].layer == layer) {
            if looks[place.channel].shape != Shape::Nothing {
                things[place.row * columns + place.column].push(place.channel);
            }
        }
        let changed = changed.iter().filter(|of| of.0 == layer);
        Scene { things, changed: changed.map(|&(_, row, column)| (row, column)).collect(), stage }
    }

    pub fn draw(&self, svg: &mut Svg, x: f64, y: f64) {
        self.stage.open(svg, x, y);
        for (row, column) in self.stage.squares().filter(|of| self.changed.contains(of)) {
            self.stage.outline(svg, row, column, "changed", 2.0);
        }
        self.draw_things(svg);
        svg.close();
    }

    /// The squares of a board of this number, drawn at a place on the page.
    pub fn squares(&self, number: usize, x: f64, y: f64) -> impl Iterator<Item = Square> {
        let Stage { board, layer, .. } = self.stage;
        let (left, top) = self.stage.origin(x, y);
        self.stage.squares().map(move |(row, column)| {
            let (x, y) = self.stage.middle(row, column);
            let (width, height) = self.stage.square_size();
            let piece = |&channel: &usize| board.channels[channel].piece.clone();
            Square {
                board: number,
                layer,
                row,
                column,
                x: left + x - width / 2.0,
                y: top + y - height / 2.0,
                width,
                height,
                name: self.stage.square_name(row, column),
                things: self.things(row, column).iter().map(piece).collect(),
                changed: self.changed.contains(&(row, column)),
            }
        })
    }

    fn things(&self, row: usize, column: usize) -> &[usize] {
        &self.things[row * self.stage.board.columns.labels.len() + column]
    }

    fn draw_things(&self, svg: &mut Svg) {
        for (row, column) in self.stage.squares() {
            let (x, y) = self.stage.middle(row, column);
            let looks = self.things(row, column).iter().map(|&channel| &self.stage.looks[channel]);
            // Marks and what is of the square itself lie under what stands there, walls over it.
            let is_under = |look: &Look| look.is_faint || look.shape == Shape::Block;
            let is_wall = |look: &Look| matches!(look.shape, Shape::Wall(_));
            let (under, others): (Vec<&Look>, Vec<&Look>) = looks.partition(|look| is_under(look));
            let (over, standing): (Vec<&Look>, Vec<&Look>) =
                others.into_iter().partition(|look| is_wall(look));
            under.iter().for_each(|look| shape::draw(svg, look, x, y, self.stage.square));
            // Several things share a square: in as many rows as columns.
            let across = (1..).find(|across| across * across >= standing.len()).unwrap_or(1);
            let size = self.stage.square / across as f64;
            for (at, look) in standing.iter().enumerate() {
                let step = |at: usize| (at as f64 - (across as f64 - 1.0) / 2.0) * size;
                shape::draw(svg, look, x + step(at % across), y + step(at / across), size);
            }
            over.iter().for_each(|look| shape::draw(svg, look, x, y, self.stage.square));
        }
    }
}

impl<'s> Stage<'s> {
    /// For all things that stand at these places, in any state. Where the only board has one layer,
    /// it needs no name.
    pub fn new<'p>(
        board: &'s Board,
        layer: usize,
        looks: &'s [Look],
        places: impl Iterator<Item = &'p Placement>,
        is_alone: bool,
    ) -> Stage<'s> {
        let mut legend = BTreeMap::new();
        for place in places.filter(|of| board.channels[of.channel].layer == layer) {
            let look = &looks[place.channel];
            if let (Shape::Text(short), Some(name)) = (&look.shape, &look.name) {
                legend.insert(short, name);
            }
        }
        let title = match is_alone && board.layers.len() == 1 {
            true => String::new(),
            false => format!("{} {}", board.name, board.layers[layer]).trim_end().to_owned(),
        };
        let across = board.columns.labels.len().max(board.rows.labels.len()) as f64;
        Stage {
            board,
            layer,
            looks,
            title,
            legend: legend.into_iter().map(|(short, name)| format!("{short} = {name}")).collect(),
            square: (BOARD / across).floor().clamp(SMALLEST, LARGEST),
        }
    }

    /// The size of the letters of labels.
    fn letters(&self) -> f64 {
        LETTERS.min(self.square * 0.6)
    }

    /// How wide the labels of rows are.
    fn margin(&self) -> f64 {
        let rows = self.board.rows.labels.iter();
        let longest = rows.map(|label| label.chars().count()).max().unwrap_or(0);
        if longest == 0 { 0.0 } else { longest as f64 * LETTER * self.letters() + 6.0 }
    }

    /// The height of the title, if there is one.
    fn head(&self) -> f64 {
        if self.title.is_empty() { 0.0 } else { LETTERS * 1.6 }
    }

    /// The size of the squares alone.
    fn inner(&self) -> (f64, f64) {
        let rows = self.board.rows.labels.len() as f64;
        let columns = self.board.columns.labels.len() as f64;
        match self.board.is_hexagonal {
            true => (
                (columns + (rows - 1.0) / 2.0) * self.square,
                (rows * HEXAGON_ROW + 0.29) * self.square,
            ),
            false => (columns * self.square, rows * self.square),
        }
    }

    /// Width and height of all of it.
    pub fn size(&self) -> (f64, f64) {
        let (wide, high) = self.inner();
        let foot = 1.7 * self.letters() + self.legend_lines().len() as f64 * LETTERS * 1.5;
        (self.margin() + wide, self.head() + high + foot)
    }

    /// The legend of short names, in lines that fit.
    fn legend_lines(&self) -> Vec<String> {
        let letters = ((self.margin() + self.inner().0).max(200.0) / (LETTERS * LETTER)) as usize;
        let mut lines: Vec<String> = Vec::new();
        for entry in &self.legend {
            match lines.last_mut() {
                Some(line) if line.chars().count() + 3 + entry.chars().count() <= letters => {
                    line.push_str(" · ");
                    line.push_str(entry);
                }
                _ => lines.push(entry.clone()),
            }
        }
        lines
    }

    /// The middle of a square.
    fn middle(&self, row: usize, column: usize) -> (f64, f64) {
        let (row, column) = (row as f64, column as f64);
        let rows = self.board.rows.labels.len() as f64;
        match self.board.is_hexagonal {
            true => {
                let shift = if self.board.leans_left { rows - 1.0 - row } else { row } / 2.0;
                ((column + shift + 0.5) * self.square, (row * HEXAGON_ROW + 0.577) * self.square)
            }
            false => ((column + 0.5) * self.square, (row + 0.5) * self.square),
        }
    }

    /// Width and height of a square, or of the rectangle around a hexagon.
    fn square_size(&self) -> (f64, f64) {
        let high = if self.board.is_hexagonal { HEXAGON } else { 1.0 };
        (self.square, high * self.square)
    }

    /// The name of a square for people.
    fn square_name(&self, row: usize, column: usize) -> String {
        let (row, column) = (&self.board.rows.labels[row], &self.board.columns.labels[column]);
        let square = format!("{column} {row}");
        match &*self.title {
            "" => square.trim().to_owned(),
            title => format!("{title}, {}", square.trim()),
        }
    }

    /// Whether squares are light and dark by turns.
    fn is_checkered(&self) -> bool {
        let men = |look: &Look| matches!(look.shape, Shape::Man(_) | Shape::Crowned);
        !self.board.is_hexagonal && self.looks.iter().any(men)
    }

    pub fn draw(&self, svg: &mut Svg, x: f64, y: f64) {
        if !self.title.is_empty() {
            let y = y + LETTERS;
            svg.text(
                &self.title,
                &[("class", &"name"), ("x", &x), ("y", &y), ("font-size", &LETTERS)],
            );
        }
        self.open(svg, x, y);
        self.draw_squares(svg);
        self.draw_parts(svg);
        self.draw_labels(svg);
        svg.close();
    }

    /// The upper left corner of the squares of a stage that stands at a place.
    fn origin(&self, x: f64, y: f64) -> (f64, f64) {
        (x + self.margin(), y + self.head())
    }

    /// Begins a group whose origin is the upper left corner of the squares.
    fn open(&self, svg: &mut Svg, x: f64, y: f64) {
        let (x, y) = self.origin(x, y);
        let place = format!("translate({x:.2} {y:.2})");
        svg.open("g", &[("transform", &place)]);
    }

    fn draw_squares(&self, svg: &mut Svg) {
        let is_checkered = self.is_checkered();
        for (row, column) in self.squares() {
            let dark = is_checkered && (self.board.rows.labels.len() - row + column) % 2 == 1;
            self.outline(svg, row, column, if dark { "square dark" } else { "square" }, 0.0);
        }
    }

    /// Lines between the boards that the squares of a board of boards are.
    fn draw_parts(&self, svg: &mut Svg) {
        let (wide, high) = self.inner();
        let begins = |labels: &[String]| -> Vec<f64> {
            let part = |label: &str| label.split_once('.').map(|of| of.0.to_owned());
            let pairs = labels.windows(2).enumerate();
            let begins = pairs.filter(|(_, pair)| part(&pair[0]) != part(&pair[1]));
            begins.map(|(at, _)| (at + 1) as f64 * self.square).collect()
        };
        for y in begins(&self.board.rows.labels) {
            svg.element(
                "line",
                &[("class", &"part"), ("x1", &0.0), ("x2", &wide), ("y1", &y), ("y2", &y)],
            );
        }
        for x in begins(&self.board.columns.labels) {
            svg.element(
                "line",
                &[("class", &"part"), ("x1", &x), ("x2", &x), ("y1", &0.0), ("y2", &high)],
            );
        }
    }

    fn squares(&self) -> impl Iterator<Item = (usize, usize)> {
        let columns = self.board.columns.labels.len();
        let count = self.board.rows.labels.len() * columns;
        let all = (0..count).map(move |at| (at / columns, at % columns));
        all.filter(|&(row, column)| self.board.has_square(row, column))
    }

    /// The rim of a square, or of one that is smaller by a margin.
    fn outline(&self, svg: &mut Svg, row: usize, column: usize, class: &str, margin: f64) {
        let (x, y) = self.middle(row, column);
        if self.board.is_hexagonal {
            let size = self.square / 2.0 - margin;
            let corner =
                |(dx, dy): (f64, f64)| format!("{:.2},{:.2}", x + dx * size, y + dy * size);
            // Corners above and below, the sides upright.
            let (low, high) = (HEXAGON / 2.0, HEXAGON);
            let corners =
                [(0.0, -high), (1.0, -low), (1.0, low), (0.0, high), (-1.0, low), (-1.0, -low)];
            let points = corners.map(corner).join(" ");
            svg.element("polygon", &[("class", &class), ("points", &points)]);
        } else {
            let size = self.square - 2.0 * margin;
            let (x, y) = (x - size / 2.0, y - size / 2.0);
            svg.element(
                "rect",
                &[("class", &class), ("x", &x), ("y", &y), ("width", &size), ("height", &size)],
            );
        }
    }

    fn draw_labels(&self, svg: &mut Svg) {
        let (rows, columns) = (&self.board.rows.labels, &self.board.columns.labels);
        let letters = self.letters();
        let mut label = |text: &str, x: f64, y: f64, room: f64| {
            let long = text.chars().count().max(1) as f64 * LETTER;
            let size = letters.min(room / long);
            svg.text(text, &[("class", &"label"), ("x", &x), ("y", &y), ("font-size", &size)]);
        };
        for (row, text) in rows.iter().enumerate().filter(|of| !of.1.is_empty()) {
            let first = match self.board.is_hexagonal {
                true => (0..columns.len()).find(|column| self.board.has_square(row, *column)),
                false => None,
            };
            let (x, y) = self.middle(row, first.unwrap_or(0));
            let x = x - self.square / 2.0 - self.margin() / 2.0;
            label(text, x, y + 0.36 * letters, self.margin() - 4.0);
        }
        let (_, high) = self.inner();
        let last = rows.len().saturating_sub(1);
        for (column, text) in columns.iter().enumerate().filter(|of| !of.1.is_empty()) {
            let (x, _) = self.middle(last, column);
            label(text, x, high + 1.2 * letters, self.square - 2.0);
        }
        for (at, line) in self.legend_lines().iter().enumerate() {
            let y = high + 1.7 * letters + (at as f64 + 0.9) * LETTERS * 1.5;
            svg.text(
                line,
                &[("class", &"legend"), ("x", &0.0), ("y", &y), ("font-size", &LETTERS)],
            );
        }
    }
}
