//! The form of a fact: its functions, with a gap for each constant.

use gdlr_rules::gdl::{Symbol, SymbolTable, Term};

/// The most gaps of a fact that can stand on a board, and the most parts.
pub(super) const MOST_GAPS: usize = 8;
const MOST_PARTS: usize = 16;

/// A part of a form, in the order in which it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Part {
    /// Where a constant stands.
    Gap,
    /// A function of so many arguments, which follow.
    Function(Symbol, u16),
}

/// Where a term stands in its function: the function, its arity, and which argument.
pub(super) type Step = (Symbol, u16, u16);

/// A fact without its constants, as `(cell _ _ _)` or `(on (square _ _) _)`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Form(Vec<Part>);

impl Form {
    /// The form of a fact and the constants in its gaps; `None` for what never stands on a
    /// board: a constant, a fact with a variable, one with too many parts.
    pub(super) fn of(fact: &Term) -> Option<(Form, Vec<Symbol>)> {
        Form::within(fact, MOST_GAPS, MOST_PARTS)
    }

    /// The form of a move and the constants in its gaps; `None` for a constant and for what has
    /// very many parts.
    pub(super) fn of_move(term: &Term) -> Option<(Form, Vec<Symbol>)> {
        Form::within(term, 2 * MOST_PARTS, 2 * MOST_PARTS)
    }

    fn within(term: &Term, most_gaps: usize, most_parts: usize) -> Option<(Form, Vec<Symbol>)> {
        let mut parts = Vec::new();
        let mut constants = Vec::new();
        let mut open = vec![term];
        while let Some(term) = open.pop() {
            match term {
                Term::Variable(_) => return None,
                Term::Constant(symbol) => {
                    parts.push(Part::Gap);
                    constants.push(*symbol);
                }
                Term::Function(name, args) => {
                    parts.push(Part::Function(*name, u16::try_from(args.len()).ok()?));
                    open.extend(args.iter().rev());
                }
            }
            if parts.len() + open.len() > most_parts || constants.len() > most_gaps {
                return None;
            }
        }
        (parts.len() > 1 && !constants.is_empty()).then_some((Form(parts), constants))
    }

    /// The outermost function and its arity.
    pub(super) fn function(&self) -> (Symbol, usize) {
        match self.0[0] {
            Part::Function(name, arity) => (name, usize::from(arity)),
            Part::Gap => unreachable!("constants have no form"),
        }
    }

    /// The name of the outermost function, as the rulesheet spells it.
    pub(super) fn name<'s>(&self, symbols: &'s SymbolTable) -> &'s str {
        self.function().0.spelled(symbols)
    }

    /// By gap: the way to it from the outside.
    pub(super) fn paths(&self) -> Vec<Vec<Step>> {
        let mut paths = Vec::new();
        // The functions around the next part, with the argument that it is.
        let mut around: Vec<Step> = Vec::new();
        for &part in &self.0 {
            match part {
                Part::Function(name, arity) if arity > 0 => {
                    around.push((name, arity, 0));
                    continue;
                }
                Part::Function(..) => {}
                Part::Gap => paths.push(around.clone()),
            }
            while let Some((_, arity, place)) = around.last_mut() {
                *place += 1;
                if *place < *arity {
                    break;
                }
                around.pop();
            }
        }
        paths
    }

    /// The fact with what stands in its gaps.
    pub(super) fn print(&self, symbols: &SymbolTable, gap: impl Fn(usize) -> String) -> String {
        let mut text = String::new();
        let mut open: Vec<u16> = Vec::new();
        let mut gaps = 0;
        for &part in &self.0 {
            if !open.is_empty() {
                text.push(' ');
            }
            match part {
                Part::Function(name, arity) => {
                    text.push('(');
                    text.push_str(name.spelled(symbols));
                    open.push(arity + 1);
                }
                Part::Gap => {
                    text.push_str(&gap(gaps));
                    gaps += 1;
                    if let Some(left) = open.last_mut() {
                        *left -= 1;
                    }
                }
            }
            while open.last() == Some(&1) {
                text.push(')');
                open.pop();
                if let Some(left) = open.last_mut() {
                    *left -= 1;
                }
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gdlr_rules::gdl::Game;

    fn facts(text: &str) -> (Vec<Term>, SymbolTable) {
        let game = Game::from_kif("t", &format!("(facts {text})")).expect("readable facts");
        (game.rules[0].head.args.clone(), game.symbols)
    }

    #[test]
    fn a_form_and_its_constants_are_the_fact() {
        let (facts, symbols) = facts("(cell 1 2 x) (on (square 1 (f 3)) (hound 2)) (p (nil) a)");
        for fact in &facts {
            let (form, constants) = Form::of(fact).expect("a form");
            let printed = form.print(&symbols, |gap| constants[gap].spelled(&symbols).to_owned());
            assert_eq!(printed, fact.spelled(&symbols));
            assert_eq!(form.paths().len(), constants.len());
        }
        let (form, _) = Form::of(&facts[1]).expect("a form");
        let name = |step: &Step| format!("{}{}", step.0.spelled(&symbols), step.2);
        let paths: Vec<String> = form
            .paths()
            .iter()
            .map(|path| path.iter().map(name).collect::<Vec<_>>().join("."))
            .collect();
        assert_eq!(paths, ["on0.square0", "on0.square1.f0", "on1.hound0"]);
    }

    #[test]
    fn what_has_no_form() {
        let (facts, _) = facts("done (nil) (p 1 2 3 4 5 6 7 8 9)");
        assert!(facts.iter().all(|fact| Form::of(fact).is_none()));
    }
}
