//! Definitions: types, constants, variables.

use super::cursor::{Read, Reader};
use crate::rg::ast::{
    Constant, Entry, Ident, Map, SimpleType, SymbolSet, Type, TypeAlias, Value, Variable,
};
use crate::rg::name::Keyword;
use crate::rg::token::{Token, TokenKind};

impl Reader<'_> {
    pub fn definition(&mut self, keyword: Keyword) -> Read<()> {
        let start = self.token.start;
        // The beginning of an edge from a node with this name, which is a keyword.
        if self.following() == TokenKind::Comma {
            return self.unexpected("a definition");
        }
        let name = self.defined_name(keyword)?;
        if keyword == Keyword::Type {
            self.expect(TokenKind::Assign, "`=` behind the name of the type")?;
            let type_ = self.type_()?;
            let place = self.end_of_statement(start)?;
            self.description.types.push(TypeAlias { name, type_, place });
            return Ok(());
        }
        self.expect(TokenKind::Colon, "`:` and a type behind the name")?;
        let type_ = self.type_()?;
        self.expect(TokenKind::Assign, "`=` and a value behind the type")?;
        let value = self.value()?;
        let place = self.end_of_statement(start)?;
        if keyword == Keyword::Const {
            self.description.constants.push(Constant { name, type_, value, place });
        } else {
            self.description.variables.push(Variable { name, type_, initial: value, place });
        }
        Ok(())
    }

    /// The name after a keyword, also without a blank between them.
    fn defined_name(&mut self, keyword: Keyword) -> Read<Ident> {
        let word = self.token;
        let name = Token { start: word.start + keyword.as_str().len(), ..word };
        self.advance();
        if name.start < name.end { self.name_of(name) } else { self.name("a name to define") }
    }

    pub fn type_(&mut self) -> Read<Type> {
        let mut keys = Vec::new();
        loop {
            let simple = self.simple_type()?;
            if !self.eat(TokenKind::Arrow) {
                return Ok(Type { keys, value: simple });
            }
            keys.push(simple);
        }
    }

    fn simple_type(&mut self) -> Read<SimpleType> {
        let start = self.token.start;
        if !self.eat(TokenKind::OpenBrace) {
            return Ok(SimpleType::Named(self.name("a type: a name or `{`")?));
        }
        let mut members = Vec::new();
        if !self.eat(TokenKind::CloseBrace) {
            loop {
                members.push(self.name("a symbol")?);
                if !self.comma_or(TokenKind::CloseBrace, "`,` or `}` behind the symbol")? {
                    break;
                }
            }
        }
        Ok(SimpleType::Set(SymbolSet { members, place: self.place(start) }))
    }

    fn value(&mut self) -> Read<Value> {
        let start = self.token.start;
        if self.token.kind != TokenKind::OpenBrace {
            return Ok(Value::Name(self.name("a value: a name or `{`")?));
        }
        self.open()?;
        let mut entries = Vec::new();
        if !self.eat(TokenKind::CloseBrace) {
            loop {
                entries.push(self.entry()?);
                if !self.comma_or(TokenKind::CloseBrace, "`,` or `}` behind the entry")? {
                    break;
                }
            }
        }
        self.depth -= 1;
        Ok(Value::Map(Map { entries, place: self.place(start) }))
    }

    fn entry(&mut self) -> Read<Entry> {
        let start = self.token.start;
        let key = match self.token.kind {
            TokenKind::Colon => None,
            _ => Some(self.name("an entry: `key: value`, or `:value` for all other keys")?),
        };
        self.expect(TokenKind::Colon, "`:` and a value behind the key")?;
        let value = self.value()?;
        Ok(Entry { key, value, place: self.place(start) })
    }
}
