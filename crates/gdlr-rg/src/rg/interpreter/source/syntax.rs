//! The two languages: expressions, statements, and the parts of a file.
//!
//! In Rust, functions are methods of `Search`. In C they are static functions, and `g` points to the search.

use super::body::Printed;
use super::functions::Functions;
use super::{SourceLanguage, Tables, constant, listed};
use crate::rg::interpreter::program::{BEGIN, END, NodeId, Register, Table};
use crate::rg::name::Name;
use std::fmt::Write;
use std::ops::Range;

/// What the language of a file looks like.
#[derive(Clone, Copy)]
pub(super) struct Syntax {
    is_rust: bool,
}

impl Syntax {
    pub fn new(language: SourceLanguage) -> Syntax {
        Syntax { is_rust: language == SourceLanguage::Rust }
    }

    fn pick<'t>(self, rust: &'t str, c: &'t str) -> &'t str {
        if self.is_rust { rust } else { c }
    }

    /// The depth of the head of a function.
    pub fn indent(self) -> usize {
        if self.is_rust { 2 } else { 0 }
    }

    pub fn comment(self, text: &str) -> String {
        match self.is_rust {
            true => format!("// {text}"),
            false => format!("/* {text} */"),
        }
    }

    pub fn doc(self, text: &str) -> String {
        match self.is_rust {
            true => format!("/// {text}"),
            false => format!("/* {text} */"),
        }
    }

    pub fn head(self, name: &str, is_check: bool) -> String {
        match (self.is_rust, is_check) {
            (true, false) => format!("fn {name}(&mut self)"),
            (true, true) => format!("fn {name}(&mut self) -> bool"),
            (false, false) => format!("static void {name}(Search *g)"),
            (false, true) => format!("static int {name}(Search *g)"),
        }
    }

    /// Leaves a function if the walk was here before.
    pub fn enter(self, node: NodeId, is_check: bool) -> String {
        match (self.is_rust, is_check) {
            (true, false) => format!("if !self.enter({node}) {{ return; }}"),
            (true, true) => format!("if !self.enter({node}) {{ return false; }}"),
            (false, false) => format!("if (!enter(g, {node})) return;"),
            (false, true) => format!("if (!enter(g, {node})) return 0;"),
        }
    }

