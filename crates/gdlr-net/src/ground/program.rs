//! The rules as the grounder runs them: conditions sorted by kind, one relation more for
//! whatever a single join cannot say.
//!
//! - A negative condition with variables of its own ("for no value") asks a relation without
//!   them.
//! - Tests of few branches are multiplied out, so that each case can be divided in its own
//!   way. One of many asks a relation with a rule a branch, which repeats what binds its
//!   variables in the rule that asks.
//! - `true` follows from `init` and from `next`, `does` from `legal`: these rules are marked
//!   as links. They say what can be reached and are no ground rules.

use gdlr_rules::gdl::{Symbol, Variable};
use gdlr_rules::normal::{
    FlatAtom, FlatLiteral, FlatRule, FlatTerm, Normal, Question, RelationKind,
};
use gdlr_text::budget::{Exhausted, Meter};
use gdlr_text::diagnostic::Span;
use gdlr_text::graph::{Numbered, reached, strongly_connected};

/// The most cases that the tests of a rule are multiplied out to.
const MOST_CASES: usize = 8;

/// The number of a relation of the grounder: those of the normal form, then auxiliary ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct RelationIndex(pub u32);

impl RelationIndex {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Numbered for RelationIndex {
    fn number(self) -> usize {
        self.index()
    }
}

/// A relation applied to columns.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Atom {
    pub relation: RelationIndex,
    pub args: Vec<FlatTerm>,
}

impl Atom {
    pub fn variables(&self) -> impl Iterator<Item = Variable> + '_ {
        self.args.iter().filter_map(|&arg| variable(arg))
    }
}

/// The variable that a column holds, if it holds one.
pub(super) fn variable(term: FlatTerm) -> Option<Variable> {
    match term {
        FlatTerm::Variable(v) => Some(v),
        FlatTerm::Constant(_) => None,
    }
}

/// The symbol in a column, by the values of variables.
pub(super) fn symbol(term: FlatTerm, value: impl Fn(Variable) -> Symbol) -> Symbol {
    match term {
        FlatTerm::Variable(v) => value(v),
        FlatTerm::Constant(symbol) => symbol,
    }
}

/// A comparison of columns.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Test {
    /// Whether some pair must differ; else all pairs must be equal.
    pub distinct: bool,
    pub pairs: Vec<(FlatTerm, FlatTerm)>,
}

impl Test {
    pub fn variables(&self) -> impl Iterator<Item = Variable> + '_ {
        self.pairs.iter().flat_map(|&(a, b)| [a, b]).filter_map(variable)
    }

    /// Whether the test holds of the values.
    pub fn holds(&self, value: impl Fn(Variable) -> Symbol) -> bool {
        let column = |term| symbol(term, &value);
        let equal = self.pairs.iter().all(|&(a, b)| column(a) == column(b));
        equal != self.distinct
    }
}

/// A rule.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub head: Atom,
    pub positive: Vec<Atom>,
    pub negative: Vec<Atom>,
    pub tests: Vec<Test>,
    pub variables: usize,
    /// Whether the rule only passes facts from one state to the next.
    pub link: bool,
    pub source: Span,
}

/// All rules.
#[derive(Debug)]
pub(super) struct Program {
    /// By relation: the number of columns. The relations of the normal form come first.
    pub widths: Vec<usize>,
    /// By relation: whether its rows can differ from state to state.
    pub dynamic: Vec<bool>,
    pub rules: Vec<Rule>,
    /// The relations, each component after what it depends on.
    pub components: Vec<Vec<RelationIndex>>,
}

impl Program {
    pub fn new(normal: &Normal, meter: &Meter<'_>) -> Result<Program, Exhausted> {
        let widths = normal.relations.iter().map(|relation| relation.width).collect();
        let mut program =
            Program { widths, dynamic: Vec::new(), rules: Vec::new(), components: Vec::new() };
        for rule in &normal.rules {
            program.add(rule, meter)?;
        }
        let mut link = |to: u32, from: u32| {
            let width = program.widths[to as usize] as u16;
            let args: Vec<FlatTerm> = (0..width).map(|v| FlatTerm::Variable(Variable(v))).collect();
            program.rules.push(Rule {
                head: Atom { relation: RelationIndex(to), args: args.clone() },
                positive: vec![Atom { relation: RelationIndex(from), args }],
                negative: Vec::new(),
                tests: Vec::new(),
                variables: usize::from(width),
                link: true,
                source: Span::default(),
            });
        };
        for fluent in &normal.fluents {
            link(fluent.base.0, fluent.init.0);
            link(fluent.base.0, fluent.next.0);
        }
        link(normal.does.0, normal.legal.0);
        program.forget_unneeded(normal);
        program.dynamic = normal
            .relations
            .iter()
            .map(|r| matches!(r.kind, RelationKind::Base(_) | RelationKind::Does))
            .collect();
        program.order();
        Ok(program)
    }

