//! Names as numbers, and the rules for names.

use gdlr_text::graph::Numbered;
use hashbrown::HashMap;
use std::fmt;

/// A name of a description, as a number: the name of a type, constant, variable, node, tag or
/// symbol.
///
/// The kinds share their names: the symbol `x` and the node `x` are the same name. The place of a
/// name says which is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(u32);

impl Name {
    /// The number of the name.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The name with a number.
    pub(super) fn at(index: u32) -> Name {
        Name(index)
    }
}

impl Numbered for Name {
    fn number(self) -> usize {
        self.index()
    }
}

macro_rules! built_in {
    ($($name:ident = $index:literal $text:literal;)*) => {
        impl Name {
            $(
                #[doc = concat!("The name `", $text, "`.")]
                pub const $name: Name = Name($index);
            )*
            /// The names with a meaning in the language, in the order of their numbers.
            const BUILT_IN: &'static [&'static str] = &[$($text,)*];
        }
    };
}

built_in! {
    BEGIN = 0 "begin";
    END = 1 "end";
    KEEPER = 2 "keeper";
    RANDOM = 3 "random";
    PLAYER = 4 "player";
    GOALS = 5 "goals";
    VISIBLE = 6 "visible";
    ZERO = 7 "0";
    ONE = 8 "1";
    PLAYER_TYPE = 9 "Player";
    SCORE_TYPE = 10 "Score";
    BOOL_TYPE = 11 "Bool";
    GOALS_TYPE = 12 "Goals";
    VISIBILITY_TYPE = 13 "Visibility";
    PLAYER_OR_SYSTEM_TYPE = 14 "PlayerOrSystem";
}

/// The words that begin a definition, and so cannot be names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keyword {
    /// `const`
    Const,
    /// `type`
    Type,
    /// `var`
    Var,
}

impl Keyword {
    /// The word.
    pub fn as_str(self) -> &'static str {
        match self {
            Keyword::Const => "const",
            Keyword::Type => "type",
            Keyword::Var => "var",
        }
    }

    /// The keyword at the beginning of a text, and the rest of the text.
    ///
    /// Other programs recognise a definition by these letters alone. They never read an edge whose
    /// first node begins with a keyword.
    ///
    /// ```
    /// # mod gdlr { pub use gdlr_rg::rg; }
    /// use gdlr::rg::Keyword;
    /// assert_eq!(Keyword::split("variable"), Some((Keyword::Var, "iable")));
    /// assert_eq!(Keyword::split("node"), None);
    /// ```
    pub fn split(text: &str) -> Option<(Keyword, &str)> {
        [Keyword::Const, Keyword::Type, Keyword::Var]
            .into_iter()
            .find_map(|keyword| Some((keyword, text.strip_prefix(keyword.as_str())?)))
    }
}

/// The reason why a text is no name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotAName {
    /// It has no characters.
    Empty,
    /// It is a keyword.
    Reserved(Keyword),
    /// It has a character that is no letter, digit or underscore.
    Character(char),
}

impl fmt::Display for NotAName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotAName::Empty => f.write_str("a name has at least one character"),
            NotAName::Reserved(keyword) => {
                write!(f, "`{}` is a keyword and names nothing", keyword.as_str())
            }
            NotAName::Character(character) => {
                write!(f, "a name has letters, digits and underscores only, not {character:?}")
            }
        }
    }
}

impl std::error::Error for NotAName {}

/// Whether a character may be in a name.
pub fn is_name_character(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// The names of a description. The names with a meaning in the language are always in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    numbers: HashMap<Box<str>, Name>,
    /// The texts of the names, by number.
    texts: Vec<Box<str>>,
}

impl Default for Names {
    fn default() -> Self {
        let mut names = Names { numbers: HashMap::new(), texts: Vec::new() };
        for text in Name::BUILT_IN {
            names.add(text);
        }
        names
    }
}

impl Names {
    /// The number of a name, which is added if it is new.
    ///
    /// A leading digit is allowed, as in `0`, and so are letters of any script.
    ///
    /// # Errors
    ///
    /// When the text is no name. So every name can be printed as it is.
    ///
    /// ```
    /// # mod gdlr { pub use gdlr_rg::rg; }
    /// let mut names = gdlr::rg::Names::default();
    /// assert!(names.intern("1_ż").is_ok());
    /// assert!(names.intern("var").is_err());
    /// assert!(names.intern("a-b").is_err());
    /// ```
    pub fn intern(&mut self, text: &str) -> Result<Name, NotAName> {
        if let Some(name) = self.get(text) {
            return Ok(name);
        }
        if text.is_empty() {
            return Err(NotAName::Empty);
        }
        if let Some((keyword, "")) = Keyword::split(text) {
            return Err(NotAName::Reserved(keyword));
        }
        match text.chars().find(|&character| !is_name_character(character)) {
            Some(character) => Err(NotAName::Character(character)),
            None => Ok(self.add(text)),
        }
    }

    /// The number of a known name.
    pub fn get(&self, text: &str) -> Option<Name> {
        self.numbers.get(text).copied()
    }

    /// The text of a name of this table.
    ///
    /// # Panics
    ///
    /// May panic for a name of another table.
    pub fn text(&self, name: Name) -> &str {
        &self.texts[name.index()]
    }

    /// The number of names; all numbers of names are below it.
    #[allow(clippy::len_without_is_empty, reason = "it is never empty")]
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// All names, in the order of their numbers.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Name> + use<> {
        (0..self.texts.len() as u32).map(Name)
    }

    fn add(&mut self, text: &str) -> Name {
        let name = Name(u32::try_from(self.texts.len()).expect("fewer names than 2^32"));
        self.numbers.insert(text.into(), name);
        self.texts.push(text.into());
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_names_have_their_numbers() {
        let mut names = Names::default();
        for (index, text) in Name::BUILT_IN.iter().enumerate() {
            let name = names.intern(text).unwrap();
            assert_eq!((name.index(), names.text(name)), (index, *text));
        }
        assert_eq!(names.text(Name::PLAYER_OR_SYSTEM_TYPE), "PlayerOrSystem");
        assert_eq!(names.len(), Name::BUILT_IN.len());
    }

    #[test]
    fn what_is_no_name() {
        let mut names = Names::default();
        assert_eq!(names.intern(""), Err(NotAName::Empty));
        assert_eq!(names.intern("type"), Err(NotAName::Reserved(Keyword::Type)));
        assert_eq!(names.intern("a.b"), Err(NotAName::Character('.')));
        for text in ["types", "½", "3", "_", "Zażółć"] {
            assert!(names.intern(text).is_ok(), "{text}");
        }
    }
}
