//! From clauses over terms to rules over columns (FI, IV.C).
//!
//! A variable whose occurrences all have one layout becomes as many columns as the layout
//! has. Where two occurrences differ, the clause is split: one clause in which the variable
//! is a constant, and one for each function that it can be a term of, until all occurrences
//! agree. `(true ?f)` is split in any case, because each function has its own base relation.
//! A variable that only tests mention is split test by test: `(not (true ?f))` becomes one
//! negative condition for each function.

use super::clause::{Clause, Condition, bound_variables, substitute};
use super::encoding::{EMPTY, Encoding};
use super::shape::{Shape, Shapes};
use super::{
    FlatAtom, FlatLiteral, FlatRule, FlatTerm, Fluent, FluentRelations, Normal, Relation,
    RelationId, RelationKind,
};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::gdl::{Game, RelationName, Rule, Sentence, Symbol, SymbolTable, Term, Variable};
use hashbrown::{HashMap, HashSet};

/// The most flat rules that a rulesheet may grow into.
const MAX_RULES: usize = 1 << 19;
/// The most that the cases of one clause may amount to, in conditions.
const MAX_CASES: usize = 1 << 19;
/// The most columns of a relation: 16 bits number them.
const MAX_WIDTH: usize = u16::MAX as usize;
/// The most roles: each asks for its moves by itself.
const MAX_ROLES: usize = 1 << 10;

/// Flattens all clauses.
pub(super) fn flatten(
    game: Game,
    clauses: Vec<Clause>,
    shapes: &Shapes,
) -> Result<Normal, Diagnostic> {
    let mut layout = Layout::new(&game, shapes)?;
    layout.check_widths(&game)?;
    let mut rules = Vec::new();
    let mut known = HashSet::new();
    for clause in clauses {
        let source = clause.source;
        let mut work = 0;
        let mut open = vec![Case { plain: vec![false; usize::from(clause.variables)], clause }];
        while let Some(mut case) = open.pop() {
            work += case.clause.body.len() + case.clause.variables as usize;
            if work > MAX_CASES && !open.is_empty() {
                return Err(too_large(source));
            }
            if !case.simplify(&layout) {
                continue;
            }
            let Some(variables) = shapes.variables(&case.clause) else { continue };
            match case.layouts(&layout) {
                Ok(encodings) => {
                    if let Some(rule) = Flattening::new(&layout, &case, &encodings).rule()?
                        && known.insert((rule.head.clone(), rule.body.clone()))
                    {
                        rules.push(rule);
                    }
                }
                Err(Conflict { variable })
                    if bound_variables(&case.clause.body).contains(&variable) =>
                {
                    case.split(variable, &variables[usize::from(variable.0)], &mut open)?;
                }
                Err(Conflict { variable }) => {
                    let body = std::mem::take(&mut case.clause.body);
                    case.clause.body = case.split_tests(body, variable, shapes)?;
                    open.push(case);
                }
            }
            if rules.len() + open.len() > MAX_RULES {
                return Err(too_large(source));
            }
        }
    }
    let view = |symbol, arity| layout.views[&RelationName { symbol, arity }];
    let (legal, goal, terminal) =
        (view(Symbol::LEGAL, 2), view(Symbol::GOAL, 2), view(Symbol::TERMINAL, 0));
    let does = layout.does;
    let fluents = std::mem::take(&mut layout.fluents);
    let anything = game
        .symbols
        .get(super::clause::ANYTHING)
        .and_then(|symbol| layout.views.get(&RelationName { symbol, arity: 1 }).copied());
    let Layout { relations, tags, .. } = layout;
    Ok(Normal {
        anything,
        tags: tags.numbers,
        game,
        relations,
        rules,
        fluents,
        does,
        legal,
        goal,
        terminal,
    })
}

fn too_large(source: Span) -> Diagnostic {
    Diagnostic::new(
        Code::TooLarge,
        source,
        "the cases of this rule's variables amount to too many rules",
    )
    .with_help("use fewer functions at one argument")
}

