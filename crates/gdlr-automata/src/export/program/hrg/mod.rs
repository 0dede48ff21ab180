//! A program as a text in High-level Regular Games.
//!
//! A type becomes a domain, a constant map a function, and a block or a check a graph. A turn is
//! one graph, and contains its plies. The loop in `rules` goes through the turns: in their order,
//! or to the turn that the state tells. A constructor makes a square of two coordinates, so that a
//! step to a neighbour is a sum.
//!
//! | file | what it is for |
//! |---|---|
//! | `mod` | the text, its names, conditions, and the loop through the turns |
//! | `declarations` | domains, functions and variables |
//! | `statements` | the statements of graphs |

mod declarations;
mod statements;

use super::reads::reads;
use super::turns::Order;
use super::{Act, BlockId, CheckId, Program, Statement, Target, Test};
use crate::export::slots::Slot;
use gdlr_rg::hrg::is_pattern_variable;
use gdlr_rg::rg::{
    Base, Description, Expr, Name, SimpleType, TypeAlias, Variable, is_name_character,
};
use gdlr_text::graph::strongly_connected;
use hashbrown::{HashMap, HashSet};
use statements::{Lines, as_test};
use std::collections::VecDeque;

/// The reason why a program is not written: it has something that graphs cannot do.
pub(in crate::export) type Unsuited = &'static str;

type Written<T> = Result<T, Unsuited>;

/// The keys of all entries of a map, each with its value. `None` stands for all other keys.
type Cases = Vec<(Vec<Option<Name>>, Name)>;

/// The most tests of a check that is asked in place.
const MOST_IN_PLACE: usize = 4;

/// Words that cannot name a symbol or a function.
const RESERVED: [&str; 12] = [
    "if",
    "else",
    "then",
    "in",
    "where",
    "not",
    "reachable",
    "true",
    "false",
    "or",
    "domain",
    "graph",
];

/// A graph, by its origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Graph {
    Turn(BlockId),
    Over,
    Routine(BlockId),
    Check(CheckId),
}

struct Writer<'p> {
    program: &'p Program,
    description: &'p Description,
    /// Symbols that have another name in this language.
    renamed: HashMap<Name, String>,
    functions: HashSet<Name>,
    /// The names that are read. Variables that are only assigned to are left out.
    reads: HashSet<Name>,
    /// The name of the constructor of squares.
    square: String,
    /// By symbol: its number, or the coordinates of its square.
    points: HashMap<Name, Vec<i64>>,
    /// By graph: its name.
    graphs: HashMap<Graph, String>,
    taken: HashSet<String>,
    /// The graphs that are still to be written.
    open: VecDeque<Graph>,
}

/// Writes a program. `description` is the automaton of the program, with types, constants and
/// variables.
///
/// # Errors
///
/// When the program has something that graphs cannot do.
pub(in crate::export) fn text(program: &Program, description: &Description) -> Written<String> {
    if !description.edges.iter().any(|edge| edge.to.name == Name::END) {
        // The automaton lacks variables that only the end of a play uses.
        return Err("a game that never ends");
    }
    let order = Order::of(program);
    let functions = description.constants.iter().map(|constant| constant.name.name).collect();
    let mut writer = Writer {
        program,
        description,
        renamed: HashMap::new(),
        functions,
        reads: reads(program, order.depends_on_state()),
        square: String::new(),
        points: HashMap::new(),
        graphs: HashMap::new(),
        taken: names_of_variables(description),
        open: VecDeque::new(),
    };
    writer.rename();
    let rules = writer.rules(&order)?;
    let mut written: Vec<(String, String)> = Vec::new();
    while let Some(graph) = writer.open.pop_front() {
        let text = writer.graph(graph)?;
        written.push((writer.graphs[&graph].clone(), text));
    }
    if is_recursive(&written) {
        return Err("relations that ask for each other");
    }
    let graphs: String = written.into_iter().map(|(_, text)| format!("\n{text}")).collect();
    // Only names that occur are declared.
    let mut named = words(&[&graphs, &rules]);
    let mut variables = String::new();
    let own = description.variables.iter().filter(|variable| variable.name.name != Name::VISIBLE);
    for variable in own {
        if named.contains(writer.name(variable.name.name)) {
            variables.push_str(&writer.variable(variable));
        }
    }
    let mut functions = String::new();
    for constant in &description.constants {
        if named.contains(writer.name(constant.name.name)) {
            functions.push_str(&writer.function(constant)?);
            functions.push('\n');
        }
    }
    named.extend(words(&[&variables, &functions]));
    let mut text = String::new();
    for alias in &description.types {
        let name = alias.name.name;
        let is_needed = [Name::PLAYER_TYPE, Name::SCORE_TYPE].contains(&name);
        if is_needed || named.contains(writer.name(name)) {
            text.push_str(&writer.domain(alias)?);
        }
    }
    // Other programs that read the text expect this declaration.
    if named.contains("Bool") {
        text.push_str("domain Bool = 0 | 1\n");
    }
    Ok([&text, "\n", &functions, &variables, &graphs, "\n", &rules].concat())
}

