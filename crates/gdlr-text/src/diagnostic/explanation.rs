//! The meaning of each code, with an input that has it and ways to mend it.
//!
//! The texts are in `codes/`, one file for each family. A code has a heading, its meaning, an input
//! between fences, and ways to mend it. `gdlr explain-code` prints these texts, and `docs/codes.md`
//! is made of them.

use super::Code;

/// The texts, by the letter with which the codes of a family begin.
const FAMILIES: [(&str, &str); 10] = [
    ("K", include_str!("codes/k.md")),
    ("G", include_str!("codes/g.md")),
    ("E", include_str!("codes/e.md")),
    ("W", include_str!("codes/w.md")),
    ("S", include_str!("codes/s.md")),
    ("P", include_str!("codes/p.md")),
    ("R", include_str!("codes/r.md")),
    ("H", include_str!("codes/h.md")),
    ("B", include_str!("codes/b.md")),
    ("A", include_str!("codes/a.md")),
];

/// The meaning of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The error, and its consequences: sentences in Markdown.
    pub meaning: &'static str,
    /// An input that has the code.
    pub example: Example,
    /// How to mend it: sentences in Markdown, some with the example mended, between fences.
    pub mend: &'static str,
}

/// An input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// The language of the text: `kif`, `infix`, `rg`, `hrg`, `rbg` or `abg`; or `sh`, where it is
    /// a command.
    pub language: &'static str,
    /// The text, which ends with a line feed. It may have other defects, too.
    pub text: &'static str,
}

impl Code {
    /// The code of this name, in letters of either case.
    ///
    /// ```
    /// # mod gdlr { pub use gdlr_text::diagnostic; }
    /// use gdlr::diagnostic::Code;
    /// assert_eq!(Code::named("e020"), Some(Code::LocalInNegation));
    /// ```
    pub fn named(name: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| code.as_str().eq_ignore_ascii_case(name))
    }

    /// The meaning of the code, with an input that has it and ways to mend it. Takes time linear in
    /// the texts of the family.
    pub fn explanation(self) -> Explanation {
        let name = self.as_str();
        entry(name).unwrap_or_else(|| unreachable!("each code has an entry, {name} too"))
    }
}

/// The codes that the texts have an entry for, in order.
#[doc(hidden)]
pub fn explained() -> impl Iterator<Item = &'static str> {
    let headings = |text: &'static str| text.lines().filter_map(|line| line.strip_prefix("## "));
    FAMILIES.iter().flat_map(move |(_, text)| headings(text))
}

/// The inputs between fences in a text, with their languages.
#[doc(hidden)]
pub fn examples(text: &'static str) -> Vec<Example> {
    let mut rest = text;
    std::iter::from_fn(|| {
        let (_, example, behind) = first_example(rest)?;
        rest = behind;
        Some(example)
    })
    .collect()
}

fn entry(name: &str) -> Option<Explanation> {
    let (_, text) = FAMILIES.iter().find(|(letter, _)| name.starts_with(letter))?;
    let start = text.find(&format!("## {name}\n"))?;
    let body = text[start..].split_once('\n')?.1;
    let body = body.split("\n## ").next()?;
    let (meaning, example, mend) = first_example(body)?;
    Some(Explanation { meaning: meaning.trim(), example, mend: mend.trim() })
}

/// The first input between fences, with the text before and behind it.
fn first_example(text: &'static str) -> Option<(&'static str, Example, &'static str)> {
    let start = text.find("```")?;
    let opened = &text[start..];
    let fence = &opened[..opened.len() - opened.trim_start_matches('`').len()];
    let (language, body) = opened[fence.len()..].split_once('\n')?;
    let end = body.find(&format!("\n{fence}"))? + 1;
    let behind = &body[end + fence.len()..];
    Some((&text[..start], Example { language, text: &body[..end] }, behind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_code_has_one_entry_and_each_entry_a_code() {
        let codes: Vec<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
        assert_eq!(explained().collect::<Vec<_>>(), codes);
        for code in Code::ALL {
            let Explanation { meaning, example, mend } = code.explanation();
            assert!(meaning.ends_with('.') && !meaning.contains("##"), "{code}: {meaning}");
            assert!(example.text.ends_with('\n') && !example.text.contains("## "), "{code}");
            assert!(!mend.is_empty() && !mend.contains("\n## "), "{code}: {mend}");
            assert!(!code.summary().ends_with('.'), "{code}: {}", code.summary());
        }
    }

    #[test]
    fn an_example_may_have_fences_of_its_own() {
        let Explanation { example, mend, .. } = Code::MarkdownFence.explanation();
        assert_eq!(example, Example { language: "kif", text: "```lisp\n(role you)\n```\n" });
        assert_eq!(mend, "Remove the two lines with the fences.");
        assert_eq!(examples("no fence"), []);
        let mended = examples(Code::BadTerm.explanation().mend);
        assert_eq!(mended, [Example { language: "kif", text: "(init (cell 1 1 x))\n" }]);
    }

    #[test]
    fn lines_fit_a_terminal() {
        for (letter, text) in FAMILIES {
            let long = text.lines().find(|line| line.chars().count() > 80);
            assert_eq!(long, None, "{letter}");
        }
    }
}
