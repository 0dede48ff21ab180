//! Finding the boards of a game.

use super::boards::{Axis, Board, Boards, Channel, Standing};
use super::generated::{Grid, NOWHERE, grid};
use super::groups::{Group, LONGEST_AXIS, groups};
use super::hexagons::hexagons;
use super::layout::{BoardLayout, File, Key, Squares, layouts, square};
use super::order::{Chains, Order, order};
use super::orientation::{Orientation, orientation};
use super::sorts::Sorts;
use gdlr_rules::gdl::natural_order;
use gdlr_rules::gdl::{Game, Symbol, SymbolTable, Term};
use hashbrown::{HashMap, HashSet};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The names of empty squares.
const BLANK: [&str; 5] = ["blank", "empty", "none", "free", "gap"];

/// The most numbers of a board's planes.
const MOST_PLACES: usize = 1 << 22;

impl Boards {
    /// The boards of a game, given all facts that can ever be true: those of a net, of
    /// grounding, or those that play has shown so far. Their order does not matter.
    ///
    /// Costs time near linear in the rules and the facts.
    pub fn find<'f>(game: &Game, facts: impl IntoIterator<Item = &'f Term>) -> Boards {
        let groups = groups(game, facts, &Sorts::of(game));
        let chosen = layouts(&groups, &game.symbols);
        let stands = |(group, layout): (&Group, &Option<BoardLayout>)| {
            layout.clone().filter(|own| !is_part(own, group, &groups, &chosen, &game.symbols))
        };
        let chosen: Vec<Option<BoardLayout>> = groups.iter().zip(&chosen).map(stands).collect();
        let finder =
            Finder { game, groups: &groups, chains: Chains::of(game), hexagons: hexagons(game) };
        let roles = game.roles.iter().map(|role| role.spelled(&game.symbols)).collect();
        let mut boards = Boards { roles, ..Boards::default() };
        for members in together(&chosen, &groups) {
            // Forms that do not fit together stand by themselves, if they could.
            let certain: Vec<Member> =
                members.iter().filter(|(_, layout)| layout.is_certain).copied().collect();
            if !finder.add(&mut boards, &members) && !finder.add(&mut boards, &certain) {
                certain.iter().for_each(|member| _ = finder.add(&mut boards, &[*member]));
            }
        }
        boards
    }
}

/// A form and how it stands on its board.
type Member<'g> = (&'g Group, &'g BoardLayout);

/// Whether a form says only at which square something is, and the square is one of a graph, on which another form
/// stands: play may have come to those squares alone that are named as a generator would.
fn is_part(
    layout: &BoardLayout,
    group: &Group,
    groups: &[Group],
    chosen: &[Option<BoardLayout>],
    symbols: &SymbolTable,
) -> bool {
    let (Squares::Named(_), [gap]) = (&layout.squares, &group.gaps[..]) else { return false };
    let names: Vec<&str> = gap.values.iter().map(|value| value.spelled(symbols)).collect();
    let others = groups.iter().zip(chosen).filter(|(_, layout)| layout.is_none());
    let mut others = others.flat_map(|(other, _)| &other.gaps);
    grid(&names).is_some()
        && others.any(|other| {
            let squares: HashSet<&Symbol> = other.values.iter().collect();
            squares.len() > gap.values.len() && gap.values.iter().all(|it| squares.contains(it))
        })
}

/// The forms that share a board, the one with most facts first.
fn together<'g>(chosen: &'g [Option<BoardLayout>], groups: &'g [Group]) -> Vec<Vec<Member<'g>>> {
    let mut boards: Vec<Vec<Member<'g>>> = Vec::new();
    let mut by_key: HashMap<(Key, u8), usize> = HashMap::new();
    for (group, layout) in groups.iter().zip(chosen) {
        let Some(layout) = layout else { continue };
        let kind = match layout.squares {
            Squares::Pairs { .. } => 0,
            Squares::Named(_) => 1,
            Squares::Row(_) => 2,
        };
        let place = match layout.key {
            Some(key) => *by_key.entry((key, kind)).or_insert(boards.len()),
            None => boards.len(),
        };
        if place == boards.len() {
            boards.push(Vec::new());
        }
        boards[place].push((group, layout));
    }
    for members in &mut boards {
        // But not where a fact says more than what stands on a square.
        let says_more = |group: &Group| {
            let values = group.gaps.iter().map(|gap| gap.values.len());
            values.fold(1, usize::saturating_mul) > 64 * LONGEST_AXIS
        };
        members.sort_by_key(|(group, _)| (says_more(group), Reverse(group.rows().len())));
    }
    boards
}

