//! The automaton so far.

use super::naming::Naming;
use super::scope::{Frame, Meaning, Parameter};
use crate::hrg::ast::{Game, Graph};
use crate::hrg::calls::Calls;
use crate::hrg::evaluate::{Evaluated, Evaluator, Lookup, not_constant};
use crate::hrg::limits::Limits;
use crate::hrg::value::Value;
use crate::rg::constants::in_order;
use crate::rg::{Constant, Description, Edge, Ident, Label, Name, Place};
use gdlr_text::diagnostic::{Code, Diagnostic, Span};
use hashbrown::{HashMap, HashSet};

/// The greatest number of errors of an expansion, and of warnings.
const MAX_ERRORS: usize = 100;

/// The key of a shared copy of a graph: calls with equal keys share it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct CopyKey {
    pub graph: Name,
    /// The target of `end()`; `None` if there is no `end()`, or if it is the end of a check.
    pub end: Option<Name>,
    /// Whether the copy is for `reachable(…)`.
    pub check: bool,
    pub parameters: Vec<Parameter>,
}

/// A copy of a graph that calls share.
#[derive(Clone, Copy)]
pub(super) struct Copy {
    pub begin: Name,
    pub end: Name,
    /// The index of its return address; `None` for a check.
    pub address: Option<usize>,
}

/// A return address of a shared copy: a variable with a value for each call.
pub(super) struct Address {
    pub type_: Name,
    pub variable: Name,
    pub calls: Vec<Name>,
}

pub(super) struct Expansion<'g> {
    pub game: &'g Game,
    pub limits: Limits,
    pub evaluator: Evaluator<'g>,
    pub naming: Naming,
    pub description: Description,
    pub graphs: HashMap<Name, &'g Graph>,
    pub calls: Calls,
    variables: HashSet<Name>,
    /// The nodes that an edge enters.
    entered: HashSet<Name>,
    /// By graph and index of a parameter: the variable that holds it.
    pub stored: HashMap<(Name, usize), Name>,
    pub copies: HashMap<CopyKey, Copy>,
    pub addresses: Vec<Address>,
    /// By graph: the number of its expansions.
    pub expanded: HashMap<Name, usize>,
    pub artificial_tags: Vec<Ident>,
    depth: usize,
    /// The errors so far, each once for its code and place.
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    reported: HashSet<(Code, Span)>,
}

impl<'g> Expansion<'g> {
    pub fn new(game: &'g Game, limits: Limits) -> Result<Self, Diagnostic> {
        let built_in = [Name::PLAYER, Name::GOALS, Name::VISIBLE];
        let variables = game.variables.iter().map(|variable| variable.name.name);
        Ok(Expansion {
            game,
            limits,
            evaluator: Evaluator::new(game, limits)?,
            naming: Naming::new(game.names.clone()),
            description: Description::default(),
            graphs: game.graphs.iter().map(|graph| (graph.name.name, graph)).collect(),
            calls: Calls::of(game),
            variables: variables.chain(built_in).collect(),
            entered: HashSet::new(),
            stored: HashMap::new(),
            copies: HashMap::new(),
            addresses: Vec::new(),
            expanded: HashMap::new(),
            artificial_tags: Vec::new(),
            depth: 0,
            errors: Vec::new(),
            warnings: Vec::new(),
            reported: HashSet::new(),
        })
    }

    /// Records an error, once for all copies of its place.
    pub fn report(&mut self, error: Diagnostic) {
        if self.errors.len() < MAX_ERRORS && self.reported.insert((error.code, error.span)) {
            self.errors.push(error);
        }
    }

    /// Records a warning, once for its place.
    pub fn warn(&mut self, warning: Diagnostic) {
        if self.warnings.len() < MAX_ERRORS && self.reported.insert((warning.code, warning.span)) {
            self.warnings.push(warning);
        }
    }

    /// The automaton with the warnings.
    ///
    /// # Errors
    ///
    /// The errors, if there are any.
    pub fn finish(mut self) -> Result<(Description, Vec<Diagnostic>), Vec<Diagnostic>> {
        if !self.errors.is_empty() {
            return Err(self.errors);
        }
        self.description.names = self.naming.names;
        // Other programs want a constant to be defined before its use.
        let constants = std::mem::take(&mut self.description.constants);
        let sorted = in_order(&constants).sorted;
        let mut constants: Vec<Option<Constant>> = constants.into_iter().map(Some).collect();
        self.description.constants =
            sorted.into_iter().filter_map(|place| constants[place].take()).collect();
        Ok((self.description, self.warnings))
    }