    /// Drops the rules of relations that play never asks.
    fn forget_unneeded(&mut self, normal: &Normal) {
        let mut rules_of = vec![Vec::new(); self.widths.len()];
        for (number, rule) in self.rules.iter().enumerate() {
            rules_of[rule.head.relation.index()].push(number);
        }
        let given = normal.fluents.iter().flat_map(|fluent| [fluent.base, fluent.init]);
        let asked = Question::ALL.into_iter().flat_map(|question| normal.answers(question));
        let wanted = std::iter::once(normal.does).chain(given).chain(asked);
        let wanted = wanted.map(|id| RelationIndex(id.0));
        let needed = reached(self.widths.len(), wanted, |relation| {
            rules_of[relation.index()].iter().flat_map(|&rule: &usize| {
                let Rule { positive, negative, .. } = &self.rules[rule];
                positive.iter().chain(negative).map(|atom| atom.relation)
            })
        });
        self.rules.retain(|rule| needed[rule.head.relation.index()]);
    }

    /// The negative conditions of a rule that can be decided: negation is exact on what is
    /// the same in every state, and ignored elsewhere.
    pub fn decided<'p>(&'p self, rule: &'p Rule) -> impl Iterator<Item = &'p Atom> {
        rule.negative.iter().filter(|atom| !self.dynamic[atom.relation.index()])
    }

    /// A new relation.
    pub fn relation(&mut self, width: usize) -> RelationIndex {
        self.widths.push(width);
        RelationIndex(self.widths.len() as u32 - 1)
    }

    /// Finds out which relations are dynamic, and in which order they can be computed.
    pub fn order(&mut self) {
        self.dynamic.resize(self.widths.len(), false);
        let mut successors = vec![Vec::new(); self.widths.len()];
        for rule in &self.rules {
            let body = rule.positive.iter().chain(&rule.negative);
            successors[rule.head.relation.index()].extend(body.map(|atom| atom.relation.0));
        }
        self.components = strongly_connected(&successors)
            .into_iter()
            .map(|component| component.into_iter().map(RelationIndex).collect())
            .collect();
        for component in &self.components {
            let dynamic = component.iter().any(|r| {
                self.dynamic[r.index()]
                    || successors[r.index()].iter().any(|&s| self.dynamic[s as usize])
            });
            component.iter().for_each(|r| self.dynamic[r.index()] = dynamic);
        }
    }

    fn add(&mut self, flat: &FlatRule, meter: &Meter<'_>) -> Result<(), Exhausted> {
        let rule = Rule {
            head: atom(&flat.head),
            positive: Vec::new(),
            negative: Vec::new(),
            tests: Vec::new(),
            variables: usize::from(flat.variables),
            link: false,
            source: flat.source,
        };
        let mut open = vec![(rule, flat.body.iter().collect::<Vec<_>>())];
        while let Some((mut rule, body)) = open.pop() {
            let mut branchings = Vec::new();
            for literal in body {
                match literal {
                    FlatLiteral::Positive(positive) => rule.positive.push(atom(positive)),
                    FlatLiteral::Negative(negative) => rule.negative.push(atom(negative)),
                    FlatLiteral::Distinct(pairs) => {
                        rule.tests.push(Test { distinct: true, pairs: pairs.clone() });
                    }
                    FlatLiteral::Same(pairs) => {
                        rule.tests.push(Test { distinct: false, pairs: pairs.clone() });
                    }
                    FlatLiteral::Any(branches) => branchings.push(branches),
                }
            }
            let cases: usize =
                branchings.iter().fold(1, |cases: usize, b| cases.saturating_mul(b.len()));
            if (2..=MOST_CASES).contains(&cases) {
                let mut bodies: Vec<Vec<&FlatLiteral>> = vec![Vec::new()];
                for branches in branchings {
                    bodies = (bodies.iter())
                        .flat_map(|body| {
                            branches.iter().map(|b| body.iter().copied().chain(b).collect())
                        })
                        .collect();
                }
                open.extend(bodies.into_iter().map(|body| (rule.clone(), body)));
                continue;
            }
            self.close_negatives(&mut rule);
            for branches in branchings {
                meter.spend(rule.positive.len() + rule.variables)?;
                let asked = self.branching(&rule, branches, &mut open);
                rule.positive.push(asked);
            }
            self.rules.push(rule);
        }
        Ok(())
    }

