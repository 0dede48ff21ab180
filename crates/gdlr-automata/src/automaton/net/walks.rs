//! All walks from a node, as a graph of configurations.
//!
//! A configuration is a node, the known values of the variables that a walk may still read, and the
//! tags so far. A value is known if the walk has assigned it, or needed it as a key. If only the
//! state has the key, its values are tried out, one by one. Conditions on known values are decided
//! here. All other conditions are left to be [followed](super::follow) in a state.

use super::live::{Live, Reads, is_live};
use super::sheet::{Sheet, Var};
use gdlr_rg::rg::Name;
use gdlr_rg::rg::optimise::program::{Edge, EdgeId, ExprId, Label, Node};
use gdlr_rg::rg::types::Ty;
use gdlr_text::budget::{Exhausted, Memory, Meter};
use gdlr_text::graph::strongly_connected;
use hashbrown::{HashMap, HashSet};
use std::rc::Rc;

/// A variable of a set type whose value is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct KnownValue {
    pub var: Var,
    pub value: Name,
    /// Whether the walk has assigned the value. Otherwise the state has it.
    pub assigned: bool,
}

/// The known values, in the order of the variables.
pub(super) type Environment = Rc<[KnownValue]>;

/// The known value of a variable.
pub(super) fn known(environment: &[KnownValue], var: Var) -> Option<Name> {
    let place = environment.binary_search_by_key(&var, |known| known.var).ok()?;
    Some(environment[place].value)
}

/// The position of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum At {
    /// On its way, at a node.
    Node(Node),
    /// At a node at which the move has just got a tag. Such walks are continued later.
    Tagged(Node),
    /// At the end of a move, after which the player has the move at the node.
    End(Node, Name),
    /// At the end of a check.
    Found,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Configuration {
    pub at: At,
    pub environment: Environment,
    /// The player who moves, followed by the tags so far. Empty if they do not matter.
    pub tags: Rc<[Name]>,
}

/// The condition of a step between configurations.
#[derive(Clone, Copy, Debug)]
pub(super) enum Condition {
    /// Always.
    None,
    /// A variable or an expression has a value.
    Has(Subject, Name),
    /// Expressions are equal, or differ.
    Compare { left: ExprId, right: ExprId, equal: bool },
    /// A walk leads from one node to another, or none does.
    Reach { from: Node, to: Node, negated: bool },
}

/// The variable or expression whose value a condition asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    Variable(Var),
    Expression(ExprId),
}

/// A write of a walk to a map.
#[derive(Clone, Copy, Debug)]
pub(super) enum Write {
    Value { target: ExprId, value: ExprId },
    Symbol { target: ExprId, symbol: Name },
}

/// A step of a walk.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub to: u32,
    pub condition: Condition,
    pub write: Option<Write>,
    /// Values that the walk has assigned and reads no more, but that the next state has.
    pub settled: Vec<(Var, Name)>,
}

/// All walks from some configurations.
pub(super) struct Walks {
    pub configurations: Vec<Configuration>,
    pub steps: Vec<Vec<Step>>,
    /// The configurations in lists: those of a cycle are one list, and each list comes after its
    /// predecessors.
    pub components: Vec<Vec<u32>>,
}

/// The kind of walks.
pub(super) enum Kind<'k> {
    /// Moves. If `tagged`, these are moves of players, and each tag ends a part of the walk.
    Moves {
        tagged: bool,
        /// The nodes of the keeper at which it goes on within the walk.
        inner: &'k HashSet<Node>,
        /// Whether the next state needs the value of a variable, if the move ends at the node.
        kept: &'k dyn Fn(Var, Option<Node>) -> bool,
    },
    /// A check.
    Check { from: Node, to: Node },
}