    /// Whether an edge enters a node.
    pub fn is_entered(&self, node: Name) -> bool {
        self.entered.contains(&node)
    }

    pub fn enter(&mut self, node: Name) {
        self.entered.insert(node);
    }

    pub fn connect(&mut self, from: Name, to: Name, label: Label, place: Place) -> Evaluated<()> {
        self.evaluator.step(place.0)?;
        if self.description.edges.len() == self.limits.edges {
            return Err(self.too_large(place));
        }
        self.entered.insert(to);
        self.description.edges.push(Edge { from: from.into(), to: to.into(), label, place });
        Ok(())
    }

    fn too_large(&self, place: Place) -> Box<Diagnostic> {
        let message = format!("the automaton has more than {} edges", self.limits.edges);
        let error =
            Diagnostic::new(Code::HrgGrowth, place.0, message).with_label("it had come to this");
        let most = self.expanded.iter().max_by_key(|(name, count)| (**count, **name));
        Box::new(match most {
            Some((graph, count)) if *count > 1 => error.with_help(format!(
                "the graph `{}` was expanded {count} times, more often than any other",
                self.game.names.text(*graph)
            )),
            _ => error.with_help("a block is expanded for each value that it is repeated for"),
        })
    }

    /// Expands a nested part.
    pub fn deeper<T>(
        &mut self,
        place: Place,
        work: impl FnOnce(&mut Self) -> Evaluated<T>,
    ) -> Evaluated<T> {
        if self.depth >= self.limits.depth {
            let message =
                format!("calls and blocks are more than {} deep when expanded", self.limits.depth);
            return Err(Box::new(Diagnostic::new(Code::HrgGrowth, place.0, message)));
        }
        self.depth += 1;
        let result = work(self);
        self.depth -= 1;
        result
    }

    /// The meaning of a name.
    pub fn meaning(&self, frame: &Frame, name: Name) -> Meaning {
        let mut name = name;
        if let Some((_, value)) = frame.locals.iter().rfind(|(local, _)| *local == name) {
            match value {
                Value::Symbol(other) => name = *other,
                _ => return Meaning::Known(value.clone()),
            }
        }
        let parameters = &frame.graph.parameters;
        if let Some(index) = parameters.iter().position(|parameter| parameter.name.name == name) {
            match &frame.parameters[index] {
                Parameter::Stored(variable) => return Meaning::Variable(*variable),
                Parameter::Known(Value::Symbol(other)) => name = *other,
                Parameter::Known(value) => return Meaning::Known(value.clone()),
            }
        }
        if self.evaluator.function(name).is_some() {
            Meaning::Function(name)
        } else if self.variables.contains(&name) {
            Meaning::Variable(name)
        } else {
            Meaning::Known(Value::of_name(name, &self.game.names))
        }
    }

    /// The symbol of a value.
    pub fn symbol(&mut self, value: &Value, span: Span) -> Evaluated<Name> {
        self.naming.symbol(value).ok_or_else(|| {
            let message = format!("`{}` is in no domain", value.text(self.game));
            Box::new(Diagnostic::new(Code::HrgOutOfDomain, span, message))
        })
    }
}

/// The meanings of names in an expression of a graph whose value must be known.
pub(super) struct ConstantLookup<'e, 'g> {
    pub expansion: &'e Expansion<'g>,
    pub frame: &'e Frame<'g>,
}

impl Lookup for ConstantLookup<'_, '_> {
    fn value(&self, name: Ident) -> Evaluated<Value> {
        match self.expansion.meaning(self.frame, name.name) {
            Meaning::Known(value) => Ok(value),
            Meaning::Function(name) => Ok(Value::Symbol(name)),
            Meaning::Variable(_) => Err(not_constant(
                name.place.0,
                "a variable stands where a value must be known before play",
            )),
        }
    }

    fn name(&self, name: Name) -> Name {
        match self.expansion.meaning(self.frame, name) {
            Meaning::Function(name) => name,
            _ => name,
        }
    }
}