/// Names that no graph may have.
fn names_of_variables(description: &Description) -> HashSet<String> {
    let variables = description.variables.iter().map(|variable| variable.name.name);
    let constants = description.constants.iter().map(|constant| constant.name.name);
    let names = variables.chain(constants).map(|name| description.names.text(name).to_owned());
    names.chain(["rules".to_owned()]).collect()
}

/// Whether one of some graphs calls itself, directly or through others. Each graph has its name and
/// text.
fn is_recursive(graphs: &[(String, String)]) -> bool {
    let place_of: HashMap<&str, u32> =
        graphs.iter().zip(0..).map(|((name, _), place)| (&name[..], place)).collect();
    // The name of a called graph stands before `()`.
    let calls = |(_, text): &(String, String)| -> Vec<u32> {
        let lines =
            text.lines().filter(|line| !line.starts_with("//") && !line.starts_with("graph "));
        let called = lines.flat_map(|line| line.split_inclusive("()")).filter_map(|part| {
            let name = part.strip_suffix("()")?;
            name.rsplit(|c: char| !is_name_character(c)).next()
        });
        called.filter_map(|name| place_of.get(name).copied()).collect()
    };
    let calls: Vec<Vec<u32>> = graphs.iter().map(calls).collect();
    let calls_itself = |place: usize| calls[place].contains(&(place as u32));
    strongly_connected(&calls)
        .iter()
        .any(|one| one.len() > 1 || one.iter().any(|&at| calls_itself(at as usize)))
}

/// The words of some texts, without comments.
fn words(texts: &[&str]) -> HashSet<String> {
    let lines = texts.iter().flat_map(|text| text.lines());
    let lines = lines.filter(|line| !line.starts_with("//"));
    let words = lines.flat_map(|line| line.split(|c: char| !is_name_character(c)));
    words.map(str::to_owned).collect()
}

