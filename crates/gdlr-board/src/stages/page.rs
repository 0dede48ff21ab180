//! The page.

use super::stage::{Stage, Stages};
use super::text::Edit;
use crate::draw::graph;
use crate::style;
use gdlr_text::diagnostic::visible;
use serde_json::{Value, json};

const TEMPLATE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = include_str!("page/page.js");

/// The stages as a document of HTML, whole by itself: it loads nothing. Linear in them.
///
/// Its content stands in it as JSON, in the element `data`; edits there are numbers of lines that
/// stay, or go if negative, and lists of lines that come. Drawings are in templates, `whole-N` and
/// `change-N`.
pub fn page(stages: &Stages) -> String {
    let title = format!("{}: stages", escaped(&stages.game));
    let mut drawings = String::new();
    for (number, stage) in stages.stages.iter().enumerate() {
        let change = stage.change.as_ref().map(|change| &change.svg);
        for (kind, svg) in [("whole", stage.whole.as_ref()), ("change", change)] {
            if let Some(svg) = svg {
                drawings += &format!("<template id=\"{kind}-{number}\">{svg}</template>\n");
            }
        }
    }
    let graphs = graph::style_sheet();
    // Characters that would end the element, or begin one, are escaped; it is within strings.
    let data = data(stages).to_string().replace('<', "\\u003c");
    let parts: [(&str, &str); 7] = [
        ("title", &title),
        ("graphs", &graphs),
        ("common", style::STYLE),
        ("style", STYLE),
        ("data", &data),
        ("drawings", &drawings),
        ("script", SCRIPT),
    ];
    filled(TEMPLATE, &parts)
}

/// A template with its `{{parts}}`; those are not looked at again.
fn filled(template: &str, parts: &[(&str, &str)]) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, behind)) = rest.split_once("{{") {
        let (name, behind) = behind.split_once("}}").expect("a part of the template ends");
        let (_, part) = parts.iter().find(|(of, _)| *of == name).expect("the part is known");
        text += before;
        text += part;
        rest = behind;
    }
    text + rest
}

fn escaped(text: &str) -> String {
    let text = visible(text).replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

fn data(stages: &Stages) -> Value {
    json!({
        "game": visible(&stages.game),
        "lines": stages.lines,
        "stages": stages.stages.iter().map(stage_json).collect::<Vec<_>>(),
    })
}

fn stage_json(stage: &Stage) -> Value {
    let Stage { cause, size, edits, changed, change, .. } = stage;
    json!({
        "name": cause.name,
        "about": cause.about,
        "round": cause.round,
        "seconds": cause.time.map(|time| time.as_secs_f64()),
        "nodes": size.nodes,
        "edges": size.edges,
        "checks": size.reachability_checks,
        "variables": size.variables,
        "constants": size.constants,
        // More than a number of JavaScript can hold is far more than there ever is.
        "bits": size.state_bits.min(1 << 53),
        "edits": edits.iter().map(edit_json).collect::<Vec<_>>(),
        "changed": changed,
        "drawn": change.as_ref().map_or(0, |change| change.drawn),
    })
}

fn edit_json(edit: &Edit) -> Value {
    match edit {
        Edit::Keep(count) => json!(count),
        Edit::Remove(count) => json!(-(*count as i64)),
        Edit::Insert(lines) => json!(lines),
    }
}
