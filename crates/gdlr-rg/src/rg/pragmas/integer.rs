//! `@integer`: the symbols of a type stand for consecutive numbers.
//!
//! ```text
//! type Count = { c_1, c_2, c_3 };                       @integer 1 : c_1 c_2 c_3;
//! type Rank = { low, high, middle };                    @integer 0 : low middle high;
//! const up: Rank -> Rank = { low: middle, middle: high, :high };
//! ```
//!
//! The order comes from the numerals in the symbols. Without numerals, it comes from a constant map
//! that steps through all symbols, from one to the last. A symbol stands for [one
//! number](super::numbering) in all types. If a map steps through numerals in another order, they
//! may be mere names, and no pragma is made.

use super::analysed::AnalysedProgram;
use super::numbering::{Numbering, Objection, by_numerals, own_number};
use super::steps::Steps;
use crate::rg::ast::{Description, Hint, Ident, SimpleType};
use crate::rg::name::Name;
use hashbrown::HashSet;

/// The results for `@integer`.
pub struct Integers {
    /// The pragmas of all types that have one, in the order of the types. Types with the same
    /// symbols have one pragma. None contradicts a written pragma that is true.
    pub computed: Vec<Hint>,
    /// The indices of the pragmas of the description that are false.
    pub refuted: Vec<usize>,
}

/// Computes the pragmas of all types, and finds the written ones that are false.
pub fn compute(analysed: &AnalysedProgram, description: &Description) -> Integers {
    let steps = Steps::new(&analysed.program);
    let mut numbering = Numbering::new(&description.names, &steps);
    let refuted = numbering.written(description).into_iter().map(|(number, _)| number).collect();
    let sets = sets(description);
    let mut hints: Vec<Option<Hint>> = vec![None; sets.len()];
    for (set, hints) in sets.iter().zip(&mut hints) {
        if let Some((first, symbols)) = by_numerals(&description.names, set)
            && !steps.contradict(&symbols)
        {
            *hints = numbering.hint(first, &symbols);
        }
    }
    // The order of a large set can give the order of its subsets.
    let mut by_size: Vec<usize> = (0..sets.len()).collect();
    by_size.sort_by_key(|&index| std::cmp::Reverse(sets[index].len()));
    for index in by_size {
        if by_numerals(&description.names, &sets[index]).is_none()
            && let Some(order) = steps.only_order(&sets[index])
        {
            let mut reversed = order.to_vec();
            reversed.reverse();
            hints[index] =
                stepped(&mut numbering, order).or_else(|| stepped(&mut numbering, &reversed));
        }
    }
    Integers { computed: hints.into_iter().flatten().collect(), refuted }
}

/// The pragma of symbols in an order, if they can stand for consecutive numbers in it.
fn stepped(numbering: &mut Numbering<'_>, symbols: &[Name]) -> Option<Hint> {
    let numbered = symbols.iter().enumerate();
    let numbered = numbered.filter_map(|(index, &symbol)| Some((index, numbering.number(symbol)?)));
    let first = match { numbered }.next() {
        Some((index, number)) => number.checked_sub(index as u64)?,
        None => 0,
    };
    numbering.hint(first, symbols)
}

/// The symbols of all types with at least two symbols, each set once, in the order of their names.
fn sets(description: &Description) -> Vec<Vec<Name>> {
    let mut sets: Vec<Vec<Name>> = Vec::new();
    let mut met: HashSet<Vec<Name>> = HashSet::new();
    for alias in &description.types {
        let SimpleType::Set(set) = &alias.type_.value else { continue };
        let mut symbols: Vec<Name> = set.members.iter().map(|member| member.name).collect();
        symbols.sort_unstable();
        symbols.dedup();
        if alias.type_.keys.is_empty() && symbols.len() > 1 && met.insert(symbols.clone()) {
            sets.push(symbols);
        }
    }
    sets
}

impl Numbering<'_> {
    /// The pragma by which symbols stand for the numbers from `first` on; `None` if there is an
    /// objection.
    fn hint(&mut self, first: u64, symbols: &[Name]) -> Option<Hint> {
        self.add(first, symbols).ok()?;
        let symbols = symbols.iter().copied().map(Ident::from).collect();
        Some(Hint::Integer { first, symbols })
    }

    /// The number of a symbol, by its own name or by a pragma.
    fn number(&self, symbol: Name) -> Option<u64> {
        own_number(self.names, symbol).or_else(|| self.said(symbol))
    }

    /// Adds the pragmas of a description. Returns the indices of the false ones, each with the
    /// objection.
    pub fn written(&mut self, description: &Description) -> Vec<(usize, Objection)> {
        let mut refuted = Vec::new();
        for (number, pragma) in description.pragmas.iter().enumerate() {
            let Hint::Integer { first, symbols } = &pragma.hint else { continue };
            let symbols: Vec<Name> = symbols.iter().map(|symbol| symbol.name).collect();
            if let Err(objection) = self.add(*first, &symbols) {
                refuted.push((number, objection));
            }
        }
        refuted
    }
}
