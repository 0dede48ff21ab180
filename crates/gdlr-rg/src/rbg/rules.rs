//! The rules: sums, concatenations, stars, powers and actions.

use super::ast::{Action, Arithmetic, Comparison, Operator, PieceId, Rule, VariableId};
use super::cursor::{Abandoned, Cursor, Read};
use super::declarations::{Meaning, Meanings};
use super::token::TokenKind;
use super::words::Lexeme;
use crate::rg::Place;
use gdlr_text::diagnostic::Code;
use gdlr_text::syntax::quoted;

/// The reader of the rules, with the names of the game.
pub(super) struct Rules<'a, 'b> {
    pub cursor: &'b mut Cursor<'a>,
    pub meanings: &'b Meanings,
    /// The number of open patterns.
    pub patterns: usize,
}

impl Rules<'_, '_> {
    /// The section of the rules.
    pub fn section(&mut self) -> Read<Rule> {
        let rule = self.sum()?;
        match self.cursor.kind() {
            TokenKind::End => Ok(rule),
            _ => self.cursor.unexpected("an action"),
        }
    }

    fn sum(&mut self) -> Read<Rule> {
        self.cursor.go_deeper()?;
        let mut parts = vec![self.concat()?];
        while self.cursor.eat(TokenKind::Plus) {
            parts.push(self.concat()?);
        }
        self.cursor.depth -= 1;
        Ok(if parts.len() == 1 { parts.swap_remove(0) } else { Rule::Sum(parts) })
    }

    fn concat(&mut self) -> Read<Rule> {
        let mut parts = vec![self.suffixed()?];
        loop {
            match self.cursor.kind() {
                TokenKind::Plus | TokenKind::Close | TokenKind::CloseBrace | TokenKind::End => {
                    break;
                }
                _ => parts.push(self.suffixed()?),
            }
        }
        Ok(if parts.len() == 1 { parts.swap_remove(0) } else { Rule::Concat(parts) })
    }

    fn suffixed(&mut self) -> Read<Rule> {
        let rule = self.atom()?;
        let place = self.cursor.place();
        let bracketed = match &rule {
            Rule::Action(action, _) => {
                matches!(action, Action::Shift(_) | Action::Switch(_) | Action::Cut)
            }
            _ => true,
        };
        let suffix = self.cursor.kind();
        if !bracketed && matches!(suffix, TokenKind::Star | TokenKind::Caret) {
            let message = "a star or power of an action without brackets".to_owned();
            let help = "some programs refuse this; put the action in round brackets";
            self.cursor.warn_at(place, Code::RbgDiffers, message, help);
        }
        if self.cursor.eat(TokenKind::Star) {
            return Ok(Rule::Star(Box::new(rule)));
        }
        if self.cursor.eat(TokenKind::Caret) {
            let most = u32::try_from(self.cursor.limits.actions).unwrap_or(u32::MAX);
            let times = self.cursor.number(most, "how often")?;
            if times == 0 {
                let message = "a power of 0 is read as a power of 1".to_owned();
                self.cursor.warn_at(place, Code::RbgDiffers, message, "leave the action out");
            }
            return Ok(Rule::Power(Box::new(rule), times.max(1)));
        }
        Ok(rule)
    }

