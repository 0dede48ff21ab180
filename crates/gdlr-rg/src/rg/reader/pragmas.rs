//! Pragmas; unknown ones are kept as they stand.

use super::cursor::{Read, Reader};
use crate::rg::ast::{AppliedTag, Hint, Ident, Place, Pragma};
use crate::rg::pragma;
use crate::rg::token::{Token, TokenKind};
use gdlr_text::diagnostic::Span;

impl Reader<'_> {
    pub fn pragma(&mut self) -> Read<()> {
        let start = self.token.start;
        let Some(name) = pragma::known(&self.tokens.text[self.token.end..]) else {
            return self.unknown_pragma();
        };
        self.advance();
        self.advance();
        let hint = match name {
            "artificialTag" => Hint::ArtificialTag { tags: self.names("a tag")? },
            "disjoint" | "disjointExhaustive" => {
                let node = self.name("a node")?;
                self.expect(TokenKind::Colon, "`:` and nodes behind the node")?;
                let targets = self.names("a node")?;
                Hint::Disjoint { node, targets, exhaustive: name == "disjointExhaustive" }
            }
            "integer" => {
                let first = self.number()?;
                self.expect(TokenKind::Colon, "`:` and symbols behind the number")?;
                Hint::Integer { first, symbols: self.names("a symbol")? }
            }
            "iterator" => {
                let nodes = [self.name("a node")?, self.name("a node")?, self.name("a node")?];
                self.expect(TokenKind::Colon, "`:` and a variable behind the three nodes")?;
                Hint::Iterator { nodes, variable: self.name("a variable")? }
            }
            "repeat" => {
                let nodes = self.names("a node")?;
                self.expect(TokenKind::Colon, "`:` behind the nodes")?;
                let variables = match self.token.kind {
                    TokenKind::Semicolon => Vec::new(),
                    _ => self.names("a variable")?,
                };
                Hint::Repeat { nodes, variables }
            }
            "simpleApply" => self.simple_apply(false)?,
            "simpleApplyExhaustive" => self.simple_apply(true)?,
            "tagIndex" => {
                let (nodes, index) = self.indexed_nodes()?;
                Hint::TagIndex { nodes, index }
            }
            "tagMaxIndex" => {
                let (nodes, index) = self.indexed_nodes()?;
                Hint::TagMaxIndex { nodes, index }
            }
            "unique" => Hint::Unique { nodes: self.names("a node")? },
            _ => Hint::TranslatedFromRbg,
        };
        let place = self.end_of_statement(start)?;
        self.description.pragmas.push(Pragma { hint, place });
        Ok(())
    }

    /// Reads an unknown pragma, which is kept as it stands, up to the first `;` of any kind.
    fn unknown_pragma(&mut self) -> Read<()> {
        let Token { start, end, .. } = self.token;
        let rest = &self.tokens.text[end..];
        let Some(length) = rest.find(';') else {
            return self.fail("this pragma has no end", "a pragma ends with `;`");
        };
        let place = Place(Span::new(start, end + length + 1));
        let hint = Hint::Unknown(rest[..length].into());
        self.description.pragmas.push(Pragma { hint, place });
        self.tokens.at = end + length;
        self.advance();
        self.advance();
        Ok(())
    }

    fn simple_apply(&mut self, exhaustive: bool) -> Read<Hint> {
        let (from, to) = (self.name("a node")?, self.name("a node")?);
        self.expect(TokenKind::OpenBracket, "`[` and tags behind the two nodes")?;
        let mut tags = Vec::new();
        if !self.eat(TokenKind::CloseBracket) {
            loop {
                tags.push(self.applied_tag()?);
                if !self.comma_or(TokenKind::CloseBracket, "`,` or `]` behind the tag")? {
                    break;
                }
            }
        }
        let mut assignments = Vec::new();
        while self.token.kind != TokenKind::Semicolon {
            if !assignments.is_empty() {
                self.expect(TokenKind::Comma, "`,` or `;` behind the assignment")?;
            }
            let target = self.expr()?;
            self.expect(TokenKind::Assign, "`=` behind the expression")?;
            assignments.push((target, self.expr()?));
        }
        Ok(Hint::SimpleApply { from, to, tags, assignments, exhaustive })
    }

    fn applied_tag(&mut self) -> Read<AppliedTag> {
        let name = self.name("a tag")?;
        if self.token.kind != TokenKind::Colon {
            return Ok(AppliedTag::Tag(name));
        }
        if self.token.start > self.previous.end {
            self.blank_before("`:`");
        }
        self.advance();
        Ok(AppliedTag::Any { name, type_: self.type_()? })
    }

    fn indexed_nodes(&mut self) -> Read<(Vec<Ident>, u64)> {
        let nodes = self.names("a node")?;
        self.expect(TokenKind::Colon, "`:` and a number behind the nodes")?;
        Ok((nodes, self.number()?))
    }

    fn number(&mut self) -> Read<u64> {
        let word = self.tokens.text_of(self.token);
        match word.parse() {
            Ok(number) if word.bytes().all(|byte| byte.is_ascii_digit()) => {
                self.advance();
                Ok(number)
            }
            _ => self.unexpected("a number of at most 64 bits, without a sign"),
        }
    }

    /// At least one name, with nothing between the names.
    fn names(&mut self, what: &str) -> Read<Vec<Ident>> {
        let mut names = vec![self.name(what)?];
        while self.token.kind == TokenKind::Word {
            names.push(self.name(what)?);
        }
        Ok(names)
    }
}
