//! Pictures of states, as SVG, for any rulesheet.
//!
//! [`Boards`] has the places of the facts of a state. This module chooses their look.
//!
//! 1. `look` reads names: `white knight`, `wn` and `x` get the look that people expect.
//! 2. `shape` draws pieces. `scene` draws a board: first its squares and labels, then the things on
//!    them. `aside` draws the facts that are on no board.
//! 3. `svg` writes elements, and `theme` has all colours.
//! 4. [`Picture`] also has the rectangle of each square, for pages on which people click.
//! 5. [`graph`] draws graphs of relations, of a net and of an automaton.
//!
//! Names are read only to choose a look. A name without a known look is written on a tile in the colour
//! of its role. A picture does not show everything: two names may get the same look (walls and holes,
//! `bn1` and `bn2`), and the number of facts beside boards is bounded. A program that needs every fact
//! should ask for the facts.
//!
//! A picture needs no other file. Its size is the size of its contents. It is drawn for light and for
//! dark backgrounds.

mod aside;
pub mod graph;
mod look;
mod picture;
mod scene;
mod shape;
mod svg;
#[cfg(test)]
mod tests;
mod theme;

use crate::board::{Boards, Placement};
use gdlr_rules::gdl::{Game, Term, natural_order};
use hashbrown::HashSet;
use look::Look;
pub use picture::{Picture, Square};
use scene::{Scene, Stage};
use svg::Svg;

/// Around all and between boards.
const GAP: f64 = 16.0;
/// Boards stand beside each other as long as they are not wider than this together.
const WIDTH: f64 = 720.0;
/// The facts beside a board have at least so much room.
const LEAST_WIDTH: f64 = 360.0;
/// How long a state is shown in a film, and how many times as long the last one stays.
const SECONDS: f64 = 0.8;
const LAST: f64 = 3.0;

/// A state as a picture: its boards, and the facts that are on none. Squares whose things are
/// others than in the state `before` are marked, so that one sees the last move.
///
/// The text is an SVG document, in user units of one pixel. Linear in the squares and the facts.
pub fn draw(boards: &Boards, game: &Game, facts: &[Term], before: Option<&[Term]>) -> String {
    picture(boards, game, facts, before).svg
}

/// The same with the squares of all boards: where each of them is, and what stands there.
pub fn picture(boards: &Boards, game: &Game, facts: &[Term], before: Option<&[Term]>) -> Picture {
    let painter = Painter::new(boards, game);
    let states: Vec<&[Term]> = before.into_iter().chain([facts]).collect();
    let frames = painter.frames(&states);
    page(&game.name, &frames[states.len() - 1..])
}

/// States one after the other, as a picture that moves, again and again from the beginning; what
/// does not move pictures shows the last state. In each, the squares that have changed are marked.
///
/// Linear in the squares and in the facts of all states.
///
/// # Panics
///
/// When there is no state.
pub fn film(boards: &Boards, game: &Game, states: &[Vec<Term>]) -> String {
    let states: Vec<&[Term]> = states.iter().map(|state| &**state).collect();
    page(&game.name, &Painter::new(boards, game).frames(&states)).svg
}

/// The parts that are the same in all states of a game.
struct Painter<'p> {
    boards: &'p Boards,
    game: &'p Game,
    /// By board and channel.
    looks: Vec<Vec<Look>>,
}

/// A state, laid out.
struct Frame<'p> {
    /// With the places of their boards.
    scenes: Vec<(usize, Scene<'p>)>,
    /// The facts beside them, in lines.
    lines: Vec<String>,
}

impl<'p> Painter<'p> {
    fn new(boards: &'p Boards, game: &'p Game) -> Painter<'p> {
        let roles: Vec<String> =
            game.roles.iter().map(|role| role.spelled(&game.symbols)).collect();
        let looks = boards.boards().iter().map(|board| look::looks(board, &roles)).collect();
        Painter { boards, game, looks }
    }

    /// The frames of states that follow each other, all laid out in the same way.
    fn frames<'s>(&'s self, states: &[&[Term]]) -> Vec<Frame<'s>> {
        let boards = self.boards;
        let mut frames: Vec<Frame> = Vec::new();
        frames.resize_with(states.len(), || Frame { scenes: Vec::new(), lines: Vec::new() });
        for (number, (board, looks)) in boards.boards().iter().zip(&self.looks).enumerate() {
            let here = |facts: &&[Term]| -> Vec<Placement> {
                let places = facts.iter().filter_map(|fact| boards.place(fact));
                let mut places: Vec<Placement> = places.filter(|of| of.board == number).collect();
                places.sort_unstable();
                places
            };
            let places: Vec<Vec<Placement>> = states.iter().map(here).collect();
            let is_alone = boards.boards().len() == 1;
            for layer in in_order(&board.layers) {
                let stage = Stage::new(board, layer, looks, places.iter().flatten(), is_alone);
                for (at, frame) in frames.iter_mut().enumerate() {
                    let changed = match at.checked_sub(1) {
                        Some(before) => board.changed(&places[at], &places[before]),
                        None => HashSet::new(),
                    };
                    let scene = Scene::new(stage.clone(), &places[at], &changed);
                    frame.scenes.push((number, scene));
                }
            }
        }
        let width = layout(&frames[0].scenes).width - 2.0 * GAP;
        for (frame, facts) in frames.iter_mut().zip(states) {
            let plain = facts.iter().filter(|fact| boards.place(fact).is_none());
            let mut plain: Vec<String> =
                plain.map(|fact| fact.spelled(&self.game.symbols)).collect();
            plain.sort_by_cached_key(|fact| natural_order(fact));
            frame.lines = aside::lines(&plain, width);
        }
        frames
    }
}

