//! Random rulesheets that are stratified, safe and finite by construction.
//!
//! Proptest draws and shrinks a [`Genome`]: lists of lists of small numbers, any of
//! which means a rulesheet. [`Genome::program`] reads it like this:
//!
//! * Every position of a relation or fluent has a level: the terms there are constants
//!   (level 0), or also functions of constants (1), or also functions of those (2); any fact
//!   has level 3, which no head takes. A
//!   variable has the lowest level of the positions that bind it, and a head only takes
//!   terms of the level of its position, so that no term can grow.
//! * The relations are in order: those without conditions on the state, those on `true`,
//!   those on `does`; and cut into groups. Conditions come from the relations up to the end
//!   of the own group, and below `not` from the groups before, so recursion is positive.
//! * Variables in heads, `not` and `distinct` are those that a condition before has bound;
//!   or that occur nowhere else, directly below a `not`. Then the order is mixed.
//!
//! Smaller numbers and shorter lists mean simpler text.
// Each test that includes this module uses a part of it.
#![allow(dead_code, reason = "a test uses a part of it")]

pub mod odd;

use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fmt;

/// A rulesheet as text to be.
#[derive(Clone, PartialEq, Eq)]
pub struct Program {
    /// The roles, which keep their order.
    pub roles: Vec<Clause>,
    /// Everything else, in any order.
    pub clauses: Vec<Clause>,
}

/// A rule or fact.
#[derive(Clone, PartialEq, Eq)]
pub struct Clause {
    pub head: Item,
    pub body: Vec<Item>,
}

impl Clause {
    /// Whether this is a fact of the initial state.
    pub fn is_init(&self) -> bool {
        self.body.is_empty()
            && matches!(&self.head, Item::List(items) if items.first() == Some(&atom("init")))
    }
}

/// An expression of KIF.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Item {
    Atom(String),
    List(Vec<Item>),
}

fn atom(text: &str) -> Item {
    Item::Atom(text.to_owned())
}

fn list(name: &str, rest: impl IntoIterator<Item = Item>) -> Item {
    Item::List(std::iter::once(atom(name)).chain(rest).collect())
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Item::Atom(text) => f.write_str(text),
            Item::List(items) => {
                f.write_str("(")?;
                for (place, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if place > 0 { " " } else { "" })?;
                }
                f.write_str(")")
            }
        }
    }
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.body.is_empty() {
            return write!(f, "{}", self.head);
        }
        write!(f, "(<= {}", self.head)?;
        self.body.iter().try_for_each(|literal| write!(f, "\n    {literal}"))?;
        f.write_str(")")
    }
}

/// The rulesheet.
impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.roles.iter().chain(&self.clauses).try_for_each(|clause| writeln!(f, "{clause}"))
    }
}

/// The rulesheet, so that failures are readable.
impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}")
    }
}

impl Program {
    /// The same meaning in another text: clauses and conditions in another order, variables
    /// with other names.
    pub fn shuffled(&self, seed: u64) -> Program {
        let mut order: Vec<usize> = (0..self.clauses.len()).collect();
        order.sort_by_key(|&place| scatter(place as u64, seed));
        let clauses = order.iter().map(|&place| {
            let clause = &self.clauses[place];
            let mut body: Vec<Item> = clause.body.iter().map(renamed).collect();
            if !body.is_empty() {
                let turn = scatter(place as u64, seed + 1) as usize % body.len();
                body.rotate_left(turn);
            }
            body.reverse();
            Clause { head: renamed(&clause.head), body }
        });
        Program { roles: self.roles.clone(), clauses: clauses.collect() }
    }
}

