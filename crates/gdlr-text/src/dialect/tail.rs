//! Whether a comment could be conditions: behind `a ; b`, of Prolog.

/// The possible meanings of a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tail<'a> {
    /// The relation of the first condition; `None` if two terms are compared.
    pub relation: Option<&'a str>,
    /// Whether a period ends the conditions.
    pub ends: bool,
}

/// The meaning of the text behind a `;`, up to the end of its line, if it could be conditions.
pub(crate) fn conditions(text: &str) -> Option<Tail<'_>> {
    let mut rest = Rest(text);
    let relation = rest.condition()?;
    loop {
        rest.skip();
        while rest.take(&[")"]) {}
        if rest.0.is_empty() || rest.0.starts_with('%') {
            return Some(Tail { relation, ends: false });
        }
        if rest.take(&["."]) {
            let behind = rest.0.trim();
            let goes_on = behind.is_empty()
                || behind.starts_with(['%', ';'])
                || behind.contains(":-")
                || behind.ends_with('.') && behind.contains('(');
            return goes_on.then_some(Tail { relation, ends: true });
        }
        if !rest.take(&["->", ",", ";", "&", "|"]) {
            return None;
        }
        rest.skip();
        if rest.0.is_empty() {
            return Some(Tail { relation, ends: false });
        }
        rest.condition()?;
    }
}

/// The name that a text begins with, if any; within one a sign such as that of `a-1` may stand.
pub(crate) fn word(text: &str) -> &str {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let ends = |&(at, c): &(usize, char)| {
        let behind = &text[at + c.len_utf8()..];
        let joins = at > 0 && matches!(c, '-' | '+') && behind.starts_with(is_part);
        !is_part(c) && !joins
    };
    &text[..text.char_indices().find(ends).map_or(text.len(), |(at, _)| at)]
}

/// The rest of a text.
struct Rest<'a>(&'a str);

impl<'a> Rest<'a> {
    fn skip(&mut self) {
        self.0 = self.0.trim_start();
    }

    /// Takes one of these signs, if it comes next.
    fn take(&mut self, signs: &[&str]) -> bool {
        self.skip();
        let found = signs.iter().find_map(|sign| self.0.strip_prefix(sign));
        self.0 = found.unwrap_or(self.0);
        found.is_some()
    }

    /// A name.
    fn word(&mut self) -> Option<&'a str> {
        let word = word(self.0);
        self.0 = &self.0[word.len()..];
        (!word.is_empty()).then_some(word)
    }

    /// A condition, behind any negations and brackets: its relation, or `None` within for a
    /// comparison.
    fn condition(&mut self) -> Option<Option<&'a str>> {
        while self.take(&["~", "\\+", "("]) {}
        let mut name = self.word()?;
        if name == "not" && self.0.starts_with([' ', '\t']) {
            self.skip();
            while self.take(&["("]) {}
            name = self.word()?;
        }
        self.arguments()?;
        if self.take(&["\\==", "\\=", "!=", "==", "=<", ">=", "=", "<", ">"]) {
            self.skip();
            self.word()?;
            self.arguments()?;
            return Some(None);
        }
        let is_variable = name.starts_with(|c: char| c.is_uppercase() || c == '_');
        (!is_variable).then_some(Some(name))
    }

    /// The brackets behind a name, if there are any; `None` if they are not closed.
    fn arguments(&mut self) -> Option<()> {
        if !self.0.starts_with('(') {
            return Some(());
        }
        let mut depth = 0usize;
        for (at, c) in self.0.char_indices() {
            depth = match c {
                '(' => depth + 1,
                ')' => depth - 1,
                _ => depth,
            };
            if depth == 0 {
                self.0 = &self.0[at + 1..];
                return Some(());
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_be_conditions() {
        for (text, relation, ends) in [
            (" b.", Some("b"), true),
            ("b", Some("b"), false),
            (" line(x), \\+ open.", Some("line"), true),
            (" not true(s(2)) ) .", Some("true"), true),
            (" X \\= Y.", None, true),
            (" a ,", Some("a"), false),
            (" ~(a | b) % why", Some("a"), false),
            (" b. c :- d.", Some("b"), true),
            (" crosser1-0 ; crosser2-100.", Some("crosser1-0"), true),
            (" a->b.", Some("a"), true),
        ] {
            assert_eq!(conditions(text), Some(Tail { relation, ends }), "{text}");
        }
        for text in [
            "",
            " whose turn it is",
            "; section",
            " see above. Then more",
            " f(a",
            " X",
            " a = ",
            "- - -",
        ] {
            assert_eq!(conditions(text), None, "{text}");
        }
    }
}