/// Finds all walks from some configurations.
pub(super) fn walks(
    sheet: &Sheet,
    live: &Live,
    kind: &Kind<'_>,
    starts: Vec<Configuration>,
    meter: &Meter<'_>,
) -> Result<(Walks, Vec<u32>), Exhausted> {
    let reads = match kind {
        Kind::Moves { .. } => &live.moves,
        Kind::Check { from, to } => reads_of(live, (*from, *to)),
    };
    let mut met = Met::default();
    let mut finder = Finder { sheet, kind, reads, met: &mut met };
    let starts: Vec<u32> = starts.into_iter().map(|start| finder.start(start)).collect();
    let mut all: Vec<Vec<Step>> = Vec::new();
    while all.len() < finder.met.found.len() {
        let steps = finder.steps_of(all.len());
        meter.spend(4 + 2 * steps.len())?;
        meter.hold(Memory::Rules, finder.met.bytes);
        finder.met.bytes += steps.len() * size_of::<Step>();
        all.push(steps);
    }
    let (found, steps) = (met.found, all);
    let successors: Vec<Vec<u32>> =
        steps.iter().map(|steps| steps.iter().map(|step| step.to).collect()).collect();
    let mut components = strongly_connected(&successors);
    components.reverse();
    Ok((Walks { configurations: found, steps, components }, starts))
}

/// The variables that walks of a check read.
fn reads_of(live: &Live, check: Check) -> &Reads {
    live.checks.get(&check).map_or(&live.moves, |reads| reads)
}

/// Configurations, each once.
#[derive(Default)]
struct Met {
    numbers: HashMap<Configuration, u32>,
    found: Vec<Configuration>,
    /// An estimate of the memory of the configurations, in bytes.
    bytes: usize,
}

impl Met {
    fn number(&mut self, configuration: Configuration) -> u32 {
        if let Some(&known) = self.numbers.get(&configuration) {
            return known;
        }
        let number = self.found.len() as u32;
        self.bytes += 2 * size_of::<Configuration>()
            + size_of_val(&configuration.environment[..])
            + size_of_val(&configuration.tags[..]);
        self.found.push(configuration.clone());
        self.numbers.insert(configuration, number);
        number
    }
}

/// The first and the last node of a check.
pub(super) type Check = (Node, Node);

/// The walks of a check that have been explored so far, from any configuration.
#[derive(Default)]
pub(super) struct Explored {
    met: Met,
    steps: HashMap<u32, Rc<[Step]>>,
}

impl Explored {
    /// The number of a configuration from which walks begin.
    pub fn start(
        &mut self,
        (sheet, live): (&Sheet, &Live),
        check: Check,
        start: Configuration,
    ) -> u32 {
        self.finder(sheet, live, check, |finder| finder.start(start))
    }

    /// The steps from a configuration.
    pub fn steps(&mut self, (sheet, live): (&Sheet, &Live), check: Check, from: u32) -> Rc<[Step]> {
        if let Some(known) = self.steps.get(&from) {
            return known.clone();
        }
        let steps = self.finder(sheet, live, check, |finder| finder.steps_of(from as usize));
        let steps: Rc<[Step]> = steps.into();
        self.met.bytes += size_of_val(&steps[..]);
        self.steps.insert(from, steps.clone());
        steps
    }

    fn finder<T>(
        &mut self,
        sheet: &Sheet,
        live: &Live,
        (from, to): Check,
        find: impl FnOnce(&mut Finder<'_>) -> T,
    ) -> T {
        let (kind, reads) = (Kind::Check { from, to }, reads_of(live, (from, to)));
        find(&mut Finder { sheet, kind: &kind, reads, met: &mut self.met })
    }

    /// The configuration with a number.
    pub fn at(&self, number: u32) -> &Configuration {
        &self.met.found[number as usize]
    }

    /// An estimate of the memory of the explored walks, in bytes.
    pub fn bytes(&self) -> usize {
        self.met.bytes
    }
}

struct Finder<'f> {
    sheet: &'f Sheet,
    kind: &'f Kind<'f>,
    reads: &'f Reads,
    met: &'f mut Met,
}

