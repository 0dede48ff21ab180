//! A state in a terminal that has colours: things in the colour of their role, what is empty and
//! what only says where it is faint, what the last move has changed bold and underlined.

use crate::cli::output::Page;
use codespan_reporting::term::termcolor::{Color, ColorSpec};
use gdlr::board::{Part, Shows};

/// Of roles whose names are no colours, as in pictures (M. Okabe and K. Ito, *Color Universal
/// Design*, 2008): the nearest of the 256 colours of terminals that can be read on a light
/// background and on a dark one.
const ROLES: [u8; 6] = [32, 166, 29, 169, 136, 38];

/// Of roles whose names begin with the name of a colour that can be read on both.
const NAMED: [(&str, u8); 8] = [
    ("red", 196),
    ("blue", 32),
    ("green", 29),
    ("yellow", 136),
    ("orange", 166),
    ("purple", 97),
    ("pink", 169),
    ("teal", 38),
];

/// The colours of roles with these names.
pub fn of_roles(names: &[String]) -> Vec<u8> {
    let named = |name: &String| {
        let name = name.to_lowercase();
        NAMED.iter().find(|(colour, _)| name.starts_with(colour)).map(|&(_, colour)| colour)
    };
    let taken: Vec<u8> = names.iter().filter_map(named).collect();
    let free: Vec<u8> = ROLES.into_iter().filter(|colour| !taken.contains(colour)).collect();
    // Where there are too many roles, some look alike.
    let mut rest = free.iter().chain(ROLES.iter().cycle()).copied();
    names
        .iter()
        .map(|name| named(name).unwrap_or_else(|| rest.next().unwrap_or(ROLES[0])))
        .collect()
}

/// Writes the text of a state of a game whose roles have these colours.
pub fn write(page: &mut Page, parts: &[Part], of_roles: &[u8]) {
    for part in parts {
        match style(part, of_roles) {
            style if style.is_none() => page.plain(&part.text),
            style => page.styled(&style, &part.text),
        }
    }
}

fn style(part: &Part, of_roles: &[u8]) -> ColorSpec {
    let mut style = ColorSpec::new();
    match part.shows {
        Shows::Label => style.set_dimmed(true),
        // A piece that has gone from a square is shown, too.
        Shows::Blank => style.set_dimmed(!part.changed),
        Shows::Piece(Some(role)) => {
            style.set_fg(of_roles.get(role).map(|&colour| Color::Ansi256(colour)))
        }
        Shows::Piece(None) | Shows::Plain => &mut style,
    };
    style.set_bold(part.changed).set_underline(part.changed);
    style
}

#[cfg(test)]
mod tests {
    use super::*;
    use codespan_reporting::term::termcolor::ColorChoice;

    fn parts() -> Vec<Part> {
        let part = |text: &str, shows, changed| Part { text: text.into(), shows, changed };
        vec![
            part("board\n  ", Shows::Plain, false),
            part("1", Shows::Label, false),
            part(" ", Shows::Plain, false),
            part(".", Shows::Blank, false),
            part(".", Shows::Blank, true),
            part("x", Shows::Piece(Some(0)), true),
            part("\u{1b}[31m", Shows::Piece(None), false),
            part("o", Shows::Piece(Some(1)), false),
            part("\n", Shows::Plain, false),
        ]
    }

    fn written(choice: ColorChoice) -> String {
        let mut page = Page::in_colour(choice);
        write(&mut page, &parts(), &[32, 166]);
        page.text()
    }

    #[test]
    fn colours_only_where_there_are() {
        let shown = "board\n  1 ..x␛[31mo\n";
        assert_eq!(written(ColorChoice::Never), shown);
        let coloured = written(ColorChoice::AlwaysAnsi);
        let mut pieces = coloured.split('\u{1b}');
        let mut stripped = pieces.next().unwrap().to_owned();
        for piece in pieces {
            stripped += piece.split_once('m').expect("an escape that ends").1;
        }
        assert_eq!(stripped, shown);
        assert!(coloured.contains("\u{1b}[1m\u{1b}[4m\u{1b}[38;5;32mx\u{1b}[0m"), "{coloured:?}");
        assert!(coloured.contains("\u{1b}[38;5;166mo\u{1b}[0m\n"), "{coloured:?}");
        assert!(coloured.contains("\u{1b}[2m1\u{1b}[0m"), "{coloured:?}");
    }

    #[test]
    fn a_role_has_the_colour_of_its_name() {
        let of = |names: &[&str]| {
            of_roles(&names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(of(&["white", "black"]), [32, 166]);
        assert_eq!(of(&["Red", "bluePlayer", "x", "y"]), [196, 32, 166, 29]);
        assert_eq!(of(&["a"; 8]), [32, 166, 29, 169, 136, 38, 32, 166]);
    }

    /// The relative luminance of one of the 256 colours (WCAG 2, 1.4.3).
    fn luminance(colour: u8) -> f64 {
        let levels = [0.0, 95.0, 135.0, 175.0, 215.0, 255.0];
        let linear = |part: u8| match levels[usize::from(part % 6)] / 255.0 {
            low if low <= 0.04045 => low / 12.92,
            level => f64::powf((level + 0.055) / 1.055, 2.4),
        };
        let cube = colour - 16;
        0.2126 * linear(cube / 36) + 0.7152 * linear(cube / 6) + 0.0722 * linear(cube)
    }

    #[test]
    fn roles_can_be_read_on_white_and_on_dark_grey() {
        for role in ROLES.into_iter().chain(NAMED.map(|(_, colour)| colour)) {
            let light = luminance(role) + 0.05;
            let (on_white, on_dark) = (1.05 / light, light / (0.013 + 0.05));
            assert!(on_white > 2.5 && on_dark > 3.0, "{role}: {on_white} {on_dark}");
        }
    }
}
