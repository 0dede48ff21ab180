//! Other forms of the same automaton (RG, B.5): not smaller, but with less of the language in
//! them, for programs that do not know all of it, or for people who look at types.
//!
//! Each of [`NORMALISATIONS`] is a file, which shows what it does with text before and after.
//! None changes what the automaton means, or what moves are called. All are linear in what they
//! make.

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

/// Another form of automata.
#[derive(Clone, Copy, Debug)]
pub struct Normalisation {
    /// What it is called on the command line.
    pub name: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    run: fn(&mut Description) -> Result<(), TooLarge>,
}

/// All of them, in the order in which they are applied.
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
    /// Brings a description, which [`validate`](super::validate()) finds no error in, into the
    /// form. Pragmas that are about what is no more are left out.
    ///
    /// # Errors
    ///
    /// When it would become too large: it is as it was.
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
