//! README and docs: each path, link, item, command and option that they name is there.

use super::*;
use hashbrown::HashMap;
use std::collections::BTreeSet;
use std::path::Path;

/// A text for people.
struct Document {
    path: PathBuf,
    text: String,
}

impl Document {
    fn folder(&self) -> &Path {
        self.path.parent().expect("a file is in a folder")
    }
}

/// All of them, but for the changelog, which also speaks of what is gone.
fn documents() -> Vec<Document> {
    let mut paths = vec![PathBuf::from("README.md"), PathBuf::from("CONTRIBUTING.md")];
    paths.extend(below("docs").into_iter().filter(|path| has_ending(path, "md")));
    for folder in ["src", "crates", "python", "fuzz"] {
        paths.extend(below(folder).into_iter().filter(|path| path.ends_with("README.md")));
    }
    let read = |path: PathBuf| Document { text: std::fs::read_to_string(&path).unwrap(), path };
    paths.into_iter().map(read).collect()
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|is| is == ending)
}

/// The files below a folder of the project. What is built stands in hidden folders, or `target`.
fn below(folder: impl AsRef<Path>) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut open = vec![folder.as_ref().to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            match path.is_dir() {
                true if name.starts_with('.') || name == "target" => {}
                true => open.push(path),
                false => files.push(path),
            }
        }
    }
    files
}

/// The words between backticks in lines that are no code, and the lines of code.
fn code(text: &str) -> (Vec<String>, Vec<String>) {
    let (mut spans, mut lines) = (Vec::new(), Vec::new());
    let mut prose = String::new();
    let mut fenced = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if fenced {
            lines.push(line.to_owned());
        } else {
            prose.push_str(line);
            prose.push('\n');
        }
    }
    for paragraph in prose.split("\n\n") {
        let words = paragraph.replace('\n', " ");
        spans.extend(words.split('`').skip(1).step_by(2).map(str::to_owned));
    }
    (spans, lines)
}

/// Folders of the project in which paths begin.
const FOLDERS: &[&str] = &[
    "crates", "src", "tests", "docs", "kif", "hrg", "rbg", "abg", "benches", "python", "fuzz",
    "examples",
];

