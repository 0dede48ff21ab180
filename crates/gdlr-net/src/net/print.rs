//! A net as text, a line a gate, and as a drawing for Graphviz.
//!
//! ```text
//! latch (cell 1 b), initially true
//! latch (control white), initially true
//! input white:(mark 1)
//! g4 = and (cell 1 b) (control white)
//! g5 = and (cell 1 b) not:white:(mark 1)
//! legal white:(mark 1) = g4
//! terminal = not:(cell 1 b)
//! next (cell 1 b) = g5
//! ```
//!
//! Latches and inputs are called by their terms, gates by their numbers. A latch that no fact
//! is called by, or only by its complement, is called by its number, too.

use super::gates::{GateId, Net, Operation, Output, Signal};
use gdlr_rules::gdl::{SymbolTable, Term};
use std::fmt::Write;

/// How the signals of a net are called.
#[derive(Debug)]
pub struct Names<'n> {
    net: &'n Net,
    /// By gate, for latches and inputs.
    sources: Vec<String>,
    roles: Vec<String>,
    symbols: &'n SymbolTable,
}

impl<'n> Names<'n> {
    /// The names of a net's signals, `roles` being the roles of its game.
    pub fn new(net: &'n Net, roles: &[Term], symbols: &'n SymbolTable) -> Self {
        let mut sources = vec![String::new(); net.first_computed().index()];
        for fluent in &net.fluents {
            let name = &mut sources[fluent.signal.gate().index()];
            if !fluent.signal.is_negated() && name.is_empty() {
                *name = fluent.fact.spelled(symbols);
            }
        }
        let roles: Vec<String> = roles.iter().map(|role| role.spelled(symbols)).collect();
        for input in &net.inputs {
            let term = net.moves.get(input.term as usize).map(|term| term.spelled(symbols));
            let role = roles.get(usize::from(input.role.0));
            if let (Some(role), Some(term)) = (role, term) {
                sources[input.gate.index()] = format!("{role}:{term}");
            }
        }
        Names { net, sources, roles, symbols }
    }

    /// The name of a gate.
    pub fn gate(&self, gate: GateId) -> String {
        match self.sources.get(gate.index()) {
            _ if gate == GateId(0) => "true".to_owned(),
            Some(name) if !name.is_empty() => name.clone(),
            _ => format!("g{}", gate.0),
        }
    }

    /// The name of a signal.
    pub fn signal(&self, signal: Signal) -> String {
        match signal {
            Signal::TRUE => "true".to_owned(),
            Signal::FALSE => "false".to_owned(),
            _ if signal.is_negated() => format!("not:{}", self.gate(signal.gate())),
            _ => self.gate(signal.gate()),
        }
    }

    fn role(&self, role: gdlr_engine::engine::RoleId) -> String {
        self.roles.get(usize::from(role.0)).cloned().unwrap_or_else(|| role.0.to_string())
    }

