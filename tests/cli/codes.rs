//! `gdlr explain-code`, and `docs/codes.md`: what each code means, with an input that has it.

use super::*;
use gdlr::diagnostic::{Code, Example, Severity, examples};
use std::thread;

#[test]
fn a_code_is_explained() {
    insta::assert_snapshot!("explain_code", done(&["explain-code", "E020"]));
    assert_eq!(done(&["explain-code", "e020"]), done(&["explain-code", "E020"]));
    let value = json(&output(&["explain-code", "K001", "--json"]));
    let all = ["code", "severity", "forbids_play", "summary", "meaning", "example", "mend"];
    assert_eq!(keys(&value), all);
    assert_eq!((&value["code"], &value["severity"]), (&"K001".into(), &"error".into()));
    assert_eq!(value["example"]["language"], "kif");
}

#[test]
fn codes_are_listed() {
    let all = done(&["explain-code"]);
    assert_eq!(all.lines().count(), Code::ALL.len());
    assert!(all.starts_with("K001  error    An opening bracket that is never closed\n"), "{all}");
    let family = done(&["explain-code", "h"]);
    assert!(family.lines().all(|line| line.starts_with('H')), "{family}");
    assert!(!family.contains("Regular Games: "), "{family}");
    let value = json(&output(&["explain-code", "P", "--json"]));
    assert_eq!(value["codes"].as_array().unwrap().len(), 5);
    assert_eq!(value["codes"][0]["code"], "P001");
}

#[test]
fn a_code_that_there_is_not() {
    let said = refused(&["explain-code", "K0012"], b"");
    assert_eq!(said, "error: there is no code `K0012`; did you mean `K001`?\n");
    let said = refused(&["explain-code", "tictactoe"], b"");
    assert_eq!(said, "error: there is no code `tictactoe`; `gdlr explain-code` lists them\n");
}

/// The output of the command for an input, and its exit status.
fn run(example: Example) -> (String, i32) {
    let check: &[&str] = match example.language {
        "kif" | "infix" | "operations" => &["check", "-"],
        "rg" => &["rg", "check", "-"],
        "hrg" => &["hrg", "check", "-"],
        "rbg" => &["rbg", "check", "-"],
        "abg" => &["abg", "check", "-"],
        _ => {
            assert_eq!(example.language, "sh");
            let command = cargo_bin!("gdlr");
            let folder = command.parent().expect("a folder").to_str().expect("UTF-8");
            let path = std::env::var("PATH").expect("a path of commands");
            let shell = Command::new("sh")
                .args(["-c", example.text])
                .env("PATH", format!("{folder}:{path}"))
                .stdin(Stdio::null())
                .output()
                .expect("a shell");
            return (stderr(&shell).to_owned(), status(&shell));
        }
    };
    let output = output_with(check, example.text.as_bytes());
    (stderr(&output).to_owned(), status(&output))
}

/// Asserts that the example of a code has it, and that no mended one has it.
fn assert_shown(code: Code) {
    let explanation = code.explanation();
    let told = format!("[{code}]");
    let (said, status) = run(explanation.example);
    if code == Code::RbgTooLarge {
        // The command refuses such a text before it is read; the library does not.
        assert!(said.contains("larger than 16 MiB") && status == 2, "{said}");
        let text = " ".repeat(gdlr::rbg::MAX_BYTES + 1);
        assert_eq!(gdlr::rbg::read(&text).expect_err("too large")[0].code, code);
    } else if code == Code::AbgTooLarge {
        assert!(said.contains("larger than 16 MiB") && status == 2, "{said}");
        let text = " ".repeat(gdlr::abg::MAX_BYTES + 1);
        assert_eq!(gdlr::abg::read(&text).expect_err("too large")[0].code, code);
    } else {
        assert!(said.contains(&told), "{code}: {said}");
        // Errors make it fail; warnings do not.
        assert!(status > 0 || code.severity() == Severity::Warning, "{code}: {said}");
    }
    for mended in examples(explanation.mend) {
        let (said, _) = run(mended);
        assert!(!said.contains(&told), "{code} is mended: {said}");
    }
}