#[test]
fn paths_are_there() {
    let sources: Vec<PathBuf> =
        FOLDERS.iter().filter(|folder| Path::new(folder).exists()).flat_map(below).collect();
    let ignored = std::fs::read_to_string(".gitignore").unwrap();
    let ignored: Vec<&str> = ignored.lines().map(|line| line.trim_start_matches('/')).collect();
    let mut missing = BTreeSet::new();
    for document in documents() {
        for span in code(&document.text).0 {
            let plain = span.chars().all(|c| c.is_ascii_alphanumeric() || "_-./".contains(c));
            let path = Path::new(span.trim_start_matches("../"));
            let first = path.iter().next().and_then(|first| first.to_str()).unwrap_or_default();
            let is_path = span.contains('/') && FOLDERS.contains(&first);
            // A file that git does not know is made by a command.
            let is_made = span.contains("/.") || ignored.iter().any(|line| span.starts_with(line));
            if !plain || is_made || !is_path && !has_ending(path, "rs") {
                continue;
            }
            let here = |root: &Path| root.join(path).exists();
            // Beside it, or in the crate that the text is about.
            let is_there = here(Path::new("")) || here(document.folder());
            let somewhere = || {
                let mut near = sources.iter().filter(|file| {
                    document.folder() == Path::new("docs") || file.starts_with(document.folder())
                });
                has_ending(path, "rs") && near.any(|file| file.ends_with(path))
            };
            if !is_there && !somewhere() {
                missing.insert(format!("{}: {span}", document.path.display()));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

/// The name by which a heading can be linked to.
fn anchor(heading: &str) -> String {
    let kept = heading.to_lowercase().replace(' ', "-");
    kept.chars().filter(|c| c.is_alphanumeric() || "-_".contains(*c)).collect()
}

#[test]
fn links_lead_somewhere() {
    let mut broken = BTreeSet::new();
    for document in documents() {
        let targets = document.text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for target in targets.filter(|target| !target.contains("://")) {
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let path = match file {
                "" => document.path.clone(),
                file => document.folder().join(file),
            };
            let is_there = path.exists()
                && (heading.is_empty()
                    || std::fs::read_to_string(&path).is_ok_and(|text| {
                        let headings = text.lines().filter(|line| line.starts_with('#'));
                        let mut names =
                            headings.map(|line| anchor(line.trim_start_matches('#').trim()));
                        names.any(|name| name == heading)
                    }));
            if !is_there {
                broken.insert(format!("{}: {target}", document.path.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn items_are_there() {
    let sources = ["crates", "src", "tests", "python/src"].into_iter().flat_map(below);
    let sources = sources.filter(|path| has_ending(path, "rs"));
    let text: String = sources.map(|path| std::fs::read_to_string(path).unwrap()).collect();
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let names: BTreeSet<&str> = text.split(|c| !is_name(c)).collect();
    let mut missing = BTreeSet::new();
    for document in documents() {
        for span in code(&document.text).0 {
            let is_item = span.contains("::") && span.chars().all(|c| is_name(c) || c == ':');
            let last = span.rsplit("::").next().unwrap_or_default();
            if is_item && !names.contains(last) {
                missing.insert(format!("{}: {span}", document.path.display()));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

/// Whoever searches the code for a word of the field finds it in the file that the glossary names.
#[test]
fn files_of_the_glossary_have_its_terms() {
    let page = std::fs::read_to_string("docs/glossary.md").unwrap();
    let rows = page.lines().filter(|line| line.starts_with("| ") && line.contains("](../"));
    let (mut terms, mut missing) = (0, BTreeSet::new());
    for row in rows {
        let (names, rest) = row.trim_start_matches("| ").split_once(" | ").unwrap();
        let names: Vec<String> = names.split(", ").map(str::to_lowercase).collect();
        terms += names.len();
        let files = rest.split("](../").skip(1).filter_map(|rest| rest.split(')').next());
        for file in files {
            // A term may stand on two lines of a comment.
            let text = std::fs::read_to_string(file).unwrap().to_lowercase();
            let lines = text.lines().map(|line| line.trim_start().trim_start_matches(['/', '!']));
            let text: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
            let text = text.join(" ");
            if !names.iter().any(|name| text.contains(&**name)) {
                missing.insert(format!("{file}: {}", names.join(", ")));
            }
        }
    }
    assert!(terms >= 60, "{terms}");
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn each_command_has_a_line() {
    let page = std::fs::read_to_string("docs/commands.md").unwrap();
    let lines: Vec<&str> = page.lines().filter(|line| line.starts_with("| `gdlr ")).collect();
    for command in COMMANDS {
        let told = lines.iter().any(|line| {
            let rest = line.trim_start_matches("| `gdlr ").strip_prefix(command);
            rest.is_some_and(|rest| rest.starts_with([' ', '`']))
        });
        assert!(told, "docs/commands.md has no line for `gdlr {command}`");
    }
}

#[test]
fn commands_and_options_are_there() {
    let mut helps: HashMap<Vec<String>, Option<String>> = HashMap::new();
    let mut unknown = BTreeSet::new();
    for document in documents() {
        let (spans, lines) = code(&document.text);
        for line in spans.iter().chain(&lines) {
            let command = line.trim_start().trim_start_matches("$ ");
            let Some(words) = command.strip_prefix("gdlr ") else { continue };
            // The words behind it belong to other programs.
            let words = words.split(['|', '>', ';', '#', '&']).next().unwrap_or_default();
            let mut words = words.split_whitespace().peekable();
            let mut path: Vec<String> = Vec::new();
            while let Some(word) =
                words.next_if(|word| word.chars().all(|c| c.is_ascii_lowercase() || c == '-'))
            {
                if word.starts_with('-') || path.len() == 2 {
                    break;
                }
                path.push(word.to_owned());
                if !["rg", "hrg", "rbg", "abg"].contains(&&*path[0]) {
                    break;
                }
            }
            let help = helps.entry(path.clone()).or_insert_with(|| {
                let arguments: Vec<&str> =
                    path.iter().map(String::as_str).chain(["--help"]).collect();
                let output = output(&arguments);
                (status(&output) == 0).then(|| stdout(&output).to_owned())
            });
            let Some(help) = help else {
                unknown.insert(format!("{}: {command}", document.path.display()));
                continue;
            };
            for word in words.filter(|word| word.starts_with("--") && word.len() > 2) {
                let option = word.split(['=', ',']).next().unwrap_or_default();
                let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-';
                let option = option.trim_end_matches(|c| !is_name(c));
                if !help.split(|c| !is_name(c)).any(|word| word == option) {
                    unknown.insert(format!("{}: {command}: {option}", document.path.display()));
                }
            }
        }
    }
    assert!(unknown.is_empty(), "{unknown:#?}");
}