/// The functions that have a tag.
#[derive(Default)]
struct Tags {
    numbers: Vec<(Symbol, u16)>,
    places: HashMap<(Symbol, u16), Symbol>,
    first: usize,
    overflow: bool,
}

impl Tags {
    fn number(&mut self, name: Symbol, arity: u16) -> Symbol {
        if let Some(&tag) = self.places.get(&(name, arity)) {
            return tag;
        }
        let number = self.first + self.numbers.len();
        if number >= SymbolTable::CAPACITY {
            self.overflow = true;
            return EMPTY;
        }
        let tag = Symbol::from_index(number as u16);
        self.numbers.push((name, arity));
        self.places.insert((name, arity), tag);
        tag
    }
}

/// The relations and their layouts.
struct Layout {
    relations: Vec<Relation>,
    views: HashMap<RelationName, RelationId>,
    fluents: Vec<FluentRelations>,
    fluent_places: HashMap<Fluent, usize>,
    does: RelationId,
    tags: Tags,
}

impl Layout {
    fn new(game: &Game, shapes: &Shapes) -> Result<Layout, Diagnostic> {
        let mut layout = Layout {
            relations: Vec::new(),
            views: HashMap::new(),
            fluents: Vec::new(),
            fluent_places: HashMap::new(),
            does: RelationId(0),
            tags: Tags { first: game.symbols.len(), ..Tags::default() },
        };
        let nothing = [Shape::default(), Shape::default()];
        let moves = shapes.of(Symbol::DOES, 2).unwrap_or(&nothing);
        layout.does = layout.add(RelationKind::Does, moves);
        if let Some([facts]) = shapes.of(Symbol::TRUE, 1) {
            if facts.constants {
                let constant = Shape { constants: true, ..Shape::default() };
                layout.add_fluent(Fluent::Constants, &[constant]);
            }
            for (&(name, arity), args) in &facts.functions {
                layout.add_fluent(Fluent::Function(name, arity), args);
            }
        }
        let mut names: Vec<RelationName> = shapes
            .relations()
            .filter(|name| !matches!(name.symbol, Symbol::TRUE | Symbol::DOES))
            .collect();
        for (symbol, arity) in [(Symbol::LEGAL, 2), (Symbol::GOAL, 2), (Symbol::TERMINAL, 0)] {
            names.push(RelationName { symbol, arity });
        }
        names.sort_unstable();
        names.dedup();
        for name in names {
            let args = shapes.of(name.symbol, name.arity).unwrap_or_else(|| &nothing[..name.arity]);
            let id = layout.add(RelationKind::View(name), args);
            layout.views.insert(name, id);
        }
        if layout.tags.overflow {
            return Err(Diagnostic::new(
                Code::TooManySymbols,
                Span::default(),
                format!(
                    "the symbols and functions are more than {} together",
                    SymbolTable::CAPACITY
                ),
            )
            .with_help("use fewer names"));
        }
        Ok(layout)
    }

    /// Refuses more roles and wider rows than the engines have numbers for.
    fn check_widths(&self, game: &Game) -> Result<(), Diagnostic> {
        if game.roles.len() > MAX_ROLES {
            let mut roles = game.rules.iter().filter(|rule| rule.head.relation == Symbol::ROLE);
            return Err(Diagnostic::new(
                Code::TooLarge,
                roles.nth(MAX_ROLES).map_or(Span::default(), |rule| rule.span),
                format!("{} roles, more than {MAX_ROLES}", game.roles.len()),
            )
            .with_help("no game needs so many"));
        }
        let Some(wide) = self.relations.iter().find(|relation| relation.width > MAX_WIDTH) else {
            return Ok(());
        };
        let (symbol, arity) = match wide.kind {
            RelationKind::View(name) => (name.symbol, name.arity),
            RelationKind::Does => (Symbol::LEGAL, 2),
            RelationKind::Base(_) | RelationKind::Next(_) | RelationKind::Init(_) => {
                (Symbol::INIT, 1)
            }
        };
        let is_it = |rule: &&Rule| {
            rule.head.relation == symbol && rule.head.args.len() == arity
                || (symbol, rule.head.relation) == (Symbol::INIT, Symbol::NEXT)
        };
        Err(Diagnostic::new(
            Code::TooLarge,
            game.rules.iter().find(is_it).map_or(Span::default(), |rule| rule.span),
            format!(
                "the terms of `{}` have {} parts, more than {MAX_WIDTH}",
                game.symbols.spelling(symbol),
                wide.width
            ),
        )
        .with_help("use terms that are less deep, or relations of fewer arguments"))
    }

