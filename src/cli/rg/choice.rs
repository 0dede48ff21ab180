//! Which transformations are applied to an automaton.

use clap::Args;
use gdlr::rg::normalise::{NORMALISATIONS, Normalisation};
use gdlr::rg::optimise::{TRANSFORMATIONS, Transformation};

/// Which transformations are applied.
#[derive(Clone, Debug, Default, Args)]
pub struct Choice {
    /// Apply these alone, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = any_of_them)]
    only: Vec<&'static str>,
    /// Apply all transformations but these
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = transformation,
          conflicts_with = "only")]
    without: Vec<&'static str>,
    /// Bring the result into these other forms as well
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = normalisation,
          conflicts_with = "only")]
    with: Vec<&'static str>,
}

impl Choice {
    /// Whether a transformation is applied.
    pub fn takes(&self, transformation: &Transformation) -> bool {
        match self.only.is_empty() {
            true => !self.without.contains(&transformation.name),
            false => self.only.contains(&transformation.name),
        }
    }

    /// The other forms that are wanted.
    pub fn forms(&self) -> impl Iterator<Item = &'static Normalisation> {
        let wanted =
            |one: &&Normalisation| self.with.contains(&one.name) || self.only.contains(&one.name);
        NORMALISATIONS.iter().filter(wanted)
    }
}

fn transformation(text: &str) -> Result<&'static str, String> {
    named(text, TRANSFORMATIONS.iter().map(|one| one.name))
}

fn normalisation(text: &str) -> Result<&'static str, String> {
    named(text, NORMALISATIONS.iter().map(|one| one.name))
}

fn any_of_them(text: &str) -> Result<&'static str, String> {
    transformation(text).or_else(|_| normalisation(text))
}

fn named(
    text: &str,
    mut names: impl Iterator<Item = &'static str>,
) -> Result<&'static str, String> {
    names.find(|&name| name == text).ok_or_else(|| {
        "there is no such transformation; `gdlr rg optimise --list` lists them".to_owned()
    })
}
