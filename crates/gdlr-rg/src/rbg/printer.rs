//! A game as low-level text: no macros, no generators, no powers, no lists (RBG, low-level RBG).

use super::ast::{Action, Arithmetic, Game, Operator, PieceId, Rule};

/// The greatest length of a text, in bytes. Powers can stand for more.
const MAX_TEXT: usize = 256 << 20;

/// The game as low-level text, which the reference parser reads. `None` if the powers of the rules
/// stand for more than 256 MiB of text.
///
/// ```
/// # mod gdlr { pub use gdlr_rg::rbg; }
/// let text = "#players = x(100) #pieces = e, p #variables =
///     #m(a) = ->x a^2 {p} [p, e] #board = rectangle(up, down, left, right, [e, e] [e, p])
///     #rules = m(left)* ->>";
/// let printed = gdlr::rbg::print(&gdlr::rbg::read(text).unwrap()).unwrap();
/// assert!(printed.ends_with("\n->x left left {p} ([p] + [e])* ->>\n"));
/// let again = gdlr::rbg::read(&printed).unwrap();
/// assert_eq!(gdlr::rbg::print(&again).unwrap(), printed);
/// ```
pub fn print(game: &Game) -> Option<String> {
    let mut printer = Printer { game, out: String::new() };
    printer.declarations();
    printer.out.push_str("#rules =\n");
    printer.sum(&game.rules)?;
    printer.out.push('\n');
    Some(printer.out)
}

struct Printer<'a> {
    game: &'a Game,
    out: String,
}