fn scatter(value: u64, seed: u64) -> u64 {
    (value ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 20
}

fn renamed(item: &Item) -> Item {
    match item {
        Item::Atom(text) if text.starts_with('?') => Item::Atom(format!("{text}_v")),
        Item::Atom(_) => item.clone(),
        Item::List(items) => Item::List(items.iter().map(renamed).collect()),
    }
}

/// Numbers that mean a rulesheet.
#[derive(Clone, Debug)]
pub struct Genome {
    roles: u8,
    relations: Vec<Vec<u8>>,
    fluents: Vec<Vec<u8>>,
    facts: Vec<Vec<u8>>,
    init: Vec<Vec<u8>>,
    rules: Vec<RuleGenes>,
    next: Vec<RuleGenes>,
    legal: Vec<RuleGenes>,
    goal: Vec<RuleGenes>,
    terminal: Vec<RuleGenes>,
    sees: Vec<RuleGenes>,
}

/// The genes of a head and of conditions.
#[derive(Clone, Debug)]
struct RuleGenes {
    head: Vec<u8>,
    body: Vec<Vec<u8>>,
}

fn rules(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<RuleGenes>> {
    let rule = (vec(any::<u8>(), 12), vec(vec(any::<u8>(), 16), 1..4));
    vec(rule.prop_map(|(head, body)| RuleGenes { head, body }), count)
}

/// Any rulesheet.
pub fn programs() -> impl Strategy<Value = Program> {
    let genes = |length: usize, count| vec(vec(any::<u8>(), length), count);
    (
        any::<u8>(),
        genes(6, 2..9),
        genes(5, 1..5),
        genes(8, 2..24),
        genes(8, 2..10),
        rules(1..12),
        rules(2..9),
        rules(1..5),
        rules(0..4),
        rules(0..4),
        rules(0..4),
    )
        .prop_map(|genes| {
            let (roles, relations, fluents, facts, init, rules, next, legal, goal, terminal, sees) =
                genes;
            let genome = Genome {
                roles,
                relations,
                fluents,
                facts,
                init,
                rules,
                next,
                legal,
                goal,
                terminal,
                sees,
            };
            genome.program()
        })
}

/// A list of genes that is read from the front; behind its end all genes are 0.
struct Genes<'g>(std::slice::Iter<'g, u8>);

impl Genes<'_> {
    fn next(&mut self) -> usize {
        self.0.next().copied().map_or(0, usize::from)
    }

    fn below(&mut self, limit: usize) -> usize {
        self.next() % limit
    }
}

fn genes(bytes: &[u8]) -> Genes<'_> {
    Genes(bytes.iter())
}

/// The relations on which a relation may depend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Static,
    State,
    Step,
}

/// A relation or fluent: its name and the level of each position.
#[derive(Clone, Debug)]
struct Signature {
    name: &'static str,
    /// Brackets around the name when there are no positions.
    brackets: bool,
    levels: Vec<u8>,
    kind: Kind,
    group: usize,
}

impl Signature {
    fn new(genes: &mut Genes, names: &[&'static str]) -> Signature {
        let name = names[genes.below(names.len())];
        let arity = [1, 2, 2, 1, 3, 0][genes.below(6)];
        let mut levels = vec![0; arity];
        // At most two positions of level 1, or one of level 2, so that relations stay small.
        match genes.below(8) {
            3 | 4 if arity > 0 => levels[0] = 1,
            5 if arity > 0 => levels[arity - 1] = 1,
            6 if arity > 1 => levels[..2].fill(1),
            7 if arity > 0 => levels[arity - 1] = 2,
            _ => {}
        }
        let brackets = genes.below(4) == 1;
        Signature { name, brackets, levels, kind: Kind::Static, group: 0 }
    }

    fn item(&self, args: Vec<Item>) -> Item {
        if args.is_empty() && !self.brackets { atom(self.name) } else { list(self.name, args) }
    }
}

/// `base` and `input` are names like any other, where rules ask for them.
const RELATIONS: [&str; 7] = ["p", "q", "edge", "reach", "s", "base", "input"];
const FLUENTS: [&str; 5] = ["at", "on", "p", "f", "base"];
const CONSTANTS: [&str; 6] = ["a", "b", "1", "red", "h", "input"];
/// The last one is compound, and as good as a constant: nothing can be put into it.
const ROLES: [&str; 3] = ["red", "blue", "(team a)"];
const VARIABLES: [&str; 4] = ["?x", "?y", "?z", "?w"];

/// The variables that are bound, with their levels.
type Bound = BTreeMap<&'static str, u8>;

struct Decoder {
    roles: usize,
    relations: Vec<Signature>,
    fluents: Vec<Signature>,
    /// The variables that occur nowhere else, so far in the rule at hand.
    local: usize,
}

impl Genome {
    /// The rulesheet that the numbers mean.
    fn program(&self) -> Program {
        let mut decoder = Decoder {
            roles: 1 + usize::from(self.roles) % 3,
            relations: self.relations(),
            fluents: self.fluents(),
            local: 0,
        };
        let roles = ROLES[..decoder.roles].iter();
        let roles = roles.map(|role| fact(list("role", [atom(role)]))).collect();
        let mut clauses = vec![Clause {
            head: list("legal", [atom("?r"), atom("a")]),
            body: vec![list("role", [atom("?r")])],
        }];
        for bytes in &self.facts {
            let mut genes = genes(bytes);
            let relation = &decoder.relations[genes.below(decoder.relations.len())];
            if relation.kind == Kind::Static {
                clauses.push(fact(relation.item(decoder.ground(&mut genes, &relation.levels))));
            }
        }
        for bytes in &self.init {
            let mut genes = genes(bytes);
            let fluent = &decoder.fluents[genes.below(decoder.fluents.len())];
            let item = fluent.item(decoder.ground(&mut genes, &fluent.levels));
            clauses.push(fact(list("init", [item])));
        }
        for rule in &self.rules {
            let number = genes(&rule.head).next() % decoder.relations.len();
            let relation = decoder.relations[number].clone();
            let (args, body) =
                decoder.rule(rule, relation.kind, relation.group, &relation.levels, 1);
            clauses.push(Clause { head: relation.item(args), body });
        }
        for rule in &self.next {
            clauses.push(decoder.next(rule));
        }
        clauses.extend(self.hints(&decoder.relations));
        for rule in &self.legal {
            let (mut args, body) = decoder.rule(rule, Kind::State, usize::MAX, &[0, 2], 1);
            let role = genes(&rule.head).next();
            if role % 2 == 1 {
                args[0] = atom(ROLES[role / 2 % decoder.roles]);
            }
            clauses.push(Clause { head: list("legal", args), body });
        }
        for rule in &self.goal {
            let (_, body) = decoder.rule(rule, Kind::State, usize::MAX, &[], 0);
            let mut genes = genes(&rule.head);
            let role = atom(ROLES[genes.below(decoder.roles)]);
            let value = atom(["100", "0", "50", "7", "a", "101"][genes.below(6)]);
            clauses.push(Clause { head: list("goal", [role, value]), body });
        }
        for rule in &self.terminal {
            let (_, body) = decoder.rule(rule, Kind::State, usize::MAX, &[], 0);
            clauses.push(Clause { head: atom("terminal"), body });
        }
        for rule in &self.sees {
            let (mut args, body) = decoder.rule(rule, Kind::Step, usize::MAX, &[0, 2], 1);
            let role = genes(&rule.head).next();
            if role % 2 == 1 {
                args[0] = atom(ROLES[role / 2 % decoder.roles]);
            }
            clauses.push(Clause { head: list("sees", args), body });
        }
        Program { roles, clauses }
    }

