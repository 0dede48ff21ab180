//! Pictures of states, as SVG, for any rulesheet.
//!
//! [`Boards`] says where the facts of a state stand; this room says what that looks like.
//!
//! 1. [`look`] reads names: what is called `white knight`, `wn` or `x` looks like one.
//! 2. [`shape`] draws pieces, [`scene`] a board with its squares, labels and pieces, [`aside`] the
//!    facts that are on no board.
//! 3. [`svg`] writes elements, [`theme`] has all colours.
//!
//! Names are read only to draw what people expect; a name that tells nothing is written on a tile
//! in the colour of its role, so that nothing of the state is left out. The picture is whole by
//! itself: it loads nothing, its size is that of its contents, and it is drawn for light and for
//! dark backgrounds.

mod aside;
mod look;
mod scene;
mod shape;
mod svg;
#[cfg(test)]
mod tests;
mod theme;

use crate::board::{Board, Boards, Place};
use crate::gdl::{Game, Term, natural_order};
use hashbrown::HashSet;
use look::Look;
use scene::Scene;
use svg::Svg;

/// Around all and between boards.
const GAP: f64 = 16.0;
/// Boards stand beside each other as long as they are not wider than this together.
const WIDTH: f64 = 720.0;
/// The facts beside a board have at least so much room.
const LEAST_WIDTH: f64 = 360.0;

/// A state as a picture: its boards, and the facts that are on none. Squares whose things are
/// others than in the state `before` are marked, so that one sees the last move.
///
/// The text is an SVG document, in user units of one pixel. Linear in the squares and the facts.
pub fn draw(boards: &Boards, game: &Game, facts: &[Term], before: Option<&[Term]>) -> String {
    let roles: Vec<String> = game.roles.iter().map(|role| role.spelled(&game.symbols)).collect();
    let places = |facts: &[Term]| -> Vec<Place> {
        let mut places: Vec<Place> = facts.iter().filter_map(|fact| boards.place(fact)).collect();
        places.sort_unstable();
        places
    };
    let (now, before) = (places(facts), before.map(places));
    let looks: Vec<Vec<Look>> =
        boards.boards().iter().map(|board| look::looks(board, &roles)).collect();
    let mut scenes = Vec::new();
    for (number, (board, looks)) in boards.boards().iter().zip(&looks).enumerate() {
        let here = |places: &[Place]| -> Vec<Place> {
            places.iter().copied().filter(|place| place.board == number).collect()
        };
        let places = here(&now);
        let changed = before
            .as_ref()
            .map(|before| changed(board, &places, &here(before)))
            .unwrap_or_default();
        let is_alone = boards.boards().len() == 1;
        for layer in 0..board.layers.len() {
            scenes.push(Scene::new(board, layer, looks, &places, &changed, is_alone));
        }
    }
    let mut plain: Vec<String> = facts
        .iter()
        .filter(|fact| boards.place(fact).is_none())
        .map(|fact| fact.spelled(&game.symbols))
        .collect();
    plain.sort_by_cached_key(|fact| natural_order(fact));
    page(&game.name, &scenes, &plain)
}

/// The squares of a board on which something else stands than before: layer, row and column.
fn changed(board: &Board, now: &[Place], before: &[Place]) -> HashSet<(usize, usize, usize)> {
    let seen = |places: &[Place]| -> HashSet<Place> {
        places.iter().copied().filter(|of| !board.channels[of.channel].is_blank).collect()
    };
    let square = |of: &Place| (board.channels[of.channel].layer, of.row, of.column);
    seen(now).symmetric_difference(&seen(before)).map(square).collect()
}

/// Scenes in rows, as many beside each other as fit, and the other facts below.
fn page(name: &str, scenes: &[Scene], facts: &[String]) -> String {
    let (mut x, mut y, mut row_height, mut width) = (GAP, GAP, 0f64, LEAST_WIDTH);
    let mut places = Vec::new();
    for scene in scenes {
        let (wide, high) = scene.size();
        if x > GAP && x + wide > WIDTH {
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
    let lines = aside::lines(facts, width - 2.0 * GAP);
    let height = y + aside::height(&lines) + if lines.is_empty() { 0.0 } else { GAP };
    let mut svg = Svg::new(width, height, name);
    svg.style(theme::STYLE);
    svg.element("rect", &[("class", &"page"), ("width", &width), ("height", &height)]);
    for (scene, &(x, y)) in scenes.iter().zip(&places) {
        scene.draw(&mut svg, x, y);
    }
    aside::draw(&mut svg, &lines, GAP, y);
    svg.finish()
}
