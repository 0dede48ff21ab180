//! The canonical text of a description, for programs to write and to compare.
//!
//! Each statement is a line. The order is pragmas, types, constants, variables, edges, each kind as
//! it is stored; an empty line ends the text. The printer needs no source text. For the layout of a
//! file with its comments see [`format`](super::format()).
//!
//! The text is read back as the same description, here and by other programs. A description without
//! such a text is refused: see [`Unprintable`]. Names are a reason in one case only, since
//! [`Names::intern`] accepts only valid names: a node that an edge leaves must not begin like a
//! keyword. An unknown pragma is printed as it was written, also if other programs take it for a
//! known one.

use super::ast::{
    AppliedTag, Base, Description, Edge, Entry, Expr, Hint, Ident, Label, Map, Pragma, SimpleType,
    Type, Value,
};
use super::name::{Keyword, Names};
use super::pragma;
use super::reader::MAX_DEPTH;
use std::fmt;

/// The reason why a description has no text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unprintable {
    /// An edge leaves this node, and other programs take its first letters for a keyword.
    Keyword(String),
    /// A set type without symbols.
    EmptySet,
    /// A pragma of this name without its arguments.
    EmptyPragma(&'static str),
    /// The text of an unknown pragma contains a `;`.
    PragmaEnds(String),
    /// The text of an unknown pragma begins with this known one.
    PragmaIsKnown(&'static str),
    /// Expressions or values nested deeper than [`MAX_DEPTH`].
    TooDeep,
}

impl fmt::Display for Unprintable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unprintable::Keyword(node) => {
                write!(f, "the node `{node}` begins like a keyword, so no edge may begin with it")
            }
            Unprintable::EmptySet => f.write_str("a set type has no symbols"),
            Unprintable::EmptyPragma(name) => write!(f, "a pragma `@{name}` is about nothing"),
            Unprintable::PragmaEnds(text) => write!(f, "the pragma `@{text}` has a `;` within"),
            Unprintable::PragmaIsKnown(name) => {
                write!(f, "an unknown pragma has the name of `@{name}`")
            }
            Unprintable::TooDeep => write!(f, "brackets are nested more than {MAX_DEPTH} deep"),
        }
    }
}

impl std::error::Error for Unprintable {}

/// Prints a description.
///
/// # Errors
///
/// The first element without a text that other programs read in the same way.
///
/// ```
/// # mod gdlr { pub use gdlr_rg::rg; }
/// let text = "begin,end:player=keeper;type Player={x};//!";
/// let description = gdlr::rg::read(text).unwrap();
/// assert_eq!(
///     gdlr::rg::print(&description).unwrap(),
///     "type Player = { x };\nbegin, end: player = keeper;\n\n",
/// );
/// ```
pub fn print(description: &Description) -> Result<String, Unprintable> {
    let mut printer = Printer { names: &description.names, out: String::new(), depth: 0 };
    for pragma in &description.pragmas {
        printer.pragma(pragma)?;
    }
    for alias in &description.types {
        printer.words(&["type ", printer.text(alias.name), " = "]);
        printer.type_(&alias.type_)?;
        printer.out.push_str(";\n");
    }
    for constant in &description.constants {
        printer.definition("const ", constant.name, &constant.type_, &constant.value)?;
    }
    for variable in &description.variables {
        printer.definition("var ", variable.name, &variable.type_, &variable.initial)?;
    }
    for edge in &description.edges {
        printer.edge(edge)?;
    }
    printer.out.push('\n');
    Ok(printer.out)
}

/// Prints the label of an edge; a skip is empty.
///
/// # Errors
///
/// As [`print()`](print()).
pub fn print_label(names: &Names, label: &Label) -> Result<String, Unprintable> {
    let mut printer = Printer { names, out: String::new(), depth: 0 };
    printer.label(label)?;
    Ok(printer.out)
}

struct Printer<'a> {
    names: &'a Names,
    out: String,
    /// The number of open brackets.
    depth: usize,
}

type Printed = Result<(), Unprintable>;

