//! The board: its squares one by one, or a generator.

use super::ast::{Board, BoardSquare, LabelId, PieceId, Shape, Square};
use super::cursor::{Abandoned, Cursor, Read};
use super::declarations::{Meaning, Meanings};
use super::token::TokenKind;
use super::words::Lexeme;
use gdlr_text::diagnostic::Code;
use gdlr_text::syntax::quoted;
use hashbrown::HashMap;

/// The cells of a line; `None` for a hole.
type Line = Vec<Option<PieceId>>;

/// The place of a cell: column, row, layer.
type Cell = (i64, i64, i64);

impl Cursor<'_> {
    /// The section of the board.
    pub fn board(&mut self, meanings: &mut Meanings) -> Read<Board> {
        let place = self.place();
        let board = match (self.kind(), self.text()) {
            (TokenKind::Word, "rectangle") => {
                self.generated(meanings, Shape::Rectangle { rows: 0 })
            }
            (TokenKind::Word, "hexagon") => self.generated(meanings, Shape::Hexagon),
            (TokenKind::Word, "cuboid") => self.generated(meanings, Shape::Cuboid),
            _ => self.graph(meanings),
        }?;
        if self.kind() != TokenKind::End {
            return self.unexpected("the end of the section");
        }
        if board.squares.is_empty() {
            self.report_at(place, Code::RbgBoard, "the board has no squares".to_owned());
        }
        Ok(board)
    }

    fn piece(&mut self, meanings: &Meanings) -> Read<PieceId> {
        let place = self.place();
        let text = self.word("a piece")?;
        match meanings.get(text) {
            Some(Meaning::Piece(piece)) => Ok(*piece),
            Some(other) => {
                let message = format!("{} is {}, not a piece", quoted(text), other.kind());
                self.report_at(place, Code::RbgUnknownName, message);
                Ok(PieceId(0))
            }
            None => {
                let message = format!("there is no piece {}", quoted(text));
                self.report_at(place, Code::RbgUnknownName, message);
                Ok(PieceId(0))
            }
        }
    }

    fn label(&mut self, meanings: &mut Meanings, board: &mut Board) -> Read<LabelId> {
        let text = self.text();
        if let (TokenKind::Word, Some(Meaning::Label(label))) = (self.kind(), meanings.get(text)) {
            self.advance();
            return Ok(*label);
        }
        let label = LabelId(board.labels.len() as u32);
        if let Some(name) = self.declare(meanings, Meaning::Label(label), "a label")? {
            board.labels.push(name);
            return Ok(label);
        }
        Err(Abandoned)
    }

    /// `name [piece] { label: name, … } …`
    fn graph(&mut self, meanings: &mut Meanings) -> Read<Board> {
        let mut board = Board::default();
        let mut numbers: HashMap<Box<str>, Square> = HashMap::new();
        let mut wanted: Vec<(usize, LabelId, &str, Option<Lexeme>)> = Vec::new();
        while self.kind() != TokenKind::End {
            let place = self.place();
            let name = self.word("the name of a square")?;
            let number = board.squares.len();
            self.count_squares(number)?;
            if numbers.insert(name.into(), Square(number as u32)).is_some() {
                let message = format!("two squares are called {}", quoted(name));
                self.report_at(place, Code::RbgDuplicate, message);
            }
            self.expect(TokenKind::OpenBracket, "`[` and a piece")?;
            let piece = self.piece(meanings)?;
            self.expect(TokenKind::CloseBracket, "`]`")?;
            self.expect(TokenKind::OpenBrace, "`{` and edges")?;
            board.squares.push(BoardSquare { name: name.into(), piece, edges: Vec::new() });
            let own = wanted.len();
            while !self.eat(TokenKind::CloseBrace) {
                let place = self.place();
                let label = self.label(meanings, &mut board)?;
                if wanted[own..].iter().any(|(_, other, _, _)| *other == label) {
                    let text = &board.labels[label.index()];
                    let message = format!("two edges of a square are labelled {}", quoted(text));
                    self.report_at(place, Code::RbgDuplicate, message);
                }
                self.expect(TokenKind::Colon, "`:` and a square")?;
                let place = self.place();
                let target = self.word("the name of a square")?;
                wanted.push((number, label, target, place));
                if self.kind() != TokenKind::CloseBrace {
                    self.expect(TokenKind::Comma, "`,` or `}`")?;
                }
            }
        }
        for (from, label, target, place) in wanted {
            match numbers.get(target) {
                Some(target) => board.squares[from].edges.push((label, *target)),
                None => {
                    let message = format!("there is no square {}", quoted(target));
                    self.report_at(place, Code::RbgUnknownName, message);
                }
            }
        }
        Ok(board)
    }

    fn count_squares(&mut self, number: usize) -> Read<()> {
        if number < self.limits.squares {
            return Ok(());
        }
        let message = format!("the board has more than {number} squares");
        self.report_at(self.place(), Code::RbgGrowth, message);
        Err(Abandoned)
    }

    /// `name(label, …, lines)`
    fn generated(&mut self, meanings: &mut Meanings, shape: Shape) -> Read<Board> {
        self.advance();
        self.expect(TokenKind::Open, "`(` and labels")?;
        let mut board = Board { shape, ..Board::default() };
        let mut labels = Vec::new();
        let wanted = if matches!(shape, Shape::Rectangle { .. }) { 4 } else { 6 };
        for _ in 0..wanted {
            let place = self.place();
            let label = self.label(meanings, &mut board)?;
            if labels.contains(&label) {
                let text = &board.labels[label.index()];
                let message = format!("two directions are called {}", quoted(text));
                self.report_at(place, Code::RbgDuplicate, message);
            }
            labels.push(label);
            self.expect(TokenKind::Comma, "`,`")?;
        }
        let mut cells: HashMap<Cell, Square> = HashMap::new();
        let mut places = Vec::new();
        let layers = match shape {
            Shape::Cuboid => self.layers(meanings)?,
            _ => vec![self.lines(meanings, TokenKind::Close)?],
        };
        self.expect(TokenKind::Close, "`)`")?;
        for (z, lines) in layers.iter().enumerate() {
            for (y, line) in lines.iter().enumerate() {
                for (x, piece) in line.iter().enumerate() {
                    let Some(piece) = *piece else { continue };
                    let name = match shape {
                        Shape::Hexagon => format!("hx{x}y{y}"),
                        Shape::Cuboid => format!("cx{x}y{y}z{z}"),
                        _ => format!("rx{x}y{y}"),
                    };
                    let cell = (x as i64, y as i64, z as i64);
                    cells.insert(cell, Square(board.squares.len() as u32));
                    places.push(cell);
                    let name = name.into();
                    board.squares.push(BoardSquare { name, piece, edges: Vec::new() });
                }
            }
        }
        let widths: Vec<i64> = match layers.first() {
            Some(lines) => lines.iter().map(|line| line.len() as i64).collect(),
            None => Vec::new(),
        };
        if let Shape::Rectangle { rows } = &mut board.shape {
            *rows = widths.len() as u32;
        }
        for (square, cell) in board.squares.iter_mut().zip(places) {
            let targets = match shape {
                Shape::Hexagon => around(cell, &widths),
                _ => beside(cell),
            };
            let labelled = labels.iter().zip(targets);
            square.edges =
                labelled.filter_map(|(label, to)| Some((*label, *cells.get(&to)?))).collect();
        }
        Ok(board)
    }

    /// `[lines] [lines] …` up to `)`
    fn layers(&mut self, meanings: &Meanings) -> Read<Vec<Vec<Line>>> {
        let mut layers: Vec<Vec<Line>> = Vec::new();
        let shape = |layer: &Vec<Line>| layer.iter().map(Vec::len).collect::<Vec<_>>();
        while self.kind() != TokenKind::Close {
            let place = self.place();
            self.expect(TokenKind::OpenBracket, "`[` and the lines of a layer")?;
            let layer = self.lines(meanings, TokenKind::CloseBracket)?;
            self.expect(TokenKind::CloseBracket, "`]`")?;
            if layers.first().is_some_and(|first| shape(first) != shape(&layer)) {
                let message = "the layers of a cuboid differ in size".to_owned();
                self.report_at(place, Code::RbgBoard, message);
            }
            layers.push(layer);
        }
        Ok(layers)
    }

    /// `[cell, …] …`
    fn lines(&mut self, meanings: &Meanings, end: TokenKind) -> Read<Vec<Line>> {
        let mut lines: Vec<Line> = Vec::new();
        let mut cells = 0;
        // Whether the lines of a hexagon have begun to become shorter; of no use for a rectangle.
        let is_hexagon = self.is_hexagon();
        let mut shrinks = false;
        while self.kind() != end {
            let place = self.place();
            let line = self.line(meanings)?;
            cells += line.len();
            self.count_squares(cells)?;
            if let Some(last) = lines.last() {
                let fits = match is_hexagon {
                    false => last.len() == line.len(),
                    true if line.len() == last.len() + 1 => !shrinks,
                    true => line.len() + 1 == last.len(),
                };
                shrinks |= line.len() < last.len();
                if !fits {
                    let message = match is_hexagon {
                        false => "the lines of a board differ in length",
                        true => {
                            "a line of a hexagon is one cell longer than the line before, or \
                                 one shorter from some line on"
                        }
                    };
                    self.report_at(place, Code::RbgBoard, message.to_owned());
                    return Err(Abandoned);
                }
            }
            lines.push(line);
        }
        Ok(lines)
    }

    /// `[piece, , piece]`: an empty cell is a hole.
    fn line(&mut self, meanings: &Meanings) -> Read<Line> {
        self.expect(TokenKind::OpenBracket, "`[` and cells")?;
        let mut line = Vec::new();
        if self.eat(TokenKind::CloseBracket) {
            return Ok(line);
        }
        loop {
            line.push(match self.kind() {
                TokenKind::Comma | TokenKind::CloseBracket => None,
                _ => Some(self.piece(meanings)?),
            });
            if self.eat(TokenKind::CloseBracket) {
                return Ok(line);
            }
            self.expect(TokenKind::Comma, "`,` or `]`")?;
        }
    }
}

/// The neighbours up, down, left, right, front, back.
fn beside((x, y, z): Cell) -> [Cell; 6] {
    [(x, y - 1, z), (x, y + 1, z), (x - 1, y, z), (x + 1, y, z), (x, y, z + 1), (x, y, z - 1)]
}

/// The neighbours north-west, north-east, east, south-east, south-west, west.
fn around((x, y, z): Cell, widths: &[i64]) -> [Cell; 6] {
    let width = |row: i64| usize::try_from(row).ok().and_then(|row| widths.get(row).copied());
    let own = width(y).unwrap_or(0);
    // A line that is longer than the next has its cells half a cell to the left.
    let above = if width(y - 1).is_some_and(|above| above > own) { 0 } else { -1 };
    let below = if width(y + 1).is_some_and(|below| below < own) { -1 } else { 0 };
    [
        (x + above, y - 1, z),
        (x + above + 1, y - 1, z),
        (x + 1, y, z),
        (x + below + 1, y + 1, z),
        (x + below, y + 1, z),
        (x - 1, y, z),
    ]
}
