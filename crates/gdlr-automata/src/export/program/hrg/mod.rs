//! A program as a text in High-level Regular Games.
//!
//! A type becomes a domain, a constant map a function, a block or a check a graph. A turn is one
//! graph, with the plies in it; where the play goes on is told by the loop in `rules`: the turns one
//! after the other, or the one that the state says. A square is what a constructor makes of its
//! coordinates, so that a step to its neighbour is a sum.

mod declarations;

use super::reads::reads;
use super::turns::Order;
use super::{
    Act, BlockId, Body, CheckId, Each, Follow, If, Program, Search, Statement, Target, Test,
};
use crate::export::legend::push_comment;
use crate::export::slots::Slot;
use gdlr_rg::hrg::is_pattern_variable;
use gdlr_rg::rg::{Base, Description, Expr, Name, SimpleType, is_name_character};
use gdlr_text::graph::strongly_connected;
use hashbrown::{HashMap, HashSet};
use std::collections::VecDeque;

/// Why a program is not written: it has something that graphs cannot do.
pub(in crate::export) type Unsuited = &'static str;

type Written<T> = Result<T, Unsuited>;

/// The keys of all entries of a map, and their values; no key for all others.
type Cases = Vec<(Vec<Option<Name>>, Name)>;

/// How many tests a check may have to be asked in place.
const MOST_IN_PLACE: usize = 4;

/// What no symbol and no function may be called.
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

/// A graph that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Graph {
    Turn(BlockId),
    Over,
    Routine(BlockId),
    Check(CheckId),
}

/// Where statements stand, which says what it means to go on elsewhere.
#[derive(Clone, Copy, Debug)]
enum Inside {
    Turn,
    /// A routine that asks for itself at the end, as a loop, or one that does not.
    Routine(BlockId, bool),
    Check,
}

/// Lines of statements.
#[derive(Debug, Default)]
struct Lines {
    text: String,
    depth: usize,
}

impl Lines {
    fn push(&mut self, line: &str) {
        (0..self.depth).for_each(|_| self.text.push_str("    "));
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Opens a block behind a head.
    fn open(&mut self, head: &str) {
        self.push(&format!("{head} {{"));
        self.depth += 1;
    }

    /// Closes a block and opens another one.
    fn between(&mut self, head: &str) {
        self.depth -= 1;
        self.open(&format!("}} {head}"));
    }

    fn close(&mut self) {
        self.depth -= 1;
        self.push("}");
    }
}

struct Writer<'p> {
    program: &'p Program,
    description: &'p Description,
    /// Symbols that are called otherwise here.
    renamed: HashMap<Name, String>,
    functions: HashSet<Name>,
    /// What is read: what is only assigned to is left out.
    reads: HashSet<Name>,
    /// What makes a square of two coordinates.
    square: String,
    /// By symbol: the number that it is, or the coordinates of a square.
    points: HashMap<Name, Vec<i64>>,
    /// By graph: its name.
    graphs: HashMap<Graph, String>,
    taken: HashSet<String>,
    /// Those that are still to be written.
    open: VecDeque<Graph>,
}

