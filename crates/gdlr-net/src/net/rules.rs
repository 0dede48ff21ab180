//! A net as a rulesheet: a rule for each gate, a fact for each latch.
//!
//! The rulesheet plays the game that the net plays, whatever the net was made from. Names that
//! differ in case only, which KIF takes for the same, get numbers.

use super::gates::{Net, Operation, Signal};
use gdlr_rules::gdl::{Functor, Symbol, SymbolTable, Term};
use hashbrown::{HashMap, HashSet};
use std::fmt::{self, Write};

/// The words that mean something in GDL.
const KEYWORDS: [&str; 12] = [
    "role", "init", "true", "next", "legal", "does", "goal", "terminal", "distinct", "not", "or",
    "sees",
];

impl Net {
    /// The net as a rulesheet in KIF, a rule a line; `roles` and `symbols` are those of its game.
    pub fn to_kif(&self, roles: &[Term], symbols: &SymbolTable) -> String {
        let mut text = String::new();
        let written = Writer::new(self, roles, symbols).write(&mut text);
        written.expect("a string takes everything");
        text
    }
}

/// A fact that says whether a latch is true.
#[derive(Clone)]
struct Fact {
    text: String,
    /// Whether it says the contrary.
    contrary: bool,
    /// Nothing if no fact of the game says it.
    functor: Option<Functor>,
}

struct Writer<'n> {
    net: &'n Net,
    symbols: &'n SymbolTable,
    roles: Vec<String>,
    names: HashMap<Symbol, String>,
    taken: HashSet<String>,
    /// By latch: the facts that say whether it is true. The first one stands for it.
    latches: Vec<Vec<Fact>>,
    /// The functors of facts that no condition has read so far.
    unread: HashSet<Option<Functor>>,
    /// The prefix of the names of gates.
    gate: String,
}

