//! The primer and the tutorials: their games, their players, and what their commands print.

use super::*;
use std::path::Path;

/// An example is a program: nothing here calls its `main`.
#[path = "../../examples/playouts.rs"]
#[allow(dead_code)]
mod playouts;

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The texts between fences of a language in a page.
fn fenced<'p>(page: &'p str, language: &str) -> Vec<&'p str> {
    let open = format!("```{language}\n");
    page.split(&*open).skip(1).map(|rest| rest.split("```").next().expect("an end")).collect()
}

/// A page that builds a game part by part has all of it, in order.
#[test]
fn games_stand_in_their_pages() {
    for (page, rules) in [("primer", "sticks"), ("tutorial-game", "hexapawn")] {
        let parts = read(&format!("docs/{page}.md"));
        let path = format!("docs/tutorial/{rules}.kif");
        assert_eq!(fenced(&parts, "lisp").join("\n"), read(&path), "docs/{page}.md");
        done(&["check", "--strict", "--simulate", "200", &path]);
        done(&["fmt", "--check", &path]);
    }
}

/// The output of a command in the folder of the project: the results but for the time that they
/// took, and of `gdlr check` the diagnostics before them.
#[cfg(unix)]
fn shown(command: &str) -> String {
    let folder = cargo_bin!("gdlr").parent().expect("a folder").to_str().expect("UTF-8");
    let path = std::env::var("PATH").expect("a path of commands");
    let output = Command::new("sh")
        .args(["-c", command])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("PATH", format!("{folder}:{path}"))
        .env("COLUMNS", "80")
        .stdin(Stdio::null())
        .output()
        .expect("a shell");
    assert!(status(&output) <= 1, "{command}: {}", stderr(&output));
    let said = if command.contains("gdlr check") { stderr(&output) } else { "" };
    let is_time = |line: &str| line.strip_suffix(" s").is_some_and(|it| it.parse::<f64>().is_ok());
    let results: String = stdout(&output)
        .lines()
        .filter(|line| !is_time(line))
        .map(|line| format!("{line}\n"))
        .collect();
    format!("{said}{}\n", results.trim_end())
}

/// The commands of each page print what stands there; `GDLR_UPDATE_DOCS=1` writes it anew.
#[cfg(unix)]
#[test]
fn pages_show_what_is_printed() {
    for page in [
        "README.md",
        "docs/primer.md",
        "docs/tutorial-game.md",
        "docs/tutorial-player.md",
        "docs/figures.md",
    ] {
        let old = read(page);
        let mut blocks = old.split("```console\n");
        let mut new = blocks.next().expect("a page").to_owned();
        for block in blocks {
            let (example, rest) = block.split_once("```\n").expect("the end of an example");
            new += "```console\n";
            for line in example.lines().filter(|line| line.starts_with("$ ")) {
                new += &format!("{line}\n{}", shown(&line[2..]));
            }
            new += &format!("```\n{rest}");
        }
        if std::env::var_os("GDLR_UPDATE_DOCS").is_some() {
            std::fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join(page), new)
                .expect("a page that can be written");
        } else {
            assert_eq!(old, new, "{page}: GDLR_UPDATE_DOCS=1 writes the examples anew");
        }
    }
}

/// The picture of the tutorial is that of its command.
#[test]
fn the_picture_is_drawn() {
    let moves = "(move 2 1 2 2) (move 1 3 2 2)";
    let drawn = done(&["draw", "docs/tutorial/hexapawn.kif", "--after", moves]);
    assert_eq!(drawn, read("docs/pictures/hexapawn.svg"));
}

/// The tutorial quotes its player in full, and the player wins.
#[test]
fn the_player_stands_in_its_page_and_wins() {
    let example = read("examples/playouts.rs");
    let page = read("docs/tutorial-player.md");
    let parts = fenced(&page, "rust");
    assert!(parts.len() >= 3);
    let mut rest = &*example;
    for part in parts {
        let at = rest.find(part).unwrap_or_else(|| panic!("not in the example, in order:\n{part}"));
        rest = &rest[at + part.len()..];
    }
    let goals = playouts::goals("tictactoe", 10);
    let sum: u32 = goals.iter().map(|&goal| u32::from(goal)).sum();
    assert!(sum >= 800, "{goals:?}");
}