    /// Every output: what it says, and its signal.
    pub fn outputs(&self) -> impl Iterator<Item = (String, Signal)> + '_ {
        self.net.outputs().map(|(output, signal)| (self.output(output), signal))
    }

    fn output(&self, output: Output) -> String {
        let net = self.net;
        match output {
            Output::Legal(input) => format!("legal {}", self.gate(net.inputs[input.index()].gate)),
            Output::Terminal => "terminal".to_owned(),
            Output::Goal(place) => {
                let goal = &net.goals[place as usize];
                let value = goal.value.spelled(self.symbols);
                format!("goal {} {value}", self.role(goal.role))
            }
            Output::Next(latch) => format!("next {}", self.gate(net.latches[latch.index()].gate)),
            Output::Sees(place) => {
                let percept = &net.percepts[place as usize];
                format!("sees {} {}", self.role(percept.role), percept.term.spelled(self.symbols))
            }
        }
    }

    /// The net as text, a line a gate.
    pub fn text(&self) -> String {
        let net = self.net;
        let mut text = String::new();
        // Writing to a string cannot fail.
        let mut line = |arguments: std::fmt::Arguments<'_>| {
            let _ = writeln!(text, "{arguments}");
        };
        for latch in &net.latches {
            line(format_args!("latch {}, initially {}", self.gate(latch.gate), latch.initial));
        }
        for fluent in &net.fluents {
            let fact = fluent.fact.spelled(self.symbols);
            if fluent.signal.is_constant() || self.gate(fluent.signal.gate()) != fact {
                line(format_args!("fact {fact} = {}", self.signal(fluent.signal)));
            }
        }
        for group in &net.exclusive {
            let group: Vec<String> = group.iter().map(|&signal| self.signal(signal)).collect();
            line(format_args!("at most one of {}", group.join(" ")));
        }
        for group in &net.covering {
            let group: Vec<String> = group.iter().map(|&signal| self.signal(signal)).collect();
            line(format_args!("at least one of {}", group.join(" ")));
        }
        for input in &net.inputs {
            line(format_args!("input {}", self.gate(input.gate)));
        }
        for gate in net.computed() {
            let operation = match net.operation(gate) {
                Operation::And => "and",
                _ if net.is_knot(gate) => "or, knot,",
                _ => "or",
            };
            let operands = net.operands(gate).iter();
            let operands: Vec<String> = operands.map(|&operand| self.signal(operand)).collect();
            line(format_args!("{} = {operation} {}", self.gate(gate), operands.join(" ")));
        }
        for (name, signal) in self.outputs() {
            line(format_args!("{name} = {}", self.signal(signal)));
        }
        text
    }

    /// The net as a drawing in the language of Graphviz: what depends on nothing left, outputs
    /// right, latches as boxes, moves as ellipses, And and Or in shapes of their own, a dot
    /// where a complement is read.
    pub fn dot(&self) -> String {
        let net = self.net;
        let mut text = String::from(
            "digraph net {\n  rankdir=LR; ranksep=1; nodesep=0.12;\n  \
             node [fontname=\"sans-serif\", fontsize=10, height=0.25, width=0.25, margin=0.05];\n  \
             edge [arrowsize=0.5, color=\"#00000080\"];\n",
        );
        let mut line = |arguments: std::fmt::Arguments<'_>| {
            let _ = writeln!(text, "  {arguments}");
        };
        let quoted = |name: &str| name.replace('\\', "\\\\").replace('"', "\\\"");
        let mut used = net.needed();
        for output in net.output_signals() {
            used[output.gate().index()] = true;
        }
        line(format_args!("{{ rank=source;"));
        for latch in &net.latches {
            let style = if latch.initial { "filled,bold" } else { "filled" };
            let name = quoted(&self.gate(latch.gate));
            line(format_args!(
                "  g{} [label=\"{name}\", shape=box, style=\"{style}\", fillcolor=\"#dbe9f6\"];",
                latch.gate.0
            ));
        }
        for input in &net.inputs {
            let name = quoted(&self.gate(input.gate));
            line(format_args!(
                "  g{} [label=\"{name}\", shape=ellipse, style=filled, fillcolor=\"#fde9c9\"];",
                input.gate.0
            ));
        }
        if used[0] {
            line(format_args!("  g0 [label=\"true\", shape=plaintext];"));
        }
        line(format_args!("}}"));
        let arrow = |from: Signal, to: &str| {
            let head = if from.is_negated() { "odot" } else { "none" };
            format!("g{} -> {to} [arrowhead={head}];", from.gate().0)
        };
        for gate in net.computed().filter(|gate| used[gate.index()]) {
            let (label, shape, colour) = match net.operation(gate) {
                Operation::And => ("&amp;", "house, orientation=270", "#d9efd9"),
                _ => ("or", "cds", "#f6dbe6"),
            };
            line(format_args!(
                "g{} [label=<{label}>, shape={shape}, style=filled, fillcolor=\"{colour}\"];",
                gate.0
            ));
            for &operand in net.operands(gate) {
                line(format_args!("{}", arrow(operand, &format!("g{}", gate.0))));
            }
        }
        // Facts that stay the same when nothing happens would only clutter the drawing.
        let mut ranked = Vec::new();
        for (place, (output, signal)) in net.outputs().enumerate() {
            let colour = match output {
                Output::Next(latch) if signal == Signal::of(net.latches[latch.index()].gate) => {
                    continue;
                }
                Output::Next(_) => "#dbe9f6",
                Output::Legal(_) => "#fde9c9",
                Output::Sees(_) => "#e3f4dc",
                Output::Terminal | Output::Goal(_) => "#eeeeee",
            };
            let name = self.output(output);
            let name = quoted(&name);
            line(format_args!(
                "out{place} [label=\"{name}\", shape=box, style=\"filled,rounded\", \
                 fillcolor=\"{colour}\"];"
            ));
            line(format_args!("{}", arrow(signal, &format!("out{place}"))));
            ranked.push(format!("out{place};"));
        }
        line(format_args!("{{ rank=sink; {} }}", ranked.join(" ")));
        text.push_str("}\n");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::gates::FluentBit;
    use gdlr_engine::engine::RoleId;
    use std::sync::Arc;

    #[test]
    fn a_small_net_as_text_and_drawing() {
        let mut symbols = SymbolTable::new(false);
        let mut name = |text: &str| Term::Constant(symbols.intern(text).expect("few symbols"));
        let (you, push, lit) = (name("You"), name("push"), name("lit"));
        let mut net = Net::new(1, 1, 1);
        let latch = Signal::of(net.latches[0].gate);
        net.fluents.push(FluentBit { fact: lit.into(), signal: latch });
        net.moves = Arc::new(vec![push]);
        net.inputs[0].role = RoleId(0);
        net.inputs[0].legal = !latch;
        net.latches[0].initial = true;
        let push = Signal::of(net.inputs[0].gate);
        net.latches[0].next = net.add(Operation::And, &[!latch, push]);
        let names = Names::new(&net, &[you], &symbols);
        let lines = [
            "latch lit, initially true",
            "input You:push",
            "g3 = and not:lit You:push",
            "legal You:push = not:lit",
            "terminal = false",
            "next lit = g3",
        ];
        assert_eq!(names.text().lines().collect::<Vec<_>>(), lines);
        let dot = names.dot();
        assert!(dot.starts_with("digraph net {") && dot.ends_with("}\n"));
        assert!(dot.contains("g1 -> g3 [arrowhead=odot];"), "{dot}");
        assert!(dot.contains("g2 -> g3 [arrowhead=none];"), "{dot}");
        assert!(dot.contains("label=\"next lit\""), "{dot}");
    }
}
