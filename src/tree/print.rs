//! The trees as text and as pictures.
//!
//! The text lists every OR node once, with the rules below it and their conditions in the
//! order of proof; a condition that asks a node names it by its number. The picture is a
//! graph in the DOT language of Graphviz: boxes are OR nodes, ellipses are AND nodes.

use super::Tree;
use super::plan::*;
use crate::normal::RelationId;
use std::fmt::Write;

impl Tree {
    /// The trees as text, a few words a condition.
    ///
    /// ```text
    /// #0 legal/2 (root)
    ///   rule at line 58
    ///     true     true control/1
    ///     …
    /// ```
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for (place, or) in self.plan.ors.iter().enumerate() {
            let id = OrId(place as u32);
            let _ = writeln!(text, "{}", self.or_title(id));
            for &and in &or.ands {
                let node = &self.plan.ands[and.index()];
                let rule = node.source;
                let _ = writeln!(text, "  rule at bytes {}..{}", rule.start, rule.end);
                for segment in &node.segments {
                    for step in &segment.steps {
                        self.step_text(step, 4, &mut text);
                    }
                    if let End::Recurrence(id) = segment.end {
                        let recurrence = &self.plan.recurrences[id.index()];
                        let kind = kind_name(recurrence.merge.kind);
                        let query = self.query_text(&recurrence.merge.query);
                        let _ = writeln!(text, "    {kind:<9}{query}, recurrent");
                    }
                }
            }
        }
        text
    }

    /// The trees as a graph in the DOT language of Graphviz.
    pub fn to_dot(&self) -> String {
        let mut dot = String::from(
            "digraph trees {\n  rankdir=LR;\n  node [fontname=\"Helvetica\", fontsize=10];\n  \
             edge [fontname=\"Helvetica\", fontsize=8];\n",
        );
        for (place, or) in self.plan.ors.iter().enumerate() {
            let title = escape(&self.or_title(OrId(place as u32)));
            let _ = writeln!(dot, "  or{place} [shape=box, label=\"{title}\"];");
            for &and in &or.ands {
                let number = and.0;
                let _ = writeln!(dot, "  and{number} [shape=ellipse, label=\"rule\"];");
                let _ = writeln!(dot, "  or{place} -> and{number};");
                self.and_edges(and, &mut dot);
            }
        }
        dot.push_str("}\n");
        dot
    }

    fn and_edges(&self, and: AndId, dot: &mut String) {
        for segment in &self.plan.ands[and.index()].segments {
            let mut asked: Vec<(&'static str, &Query)> = Vec::new();
            for step in &segment.steps {
                each_query(step, &mut |kind, query| asked.push((kind_name(kind), query)));
            }
            if let End::Recurrence(id) = segment.end {
                let merge = &self.plan.recurrences[id.index()].merge;
                asked.push((kind_name(merge.kind), &merge.query));
            }
            for (place, (kind, query)) in asked.into_iter().enumerate() {
                let from = and.0;
                match query.source {
                    Source::Node(or) => {
                        let _ = writeln!(dot, "  and{from} -> or{} [label=\"{kind}\"];", or.0);
                    }
                    _ => {
                        let name = escape(&self.query_text(query));
                        let leaf = format!("leaf{from}_{}_{place}", segment.steps.len());
                        let _ = writeln!(dot, "  {leaf} [shape=plaintext, label=\"{name}\"];");
                        let _ = writeln!(dot, "  and{from} -> {leaf} [label=\"{kind}\"];");
                    }
                }
            }
        }
    }

    fn or_title(&self, id: OrId) -> String {
        let or = &self.plan.ors[id.index()];
        let mut title = format!("#{} {}", id.0, self.normal.relation_name(or.relation));
        if !or.filter.is_empty() {
            let _ = write!(title, ", filter on {}", column_list(or.filter.iter().copied()));
        }
        if self.plan.roots.contains(&id) {
            title.push_str(" (root)");
        }
        if or.component.is_some() {
            title.push_str(" (recurrent)");
        }
        title
    }

    fn step_text(&self, step: &Step, indent: usize, text: &mut String) {
        match step {
            Step::Merge(merge) => {
                let kind = kind_name(merge.kind);
                let query = self.query_text(&merge.query);
                let _ = writeln!(text, "{:indent$}{kind:<9}{query}", "");
            }
            Step::Test(test) => self.test_text(test, indent, text),
        }
    }

    fn test_text(&self, test: &Test, indent: usize, text: &mut String) {
        match test {
            Test::Distinct(_) => {
                let _ = writeln!(text, "{:indent$}distinct", "");
            }
            Test::Same(_) => {
                let _ = writeln!(text, "{:indent$}same", "");
            }
            Test::Exists { kind, query } => {
                let (kind, query) = (kind_name(*kind), self.query_text(query));
                let _ = writeln!(text, "{:indent$}{kind:<9}{query}", "");
            }
            Test::Any(branches) => {
                for branch in branches {
                    let _ = writeln!(text, "{:indent$}or", "");
                    for test in branch {
                        self.test_text(test, indent + 2, text);
                    }
                }
            }
        }
    }

    fn query_text(&self, query: &Query) -> String {
        let mut text = self.query_relation(query.relation);
        if let Source::Node(or) = query.source {
            let _ = write!(text, " #{}", or.0);
        }
        if !query.key.is_empty() {
            let columns = column_list(query.key.iter().map(|&(column, _)| column));
            let _ = write!(text, " on {columns}");
        }
        text
    }

    fn query_relation(&self, relation: RelationId) -> String {
        self.normal.relation_name(relation)
    }
}

fn column_list(columns: impl Iterator<Item = u16>) -> String {
    columns.map(|column| (column + 1).to_string()).collect::<Vec<_>>().join(",")
}

fn kind_name(kind: MergeKind) -> &'static str {
    match kind {
        MergeKind::New => "new",
        MergeKind::True => "true",
        MergeKind::Combine => "combine",
        MergeKind::Verify => "verify",
        MergeKind::Check => "check",
        MergeKind::VerifyNot => "verifynot",
        MergeKind::CheckNot => "checknot",
    }
}

/// Calls `visit` with every query of a step.
fn each_query<'a>(step: &'a Step, visit: &mut impl FnMut(MergeKind, &'a Query)) {
    match step {
        Step::Merge(merge) => visit(merge.kind, &merge.query),
        Step::Test(test) => test_queries(test, visit),
    }
}

fn test_queries<'a>(test: &'a Test, visit: &mut impl FnMut(MergeKind, &'a Query)) {
    match test {
        Test::Distinct(_) | Test::Same(_) => {}
        Test::Exists { kind, query } => visit(*kind, query),
        Test::Any(branches) => branches.iter().flatten().for_each(|t| test_queries(t, visit)),
    }
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