    fn add(&mut self, kind: RelationKind, args: &[Shape]) -> RelationId {
        let tags = &mut self.tags;
        let args: Vec<Encoding> = args
            .iter()
            .map(|shape| Encoding::new(shape, &mut |name, arity| tags.number(name, arity)))
            .collect();
        let width = args.iter().map(Encoding::width).sum();
        self.relations.push(Relation { kind, args, width });
        RelationId((self.relations.len() - 1) as u32)
    }

    fn add_fluent(&mut self, fluent: Fluent, args: &[Shape]) {
        let relations = FluentRelations {
            fluent,
            base: self.add(RelationKind::Base(fluent), args),
            next: self.add(RelationKind::Next(fluent), args),
            init: self.add(RelationKind::Init(fluent), args),
        };
        self.fluent_places.insert(fluent, self.fluents.len());
        self.fluents.push(relations);
    }

    /// The flat relation of a sentence and the terms that its columns stand for, or `None`
    /// if it never holds. `plain` says of a variable whether it is a constant.
    fn resolve<'a>(
        &self,
        sentence: &'a Sentence,
        plain: &[bool],
    ) -> Result<Option<(RelationId, &'a [Term])>, Conflict> {
        let pick: fn(&FluentRelations) -> RelationId = match sentence.relation {
            Symbol::TRUE => |f| f.base,
            Symbol::NEXT => |f| f.next,
            Symbol::INIT => |f| f.init,
            Symbol::DOES => return Ok(Some((self.does, &sentence.args))),
            symbol => {
                let name = RelationName { symbol, arity: sentence.args.len() };
                return Ok(self.views.get(&name).map(|&id| (id, &sentence.args[..])));
            }
        };
        let (fluent, args) = match &sentence.args[0] {
            Term::Variable(variable) if !plain[usize::from(variable.0)] => {
                return Err(Conflict { variable: *variable });
            }
            Term::Variable(_) | Term::Constant(_) => (Fluent::Constants, &sentence.args[..]),
            Term::Function(name, args) => (Fluent::Function(*name, args.len() as u16), &args[..]),
        };
        let place = self.fluent_places.get(&fluent);
        Ok(place.map(|&place| (pick(&self.fluents[place]), args)))
    }

    fn args(&self, relation: RelationId) -> &[Encoding] {
        &self.relations[relation.index()].args
    }
}

/// Two occurrences of a variable have different layouts.
struct Conflict {
    variable: Variable,
}

/// A clause in which some variables are known to be constants.
struct Case {
    clause: Clause,
    plain: Vec<bool>,
}

impl Case {
    fn fresh(&mut self, plain: bool) -> Result<Variable, Diagnostic> {
        let variable = Variable(self.clause.variables);
        self.clause.variables =
            variable.0.checked_add(1).ok_or_else(|| too_large(self.clause.source))?;
        self.plain.push(plain);
        Ok(variable)
    }

    /// What a variable of this shape can be: a term of each function, or a constant.
    fn cases(&mut self, shape: &Shape) -> Result<Vec<Term>, Diagnostic> {
        let mut cases = Vec::new();
        for &(name, arity) in shape.functions.keys() {
            let args = (0..arity).map(|_| self.fresh(false).map(Term::Variable));
            cases.push(Term::Function(name, args.collect::<Result<_, _>>()?));
        }
        if shape.constants {
            cases.push(Term::Variable(self.fresh(true)?));
        }
        Ok(cases)
    }

    /// Pushes a clause for each case of a variable.
    fn split(
        mut self,
        variable: Variable,
        shape: &Shape,
        open: &mut Vec<Case>,
    ) -> Result<(), Diagnostic> {
        for term in self.cases(shape)? {
            let mut case = Case { clause: self.clause.clone(), plain: self.plain.clone() };
            case.clause.substitute(variable, &term);
            open.push(case);
        }
        Ok(())
    }