    /// Hints that list nothing, or what they cannot know, in half of the programs.
    fn hints(&self, relations: &[Signature]) -> Vec<Clause> {
        let is_relation = |name, arity| {
            relations.iter().any(|other| (other.name, other.levels.len()) == (name, arity))
        };
        let mut hints = Vec::new();
        if self.roles % 2 == 1 && !is_relation("base", 1) {
            hints.push(fact(list("base", [list("f", [atom("?x")])])));
        }
        if self.roles % 2 == 1 && !is_relation("input", 2) {
            let args = [atom("?r"), list("f", [atom("?m")])];
            hints.push(Clause {
                head: list("input", args),
                body: vec![list("does", [atom("?r"), atom("?m")])],
            });
        }
        hints
    }

    fn relations(&self) -> Vec<Signature> {
        let mut relations: Vec<(Signature, bool)> = Vec::new();
        for bytes in &self.relations {
            let mut genes = genes(bytes);
            let kind = [Kind::Static, Kind::State, Kind::Step][genes.below(3)];
            let cut = genes.below(2) == 0;
            let signature = Signature { kind, ..Signature::new(&mut genes, &RELATIONS) };
            let same = |other: &Signature| {
                (other.name, other.levels.len()) == (signature.name, signature.levels.len())
            };
            if !relations.iter().any(|(other, _)| same(other)) {
                relations.push((signature, cut));
            }
        }
        relations.sort_by_key(|(signature, _)| signature.kind);
        let mut group = 0;
        for place in 1..relations.len() {
            let change = relations[place].0.kind != relations[place - 1].0.kind;
            group += usize::from(change || relations[place].1);
            relations[place].0.group = group;
        }
        relations.into_iter().map(|(signature, _)| signature).collect()
    }

