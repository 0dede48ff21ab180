//! Names as 16-bit numbers (FI, IV.A).

use hashbrown::HashMap;
use std::fmt;

/// A name of a rulesheet, as a number: a relation, function or constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(u16);

macro_rules! keywords {
    ($($name:ident = $index:literal $text:literal;)*) => {
        impl Symbol {
            $(#[doc = concat!("The keyword `", $text, "`.")] pub const $name: Symbol = Symbol($index);)*
            /// The keywords in the order of their numbers.
            const KEYWORDS: &'static [&'static str] = &[$($text,)*];
        }
    };
}

keywords! {
    ROLE = 0 "role";
    INIT = 1 "init";
    TRUE = 2 "true";
    DOES = 3 "does";
    NEXT = 4 "next";
    LEGAL = 5 "legal";
    GOAL = 6 "goal";
    TERMINAL = 7 "terminal";
    BASE = 8 "base";
    INPUT = 9 "input";
    SEES = 10 "sees";
    DISTINCT = 11 "distinct";
    OR = 12 "or";
    NOT = 13 "not";
    IMPLIED_BY = 14 "<=";
}

impl Symbol {
    /// The symbol with this number.
    pub const fn from_index(index: u16) -> Symbol {
        Symbol(index)
    }

    /// The number of the symbol.
    pub const fn index(self) -> u16 {
        self.0
    }

    /// The name as first spelled in the rulesheet.
    pub fn spelled(self, symbols: &SymbolTable) -> &str {
        &symbols.names[usize::from(self.0)].1
    }

    /// The name in lower case, as traces write it.
    pub fn canonical(self, symbols: &SymbolTable) -> String {
        symbols.names[usize::from(self.0)].0.to_lowercase()
    }

    /// Whether the symbol is a keyword of GDL or of its logic.
    pub fn is_keyword(self) -> bool {
        usize::from(self.0) < Symbol::KEYWORDS.len()
    }

    /// Whether the symbol is `<=`, `or`, `not` or `distinct`.
    pub fn is_connective(self) -> bool {
        (Symbol::DISTINCT.0..=Symbol::IMPLIED_BY.0).contains(&self.0)
    }
}

/// More than 65,535 different names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManySymbols;

impl fmt::Display for TooManySymbols {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "more than {} different symbols", SymbolTable::CAPACITY)
    }
}

impl std::error::Error for TooManySymbols {}

/// The names of a rulesheet. The keywords are always there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolTable {
    numbers: HashMap<Box<str>, Symbol>,
    /// By number: the name as folded, and as first spelled.
    names: Vec<(Box<str>, Box<str>)>,
    case_sensitive: bool,
}

impl SymbolTable {
    /// The most symbols there can be. The last 16-bit number is never a symbol.
    pub const CAPACITY: usize = u16::MAX as usize;

    /// The table that holds the keywords only.
    pub fn new(case_sensitive: bool) -> Self {
        let mut table = SymbolTable { numbers: HashMap::new(), names: Vec::new(), case_sensitive };
        for keyword in Symbol::KEYWORDS {
            let symbol = Symbol(table.names.len() as u16);
            table.numbers.insert((*keyword).into(), symbol);
            table.names.push(((*keyword).into(), (*keyword).into()));
        }
        table
    }

    /// The number of a name, new or known. The first spelling of a name is kept.
    ///
    /// # Errors
    ///
    /// When the table is full.
    pub fn intern(&mut self, spelling: &str) -> Result<Symbol, TooManySymbols> {
        if let Some(symbol) = self.get(spelling) {
            return Ok(symbol);
        }
        if self.names.len() == Self::CAPACITY {
            return Err(TooManySymbols);
        }
        let symbol = Symbol(self.names.len() as u16);
        let name: Box<str> =
            if self.case_sensitive { spelling.into() } else { spelling.to_lowercase().into() };
        self.numbers.insert(name.clone(), symbol);
        self.names.push((name, spelling.into()));
        Ok(symbol)
    }

    /// The number of a known name, in any spelling that folding joins with it.
    pub fn get(&self, spelling: &str) -> Option<Symbol> {
        if let Some(&symbol) = self.numbers.get(spelling) {
            return Some(symbol);
        }
        let folded = spelling.to_lowercase();
        let symbol = *self.numbers.get(folded.as_str())?;
        (!self.case_sensitive || symbol.is_keyword()).then_some(symbol)
    }

    /// How many symbols there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Never: the keywords are always there.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Names that differ by case alone, as traces list them: `Cell/cell`. There are none where case
    /// is folded.
    pub fn case_variants(&self) -> Vec<String> {
        let mut alike: HashMap<String, Vec<&str>> = HashMap::new();
        for (name, _) in &self.names {
            alike.entry(name.to_lowercase()).or_default().push(name);
        }
        let mut variants: Vec<String> = alike
            .into_values()
            .filter(|names| names.len() > 1)
            .map(|mut names| {
                names.sort_unstable();
                names.join("/")
            })
            .collect();
        variants.sort_unstable();
        variants
    }

    /// Whether upper and lower case are told apart.
    pub fn is_case_sensitive(&self) -> bool {
        self.case_sensitive
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_have_their_numbers() {
        let table = SymbolTable::new(false);
        assert_eq!(table.get("ROLE"), Some(Symbol::ROLE));
        assert_eq!(table.get("<="), Some(Symbol::IMPLIED_BY));
        assert_eq!(Symbol::DISTINCT.spelled(&table), "distinct");
        assert!(Symbol::OR.is_connective() && !Symbol::SEES.is_connective());
    }

    #[test]
    fn folding_and_spelling() {
        let mut folded = SymbolTable::new(false);
        let cell = folded.intern("Cell").unwrap();
        assert_eq!(folded.intern("cELL"), Ok(cell));
        assert_eq!(cell.spelled(&folded), "Cell");
        let mut strict = SymbolTable::new(true);
        assert_ne!(strict.intern("Cell"), strict.intern("cell"));
        assert_eq!(strict.intern("NEXT"), Ok(Symbol::NEXT));
    }

    #[test]
    fn names_that_differ_by_case() {
        let variants = |case_sensitive| {
            let mut table = SymbolTable::new(case_sensitive);
            for name in ["mark", "b", "cell", "CELL", "Cell", "a", "B", "Role"] {
                table.intern(name).unwrap();
            }
            table.case_variants()
        };
        assert_eq!(variants(true), ["B/b", "CELL/Cell/cell"]);
        assert!(variants(false).is_empty());
    }

    #[test]
    fn the_table_is_bounded() {
        let mut table = SymbolTable::new(false);
        let room = SymbolTable::CAPACITY - table.len();
        assert!((0..room).all(|i| table.intern(&i.to_string()).is_ok()));
        assert_eq!(table.intern("one more"), Err(TooManySymbols));
        assert!(table.intern("7").is_ok());
    }
}