    /// Replaces each test of a variable that only tests mention by tests of its cases: a
    /// negative condition holds if it does in every case, a positive one if in some.
    fn split_tests(
        &mut self,
        conditions: Vec<Condition>,
        variable: Variable,
        shapes: &Shapes,
    ) -> Result<Vec<Condition>, Diagnostic> {
        let mut split = Vec::new();
        for condition in conditions {
            let mut mentioned = false;
            condition.for_each_variable(&mut |v| mentioned |= v == variable);
            match condition {
                Condition::Negative(sentence) if mentioned => {
                    let cases = self.instances(&sentence, variable, shapes)?;
                    split.extend(cases.into_iter().map(Condition::Negative));
                }
                Condition::Positive(sentence) if mentioned => {
                    let cases = self.instances(&sentence, variable, shapes)?;
                    let branches = cases.into_iter().map(|s| vec![Condition::Positive(s)]);
                    split.push(Condition::Any(branches.collect()));
                }
                Condition::Any(branches) if mentioned => {
                    let branches =
                        branches.into_iter().map(|b| self.split_tests(b, variable, shapes));
                    split.push(Condition::Any(branches.collect::<Result<_, _>>()?));
                }
                other => split.push(other),
            }
        }
        Ok(split)
    }

    /// A sentence for each case of a variable that nothing else restricts.
    fn instances(
        &mut self,
        sentence: &Sentence,
        variable: Variable,
        shapes: &Shapes,
    ) -> Result<Vec<Sentence>, Diagnostic> {
        let shape = shapes.variable_of(sentence, variable, self.clause.variables);
        let cases = self.cases(&shape.unwrap_or_default())?;
        let instance = |term: Term| {
            let mut instance = sentence.clone();
            instance.args.iter_mut().for_each(|arg| substitute(arg, variable, &term));
            instance
        };
        Ok(cases.into_iter().map(instance).collect())
    }

    /// Removes conditions that always hold; returns whether the clause can hold.
    fn simplify(&mut self, layout: &Layout) -> bool {
        let mut body = std::mem::take(&mut self.clause.body);
        let holds = self.simplify_all(layout, &mut body);
        self.clause.body = body;
        holds
    }

    fn simplify_all(&mut self, layout: &Layout, body: &mut Vec<Condition>) -> bool {
        let mut kept = Vec::new();
        for mut condition in std::mem::take(body) {
            let known = match &mut condition {
                Condition::Positive(s) => (!self.possible(layout, s)).then_some(false),
                Condition::Negative(s) => (!self.possible(layout, s)).then_some(true),
                Condition::Distinct(a, b) => match compare(a, b) {
                    Comparison::Equal => Some(false),
                    Comparison::Different => Some(true),
                    Comparison::Open => None,
                },
                Condition::Same(a, b) => match compare(a, b) {
                    Comparison::Equal => Some(true),
                    Comparison::Different => Some(false),
                    Comparison::Open => None,
                },
                Condition::Any(branches) => {
                    let mut certain = false;
                    branches.retain_mut(|branch| {
                        let possible = self.simplify_all(layout, branch);
                        certain |= possible && branch.is_empty();
                        possible
                    });
                    match (certain, branches.len()) {
                        (true, _) => Some(true),
                        (false, 0) => Some(false),
                        (false, 1) => {
                            kept.append(&mut branches[0]);
                            continue;
                        }
                        _ => None,
                    }
                }
            };
            match known {
                Some(true) => {}
                Some(false) => return false,
                None => kept.push(condition),
            }
        }
        *body = kept;
        true
    }

    fn possible(&self, layout: &Layout, sentence: &Sentence) -> bool {
        match layout.resolve(sentence, &self.plain) {
            Err(Conflict { .. }) => true,
            Ok(None) => false,
            Ok(Some((relation, args))) => {
                args.iter().zip(layout.args(relation)).all(|(arg, e)| self.fits(arg, e))
            }
        }
    }

