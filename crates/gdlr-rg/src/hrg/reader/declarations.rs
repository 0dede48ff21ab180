//! Domains, functions, variables, graphs; types.

use super::cursor::{Read, Reader};
use crate::hrg::ast::{
    Case, Domain, Element, Function, Generator, Graph, Parameter, Range, RangeValues, Variable,
};
use crate::hrg::layout_mark::MarkKind;
use crate::hrg::token::TokenKind;
use crate::rg::{Ident, SimpleType, SymbolSet, Type};

/// The greatest number of a range or of `repeat`.
const MAX_NUMBER: u64 = 1 << 31;

impl Reader<'_> {
    pub fn declaration(&mut self) -> Read<()> {
        self.mark(MarkKind::Start);
        if self.token.kind != TokenKind::Word {
            return self.unexpected("a domain, a function, a variable or a graph");
        }
        let named = self.following() == TokenKind::Colon;
        match self.text_of(self.token) {
            "domain" if !named => self.domain(),
            "graph" | "reusable" if !named => self.graph(),
            _ if named => self.function_or_variable(),
            _ if self.following() == TokenKind::OpenParenthesis => {
                let message = "this case belongs to no function";
                let help = "cases stand below the type of their function, `f : A -> B`, and have \
                            its name";
                self.fail(message, help)
            }
            _ => {
                self.unexpected("a domain, a graph, or the name of a function or variable with `:`")
            }
        }
    }

    /// Skips the rest of the declaration with an error, which begins at `start`.
    pub fn skip_to_declaration(&mut self, start: usize) {
        loop {
            let moved = self.token.start > start && self.begins_line();
            match self.token.kind {
                TokenKind::End => return,
                TokenKind::Word if moved && self.begins_declaration() => return,
                TokenKind::Word if moved && self.following() == TokenKind::Colon => return,
                _ => self.advance(),
            }
        }
    }

    fn domain(&mut self) -> Read<()> {
        let start = self.token.start;
        self.advance();
        let name = self.name("a name for the domain")?;
        self.expect(TokenKind::Assign, "`=` behind the name of the domain")?;
        let mut elements = vec![self.element()?];
        while self.eat(TokenKind::Bar) {
            elements.push(self.element()?);
        }
        let place = self.place(start);
        self.game.domains.push(Domain { name, elements, place });
        Ok(())
    }

    fn element(&mut self) -> Read<Element> {
        let start = self.token.start;
        let name = self.name("an element of the domain")?;
        if !self.eat(TokenKind::OpenParenthesis) {
            return Ok(Element::Name(name));
        }
        let arguments = self.short_list("`,` or `)` behind the argument", |reader| {
            reader.name("a variable or symbol")
        })?;
        let ranges = self.ranges()?;
        let place = self.place(start);
        Ok(Element::Generator(Generator { constructor: name, arguments, ranges, place }))
    }

    /// The ranges after `where`; none without it.
    pub fn ranges(&mut self) -> Read<Vec<Range>> {
        let mut ranges = Vec::new();
        if !self.eat_word("where") {
            return Ok(ranges);
        }
        loop {
            self.not_too_many(&ranges)?;
            ranges.push(self.range()?);
            if !self.eat(TokenKind::Comma) {
                return Ok(ranges);
            }
        }
    }

    fn range(&mut self) -> Read<Range> {
        let start = self.token.start;
        let variable = self.name("a variable, as in `where X in 0..9`")?;
        self.expect_word("in", "`in` behind the variable")?;
        let values = if self.token.kind == TokenKind::OpenBrace {
            RangeValues::Symbols(self.symbols()?)
        } else {
            let first = self.number(MAX_NUMBER)?;
            self.expect(TokenKind::Dots, "`..` behind the number")?;
            let last = self.number(MAX_NUMBER)?;
            RangeValues::Numbers { first: first as i64, last: last as i64 }
        };
        Ok(Range { variable, values, place: self.place(start) })
    }

    fn symbols(&mut self) -> Read<Vec<Ident>> {
        self.expect(TokenKind::OpenBrace, "`{`")?;
        self.list(TokenKind::CloseBrace, "`,` or `}` behind the symbol", |reader| {
            reader.name("a symbol")
        })
    }

    fn function_or_variable(&mut self) -> Read<()> {
        let start = self.token.start;
        let name = self.name("a name")?;
        self.expect(TokenKind::Colon, "`:` and a type")?;
        let type_ = self.type_()?;
        let mut cases = Vec::new();
        while self.token.kind == TokenKind::Word
            && self.game.names.get(self.text_of(self.token)) == Some(name.name)
            && self.following() == TokenKind::OpenParenthesis
        {
            cases.push(self.case()?);
        }
        if !cases.is_empty() {
            let place = self.place(start);
            self.game.functions.push(Function { name, type_, cases, place });
            return Ok(());
        }
        let initial = match self.eat(TokenKind::Assign) {
            true => Some(self.expr()?),
            false => None,
        };
        let place = self.place(start);
        self.game.variables.push(Variable { name, type_, initial, place });
        Ok(())
    }

    fn case(&mut self) -> Read<Case> {
        let start = self.token.start;
        self.mark(MarkKind::Start);
        self.advance();
        self.advance();
        let patterns = self.patterns()?;
        self.expect(TokenKind::Assign, "`=` behind the arguments of the case")?;
        let body = self.expr()?;
        Ok(Case { patterns, body, place: self.place(start) })
    }

    fn graph(&mut self) -> Read<()> {
        let start = self.token.start;
        let reusable = self.eat_word("reusable");
        self.expect_word("graph", "`graph` behind `reusable`")?;
        let name = self.name("a name for the graph")?;
        self.expect(TokenKind::OpenParenthesis, "`(` behind the name of the graph")?;
        let parameters = self.short_list("`,` or `)` behind the parameter", |reader| {
            let name = reader.name("a parameter, as in `me: Player`")?;
            reader.expect(TokenKind::Colon, "`:` and a type behind the parameter")?;
            Ok(Parameter { name, type_: reader.type_()? })
        })?;
        let body = self.block()?;
        let place = self.place(start);
        self.game.graphs.push(Graph { reusable, name, parameters, body, place });
        Ok(())
    }

    pub fn type_(&mut self) -> Read<Type> {
        let mut keys = Vec::new();
        loop {
            let start = self.token.start;
            let simple = match self.token.kind {
                TokenKind::OpenBrace => {
                    let members = self.symbols()?;
                    SimpleType::Set(SymbolSet { members, place: self.place(start) })
                }
                _ => SimpleType::Named(self.name("a type: the name of a domain, or `{`")?),
            };
            if !self.eat(TokenKind::Arrow) {
                return Ok(Type { keys, value: simple });
            }
            keys.push(simple);
        }
    }
}