struct Finder<'g> {
    game: &'g Game,
    groups: &'g [Group],
    chains: Chains,
    hexagons: Option<bool>,
}

/// The axes of a board, with the way from symbols to rows and columns.
#[derive(Default)]
struct Axes {
    rows: Vec<String>,
    columns: Vec<String>,
    row_order: Option<Order>,
    column_order: Option<Order>,
    row_of: HashMap<Box<[Symbol]>, u16>,
    column_of: HashMap<Box<[Symbol]>, u16>,
    named: HashMap<Symbol, (u16, u16)>,
    /// Whether the names of squares are those of a hexagon.
    are_hexagons: bool,
}

impl Finder<'_> {
    fn symbols(&self) -> &SymbolTable {
        &self.game.symbols
    }

    fn spelled(&self, symbol: Symbol) -> String {
        symbol.spelled(self.symbols()).to_owned()
    }

    /// Adds the board on which these forms stand, if they fit on one.
    fn add(&self, boards: &mut Boards, members: &[Member]) -> bool {
        let Some((board, standings)) = self.board(boards.boards.len(), members) else {
            return false;
        };
        boards.boards.push(board);
        let forms = members.iter().map(|(group, _)| group.form.clone());
        boards.standings.extend(forms.zip(standings));
        true
    }

    /// The board on which these forms stand, and how each does.
    fn board(&self, number: usize, members: &[Member]) -> Option<(Board, Vec<Standing>)> {
        let &(main, layout) = members.first()?;
        let turned = match &layout.squares {
            Squares::Pairs { first, second } => {
                let (first, second) = (first[first.len() - 1], second[second.len() - 1]);
                orientation(&main.gaps[first], &main.gaps[second], self.symbols())
            }
            _ => Orientation { first_is_row: false, upward: true },
        };
        // Whether the first gap of each form says the row.
        let first_is_row = |(group, layout): Member| match (&layout.squares, &members[0].1.squares)
        {
            (Squares::Pairs { first: f, second: s }, Squares::Pairs { first, second }) => {
                let sort = |group: &Group, gap: &Vec<usize>| group.gaps[gap[0]].evidence.sort;
                let crossed = sort(main, first) != sort(main, second)
                    && sort(group, f) == sort(main, second)
                    && sort(group, s) == sort(main, first);
                turned.first_is_row != crossed
            }
            _ => turned.first_is_row,
        };
        let axes = match &layout.squares {
            Squares::Pairs { .. } => {
                let gaps_of = |member: Member, of_rows: bool| match &member.1.squares {
                    Squares::Pairs { first, .. } if first_is_row(member) == of_rows => {
                        first.clone()
                    }
                    Squares::Pairs { second, .. } => second.clone(),
                    _ => unreachable!("forms with pairs share boards with no others"),
                };
                self.pair_axes(members, turned.upward, gaps_of)?
            }
            Squares::Named(_) => self.named_axes(members),
            Squares::Row(_) => self.row_axes(members)?,
        };
        let (layers, layer_of) = self.layers(members);
        let (channels, rests) = self.channels(members, &layer_of);
        let (rows, columns) = (axes.rows.len(), axes.columns.len());
        let places = channels.len().checked_mul(rows * columns)?;
        if places > MOST_PLACES || channels.len() > usize::from(u16::MAX) {
            return None;
        }
        let mut standings: Vec<Standing> = members
            .iter()
            .zip(rests)
            .map(|(&member, rest)| Standing {
                board: number,
                squares: member.1.squares.clone(),
                first_is_row: first_is_row(member),
                rest,
                channels: HashMap::new(),
            })
            .collect();
        let mut listed = Vec::new();
        for (place, said, channel) in channels.into_values() {
            standings[place].channels.insert(said, listed.len() as u16);
            listed.push(channel);
        }
        tell_apart(&mut listed, members, &standings, self.symbols());
        let axis = |labels, order| Axis { labels, order };
        let hexagons = self.hexagons.filter(|_| matches!(layout.squares, Squares::Pairs { .. }));
        let board = Board {
            name: main.form.name(self.symbols()).to_owned(),
            rows: axis(axes.rows, axes.row_order),
            columns: axis(axes.columns, axes.column_order),
            layers,
            channels: listed,
            is_hexagonal: hexagons.is_some() || axes.are_hexagons,
            leans_left: hexagons.map_or(axes.are_hexagons, |same_way| same_way != turned.upward),
            squares: vec![false; rows * columns],
            row_of: axes.row_of,
            column_of: axes.column_of,
            named: axes.named,
            layer_of,
        };
        Some((with_squares(board, members, &standings), standings))
    }

    /// The pieces that may stand on the squares of a board, and by form the gaps that are about no square.
    fn channels(
        &self,
        members: &[Member],
        layer_of: &HashMap<Symbol, usize>,
    ) -> (Channels, Vec<Vec<usize>>) {
        let mut channels = Channels::new();
        let mut rests = Vec::new();
        for (place, &(group, layout)) in members.iter().enumerate() {
            let of_square = layout.squares.gaps();
            let rest: Vec<usize> =
                (0..group.gaps.len()).filter(|gap| !of_square.contains(gap)).collect();
            let said = |row: &[Symbol]| rest.iter().map(|&gap| row[gap]).collect::<Box<[Symbol]>>();
            let different: HashSet<Box<[Symbol]>> = group.rows().map(said).collect();
            for said in different {
                let layer = layout.layer.map_or(0, |gap| {
                    let at = rest.iter().position(|&other| other == gap);
                    layer_of[&said[at.expect("a layer is no square")]]
                });
                let channel = self.channel(group, layout, &rest, &said, layer);
                let key = (layer, place, natural_order(&channel.name), channel.name.clone());
                channels.insert(key, (place, said, channel));
            }
            rests.push(rest);
        }
        (channels, rests)
    }

    /// The axes of a board whose squares are pairs.
    fn pair_axes(
        &self,
        members: &[Member],
        upward: bool,
        gaps_of: impl Fn(Member, bool) -> Vec<usize>,
    ) -> Option<Axes> {
        let labels = |of_rows: bool| {
            // By depth: all values.
            let mut values: Vec<Vec<Symbol>> = Vec::new();
            for &member in members {
                let gaps = gaps_of(member, of_rows);
                values.resize(values.len().max(gaps.len()), Vec::new());
                for (values, gap) in values.iter_mut().zip(gaps) {
                    values.extend(&member.0.gaps[gap].values);
                }
            }
            let mut ordered = Vec::new();
            for values in &mut values {
                values.sort_unstable();
                values.dedup();
                ordered.push(order(values, self.symbols(), &self.chains)?);
            }
            let by = ordered[0].0;
            let mut all: Vec<Vec<Symbol>> = vec![Vec::new()];
            for (_, values) in &ordered {
                let longer = |one: &Vec<Symbol>| {
                    let with = |value: &Symbol| [&one[..], &[*value]].concat();
                    values.iter().map(with).collect::<Vec<_>>()
                };
                all = all.iter().flat_map(longer).collect();
            }
            (all.len() <= LONGEST_AXIS).then_some((by, all))
        };
        let ((row_order, mut rows), (column_order, columns)) = (labels(true)?, labels(false)?);
        if upward {
            rows.reverse();
        }
        let text = |labels: &[Vec<Symbol>]| {
            let name = |label: &Vec<Symbol>| {
                label.iter().map(|symbol| self.spelled(*symbol)).collect::<Vec<_>>().join(".")
            };
            labels.iter().map(name).collect()
        };
        let numbered = |labels: Vec<Vec<Symbol>>| {
            (0u16..).zip(labels).map(|(at, label)| (label.into_boxed_slice(), at)).collect()
        };
        Some(Axes {
            rows: text(&rows),
            columns: text(&columns),
            row_order: Some(row_order),
            column_order: Some(column_order),
            row_of: numbered(rows),
            column_of: numbered(columns),
            named: HashMap::new(),
            are_hexagons: false,
        })
    }

    /// Squares that have their names from a generator of Regular Boardgames.
    fn generated_axes(&self, members: &[Member]) -> Option<Axes> {
        let gaps = members.iter().flat_map(|(group, layout)| {
            layout.squares.gaps().into_iter().flat_map(|gap| &group.gaps[gap].values)
        });
        let mut squares: Vec<Symbol> = gaps.copied().collect();
        squares.sort_unstable();
        squares.dedup();
        squares.retain(|square| square.spelled(self.symbols()) != NOWHERE);
        let names: Vec<&str> = squares.iter().map(|it| it.spelled(self.symbols())).collect();
        let Grid { places, rows, columns, is_hexagonal: are_hexagons } = grid(&names)?;
        Some(Axes {
            named: squares.into_iter().zip(places).collect(),
            rows,
            columns,
            row_order: Some(Order::Numbers),
            column_order: Some(Order::Numbers),
            are_hexagons,
            ..Axes::default()
        })
    }

    /// Squares such as `a1`: letters run across, or first numbers do, and numbers up.
    fn named_axes(&self, members: &[Member]) -> Axes {
        if let Some(axes) = self.generated_axes(members) {
            return axes;
        }
        let mut squares: Vec<((File, u32), Symbol)> = Vec::new();
        for (group, layout) in members {
            if let Squares::Named(gap) = layout.squares {
                let name = |value: &Symbol| Some((square(value.spelled(self.symbols()))?, *value));
                squares.extend(group.gaps[gap].values.iter().filter_map(name));
            }
        }
        squares.sort_unstable();
        squares.dedup();
        // Two names of one square: the first.
        squares.dedup_by_key(|square| square.0);
        let mut files: Vec<File> = squares.iter().map(|square| square.0.0).collect();
        let mut ranks: Vec<u32> = squares.iter().map(|square| square.0.1).collect();
        files.dedup();
        ranks.sort_unstable();
        ranks.dedup();
        ranks.reverse();
        let at = |((file, rank), symbol): ((File, u32), Symbol)| {
            let row = ranks.iter().position(|other| *other == rank).unwrap_or(0);
            let column = files.iter().position(|other| *other == file).unwrap_or(0);
            (symbol, (row as u16, column as u16))
        };
        Axes {
            named: squares.iter().copied().map(at).collect(),
            rows: ranks.iter().map(u32::to_string).collect(),
            columns: files.iter().map(File::to_string).collect(),
            row_order: Some(Order::Numbers),
            column_order: Some(match files.first() {
                Some(File::Number(_)) => Order::Numbers,
                _ => Order::Letters,
            }),
            ..Axes::default()
        }
    }

    /// One row.
    fn row_axes(&self, members: &[Member]) -> Option<Axes> {
        let mut values: Vec<Symbol> = Vec::new();
        for (group, layout) in members {
            values.extend(layout.squares.gaps().iter().flat_map(|&gap| &group.gaps[gap].values));
        }
        values.sort_unstable();
        values.dedup();
        let (by, values) = order(&values, self.symbols(), &self.chains)?;
        Some(Axes {
            rows: vec![String::new()],
            columns: values.iter().map(|value| self.spelled(*value)).collect(),
            column_order: Some(by),
            column_of: (0u16..).zip(values).map(|(at, value)| (vec![value].into(), at)).collect(),
            ..Axes::default()
        })
    }

    /// The names of the layers, and the way to their places.
    fn layers(&self, members: &[Member]) -> (Vec<String>, HashMap<Symbol, usize>) {
        let mut values: Vec<Symbol> = Vec::new();
        for (group, layout) in members {
            values.extend(layout.layer.iter().flat_map(|&gap| &group.gaps[gap].values));
        }
        if values.is_empty() {
            return (vec![String::new()], HashMap::new());
        }
        values.sort_unstable();
        values.dedup();
        if let Some((_, ordered)) = order(&values, self.symbols(), &self.chains) {
            values = ordered;
        }
        let names = values.iter().map(|value| self.spelled(*value)).collect();
        (names, (0..).zip(values).map(|(at, value)| (value, at)).collect())
    }

    fn channel(
        &self,
        group: &Group,
        layout: &BoardLayout,
        rest: &[usize],
        said: &[Symbol],
        layer: usize,
    ) -> Channel {
        let name = group.form.print(self.symbols(), |gap| {
            let at = rest.iter().position(|&other| other == gap);
            at.map_or("_".to_owned(), |at| self.spelled(said[at]))
        });
        let pieces = rest.iter().zip(said).filter(|(gap, _)| Some(**gap) != layout.layer);
        let pieces: Vec<(usize, Symbol)> = pieces.map(|(gap, said)| (*gap, *said)).collect();
        let words: Vec<String> = pieces.iter().map(|(_, said)| self.spelled(*said)).collect();
        let relation = group.form.name(self.symbols());
        let owner = pieces.iter().find_map(|(_, said)| {
            self.game.roles.iter().position(|role| *role == Term::Constant(*said))
        });
        let is_blank = match pieces[..] {
            [] => self.groups.len() > 1 && BLANK.contains(&relation.to_lowercase().as_str()),
            [(gap, said)] => self.is_blank(group, gap, said),
            _ => false,
        };
        let piece = if words.is_empty() { relation.to_owned() } else { words.join(" ") };
        Channel { name, piece, layer, is_blank, owner }
    }

    /// Whether a constant says that nothing is there: `blank` and the like; a single letter that
    /// is on most squares at first and no wall. Where it is not known what is there at first `b` does, but it
    /// is the colour black beside `w`; and `e` does, but it is the east beside `n` or `s`.
    fn is_blank(&self, group: &Group, gap: usize, said: Symbol) -> bool {
        let name = said.spelled(self.symbols()).to_lowercase();
        let values = &group.gaps[gap].values;
        if values.len() < 2 || name.len() > 1 {
            return values.len() > 1 && BLANK.contains(&name.as_str());
        }
        let others = || values.iter().map(|value| value.spelled(self.symbols()));
        let is_beside = |names: &[&str]| {
            others().any(|other| names.iter().any(|name| other.eq_ignore_ascii_case(name)))
        };
        let at_first = group.initial.iter().filter(|row| row[gap] == said).count();
        let is_letter = name.bytes().all(|b| b.is_ascii_alphabetic());
        match group.initial.len() {
            0 if name == "e" => !is_beside(&["n", "s"]),
            0 => name == "b" && !is_beside(&["w"]),
            all if name == "b" => 3 * at_first > all,
            all => is_letter && name != "w" && values.len() > 2 && 2 * at_first > all,
        }
    }
}

