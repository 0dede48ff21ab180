//! The trees as text and as pictures.
//!
//! The text lists every OR node once, with the rules below it and their conditions in the
//! order of proof; a condition that asks a node names it by its number. The picture is a
//! graph in the DOT language of Graphviz: boxes are OR nodes, ellipses are AND nodes.
//!
//! Behind a relation stand its columns, one sign each: the symbol that the condition asks
//! for, `+` for one that is known by then, `-` for one that is not, and `=2` for what must
//! be the same as in column 2. A term within an argument has columns of its own (FI, IV.C).

use super::engine::Tree;
use super::plan::*;
use gdlr_text::diagnostic::Span;
use gdlr_text::notation;
use std::fmt::Write;

impl Tree {
    /// The trees as text, a line a condition. `rulesheet` is the text that the game was read
    /// from; the rules are quoted from it.
    ///
    /// ```text
    /// #0 legal/2 (root)
    ///   line 58: (legal ?r (mark ?x ?y))
    ///     new       true control/1 (-)
    ///     …
    /// ```
    pub fn to_text(&self, rulesheet: &str) -> String {
        let quotes = Quotes::new(rulesheet);
        let mut text = String::new();
        for (place, or) in self.plan.ors.iter().enumerate() {
            let id = OrId(place as u32);
            let _ = writeln!(text, "{}", self.or_title(id));
            for &and in &or.ands {
                let node = &self.plan.ands[and.index()];
                let _ = writeln!(text, "  {}", quotes.rule(node.source));
                for segment in &node.segments {
                    for step in &segment.steps {
                        self.step_text(step, 4, &mut text);
                    }
                    if let End::Recurrence(id) = segment.end {
                        let merge = &self.plan.recurrences[id.index()].merge;
                        let condition = self.condition_text(merge.kind, &merge.query);
                        let _ = writeln!(text, "    {condition}, recurrent");
                    }
                }
            }
        }
        text
    }

    /// The trees as a graph in the DOT language of Graphviz. `rulesheet` is the text that the
    /// game was read from.
    pub fn to_dot(&self, rulesheet: &str) -> String {
        let quotes = Quotes::new(rulesheet);
        let mut dot = String::from(
            "digraph trees {\n  rankdir=LR;\n  ranksep=0.6;\n  nodesep=0.12;\n  \
             node [fontname=\"Helvetica\", fontsize=10, height=0.3, margin=\"0.1,0.04\"];\n  \
             edge [fontname=\"Helvetica\", fontsize=8, arrowsize=0.6];\n",
        );
        for (place, or) in self.plan.ors.iter().enumerate() {
            let id = OrId(place as u32);
            let title = escape(&self.or_title(id));
            let root = if self.plan.roots.contains(&id) { ", penwidth=2" } else { "" };
            let _ = writeln!(dot, "  or{place} [shape=box{root}, label=\"{title}\"];");
            for &and in &or.ands {
                let number = and.0;
                let rule = escape(&quotes.rule(self.plan.ands[and.index()].source));
                let _ = writeln!(dot, "  and{number} [shape=ellipse, label=\"{rule}\"];");
                let _ = writeln!(dot, "  or{place} -> and{number};");
                self.and_edges(and, &mut dot);
            }
        }
        dot.push_str("}\n");
        dot
    }

    fn and_edges(&self, and: AndId, dot: &mut String) {
        let mut queries: Vec<(MergeKind, &Query)> = Vec::new();
        for segment in &self.plan.ands[and.index()].segments {
            for step in &segment.steps {
                each_query(step, &mut |kind, query| queries.push((kind, query)));
            }
            if let End::Recurrence(id) = segment.end {
                let merge = &self.plan.recurrences[id.index()].merge;
                queries.push((merge.kind, &merge.query));
            }
        }
        let from = and.0;
        for (place, (kind, query)) in queries.into_iter().enumerate() {
            let kind = format!("{} {}", place + 1, kind_name(kind));
            match query.source {
                Source::Node(or) => {
                    let _ = writeln!(dot, "  and{from} -> or{} [label=\"{kind}\"];", or.0);
                }
                _ => {
                    let name = escape(&self.query_text(query));
                    let leaf = format!("leaf{from}_{place}");
                    let _ = writeln!(dot, "  {leaf} [shape=plaintext, label=\"{name}\"];");
                    let _ = writeln!(dot, "  and{from} -> {leaf} [label=\"{kind}\"];");
                }
            }
        }
    }