    fn fluents(&self) -> Vec<Signature> {
        let mut fluents: Vec<Signature> = Vec::new();
        for bytes in &self.fluents {
            let new = Signature::new(&mut genes(bytes), &FLUENTS);
            // A function of no arguments is not the constant of its name.
            let same = |other: &Signature| {
                (other.name, other.levels.len()) == (new.name, new.levels.len())
                    && (!new.levels.is_empty() || other.brackets == new.brackets)
            };
            if !fluents.iter().any(same) {
                fluents.push(new);
            }
        }
        fluents
    }
}

fn fact(head: Item) -> Clause {
    Clause { head, body: Vec::new() }
}

impl Decoder {
    /// The head's arguments and the body of a rule; the first genes of the head are skipped.
    fn rule(
        &mut self,
        rule: &RuleGenes,
        kind: Kind,
        group: usize,
        levels: &[u8],
        skip: usize,
    ) -> (Vec<Item>, Vec<Item>) {
        self.local = 0;
        let mut bound = Bound::new();
        let mut body: Vec<Item> = Vec::new();
        for bytes in &rule.body {
            body.push(self.literal(&mut genes(bytes), kind, group, &mut bound));
        }
        let mut head = genes(rule.head.get(skip..).unwrap_or(&[]));
        let args = levels.iter().map(|&level| self.term(&mut head, level, &bound)).collect();
        let turn = head.below(body.len());
        body.rotate_left(turn);
        (args, body)
    }

    fn next(&mut self, rule: &RuleGenes) -> Clause {
        let mut head = genes(&rule.head);
        let fluent = self.fluents[head.below(self.fluents.len())].clone();
        let (args, mut body) = self.rule(rule, Kind::Step, usize::MAX, &fluent.levels, 2);
        let item = if head.below(4) == 3 {
            // A frame for all facts.
            body.push(list("true", [atom("?fact")]));
            atom("?fact")
        } else {
            fluent.item(args)
        };
        Clause { head: list("next", [item]), body }
    }

    /// A condition of a rule of a relation of this kind and group.
    fn literal(&mut self, genes: &mut Genes, kind: Kind, group: usize, bound: &mut Bound) -> Item {
        match genes.below(16) {
            8 | 9 => {
                let inner = self.test(genes, kind, group, bound, 1);
                list("not", [inner])
            }
            10 if !bound.is_empty() => self.distinct(genes, bound),
            11 | 12 => {
                // Variables that all ways bind are bound behind the `or`.
                let mut ways = Vec::new();
                let mut common: Option<Bound> = None;
                for _ in 0..2 + genes.below(2) {
                    let mut inside = bound.clone();
                    ways.push(self.literal(genes, kind, group, &mut inside));
                    common = Some(match common {
                        None => inside,
                        Some(known) => known
                            .into_iter()
                            .filter_map(|(name, level)| {
                                inside.get(name).map(|&other| (name, level.max(other)))
                            })
                            .collect(),
                    });
                }
                *bound = common.unwrap_or_default();
                list("or", ways)
            }
            13 => self.test(genes, kind, group, bound, 2),
            _ => self.sentence(genes, kind, group, Some(bound)),
        }
    }

    /// A condition over bound variables only, or with `not` around some that occur nowhere
    /// else; all its relations are of groups before.
    fn test(
        &mut self,
        genes: &mut Genes,
        kind: Kind,
        group: usize,
        bound: &mut Bound,
        depth: usize,
    ) -> Item {
        match genes.below(8) {
            5 if !bound.is_empty() => self.distinct(genes, bound),
            6 if depth < 3 => {
                let ways = (0..1 + genes.below(3))
                    .map(|_| self.test(genes, kind, group, bound, depth + 1))
                    .collect::<Vec<_>>();
                list("or", ways)
            }
            7 if depth < 3 => {
                let inner = self.test(genes, kind, group, bound, depth + 1);
                list("not", [inner])
            }
            _ if depth == 1 => self.negated(genes, kind, group, bound),
            _ => self.bound_sentence(genes, kind, group, bound),
        }
    }

    fn distinct(&mut self, genes: &mut Genes, bound: &Bound) -> Item {
        let left = self.term(genes, 3, bound);
        let right = self.term(genes, 3, bound);
        list("distinct", [left, right])
    }

    /// A sentence for directly below a `not`: some variables may occur nowhere else.
    fn negated(&mut self, genes: &mut Genes, kind: Kind, group: usize, bound: &Bound) -> Item {
        let item = self.bound_sentence(genes, kind, group, bound);
        if genes.below(3) != 2 {
            return item;
        }
        // One argument of the sentence, or of the fluent in it, becomes such a variable.
        self.local += 1;
        let local = Item::Atom(format!("?only{}", self.local));
        match item {
            Item::List(mut items) => {
                let is_true = items[0] == atom("true");
                let inner = match items.get_mut(1) {
                    Some(Item::List(_)) if is_true => match &mut items[1] {
                        Item::List(inner) => inner,
                        Item::Atom(_) => unreachable!("a list"),
                    },
                    _ => &mut items,
                };
                if inner.len() > 1 {
                    let place = 1 + genes.below(inner.len() - 1);
                    inner[place] = local;
                }
                Item::List(items)
            }
            other => other,
        }
    }