impl Writer<'_> {
    /// Renames symbols that mean something else in this language: variables of patterns, words of
    /// the language, and numbers that are written in another way. A square gets its constructor.
    fn rename(&mut self) {
        let names = &self.description.names;
        self.square = "S".to_owned();
        while names.get(&self.square).is_some() {
            self.square.push('_');
        }
        let is_odd = |text: &str| {
            let digits = text.bytes().all(|byte| byte.is_ascii_digit());
            let is_other_number =
                digits && (text.len() > 1 && text.starts_with('0') || text.len() > 15);
            is_pattern_variable(text) || text == "_" || RESERVED.contains(&text) || is_other_number
        };
        let symbols = self.description.types.iter().filter_map(|alias| match &alias.type_.value {
            SimpleType::Set(set) => Some(set.members.iter().map(|member| member.name)),
            SimpleType::Named(_) => None,
        });
        let symbols: HashSet<Name> = symbols.flatten().collect();
        let defined = self.functions.iter().copied();
        let defined =
            defined.chain(self.description.variables.iter().map(|variable| variable.name.name));
        let mut all: Vec<Name> = symbols.iter().copied().chain(defined).collect();
        all.sort_unstable();
        for name in all {
            if let (Some(point), true) = (point(names.text(name)), symbols.contains(&name)) {
                if let [x, y] = point[..] {
                    self.renamed.insert(name, format!("{}({x}, {y})", self.square));
                }
                self.points.insert(name, point);
                continue;
            }
            if !is_odd(names.text(name)) {
                continue;
            }
            let mut text = format!("the_{}", names.text(name));
            while names.get(&text).is_some() {
                text.push('_');
            }
            self.renamed.insert(name, text);
        }
    }

    fn name(&self, name: Name) -> &str {
        match self.renamed.get(&name) {
            Some(text) => text,
            None => self.description.names.text(name),
        }
    }

    /// The name of a graph, which is written later if it has not been.
    fn graph_name(&mut self, graph: Graph, wanted: &str) -> String {
        if let Some(name) = self.graphs.get(&graph) {
            return name.clone();
        }
        let mut name = wanted.to_owned();
        // The translator by the authors of the language takes a graph for a variable of the same
        // name.
        if wanted.starts_with("turn") && self.taken.contains(&name) {
            name = format!("take_{wanted}");
        }
        let mut number = 1;
        while !self.taken.insert(name.clone()) {
            number += 1;
            name = format!("{wanted}_{number}");
        }
        self.graphs.insert(graph, name.clone());
        self.open.push_back(graph);
        name
    }

    fn routine(&mut self, block: BlockId) -> String {
        let wanted = self.program.blocks[block.place()].name.clone();
        self.graph_name(Graph::Routine(block), &wanted)
    }

    fn over(&mut self) -> String {
        self.graph_name(Graph::Over, "over")
    }

    fn slot(&self, slot: Slot) -> String {
        self.expr(self.program.slots.expr(slot))
    }

    fn expr(&self, expr: &Expr) -> String {
        let keys: Vec<String> = expr.keys.iter().map(|key| self.expr(key)).collect();
        match &expr.base {
            Base::Cast(_, inner) => self.expr(inner),
            Base::Name(name) if keys.is_empty() => self.name(name.name).to_owned(),
            Base::Name(name) if self.functions.contains(&name.name) => {
                format!("{}({})", self.name(name.name), keys.join(", "))
            }
            Base::Name(name) => format!("{}[{}]", self.name(name.name), keys.join("][")),
        }
    }

    /// A test as a condition.
    fn condition(&mut self, test: Test) -> Written<String> {
        let sign = |holds: bool| if holds { "==" } else { "!=" };
        Ok(match test {
            Test::Is(slot, symbol, holds) => {
                format!("{} {} {}", self.slot(slot), sign(holds), self.name(symbol))
            }
            Test::Same(one, other, holds) => {
                format!("{} {} {}", self.slot(one), sign(holds), self.slot(other))
            }
            Test::Check(check, holds) => {
                let inner = match self.in_place(check)? {
                    Some(inner) => inner,
                    None => format!("reachable({}())", self.check(check)),
                };
                match holds {
                    true if inner.contains(" || ") || inner.contains(" && ") => {
                        format!("({inner})")
                    }
                    true => inner,
                    false => format!("not({inner})"),
                }
            }
        })
    }

    /// Tests that must all hold, as a condition.
    fn all(&mut self, tests: &[Test]) -> Written<String> {
        let tests = tests.iter().map(|&test| self.condition(test));
        Ok(tests.collect::<Written<Vec<String>>>()?.join(" && "))
    }

    /// A check of few tests as a condition.
    fn in_place(&mut self, check: CheckId) -> Written<Option<String>> {
        let program = self.program;
        let ways = &program.checks[check.0 as usize];
        if !ways.iter().all(|way| way.iter().all(|one| matches!(one, Statement::Test(_)))) {
            return Ok(None);
        }
        if ways.iter().map(Vec::len).sum::<usize>() > MOST_IN_PLACE {
            return Ok(None);
        }
        let mut any = Vec::new();
        for way in ways {
            let tests: Vec<Test> = way.iter().filter_map(as_test).collect();
            let all = self.all(&tests)?;
            any.push(if tests.len() > 1 && ways.len() > 1 { format!("({all})") } else { all });
        }
        Ok(Some(any.join(" || ")))
    }

    /// The graph of a check.
    fn check(&mut self, check: CheckId) -> String {
        let program = self.program;
        let ways = &program.checks[check.0 as usize];
        // A check that only calls a relation is the graph of the relation.
        if let [way] = &ways[..] {
            match way[..] {
                [Statement::Go(Target::Block(block))] => return self.routine(block),
                [.., Statement::Go(Target::Block(block))] => {
                    let wanted = program.blocks[block.place()].name.clone();
                    return self.graph_name(Graph::Check(check), &wanted);
                }
                _ => {}
            }
        }
        let about = ways.iter().find_map(|way| self.about(way));
        let wanted = about.map_or("some".to_owned(), |about| format!("some_{about}"));
        self.graph_name(Graph::Check(check), &wanted)
    }

    /// The first map of the state that statements read.
    fn about(&self, body: &[Statement]) -> Option<String> {
        body.iter().find_map(|statement| match statement {
            Statement::Test(Test::Is(slot, ..) | Test::Same(slot, ..))
            | Statement::Do(Act::Copy(_, slot)) => {
                let mut expr = self.program.slots.expr(*slot);
                while let Base::Cast(_, inner) = &expr.base {
                    expr = inner;
                }
                match &expr.base {
                    Base::Name(name) if !expr.keys.is_empty() => {
                        Some(self.name(name.name).to_owned())
                    }
                    _ => None,
                }
            }
            Statement::Choice(ways) => ways.iter().find_map(|way| self.about(way)),
            Statement::Search(search) => search.first.iter().find_map(|way| self.about(way)),
            _ => None,
        })
    }

    /// Hides moves from all roles, if the automaton begins so.
    fn conceal(&self, lines: &mut Lines) {
        let is_visibility = |variable: &Variable| variable.name.name == Name::VISIBLE;
        if !self.description.variables.iter().any(is_visibility) {
            return;
        }
        let own = |alias: &&TypeAlias| alias.name.name == Name::PLAYER_TYPE;
        let players = self.description.types.iter().find(own).map(|alias| &alias.type_.value);
        if let Some(SimpleType::Set(players)) = players {
            for player in &players.members {
                lines.push(&format!("visible[{}] = 0", self.name(player.name)));
            }
        }
    }

    /// The graph `rules`: the loop through all turns.
    fn rules(&mut self, order: &Order) -> Written<String> {
        let program = self.program;
        let mut lines = Lines::default();
        lines.open("graph rules()");
        self.conceal(&mut lines);
        if !matches!(program.begin, Target::Block(_)) {
            let over = self.over();
            lines.push(&format!("{over}()"));
        }
        let Order { turns, cycle } = order;
        match cycle {
            Some(from) => {
                for (place, &turn) in turns.iter().enumerate() {
                    if place == *from {
                        lines.open("loop");
                    }
                    let name = self.turn(turn);
                    lines.push(&format!("{name}()"));
                }
                lines.close();
            }
            None if turns.len() < 2 => {
                for &turn in turns {
                    let name = self.turn(turn);
                    lines.push(&format!("{name}()"));
                }
            }
            None => {
                lines.open("loop");
                let mut all = turns.clone();
                all.sort_unstable();
                for (place, &turn) in all.iter().enumerate() {
                    let tests = program.turns[turn].known.clone();
                    let tests = tests.filter(|tests| !tests.is_empty());
                    let condition = self.all(&tests.ok_or("a turn that no fact tells")?)?;
                    match place {
                        0 => lines.open(&format!("if {condition}")),
                        _ => lines.between(&format!("else if {condition}")),
                    }
                    let name = self.turn(turn);
                    lines.push(&format!("{name}()"));
                }
                lines.close();
                lines.close();
            }
        }
        lines.close();
        Ok(lines.text)
    }

    /// The graph of a turn.
    fn turn(&mut self, turn: usize) -> String {
        let block = self.program.turns[turn].block;
        let wanted = self.program.blocks[block.place()].name.clone();
        self.graph_name(Graph::Turn(block), &wanted)
    }
}

/// The number of a symbol, or the coordinates of its square.
fn point(text: &str) -> Option<Vec<i64>> {
    let number = |text: &str| {
        let number: i64 = text.parse().ok()?;
        (text.len() < 9 && number.to_string() == text).then_some(number)
    };
    let parts: Option<Vec<i64>> = text.split('_').map(number).collect();
    parts.filter(|parts| parts.len() <= 2)
}