/// Writes a program. The description is the one that it has become, with its types, constants and
/// variables.
///
/// # Errors
///
/// When the program has something that graphs cannot do.
pub(in crate::export) fn text(program: &Program, description: &Description) -> Written<String> {
    let order = Order::of(program);
    let functions = description.constants.iter().map(|constant| constant.name.name).collect();
    let mut writer = Writer {
        program,
        description,
        renamed: HashMap::new(),
        functions,
        reads: reads(program, order.is_told()),
        square: String::new(),
        points: HashMap::new(),
        graphs: HashMap::new(),
        taken: HashSet::from(["rules".to_owned()]),
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
    // Only what is named is declared.
    let mut named = words(&[&graphs, &rules]);
    let mut variables = String::new();
    for variable in &description.variables {
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
    Ok([&text, "\n", &functions, &variables, &graphs, "\n", &rules].concat())
}

/// Whether one of some graphs, by their names and texts, calls itself, maybe through others.
fn is_recursive(graphs: &[(String, String)]) -> bool {
    let place_of: HashMap<&str, u32> =
        graphs.iter().zip(0..).map(|((name, _), place)| (&name[..], place)).collect();
    // A call tells nothing: what stands before `()` is the graph.
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
    /// Gives other names to symbols that mean something else here: variables of patterns, words of
    /// the language, numbers that are written in another way. Squares are made of coordinates.
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

    /// The name of a graph, which is written if it has not been.
    fn graph_name(&mut self, graph: Graph, wanted: &str) -> String {
        if let Some(name) = self.graphs.get(&graph) {
            return name.clone();
        }
        let mut name = wanted.to_owned();
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

    /// Tests that all hold, as a condition.
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
        // What only asks for a relation of what it holds already is that.
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

    /// The first map of the state that statements ask for.
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

    fn body(&mut self, body: &[Statement], inside: Inside, lines: &mut Lines) -> Written<()> {
        let mut rest = body;
        while let Some((first, behind)) = rest.split_first() {
            let tests: Vec<Test> = rest.iter().map_while(as_test).collect();
            if !tests.is_empty() {
                let condition = self.all(&tests)?;
                lines.push(&format!("check({condition})"));
                rest = &rest[tests.len()..];
                continue;
            }
            if let Statement::Do(Act::Set(slot, Name::KEEPER)) = first
                && *slot == self.program.player
                && matches!(behind, [Statement::Go(Target::End)])
            {
                // The end says so, too.
                rest = behind;
                continue;
            }
            self.statement(first, inside, lines)?;
            rest = behind;
        }
        Ok(())
    }

    fn statement(&mut self, one: &Statement, inside: Inside, lines: &mut Lines) -> Written<()> {
        match one {
            Statement::Test(test) => {
                let condition = self.condition(*test)?;
                lines.push(&format!("check({condition})"));
            }
            Statement::Never => lines.push("check(false())"),
            Statement::Do(act) if self.is_idle(*act) => {}
            Statement::Do(act) => {
                let line = self.act(*act);
                lines.push(&line);
            }
            Statement::Choice(ways) => self.branch(ways, inside, lines)?,
            Statement::Search(search) => self.search(search, inside, lines)?,
            Statement::If(branch) => self.if_(branch, false, inside, lines)?,
            Statement::Cases(cases) => {
                for (number, (tests, body)) in cases.iter().enumerate() {
                    let head = match tests.is_empty() {
                        true => "if true()".to_owned(),
                        false => format!("if {}", self.all(tests)?),
                    };
                    match number {
                        0 => lines.open(&head),
                        _ => lines.between(&format!("else {head}")),
                    }
                    self.body(body, inside, lines)?;
                }
                lines.close();
            }
            Statement::Each(Each { slot, first, last, next, body }) => {
                let name = self.slot(*slot);
                lines.push(&format!("{name} = {}", self.name(*first)));
                lines.open("loop");
                self.body(body, inside, lines)?;
                lines.open(&format!("if {name} == {}", self.name(*last)));
                lines.push("break()");
                lines.close();
                lines.push(&format!("{name} = {}", self.slot(*next)));
                lines.close();
            }
            Statement::Follow(Follow { first, step, body }) => {
                self.nested(first, lines, &mut |writer, lines| {
                    lines.open("loop");
                    writer.body(body, inside, lines)?;
                    writer.nested(step, lines, &mut |_, lines| {
                        lines.push("continue()");
                        Ok(())
                    })?;
                    lines.push("break()");
                    lines.close();
                    Ok(())
                })?;
            }
            Statement::Go(target) => self.go(*target, inside, lines)?,
        }
        Ok(())
    }

    /// Whether something is assigned to what nothing reads.
    fn is_idle(&self, act: Act) -> bool {
        let (Act::Set(slot, _) | Act::Copy(slot, _)) = act else { return false };
        let variables = &self.description.variables;
        match &self.program.slots.expr(slot).base {
            Base::Name(name) => {
                let is_own = |name: Name| variables.iter().any(|own| own.name.name == name);
                !self.reads.contains(&name.name) && is_own(name.name)
            }
            Base::Cast(..) => false,
        }
    }

    fn act(&self, act: Act) -> String {
        match act {
            Act::Any(slot, type_) => format!("{} = {}(*)", self.slot(slot), self.name(type_)),
            Act::Set(slot, symbol) => format!("{} = {}", self.slot(slot), self.name(symbol)),
            Act::Copy(to, from) => format!("{} = {}", self.slot(to), self.slot(from)),
            Act::Tag(tag) => match self.square_of(tag) {
                Some((x, y)) => format!("$ {}__{x}_{y}", self.square),
                None => format!("$ {}", self.name(tag)),
            },
            Act::TagOf(slot) => format!("$$ {}", self.slot(slot)),
        }
    }

    fn go(&mut self, target: Target, inside: Inside, lines: &mut Lines) -> Written<()> {
        match (target, inside) {
            (Target::End, Inside::Turn) => lines.push("end()"),
            (Target::Over, Inside::Turn) => {
                let over = self.over();
                lines.push(&format!("{over}()"));
            }
            (Target::Block(block), Inside::Turn) => {
                // Turns are what `rules` goes through; a ply is a part of its turn.
                if self.program.turn_of(block).is_none() {
                    let program = self.program;
                    self.body(&program.blocks[block.place()].body, inside, lines)?;
                }
            }
            // It begins again behind this.
            (Target::Block(block), Inside::Routine(own, true)) if block == own => {}
            (Target::Block(block), Inside::Routine(..) | Inside::Check) => {
                let asked = self.routine(block);
                lines.push(&format!("check(reachable({asked}()))"));
                if let Inside::Routine(_, true) = inside {
                    lines.push("return()");
                }
            }
            (Target::End | Target::Over, _) => return Err("a check that ends the play"),
        }
        Ok(())
    }

    /// One of some bodies. Those that begin alike begin together.
    fn branch(&mut self, ways: &[Body], inside: Inside, lines: &mut Lines) -> Written<()> {
        let ways = together(ways);
        if let [only] = &ways[..] {
            return self.body(only, inside, lines);
        }
        if ways.is_empty() {
            lines.push("check(false())");
            return Ok(());
        }
        for (number, way) in ways.iter().enumerate() {
            match number {
                0 => lines.open("branch"),
                _ => lines.between("or"),
            }
            self.body(way, inside, lines)?;
        }
        lines.close();
        Ok(())
    }

    fn search(&mut self, search: &Search, inside: Inside, lines: &mut Lines) -> Written<()> {
        self.branch(&search.first, inside, lines)?;
        if search.rounds.is_empty() {
            return self.body(&search.exit, inside, lines);
        }
        lines.open("loop");
        lines.open("branch");
        self.body(&search.exit, inside, lines)?;
        lines.push("break()");
        for round in &search.rounds {
            lines.between("or");
            self.body(round, inside, lines)?;
        }
        lines.close();
        lines.close();
        Ok(())
    }

    /// A decision, in the place of what another one does otherwise, or by itself.
    fn if_(
        &mut self,
        branch: &If,
        is_else: bool,
        inside: Inside,
        lines: &mut Lines,
    ) -> Written<()> {
        let If { tests, then, otherwise } = branch;
        if tests.contains(&Statement::Never) {
            return self.body(otherwise, inside, lines);
        }
        let only: Option<Vec<Test>> = tests.iter().map(as_test).collect();
        let goes_on = |body: &[Statement]| -> bool { self.does_something(body, inside) };
        let (is_then, is_otherwise) = (goes_on(then), goes_on(otherwise));
        match only {
            Some(tests) if is_then || is_otherwise => {
                let condition = self.all(&tests)?;
                let (head, then) = match is_then {
                    true => (format!("if {condition}"), then),
                    false => (format!("if not({condition})"), otherwise),
                };
                match is_else {
                    false => lines.open(&head),
                    true => lines.between(&format!("else {head}")),
                }
                self.body(then, inside, lines)?;
                if is_then && is_otherwise {
                    if let [Statement::If(next)] = &otherwise[..]
                        && next.tests.iter().all(|test| as_test(test).is_some())
                    {
                        return self.if_(next, true, inside, lines);
                    }
                    lines.between("else");
                    self.body(otherwise, inside, lines)?;
                }
                lines.close();
                Ok(())
            }
            Some(_) => {
                if is_else {
                    lines.close();
                }
                Ok(())
            }
            None if is_otherwise => Err("a decision that reads between its tests"),
            None => {
                self.nested(tests, lines, &mut |writer, lines| writer.body(then, inside, lines))
            }
        }
    }

    /// Whether there is anything to be written for a body.
    fn does_something(&self, body: &[Statement], inside: Inside) -> bool {
        body.iter().any(|one| match (one, inside) {
            (Statement::Go(Target::Block(block)), Inside::Turn) => {
                self.program.turn_of(*block).is_none()
            }
            (Statement::Do(act), _) => !self.is_idle(*act),
            _ => true,
        })
    }

    /// Something within tests, and what is assigned between them.
    fn nested(
        &mut self,
        tests: &[Statement],
        lines: &mut Lines,
        inner: &mut dyn FnMut(&mut Self, &mut Lines) -> Written<()>,
    ) -> Written<()> {
        if tests.contains(&Statement::Never) {
            return Ok(());
        }
        let mut rest = tests;
        let mut opened = 0;
        while let Some((first, behind)) = rest.split_first() {
            let together: Vec<Test> = rest.iter().map_while(as_test).collect();
            if together.is_empty() {
                self.statement(first, Inside::Check, lines)?;
                rest = behind;
                continue;
            }
            let condition = self.all(&together)?;
            lines.open(&format!("if {condition}"));
            opened += 1;
            rest = &rest[together.len()..];
        }
        inner(self, lines)?;
        (0..opened).for_each(|_| lines.close());
        Ok(())
    }

    fn graph(&mut self, graph: Graph) -> Written<String> {
        let program = self.program;
        let name = self.graphs[&graph].clone();
        let mut lines = Lines::default();
        let comment = |block: BlockId| program.blocks[block.place()].comment.as_deref();
        let mut text = String::new();
        let quote = |quoted: Option<&str>, text: &mut String| {
            quoted.into_iter().flat_map(str::lines).for_each(|line| push_comment(text, line));
        };
        lines.open(&format!("graph {name}()"));
        match graph {
            Graph::Turn(block) => {
                let turn = program.turn_of(block).and_then(|place| program.turns.get(place));
                let turn = turn.ok_or("a turn that is none")?;
                let own = &program.blocks[turn.block.place()].body;
                self.judge(turn.judge, &mut lines)?;
                for one in own {
                    if let Statement::Go(Target::Block(ply)) = one {
                        quote(comment(*ply), &mut text);
                    }
                }
                self.body(own, Inside::Turn, &mut lines)?;
            }
            Graph::Over => {
                quote(comment(program.over), &mut text);
                self.body(&program.blocks[program.over.place()].body, Inside::Turn, &mut lines)?;
            }
            Graph::Routine(block) => {
                quote(comment(block), &mut text);
                let told = &program.blocks[block.place()].parameters;
                if !told.is_empty() {
                    let told: Vec<String> = told.iter().map(|&slot| self.slot(slot)).collect();
                    push_comment(&mut text, &format!("Asked of {}.", told.join(", ")));
                }
                let own = Statement::Go(Target::Block(block));
                match &program.blocks[block.place()].body[..] {
                    [Statement::Choice(ways)]
                        if ways.iter().any(|way| way.last() == Some(&own)) =>
                    {
                        self.rounds(ways, block, &mut lines)?;
                    }
                    [Statement::Choice(ways)] => {
                        self.branch(ways, Inside::Routine(block, false), &mut lines)?;
                    }
                    decided => {
                        lines.open("loop");
                        self.body(decided, Inside::Routine(block, true), &mut lines)?;
                        lines.close();
                    }
                }
            }
            Graph::Check(check) => {
                self.branch(&program.checks[check.0 as usize], Inside::Check, &mut lines)?;
            }
        }
        lines.close();
        text.push_str(&lines.text);
        Ok(text)
    }

    /// A routine that asks for itself at the end.
    fn rounds(&mut self, ways: &[Body], own: BlockId, lines: &mut Lines) -> Written<()> {
        lines.open("loop");
        for (number, way) in ways.iter().enumerate() {
            match number {
                0 => lines.open("branch"),
                _ => lines.between("or"),
            }
            self.body(way, Inside::Routine(own, true), lines)?;
            if !matches!(way.last(), Some(Statement::Go(_))) {
                lines.push("return()");
            }
        }
        lines.close();
        lines.close();
        Ok(())
    }

    /// Asks whether the play is over before a turn.
    fn judge(&mut self, judge: BlockId, lines: &mut Lines) -> Written<()> {
        let program = self.program;
        match &program.blocks[judge.place()].body[..] {
            // Nothing leads there, or the play is never over.
            [] | [Statement::Choice(_)] => Ok(()),
            body => self.body(body, Inside::Turn, lines),
        }
    }

    /// The loop through all turns.
    fn rules(&mut self, order: &Order) -> Written<String> {
        let program = self.program;
        let mut lines = Lines::default();
        lines.open("graph rules()");
        if !matches!(program.begin, Target::Block(_)) {
            let over = self.over();
            lines.push(&format!("{over}()"));
        }
        let Order { turns, circle } = order;
        match circle {
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
                    let known = program.turns[turn].known.clone();
                    let known = known.filter(|known| !known.is_empty());
                    let condition = self.all(&known.ok_or("a turn that no fact tells")?)?;
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

/// The number that a symbol is, or the coordinates of a square.
fn point(text: &str) -> Option<Vec<i64>> {
    let number = |text: &str| {
        let number: i64 = text.parse().ok()?;
        (text.len() < 9 && number.to_string() == text).then_some(number)
    };
    let parts: Option<Vec<i64>> = text.split('_').map(number).collect();
    parts.filter(|parts| parts.len() <= 2)
}

/// Bodies with one for several that begin with the same test or assignment: that, and then one of
/// what is behind it in each.
fn together(ways: &[Body]) -> Vec<Body> {
    let mut groups: Vec<(Option<&Statement>, Vec<&Body>)> = Vec::new();
    for way in ways {
        let first = way.first().filter(|first| {
            way.len() > 1 && matches!(first, Statement::Test(_) | Statement::Do(_))
        });
        match groups.iter_mut().find(|(other, _)| first.is_some() && *other == first) {
            Some((_, group)) => group.push(way),
            None => groups.push((first, vec![way])),
        }
    }
    let of_group = |(first, group): (Option<&Statement>, Vec<&Body>)| match (first, &group[..]) {
        (Some(first), [_, _, ..]) => {
            let rests = group.iter().map(|way| way[1..].to_vec()).collect();
            vec![first.clone(), Statement::Choice(rests)]
        }
        _ => group[0].clone(),
    };
    groups.into_iter().map(of_group).collect()
}

fn as_test(statement: &Statement) -> Option<Test> {
    match statement {
        Statement::Test(test) => Some(*test),
        _ => None,
    }
}
