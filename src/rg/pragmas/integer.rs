//! `@integer`: the symbols of a type stand for consecutive numbers.
//!
//! ```text
//! type Count = { c_1, c_2, c_3 };                       @integer 1 : c_1 c_2 c_3;
//! type Rank = { low, high, middle };                    @integer 0 : low middle high;
//! const up: Rank -> Rank = { low: middle, middle: high, :high };
//! ```
//!
//! Symbols say so by their numerals, or else a constant map that steps through all of them, from
//! one to the last. A map that steps through all of them in another order says that they do not.

use super::known::Known;
use crate::rg::ast::{Description, Hint, SimpleType};
use crate::rg::name::{Name, Names};
use crate::rg::optimise::program::{Program, Val};
use hashbrown::{HashMap, HashSet};

/// The way on which a constant map steps through all its keys.
struct Way {
    map: Name,
    symbols: Vec<Name>,
}

/// The ways through all symbols of a set on which constant maps step, by the symbols in order.
pub struct Steps(HashMap<Box<[Name]>, Vec<Way>>);

impl Steps {
    /// The ways of all constant maps of an automaton.
    pub fn new(program: &Program) -> Steps {
        let mut ways: HashMap<Box<[Name]>, Vec<Way>> = HashMap::new();
        for constant in &program.constants {
            let name = constant.name.name;
            if let Some(Val::Map(map)) = program.constant(name)
                && let Some(symbols) = way(&map.keys, |key| map.get(key))
            {
                let way = Way { map: name, symbols };
                ways.entry(Box::from(&*map.keys)).or_default().push(way);
            }
        }
        Steps(ways)
    }

    /// A constant map that steps through all of some symbols in another order than this one, and
    /// not in the opposite one.
    pub fn contradiction(&self, symbols: &[Name]) -> Option<Name> {
        let mut sorted: Vec<Name> = symbols.to_vec();
        sorted.sort_unstable();
        let ways = self.0.get(&sorted[..])?;
        let other =
            |way: &&Way| !way.symbols.iter().eq(symbols) && !way.symbols.iter().rev().eq(symbols);
        ways.iter().find(other).map(|way| way.map)
    }
}

/// The way on which a map steps through all its keys, from one to which it does not step to one
/// that it leaves as it is or leads out of the keys.
fn way<'v>(keys: &[Name], next: impl Fn(Name) -> Option<&'v Val>) -> Option<Vec<Name>> {
    let all: HashSet<Name> = keys.iter().copied().collect();
    let step = |key: Name| match next(key) {
        Some(&Val::Symbol(symbol)) if symbol != key && all.contains(&symbol) => Some(symbol),
        _ => None,
    };
    let entered: HashSet<Name> = keys.iter().filter_map(|&key| step(key)).collect();
    let mut starts = keys.iter().copied().filter(|key| !entered.contains(key));
    let (Some(start), None) = (starts.next(), starts.next()) else { return None };
    let mut way = vec![start];
    while let Some(symbol) = step(way[way.len() - 1]) {
        if way.len() == keys.len() {
            return None;
        }
        way.push(symbol);
    }
    (way.len() == keys.len() && way.len() > 2).then_some(way)
}

/// The number that a symbol ends in, and what stands before it. Nothing if it is written in
/// another way than numbers are.
pub fn numeral(names: &Names, symbol: Name) -> Option<(&str, u64)> {
    let text = names.text(symbol);
    let digits = text.bytes().rev().take_while(u8::is_ascii_digit).count();
    let (stem, number) = text.split_at(text.len() - digits);
    let is_plain = number == "0" || !number.starts_with('0');
    Some((stem, number.parse().ok().filter(|_| is_plain)?))
}

/// The pragmas of all types, in the order of the types; of several with the same symbols one.
pub fn compute(known: &Known, description: &Description) -> Vec<Hint> {
    let steps = Steps::new(&known.program);
    let mut hints = Vec::new();
    for alias in &description.types {
        let SimpleType::Set(set) = &alias.type_.value else { continue };
        let mut symbols: Vec<Name> = set.members.iter().map(|member| member.name).collect();
        symbols.sort_unstable();
        symbols.dedup();
        if !alias.type_.keys.is_empty() || symbols.len() < 2 {
            continue;
        }
        let numbered = by_numerals(&description.names, &symbols)
            .filter(|(_, symbols)| steps.contradiction(symbols).is_none());
        let stepped = || {
            let way = &steps.0.get(&symbols[..])?.first()?.symbols;
            steps.contradiction(way).is_none().then(|| (0, way.clone()))
        };
        let Some((first, symbols)) = numbered.or_else(stepped) else { continue };
        let symbols = symbols.into_iter().map(Into::into).collect();
        let hint = Hint::Integer { first, symbols };
        if !hints.contains(&hint) {
            hints.push(hint);
        }
    }
    hints
}

/// Symbols in the order of their numerals, if these are consecutive; and the first number.
fn by_numerals(names: &Names, symbols: &[Name]) -> Option<(u64, Vec<Name>)> {
    let (stem, _) = numeral(names, *symbols.first()?)?;
    let numbered = symbols.iter().map(|&symbol| {
        let (its, number) = numeral(names, symbol)?;
        (its == stem).then_some((number, symbol))
    });
    let mut numbered: Vec<(u64, Name)> = numbered.collect::<Option<_>>()?;
    numbered.sort_unstable();
    let consecutive = numbered.windows(2).all(|pair| pair[1].0 == pair[0].0 + 1);
    consecutive.then(|| (numbered[0].0, numbered.into_iter().map(|(_, symbol)| symbol).collect()))
}