impl Printer<'_> {
    fn declarations(&mut self) {
        let game = self.game;
        let bounded = |variables: &[super::ast::Bounded]| {
            let texts: Vec<String> =
                variables.iter().map(|it| format!("{}({})", it.name, it.bound)).collect();
            texts.join(", ")
        };
        let (players, others) = game.variables.split_at(game.players);
        self.out.push_str(&format!("#players = {}\n", bounded(players)));
        self.out.push_str(&format!("#pieces = {}\n", game.pieces.join(", ")));
        self.out.push_str(&format!("#variables = {}\n#board =\n", bounded(others)));
        for square in &game.board.squares {
            let edges: Vec<String> = (square.edges.iter())
                .map(|(label, to)| {
                    let to = &game.board.squares[to.index()].name;
                    format!("{}: {to}", game.board.labels[label.index()])
                })
                .collect();
            let piece = &game.pieces[square.piece.index()];
            self.out.push_str(&format!("  {} [{piece}] {{{}}}\n", square.name, edges.join(", ")));
        }
    }

    fn sum(&mut self, rule: &Rule) -> Option<()> {
        match rule {
            Rule::Sum(parts) => {
                for (number, part) in parts.iter().enumerate() {
                    self.out.push_str(if number == 0 { "" } else { " + " });
                    self.part(part)?;
                }
            }
            _ => self.part(rule)?,
        }
        Some(())
    }

    /// Prints a part of a sum, which is rules in a row.
    fn part(&mut self, rule: &Rule) -> Option<()> {
        match rule {
            Rule::Concat(parts) => {
                for (number, part) in parts.iter().enumerate() {
                    self.out.push_str(if number == 0 { "" } else { " " });
                    self.part_of_concat(part)?;
                }
            }
            _ => self.part_of_concat(rule)?,
        }
        (self.out.len() <= MAX_TEXT).then_some(())
    }

    fn part_of_concat(&mut self, rule: &Rule) -> Option<()> {
        match rule {
            Rule::Sum(_) => self.bracketed(rule)?,
            Rule::Concat(parts) if parts.len() != 1 => self.bracketed(rule)?,
            Rule::Concat(parts) => self.part_of_concat(&parts[0])?,
            Rule::Star(inner) => {
                match &**inner {
                    Rule::Action(action @ Action::Shift(_), _) => self.action(action)?,
                    // These print their own brackets.
                    Rule::Action(action @ Action::Off(pieces), _) if pieces.len() > 1 => {
                        self.action(action)?;
                    }
                    inner => self.bracketed(inner)?,
                }
                self.out.push('*');
            }
            Rule::Power(inner, times) => {
                for time in 0..*times {
                    self.out.push_str(if time == 0 { "" } else { " " });
                    self.part_of_concat(inner)?;
                }
            }
            Rule::Action(action, _) => self.action(action)?,
        }
        (self.out.len() <= MAX_TEXT).then_some(())
    }

    fn bracketed(&mut self, rule: &Rule) -> Option<()> {
        self.out.push('(');
        self.sum(rule)?;
        self.out.push(')');
        Some(())
    }

    fn piece(&self, piece: PieceId) -> &str {
        &self.game.pieces[piece.index()]
    }

    fn action(&mut self, action: &Action) -> Option<()> {
        let game = self.game;
        match action {
            Action::Shift(label) => self.out.push_str(&game.board.labels[label.index()]),
            Action::On(pieces) => {
                let texts: Vec<&str> = pieces.iter().map(|piece| self.piece(*piece)).collect();
                let text = format!("{{{}}}", texts.join(", "));
                self.out.push_str(&text);
            }
            // A modifier without pieces is never valid.
            Action::Off(pieces) if pieces.is_empty() => self.out.push_str("{}"),
            Action::Off(pieces) => {
                let texts: Vec<String> =
                    pieces.iter().map(|piece| format!("[{}]", self.piece(*piece))).collect();
                let text = texts.join(" + ");
                match texts.len() {
                    1 => self.out.push_str(&text),
                    _ => self.out.push_str(&format!("({text})")),
                }
            }
            Action::Assign(parts) => {
                for (number, (variable, value)) in parts.iter().enumerate() {
                    self.out.push_str(if number == 0 { "" } else { " " });
                    let name = &game.variables[variable.index()].name;
                    self.out.push_str(&format!("[$ {name} = "));
                    self.arithmetic(value);
                    self.out.push(']');
                }
            }
            Action::Compare(left, comparison, right) => {
                self.out.push_str("{$ ");
                self.arithmetic(left);
                self.out.push_str(&format!(" {} ", comparison.text()));
                self.arithmetic(right);
                self.out.push('}');
            }
            Action::Pattern { negated, rule } => {
                self.out.push_str(if *negated { "{! " } else { "{? " });
                self.sum(rule)?;
                self.out.push('}');
            }
            Action::Switch(None) => self.out.push_str("->>"),
            Action::Switch(Some(player)) => {
                self.out.push_str(&format!("->{}", game.variables[player.index()].name));
            }
            Action::Cut => self.out.push('.'),
        }
        Some(())
    }

    /// Prints an expression, with brackets around each operand that has an operator.
    fn arithmetic(&mut self, value: &Arithmetic) {
        match value {
            Arithmetic::Number(number) => self.out.push_str(&number.to_string()),
            Arithmetic::Variable(variable) => {
                self.out.push_str(&self.game.variables[variable.index()].name);
            }
            Arithmetic::Count(piece) => {
                let text = &self.game.pieces[piece.index()];
                self.out.push_str(text);
            }
            Arithmetic::Binary(left, operator, right) => {
                self.operand(left, Some(*operator));
                self.out.push_str(&format!(" {} ", operator.text()));
                self.operand(right, None);
            }
        }
    }

    fn operand(&mut self, value: &Arithmetic, joined: Option<Operator>) {
        let bare = match value {
            Arithmetic::Number(number) => *number >= 0,
            Arithmetic::Variable(_) | Arithmetic::Count(_) => true,
            Arithmetic::Binary(_, inner, _) => joined == Some(*inner),
        };
        self.out.push_str(if bare { "" } else { "(" });
        self.arithmetic(value);
        self.out.push_str(if bare { "" } else { ")" });
    }
}

/// An action as low-level text.
pub(super) fn print_action(game: &Game, action: &Action) -> String {
    let mut printer = Printer { game, out: String::new() };
    // A text beyond the limit is cut off.
    let _ = printer.action(action);
    printer.out
}
