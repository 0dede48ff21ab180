//! Mangle symbols (RG, figures 41, 42): nodes, types, constants, variables and symbols get short
//! names. Names that players see stay: players, scores, tags, and the values of tag variables.
//!
//! ```text
//! turn, move: ? move -> set;        b, a: ? a -> c;
//! ```

use super::too_large::TooLarge;
use crate::rg::ast::{Base, Description, Expr, Hint, Ident, Label, Map, SimpleType, Type, Value};
use crate::rg::mentioned::words;
use crate::rg::name::{Keyword, Name, Names};
use crate::rg::types::{Ty, Types};
use hashbrown::{HashMap, HashSet};

/// The characters of new names.
const DIGITS: &[u8; 36] = b"abcdefghijklmnopqrstuvwxyz0123456789";

pub(super) fn run(description: &mut Description) -> Result<(), TooLarge> {
    let mut mangle = Mangle {
        kept: seen(description),
        names: Names::default(),
        new: HashMap::new(),
        old: std::mem::take(&mut description.names),
        number: 0,
    };
    let Description { pragmas, types, constants, variables, edges, .. } = description;
    // Names that stay are added before new names can take them.
    let mut kept: Vec<Name> = mangle.kept.iter().copied().collect();
    kept.sort_unstable();
    for name in kept {
        mangle.name(name);
    }
    pragmas.retain_mut(|pragma| match &mut pragma.hint {
        Hint::ArtificialTag { tags } => {
            tags.iter_mut().for_each(|tag| mangle.ident(tag));
            true
        }
        // An unknown pragma stays if none of its words gets another name.
        Hint::Unknown(text) => words(text)
            .all(|word| mangle.old.get(word).is_none_or(|name| mangle.kept.contains(&name))),
        // Other pragmas are about names that change.
        _ => false,
    });
    for alias in types {
        mangle.ident(&mut alias.name);
        mangle.type_(&mut alias.type_);
    }
    for constant in constants {
        mangle.ident(&mut constant.name);
        mangle.type_(&mut constant.type_);
        mangle.value(&mut constant.value);
    }
    for variable in variables {
        mangle.ident(&mut variable.name);
        mangle.type_(&mut variable.type_);
        mangle.value(&mut variable.initial);
    }
    for edge in edges {
        mangle.ident(&mut edge.from);
        mangle.ident(&mut edge.to);
        mangle.label(&mut edge.label);
    }
    description.names = mangle.names;
    Ok(())
}

/// The names that players see, and the names with a meaning in the language.
fn seen(description: &Description) -> HashSet<Name> {
    let mut seen: HashSet<Name> = HashSet::new();
    let built_in = Names::default().len();
    seen.extend((0..built_in as u32).map(Name::at));
    for type_ in [Name::PLAYER_TYPE, Name::SCORE_TYPE] {
        let symbols = description.symbols_of(type_).unwrap_or_default();
        seen.extend(symbols.iter().map(|symbol| symbol.name));
    }
    let missing = description.missing_types();
    let mut types = Types::new(&description.types, &missing, &mut Vec::new());
    let tag_variables: HashSet<Name> = description
        .edges
        .iter()
        .filter_map(|edge| match edge.label {
            Label::TagVariable(variable) => Some(variable.name),
            _ => None,
        })
        .collect();
    for variable in
        description.variables.iter().filter(|one| tag_variables.contains(&one.name.name))
    {
        let ty = types.resolve(&variable.type_, &mut Vec::new());
        if let Ty::Set(set) = ty {
            seen.extend(types.symbols(set));
        }
    }
    for edge in &description.edges {
        if let Label::Tag(tag) = edge.label {
            seen.insert(tag.name);
        }
    }
    seen
}

struct Mangle {
    kept: HashSet<Name>,
    old: Names,
    names: Names,
    /// The new names, by old name.
    new: HashMap<Name, Name>,
    number: usize,
}

impl Mangle {
    fn name(&mut self, name: Name) -> Name {
        if let Some(&new) = self.new.get(&name) {
            return new;
        }
        let new = match self.kept.contains(&name) {
            true => self.names.intern(self.old.text(name)).expect("it was a name"),
            false => self.short(),
        };
        self.new.insert(name, new);
        new
    }

    /// The next short name that nothing has.
    fn short(&mut self) -> Name {
        loop {
            let mut number = self.number;
            self.number += 1;
            // It begins with a letter, so that every program accepts it.
            let mut text = String::from(char::from(DIGITS[number % 26]));
            number /= 26;
            while number > 0 {
                number -= 1;
                text.push(char::from(DIGITS[number % 36]));
                number /= 36;
            }
            let keyword = Keyword::split(&text).is_some();
            if !keyword
                && self.names.get(&text).is_none()
                && let Ok(name) = self.names.intern(&text)
            {
                return name;
            }
        }
    }

    fn ident(&mut self, ident: &mut Ident) {
        ident.name = self.name(ident.name);
    }

    fn simple(&mut self, type_: &mut SimpleType) {
        match type_ {
            SimpleType::Named(name) => self.ident(name),
            SimpleType::Set(set) => {
                set.members.iter_mut().for_each(|member| self.ident(member));
            }
        }
    }

    fn type_(&mut self, type_: &mut Type) {
        type_.keys.iter_mut().for_each(|key| self.simple(key));
        self.simple(&mut type_.value);
    }

    /// Maps nest as deep as a reader accepts.
    fn value(&mut self, value: &mut Value) {
        match value {
            Value::Name(name) => self.ident(name),
            Value::Map(Map { entries, .. }) => {
                for entry in entries {
                    entry.key.iter_mut().for_each(|key| self.ident(key));
                    self.value(&mut entry.value);
                }
            }
        }
    }

    /// Expressions nest as deep as a reader accepts.
    fn expression(&mut self, expr: &mut Expr) {
        match &mut expr.base {
            Base::Name(name) => self.ident(name),
            Base::Cast(type_, inner) => {
                self.ident(type_);
                self.expression(inner);
            }
        }
        expr.keys.iter_mut().for_each(|key| self.expression(key));
    }

    fn label(&mut self, label: &mut Label) {
        match label {
            Label::Skip => {}
            Label::Assign { target, value } => {
                self.expression(target);
                self.expression(value);
            }
            Label::AssignAny { target, values } => {
                self.expression(target);
                self.type_(values);
            }
            Label::Compare { left, right, .. } => {
                self.expression(left);
                self.expression(right);
            }
            Label::Reach { from, to, .. } => {
                self.ident(from);
                self.ident(to);
            }
            Label::Tag(tag) => self.ident(tag),
            Label::TagVariable(variable) => self.ident(variable),
        }
    }
}
