//! The code of functions, printed operation by operation.

use super::Variables;
use super::functions::{Functions, Key, Start};
use super::syntax::Syntax;
use crate::rg::interpreter::program::{
    Address, Check, Entry, FAIL, NodeId, Op, PLAYER, Program, Register, Table,
};
use crate::rg::name::Name;
use hashbrown::{HashMap, HashSet};
use std::fmt::Write;
use std::ops::{Range, RangeInclusive};

/// The functions of a file, printed.
pub(super) struct Printed {
    /// The name of each function, and whether it is of a check.
    pub functions: Vec<(String, bool)>,
    /// The code of all functions.
    pub code: String,
    /// By node: whether it has a function that lists moves.
    pub entries: Vec<bool>,
}

/// Prints the functions of all landmarks, and those that they call.
pub(super) fn print(
    program: &Program,
    functions: &Functions,
    variables: &Variables,
    comments: Vec<String>,
    (tags, names): (&[Name], &[&str]),
    syntax: Syntax,
) -> Printed {
    let mut fixed: Vec<bool> = vec![true; program.registers.len()];
    fixed[..program.variables].fill(false);
    for op in &program.code {
        if let Op::Load { to, .. }
        | Op::LoadPair { to, .. }
        | Op::Offset { to, .. }
        | Op::LoadThere { to } = *op
        {
            fixed[to as usize] = false;
        }
    }
    let entries: Vec<bool> = program.entries.iter().map(|&entry| entry != FAIL).collect();
    let mut writer = Writer {
        program,
        functions,
        variables,
        comments,
        tags,
        names,
        syntax,
        fixed,
        out: String::new(),
        functions_of_file: Vec::new(),
        wanted: HashMap::new(),
        taken: HashSet::new(),
        open: Vec::new(),
        target: None,
        depth: 0,
        locals: 0,
        locations: Default::default(),
        edge: u32::MAX,
    };
    for node in (0..entries.len() as NodeId).rev() {
        if entries[node as usize] {
            writer.want(Key { start: Start::Node(node), target: None });
        }
    }
    while let Some(key) = writer.open.pop() {
        writer.function(key);
    }
    Printed { functions: writer.functions_of_file, code: writer.out, entries }
}

struct Writer<'p> {
    program: &'p Program,
    functions: &'p Functions,
    variables: &'p Variables,
    /// By edge: its text.
    comments: Vec<String>,
    /// The names of symbols and of tags, and their texts.
    tags: &'p [Name],
    names: &'p [&'p str],
    syntax: Syntax,
    /// By register: whether it always holds the same number.
    fixed: Vec<bool>,
    out: String,
    functions_of_file: Vec<(String, bool)>,
    /// The functions that were asked for, and their names.
    wanted: HashMap<Key, String>,
    /// The names of functions.
    taken: HashSet<String>,
    open: Vec<Key>,
    /// The node that the function at hand looks for.
    target: Option<NodeId>,
    /// The number of blocks that are open.
    depth: usize,
    /// The number of local variables of the function at hand.
    locals: usize,
    /// The local variables with the locations.
    locations: [usize; 2],
    /// The edge of the last operation, `u32::MAX` at first.
    edge: u32,
}

