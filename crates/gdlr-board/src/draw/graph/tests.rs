use super::layered::layout;
use super::*;
use gdlr_rules::gdl::Game;

/// Whether the nodes of a layout overlap, and whether edges end at their nodes.
fn check(sizes: &[(f64, f64)], edges: &[(usize, usize)]) -> layered::GraphLayout {
    let layout_of_graph = layout(sizes, edges, |edge| edge % 3 == 0).expect("not too large");
    let rim = |node: usize| {
        let ((x, y), (wide, high)) = (layout_of_graph.nodes[node], sizes[node]);
        (x - wide / 2.0, y - high / 2.0, x + wide / 2.0, y + high / 2.0)
    };
    for node in 0..sizes.len() {
        let (left, top, right, bottom) = rim(node);
        let near = 1e-6;
        assert!(left >= -near && top >= -near, "{node} at {left} {top}");
        assert!(
            right <= layout_of_graph.width + near && bottom <= layout_of_graph.height + near,
            "{node}"
        );
        for other in 0..node {
            let (l, t, r, b) = rim(other);
            let apart = r <= left || right <= l || b <= top + near || bottom <= t + near;
            assert!(apart, "{node} and {other} overlap");
        }
    }
    for (&(from, to), points) in edges.iter().zip(&layout_of_graph.edges) {
        assert_eq!(points.is_empty(), from == to);
        if let ([start, ..], [.., end]) = (&points[..], &points[..]) {
            let touches = |node: usize, (x, y): (f64, f64)| {
                let (left, _, right, _) = rim(node);
                (x == left || x == right) && (y - layout_of_graph.nodes[node].1).abs() < 1e-6
            };
            assert!(touches(from, *start) && touches(to, *end), "{from} {to}: {points:?}");
        }
    }
    layout_of_graph
}

#[test]
fn layers_go_right_and_nothing_overlaps() {
    let sizes: Vec<(f64, f64)> = (0..6).map(|at| (40.0 + 10.0 * f64::from(at), 22.0)).collect();
    let edges = [(0, 1), (0, 2), (1, 3), (2, 3), (0, 4), (4, 5), (0, 3)];
    let layout_of_graph = check(&sizes, &edges);
    for (from, to) in edges {
        assert!(
            layout_of_graph.nodes[from].0 < layout_of_graph.nodes[to].0,
            "{from} stands left of {to}"
        );
    }
    // With a cycle one edge goes back, and one to itself is there, too.
    let layout_of_graph = check(&sizes, &[(0, 1), (1, 2), (2, 0), (3, 3), (4, 5), (5, 4)]);
    assert!(layout_of_graph.nodes[0].0 < layout_of_graph.nodes[2].0);
    check(&[], &[]);
    check(&[(30.0, 22.0)], &[]);
}

#[test]
fn edges_that_need_not_cross_do_not() {
    // Two ladders whose nodes are listed crosswise.
    let sizes = [(40.0, 22.0); 8];
    let edges = [(0, 2), (1, 3), (2, 5), (3, 4), (5, 6), (4, 7)];
    let layout_of_graph = check(&sizes, &edges);
    let is_above = |a: usize, b: usize| layout_of_graph.nodes[a].1 < layout_of_graph.nodes[b].1;
    assert_eq!(is_above(0, 1), is_above(2, 3));
    assert_eq!(is_above(2, 3), is_above(5, 4));
    assert_eq!(is_above(5, 4), is_above(6, 7));
    // They are as straight as they could be.
    assert!(
        (layout_of_graph.nodes[0].1 - layout_of_graph.nodes[6].1).abs() < 1.0,
        "{:?}",
        layout_of_graph.nodes
    );
}

#[test]
fn any_graph_is_laid_out() {
    let mut state = 1u64;
    let mut next = move |below: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    for nodes in [2, 5, 30, 100] {
        let sizes: Vec<(f64, f64)> = (0..nodes).map(|_| (20.0 + next(80) as f64, 22.0)).collect();
        let edges: Vec<(usize, usize)> =
            (0..2 * nodes).map(|_| (next(nodes), next(nodes))).collect();
        check(&sizes, &edges);
    }
}

fn count(text: &str, part: &str) -> usize {
    text.matches(part).count()
}

#[test]
fn relations_are_told_apart() {
    let game = Game::from_kif(
        "reach",
        "(role you) (init (at 1)) (edge 1 2) (edge 2 3)
         (<= (path ?x ?y) (edge ?x ?y)) (<= (path ?x ?z) (path ?x ?y) (edge ?y ?z))
         (<= (legal you (go ?y)) (true (at ?x)) (path ?x ?y) (not (lost ?y)))
         (<= (lost ?y) (true (at ?x)) (not (path ?x ?y)) (edge ?y ?y))
         (<= (next (at ?y)) (does you (go ?y)))
         (<= terminal (true (at 3))) (<= (goal you 100) (true (at 3)))",
    )
    .expect("a rulesheet");
    let svg = dependencies(&game).expect("small enough");
    // The ones of the legend are counted, too.
    assert_eq!(count(&svg, "class=\"node state\""), 1 + 1);
    assert_eq!(count(&svg, "class=\"node move\""), 1 + 1);
    assert_eq!(count(&svg, "class=\"node static\""), 1 + 1, "edge");
    assert_eq!(count(&svg, "class=\"node other thick\""), 1, "path");
    assert_eq!(count(&svg, "class=\"node other\""), 1 + 1, "lost");
    assert_eq!(count(&svg, "class=\"node answer\""), 4 + 1);
    assert_eq!(count(&svg, "class=\"edge dashed\""), 2);
    for label in [">at/1<", ">next at/1<", ">path/2<", ">does/2<", ">terminal/0<"] {
        assert_eq!(count(&svg, label), 1, "{label}: {svg}");
    }
}

#[test]
fn what_is_too_large_is_not_drawn() {
    let rules: String = (0..500).map(|at| format!("(<= (p{} 1) (p{at} 1)) ", at + 1)).collect();
    let game = Game::from_kif("chain", &rules).expect("a rulesheet");
    assert_eq!(dependencies(&game), None);
}

#[test]
fn an_automaton_has_its_actions_on_its_edges() {
    let text = "begin, a: $ t; a, end: ? a -> b; a, b: ; b, a: player = keeper;";
    let description = gdlr_rg::rg::read(text).expect("an automaton");
    let svg = automaton(&description, "small").expect("small enough");
    assert_eq!(count(&svg, "class=\"node answer thick\""), 2);
    assert_eq!(count(&svg, ">player = keeper<"), 1, "{svg}");
    assert_eq!(count(&svg, "class=\"edge dashed\""), 2, "before and behind the words");
    assert_eq!(count(&svg, "class=\"head\""), 4);
}

#[test]
fn a_net_has_its_latches_and_outputs() {
    let text = include_str!("../../../../../kif/nim.kif");
    let game = std::sync::Arc::new(Game::from_kif("nim", text).expect("a rulesheet"));
    let budget = gdlr_net::ground::Budget::UNLIMITED;
    let circuit = gdlr_net::net::Net::of_game(game.clone(), &budget).expect("a net");
    let svg = net(&circuit, &game).expect("small enough");
    let thick = circuit.latches.iter().filter(|latch| latch.initial).count();
    assert_eq!(count(&svg, "class=\"node state thick\""), thick);
    assert_eq!(count(&svg, "class=\"node state\""), circuit.latches.len() - thick + 1);
    assert_eq!(count(&svg, "class=\"node move\""), circuit.inputs.len() + 1);
}
