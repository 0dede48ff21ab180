//! Squares that have their names from the generators of Regular Boardgames: `rx0y0` of a rectangle,
//! `hx0y0` of a hexagon, `cx0y0z0` of a cuboid. Columns count from the left, rows from the top, and
//! layers from the back.
//!
//! A hexagon is drawn skewed. Its rows become longer by one square, and from some row on shorter;
//! where they become shorter, each begins one column further right than the one above it.
//! The layers of a cuboid stand side by side, with a column between two of them.

use hashbrown::HashMap;

/// Squares in rows and columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    /// By square, in the order in which they were given: row and column.
    pub places: Vec<(u16, u16)>,
    pub rows: Vec<String>,
    pub columns: Vec<String>,
    pub is_hexagonal: bool,
}

/// Where steps off the board lead, in automata of such games. It is no square.
pub(super) const NOWHERE: &str = "nowhere";

/// The largest number in a name, and the most rows or columns.
const MOST: u32 = 256;

/// Where squares of these names lie; `None` if one of them is named otherwise.
pub(super) fn grid(names: &[&str]) -> Option<Grid> {
    let letter = names.first()?.chars().next()?;
    let read = |name: &&str| {
        let (x, rest) = name.strip_prefix(letter)?.strip_prefix('x')?.split_once('y')?;
        let (y, z) = match letter {
            'c' => rest.split_once('z')?,
            'h' | 'r' => (rest, "0"),
            _ => return None,
        };
        let number = |text: &str| text.parse::<u32>().ok().filter(|number| *number < MOST);
        Some((number(x)?, number(y)?, number(z)?))
    };
    let cells: Vec<(u32, u32, u32)> = names.iter().map(read).collect::<Option<_>>()?;
    let most = |of: fn(&(u32, u32, u32)) -> u32| cells.iter().map(of).max().map_or(0, |it| it + 1);
    let (width, height, depth) = (most(|it| it.0), most(|it| it.1), most(|it| it.2));
    let shifts = shifts(&cells, height);
    let column = |&(x, y, z): &(u32, u32, u32)| match letter {
        'h' => x + shifts[y as usize],
        _ => x + z * (width + 1),
    };
    let places: Vec<(u16, u16)> = cells
        .iter()
        .map(|cell| Some((cell.1 as u16, u16::try_from(column(cell)).ok()?)))
        .collect::<Option<_>>()?;
    let columns = match letter {
        'h' => places.iter().map(|(_, column)| u32::from(*column) + 1).max()?,
        _ => depth * (width + 1) - 1,
    };
    let label = |column: u32| match (letter, column % (width + 1)) {
        ('c', x) if x == width => String::new(),
        ('c', x) => format!("{x}/{}", column / (width + 1)),
        _ => column.to_string(),
    };
    (columns <= MOST && height <= MOST).then(|| Grid {
        places,
        rows: (0..height).map(|row| row.to_string()).collect(),
        columns: (0..columns).map(label).collect(),
        is_hexagonal: letter == 'h',
    })
}

/// By row of a hexagon: how many rows up to it are shorter than the one above.
fn shifts(cells: &[(u32, u32, u32)], height: u32) -> Vec<u32> {
    let mut widths: HashMap<u32, u32> = HashMap::new();
    for (x, y, _) in cells {
        let width = widths.entry(*y).or_default();
        *width = (*width).max(x + 1);
    }
    let width = |row: u32| widths.get(&row).copied().unwrap_or(0);
    let mut shift = 0;
    let shifts = (0..height).map(|row| {
        shift += u32::from(row > 0 && width(row) < width(row - 1));
        shift
    });
    shifts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hexagon_is_skewed() {
        let names = ["hx0y0", "hx1y0", "hx0y1", "hx1y1", "hx2y1", "hx0y2", "hx1y2"];
        let grid = grid(&names).expect("a hexagon");
        assert_eq!(grid.places, [(0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (2, 1), (2, 2)]);
        assert!(grid.is_hexagonal);
        assert_eq!((grid.rows.len(), grid.columns), (3, ["0", "1", "2"].map(String::from).into()));
    }

    #[test]
    fn layers_of_a_cuboid_stand_side_by_side() {
        let grid = grid(&["cx0y0z0", "cx1y1z0", "cx0y0z1", "cx1y0z1"]).expect("a cuboid");
        assert_eq!(grid.places, [(0, 0), (1, 1), (0, 3), (0, 4)]);
        assert_eq!(grid.columns, ["0/0", "1/0", "", "0/1", "1/1"]);
        assert!(!grid.is_hexagonal);
    }

    #[test]
    fn other_names_are_none() {
        assert_eq!(grid(&["rx0y0", "rx27y0"]).map(|grid| grid.places), Some(vec![(0, 0), (0, 27)]));
        for names in [&["hx0y0", "cx0y0z0"][..], &["hx0y"], &["a1"], &["rx0y999"], &[], &["é"]] {
            assert_eq!(grid(names), None, "{names:?}");
        }
    }
}
