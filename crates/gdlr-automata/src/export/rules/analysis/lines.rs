//! Rules that ask the same of each square of a line, as walks from square to square.
//!
//! Such a rule asks about one square, and a relation of its own asks about the squares behind it in
//! a direction. If one of the squares has just changed, the walk first goes back from this square,
//! as long as the conditions hold. If a line goes through the square, then a line begins where the
//! walk turns.
//!
//! ```text
//! (<= (four ?p) (disc ?a ?p) (disc ?b ?p) (disc ?c ?p) (rows ?a ?b ?c))
//!
//! (<= (four ?p) (disc ?a ?p) (four_from ?d ?a ?p))
//! (<= (four_from ?d ?a ?p) (step ?d ?a ?b) (disc ?b ?p) (step ?d ?b ?c) (disc ?c ?p))
//! (<= (four_through ?a ?p) (four_back ?d ?a ?p))
//! (<= (four_back ?d ?b ?p) (step ?d ?a ?b) (disc ?a ?p) (four_back ?d ?a ?p))
//! (<= (four_back ?d ?a ?p) (four_from ?d ?a ?p))
//! ```

use super::cycles::is_acyclic;
use super::directions::{Direction, name_of_way, united};
use super::join::of_literal;
use super::line_form::{Form, LinesOfRule, SQUARE, places};
use super::line_rules::Walk;
use super::pairs::Pairs;
use super::relations::{RelationInfo, Relations};
use super::sets::SetId;
use super::state::Shapes;
use super::symbols::Symbols;
use super::unfold::atoms;
use crate::export::rules::Stop;
use gdlr_rules::gdl::{Symbol, Variable};
use gdlr_rules::normal::{FlatAtom, FlatLiteral, FlatRule, FlatTerm, RelationId};
use gdlr_text::diagnostic::Span;
use hashbrown::{HashMap, HashSet};
use std::collections::{BTreeMap, BTreeSet};

/// The most directions of lines.
const MOST_DIRECTIONS: usize = 8;
/// The relations that test lines.
#[derive(Debug, Default)]
pub struct Lines {
    /// By relation that goes on from a square in a direction: the test of a line through the
    /// square.
    through: HashMap<RelationId, Through>,
    /// The relations that go back along a line.
    back: HashSet<RelationId>,
    /// By relation that tests lines: its name.
    names: HashMap<RelationId, String>,
    widths: HashMap<RelationId, usize>,
    /// The relations of steps.
    steps: HashSet<RelationId>,
    /// The symbols of directions, by their steps.
    symbols: HashMap<BTreeMap<Symbol, Symbol>, Symbol>,
}

/// The test of a line through a known square.
#[derive(Clone, Copy, Debug)]
struct Through {
    /// The relation of the test. It has the columns of the line from the square on.
    relation: RelationId,
    /// The column of the square.
    square: usize,
}

impl Lines {
    /// The name of a relation that tests lines.
    pub fn name(&self, relation: RelationId) -> Option<&str> {
        self.names.get(&relation).map(|name| &name[..])
    }

    /// The number of columns of a relation that tests lines.
    pub fn width(&self, relation: RelationId) -> Option<usize> {
        self.widths.get(&relation).copied()
    }

    /// The comment for the check of a relation that tests lines.
    pub fn text(&self, relation: RelationId) -> Option<&'static str> {
        match relation {
            _ if self.goes_back(relation) => Some("Back as far as the same holds, and then forth:"),
            _ if self.is_through(relation) => Some("A line through a square:"),
            _ if self.is_line(relation) => Some("A line from a square on:"),
            _ => None,
        }
    }

    /// Whether a relation has the steps of directions.
    pub fn is_step(&self, relation: RelationId) -> bool {
        self.steps.contains(&relation)
    }

    /// Whether a relation tests a line from a square on.
    pub fn is_line(&self, relation: RelationId) -> bool {
        self.through.contains_key(&relation)
    }

    /// Whether a relation tests a line through a square.
    pub fn is_through(&self, relation: RelationId) -> bool {
        self.through.values().any(|through| through.relation == relation)
    }

    /// Whether a relation goes back along a line.
    pub fn goes_back(&self, relation: RelationId) -> bool {
        self.back.contains(&relation)
    }

    /// The rule with a test of a line through a square, in place of a line from the square on; and
    /// the variable of the square.
    pub fn through_square(&self, rule: &FlatRule) -> Option<(FlatRule, Variable)> {
        let line = rule.body.iter().enumerate().find_map(|(place, literal)| {
            let FlatLiteral::Positive(atom) = literal else { return None };
            Some((place, atom, *self.through.get(&atom.relation)?))
        });
        let (place, atom, through) = line?;
        let FlatTerm::Variable(square) = atom.args[through.square] else { return None };
        let args = atom.args[through.square..].to_vec();
        let mut body = rule.body.clone();
        body[place] = FlatLiteral::Positive(FlatAtom { relation: through.relation, args });
        Some((FlatRule { body, ..rule.clone() }, square))
    }
}