    /// Whether a term can stand where there is this layout.
    fn fits(&self, term: &Term, encoding: &Encoding) -> bool {
        match term {
            Term::Constant(_) => encoding.is_tagged(),
            Term::Variable(v) => encoding.is_tagged() || !self.plain[usize::from(v.0)],
            Term::Function(name, args) => match encoding.function(*name, args.len()) {
                None => false,
                Some(f) => args.iter().zip(&f.args).all(|(arg, e)| self.fits(arg, e)),
            },
        }
    }

    /// The layout of every variable, or one whose occurrences have different layouts.
    fn layouts(&self, layout: &Layout) -> Result<Vec<Option<Encoding>>, Conflict> {
        let mut found = Layouts { case: self, encodings: vec![None; self.plain.len()] };
        let mut sentences: Vec<&Sentence> = Vec::new();
        let mut others: Vec<&Sentence> = vec![&self.clause.head];
        for condition in &self.clause.body {
            match condition {
                Condition::Positive(sentence) => sentences.push(sentence),
                other => other.for_each_sentence(&mut |s, _| others.push(s)),
            }
        }
        // Conditions that bind come first, so that they decide where layouts differ.
        for sentence in sentences.into_iter().chain(others) {
            if let Some((relation, args)) = layout.resolve(sentence, &self.plain)? {
                for (arg, encoding) in args.iter().zip(layout.args(relation)) {
                    found.stands(arg, encoding)?;
                }
            }
        }
        for condition in &self.clause.body {
            found.comparisons(condition)?;
        }
        Ok(found.encodings)
    }
}

struct Layouts<'a> {
    case: &'a Case,
    encodings: Vec<Option<Encoding>>,
}

impl Layouts<'_> {
    fn stands(&mut self, term: &Term, encoding: &Encoding) -> Result<(), Conflict> {
        match term {
            Term::Constant(_) => Ok(()),
            Term::Variable(v) if self.case.plain[usize::from(v.0)] => Ok(()),
            Term::Variable(v) => {
                let known =
                    self.encodings[usize::from(v.0)].get_or_insert_with(|| encoding.clone());
                if known == encoding { Ok(()) } else { Err(Conflict { variable: *v }) }
            }
            Term::Function(name, args) => match encoding.function(*name, args.len()) {
                None => Ok(()),
                Some(f) => args.iter().zip(&f.args).try_for_each(|(a, e)| self.stands(a, e)),
            },
        }
    }

    fn comparisons(&mut self, condition: &Condition) -> Result<(), Conflict> {
        match condition {
            Condition::Distinct(a, b) | Condition::Same(a, b) => self.compared(a, b),
            Condition::Any(branches) => {
                branches.iter().flatten().try_for_each(|c| self.comparisons(c))
            }
            Condition::Positive(_) | Condition::Negative(_) => Ok(()),
        }
    }

    fn compared(&mut self, a: &Term, b: &Term) -> Result<(), Conflict> {
        match (a, b) {
            (Term::Variable(v), other) | (other, Term::Variable(v)) => {
                match self.encodings[usize::from(v.0)].clone() {
                    Some(encoding) => self.stands(other, &encoding),
                    None => match other {
                        // A variable that is a constant takes the other's layout.
                        Term::Variable(w) => match self.encodings[usize::from(w.0)].clone() {
                            Some(encoding) => self.stands(&Term::Variable(*v), &encoding),
                            None => Ok(()),
                        },
                        _ => Ok(()),
                    },
                }
            }
            (Term::Function(_, a), Term::Function(_, b)) => {
                a.iter().zip(b).try_for_each(|(a, b)| self.compared(a, b))
            }
            _ => Ok(()),
        }
    }
}

enum Comparison {
    Equal,
    Different,
    Open,
}

