//! The rules that test lines: from a square on, through a square, and back from a square.

use super::line_form::{Form, SQUARE};
use super::merge::renamed as replaced;
use gdlr_rules::gdl::Variable;
use gdlr_rules::normal::{FlatAtom, FlatLiteral, FlatRule, FlatTerm, RelationId};
use gdlr_text::diagnostic::Span;

/// The parts of which the rules of a line are made.
pub struct Walk<'f> {
    pub form: &'f Form,
    /// The variables of the conditions on squares, without the square.
    pub args: Vec<Variable>,
    /// The variable of the direction, if there are several directions.
    pub direction: Option<Variable>,
    /// Whether a walk back may return to its first square.
    pub turns: bool,
    pub step: RelationId,
    pub from: RelationId,
    pub back: RelationId,
    pub source: Span,
}

impl Walk<'_> {
    /// The variable of the square that is `number` steps away.
    fn square(&self, number: usize) -> Variable {
        match number {
            0 => SQUARE,
            _ => Variable(self.form.variables + number as u16),
        }
    }

    /// The variable of the square at which the walk began.
    fn began(&self) -> Variable {
        self.square(self.form.length)
    }

    fn rule(&self, head: FlatAtom, body: Vec<FlatLiteral>) -> FlatRule {
        let variables = self.form.variables + 1 + self.form.length as u16;
        FlatRule { head, body, variables, source: self.source }
    }

    /// An atom about a square, the other variables, and the direction.
    fn atom(&self, relation: RelationId, square: Variable, began: Option<Variable>) -> FlatAtom {
        let all = self.direction.into_iter().chain([square]).chain(self.args.iter().copied());
        let all = all.chain(began.filter(|_| self.turns));
        FlatAtom { relation, args: all.map(FlatTerm::Variable).collect() }
    }

    fn stepped(&self, from: Variable, to: Variable) -> FlatLiteral {
        let args = self.direction.into_iter().chain([from, to]).map(FlatTerm::Variable).collect();
        FlatLiteral::Positive(FlatAtom { relation: self.step, args })
    }

    /// The conditions on a square.
    fn tested(&self, square: Variable) -> Vec<FlatLiteral> {
        let mut term = |term: FlatTerm| match term {
            FlatTerm::Variable(SQUARE) => FlatTerm::Variable(square),
            term => term,
        };
        self.form.test.iter().map(|literal| replaced(literal, &mut term)).collect()
    }

    /// The rule for a line that begins at any square.
    pub fn begins(&self) -> FlatRule {
        let mut body = self.form.context.clone();
        body.extend(self.form.test.iter().cloned());
        body.push(FlatLiteral::Positive(self.atom(self.from, SQUARE, None)));
        self.rule(self.form.head.clone(), body)
    }

    /// The rule for the squares behind a square.
    pub fn goes_on(&self) -> FlatRule {
        let mut body = Vec::new();
        for number in 1..self.form.length {
            body.push(self.stepped(self.square(number - 1), self.square(number)));
            body.extend(self.tested(self.square(number)));
        }
        self.rule(self.atom(self.from, SQUARE, None), body)
    }

    /// The rules that go back from a square, and then forth.
    pub fn goes_back(&self) -> Vec<FlatRule> {
        let (before, began) = (self.square(1), Some(self.began()));
        let mut body = vec![self.stepped(before, SQUARE)];
        if self.turns {
            let pair = (FlatTerm::Variable(before), FlatTerm::Variable(self.began()));
            body.push(FlatLiteral::Distinct(vec![pair]));
        }
        body.extend(self.tested(before));
        body.push(FlatLiteral::Positive(self.atom(self.back, before, began)));
        let on = vec![FlatLiteral::Positive(self.atom(self.from, SQUARE, None))];
        let head = self.atom(self.back, SQUARE, began);
        vec![self.rule(head.clone(), body), self.rule(head, on)]
    }

    /// The rule for a line through a square, in any direction.
    pub fn goes_through(&self, through: RelationId) -> FlatRule {
        let mut head = self.atom(through, SQUARE, None);
        head.args.drain(..self.direction.iter().count());
        let back = FlatLiteral::Positive(self.atom(self.back, SQUARE, Some(SQUARE)));
        self.rule(head, vec![back])
    }
}