    /// A sentence of a group before without new variables.
    fn bound_sentence(
        &mut self,
        genes: &mut Genes,
        kind: Kind,
        group: usize,
        bound: &Bound,
    ) -> Item {
        let bound_before = bound.clone();
        self.sentence_over(genes, kind, group, &mut |decoder, genes, level| {
            decoder.term(genes, level, &bound_before)
        })
    }

    /// A sentence that binds variables; of the own group, too.
    fn sentence(
        &mut self,
        genes: &mut Genes,
        kind: Kind,
        group: usize,
        bound: Option<&mut Bound>,
    ) -> Item {
        let bound = bound.expect("variables to bind");
        self.sentence_over(genes, kind, group.saturating_add(1), &mut |decoder, genes, level| {
            decoder.pattern(genes, level, bound)
        })
    }

    /// A sentence of a relation of a group before `limit`, of `true`, `does` or `role`; of
    /// any fact, `legal`, `goal` and `terminal`, too, where these are known before.
    fn sentence_over(
        &mut self,
        genes: &mut Genes,
        kind: Kind,
        limit: usize,
        arg: &mut dyn FnMut(&mut Decoder, &mut Genes, u8) -> Item,
    ) -> Item {
        let usable = |relation: &&Signature| relation.kind <= kind && relation.group < limit;
        let relations: Vec<Signature> = self.relations.iter().filter(usable).cloned().collect();
        let fluents = if kind >= Kind::State { self.fluents.clone() } else { Vec::new() };
        let does = usize::from(kind == Kind::Step);
        let any = usize::from(kind >= Kind::State);
        let choice = genes.below(relations.len() + 2 * fluents.len() + 5 * does + any + 1);
        if let Some(relation) = relations.get(choice) {
            let args = relation.levels.iter().map(|&level| arg(self, genes, level)).collect();
            return relation.item(args);
        }
        let choice = choice - relations.len();
        if choice < 2 * fluents.len() {
            let fluent = &fluents[choice / 2];
            let args = fluent.levels.iter().map(|&level| arg(self, genes, level)).collect();
            return list("true", [fluent.item(args)]);
        }
        if choice < 2 * fluents.len() + 2 * does {
            let role = arg(self, genes, 0);
            return list("does", [role, arg(self, genes, 2)]);
        }
        let choice = choice - 2 * fluents.len() - 2 * does;
        if choice > 0 {
            return match choice {
                1 => list("true", [arg(self, genes, 3)]),
                2 => atom("terminal"),
                3 => list("goal", [arg(self, genes, 0), arg(self, genes, 0)]),
                _ => list("legal", [arg(self, genes, 0), arg(self, genes, 2)]),
            };
        }
        list("role", [arg(self, genes, 0)])
    }

    /// A term for a position of this level that may bind variables.
    fn pattern(&mut self, genes: &mut Genes, level: u8, bound: &mut Bound) -> Item {
        match genes.below(12) {
            7 | 8 => atom(CONSTANTS[genes.below(CONSTANTS.len())]),
            9 if level > 0 => list("f", [self.pattern(genes, level - 1, bound)]),
            10 if level > 0 => {
                let first = self.pattern(genes, 0, bound);
                list("g", [first, self.pattern(genes, level - 1, bound)])
            }
            11 if level > 0 => list("h", []),
            _ => {
                let name = VARIABLES[genes.below(VARIABLES.len())];
                let lowest = bound.entry(name).or_insert(level);
                *lowest = level.min(*lowest);
                atom(name)
            }
        }
    }

    /// A term of at most this level over bound variables.
    fn term(&self, genes: &mut Genes, level: u8, bound: &Bound) -> Item {
        let fitting: Vec<&str> =
            bound.iter().filter(|&(_, &of)| of <= level).map(|(&name, _)| name).collect();
        match genes.below(12) {
            8 => atom(CONSTANTS[genes.below(CONSTANTS.len())]),
            9 if level > 0 => list("f", [self.term(genes, level - 1, bound)]),
            10 if level > 0 => {
                let first = self.term(genes, 0, bound);
                list("g", [first, self.term(genes, level - 1, bound)])
            }
            11 if level > 0 => list("h", []),
            choice if !fitting.is_empty() => atom(fitting[choice % fitting.len()]),
            choice => atom(CONSTANTS[choice % CONSTANTS.len()]),
        }
    }

    fn ground(&self, genes: &mut Genes, levels: &[u8]) -> Vec<Item> {
        levels.iter().map(|&level| self.term(genes, level, &Bound::new())).collect()
    }
}