/// Whether two terms are equal whatever their variables are.
fn compare(a: &Term, b: &Term) -> Comparison {
    match (a, b) {
        _ if a == b => Comparison::Equal,
        (Term::Variable(_), _) | (_, Term::Variable(_)) => Comparison::Open,
        (Term::Function(f, a), Term::Function(g, b)) if f == g && a.len() == b.len() => {
            let mut result = Comparison::Equal;
            for (a, b) in a.iter().zip(b) {
                match compare(a, b) {
                    Comparison::Equal => {}
                    Comparison::Different => return Comparison::Different,
                    Comparison::Open => result = Comparison::Open,
                }
            }
            result
        }
        _ => Comparison::Different,
    }
}

/// The last step: a clause whose variables all have one layout becomes a flat rule.
struct Flattening<'a> {
    layout: &'a Layout,
    case: &'a Case,
    /// By variable: its layout.
    encodings: &'a [Option<Encoding>],
    /// By variable: its columns.
    columns: Vec<Vec<FlatTerm>>,
    variables: u16,
}

impl<'a> Flattening<'a> {
    fn new(layout: &'a Layout, case: &'a Case, encodings: &'a [Option<Encoding>]) -> Self {
        let mut variables = 0u16;
        let mut columns = Vec::new();
        for (encoding, &plain) in encodings.iter().zip(&case.plain) {
            let width = match encoding {
                _ if plain => 1,
                Some(encoding) => encoding.width(),
                None => 0,
            };
            columns.push(
                (0..width)
                    .map(|_| {
                        variables = variables.saturating_add(1);
                        FlatTerm::Variable(Variable(variables - 1))
                    })
                    .collect(),
            );
        }
        Flattening { layout, case, encodings, columns, variables }
    }

    fn rule(&self) -> Result<Option<FlatRule>, Diagnostic> {
        if self.variables == u16::MAX {
            return Err(too_large(self.case.clause.source));
        }
        let mut body = Vec::new();
        let Some(head) = self.atom(&self.case.clause.head, &mut Vec::new()) else {
            return Ok(None);
        };
        if !self.literals(&self.case.clause.body, &mut body) {
            return Ok(None);
        }
        let mut seen = HashSet::new();
        body.retain(|literal| seen.insert(literal.clone()));
        Ok(Some(FlatRule {
            head,
            body,
            variables: self.variables,
            source: self.case.clause.source,
        }))
    }

    /// Appends the flat conditions; returns false if they can never hold.
    fn literals(&self, conditions: &[Condition], out: &mut Vec<FlatLiteral>) -> bool {
        for condition in conditions {
            match condition {
                Condition::Positive(sentence) => match self.atom(sentence, out) {
                    Some(atom) => out.push(FlatLiteral::Positive(atom)),
                    None => return false,
                },
                Condition::Negative(sentence) => {
                    if let Some(atom) = self.atom(sentence, &mut Vec::new()) {
                        out.push(FlatLiteral::Negative(atom));
                    }
                }
                Condition::Distinct(a, b) => {
                    let mut pairs = Vec::new();
                    match self.pairs(a, b, &mut pairs) {
                        None => {}
                        Some(()) if pairs.is_empty() => return false,
                        Some(()) => out.push(FlatLiteral::Distinct(pairs)),
                    }
                }
                Condition::Same(a, b) => {
                    let mut pairs = Vec::new();
                    match self.pairs(a, b, &mut pairs) {
                        None => return false,
                        Some(()) if pairs.is_empty() => {}
                        Some(()) => out.push(FlatLiteral::Same(pairs)),
                    }
                }
                Condition::Any(branches) => {
                    let mut flat = Vec::new();
                    let mut certain = false;
                    for branch in branches {
                        let mut literals = Vec::new();
                        if self.literals(branch, &mut literals) {
                            certain |= literals.is_empty();
                            flat.push(literals);
                        }
                    }
                    match (certain, flat.len()) {
                        (true, _) => {}
                        (false, 0) => return false,
                        (false, 1) => out.append(&mut flat[0]),
                        _ => out.push(FlatLiteral::Any(flat)),
                    }
                }
            }
        }
        true
    }