    fn or_title(&self, id: OrId) -> String {
        let or = &self.plan.ors[id.index()];
        let mut title = format!("#{} {}", id.0, self.normal.relation_name(or.relation));
        if !or.filter.is_empty() {
            let sign = |column| if or.filter.contains(&column) { "+" } else { "-" };
            let signs: Vec<&str> = (0..or.width as u16).map(sign).collect();
            let _ = write!(title, " filtered ({})", signs.join(" "));
        }
        if self.plan.roots.contains(&id) {
            title.push_str(", root");
        }
        if or.component.is_some() {
            title.push_str(", recurrent");
        }
        title
    }

    fn step_text(&self, step: &Step, indent: usize, text: &mut String) {
        match step {
            Step::Merge(merge) => {
                let condition = self.condition_text(merge.kind, &merge.query);
                let _ = writeln!(text, "{:indent$}{condition}", "");
            }
            Step::Test(test) => self.test_text(test, indent, text),
        }
    }

    fn test_text(&self, test: &Test, indent: usize, text: &mut String) {
        match test {
            Test::Distinct(pairs) => self.pairs_text("distinct", pairs, indent, text),
            Test::Same(pairs) => self.pairs_text("same", pairs, indent, text),
            Test::Exists { kind, query } => {
                let condition = self.condition_text(*kind, query);
                let _ = writeln!(text, "{:indent$}{condition}", "");
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

    fn pairs_text(
        &self,
        name: &str,
        pairs: &[(Operand, Operand)],
        indent: usize,
        text: &mut String,
    ) {
        let pair = |&(a, b): &(Operand, Operand)| {
            format!("({} {})", self.operand_text(a), self.operand_text(b))
        };
        let pairs: Vec<String> = pairs.iter().map(pair).collect();
        let _ = writeln!(text, "{:indent$}{name:<10}{}", "", pairs.join(" "));
    }

    fn operand_text(&self, operand: Operand) -> String {
        match operand {
            Operand::Constant(symbol) => self.normal.symbol_text(symbol),
            Operand::Column(_) => "+".to_owned(),
        }
    }

    fn condition_text(&self, kind: MergeKind, query: &Query) -> String {
        format!("{:<10}{}", kind_name(kind), self.query_text(query))
    }

    fn query_text(&self, query: &Query) -> String {
        let mut text = self.normal.relation_name(query.relation);
        if let Source::Node(or) = query.source {
            let _ = write!(text, " #{}", or.0);
        }
        let width = self.normal.relation(query.relation).width;
        if width > 0 {
            let columns: Vec<String> =
                (0..width as u16).map(|column| self.column_text(query, column)).collect();
            let _ = write!(text, " ({})", columns.join(" "));
        }
        text
    }

    /// The binding of a column in a query.
    fn column_text(&self, query: &Query, column: u16) -> String {
        if let Some(&(_, operand)) = query.key.iter().find(|&&(known, _)| known == column) {
            return self.operand_text(operand);
        }
        match query.equal.iter().find(|&&(_, second)| second == column) {
            Some(&(first, _)) => format!("={}", first + 1),
            None => "-".to_owned(),
        }
    }
}

/// A rulesheet to quote rules from.
struct Quotes<'a> {
    text: &'a str,
    /// Where the lines begin.
    lines: Vec<usize>,
}

impl Quotes<'_> {
    fn new(text: &str) -> Quotes<'_> {
        let ends = text.match_indices('\n').map(|(end, _)| end + 1);
        Quotes { text, lines: std::iter::once(0).chain(ends).collect() }
    }

    /// The line and the head of a rule.
    fn rule(&self, span: Span) -> String {
        let line = self.lines.partition_point(|&start| start <= span.range().start);
        let head = self.text.get(span.range()).and_then(|rule| {
            let document = notation::expressions(rule).ok()?;
            let rule = document.items.first()?;
            match rule.list() {
                Some([arrow, head, ..]) if arrow.atom() == Some("<=") => Some(head.to_string()),
                _ => Some(rule.to_string()),
            }
        });
        match head {
            Some(head) => format!("line {line}: {head}"),
            // No rule of the rulesheet, such as the list of all its constants.
            None => "made by the set-up".to_owned(),
        }
    }
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