#[test]
fn each_example_has_its_code_and_is_mended() {
    let (even, odd): (Vec<_>, Vec<_>) = Code::ALL.iter().enumerate().partition(|(n, _)| n % 2 == 0);
    thread::scope(|scope| {
        for half in [even, odd] {
            scope.spawn(move || half.into_iter().for_each(|(_, &code)| assert_shown(code)));
        }
    });
}

/// The families: the letter, the heading of their part, and the sentences below it.
const FAMILIES: &[(&str, &str, &str)] = &[
    (
        "K",
        "Reading a text",
        "The text of a rulesheet, in KIF or in infix notation, cannot be read.",
    ),
    ("G", "Reading rules", "The text can be read, but is no list of rules."),
    (
        "E",
        "Rules",
        "The rules break a restriction of GDL. Where the error does not forbid play, `gdlr` plays the rules as they are\n\
         meant; other programs may refuse them.",
    ),
    ("W", "Odd rules", "The rules are allowed, and are probably a slip."),
    (
        "S",
        "Play",
        "`gdlr check` plays a little, and `--simulate N` plays more. These defects are found in play.",
    ),
    (
        "P",
        "Positions, moves and questions",
        "A position, a move or a question that a command is given is none of the game.",
    ),
    (
        "R",
        "Regular Games",
        "An automaton in the language [Regular Games](rg.md). `R0` is about its text; `R1` are errors, `R2` warnings,\n\
         `R3` defects in play.",
    ),
    (
        "H",
        "High-level Regular Games",
        "A game in [High-level Regular Games](hrg.md). `H0` is about its text; `H1` are errors, `H2` warnings. Its\n\
         automaton may have codes of Regular Games, too.",
    ),
    (
        "B",
        "Regular Boardgames",
        "A game in [Regular Boardgames](rbg.md). `B0` is about its text; `B1` are errors, `B2` warnings.",
    ),
    (
        "A",
        "Abstract Board Games",
        "A game in [Abstract Board Games](abg.md). `A0` is about its text; `A1` are errors, `A2` warnings.",
    ),
];

fn page() -> String {
    let mut page = String::from(HEAD);
    for (letter, heading, _) in FAMILIES {
        let anchor = heading.to_lowercase().replace(' ', "-").replace(',', "");
        page += &format!("- [{letter}](#{anchor}): {heading}\n");
    }
    for (letter, heading, about) in FAMILIES {
        page += &format!("\n## {heading}\n\n{about}\n");
        for code in Code::ALL.iter().filter(|code| code.as_str().starts_with(letter)) {
            let explanation = code.explanation();
            let Example { language, text } = explanation.example;
            let fence = if text.contains("```") { "````" } else { "```" };
            let weight = match (code.severity(), code.forbids_play()) {
                (Severity::Warning, _) => "Warning",
                (Severity::Error, true) => "Error, forbids play",
                (Severity::Error, false) => "Error",
            };
            page += &format!(
                "\n### {code}\n\n**{weight}: {}.**\n{}\n\n{fence}{language}\n{text}{fence}\n\n{}\n",
                code.summary(),
                explanation.meaning,
                explanation.mend
            );
        }
    }
    page
}

#[test]
fn the_page_has_what_the_command_says() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs/codes.md");
    let new = page();
    if std::env::var_os("GDLR_UPDATE_DOCS").is_some() {
        std::fs::write(&path, new).expect("a page that can be written");
    } else {
        let page = std::fs::read_to_string(&path).expect("the page");
        assert_eq!(page, new, "GDLR_UPDATE_DOCS=1 writes docs/codes.md anew");
    }
}

const HEAD: &str = "\
# Codes of diagnostics

Each message of `gdlr` about a text has a code, which stays the same from version to version. This page has all of them,
each with its meaning, an input that shows it, and how to mend it. `gdlr explain-code E020` prints one of them,
`gdlr explain-code E` lists a family, `gdlr explain-code` lists all.

An input is as short as can be, and may have other defects, too. Save it in a file and check that: `gdlr check FILE`, and
`gdlr rg check FILE`, `gdlr hrg check FILE`, `gdlr rbg check FILE` or `gdlr abg check FILE` where the language is one of
automata. An input that is a command runs in a shell. The tests run each input, and each mended input that is shown.

";