    /// The flat atom of a sentence. A column that a variable which is a constant takes may
    /// hold the tag of a function without columns: `guards` exclude that. They are needed
    /// where the variable is bound, and so in no head and no negative condition.
    fn atom(&self, sentence: &Sentence, guards: &mut Vec<FlatLiteral>) -> Option<FlatAtom> {
        let (relation, terms) = self.layout.resolve(sentence, &self.case.plain).ok()??;
        let mut args = Vec::new();
        for (term, encoding) in terms.iter().zip(self.layout.args(relation)) {
            self.columns(term, encoding, &mut args, guards)?;
        }
        Some(FlatAtom { relation, args })
    }

    fn columns(
        &self,
        term: &Term,
        encoding: &Encoding,
        out: &mut Vec<FlatTerm>,
        guards: &mut Vec<FlatLiteral>,
    ) -> Option<()> {
        let end = out.len() + encoding.width();
        match term {
            Term::Constant(symbol) => {
                if !encoding.is_tagged() {
                    return None;
                }
                out.push(FlatTerm::Constant(*symbol));
            }
            Term::Variable(v) => {
                let columns = &self.columns[usize::from(v.0)];
                if self.case.plain[usize::from(v.0)] {
                    if !encoding.is_tagged() {
                        return None;
                    }
                    for tag in encoding.bare_tags() {
                        guards.push(FlatLiteral::Distinct(vec![(
                            columns[0],
                            FlatTerm::Constant(tag),
                        )]));
                    }
                }
                out.extend(columns);
            }
            Term::Function(name, args) => {
                let function = encoding.function(*name, args.len())?;
                if encoding.is_tagged() {
                    out.push(FlatTerm::Constant(function.tag));
                }
                for (arg, encoding) in args.iter().zip(&function.args) {
                    self.columns(arg, encoding, out, guards)?;
                }
            }
        }
        out.resize(end, FlatTerm::Constant(EMPTY));
        Some(())
    }

    /// Appends the pairs of columns that are equal just if the terms are; `None` if the
    /// terms always differ.
    fn pairs(&self, a: &Term, b: &Term, out: &mut Vec<(FlatTerm, FlatTerm)>) -> Option<()> {
        let (left, right) = match (a, b) {
            (Term::Variable(v), other) | (other, Term::Variable(v)) => {
                let mine = &self.columns[usize::from(v.0)];
                let plain = self.case.plain[usize::from(v.0)];
                let theirs = match other {
                    Term::Constant(_) if self.is_compound(*v) => return None,
                    Term::Constant(symbol) => vec![FlatTerm::Constant(*symbol)],
                    Term::Variable(w) if self.is_compound(*v) != self.is_compound(*w) => {
                        return None;
                    }
                    Term::Variable(w) => self.columns[usize::from(w.0)].clone(),
                    Term::Function(..) if plain => return None,
                    Term::Function(..) => {
                        let encoding = self.encodings[usize::from(v.0)].as_ref()?;
                        let mut columns = Vec::new();
                        self.columns(other, encoding, &mut columns, &mut Vec::new())?;
                        columns
                    }
                };
                (mine.clone(), theirs)
            }
            (Term::Function(f, a), Term::Function(g, b)) if f == g && a.len() == b.len() => {
                return a.iter().zip(b).try_for_each(|(a, b)| self.pairs(a, b, out));
            }
            _ => match compare(a, b) {
                Comparison::Equal => return Some(()),
                _ => return None,
            },
        };
        let width = left.len().max(right.len());
        let column =
            |side: &[FlatTerm], i: usize| side.get(i).copied().unwrap_or(FlatTerm::Constant(EMPTY));
        for i in 0..width {
            match (column(&left, i), column(&right, i)) {
                (a, b) if a == b => {}
                (FlatTerm::Constant(_), FlatTerm::Constant(_)) => return None,
                (a, b) => out.push((a, b)),
            }
        }
        Some(())
    }

    /// Whether a variable's columns are those of the only function that it can be a term of.
    /// Any other variable of the same comparison is a constant, or has the same layout.
    fn is_compound(&self, variable: Variable) -> bool {
        let variable = usize::from(variable.0);
        !self.case.plain[variable]
            && self.encodings[variable].as_ref().is_some_and(|encoding| !encoding.is_tagged())
    }
}
