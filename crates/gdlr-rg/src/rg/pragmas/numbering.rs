//! The numbers that symbols stand for, and objections to a numbering.
//!
//! A symbol stands for the same number in all pragmas. A symbol that is a numeral stands for its
//! value: `3` for 3. The symbols of a pragma that differ only in a numeral at their ends do so,
//! too: `c_3` stands for 3. For other symbols, a constant map that steps through them can give the
//! order.

use super::steps::Steps;
use crate::rg::name::{Name, Names};
use hashbrown::{HashMap, HashSet};

/// The numbers of the symbols so far.
pub struct Numbering<'a> {
    /// The texts of names.
    pub names: &'a Names,
    steps: &'a Steps,
    said: HashMap<Name, u64>,
}

/// An objection to a pragma.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objection {
    /// The pragma has this symbol twice.
    Twice(Name),
    /// The pragma gives this symbol a number that does not fit in 64 bits.
    TooLarge(Name),
    /// The pragma gives this number to a symbol whose name is another number.
    Numeral(Name, u64),
    /// The pragma gives the first number to a symbol to which another pragma gives the second.
    Said(Name, u64, u64),
    /// This constant steps through the symbols in another order.
    Steps(Name),
}

impl Objection {
    /// The objection in words.
    pub fn message(self, names: &Names) -> String {
        match self {
            Objection::Twice(symbol) => format!("`{}` stands for two numbers", names.text(symbol)),
            Objection::TooLarge(symbol) => {
                format!("the number of `{}` takes more than 64 bits", names.text(symbol))
            }
            Objection::Numeral(symbol, number) => {
                format!("`{}` stands for {number}", names.text(symbol))
            }
            Objection::Said(symbol, number, said) => format!(
                "`{}` stands for {number}, and for {said} in a pragma before it",
                names.text(symbol)
            ),
            Objection::Steps(map) => format!(
                "the constant `{}` steps through the symbols in another order",
                names.text(map)
            ),
        }
    }
}

impl Numbering<'_> {
    /// A numbering without symbols.
    pub fn new<'a>(names: &'a Names, steps: &'a Steps) -> Numbering<'a> {
        Numbering { names, steps, said: HashMap::new() }
    }

    /// The number that a pragma has given a symbol.
    pub fn said(&self, symbol: Name) -> Option<u64> {
        self.said.get(&symbol).copied()
    }

    /// Gives symbols the numbers from `first` on.
    ///
    /// # Errors
    ///
    /// The objection, if there is one; then nothing changes.
    pub fn add(&mut self, first: u64, symbols: &[Name]) -> Result<(), Objection> {
        let mut met = HashSet::new();
        if let Some(&again) = symbols.iter().find(|&&symbol| !met.insert(symbol)) {
            return Err(Objection::Twice(again));
        }
        let numerals = of_one_stem(self.names, symbols);
        let mut numbers = Vec::with_capacity(symbols.len());
        for (index, &symbol) in symbols.iter().enumerate() {
            let number = first.checked_add(index as u64).ok_or(Objection::TooLarge(symbol))?;
            let own = match &numerals {
                Some(numerals) => Some(numerals[index]),
                None => own_number(self.names, symbol),
            };
            if own.is_some_and(|own| own != number) {
                return Err(Objection::Numeral(symbol, number));
            }
            if let Some(said) = self.said(symbol).filter(|&said| said != number) {
                return Err(Objection::Said(symbol, number, said));
            }
            numbers.push((symbol, number));
        }
        if numerals.is_none()
            && let Some(map) = self.steps.otherwise(symbols)
        {
            return Err(Objection::Steps(map));
        }
        self.said.extend(numbers);
        Ok(())
    }
}

/// The number at the end of a symbol, and the text before it. `None` if the digits are not in
/// canonical form.
fn numeral(names: &Names, symbol: Name) -> Option<(&str, u64)> {
    let text = names.text(symbol);
    let digits = text.bytes().rev().take_while(u8::is_ascii_digit).count();
    let (stem, number) = text.split_at(text.len() - digits);
    let is_plain = number == "0" || !number.starts_with('0');
    Some((stem, number.parse().ok().filter(|_| is_plain)?))
}

/// The number of a symbol that is a numeral.
pub fn own_number(names: &Names, symbol: Name) -> Option<u64> {
    numeral(names, symbol).filter(|(stem, _)| stem.is_empty()).map(|(_, number)| number)
}

/// The numbers at the ends of symbols, if all symbols have one, and the texts before them are
/// equal.
fn of_one_stem(names: &Names, symbols: &[Name]) -> Option<Vec<u64>> {
    let (stem, _) = numeral(names, *symbols.first()?)?;
    let number = |&symbol: &Name| {
        let (its, number) = numeral(names, symbol)?;
        (its == stem).then_some(number)
    };
    symbols.iter().map(number).collect()
}

/// The first number, and the symbols in the order of their numerals, if these are consecutive and
/// all else is equal.
pub fn by_numerals(names: &Names, symbols: &[Name]) -> Option<(u64, Vec<Name>)> {
    let numbers = of_one_stem(names, symbols)?;
    let mut numbered: Vec<(u64, Name)> = numbers.into_iter().zip(symbols.iter().copied()).collect();
    numbered.sort_unstable();
    let consecutive = numbered.windows(2).all(|pair| pair[0].0.checked_add(1) == Some(pair[1].0));
    consecutive.then(|| (numbered[0].0, numbered.into_iter().map(|(_, symbol)| symbol).collect()))
}