impl Writer<'_> {
    /// Puts a function onto the list, unless it was there. Returns its name.
    fn want(&mut self, key: Key) -> String {
        if let Some(name) = self.wanted.get(&key) {
            return name.clone();
        }
        let near = match key.start {
            Start::Node(_) => "",
            Start::Shared(at) => {
                let edge = self.program.edges[at as usize] as usize;
                self.comments.get(edge).and_then(|text| text.split(',').next()).unwrap_or("")
            }
        };
        let plain = self.functions.name(key, near);
        // A node may be called `a_to_b`.
        let mut name = plain.clone();
        let mut number = 2;
        while !self.taken.insert(name.clone()) {
            name = format!("{plain}_{number}");
            number += 1;
        }
        self.wanted.insert(key, name.clone());
        self.open.push(key);
        self.functions_of_file.push((name.clone(), key.target.is_some()));
        name
    }

    fn line(&mut self, text: &str) {
        let indent = 4 * (self.syntax.indent() + self.depth);
        let _ = writeln!(self.out, "{:indent$}{text}", "");
    }

    fn open_block(&mut self, head: &str) {
        self.line(&format!("{head} {{"));
        self.depth += 1;
    }

    fn close_block(&mut self) {
        self.depth -= 1;
        self.line("}");
    }

    fn local(&mut self) -> usize {
        self.locals += 1;
        self.locals
    }

    fn function(&mut self, key: Key) {
        (self.target, self.locals, self.edge) = (key.target, 0, u32::MAX);
        let name = self.want(key);
        let is_check = key.target.is_some();
        let mut about = match key.start {
            Start::Node(node) => {
                format!("All walks from `{}`", self.functions.nodes[node as usize].0)
            }
            Start::Shared(_) => "The rest of some walks".to_owned(),
        };
        about += &match key.target {
            None => " to the ends of moves.".to_owned(),
            Some(target) => {
                format!(": whether one comes to `{}`.", self.functions.nodes[target as usize].0)
            }
        };
        self.out.push('\n');
        self.line(&self.syntax.doc(&about));
        self.open_block(&self.syntax.head(&name, is_check));
        let at = match key.start {
            Start::Node(node) => {
                if self.functions.comes_back(node, is_check) {
                    self.line(&self.syntax.enter(node, is_check));
                }
                self.program.entries[node as usize]
            }
            Start::Shared(at) => at,
        };
        self.follow(at);
        if is_check {
            self.line(self.syntax.missing());
        }
        self.close_block();
    }

    /// Goes on at an address: by a call if other operations do so, too.
    fn go(&mut self, at: Address) {
        if at == FAIL {
            return;
        }
        match self.functions.is_shared(at) {
            true => self.call(Start::Shared(at)),
            false => self.follow(at),
        }
    }

    fn call(&mut self, start: Start) {
        let is_check = self.target.is_some();
        let name = self.want(Key { start, target: self.target });
        self.line(&self.syntax.call(&name, is_check));
    }

    /// Prints a condition with the code for either case.
    fn choose(&mut self, condition: &str, opposite: &str, yes: Address, no: Address) {
        match (yes == FAIL, no == FAIL) {
            (true, true) => {}
            (true, false) => {
                self.open_block(&self.syntax.when(opposite));
                self.go(no);
                self.close_block();
            }
            (false, no_other) => {
                self.open_block(&self.syntax.when(condition));
                self.go(yes);
                if !no_other {
                    self.depth -= 1;
                    self.open_block("} else");
                    self.go(no);
                }
                self.close_block();
            }
        }
    }

    fn compare(&mut self, left: &str, right: &str, equal: Address, different: Address) {
        let (condition, opposite) = (format!("{left} == {right}"), format!("{left} != {right}"));
        self.choose(&condition, &opposite, equal, different);
    }

    /// Prints the code from an address on. What stands behind it undoes its assignments.
    fn follow(&mut self, start: Address) {
        let mut behind = Vec::new();
        let mut at = start;
        while at == start || !self.functions.is_shared(at) {
            self.comment(at);
            if !self.operation(at, &mut behind) {
                return self.end(behind);
            }
            at += 1;
        }
        self.call(Start::Shared(at));
        self.end(behind);
    }

    fn end(&mut self, behind: Vec<Behind>) {
        for step in behind.into_iter().rev() {
            match step {
                Behind::Go(at) => self.go(at),
                Behind::Close => self.close_block(),
                Behind::Line(line) => self.line(&line),
            }
        }
    }

    /// The edge of an operation, where it is another than that of the last.
    fn comment(&mut self, at: Address) {
        let edge = self.program.edges[at as usize];
        let is_jump = matches!(
            self.program.code[at as usize],
            Op::Fail | Op::Jump(_) | Op::Arrive { .. } | Op::Push(_) | Op::Branch { .. }
        );
        if edge != self.edge && !is_jump {
            self.edge = edge;
            if let Some(text) = self.comments.get(edge as usize) {
                let comment = self.syntax.comment(text);
                self.line(&comment);
            }
        }
    }

    /// Prints an operation. Returns whether the next one follows. `behind` gets what comes behind that.
    fn operation(&mut self, at: Address, behind: &mut Vec<Behind>) -> bool {
        match self.program.code[at as usize] {
            Op::Fail => return false,
            Op::Arrive { node, .. } if Some(node) == self.target => {
                self.line(self.syntax.found());
                return false;
            }
            Op::Arrive { node, otherwise } => {
                self.call(Start::Node(node));
                self.go(otherwise);
                return false;
            }
            Op::Jump(to) => {
                self.go(to);
                return false;
            }
            Op::Push(others) => behind.push(Behind::Go(others)),
            Op::Branch { first, end } => {
                for target in first..end {
                    self.go(self.program.targets[target as usize]);
                }
                return false;
            }
            Op::Switch { register, first, least, span, otherwise } => {
                self.switch(register, first, least..=least + span, otherwise);
                return false;
            }
            Op::Compare { left, right, equal, different } => {
                let (left, right) = (self.value(left), self.value(right));
                self.compare(&left, &right, equal, different);
                return false;
            }
            Op::CompareEntry { entry, with, equal, different } => {
                let (left, right) = (self.entry(entry), self.value(with));
                self.compare(&left, &right, equal, different);
                return false;
            }
            Op::CompareNested { base, entry, with, equal, different } => {
                let inner = self.entry(entry);
                let left = self.syntax.register(&self.syntax.further(base, &inner));
                let right = self.value(with);
                self.compare(&left, &right, equal, different);
                return false;
            }
            Op::CompareRow { length, equal, different } => {
                let [left, right] = self.locations;
                let condition = self.syntax.same_rows(left, right, length);
                self.choose(&condition, &format!("!{condition}"), equal, different);
                return false;
            }
            Op::Check { check, found, missing } => {
                let Check { from, to } = self.program.checks[check as usize];
                if from == to {
                    self.go(found);
                    return false;
                }
                let name = self.want(Key { start: Start::Node(from), target: Some(to) });
                let condition = self.syntax.check(&name);
                self.choose(&condition, &format!("!{condition}"), found, missing);
                return false;
            }
            Op::Finish { from, node } => {
                let (place, symbol) = (self.variables.index(PLAYER), self.value(from));
                self.assign(&place, &symbol, behind);
                if self.target.is_none() {
                    self.line(&self.syntax.finish(node));
                    return false;
                }
            }
            Op::Move { to, from } => {
                let (place, symbol) = (self.variables.index(to), self.value(from));
                self.assign(&place, &symbol, behind);
            }
            Op::Store { entry: Entry { base, key }, from } => {
                let (key, symbol) = (self.value(key), self.value(from));
                let place = self.located(&self.syntax.further(base, &key));
                self.assign(&self.syntax.place(place), &symbol, behind);
            }
            Op::StoreThere { from } => {
                let symbol = self.value(from);
                self.assign(&self.syntax.place(self.locations[0]), &symbol, behind);
            }
            Op::CopyRow { length } => {
                let [to, from] = self.locations;
                let is_logged = self.target.is_none();
                self.line(&self.syntax.copy_row(to, from, length, is_logged));
                behind.push(Behind::Line(self.syntax.undo_row(to, length, is_logged)));
            }
            Op::Any { register, first, end, .. } => {
                let place = self.variables.index(register);
                self.any(&place, first..end, behind);
            }
            Op::AnyThere { first, end } => {
                let place = self.syntax.place(self.locations[0]);
                self.any(&place, first..end, behind);
            }
            Op::Tag(name) => {
                if let Some(number) = self.tags.iter().position(|&tag| tag == name) {
                    self.tag(&self.syntax.number(number as u32, self.names[number]), behind);
                }
            }
            Op::TagVariable(register) => {
                let symbol = self.value(register);
                self.tag(&symbol, behind);
            }
            Op::Load { to, entry } => {
                let value = self.entry(entry);
                self.put(to, &value);
            }
            Op::LoadPair { to, base, first, stride, second } => {
                let (first, second) = (self.value(first), self.value(second));
                let value = self.syntax.register(&self.syntax.pair(base, &first, stride, &second));
                self.put(to, &value);
            }
            Op::Offset { to, key, table } => {
                let value = self.offset(key, table);
                self.put(to, &value);
            }
            Op::LoadThere { to } => {
                let value = self.syntax.register(&self.syntax.place(self.locations[0]));
                self.put(to, &value);
            }
            Op::Locate { which, base } => {
                let place = self.located(&self.syntax.base(base));
                self.locations[usize::from(which & 1)] = place;
            }
            Op::Advance { which, key, stride } => {
                let which = usize::from(which & 1);
                let key = self.value(key);
                let place =
                    self.located(&self.syntax.advanced(self.locations[which], &key, stride));
                self.locations[which] = place;
            }
            Op::Member { register, table } => {
                let value = self.offset(register, table);
                self.line(&self.syntax.ignored(&value));
            }
            Op::MemberRow { length, table } => {
                self.line(&self.syntax.check_row(self.locations[1], length, table));
            }
        }
        true
    }

    fn switch(
        &mut self,
        register: Register,
        first: u32,
        symbols: RangeInclusive<u32>,
        otherwise: Address,
    ) {
        let mut cases: Vec<(Address, Vec<u32>)> = Vec::new();
        for (symbol, target) in symbols.zip(first..) {
            let target = self.program.targets[target as usize];
            match cases.iter_mut().find(|(other, _)| *other == target) {
                _ if target == otherwise => {}
                Some((_, symbols)) => symbols.push(symbol),
                None => cases.push((target, vec![symbol])),
            }
        }
        let head = self.syntax.switch(&self.value(register));
        self.open_block(&head);
        for (target, symbols) in cases {
            let symbols: Vec<String> =
                symbols.iter().map(|&s| self.syntax.number(s, self.names[s as usize])).collect();
            self.open_block(&self.syntax.case(&symbols));
            self.go(target);
            self.close_case();
        }
        self.open_block(self.syntax.default());
        self.go(otherwise);
        self.close_case();
        self.close_block();
    }

    fn close_case(&mut self) {
        self.depth -= 1;
        self.line(self.syntax.end_of_case());
    }

    /// A new local variable with the index of a register.
    fn located(&mut self, index: &str) -> usize {
        let place = self.local();
        self.line(&self.syntax.locate(place, index));
        place
    }

    /// Assigns to the register at an index; behind what follows, the old symbol comes back.
    fn assign(&mut self, index: &str, symbol: &str, behind: &mut Vec<Behind>) {
        let (old, is_logged) = (self.local(), self.target.is_none());
        self.line(&self.syntax.assign(old, index, symbol, is_logged));
        behind.push(Behind::Line(self.syntax.undo(old, index, is_logged)));
    }

    /// Opens a loop that assigns each of some symbols.
    fn any(&mut self, index: &str, choices: Range<u32>, behind: &mut Vec<Behind>) {
        let (old, is_logged) = (self.local(), self.target.is_none());
        self.line(&self.syntax.keep(old, index, is_logged));
        behind.push(Behind::Line(self.syntax.undo(old, index, is_logged)));
        self.open_block(&self.syntax.each(old, choices));
        self.line(&self.syntax.take(old, index));
        behind.push(Behind::Close);
    }

    fn tag(&mut self, symbol: &str, behind: &mut Vec<Behind>) {
        if self.target.is_none() {
            self.line(&self.syntax.push_tag(symbol));
            behind.push(Behind::Line(self.syntax.pop_tag().to_owned()));
        }
    }

    /// Puts a value into a temporary register.
    fn put(&mut self, to: Register, value: &str) {
        self.line(&self.syntax.put(to, value));
    }

    /// The symbol in a register: a number, if it never changes.
    fn value(&self, register: Register) -> String {
        if self.fixed[register as usize] {
            let symbol = self.program.registers[register as usize];
            let name = self.names.get(symbol as usize).copied().unwrap_or("");
            return self.syntax.number(symbol, name);
        }
        self.syntax.register(&self.variables.index(register))
    }

    fn entry(&self, Entry { base, key }: Entry) -> String {
        self.syntax.register(&self.syntax.further(base, &self.value(key)))
    }

    fn offset(&self, key: Register, table: Table) -> String {
        self.syntax.offset(&self.value(key), table)
    }
}

/// What stands behind the code that follows.
enum Behind {
    Go(Address),
    Close,
    Line(String),
}