    pub fn missing(self) -> &'static str {
        if self.is_rust { "false" } else { "return 0;" }
    }

    pub fn found(self) -> &'static str {
        if self.is_rust { "return true;" } else { "return 1;" }
    }

    pub fn call(self, name: &str, is_check: bool) -> String {
        match (self.is_rust, is_check) {
            (true, false) => format!("self.{name}();"),
            (true, true) => format!("if self.{name}() {{ return true; }}"),
            (false, false) => format!("{name}(g);"),
            (false, true) => format!("if ({name}(g)) return 1;"),
        }
    }

    /// Whether a walk is found. The registers are then as before.
    pub fn check(self, name: &str) -> String {
        match self.is_rust {
            true => format!("self.check(Search::{name})"),
            false => format!("check(g, {name})"),
        }
    }

    pub fn when(self, condition: &str) -> String {
        match self.is_rust {
            true => format!("if {condition}"),
            false => format!("if ({condition})"),
        }
    }

    pub fn switch(self, value: &str) -> String {
        match self.is_rust {
            true => format!("match {value}"),
            false => format!("switch ({value})"),
        }
    }

    pub fn case(self, symbols: &[String]) -> String {
        match self.is_rust {
            true => format!("{} =>", symbols.join(" | ")),
            false => {
                let labels: Vec<String> = symbols.iter().map(|s| format!("case {s}:")).collect();
                labels.join(" ")
            }
        }
    }

    pub fn default(self) -> &'static str {
        if self.is_rust { "_ =>" } else { "default:" }
    }

    pub fn end_of_case(self) -> &'static str {
        if self.is_rust { "}" } else { "} break;" }
    }

    /// A number, with its name as a comment.
    pub fn number(self, number: u32, name: &str) -> String {
        match name.is_empty() || name.contains("*/") || name.contains("/*") {
            true => number.to_string(),
            false => format!("{number} /* {name} */"),
        }
    }

    /// The symbol in the register at an index.
    pub fn register(self, index: &str) -> String {
        match self.is_rust {
            true => format!("self.r[{index}]"),
            false => format!("g->r[at({index})]"),
        }
    }

    /// The index `base` plus a symbol. A base before the first register wraps.
    pub fn further(self, base: Register, symbol: &str) -> String {
        let key = self.wide(symbol);
        match base as i32 {
            0 => key,
            base if base < 0 => format!("{key} - {}", base.unsigned_abs()),
            base => format!("{key} + {base}"),
        }
    }

    fn wide(self, symbol: &str) -> String {
        match self.is_rust {
            true if symbol.starts_with("self.") => format!("{symbol} as usize"),
            true => symbol.to_owned(),
            false => format!("(size_t){symbol}"),
        }
    }

    pub fn pair(self, base: Register, first: &str, stride: u32, second: &str) -> String {
        let first = match self.is_rust && first.starts_with("self.") {
            true => format!("({first} as usize)"),
            false => self.wide(first),
        };
        format!("{first} * {stride} + {}", self.further(base, second))
    }

    pub fn place(self, local: usize) -> String {
        format!("place_{local}")
    }

    /// The location of a base. It wraps if it is before the first register.
    pub fn base(self, base: Register) -> String {
        match base as i32 {
            base if base < 0 && self.is_rust => {
                format!("0usize.wrapping_sub({})", base.unsigned_abs())
            }
            base if base < 0 => format!("(size_t)0 - {}", base.unsigned_abs()),
            base => base.to_string(),
        }
    }

    pub fn locate(self, local: usize, index: &str) -> String {
        match self.is_rust {
            true => format!("let place_{local}: usize = {index};"),
            false => format!("size_t place_{local} = {index};"),
        }
    }

    pub fn advanced(self, local: usize, key: &str, stride: u32) -> String {
        let key = match self.is_rust && key.starts_with("self.") {
            true => format!("({key} as usize)"),
            false => self.wide(key),
        };
        match self.is_rust {
            true => format!("place_{local}.wrapping_add({key} * {stride})"),
            false => format!("place_{local} + {key} * {stride}"),
        }
    }

    pub fn same_rows(self, left: usize, right: usize, length: u32) -> String {
        match self.is_rust {
            true => format!("self.same_rows(place_{left}, place_{right}, {length})"),
            false => format!("same_rows(g, place_{left}, place_{right}, {length})"),
        }
    }

    pub fn assign(self, old: usize, index: &str, symbol: &str, is_logged: bool) -> String {
        let set = if is_logged { "set" } else { "put" };
        match self.is_rust {
            true => format!("let old_{old} = self.{set}({index}, {symbol});"),
            false => format!("Symbol old_{old} = {set}(g, {index}, {symbol});"),
        }
    }

    pub fn undo(self, old: usize, index: &str, is_logged: bool) -> String {
        match (self.is_rust, is_logged) {
            (true, true) => format!("self.unset({index}, old_{old});"),
            (true, false) => format!("self.r[{index}] = old_{old};"),
            (false, true) => format!("unset(g, {index}, old_{old});"),
            (false, false) => format!("g->r[at({index})] = old_{old};"),
        }
    }

    /// Keeps the symbol of a register before a loop assigns to it.
    pub fn keep(self, old: usize, index: &str, is_logged: bool) -> String {
        let kept = self.register(index);
        self.assign(old, index, &kept, is_logged)
    }

    pub fn each(self, local: usize, choices: Range<u32>) -> String {
        let Range { start, end } = choices;
        match self.is_rust {
            true => format!("for &choice_{local} in &CHOICES[{start}..{end}]"),
            false => format!("for (size_t c_{local} = {start}; c_{local} < {end}; c_{local}++)"),
        }
    }

    pub fn take(self, local: usize, index: &str) -> String {
        match self.is_rust {
            true => format!("self.r[{index}] = choice_{local};"),
            false => format!("g->r[at({index})] = CHOICES[c_{local}];"),
        }
    }

    pub fn copy_row(self, to: usize, from: usize, length: u32, is_logged: bool) -> String {
        match self.is_rust {
            true => format!("self.copy_row(place_{to}, place_{from}, {length}, {is_logged});"),
            false => {
                format!("copy_row(g, place_{to}, place_{from}, {length}, {});", u8::from(is_logged))
            }
        }
    }

    pub fn undo_row(self, to: usize, length: u32, is_logged: bool) -> String {
        match self.is_rust {
            true => format!("self.undo_row(place_{to}, {length}, {is_logged});"),
            false => format!("undo_row(g, place_{to}, {length}, {});", u8::from(is_logged)),
        }
    }

    pub fn push_tag(self, symbol: &str) -> String {
        match self.is_rust {
            true => format!("self.tags.push({symbol});"),
            false => format!("push(&g->tags, {symbol});"),
        }
    }

    pub fn pop_tag(self) -> &'static str {
        if self.is_rust { "self.tags.pop();" } else { "g->tags.length--;" }
    }

    /// Puts a value into a temporary register.
    pub fn put(self, to: Register, value: &str) -> String {
        match self.is_rust {
            true => format!("self.r[{to}] = {value};"),
            false => format!("g->r[{to}] = {value};"),
        }
    }

    pub fn offset(self, symbol: &str, table: Table) -> String {
        let Table { first, least, span, .. } = table;
        format!("offset({symbol}, {first}, {least}, {span})")
    }

    pub fn ignored(self, value: &str) -> String {
        match self.is_rust {
            true => format!("let _ = {value};"),
            false => format!("(void){value};"),
        }
    }

    pub fn check_row(self, place: usize, length: u32, table: Table) -> String {
        let Table { first, least, span, .. } = table;
        match self.is_rust {
            true => format!("self.check_row(place_{place}, {length}, {first}, {least}, {span});"),
            false => format!("check_row(g, place_{place}, {length}, {first}, {least}, {span});"),
        }
    }

    pub fn finish(self, node: NodeId) -> String {
        match self.is_rust {
            true => format!("self.finish({node});"),
            false => format!("finish(g, {node});"),
        }
    }

    /// The whole file.
    pub fn file(
        self,
        title: &str,
        tables: &Tables<'_>,
        functions: &Functions,
        printed: &Printed,
    ) -> String {
        let runtime = match self.is_rust {
            true => include_str!("runtime.rs.txt"),
            false => include_str!("runtime.c.txt"),
        };
        let parts = [
            ("TITLE", title.replace(['\n', '\r'], " ").replace("*/", "* /")),
            ("TABLES", self.tables(tables)),
            ("PROTOTYPES", self.prototypes(printed)),
            ("FUNCTIONS", printed.code.trim_matches('\n').to_owned()),
            ("ENTRIES", self.entries(functions, printed)),
        ];
        let mut text = String::new();
        let mut rest = runtime;
        while let Some((before, behind)) = rest.split_once("{{") {
            let (name, behind) = behind.split_once("}}").unwrap_or((behind, ""));
            let part = parts.iter().find(|(own, _)| *own == name).map_or("", |(_, part)| part);
            text.push_str(before);
            text.push_str(part);
            rest = behind;
        }
        text + rest
    }

    fn prototypes(self, printed: &Printed) -> String {
        let heads = printed.functions.iter().map(|(name, is_check)| self.head(name, *is_check));
        heads.map(|head| head + ";\n").collect()
    }

    /// The choice of the function that lists the moves of a node.
    fn entries(self, functions: &Functions, printed: &Printed) -> String {
        let mut text = String::new();
        for (node, _) in printed.entries.iter().enumerate().filter(|(_, has)| **has) {
            let name = &functions.nodes[node].1;
            let _ = match self.is_rust {
                true => writeln!(text, "                {node} => self.walk_{name}(),"),
                false => writeln!(text, "    case {node}: walk_{name}(g); break;"),
            };
        }
        text.trim_end().to_owned()
    }

    fn tables(self, tables: &Tables<'_>) -> String {
        let Tables { automaton, variables, names } = tables;
        let program = &automaton.program;
        let symbol = match tables.greatest() {
            0..=0xFE => self.pick("u8", "uint8_t"),
            0xFF..=0xFFFE => self.pick("u16", "uint16_t"),
            _ => self.pick("u32", "uint32_t"),
        };
        let texts: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
        let players: Vec<u32> = automaton
            .players()
            .map(|player| tables.symbol(automaton.player_name(player)))
            .collect();
        let goals: Vec<String> =
            automaton.goals.iter().map(|&register| variables.index(register)).collect();
        let number = |name: &str| name.parse::<i32>().unwrap_or(0).to_string();
        let numbers: Vec<String> = names.iter().map(|name| number(name)).collect();
        let mut text = self.alias("Symbol", symbol);
        for (name, value) in [
            ("VARIABLES", program.variables as u32),
            ("REGISTERS", program.registers.len() as u32),
            ("KEEPER", tables.symbol(Name::KEEPER)),
            ("BEGIN", BEGIN),
            ("END", END),
        ] {
            let is_size = name == "VARIABLES" || name == "REGISTERS";
            text += &self.constant(name, value, is_size);
        }
        for (name, base, size) in &variables.0 {
            let about = match size {
                1 => format!("The register of the variable `{name}`."),
                _ => format!("The first of the {size} registers of the variable `{name}`."),
            };
            text += &format!("{}{}\n", self.margin(), self.doc(&about));
            text += &self.constant(&constant(name), *base, true);
        }
        text += &self.table("NAMES", self.pick("&str", "char *const"), &texts);
        text += &self.table("NUMBERS", self.pick("i32", "int"), &numbers);
        text += &self.table("PLAYERS", "Symbol", &players);
        text += &self.table("GOALS", self.pick("usize", "size_t"), &goals);
        text += &self.table("CHOICES", "Symbol", &program.choices);
        text += &self.table("OFFSETS", self.pick("u32", "uint32_t"), &program.offsets);
        text += &self.table("INITIAL", "Symbol", &program.registers);
        text.trim_end().to_owned()
    }

    fn margin(self) -> &'static str {
        self.pick("    ", "")
    }

    fn alias(self, name: &str, of: &str) -> String {
        match self.is_rust {
            true => {
                format!("    /// A symbol: its place in `NAMES`.\n    pub type {name} = {of};\n")
            }
            false => format!("/* A symbol: its place in NAMES. */\ntypedef {of} {name};\n"),
        }
    }

    fn constant(self, name: &str, value: u32, is_size: bool) -> String {
        match (self.is_rust, is_size) {
            (true, true) => format!("    pub const {name}: usize = {value};\n"),
            (true, false) => format!("    pub const {name}: u32 = {value};\n"),
            (false, _) => format!("#define {name} {value}u\n"),
        }
    }

    fn table<T: ToString>(self, name: &str, of: &str, items: &[T]) -> String {
        let margin = self.margin();
        let count = items.len();
        let indent = format!("{margin}    ");
        let listed = listed(items.iter().map(T::to_string), &indent);
        match (self.is_rust, count) {
            (true, _) => format!("    pub static {name}: [{of}; {count}] = [{listed}\n    ];\n"),
            (false, 0) => format!("static const {of} {name}[1] = {{0}};\n"),
            (false, _) => format!("static const {of} {name}[{count}] = {{{listed}\n}};\n"),
        }
    }
}