impl Relations<'_> {
    /// The rules of a relation. Rules about lines become walks.
    pub fn walked(
        &mut self,
        rules: Vec<FlatRule>,
        shapes: &Shapes,
        symbols: &mut Symbols<'_>,
    ) -> Result<Vec<FlatRule>, Stop> {
        let mut all: Vec<(LinesOfRule, Vec<usize>)> = Vec::new();
        for (place, rule) in rules.iter().enumerate() {
            self.input.meter.spend(rule.body.len() + 1)?;
            let Some(line) = self.lines_of(rule, symbols)? else { continue };
            match all.iter_mut().find(|(other, _)| other.form == line.form) {
                None => all.push((line, vec![place])),
                Some((other, own)) => {
                    other.directions.extend(line.directions);
                    own.push(place);
                }
            }
        }
        let mut walked: HashMap<usize, FlatRule> = HashMap::new();
        let mut gone: BTreeSet<usize> = BTreeSet::new();
        for (line, own) in all {
            let source = rules[own[0]].source;
            let Some(rule) = self.write_line(line, source, shapes, symbols)? else { continue };
            let others: Vec<Span> = own[1..].iter().map(|&place| rules[place].source).collect();
            self.quotes.also(source, others);
            gone.extend(own[1..].iter().copied());
            walked.insert(own[0], rule);
        }
        let left = rules.into_iter().enumerate().filter(|(place, _)| !gone.contains(place));
        Ok(left.map(|(place, rule)| walked.remove(&place).unwrap_or(rule)).collect())
    }

    /// Adds the relations for lines. Returns the rule that asks for them. `None` if they have too
    /// many directions.
    fn write_line(
        &mut self,
        line: LinesOfRule,
        source: Span,
        shapes: &Shapes,
        symbols: &mut Symbols<'_>,
    ) -> Result<Option<FlatRule>, Stop> {
        let LinesOfRule { form, directions, name } = line;
        let squares: BTreeSet<Symbol> =
            directions.iter().flat_map(|own| own.walks.iter().flatten().copied()).collect();
        let places = places(&squares, symbols);
        let place = |square: Symbol| places.get(&square).copied();
        self.input.meter.spend(directions.iter().map(|own| own.walks.len()).sum())?;
        let directions = united(directions, &place).into_iter();
        let directions: Vec<Direction> = directions.map(|own| own.extended(&places)).collect();
        if directions.len() > MOST_DIRECTIONS {
            return Ok(None);
        }
        let own: BTreeSet<Variable> = form.test.iter().flat_map(of_literal).collect();
        let args: Vec<Variable> = own.into_iter().filter(|v| *v != SQUARE).collect();
        let Some(sets) = self.sets_of_line(&form, &args, shapes, symbols) else { return Ok(None) };
        let turns = directions.iter().any(|own| {
            let steps = own.steps.iter().map(|(&from, &to)| (vec![from], vec![to]));
            !is_acyclic(steps)
        });
        let (step, all) = self.write_steps(&directions, name.as_deref(), symbols)?;
        let wanted = self.plain_name(form.head.relation);
        let mut columns: Vec<(String, SetId)> = Vec::new();
        columns.extend(all.map(|set| ("direction".to_owned(), set)));
        let square = columns.len();
        columns.extend(sets);
        let from = self.relation_of_line(&format!("{wanted}_from"), &columns, symbols);
        let through =
            self.relation_of_line(&format!("{wanted}_through"), &columns[square..], symbols);
        // The last column is the first square of the walk, if the walk may return there.
        let began = turns.then(|| columns[square].clone());
        columns.extend(began);
        let back = match all.is_some() || turns {
            true => self.relation_of_line(&format!("{wanted}_back"), &columns, symbols),
            false => through,
        };
        let direction = all.map(|_| Variable(form.variables));
        let walk = Walk { form: &form, args, direction, turns, step, from, back, source };
        let reads = self.reads_of(&form.test, shapes);
        self.add_line(from, vec![walk.goes_on()], None, &reads);
        self.add_line(back, walk.goes_back(), Some(back.index()), &reads);
        if back != through {
            self.add_line(through, vec![walk.goes_through(through)], None, &reads);
        }
        self.lines.back.insert(back);
        self.lines.through.insert(from, Through { relation: through, square });
        Ok(Some(walk.begins()))
    }

    /// The base relations on which conditions about squares depend.
    fn reads_of(&self, test: &[FlatLiteral], shapes: &Shapes) -> HashSet<RelationId> {
        let mut reads = HashSet::new();
        for literal in test {
            atoms(literal, &mut |atom| {
                if shapes.contains_key(&atom.relation) {
                    reads.insert(atom.relation);
                }
                reads.extend(self.infos[atom.relation.index()].reads.iter().copied());
            });
        }
        reads
    }

    /// Adds the rules of a relation.
    fn add_line(
        &mut self,
        relation: RelationId,
        rules: Vec<FlatRule>,
        group: Option<usize>,
        reads: &HashSet<RelationId>,
    ) {
        let first = self.rules.len();
        self.rules.extend(rules);
        let rules = (first..self.rules.len()).collect();
        let reads = reads.clone();
        self.infos[relation.index()] = RelationInfo { rules, group, asks_moves: false, reads };
    }

    /// The names and the sets of the columns of a relation that tests lines.
    fn sets_of_line(
        &self,
        form: &Form,
        args: &[Variable],
        shapes: &Shapes,
        symbols: &mut Symbols<'_>,
    ) -> Option<Vec<(String, SetId)>> {
        let mut domains = vec![None; usize::from(form.variables)];
        let body: Vec<FlatLiteral> = form.context.iter().chain(&form.test).cloned().collect();
        symbols.narrow(&mut domains, &body, |_| false, self, shapes);
        let mut sets = Vec::new();
        for &v in [SQUARE].iter().chain(args) {
            let mut hint = None;
            for literal in form.test.iter().chain(&form.context) {
                atoms(literal, &mut |atom| {
                    let column = atom.args.iter().position(|term| *term == FlatTerm::Variable(v));
                    let own = column.map(|column| self.hint(self.origin(atom.relation), column));
                    hint = hint.take().or(own);
                });
            }
            sets.push((hint?, domains[usize::from(v.0)]?));
        }
        Some(sets)
    }

    /// The relation of the steps of directions, and the set of the directions.
    fn write_steps(
        &mut self,
        directions: &[Direction],
        name: Option<&str>,
        symbols: &mut Symbols<'_>,
    ) -> Result<(RelationId, Option<SetId>), Stop> {
        let mut rows = Vec::new();
        let mut all = Vec::new();
        for direction in directions {
            let own = match directions {
                [_] => None,
                _ => Some(self.symbol_of_direction(direction, name, &mut symbols.pairs)?),
            };
            all.extend(own);
            let steps = direction.steps.iter();
            rows.extend(steps.map(|(&from, &to)| own.into_iter().chain([from, to]).collect()));
        }
        self.input.meter.spend(rows.len())?;
        let mut hints = Vec::new();
        hints.extend((!all.is_empty()).then(|| "direction".to_owned()));
        hints.extend(["square", "square"].map(str::to_owned));
        let relation = self.known_relation("step", rows, hints);
        self.lines.steps.insert(relation);
        let set = (!all.is_empty()).then(|| symbols.set(all));
        Ok((relation, set))
    }

    fn symbol_of_direction(
        &mut self,
        direction: &Direction,
        name: Option<&str>,
        pairs: &mut Pairs,
    ) -> Result<Symbol, Stop> {
        if let Some(&known) = self.lines.symbols.get(&direction.steps) {
            return Ok(known);
        }
        let own = direction.delta.and_then(name_of_way).or(name).unwrap_or("way");
        let is_taken = |text: &String| {
            self.lines.symbols.values().any(|&other| pairs.name(other) == Some(text))
        };
        let numbered = (2..).map(|number| format!("{own}_{number}"));
        let mut names = std::iter::once(own.to_owned()).chain(numbered);
        let text = names.find(|text| !is_taken(text)).unwrap_or_default();
        let symbol = pairs.named(&text).ok_or(Stop::Broken("too many directions"))?;
        self.lines.symbols.insert(direction.steps.clone(), symbol);
        Ok(symbol)
    }

    /// A new relation with these columns.
    fn relation_of_line(
        &mut self,
        name: &str,
        columns: &[(String, SetId)],
        symbols: &mut Symbols<'_>,
    ) -> RelationId {
        let relation = RelationId(self.infos.len() as u32);
        self.origins.push(relation);
        self.infos.push(RelationInfo::default());
        self.lines.names.insert(relation, name.to_owned());
        self.lines.widths.insert(relation, columns.len());
        for (column, (hint, set)) in columns.iter().enumerate() {
            self.hints.name(relation, column, hint.clone());
            symbols.columns.insert((relation, column), *set);
        }
        relation
    }
}
