//! A program as a text in High-level Regular Games.
//!
//! A type becomes a domain, a constant map a function, a block or a check a graph. A turn is one
//! graph, with the plies in it; where the play goes on is told by the loop in `rules`: the turns one
//! after the other, or the one that the state says. A square is what a constructor makes of its
//! coordinates, so that a step to its neighbour is a sum.

use super::{
    Act, BlockId, Body, CheckId, Each, Follow, If, Program, Search, Statement, Target, Test,
};
use crate::export::legend::push_comment;
use crate::export::slots::Slot;
use gdlr_rg::hrg::is_pattern_variable;
use gdlr_rg::rg::{
    Base, Constant, Description, Expr, Name, SimpleType, Type, TypeAlias, Value, Variable,
};
use hashbrown::{HashMap, HashSet};
use std::collections::VecDeque;

/// Why a program is not written: it has something that graphs cannot do.
pub(in crate::export) type Unsuited = &'static str;

type Written<T> = Result<T, Unsuited>;

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
    let functions = description.constants.iter().map(|constant| constant.name.name).collect();
    let mut writer = Writer {
        program,
        description,
        renamed: HashMap::new(),
        functions,
        square: String::new(),
        points: HashMap::new(),
        graphs: HashMap::new(),
        taken: HashSet::from(["rules".to_owned()]),
        open: VecDeque::new(),
    };
    writer.rename();
    let rules = writer.rules()?;
    let mut graphs = String::new();
    while let Some(graph) = writer.open.pop_front() {
        graphs.push('\n');
        graphs.push_str(&writer.graph(graph)?);
    }
    let mut text = String::new();
    for type_ in &description.types {
        text.push_str(&writer.domain(type_)?);
    }
    for constant in &description.constants {
        text.push('\n');
        text.push_str(&writer.function(constant)?);
    }
    text.push('\n');
    for variable in &description.variables {
        text.push_str(&writer.variable(variable));
    }
    text.push_str(&graphs);
    text.push('\n');
    text.push_str(&rules);
    Ok(text)
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
            is_pattern_variable(text) || RESERVED.contains(&text) || is_other_number
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

    // Declarations.

    fn domain(&self, alias: &TypeAlias) -> Written<String> {
        let SimpleType::Set(set) = &alias.type_.value else { return Err("a type of types") };
        let squares = set.members.iter().map_while(|member| self.square_of(member.name));
        let squares: Vec<(i64, i64)> = squares.collect();
        let grid = self.grid(&squares);
        let rest = if grid.is_some() { &set.members[squares.len()..] } else { &set.members[..] };
        let members = rest.iter().map(|member| self.name(member.name));
        let members: Vec<&str> = grid.as_deref().into_iter().chain(members).collect();
        let mut text = format!("domain {} =", self.name(alias.name.name));
        let mut width = text.len();
        for (number, member) in members.iter().enumerate() {
            let sign = if number > 0 { " |" } else { "" };
            if width + sign.len() + 1 + member.len() > 90 {
                text.push_str(&format!("{sign}\n   "));
                width = 3;
            } else {
                text.push_str(sign);
                width += sign.len();
            }
            text.push_str(&format!(" {member}"));
            width += 1 + member.len();
        }
        text.push('\n');
        Ok(text)
    }

    /// The coordinates of a square.
    fn square_of(&self, symbol: Name) -> Option<(i64, i64)> {
        match self.points.get(&symbol)?[..] {
            [x, y] => Some((x, y)),
            _ => None,
        }
    }

    /// All squares of some columns and rows, if these are all, in their order.
    fn grid(&self, squares: &[(i64, i64)]) -> Option<String> {
        let range = |mut all: Vec<i64>| {
            all.sort_unstable();
            all.dedup();
            let (first, last) = (*all.first()?, *all.last()?);
            (last - first + 1 == all.len() as i64).then_some((first, last))
        };
        let (left, right) = range(squares.iter().map(|(x, _)| *x).collect())?;
        let (low, high) = range(squares.iter().map(|(_, y)| *y).collect())?;
        let all = (left..=right).flat_map(|x| (low..=high).map(move |y| (x, y)));
        (squares.len() > 1 && all.eq(squares.iter().copied())).then(|| {
            format!("{}(X, Y) where X in {left}..{right}, Y in {low}..{high}", self.square)
        })
    }

    /// The members of a type.
    fn members(&self, type_: &SimpleType) -> Vec<Name> {
        let SimpleType::Named(type_) = type_ else { return Vec::new() };
        let alias = self.description.types.iter().find(|alias| alias.name.name == type_.name);
        match alias.map(|alias| &alias.type_.value) {
            Some(SimpleType::Set(set)) => set.members.iter().map(|member| member.name).collect(),
            _ if type_.name == Name::BOOL_TYPE => vec![Name::ZERO, Name::ONE],
            _ => Vec::new(),
        }
    }

    /// A function that adds the same to each number or square, as long as that leads to a value.
    fn step(&self, constant: &Constant, cases: &[(Vec<Option<Name>>, Name)]) -> Option<String> {
        let [of] = &constant.type_.keys[..] else { return None };
        let name = self.name(constant.name.name);
        let (keys, values) = (self.members(of), self.members(&constant.type_.value));
        let value = |key: Name| {
            let is_it = |(own, _): &&(Vec<Option<Name>>, Name)| own[0].is_none_or(|own| own == key);
            cases.iter().find(is_it).map(|(_, value)| *value)
        };
        let (mut by, mut other) = (None, None);
        for &key in &keys {
            let (key, value) = (self.points.get(&key)?, value(key)?);
            match self.points.get(&value) {
                Some(value) if value.len() == key.len() => {
                    let own: Vec<i64> = value.iter().zip(key).map(|(to, from)| to - from).collect();
                    if *by.get_or_insert_with(|| own.clone()) != own {
                        return None;
                    }
                }
                Some(_) => return None,
                None if *other.get_or_insert(value) != value => return None,
                None => {}
            }
        }
        let by: Vec<i64> = by.filter(|by| by.iter().any(|&by| by != 0))?;
        let leads_to = |key: &Name| -> Option<Name> {
            let to: Vec<i64> = self.points[key].iter().zip(&by).map(|(key, by)| key + by).collect();
            values.iter().copied().find(|value| self.points.get(value) == Some(&to))
        };
        if keys.len() < 3 || !keys.iter().all(|key| leads_to(key).or(other) == value(*key)) {
            return None;
        }
        let plus = |variable: &str, by: i64| match by {
            0 => variable.to_owned(),
            1.. => format!("{variable} + {by}"),
            _ => format!("{variable} - {}", -by),
        };
        let (pattern, to) = match by[..] {
            [x, y] => {
                let square = &self.square;
                let to = format!("{square}({}, {})", plus("X", x), plus("Y", y));
                (format!("{square}(X, Y)"), to)
            }
            [by] => ("I".to_owned(), plus("I", by)),
            _ => return None,
        };
        let type_ = self.type_(&Type::from(constant.type_.value.clone())).ok()?;
        Some(match other {
            None => format!("{name}({pattern}) = {to}\n"),
            Some(other) => {
                let other = self.name(other);
                format!("{name}({pattern}) = if {to} in {type_} then {to} else {other}\n")
            }
        })
    }

    fn type_(&self, type_: &Type) -> Written<String> {
        let parts = type_.keys.iter().chain([&type_.value]);
        let parts = parts.map(|part| match part {
            SimpleType::Named(name) => Ok(self.name(name.name)),
            SimpleType::Set(_) => Err("a type without a name"),
        });
        Ok(parts.collect::<Written<Vec<&str>>>()?.join(" -> "))
    }

    fn function(&self, constant: &Constant) -> Written<String> {
        let name = self.name(constant.name.name);
        let mut text = format!("{name}: {}\n", self.type_(&constant.type_)?);
        let mut cases = Vec::new();
        cases_of(&constant.value, &mut Vec::new(), &mut cases);
        if let Some(step) = self.step(constant, &cases) {
            text.push_str(&step);
            return Ok(text);
        }
        let count = constant.type_.keys.len();
        // What is told by the last case needs no case of its own.
        let last = cases.last().map(|(_, value)| *value);
        let is_last = |(keys, value): &(Vec<Option<Name>>, Name)| {
            Some(*value) == last && keys.iter().any(Option::is_none)
        };
        let mut lines: Vec<(Vec<Option<Name>>, Name)> =
            cases.iter().filter(|case| !is_last(case)).cloned().collect();
        if let Some(value) = last.filter(|_| cases.iter().any(is_last)) {
            lines.push((vec![None; count], value));
        }
        for (mut keys, value) in lines {
            keys.resize(count, None);
            let keys = keys.iter().map(|key| key.map_or("_", |key| self.name(key)));
            let keys = keys.collect::<Vec<_>>().join(", ");
            text.push_str(&format!("{name}({keys}) = {}\n", self.name(value)));
        }
        Ok(text)
    }

    fn variable(&self, variable: &Variable) -> String {
        let name = self.name(variable.name.name);
        let type_ = self.type_(&variable.type_).unwrap_or_default();
        match self.is_first(variable) {
            true => format!("{name}: {type_}\n"),
            false => format!("{name}: {type_} = {}\n", self.value(&variable.initial)),
        }
    }

    /// Whether a variable begins with the first value of its type everywhere.
    fn is_first(&self, variable: &Variable) -> bool {
        let first = self.members(&variable.type_.value).first().copied();
        let mut cases = Vec::new();
        cases_of(&variable.initial, &mut Vec::new(), &mut cases);
        cases.iter().all(|(_, value)| Some(*value) == first)
    }

    fn value(&self, value: &Value) -> String {
        match value {
            Value::Name(name) => self.name(name.name).to_owned(),
            Value::Map(map) => {
                let entry = |entry: &gdlr_rg::rg::Entry| match entry.key {
                    None => format!(":{}", self.value(&entry.value)),
                    Some(key) => format!("{} = {}", self.name(key.name), self.value(&entry.value)),
                };
                // The value of all other keys comes first.
                let (rest, own): (Vec<_>, Vec<_>) =
                    map.entries.iter().partition(|entry| entry.key.is_none());
                let parts: Vec<String> = rest.into_iter().chain(own).map(entry).collect();
                format!("{{ {} }}", parts.join("; "))
            }
        }
    }

    // Expressions and conditions.

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

    // Statements.

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
            Statement::Do(act) => {
                let line = self.act(*act);
                lines.push(&line);
            }
            Statement::Choice(ways) => self.branch(ways, &[], inside, lines)?,
            Statement::Search(search) => self.search(search, inside, lines)?,
            Statement::If(branch) => self.if_(branch, inside, lines)?,
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

    /// One of some bodies, each followed by some lines.
    fn branch(
        &mut self,
        ways: &[Body],
        behind: &[&str],
        inside: Inside,
        lines: &mut Lines,
    ) -> Written<()> {
        if let [only] = ways {
            self.body(only, inside, lines)?;
            behind.iter().for_each(|line| lines.push(line));
            return Ok(());
        }
        if ways.is_empty() {
            lines.push("check(false())");
        }
        for (number, way) in ways.iter().enumerate() {
            match number {
                0 => lines.open("branch"),
                _ => lines.between("or"),
            }
            self.body(way, inside, lines)?;
            behind.iter().for_each(|line| lines.push(line));
        }
        if !ways.is_empty() {
            lines.close();
        }
        Ok(())
    }

    fn search(&mut self, search: &Search, inside: Inside, lines: &mut Lines) -> Written<()> {
        self.branch(&search.first, &[], inside, lines)?;
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

    fn if_(&mut self, branch: &If, inside: Inside, lines: &mut Lines) -> Written<()> {
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
                lines.open(&head);
                self.body(then, inside, lines)?;
                if is_then && is_otherwise {
                    lines.between("else");
                    self.body(otherwise, inside, lines)?;
                }
                lines.close();
                Ok(())
            }
            Some(_) => Ok(()),
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

    // Graphs.

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
                let [Statement::Choice(ways)] = &program.blocks[block.place()].body[..] else {
                    return Err("a routine that is no choice");
                };
                match ways.iter().any(|way| way.last() == Some(&own)) {
                    true => self.rounds(ways, block, &mut lines)?,
                    false => self.branch(ways, &[], Inside::Routine(block, false), &mut lines)?,
                }
            }
            Graph::Check(check) => {
                self.branch(&program.checks[check.0 as usize], &[], Inside::Check, &mut lines)?;
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
    fn rules(&mut self) -> Written<String> {
        let program = self.program;
        let mut lines = Lines::default();
        lines.open("graph rules()");
        let first = match program.begin {
            Target::Block(block) => program.turn_of(block).ok_or("a play that begins nowhere")?,
            Target::Over | Target::End => {
                let over = self.over();
                lines.push(&format!("{over}()"));
                lines.close();
                return Ok(lines.text);
            }
        };
        let mut reached = vec![first];
        let mut next: HashMap<usize, Vec<usize>> = HashMap::new();
        let mut done = 0;
        while let Some(&turn) = reached.get(done) {
            done += 1;
            let mut found = Vec::new();
            self.turns_behind(&program.blocks[program.turns[turn].block.place()].body, &mut found);
            for &other in &found {
                if !reached.contains(&other) {
                    reached.push(other);
                }
            }
            next.insert(turn, found);
        }
        let circle = match next.values().all(|next| next.len() == 1) {
            true => reached.iter().position(|turn| Some(turn) == next[&reached[done - 1]].first()),
            false => None,
        };
        match circle {
            Some(from) => {
                for (place, &turn) in reached.iter().enumerate() {
                    if place == from {
                        lines.open("loop");
                    }
                    let name = self.turn(turn);
                    lines.push(&format!("{name}()"));
                }
                lines.close();
            }
            None if reached.len() == 1 => {
                let name = self.turn(first);
                lines.push(&format!("{name}()"));
            }
            None => {
                lines.open("loop");
                let mut all = reached.clone();
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

    /// The turns to which statements go on.
    fn turns_behind(&self, body: &[Statement], found: &mut Vec<usize>) {
        for one in body {
            match one {
                Statement::Go(Target::Block(block)) => match self.program.turn_of(*block) {
                    Some(turn) if !found.contains(&turn) => found.push(turn),
                    Some(_) => {}
                    None => {
                        self.turns_behind(&self.program.blocks[block.place()].body, found);
                    }
                },
                Statement::Choice(ways) => {
                    ways.iter().for_each(|way| self.turns_behind(way, found));
                }
                Statement::If(branch) => {
                    self.turns_behind(&branch.then, found);
                    self.turns_behind(&branch.otherwise, found);
                }
                Statement::Cases(cases) => {
                    cases.iter().for_each(|(_, body)| self.turns_behind(body, found));
                }
                _ => {}
            }
        }
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

fn as_test(statement: &Statement) -> Option<Test> {
    match statement {
        Statement::Test(test) => Some(*test),
        _ => None,
    }
}

/// The keys of all entries of a map and their values; no key for all others.
fn cases_of(
    value: &Value,
    keys: &mut Vec<Option<Name>>,
    cases: &mut Vec<(Vec<Option<Name>>, Name)>,
) {
    match value {
        Value::Name(name) => cases.push((keys.clone(), name.name)),
        Value::Map(map) => {
            for entry in &map.entries {
                keys.push(entry.key.map(|key| key.name));
                cases_of(&entry.value, keys, cases);
                keys.pop();
            }
        }
    }
}
