//! The circuit of a game.

use super::diagram::{Diagram, Kind, MOST_NODES};
use gdlr_net::net::{GateId, Names, Net, Operation, Output, Signal};
use gdlr_rules::gdl::Game;
use hashbrown::HashMap;

/// A net as a document of SVG: latches and inputs left, outputs right, dashed lines where the
/// complement of a gate is read. Latches that are true at first have a thick rim; those that never
/// change by themselves have no output.
///
/// `None` if there are more than 400 nodes. Near linear in what is drawn.
pub fn net(net: &Net, game: &Game) -> Option<String> {
    let names = Names::new(net, &game.roles, &game.symbols);
    let mut used = net.needed();
    for output in net.output_signals() {
        used[output.gate().index()] = true;
    }
    let computed = net.computed().filter(|gate| used[gate.index()]).count();
    if computed + net.latches.len() + net.inputs.len() > MOST_NODES {
        return None;
    }
    let mut diagram = Diagram {
        name: format!("{}: net", game.name),
        legend: vec![
            (Kind::State, "bit of the state"),
            (Kind::Move, "move"),
            (Kind::And, "and"),
            (Kind::Or, "or"),
            (Kind::Answer, "what play asks"),
        ],
        notes: vec!["dashed: its complement".to_owned(), "thick rim: true at first".to_owned()],
        ..Diagram::default()
    };
    let mut numbers: HashMap<GateId, usize> = HashMap::new();
    for latch in &net.latches {
        let node = diagram.add(Kind::State, names.gate(latch.gate));
        diagram.nodes[node].is_thick = latch.initial;
        numbers.insert(latch.gate, node);
    }
    for input in &net.inputs {
        numbers.insert(input.gate, diagram.add(Kind::Move, names.gate(input.gate)));
    }
    if used[0] {
        numbers.insert(GateId(0), diagram.add(Kind::Plain, names.gate(GateId(0))));
    }
    for gate in net.computed().filter(|gate| used[gate.index()]) {
        let (kind, label) = match net.operation(gate) {
            Operation::And => (Kind::And, "and"),
            _ => (Kind::Or, "or"),
        };
        numbers.insert(gate, diagram.add(kind, label.to_owned()));
    }
    let mut arrows = Vec::new();
    let mut join = |from: Signal, to: usize| {
        if let Some(&node) = numbers.get(&from.gate()) {
            arrows.push((node, to, from.is_negated()));
        }
    };
    for gate in net.computed().filter(|gate| used[gate.index()]) {
        net.operands(gate).iter().for_each(|&operand| join(operand, numbers[&gate]));
    }
    for ((output, signal), (name, _)) in net.outputs().zip(names.outputs()) {
        // Facts that stay the same when nothing happens would only clutter the drawing.
        let stays = matches!(output, Output::Next(latch)
            if signal == Signal::of(net.latches[latch.index()].gate));
        if !stays {
            join(signal, diagram.add(Kind::Answer, name));
        }
    }
    arrows.into_iter().for_each(|(from, to, is_dashed)| diagram.join(from, to, is_dashed, false));
    diagram.svg()
}
