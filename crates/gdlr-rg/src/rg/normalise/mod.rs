//! Other forms of the same automaton (RG, B.5). They are not smaller, but use less of the language.
//! They serve programs that do not know all of it, and people who read types.
//!
//! Each of [`NORMALISATIONS`] is a file, whose head shows it by text before and after. None changes
//! the meaning of the automaton, or the names of moves. All are linear in their result.

mod add_explicit_casts;
mod expand_any_assignments;
mod expand_tag_variables;
mod fresh;
mod mangle_symbols;
mod normalise_constants;
mod normalise_types;
mod pragmas;
mod too_large;

pub use too_large::{MAX_EDGES, TooLarge};

use super::ast::Description;

/// A transformation of automata into another form.
#[derive(Clone, Copy, Debug)]
pub struct Normalisation {
    /// The name on the command line.
    pub name: &'static str,
    /// Its effect, in one line.
    pub about: &'static str,
    run: fn(&mut Description) -> Result<(), TooLarge>,
}

/// All normalisations, in the order in which they are applied.
pub static NORMALISATIONS: [Normalisation; 6] = [
    Normalisation {
        name: "expand-any-assignments",
        about: "`x = T(*)` becomes an edge for each symbol",
        run: expand_any_assignments::run,
    },
    Normalisation {
        name: "expand-tag-variables",
        about: "`$$ x` becomes a comparison and a tag for each symbol",
        run: expand_tag_variables::run,
    },
    Normalisation {
        name: "normalise-constants",
        about: "maps within maps become constants",
        run: normalise_constants::run,
    },
    Normalisation {
        name: "normalise-types",
        about: "every type has a name, and one arrow at most",
        run: normalise_types::run,
    },
    Normalisation {
        name: "add-explicit-casts",
        about: "every expression says its type",
        run: add_explicit_casts::run,
    },
    Normalisation {
        name: "mangle-symbols",
        about: "names that nobody sees become short",
        run: mangle_symbols::run,
    },
];

impl Normalisation {
    /// Brings a description into the form. [`validate`](super::validate()) must find no error in
    /// it. Pragmas about removed elements are removed.
    ///
    /// # Errors
    ///
    /// When the description would become too large: it stays as it was.
    ///
    /// ```
    /// # mod gdlr { pub use gdlr_rg::rg; }
    /// use gdlr::rg::{self, normalise::NORMALISATIONS};
    /// let text = "type Player = { x }; type Score = { 0 }; type A = { 1, 2 }; var a: A = 1;
    ///     begin, p: player = x; p, q: a = A(*); q, end: player = keeper;";
    /// let mut description = rg::read(text).unwrap();
    /// NORMALISATIONS[0].apply(&mut description).unwrap();
    /// assert!(rg::print(&description).unwrap().contains("p, q: a = 1;\np, q: a = 2;\n"));
    /// ```
    pub fn apply(&self, description: &mut Description) -> Result<(), TooLarge> {
        (self.run)(description)
    }
}