impl Finder<'_> {
    fn number(&mut self, configuration: Configuration) -> u32 {
        self.met.number(configuration)
    }

    fn start(&mut self, start: Configuration) -> u32 {
        match start.at {
            At::Node(node) | At::Tagged(node) => {
                self.arrive(node, start.environment.to_vec(), &start.tags).0
            }
            _ => self.number(start),
        }
    }

    /// The configuration in which a walk reaches a node, and the values that are settled.
    fn arrive(
        &mut self,
        node: Node,
        environment: Vec<KnownValue>,
        tags: &Rc<[Name]>,
    ) -> (u32, Vec<(Var, Name)>) {
        if let Kind::Check { to, .. } = self.kind
            && *to == node
        {
            let nothing = Configuration { at: At::Found, environment: [].into(), tags: [].into() };
            return (self.number(nothing), Vec::new());
        }
        let (environment, settled) = self.needed(node, environment);
        let configuration = Configuration { at: At::Node(node), environment, tags: tags.clone() };
        (self.number(configuration), settled)
    }

    /// The known values that a walk needs at a node; and the values, among the others, that the
    /// next state has.
    fn needed(&self, node: Node, mut all: Vec<KnownValue>) -> (Environment, Vec<(Var, Name)>) {
        let mut settled = Vec::new();
        if let Kind::Check { .. } = self.kind {
            // Behind a check all variables have their old values.
            all.iter_mut().for_each(|known| known.assigned = false);
        }
        all.retain(|known| {
            let live = is_live(self.reads, node, known.var);
            if let Kind::Moves { kept, .. } = self.kind
                && !live
                && known.assigned
                && kept(known.var, None)
            {
                settled.push((known.var, known.value));
            }
            live
        });
        (all.into(), settled)
    }

    fn steps_of(&mut self, number: usize) -> Vec<Step> {
        let Configuration { at, environment, tags } = self.met.found[number].clone();
        let At::Node(node) = at else { return Vec::new() };
        let edges: Vec<(EdgeId, Edge)> = (self.sheet.program.leaving(node).iter())
            .map(|&id| (id, self.sheet.program.edge(id)))
            .collect();
        let unknown = edges.iter().find_map(|&(_, edge)| self.unknown(edge.label, &environment));
        let mut steps = Vec::new();
        if let Some(var) = unknown {
            for &value in &self.sheet.at(var).values {
                let constraint = KnownValue { var, value, assigned: false };
                let (to, settled) = self.arrive(node, with(&environment, constraint), &tags);
                let condition = Condition::Has(Subject::Variable(var), value);
                steps.push(Step { to, condition, write: None, settled });
            }
            return steps;
        }
        for (_, edge) in edges {
            self.steps_of_edge(edge, &environment, &tags, &mut steps);
        }
        steps
    }

    /// A variable whose value must be known before a walk can take an edge.
    fn unknown(&self, label: Label, environment: &[KnownValue]) -> Option<Var> {
        let mut keys = Vec::new();
        match label {
            Label::Skip | Label::Reach { .. } | Label::Tag(_) => {}
            Label::Assign { target, value } => {
                self.sheet.in_keys(target, &mut keys);
                self.sheet.in_keys(value, &mut keys);
                // If two variables are equal, both must be known, and not only one.
                if self.sheet.as_known(target).is_some() {
                    keys.extend(self.sheet.as_known(value));
                }
            }
            Label::AssignAny { target, .. } => self.sheet.in_keys(target, &mut keys),
            Label::Compare { left, right, .. } => {
                self.sheet.in_keys(left, &mut keys);
                self.sheet.in_keys(right, &mut keys);
            }
            Label::TagVariable(name) => {
                if let Kind::Moves { tagged: true, .. } = self.kind {
                    keys.extend(self.sheet.variable(name));
                }
            }
        }
        keys.into_iter().find(|&var| known(environment, var).is_none())
    }

    fn steps_of_edge(
        &mut self,
        edge: Edge,
        environment: &[KnownValue],
        tags: &Rc<[Name]>,
        steps: &mut Vec<Step>,
    ) {
        let mut pass = |finder: &mut Self, environment: Vec<KnownValue>, condition, write| {
            let (to, settled) = finder.arrive(edge.to, environment, tags);
            steps.push(Step { to, condition, write, settled });
        };
        let same = || environment.to_vec();
        match edge.label {
            Label::Skip => pass(self, same(), Condition::None, None),
            Label::Compare { left, right, equal } => {
                let condition = match self.decided(left, right, environment) {
                    Some(are) if are == equal => Condition::None,
                    Some(_) => return,
                    None => Condition::Compare { left, right, equal },
                };
                pass(self, same(), condition, None);
            }
            Label::Reach { from, to, negated } => {
                pass(self, same(), Condition::Reach { from, to, negated }, None);
            }
            Label::AssignAny { target, drawn } => {
                let symbols = self.sheet.program.drawn(drawn).to_vec();
                for symbol in symbols {
                    match self.sheet.as_known(target) {
                        Some(var) => {
                            let assignment = KnownValue { var, value: symbol, assigned: true };
                            pass(self, with(environment, assignment), Condition::None, None);
                        }
                        None => {
                            let write = Some(Write::Symbol { target, symbol });
                            pass(self, same(), Condition::None, write);
                        }
                    }
                }
            }
            Label::Assign { target, value } => match self.sheet.as_known(target) {
                None => {
                    pass(self, same(), Condition::None, Some(Write::Value { target, value }));
                }
                Some(var) => self.assign(edge, (var, value), environment, tags, steps),
            },
            Label::Tag(tag) => self.tag(edge, tag, environment, tags, steps),
            Label::TagVariable(name) => match self.kind {
                Kind::Moves { tagged: true, .. } => {
                    let var = self.sheet.variable(name);
                    if let Some(tag) = var.and_then(|var| known(environment, var)) {
                        self.tag(edge, tag, environment, tags, steps);
                    }
                }
                _ => pass(self, same(), Condition::None, None),
            },
        }
    }

    fn tag(
        &mut self,
        edge: Edge,
        tag: Name,
        environment: &[KnownValue],
        tags: &Rc<[Name]>,
        steps: &mut Vec<Step>,
    ) {
        let (to, settled) = match self.kind {
            Kind::Moves { tagged: true, .. } => {
                let (environment, settled) = self.needed(edge.to, environment.to_vec());
                let tags = tags.iter().copied().chain([tag]).collect();
                let at = At::Tagged(edge.to);
                (self.number(Configuration { at, environment, tags }), settled)
            }
            _ => self.arrive(edge.to, environment.to_vec(), tags),
        };
        steps.push(Step { to, condition: Condition::None, write: None, settled });
    }

    /// The steps of an assignment to a variable of a set type: one for each value.
    fn assign(
        &mut self,
        edge: Edge,
        (var, value): (Var, ExprId),
        environment: &[KnownValue],
        tags: &Rc<[Name]>,
        steps: &mut Vec<Step>,
    ) {
        let mut values = self.sheet.possible(&|var| known(environment, var), value);
        let one = values.len() == 1;
        values.retain(|symbol| self.sheet.at(var).type_.binary_search(symbol).is_ok());
        for symbol in values {
            let condition = match one {
                true => Condition::None,
                false => Condition::Has(Subject::Expression(value), symbol),
            };
            let assignment = KnownValue { var, value: symbol, assigned: true };
            let after = with(environment, assignment);
            if let Kind::Moves { inner, kept, .. } = self.kind
                && self.sheet.program.ends_move(edge.label)
                && !(symbol == Name::KEEPER && inner.contains(&edge.to))
            {
                let settled = after.into_iter().filter(|known| {
                    known.assigned && self.sheet.at(known.var).name != Name::PLAYER
                });
                let settled = settled.filter(|known| kept(known.var, Some(edge.to)));
                let settled = settled.map(|known| (known.var, known.value)).collect();
                let at = At::End(edge.to, symbol);
                let configuration =
                    Configuration { at, environment: [].into(), tags: tags.clone() };
                let to = self.number(configuration);
                steps.push(Step { to, condition, write: None, settled });
                continue;
            }
            let (to, settled) = self.arrive(edge.to, after, tags);
            steps.push(Step { to, condition, write: None, settled });
        }
    }

    /// Whether expressions are equal, if no state is needed to decide it.
    fn decided(&self, left: ExprId, right: ExprId, environment: &[KnownValue]) -> Option<bool> {
        let ty = |expr| self.sheet.program.expressions.ty(expr);
        let is_map = |expr| matches!(ty(expr), Ty::Map(_) | Ty::Unknown);
        if is_map(left) || is_map(right) {
            return None;
        }
        let env = |var| known(environment, var);
        let (left, right) = (self.sheet.possible(&env, left), self.sheet.possible(&env, right));
        match (&left[..], &right[..]) {
            ([one], [other]) => Some(one == other),
            _ => {
                let disjoint = left.iter().all(|symbol| right.binary_search(symbol).is_err());
                disjoint.then_some(false)
            }
        }
    }
}

/// The known values with one variable more, or with another value of it.
fn with(environment: &[KnownValue], known: KnownValue) -> Vec<KnownValue> {
    let mut all = environment.to_vec();
    match all.binary_search_by_key(&known.var, |other| other.var) {
        Ok(place) => all[place] = known,
        Err(place) => all.insert(place, known),
    }
    all
}
