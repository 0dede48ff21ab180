//! Pieces: each is drawn into a square of 40 by 40.

use super::look::{Look, Man, Shape, Side};
use super::svg::Svg;

/// The size of the square that shapes are drawn into.
pub(super) const SIZE: f64 = 40.0;

/// The base of all men.
const BASE: &str = "M9.5 35.5v-3q0-2 2-2h17q2 0 2 2v3z";

fn body(man: Man) -> &'static str {
    match man {
        Man::Pawn => {
            "M14 30.5q3-4 3.6-10h-2.1v-2.2h1.7a5.6 5.6 0 1 1 5.6 0h1.7v2.2h-2.1q.6 6 3.6 10z"
        }
        Man::Rook => "M12.5 30.5l1.6-11.5h11.8l1.6 11.5zM11.5 19v-10h3.6v3h3v-3h3.8v3h3v-3h3.6v10z",
        Man::Knight => {
            "M12 30.5q0-7.5 7-12l-6.2 1.4-3.3-3q1.6-5.4 7-8l1.2-4 3.2 3.2q9.6 1.8 9.6 13.4v9z"
        }
        Man::Bishop => {
            "M20 7.2q7.6 6.6 7 13-.6 3.8-3.4 5l1.2 5.3h-9.6l1.2-5.3q-2.8-1.2-3.4-5-.6-6.4 7-13z\
             M18.2 6.6a1.9 1.9 0 1 1 3.6 0 1.9 1.9 0 1 1-3.6 0z"
        }
        Man::Queen => "M12.5 30.5L8.5 12.5l6.2 7.2 1-10.7L20 18.6 24.3 9l1 10.7 6.2-7.2-4 18z",
        Man::King => {
            "M12.5 30.5q-6.4-9.4-.8-12.8 5-2.2 8.3 3 3.3-5.2 8.3-3 5.6 3.4-.8 12.8z\
             M18.8 17v-4.4h-3.2v-2.6h3.2v-3.2h2.4v3.2h3.2v2.6h-3.2v4.4l-1.2 2.4z"
        }
    }
}

/// A mark on a body, in the other colour.
fn mark(man: Man) -> Option<&'static str> {
    match man {
        Man::Knight => Some("M17.6 12.6l1.6-.6"),
        Man::Bishop => Some("M20 13.2v7M16.8 16.4h6.4"),
        _ => None,
    }
}

/// Draws a piece into a square of this size around a point.
pub(super) fn draw(svg: &mut Svg, look: &Look, x: f64, y: f64, size: f64) {
    if look.shape == Shape::Nothing {
        return;
    }
    let colour = look.colour.class();
    let faint = if look.is_faint { " faint" } else { "" };
    let scale = size / SIZE;
    let mut place = format!("translate({:.2} {:.2})", x - size / 2.0, y - size / 2.0);
    if scale != 1.0 {
        place += &format!(" scale({scale:.4})");
    }
    svg.open("g", &[("class", &format!("{colour}{faint}")), ("transform", &place)]);
    match &look.shape {
        Shape::Nothing => {}
        Shape::Disc => disc(svg, 14.0),
        Shape::Dot => disc(svg, 5.0),
        Shape::Crowned => {
            disc(svg, 14.0);
            path(svg, "on", "M12.5 25.5l-2-10 5.2 4 4.3-6.5 4.3 6.5 5.2-4-2 10z");
        }
        Shape::Man(man) => {
            path(svg, "piece", body(*man));
            path(svg, "piece", BASE);
            if let Some(mark) = mark(*man) {
                path(svg, "ink line", mark);
            }
        }
        Shape::Cross => {
            svg.open("g", &[("transform", &"rotate(45 20 20)")]);
            path(
                svg,
                "piece",
                "M16.7 5.5h6.6v11.2h11.2v6.6h-11.2v11.2h-6.6v-11.2h-11.2v-6.6h11.2z",
            );
            svg.close();
        }
        Shape::Ring => path(
            svg,
            "piece ring",
            "M34 20a14 14 0 1 1-28 0 14 14 0 1 1 28 0zM27 20a7 7 0 1 0-14 0 7 7 0 1 0 14 0z",
        ),
        Shape::Arrow(turn) => {
            let turn = format!("rotate({turn} 20 20)");
            svg.open("g", &[("transform", &turn)]);
            path(svg, "piece", "M20 7l10 12h-6v14h-8v-14h-6z");
            svg.close();
        }
        Shape::Block => tile(svg, "block"),
        Shape::Wall(side) => path(
            svg,
            "wall",
            match side {
                Side::North => "M1 0h38",
                Side::East => "M40 1v38",
                Side::South => "M1 40h38",
                Side::West => "M0 1v38",
            },
        ),
        Shape::Text(text) => {
            tile(svg, "piece");
            // As large as fits: a letter is about 0.62 of its size wide.
            let letters = text.chars().count().max(1) as f64;
            let size = (28.0 / (0.62 * letters)).min(20.0);
            let y = 20.0 + 0.36 * size;
            svg.text(text, &[("class", &"on"), ("x", &20.0), ("y", &y), ("font-size", &size)]);
        }
    }
    svg.close();
}

fn disc(svg: &mut Svg, radius: f64) {
    let middle = SIZE / 2.0;
    svg.element("circle", &[("class", &"piece"), ("cx", &middle), ("cy", &middle), ("r", &radius)]);
}

fn path(svg: &mut Svg, class: &str, path: &str) {
    svg.element("path", &[("class", &class), ("d", &path)]);
}

/// A square with round corners.
fn tile(svg: &mut Svg, class: &str) {
    let (margin, size) = (5.0, SIZE - 10.0);
    svg.element(
        "rect",
        &[
            ("class", &class),
            ("x", &margin),
            ("y", &margin),
            ("width", &size),
            ("height", &size),
            ("rx", &5.0),
        ],
    );
}