    fn atom(&mut self) -> Read<Rule> {
        let place = self.cursor.place();
        let at = Place(self.cursor.span());
        let kind = self.cursor.kind();
        if kind == TokenKind::Open {
            self.cursor.advance();
            let rule = self.sum()?;
            self.cursor.expect(TokenKind::Close, "`)`")?;
            // So a star after the brackets is known to be after brackets.
            return Ok(match rule {
                Rule::Action(..) => Rule::Concat(vec![rule]),
                rule => rule,
            });
        }
        let action = match kind {
            TokenKind::Word => self.shift()?,
            TokenKind::OpenBrace => {
                self.cursor.advance();
                Action::On(self.pieces(TokenKind::CloseBrace, "`,` or `}`")?)
            }
            TokenKind::OpenBracket => {
                self.cursor.advance();
                Action::Off(self.pieces(TokenKind::CloseBracket, "`,` or `]`")?)
            }
            TokenKind::OpenAssignment => self.assignment()?,
            TokenKind::OpenComparison => self.comparison()?,
            TokenKind::OpenPattern | TokenKind::OpenNegated => {
                self.cursor.advance();
                self.patterns += 1;
                let rule = Box::new(self.sum()?);
                self.patterns -= 1;
                self.cursor.expect(TokenKind::CloseBrace, "`}`")?;
                Action::Pattern { negated: kind == TokenKind::OpenNegated, rule }
            }
            TokenKind::Arrow => {
                self.cursor.advance();
                self.player()?
            }
            TokenKind::LongArrow => {
                self.cursor.advance();
                Action::Switch(None)
            }
            TokenKind::Dot => {
                self.cursor.advance();
                Action::Cut
            }
            _ => return self.cursor.unexpected("an action"),
        };
        if matches!(action, Action::Switch(_)) && self.patterns > 0 {
            let message = "a pattern has no switches".to_owned();
            self.cursor.report_at(place, Code::RbgSwitchInPattern, message);
        }
        Ok(Rule::Action(action, at))
    }

    fn shift(&mut self) -> Read<Action> {
        let (text, place) = (self.cursor.text(), self.cursor.place());
        self.cursor.advance();
        if let Some(Meaning::Label(label)) = self.meanings.get(text) {
            return Ok(Action::Shift(*label));
        }
        self.unknown(text, place, "a label of the board or a macro");
        Ok(Action::On(Vec::new()))
    }

    fn unknown(&mut self, text: &str, place: Option<Lexeme>, what: &str) {
        let message = match self.meanings.get(text) {
            Some(other) => format!("{} is {}, not {what}", quoted(text), other.kind()),
            None => format!("{} is not {what}", quoted(text)),
        };
        self.cursor.report_at(place, Code::RbgUnknownName, message);
    }

    fn pieces(&mut self, end: TokenKind, what: &str) -> Read<Vec<PieceId>> {
        let mut pieces = Vec::new();
        if self.cursor.eat(end) {
            return Ok(pieces);
        }
        loop {
            let place = self.cursor.place();
            let text = self.cursor.word("a piece")?;
            match self.meanings.get(text) {
                Some(Meaning::Piece(piece)) => {
                    if end == TokenKind::CloseBracket || !pieces.contains(piece) {
                        pieces.push(*piece);
                    }
                }
                _ => self.unknown(text, place, "a piece"),
            }
            if self.cursor.eat(end) {
                return Ok(pieces);
            }
            self.cursor.expect(TokenKind::Comma, what)?;
        }
    }

    fn player(&mut self) -> Read<Action> {
        let place = self.cursor.place();
        let text = self.cursor.word("a player")?;
        if let Some(Meaning::Player(player)) = self.meanings.get(text) {
            return Ok(Action::Switch(Some(*player)));
        }
        self.unknown(text, place, "a player");
        Ok(Action::Switch(None))
    }

    fn assignment(&mut self) -> Read<Action> {
        self.cursor.advance();
        let mut parts = Vec::new();
        loop {
            let place = self.cursor.place();
            let text = self.cursor.word("a variable")?;
            let variable = match self.meanings.get(text) {
                Some(Meaning::Player(variable) | Meaning::Variable(variable)) => *variable,
                _ => {
                    self.unknown(text, place, "a variable");
                    VariableId(0)
                }
            };
            self.cursor.expect(TokenKind::Assign, "`=`")?;
            parts.push((variable, self.arithmetic()?));
            if self.cursor.eat(TokenKind::CloseBracket) {
                return Ok(Action::Assign(parts));
            }
            self.cursor.expect(TokenKind::Comma, "`,` or `]`")?;
        }
    }