impl<'a> Printer<'a> {
    fn text(&self, ident: Ident) -> &'a str {
        self.names.text(ident.name)
    }

    fn words(&mut self, words: &[&str]) {
        words.iter().for_each(|word| self.out.push_str(word));
    }

    fn definition(&mut self, keyword: &str, name: Ident, type_: &Type, value: &Value) -> Printed {
        self.words(&[keyword, self.text(name), ": "]);
        self.type_(type_)?;
        self.out.push_str(" = ");
        self.value(value)?;
        self.out.push_str(";\n");
        Ok(())
    }

    fn type_(&mut self, type_: &Type) -> Printed {
        for key in &type_.keys {
            self.simple_type(key)?;
            self.out.push_str(" -> ");
        }
        self.simple_type(&type_.value)
    }

    fn simple_type(&mut self, type_: &SimpleType) -> Printed {
        let set = match type_ {
            SimpleType::Named(name) => {
                self.out.push_str(self.text(*name));
                return Ok(());
            }
            SimpleType::Set(set) => set,
        };
        if set.members.is_empty() {
            return Err(Unprintable::EmptySet);
        }
        self.out.push_str("{ ");
        self.list(&set.members, ", ");
        self.out.push_str(" }");
        Ok(())
    }

    fn list(&mut self, names: &[Ident], between: &str) {
        for (index, name) in names.iter().enumerate() {
            self.words(&[if index > 0 { between } else { "" }, self.text(*name)]);
        }
    }

    fn value(&mut self, value: &Value) -> Printed {
        match value {
            Value::Name(name) => {
                self.out.push_str(self.text(*name));
                Ok(())
            }
            Value::Map(map) => self.nested(|printer| printer.map(map)),
        }
    }

    fn map(&mut self, map: &Map) -> Printed {
        self.out.push('{');
        for (index, Entry { key, value, .. }) in map.entries.iter().enumerate() {
            self.out.push_str(if index > 0 { ", " } else { " " });
            match key {
                Some(key) => self.words(&[self.text(*key), ": "]),
                None => self.out.push(':'),
            }
            self.value(value)?;
        }
        self.out.push_str(if map.entries.is_empty() { "}" } else { " }" });
        Ok(())
    }

    fn edge(&mut self, edge: &Edge) -> Printed {
        let from = self.text(edge.from);
        if Keyword::split(from).is_some() {
            return Err(Unprintable::Keyword(from.to_owned()));
        }
        self.words(&[from, ", ", self.text(edge.to), ": "]);
        self.label(&edge.label)?;
        self.out.push_str(";\n");
        Ok(())
    }

    fn label(&mut self, label: &Label) -> Printed {
        match label {
            Label::Skip => {}
            Label::Assign { target, value } => self.pair(target, " = ", value)?,
            Label::AssignAny { target, values } => {
                self.expr(target)?;
                self.out.push_str(" = ");
                self.type_(values)?;
                self.out.push_str("(*)");
            }
            Label::Compare { left, right, equal } => {
                self.pair(left, if *equal { " == " } else { " != " }, right)?;
            }
            Label::Reach { from, to, negated } => {
                let sign = if *negated { "! " } else { "? " };
                self.words(&[sign, self.text(*from), " -> ", self.text(*to)]);
            }
            Label::Tag(tag) => self.words(&["$ ", self.text(*tag)]),
            Label::TagVariable(variable) => self.words(&["$$ ", self.text(*variable)]),
        }
        Ok(())
    }

    fn pair(&mut self, left: &Expr, between: &str, right: &Expr) -> Printed {
        self.expr(left)?;
        self.out.push_str(between);
        self.expr(right)
    }

    fn expr(&mut self, expr: &Expr) -> Printed {
        match &expr.base {
            Base::Name(name) => self.out.push_str(self.text(*name)),
            Base::Cast(type_, inner) => {
                self.words(&[self.text(*type_), "("]);
                self.nested(|printer| printer.expr(inner))?;
                self.out.push(')');
            }
        }
        for key in &expr.keys {
            self.out.push('[');
            self.nested(|printer| printer.expr(key))?;
            self.out.push(']');
        }
        Ok(())
    }

    fn nested(&mut self, print: impl FnOnce(&mut Self) -> Printed) -> Printed {
        if self.depth == MAX_DEPTH {
            return Err(Unprintable::TooDeep);
        }
        self.depth += 1;
        print(self)?;
        self.depth -= 1;
        Ok(())
    }

    fn pragma(&mut self, pragma: &Pragma) -> Printed {
        self.out.push('@');
        match &pragma.hint {
            Hint::ArtificialTag { tags } => self.about("artificialTag", tags)?,
            Hint::Disjoint { node, targets, exhaustive } => {
                let name = if *exhaustive { "disjointExhaustive" } else { "disjoint" };
                self.about(name, &[*node])?;
                self.out.push_str(" : ");
                self.some(name, targets)?;
            }
            Hint::Integer { first, symbols } => {
                self.words(&["integer ", &first.to_string(), " : "]);
                self.some("integer", symbols)?;
            }
            Hint::Iterator { nodes, variable } => {
                self.about("iterator", nodes)?;
                self.words(&[" : ", self.text(*variable)]);
            }
            Hint::Repeat { nodes, variables } => {
                self.about("repeat", nodes)?;
                self.out.push_str(if variables.is_empty() { " :" } else { " : " });
                self.list(variables, " ");
            }
            Hint::SimpleApply { from, to, tags, assignments, exhaustive } => {
                let name = if *exhaustive { "simpleApplyExhaustive" } else { "simpleApply" };
                self.about(name, &[*from, *to])?;
                self.applied(tags, assignments)?;
            }
            Hint::TagIndex { nodes, index } => {
                self.about("tagIndex", nodes)?;
                self.words(&[" : ", &index.to_string()]);
            }
            Hint::TagMaxIndex { nodes, index } => {
                self.about("tagMaxIndex", nodes)?;
                self.words(&[" : ", &index.to_string()]);
            }
            Hint::TranslatedFromRbg => self.out.push_str("translatedFromRbg"),
            Hint::Unique { nodes } => self.about("unique", nodes)?,
            Hint::Unknown(text) => self.unknown(text)?,
        }
        self.out.push_str(";\n");
        Ok(())
    }

    /// Prints the name of a pragma and the names after it.
    fn about(&mut self, pragma: &'static str, names: &[Ident]) -> Printed {
        self.words(&[pragma, " "]);
        self.some(pragma, names)
    }

    fn some(&mut self, pragma: &'static str, names: &[Ident]) -> Printed {
        if names.is_empty() {
            return Err(Unprintable::EmptyPragma(pragma));
        }
        self.list(names, " ");
        Ok(())
    }

    fn applied(&mut self, tags: &[AppliedTag], assignments: &[(Expr, Expr)]) -> Printed {
        self.out.push_str(" [");
        for (index, tag) in tags.iter().enumerate() {
            self.out.push_str(if index > 0 { ", " } else { "" });
            match tag {
                AppliedTag::Tag(tag) => self.out.push_str(self.text(*tag)),
                AppliedTag::Any { name, type_ } => {
                    self.words(&[self.text(*name), ": "]);
                    self.type_(type_)?;
                }
            }
        }
        self.out.push(']');
        for (index, (target, value)) in assignments.iter().enumerate() {
            self.out.push_str(if index > 0 { ", " } else { " " });
            self.pair(target, " = ", value)?;
        }
        Ok(())
    }

    fn unknown(&mut self, text: &str) -> Printed {
        if text.contains(';') {
            return Err(Unprintable::PragmaEnds(text.to_owned()));
        }
        if let Some(known) = pragma::known(text) {
            return Err(Unprintable::PragmaIsKnown(known));
        }
        self.out.push_str(text);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rg::read;

    fn refused(text: &str) -> Unprintable {
        print(&read(text).unwrap()).unwrap_err()
    }

    #[test]
    fn what_others_would_read_as_something_else_is_refused() {
        assert_eq!(refused("typeA, end: ;"), Unprintable::Keyword("typeA".into()));
        assert_eq!(refused("type A = {};"), Unprintable::EmptySet);
    }

    #[test]
    fn what_no_text_can_say_is_refused() {
        let printed = |hint| {
            let pragmas = vec![Pragma { hint, place: Default::default() }];
            print(&Description { pragmas, ..Description::default() })
        };
        assert_eq!(
            printed(Hint::Unknown("a;b".into())),
            Err(Unprintable::PragmaEnds("a;b".into()))
        );
        assert_eq!(
            printed(Hint::Unknown("unique a".into())),
            Err(Unprintable::PragmaIsKnown("unique"))
        );
        assert_eq!(printed(Hint::Unknown("uniqueNodes a".into())).unwrap(), "@uniqueNodes a;\n\n");
        assert_eq!(
            printed(Hint::Unique { nodes: vec![] }),
            Err(Unprintable::EmptyPragma("unique"))
        );
        let mut value = Value::Name(crate::rg::Name::ZERO.into());
        for _ in 0..=MAX_DEPTH {
            let entry = Entry { key: None, value, place: Default::default() };
            value = Value::Map(Map { entries: vec![entry], place: Default::default() });
        }
        let mut description = read("var v: A = 0;").unwrap();
        description.variables[0].initial = value;
        assert_eq!(print(&description), Err(Unprintable::TooDeep));
    }

    #[test]
    fn labels_on_their_own() {
        let description = read("p, q: a[b] != T(c); q, p: ;").unwrap();
        let label = |index: usize| print_label(&description.names, &description.edges[index].label);
        assert_eq!(label(0).unwrap(), "a[b] != T(c)");
        assert_eq!(label(1).unwrap(), "");
    }
}
