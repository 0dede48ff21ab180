//! Writes the working form back to a description.

use super::expressions::{ExprId, Shape};
use super::{Label, Node, Program};
use crate::rg::ast::{self, Base, Description, Expr, Ident, Place};
use crate::rg::name::Name;
use gdlr_text::graph::reached;
use hashbrown::HashSet;

impl Program {
    /// The description. Its edges are in the order of a depth-first walk from `begin`, followed by
    /// the walks of reachability checks.
    pub fn store(&self) -> Description {
        let mut names = self.names.clone();
        let nodes = self.name_nodes(&mut names);
        let mut edges = Vec::with_capacity(self.count);
        if !self.leads(Node::BEGIN, Node::END) {
            // No play ends, but a description must have an edge to `end`.
            edges.push(never());
        }
        for node in self.in_order() {
            for &id in self.leaving(node) {
                let edge = self.edge(id);
                edges.push(ast::Edge {
                    from: nodes[edge.from.index()].into(),
                    to: nodes[edge.to.index()].into(),
                    label: self.store_label(edge.label, &nodes),
                    place: Place::default(),
                });
            }
        }
        let mut description = Description {
            names,
            pragmas: self.pragmas.clone(),
            types: self.types.clone(),
            constants: self.constants.clone(),
            variables: self.variables.clone(),
            edges,
        };
        self.mentioned.leave_out(&mut description);
        description
    }

    /// Whether edges lead from one node to another.
    fn leads(&self, from: Node, to: Node) -> bool {
        let behind = |node| self.edges_from(node).map(|edge| edge.to);
        reached(self.node_count(), [from], behind)[to.index()]
    }

    /// The nodes with leaving edges, in the order in which a reader expects them.
    fn in_order(&self) -> Vec<Node> {
        let mut met = vec![false; self.node_count()];
        let mut order = Vec::new();
        let starts = self.edges().filter_map(|(_, edge)| match edge.label {
            Label::Reach { from, .. } => Some(from),
            _ => None,
        });
        let starts: Vec<Node> =
            std::iter::once(Node::BEGIN).chain(starts).chain(self.nodes()).collect();
        let mut open = Vec::new();
        for start in starts {
            open.push(start);
            while let Some(node) = open.pop() {
                if std::mem::replace(&mut met[node.index()], true) {
                    continue;
                }
                order.push(node);
                open.extend(self.leaving(node).iter().rev().map(|&edge| self.edge(edge).to));
            }
        }
        order
    }

    /// The names of the nodes. A new node gets a name that nothing else has.
    fn name_nodes(&self, names: &mut crate::rg::name::Names) -> Vec<Name> {
        let mut number = 0_u64;
        let taken: HashSet<Name> = self.node_names.iter().flatten().copied().collect();
        let mut named = Vec::with_capacity(self.node_names.len());
        for name in &self.node_names {
            named.push(name.unwrap_or_else(|| {
                loop {
                    number += 1;
                    let text = format!("n{number}");
                    if names.get(&text).is_none_or(|name| !taken.contains(&name))
                        && let Ok(name) = names.intern(&text)
                    {
                        return name;
                    }
                }
            }));
        }
        named
    }

    fn store_label(&self, label: Label, nodes: &[Name]) -> ast::Label {
        match label {
            Label::Skip => ast::Label::Skip,
            Label::Assign { target, value } => ast::Label::Assign {
                target: self.store_expression(target),
                value: self.store_expression(value),
            },
            Label::AssignAny { target, drawn } => ast::Label::AssignAny {
                target: self.store_expression(target),
                values: self.drawn[drawn.0 as usize].0.clone(),
            },
            Label::Compare { left, right, equal } => ast::Label::Compare {
                left: self.store_expression(left),
                right: self.store_expression(right),
                equal,
            },
            Label::Reach { from, to, negated } => ast::Label::Reach {
                from: nodes[from.index()].into(),
                to: nodes[to.index()].into(),
                negated,
            },
            Label::Tag(tag) => ast::Label::Tag(tag.into()),
            Label::TagVariable(variable) => ast::Label::TagVariable(variable.into()),
        }
    }

    /// An expression in its written form.
    pub fn store_expression(&self, expr: ExprId) -> Expr {
        let (root, keys) = self.expressions.parts(expr);
        debug_assert!(matches!(self.expressions.shape(expr), Shape::Name(_)) == keys.is_empty());
        Expr {
            base: Base::Name(Ident::from(root)),
            keys: keys.into_iter().map(|key| self.store_expression(key)).collect(),
            place: Place::default(),
        }
    }
}

/// An edge to the end that no walk takes.
fn never() -> ast::Edge {
    let player = Expr::from(Ident::from(Name::PLAYER));
    ast::Edge {
        from: Name::BEGIN.into(),
        to: Name::END.into(),
        label: ast::Label::Compare { left: player.clone(), right: player, equal: false },
        place: Place::default(),
    }
}