    fn comparison(&mut self) -> Read<Action> {
        self.cursor.advance();
        let left = self.arithmetic()?;
        let comparison = match self.cursor.kind() {
            TokenKind::Less => Comparison::Less,
            TokenKind::LessOrEqual => Comparison::LessOrEqual,
            TokenKind::Equal => Comparison::Equal,
            TokenKind::NotEqual => Comparison::NotEqual,
            TokenKind::Greater => Comparison::Greater,
            TokenKind::GreaterOrEqual => Comparison::GreaterOrEqual,
            _ => return self.cursor.unexpected("a comparison such as `==`"),
        };
        self.cursor.advance();
        let right = self.arithmetic()?;
        self.cursor.expect(TokenKind::CloseBrace, "`}`")?;
        Ok(Action::Compare(left, comparison, right))
    }

    /// `*` and `/` before `+` and `-`, from the left to the right.
    fn arithmetic(&mut self) -> Read<Arithmetic> {
        self.cursor.go_deeper()?;
        let mut left = self.product()?;
        let mut terms = 0;
        loop {
            let operator = match self.cursor.kind() {
                TokenKind::Plus => Operator::Add,
                TokenKind::Minus => Operator::Subtract,
                _ => break,
            };
            self.count_terms(&mut terms)?;
            self.cursor.advance();
            let right = self.product()?;
            left = Arithmetic::Binary(Box::new(left), operator, Box::new(right));
        }
        self.cursor.depth -= 1;
        Ok(left)
    }

    fn product(&mut self) -> Read<Arithmetic> {
        let mut left = self.term()?;
        let (mut terms, mut multiplied) = (0, false);
        loop {
            let operator = match self.cursor.kind() {
                TokenKind::Star => Operator::Multiply,
                TokenKind::Slash => Operator::Divide,
                _ => return Ok(left),
            };
            if operator == Operator::Divide && multiplied {
                let message = "a product is divided".to_owned();
                let help =
                    "this is `(a*b)/c` here, and `a*(b/c)` for some programs; write brackets";
                self.cursor.warn_at(self.cursor.place(), Code::RbgDiffers, message, help);
            }
            multiplied |= operator == Operator::Multiply;
            self.count_terms(&mut terms)?;
            self.cursor.advance();
            let right = self.term()?;
            left = Arithmetic::Binary(Box::new(left), operator, Box::new(right));
        }
    }

    /// Counts the terms of an expression, whose tree is at most this deep.
    fn count_terms(&mut self, terms: &mut usize) -> Read<()> {
        *terms += 1;
        if *terms <= self.cursor.limits.depth {
            return Ok(());
        }
        let message = format!("an expression has more than {terms} terms");
        self.cursor.report_at(self.cursor.place(), Code::RbgTooDeep, message);
        Err(Abandoned)
    }

    fn term(&mut self) -> Read<Arithmetic> {
        let place = self.cursor.place();
        let largest = i32::MAX as u32;
        match self.cursor.kind() {
            TokenKind::Number => {
                Ok(Arithmetic::Number(self.cursor.number(largest, "a number")?.into()))
            }
            kind @ (TokenKind::Plus | TokenKind::Minus)
                if self.cursor.following() == TokenKind::Number =>
            {
                self.cursor.advance();
                let number = i64::from(self.cursor.number(largest, "a number")?);
                Ok(Arithmetic::Number(if kind == TokenKind::Minus { -number } else { number }))
            }
            TokenKind::Open => {
                self.cursor.advance();
                let inner = self.arithmetic()?;
                self.cursor.expect(TokenKind::Close, "`)`")?;
                Ok(inner)
            }
            TokenKind::Word => {
                let text = self.cursor.text();
                self.cursor.advance();
                match self.meanings.get(text) {
                    Some(Meaning::Player(variable) | Meaning::Variable(variable)) => {
                        Ok(Arithmetic::Variable(*variable))
                    }
                    Some(Meaning::Piece(piece)) => Ok(Arithmetic::Count(*piece)),
                    _ => {
                        self.unknown(text, place, "a variable or piece");
                        Ok(Arithmetic::Number(0))
                    }
                }
            }
            _ => self.cursor.unexpected("a number, variable or piece"),
        }
    }
}
