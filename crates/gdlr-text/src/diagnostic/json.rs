//! Diagnostics as JSON, as `gdlr check --json` prints them and the service of `gdlr web` sends them.

use super::{Diagnostic, LineIndex, Severity, Span};
use serde_json::{Value, json};

impl Severity {
    /// Its name: `error` or `warning`.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

impl Diagnostic {
    /// The diagnostic as a JSON object; `place` says where a span is, as an object.
    pub fn to_json(&self, place: impl Fn(Span) -> Value) -> Value {
        let related = self.related.iter().map(|(span, label)| {
            let mut value = place(*span);
            value["label"] = json!(label);
            value
        });
        json!({
            "code": self.code.as_str(),
            "severity": self.severity().as_str(),
            "message": self.message,
            "label": self.label,
            "help": self.help,
            "place": place(self.span),
            "related": related.collect::<Vec<_>>(),
        })
    }
}

impl LineIndex {
    /// Where a span of the text is, as a JSON object: line and column of its beginning, counted
    /// from 1, and its bytes.
    pub fn place_json(&self, text: &str, span: Span) -> Value {
        let at = self.locate(text, span.range().start.min(text.len()));
        json!({ "line": at.line, "column": at.column, "start": span.start, "end": span.end })
    }
}
