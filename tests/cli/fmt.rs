//! `gdlr fmt`.

use super::*;

#[test]
fn to_standard_output_and_back() {
    let once = output_with(&["fmt", "-"], b"; a game\n(role   a)(<= terminal (p ?x)\n(q ?x))");
    assert_eq!(status(&once), 0);
    assert!(stdout(&once).contains("; a game\n"));
    let twice = output_with(&["fmt", "-"], &once.stdout);
    assert_eq!(stdout(&once), stdout(&twice));
    assert_eq!(status(&output_with(&["fmt", "--check", "-"], &once.stdout)), 0);
}

#[test]
fn check_and_write() {
    let game = file("layout.kif", b"(role   a)");
    let checked = output(&["fmt", "--check", &game]);
    assert_eq!((status(&checked), stdout(&checked)), (1, ""));
    assert_eq!(done(&["fmt", "--write", &game]), "");
    assert_eq!(std::fs::read_to_string(&game).unwrap(), "(role a)\n");
    assert_eq!(status(&output(&["fmt", "--check", &game])), 0);
    let left: Vec<_> = std::fs::read_dir(env!("CARGO_TARGET_TMPDIR"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with("layout.kif."))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn what_cannot_be_written_is_refused() {
    assert!(refused(&["fmt", "--write", "-"], b"(role a)").contains("no file to write to"));
    refused(&["fmt", "--write", "tictactoe"], b"");
    let game = file("broken_layout.kif", b"(role a");
    refused(&["fmt", "--write", &game], b"");
    assert_eq!(std::fs::read_to_string(&game).unwrap(), "(role a");
}

#[test]
fn to_the_other_notation_and_back() {
    let kif = done(&["fmt", TICTACTOE]).to_owned();
    let infix = done(&["fmt", "--to", "infix", TICTACTOE]).to_owned();
    assert!(
        infix.contains("\nlegal(Player,wait) :-\n    role(Player) &\n    ~true(turn(Player))\n")
    );
    let game = file("tictactoe_infix.kif", infix.as_bytes());
    assert_eq!(done(&["fmt", &game]), infix, "the notation of the file");
    assert_eq!(done(&["fmt", "--to", "kif", &game]), kif);
    assert_eq!(status(&output(&["fmt", "--check", &game])), 0);
    assert_eq!(status(&output(&["fmt", "--check", "--to", "kif", &game])), 1);
    assert_eq!(done(&["fmt", "--write", "--to", "kif", &game]), "");
    assert_eq!(std::fs::read_to_string(&game).unwrap(), kif);
}

/// Other programs that read infix notation know one mark of comments only.
#[test]
fn comments_keep_their_marks_in_their_notation() {
    let text = "; one\nrole(a) % two\n";
    assert_eq!(stdout(&output_with(&["fmt", "-"], text.as_bytes())), text);
    let kif = output_with(&["fmt", "--to", "kif", "-"], text.as_bytes());
    assert_eq!(stdout(&kif), "; one\n(role a) ; two\n");
    let infix = output_with(&["fmt", "--to", "infix", "-"], &kif.stdout);
    assert_eq!(stdout(&infix), "% one\nrole(a) % two\n");
}

#[test]
fn what_infix_notation_cannot_write_has_its_place() {
    let said = refused(&["fmt", "--to", "infix", "-"], b"(role a)\n(p (q a\"b))\n(() x)");
    assert!(said.contains("error[K011]: the name `a\"b` cannot"), "{said}");
    assert!(said.contains("<stdin>:2:7") && said.contains("<stdin>:3:1"), "{said}");
}

#[test]
fn under_names_that_say_nothing() {
    let first = done(&["fmt", "tictactoe", "--obfuscate", "1"]);
    assert!(first.starts_with("(role todofi)\n(role zidave)\n"), "{first}");
    assert!(!first.contains("cell") && first.contains("(goal "), "{first}");
    assert_eq!(first, done(&["fmt", "tictactoe", "--obfuscate", "1"]));
    assert_ne!(first, done(&["fmt", "tictactoe", "--obfuscate", "2"]));
    // In infix notation too, and case as it is read.
    let infix = output_with(&["fmt", "--obfuscate", "1", "-"], b"% a\nrole(white) p(X) :- q(X)");
    assert_eq!(stdout(&infix), "role(todofi)\nzidave(X1) :-\n    dedani(X1)\n");
    let folded = |more: &[&str]| {
        let command = [&["fmt", "-", "--obfuscate", "1"], more].concat();
        stdout(&output_with(&command, b"(role a) (role A)")).to_owned()
    };
    assert_eq!(folded(&[]), "(role todofi)\n(role todofi)\n");
    assert_eq!(folded(&["--case-sensitive"]), "(role todofi)\n(role zidave)\n");
}

#[test]
fn obfuscation_never_takes_the_place_of_a_file() {
    let game = file("not_obfuscated.kif", b"(role a)\n");
    for other in ["--write", "--check"] {
        refused(&["fmt", "--obfuscate", "1", other, &game], b"");
    }
    assert!(refused(&["fmt", "--obfuscate", "1", "-"], b"(role)").contains("error[G"));
    assert_eq!(std::fs::read_to_string(&game).unwrap(), "(role a)\n");
}

#[test]
fn operations_are_laid_out_and_written() {
    let sheet =
        file("light.epilog", b"role(you) init(control(you))\nlegal(go):-~lit. go::lit % on");
    let laid_out = "role(you)\ninit(control(you))\nlegal(go) :-\n    ~lit\ngo :: lit % on\n";
    assert_eq!(done(&["fmt", &sheet]), laid_out);
    assert_eq!(done(&["fmt", "--write", &sheet]), "");
    assert_eq!(done(&["fmt", "--check", &sheet]), "");
    // What an effect cannot be does not keep it from being laid out.
    let odd = output_with(&["fmt", "-"], b"legal(go)\ngo :: distinct(a,b)");
    assert_eq!((status(&odd), stdout(&odd)), (0, "legal(go)\ngo :: distinct(a,b)\n"));

    let written = done(&["fmt", "--to", "operations", "tictactoe"]);
    assert!(written.contains("sign(X,Y) :: control(Player) ==> signed(X,Y,Player)\n"), "{written}");
    let game = file("written.epilog", written.as_bytes());
    assert_eq!(done(&["fmt", "--check", &game]), "");
    let counts = |game: &str| json(&output(&["perft", game, "5", "--json"]))["counts"].clone();
    assert_eq!(counts(&game), counts("tictactoe"));

    let said = refused(&["fmt", "--to", "operations", "rock_paper_scissors"], b"");
    assert!(said.contains("[K024]") && said.contains("(<= (legal ?player (show ?hand))"), "{said}");
    let said = refused(&["fmt", "-"], b"legal(go)\ngo :: lit &");
    assert!(said.contains("[K019]"), "{said}");
    refused(&["fmt", "-"], b"legal(go) % \xff");
}
