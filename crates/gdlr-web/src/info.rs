//! A game in numbers.

use super::loaded::Loaded;
use gdlr_net::net::Net;
use gdlr_net::propnet::Propnet;
use gdlr_rules::gdl::Figures;
use gdlr_tree::Tree;
use serde_json::{Map, Value, json};

/// The numbers of a game, and of its engines as far as they are ready; and what set-up decided about these.
pub fn info(loaded: &Loaded) -> Value {
    let Figures { roles, facts, rules, relations, strata, recursive } = Figures::of(&loaded.game);
    let handover = loaded.handover();
    let tree = handover.first().downcast_ref::<Tree>();
    let tree = tree.map(|tree| -> Map<String, Value> {
        let figures = tree.figures();
        figures.iter().map(|&(name, figure)| (name.to_owned(), json!(figure))).collect()
    });
    let (engine, _) = handover.best();
    let net = engine.downcast_ref::<Propnet>().map(|propnet| of_net(propnet.net()));
    json!({
        "game": loaded.game.name,
        "roles": roles,
        "facts": facts,
        "rules": rules,
        "relations": relations,
        "symbols": loaded.game.symbols.len(),
        "strata": strata,
        "recursive": recursive,
        "tree": tree,
        "propnet": net,
        "exhausted": handover.exhausted().map(|why| why.to_string()),
        "decisions": handover.decisions(),
    })
}

fn of_net(net: &Net) -> Value {
    let size = net.size();
    json!({
        "latches": size.latches,
        "inputs": size.inputs,
        "gates": size.gates(),
        "wires": size.wires,
        "depth": size.depth,
        "feedback parts": size.feedback_parts,
    })
}
