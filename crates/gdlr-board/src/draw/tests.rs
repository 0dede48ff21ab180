use super::*;
use crate::draw::look::{Colour, Man, Shape, looks};

/// The look of a board of things of these names; the roles are white and black.
fn shapes(names: &[&str]) -> Vec<(Shape, Colour)> {
    let facts: String = names.iter().map(|name| format!("(init (cell 1 1 {name}))")).collect();
    let rules = format!(
        "(role white) (role black) {facts} (row 1) (row 2) (row 3) (succ 1 2) (succ 2 3)
         (<= (legal ?r (mark ?x ?y)) (role ?r) (row ?x) (row ?y) (not (true (cell ?x ?y white))))
         (<= (next (cell ?x ?y ?r)) (does ?r (mark ?x ?y)))"
    );
    let game = Game::from_kif("shapes", &rules).expect("a rulesheet");
    let mut all = Vec::new();
    for (x, y) in (1..=3).flat_map(|x| (1..=3).map(move |y| (x, y))) {
        for name in names {
            all.push(term(&game, &format!("(cell {x} {y} {name})")));
        }
    }
    let boards = Boards::find(&game, &all);
    let roles = ["white".to_owned(), "black".to_owned()];
    let [board] = boards.boards() else { panic!("one board for {names:?}") };
    let looks = looks(board, &roles);
    let look_of = |name: &&str| {
        let is = |of: &crate::board::Channel| of.name == format!("(cell _ _ {name})");
        let at = board.channels.iter().position(is).expect("a channel");
        (looks[at].shape.clone(), looks[at].colour)
    };
    names.iter().map(look_of).collect()
}

fn term(game: &Game, text: &str) -> Term {
    let document = gdlr_text::kif::read(text).expect("an expression");
    Term::from_expr(&document.items[0], &game.symbols).expect("symbols of the game")
}

const WHITE: Colour = Colour::Named("white");
const BLACK: Colour = Colour::Named("black");

#[test]
fn names_tell_what_is_drawn() {
    use Shape::{Block, Cross, Crowned, Disc, Man as Piece, Ring};
    assert_eq!(shapes(&["white", "black"]), [(Disc, WHITE), (Disc, BLACK)]);
    assert_eq!(shapes(&["wn", "bq"]), [(Piece(Man::Knight), WHITE), (Piece(Man::Queen), BLACK)]);
    // Kings and pawns are of chess only where there is another piece of chess.
    assert_eq!(shapes(&["wk", "bp"]), [(Crowned, WHITE), (Disc, BLACK)]);
    assert_eq!(shapes(&["wk", "br"]), [(Piece(Man::King), WHITE), (Piece(Man::Rook), BLACK)]);
    assert_eq!(
        shapes(&["whiteKing", "blackPawn", "redBishop"])[2],
        (Piece(Man::Bishop), Colour::Named("red"))
    );
    assert_eq!(shapes(&["x", "o"]), [(Cross, Colour::Role(0)), (Ring, Colour::Role(1))]);
    assert_eq!(shapes(&["r", "w", "dirt"])[0], (Disc, Colour::Named("red")));
    assert_eq!(shapes(&["wall", "x"])[0], (Block, Colour::Plain));
    let text = |text: &str| (Shape::Text(text.to_owned()), Colour::Plain);
    assert_eq!(shapes(&["1", "2", "b"])[..2], [text("1"), text("2")]);
    assert_eq!(shapes(&["1", "2", "b"])[2].0, Shape::Nothing);
    assert_eq!(shapes(&["sheep", "shepherd"]), [text("s"), text("s2")]);
}

fn tic_tac_toe() -> (Game, Boards) {
    let text = include_str!("../../../../kif/tictactoe.kif");
    let game = Game::from_kif("tictactoe", text).expect("a rulesheet");
    let mut facts = vec![term(&game, "(turn crosses)")];
    for (x, y) in (1..=3).flat_map(|x| (1..=3).map(move |y| (x, y))) {
        for role in ["crosses", "noughts"] {
            facts.push(term(&game, &format!("(signed {x} {y} {role})")));
        }
    }
    let boards = Boards::find(&game, &facts);
    (game, boards)
}

fn count(text: &str, part: &str) -> usize {
    text.matches(part).count()
}