    /// Makes negative conditions ask relations without variables of their own.
    fn close_negatives(&mut self, rule: &mut Rule) {
        let mut bound = vec![false; rule.variables];
        for v in rule.positive.iter().flat_map(Atom::variables) {
            bound[usize::from(v.0)] = true;
        }
        for at in 0..rule.negative.len() {
            let mut shared: Vec<Variable> =
                rule.negative[at].variables().filter(|v| bound[usize::from(v.0)]).collect();
            if rule.negative[at].variables().all(|v| bound[usize::from(v.0)]) {
                continue;
            }
            shared.sort_unstable();
            shared.dedup();
            let head = self.atom_of(&shared);
            let negative = std::mem::replace(&mut rule.negative[at], head.clone());
            self.rules.push(Rule {
                head,
                positive: vec![negative],
                negative: Vec::new(),
                tests: Vec::new(),
                variables: rule.variables,
                link: false,
                source: rule.source,
            });
        }
    }

    /// A new relation over these variables, applied to them.
    pub fn atom_of(&mut self, variables: &[Variable]) -> Atom {
        let relation = self.relation(variables.len());
        Atom { relation, args: variables.iter().map(|&v| FlatTerm::Variable(v)).collect() }
    }

    /// Opens a rule for each branch, and gives the atom that asks them.
    fn branching<'f>(
        &mut self,
        asking: &Rule,
        branches: &'f [Vec<FlatLiteral>],
        open: &mut Vec<(Rule, Vec<&'f FlatLiteral>)>,
    ) -> Atom {
        let mut mentioned = vec![false; asking.variables];
        let mut literals: Vec<&FlatLiteral> = branches.iter().flatten().collect();
        while let Some(literal) = literals.pop() {
            let mut mention = |term: FlatTerm| {
                if let Some(v) = variable(term) {
                    mentioned[usize::from(v.0)] = true;
                }
            };
            match literal {
                FlatLiteral::Positive(a) | FlatLiteral::Negative(a) => {
                    a.args.iter().for_each(|&term| mention(term));
                }
                FlatLiteral::Distinct(pairs) | FlatLiteral::Same(pairs) => {
                    pairs.iter().flat_map(|&(a, b)| [a, b]).for_each(mention);
                }
                FlatLiteral::Any(inner) => literals.extend(inner.iter().flatten()),
            }
        }
        let binds = |atom: &Atom, v: Variable| atom.variables().any(|w| w == v);
        let mut bound = vec![false; asking.variables];
        for v in asking.positive.iter().flat_map(Atom::variables) {
            bound[usize::from(v.0)] = true;
        }
        let asked: Vec<Variable> = (0..asking.variables as u16)
            .map(Variable)
            .filter(|v| mentioned[usize::from(v.0)] && bound[usize::from(v.0)])
            .collect();
        let mut open_variables = asked.clone();
        let mut context: Vec<Atom> = Vec::new();
        while let Some(&first) = open_variables.first() {
            let covers = |atom: &Atom| open_variables.iter().filter(|&&v| binds(atom, v)).count();
            let best =
                asking.positive.iter().filter(|atom| binds(atom, first)).max_by_key(|a| covers(a));
            let Some(best) = best else { break };
            open_variables.retain(|&v| !binds(best, v));
            context.push(best.clone());
        }
        let head = self.atom_of(&asked);
        for branch in branches {
            let rule = Rule {
                head: head.clone(),
                positive: context.clone(),
                negative: Vec::new(),
                tests: Vec::new(),
                variables: asking.variables,
                link: false,
                source: asking.source,
            };
            open.push((rule, branch.iter().collect()));
        }
        head
    }
}

fn atom(flat: &FlatAtom) -> Atom {
    Atom { relation: RelationIndex(flat.relation.0), args: flat.args.clone() }
}