impl<'n> Writer<'n> {
    fn new(net: &'n Net, roles: &[Term], symbols: &'n SymbolTable) -> Writer<'n> {
        let mut writer = Writer {
            net,
            symbols,
            roles: Vec::new(),
            names: HashMap::new(),
            taken: KEYWORDS.iter().map(|&keyword| keyword.to_owned()).collect(),
            latches: Vec::new(),
            unread: HashSet::new(),
            gate: String::new(),
        };
        writer.roles = roles.iter().map(|role| writer.term(role)).collect();
        let mut latches: Vec<Vec<Fact>> = vec![Vec::new(); net.latches.len()];
        for fluent in &net.fluents {
            let text = writer.term(&fluent.fact);
            if let Operation::Latch(latch) = net.operation(fluent.signal.gate()) {
                let functor = Functor::of_term(&fluent.fact);
                writer.unread.insert(functor);
                let fact = Fact { text, contrary: fluent.signal.is_negated(), functor };
                latches[latch.index()].push(fact);
            }
        }
        // The fact that says that it is true stands for it, if there is one.
        latches.iter_mut().for_each(|facts| facts.sort_by_key(|fact| fact.contrary));
        // The names of moves and goals must be known before those of gates are chosen.
        net.moves.iter().for_each(|term| drop(writer.term(term)));
        net.goals.iter().for_each(|goal| drop(writer.term(&goal.value)));
        net.percepts.iter().for_each(|percept| drop(writer.term(&percept.term)));
        let latch = writer.free("latch");
        for (number, facts) in latches.iter_mut().enumerate().filter(|(_, facts)| facts.is_empty())
        {
            let text = format!("({latch} {number})");
            facts.push(Fact { text, contrary: false, functor: None });
        }
        writer.latches = latches;
        writer.gate = writer.free("gate");
        writer
    }

    /// A word that no name begins with.
    fn free(&self, word: &str) -> String {
        let mut free = word.to_owned();
        while self.taken.iter().any(|name| name.starts_with(&free)) {
            free.push('_');
        }
        free
    }

    fn name(&mut self, symbol: Symbol) -> String {
        if let Some(known) = self.names.get(&symbol) {
            return known.clone();
        }
        let text = symbol.spelled(self.symbols).to_string();
        let mut name = text.clone();
        let mut number = 2;
        while !self.taken.insert(name.to_lowercase()) {
            name = format!("{text}_{number}");
            number += 1;
        }
        self.names.insert(symbol, name.clone());
        name
    }

    /// Terms of nets are no deeper than their games have them.
    fn term(&mut self, term: &Term) -> String {
        match term {
            Term::Constant(symbol) => self.name(*symbol),
            Term::Function(function, arguments) => {
                let mut text = format!("({}", self.name(*function));
                for argument in arguments {
                    text.push(' ');
                    text.push_str(&self.term(argument));
                }
                text.push(')');
                text
            }
            Term::Variable(_) => String::new(),
        }
    }

    /// A signal as a condition; nothing if it always holds.
    fn condition(&mut self, signal: Signal) -> String {
        let gate = signal.gate();
        let (sentence, contrary) = match self.net.operation(gate) {
            Operation::True => return String::new(),
            Operation::Latch(latch) => {
                let facts = &self.latches[latch.index()];
                // Where several say it, one that nobody would read otherwise.
                let unread = facts.iter().find(|fact| self.unread.contains(&fact.functor));
                let fact = unread.unwrap_or(&facts[0]);
                self.unread.remove(&fact.functor);
                (format!("(true {})", fact.text), fact.contrary)
            }
            Operation::Input(input) => {
                let (role, term) = self.net.move_of(input);
                let term = self.term(term);
                (format!("(does {} {term})", self.roles[role.index()]), false)
            }
            Operation::And | Operation::Or => (format!("{}{}", self.gate, gate.0), false),
        };
        match signal.is_negated() != contrary {
            true => format!(" (not {sentence})"),
            false => format!(" {sentence}"),
        }
    }

    fn write(mut self, out: &mut String) -> fmt::Result {
        let net = self.net;
        for role in &self.roles {
            writeln!(out, "(role {role})")?;
        }
        for (place, latch) in net.latches.iter().enumerate() {
            let Fact { text: fact, contrary, .. } = self.latches[place][0].clone();
            if latch.initial != contrary {
                writeln!(out, "(init {fact})")?;
            }
            self.rule(&format!("(next {fact})"), latch.next.negated_if(contrary), out)?;
        }
        self.other_facts(out)?;
        let (mut some_legal, mut some_goal) = (false, false);
        for input in &net.inputs {
            let term = self.term(&net.moves[input.term as usize]);
            let head = format!("(legal {} {term})", self.roles[input.role.index()]);
            some_legal |= self.rule(&head, input.legal, out)?;
        }
        for goal in &net.goals {
            let value = self.term(&goal.value);
            let head = format!("(goal {} {value})", self.roles[goal.role.index()]);
            some_goal |= self.rule(&head, goal.signal, out)?;
        }
        for percept in &net.percepts {
            let term = self.term(&percept.term);
            let head = format!("(sees {} {term})", self.roles[percept.role.index()]);
            self.rule(&head, percept.signal, out)?;
        }
        let some_end = self.rule("terminal", net.terminal, out)?;
        // A rulesheet must have rules for all of these, if only such that never apply.
        let role = self.roles.first().cloned().unwrap_or_default();
        let never = self.gate.clone();
        for (is_there, head) in [
            (some_legal, format!("(legal {role} {never})")),
            (some_goal, format!("(goal {role} 0)")),
            (some_end, "terminal".to_owned()),
        ] {
            if !is_there {
                writeln!(out, "(<= {head} (distinct {never} {never}))")?;
            }
        }
        let needed = net.needed();
        for gate in net.computed().filter(|gate| needed[gate.index()]) {
            let head = format!("{}{}", self.gate, gate.0);
            match net.operation(gate) {
                Operation::Or => {
                    for &operand in net.operands(gate) {
                        self.rule(&head, operand, out)?;
                    }
                }
                _ => {
                    let operands = net.operands(gate).iter();
                    let all: String = operands.map(|&operand| self.condition(operand)).collect();
                    match all.is_empty() {
                        true => writeln!(out, "{head}")?,
                        false => writeln!(out, "(<= {head}{all})")?,
                    }
                }
            }
        }
        Ok(())
    }

    /// Facts that say the same as a latch that another fact stands for, or the contrary, and those
    /// that are always true.
    fn other_facts(&mut self, out: &mut String) -> fmt::Result {
        let net = self.net;
        for fluent in &net.fluents {
            let fact = self.term(&fluent.fact);
            match net.operation(fluent.signal.gate()) {
                Operation::Latch(latch) if self.latches[latch.index()][0].text != fact => {
                    let (latch, negated) = (net.latches[latch.index()], fluent.signal.is_negated());
                    if latch.initial != negated {
                        writeln!(out, "(init {fact})")?;
                    }
                    self.rule(&format!("(next {fact})"), latch.next.negated_if(negated), out)?;
                }
                _ if fluent.signal == Signal::TRUE => {
                    writeln!(out, "(init {fact})\n(next {fact})")?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// A rule; none if its condition never holds.
    fn rule(
        &mut self,
        head: &str,
        condition: Signal,
        out: &mut String,
    ) -> Result<bool, fmt::Error> {
        match condition {
            Signal::FALSE => return Ok(false),
            Signal::TRUE => writeln!(out, "{head}")?,
            _ => {
                let condition = self.condition(condition);
                writeln!(out, "(<= {head}{condition})")?;
            }
        }
        Ok(true)
    }
}