/// The order of channels: by layer, form, and natural order of their names.
type ChannelKey = (usize, usize, Vec<(bool, u64, String)>, String);

/// Channels in order: each with the place of the form that says so, and with what its gaps say beside the
/// square.
type Channels = BTreeMap<ChannelKey, (usize, Box<[Symbol]>, Channel)>;

/// Gives pieces that are called alike the names of their relations, too.
fn tell_apart(
    channels: &mut [Channel],
    members: &[Member],
    standings: &[Standing],
    symbols: &SymbolTable,
) {
    let mut seen: HashMap<(usize, String), usize> = HashMap::new();
    for channel in channels.iter() {
        *seen.entry((channel.layer, channel.piece.clone())).or_default() += 1;
    }
    for ((group, layout), standing) in members.iter().zip(standings) {
        let relation = group.form.name(symbols);
        // A piece without another name is called as its relation.
        if standing.rest.iter().all(|&gap| Some(gap) == layout.layer) {
            continue;
        }
        for &channel in standing.channels.values() {
            let channel = &mut channels[usize::from(channel)];
            if seen[&(channel.layer, channel.piece.clone())] > 1 {
                channel.piece = format!("{relation} {}", channel.piece);
            }
        }
    }
}

/// The board with the squares that facts stand on.
fn with_squares(mut board: Board, members: &[Member], standings: &[Standing]) -> Board {
    let columns = board.columns.labels.len();
    for ((group, layout), standing) in members.iter().zip(standings) {
        let gaps = layout.squares.gaps();
        let mut seen: HashSet<Vec<Symbol>> = HashSet::new();
        for row in group.rows() {
            let said: Vec<Symbol> = gaps.iter().map(|&gap| row[gap]).collect();
            if !seen.insert(said) {
                continue;
            }
            if let Some((row, column)) = board.square(standing, row) {
                board.squares[row * columns + column] = true;
            }
        }
    }
    board
}
