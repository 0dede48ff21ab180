//! Writing SVG: elements with their attributes, text that means nothing to XML.

use gdlr_text::diagnostic::visible;
use std::fmt::Write;

/// A value of an attribute.
pub(super) trait Value {
    /// Writes it, without what XML would take for its own.
    fn write(&self, out: &mut String);
}

impl Value for f64 {
    /// Two digits after the point at most.
    fn write(&self, out: &mut String) {
        let rounded = (self * 100.0).round() / 100.0;
        // Zero has no sign here.
        let _ = write!(out, "{}", if rounded == 0.0 { 0.0 } else { rounded });
    }
}

impl Value for &str {
    fn write(&self, out: &mut String) {
        for c in visible(self).chars() {
            match c {
                '&' => out.push_str("&amp;"),
                '<' => out.push_str("&lt;"),
                '>' => out.push_str("&gt;"),
                '"' => out.push_str("&quot;"),
                // The only ones that are visible and that XML does not have.
                '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
                c => out.push(c),
            }
        }
    }
}

impl Value for String {
    fn write(&self, out: &mut String) {
        self.as_str().write(out);
    }
}

/// The attributes of an element.
pub(super) type Attributes<'a> = &'a [(&'static str, &'a dyn Value)];

/// A document that is being written.
pub(super) struct Svg {
    text: String,
    open: Vec<&'static str>,
}

impl Svg {
    /// A picture of this size; `title` is read to who does not see it.
    pub fn new(width: f64, height: f64, title: &str) -> Svg {
        let mut svg = Svg { text: String::new(), open: Vec::new() };
        let mut view = "0 0 ".to_owned();
        width.write(&mut view);
        view.push(' ');
        height.write(&mut view);
        svg.open(
            "svg",
            &[
                ("xmlns", &"http://www.w3.org/2000/svg"),
                ("width", &width),
                ("height", &height),
                ("viewBox", &view),
                ("role", &"img"),
            ],
        );
        svg.tag("title", &[], Some(title));
        svg
    }

    /// The style sheet, which is our own and no user's.
    pub fn style(&mut self, sheet: &str) {
        let _ = writeln!(self.text, "<style>{sheet}</style>");
    }

    /// Begins an element that has others in it.
    pub fn open(&mut self, name: &'static str, attributes: Attributes) {
        self.begin(name, attributes);
        self.text.push_str(">\n");
        self.open.push(name);
    }

    /// Ends the one that was begun last.
    pub fn close(&mut self) {
        let name = self.open.pop().expect("one is open");
        let _ = writeln!(self.text, "</{name}>");
    }

    /// An element without any in it.
    pub fn element(&mut self, name: &'static str, attributes: Attributes) {
        self.tag(name, attributes, None);
    }

    /// Text around a point: its class says how large and where it begins.
    pub fn text(&mut self, text: &str, attributes: Attributes) {
        self.tag("text", attributes, Some(text));
    }

    fn tag(&mut self, name: &str, attributes: Attributes, content: Option<&str>) {
        self.begin(name, attributes);
        match content {
            None => self.text.push_str("/>\n"),
            Some(content) => {
                self.text.push('>');
                content.write(&mut self.text);
                let _ = writeln!(self.text, "</{name}>");
            }
        }
    }

    fn begin(&mut self, name: &str, attributes: Attributes) {
        let _ = write!(self.text, "<{name}");
        for (name, value) in attributes {
            let _ = write!(self.text, " {name}=\"");
            value.write(&mut self.text);
            self.text.push('"');
        }
    }

    /// The document.
    pub fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.text
    }
}