/// The layers of a board as they are drawn: quarters of a board by the points of the compass.
fn in_order(layers: &[String]) -> Vec<usize> {
    let corner = |name: &String| {
        let name = name.to_lowercase();
        let south = name.strip_prefix("north").map(|rest| (false, rest));
        let (south, rest) =
            south.or_else(|| name.strip_prefix("south").map(|rest| (true, rest)))?;
        Some((south, rest.ends_with("east")))
    };
    let mut order: Vec<usize> = (0..layers.len()).collect();
    if layers.iter().all(|name| corner(name).is_some()) {
        order.sort_by_key(|&layer| corner(&layers[layer]));
    }
    order
}

/// Where scenes stand on the page.
struct SceneLayout {
    places: Vec<(f64, f64)>,
    width: f64,
    /// Where they end.
    height: f64,
}

/// Scenes in rows, as many beside each other as fit, but four in two rows, and so on.
fn layout(scenes: &[(usize, Scene)]) -> SceneLayout {
    let (mut x, mut y, mut row_height, mut width) = (GAP, GAP, 0f64, LEAST_WIDTH);
    let mut places = Vec::new();
    let root = (2..).take_while(|root| root * root <= scenes.len()).last();
    let across = root.filter(|root| root * root == scenes.len()).unwrap_or(usize::MAX);
    for (at, (_, scene)) in scenes.iter().enumerate() {
        let (wide, high) = scene.stage.size();
        if x > GAP && (x + wide > WIDTH || at % across == 0) {
            (x, y, row_height) = (GAP, y + row_height + GAP, 0.0);
        }
        places.push((x, y));
        x += wide + GAP;
        width = width.max(x);
        row_height = row_height.max(high);
    }
    if !scenes.is_empty() {
        y += row_height + GAP;
    }
    SceneLayout { places, width, height: y }
}

/// The document: what stays, and each frame in its time. The squares are those of the last.
fn page(name: &str, frames: &[Frame]) -> Picture {
    let SceneLayout { places, width, height: top } = layout(&frames[0].scenes);
    let most = frames.iter().map(|frame| aside::height(&frame.lines)).fold(0.0, f64::max);
    let height = top + if most > 0.0 { most + GAP } else { 0.0 };
    let mut svg = Svg::new(width, height, name);
    svg.style(theme::STYLE);
    let seconds = (frames.len() as f64 + LAST) * SECONDS;
    if frames.len() > 1 {
        svg.style(&theme::film(SECONDS / seconds, (1.0 + LAST) * SECONDS / seconds, seconds));
    }
    svg.element("rect", &[("class", &"page"), ("width", &width), ("height", &height)]);
    for ((_, scene), &(x, y)) in frames[0].scenes.iter().zip(&places) {
        scene.stage.draw(&mut svg, x, y);
    }
    for (at, frame) in frames.iter().enumerate() {
        if frames.len() > 1 {
            let class = if at + 1 == frames.len() { "frame last" } else { "frame" };
            // As if the film had begun before.
            let delay = format!("animation-delay:{:.2}s", at as f64 * SECONDS - seconds);
            svg.open("g", &[("class", &class), ("style", &delay)]);
        }
        for ((_, scene), &(x, y)) in frame.scenes.iter().zip(&places) {
            scene.draw(&mut svg, x, y);
        }
        aside::draw(&mut svg, &frame.lines, GAP, top);
        if frames.len() > 1 {
            svg.close();
        }
    }
    let last = &frames[frames.len() - 1];
    let scenes = last.scenes.iter().zip(&places);
    let squares = scenes.flat_map(|((board, scene), &(x, y))| scene.squares(*board, x, y));
    Picture { squares: squares.collect(), svg: svg.finish(), width, height }
}