#[test]
fn a_picture_shows_the_whole_state() {
    let (game, boards) = tic_tac_toe();
    let before = ["(signed 1 1 crosses)", "(turn noughts)"].map(|fact| term(&game, fact));
    let now = ["(signed 1 1 crosses)", "(signed 3 2 noughts)", "(turn crosses)"];
    let now = now.map(|fact| term(&game, fact));
    let picture = draw(&boards, &game, &now, Some(&before));
    assert_eq!(count(&picture, "class=\"square\""), 9);
    assert_eq!(count(&picture, "rotate(45"), 1, "a cross");
    assert_eq!(count(&picture, "piece ring"), 1, "a ring");
    assert_eq!(count(&picture, "class=\"changed\""), 1, "only the ring is new");
    assert!(picture.contains("(turn crosses)"), "{picture}");
    assert!(!draw(&boards, &game, &now, None).contains("class=\"changed\""));
    // The third column from the left, the second row from below: squares are 56 wide, and the
    // labels of rows stand before them.
    let ring = picture.lines().find(|line| line.contains("<g class=\"role1\"")).expect("a ring");
    assert!(
        ring.contains("translate(112 56)") || ring.contains("translate(112.00 56.00)"),
        "{ring}"
    );
}

#[test]
fn names_are_no_markup() {
    let rules = "(role <a&b>) (init (at \"1\u{ffff})) (<= (legal ?r go) (role ?r))";
    let Ok(game) = Game::from_kif("<&", rules) else { panic!("a rulesheet") };
    let fact = term(&game, "(at \"1\u{ffff})");
    let picture = draw(&Boards::default(), &game, &[fact], None);
    assert!(picture.contains("<title>&lt;&amp;</title>"), "{picture}");
    assert!(picture.contains("(at &quot;1\u{fffd})"), "{picture}");
}

/// Where stones stand in a picture of hex, in units of a square.
fn stones(squares: [(u32, u32); 2]) -> [(f64, f64); 2] {
    let text = include_str!("../../../../kif/hex.kif");
    let game = Game::from_kif("hex", text).expect("a rulesheet");
    let stone = |(x, y): (u32, u32)| term(&game, &format!("(stone {x} {y} red)"));
    let all = (1..=9).flat_map(|x| (1..=9).map(move |y| (x, y)));
    let all: Vec<Term> = all.map(stone).collect();
    let picture = draw(&Boards::find(&game, &all), &game, &squares.map(stone), None);
    let mut places = picture.lines().filter(|line| line.contains("<g class=\"red\"")).map(|line| {
        let (_, rest) = line.split_once("translate(").expect("a place");
        let (x, rest) = rest.split_once(' ').expect("two numbers");
        let (y, _) = rest.split_once(')').expect("two numbers");
        let number = |text: &str| text.parse::<f64>().expect("a number") / 53.0;
        (number(x), number(y))
    });
    [places.next().expect("a stone"), places.next().expect("a stone")]
}

#[test]
fn hexagons_that_touch_are_side_by_side() {
    let distance = |squares| {
        let [(x, y), (v, w)] = stones(squares);
        (x - v).hypot(y - w)
    };
    for six in [(5, 4), (4, 5), (6, 5), (5, 6), (6, 4), (4, 6)] {
        let apart = distance([(5, 5), six]);
        assert!((apart - 1.0).abs() < 0.01, "{six:?} is {apart} away");
    }
    assert!(distance([(5, 5), (6, 6)]) > 1.5);
    assert!(distance([(5, 5), (4, 4)]) > 1.5);
}

#[test]
fn a_film_has_a_frame_for_each_state() {
    let (game, boards) = tic_tac_toe();
    let states = [
        vec![term(&game, "(turn crosses)")],
        vec![term(&game, "(signed 1 1 crosses)"), term(&game, "(turn noughts)")],
    ];
    let film = film(&boards, &game, &states);
    assert_eq!(count(&film, "class=\"frame\""), 1);
    assert_eq!(count(&film, "class=\"frame last\""), 1);
    assert_eq!(count(&film, "class=\"square\""), 9, "the board stays");
    assert_eq!(count(&film, "class=\"changed\""), 1);
    let alone = super::film(&boards, &game, &states[..1]);
    assert_eq!(alone, draw(&boards, &game, &states[0], None), "one state does not move");
}

/// The rectangles around the squares of a document, in its units: left, upper, right, lower side.
fn drawn_squares(svg: &str) -> Vec<[f64; 4]> {
    let value = |line: &str, name: &str| -> String {
        let (_, rest) = line.split_once(&format!("{name}=\"")).expect("the attribute");
        rest.split_once('"').expect("an end").0.to_owned()
    };
    let numbers = |text: &str| -> Vec<f64> {
        let parts = text.split([' ', ',']);
        parts.map(|part| part.parse().expect("a number")).collect()
    };
    let (mut origin, mut found) = (vec![0.0, 0.0], Vec::new());
    for line in svg.lines() {
        if let Some((_, place)) = line.split_once("<g transform=\"translate(") {
            origin = numbers(place.split_once(')').expect("an end").0);
        } else if line.contains("class=\"square") {
            let corners = match line.contains("<polygon") {
                true => numbers(&value(line, "points")),
                false => {
                    let [x, y, width, height] = [" x", " y", " width", " height"]
                        .map(|name| value(line, name).parse::<f64>().expect("a number"));
                    vec![x, y, x + width, y + height]
                }
            };
            let side = |axis: usize, of: fn(f64, f64) -> f64| {
                let all = corners.iter().skip(axis).step_by(2).copied();
                origin[axis] + all.reduce(of).expect("corners")
            };
            found.push([
                side(0, f64::min),
                side(1, f64::min),
                side(0, f64::max),
                side(1, f64::max),
            ]);
        }
    }
    found
}

/// A bundled game with its boards and its initial state, its facts being those of the net.
fn bundled(name: &str) -> (Game, Boards, Vec<Term>) {
    let path = format!("{}/../../kif/{name}.kif", env!("CARGO_MANIFEST_DIR"));
    let text = &std::fs::read_to_string(path).expect("it is there");
    let game = std::sync::Arc::new(Game::from_kif(name, text).expect("a rulesheet"));
    let budget = gdlr_net::ground::Budget::UNLIMITED;
    let ground = gdlr_net::ground::Ground::new(game.clone(), &budget).expect("it grounds");
    let boards = Boards::find(&game, &ground.fluents());
    let initial =
        game.rules.iter().filter(|rule| rule.head.relation == gdlr_rules::gdl::Symbol::INIT);
    let initial = initial.filter(|rule| rule.body.is_empty()).map(|rule| rule.head.args[0].clone());
    let initial = initial.collect();
    (std::sync::Arc::unwrap_or_clone(game), boards, initial)
}

#[test]
fn squares_are_where_they_are_drawn() {
    for name in ["tictactoe", "hex", "pentago", "breakthrough", "light_cycles"] {
        let (game, boards, facts) = bundled(name);
        let picture = picture(&boards, &game, &facts, None);
        assert_eq!(picture.svg, draw(&boards, &game, &facts, None));
        let drawn = drawn_squares(&picture.svg);
        assert_eq!(drawn.len(), picture.squares.len(), "{name}");
        for (drawn, square) in drawn.iter().zip(&picture.squares) {
            let Square { x, y, width, height, .. } = *square;
            for (drawn, said) in drawn.iter().zip([x, y, x + width, y + height]) {
                assert!((drawn - said).abs() < 0.02, "{name}: {square:?} is drawn at {drawn}");
            }
            assert!(x >= 0.0 && y >= 0.0, "{name}: {square:?}");
            assert!(x + width <= picture.width && y + height <= picture.height, "{name}");
        }
    }
}

#[test]
fn squares_say_what_stands_there() {
    let (game, boards) = tic_tac_toe();
    let before = ["(signed 1 1 crosses)", "(turn noughts)"].map(|fact| term(&game, fact));
    let now = ["(signed 1 1 crosses)", "(signed 3 2 noughts)", "(turn crosses)"];
    let now = now.map(|fact| term(&game, fact));
    let squares = picture(&boards, &game, &now, Some(&before)).squares;
    let find = |name: &str| squares.iter().find(|square| square.name == name).expect("a square");
    let ring = find("3 2");
    assert_eq!((ring.board, ring.layer, ring.row, ring.column), (0, 0, 1, 2));
    assert_eq!((&*ring.things, ring.changed), (&["noughts".to_owned()][..], true));
    assert_eq!((&*find("1 1").things, find("1 1").changed), (&["crosses".to_owned()][..], false));
    assert_eq!((find("2 2").things.len(), find("2 2").changed), (0, false));
    assert!(picture(&boards, &game, &now, None).squares.iter().all(|square| !square.changed));
    // Empty squares are named in the facts of some games.
    let (game, boards, facts) = bundled("eight_puzzle");
    let squares = picture(&boards, &game, &facts, None).squares;
    assert_eq!(squares.iter().filter(|square| square.things.is_empty()).count(), 1);
    // Of several boards, the name says which.
    let (game, boards, facts) = bundled("pentago");
    let squares = picture(&boards, &game, &facts, None).squares;
    let names: HashSet<&String> = squares.iter().map(|square| &square.name).collect();
    assert_eq!((squares.len(), names.len()), (36, 36), "{names:?}");
}
