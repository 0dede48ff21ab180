//! Bad input, end to end: whatever a rulesheet is, `gdlr` says what is wrong with it and ends
//! with the right status, within seconds. It never panics, overflows the machine's stack,
//! eats up the memory or hangs.

mod rulesheets;

use assert_cmd::cargo::cargo_bin;
use std::fmt::Write as _;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How long a command may take. It should be seconds; the tests may run on a busy machine,
/// many at a time.
const PATIENCE: Duration = Duration::from_secs(120);

/// The largest rulesheet.
const LARGEST: usize = 16 << 20;

/// A game of one move, to add trouble to.
const SMALL: &str = "(role r) (init (s 0)) (legal r go) (<= (next (s 1)) (does r go))
    (<= terminal (true (s 1))) (<= (goal r 100) (true (s 1)))\n";

/// Runs a command on a text and gives its status and what it said.
fn run(arguments: &[&str], input: &[u8]) -> (i32, String) {
    let start = Instant::now();
    let mut child = Command::new(cargo_bin!("gdlr"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    // A command that has read enough closes the pipe.
    let _ = child.stdin.take().expect("a pipe").write_all(input);
    let output = child.wait_with_output().expect("the command ends");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let status = output.status.code().unwrap_or_else(|| panic!("ended by a signal: {said}"));
    assert!(!said.contains("panicked"), "{said}");
    assert_ne!(status, 101, "{said}");
    assert!(start.elapsed() < PATIENCE, "{:?}", start.elapsed());
    (status, said)
}

/// Plays once. Grounding gives up early: what cannot be grounded is then left to the trees.
fn play(text: impl AsRef<[u8]>) -> (i32, String) {
    let once = ["play", "-", "--flatmc", "--playouts", "1", "--max-steps", "100"];
    run(&[&once[..], &["--set-up-time", "3"]].concat(), text.as_ref())
}

/// Asserts that playing ends with a status and says something.
#[track_caller]
fn ends(text: impl AsRef<[u8]>, status: i32, what: &str) {
    let (found, said) = play(text);
    assert_eq!(found, status, "{said}");
    assert!(said.contains(what), "{said}");
}

/// A text made of one piece for each number.
fn many(count: usize, mut piece: impl FnMut(&mut String, usize)) -> String {
    let mut text = String::new();
    (0..count).for_each(|number| piece(&mut text, number));
    text
}

macro_rules! many {
    ($count:expr, $($format:tt)*) => {
        many($count, |text, i| { let _ = i; write!(text, $($format)*, i = i).expect("a string") })
    };
}

mod text {
    use super::*;

    /// Bytes that are random but the same every time.
    fn random_bytes(count: usize, alphabet: &[u8]) -> Vec<u8> {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut next = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 24) as usize
        };
        (0..count)
            .map(|_| match alphabet {
                [] => next() as u8,
                _ => alphabet[next() % alphabet.len()],
            })
            .collect()
    }

    #[test]
    fn random() {
        for command in [&["check", "-"][..], &["fmt", "-"], &["info", "-"], &["tree", "-"]] {
            for alphabet in [&b""[..], b"()?abc; \n<=", b"()()() ab", b"a(b),XY \n:-&|~._\"%"] {
                let (status, said) = run(command, &random_bytes(100_000, alphabet));
                let expected = if command[0] == "check" { 1 } else { 2 };
                assert_eq!(status, expected, "{command:?}: {said}");
                assert!(said.contains("error"), "{said}");
            }
        }
    }

    #[test]
    fn brackets() {
        ends("(".repeat(100_000), 2, "K001");
        ends(")".repeat(100_000), 2, "K002");
        ends("()".repeat(50_000), 2, "G002");
        ends("(".repeat(50_000) + &")".repeat(50_000), 2, "K003");
        ends("p(".repeat(100_000), 2, "K003");
        ends("p(".repeat(50_000) + &")".repeat(50_000), 2, "K003");
        ends("role(x) ".to_owned() + &")".repeat(100_000), 2, "K002");
        ends("role(x) ".to_owned() + &"(".repeat(100_000), 2, "K007");
        ends("p :- ".to_owned() + &"~".repeat(100_000), 2, "K003");
        ends("p :- ".to_owned() + &"(".repeat(100_000), 2, "K003");
    }

    #[test]
    fn nothing() {
        ends("", 2, "E001");
        ends(";", 2, "E001");
    }

    #[test]
    fn as_large_as_can_be() {
        ends("a ".repeat(LARGEST / 2), 2, "K004");
        ends(format!("(p {})", "a ".repeat(LARGEST / 2 - 4)), 2, "K004");
        ends(many!(1_000_000, "(p a{i})"), 2, "K004");
        ends(many!(400_000, "(<= (p{i} ?x) (q{i} ?x))"), 2, "K004");
        ends(vec![b'a'; LARGEST], 2, "E001");
        ends("role(x)".to_owned() + &" a".repeat(LARGEST / 2 - 4), 2, "K004");
        ends("role(x)".to_owned() + &"\"!?,".repeat(LARGEST / 4 - 2), 2, "K00");
        ends(SMALL.to_owned() + &"; x\n".repeat(LARGEST / 4 - 100), 0, "");
        ends(vec![b' '; LARGEST + 1], 2, "16 MiB");
    }

    #[test]
    fn symbols() {
        ends(SMALL.to_owned() + &many!(70_000, "(p {i})"), 2, "G001");
    }

    /// Rulesheets cut anywhere are never taken for whole.
    #[test]
    fn truncated() {
        let public = rulesheets::corpus().map(|folder| rulesheets::files(&folder, "kif"));
        // The large folder is sampled: a process for each takes its time.
        let public = public.into_iter().flatten().map(|path| (path, true));
        let own = rulesheets::own().into_iter().map(|path| (path, false));
        let mut count = 0;
        for (path, sampled) in own.chain(public) {
            let bytes = std::fs::read(&path).expect("a rulesheet");
            let cuts = if sampled { vec![count % 7 + 1] } else { vec![1, 3, 6] };
            for eighth in cuts {
                let cut = &bytes[..bytes.len() * eighth / 8];
                let (status, said) = run(&["check", "-"], cut);
                assert!(status <= 1, "{}: {said}", path.display());
                let (status, said) = play(cut);
                assert!(status <= 3, "{}: {said}", path.display());
                assert!(status == 0 || said.contains("error"), "{}: {said}", path.display());
            }
            count += 1;
        }
        assert!(count >= 14);
    }
}

mod rules {
    use super::*;

    #[test]
    fn no_roles() {
        ends("(init (s 0)) (legal r go) (<= terminal (true (s 1))) (goal r 100)", 2, "E001");
    }

    #[test]
    fn roles_without_number() {
        let others = "(<= (legal ?r go) (role ?r)) (<= terminal (true x)) (goal r0 0)";
        ends(many!(60_000, "(role r{i})") + others, 2, "K004");
    }

    #[test]
    fn no_end() {
        let endless = "(role r) (init (s 0)) (legal r go) (<= (next (s ?x)) (true (s ?x)))
            (<= terminal (true (s 1))) (goal r 100)";
        ends(endless, 3, "--max-steps");
    }

    #[test]
    fn terms_that_grow() {
        let growing = "(role r) (init (s 0)) (legal r go)
            (<= (next (s (f ?x))) (true (s ?x))) (<= terminal (true (s 1))) (goal r 100)";
        ends(growing, 2, "(<= (next (s (f ?x))) (true (s ?x)))");
        ends(growing, 2, "E017");
        // These are finite, but too large to write down.
        let doubling = many(40, |text, i| {
            write!(text, "(<= (w{} (f ?x ?x)) (w{i} ?x))", i + 1).expect("a string");
        });
        ends(format!("{SMALL} (w0 1) {doubling} (<= (goal r 50) (w40 ?x))"), 2, "E017");
    }

    #[test]
    fn variables() {
        let q = "(q 1) (<= (goal r 50) (p 2))";
        let of_conditions =
            |count: usize| format!("{SMALL} (<= (p ?0) {}) {q}", many!(count, "(q ?{i})"));
        ends(of_conditions(20_000), 0, "");
        ends(of_conditions(66_000), 2, "G001");
        let one = format!("{SMALL} (<= (p ?0) (o {})) {q}", many!(60_000, "?{i} "));
        ends(format!("{one} (o {})", "1 ".repeat(60_000)), 0, "");
    }

    #[test]
    fn arguments() {
        ends(format!("{SMALL} (p {})", "1 ".repeat(65_536)), 2, "K004");
        ends(format!("{SMALL} (p (f {}))", "1 ".repeat(65_536)), 2, "K004");
        let terms = "(f 1 2 3 4 5 6 7 8) ".repeat(10_000);
        ends(format!("{SMALL} (p {terms}) (<= (goal r 50) (p {terms}) (true x))"), 2, "K004");
    }

    #[test]
    fn conditions() {
        let facts = many!(20_000, "(q {i})");
        let goal = "(<= (goal r 50) p (true x))";
        for conditions in [
            many!(20_000, "(q {i})"),
            many!(20_000, "(true (q {i}))"),
            many!(20_000, "(not (q x{i}))"),
            format!("(or {})", many!(20_000, "(q {i})")),
            many!(4_000, "(or (q {i}) (q x{i}))"),
            many!(4_000, "(q ?x{i}) (distinct ?x{i} 1)").replace("(q ?", "(one ?"),
        ] {
            ends(format!("{SMALL} (one 1) {facts} (<= p {conditions}) {goal}"), 0, "");
        }
    }

    #[test]
    fn alternatives_that_multiply() {
        let alternatives = many!(40, "(or (q ?x{i}) (p ?x{i}))");
        let head = many!(40, "?x{i} ");
        ends(format!("{SMALL} (q 1) (p 2) (<= (w {head}) {alternatives})"), 2, "K004");
        let fluents = many!(2_000, "(init (f{i} 1))");
        let pairs = "(<= (w ?x ?y) (true ?x) (true ?y)) (<= (goal r 50) (w (f1 1) (f2 2)))";
        ends(format!("{SMALL} {fluents} {pairs}"), 2, "K004");
    }

    #[test]
    fn nesting() {
        for (open, close) in [("(or (q 1) ", ")"), ("(not ", ")"), ("(not (or (q 1) ", "))")] {
            let depth = 240 / close.len();
            let nest = open.repeat(depth) + "(q 2)" + &close.repeat(depth);
            ends(format!("{SMALL} (q 1) (<= p {nest}) (<= (goal r 50) p (true x))"), 0, "");
        }
        let term = "(f ".repeat(240) + "1" + &")".repeat(240);
        ends(format!("{SMALL} (p {term}) (<= (goal r 50) (p ?x) (true x))"), 0, "");
        // A recursion that nests as deep as it has facts, and no deeper.
        let ends_by_its_facts = "(p 0 0) (q 0) (<= (p ?x (f ?x)) (p ?y ?x) (q ?y))
            (<= (goal r 50) (p (f 0) (f (f 0))) (true x))";
        ends(format!("{SMALL} {ends_by_its_facts}"), 0, "");
    }

    /// Long chains and long bodies are grounded, within the time that there is for it.
    #[test]
    fn grounded() {
        const LENGTH: usize = 20_000;
        let chain = many(LENGTH, |text, i| {
            write!(text, "(<= (p{} ?x) (p{i} ?x) (distinct ?x a))", i + 1).expect("a string");
        });
        let ends = format!("(<= (p0 ?x) (true (s ?x))) (<= (next (s ?x)) (p{LENGTH} ?x))");
        let facts = many!(3_000, "(init (q {i})) (<= (next (q {i})) (true (q {i})) (does r go))");
        let body = many!(3_000, "(true (q {i}))");
        for text in [
            format!("{SMALL} {chain} {ends}"),
            format!("{SMALL} {facts} (<= p {body}) (<= (goal r 50) p)"),
        ] {
            let (status, said) = run(&["ground", "-"], text.as_bytes());
            assert_eq!(status, 0, "{said}");
        }
    }

    /// Long chains of relations do not overflow the machine's stack. Those that depend on moves
    /// too early have second names, and twice as many names must fit.
    #[test]
    fn chains() {
        const LENGTH: usize = 30_000;
        let goal = format!("(<= (goal r 50) (p{LENGTH} x))");
        for (start, condition) in [
            ("(<= (p0 ?x) (true (s ?x)))", "(p# ?x)"),
            ("(<= (p0 ?x) (true (s ?x)))", "(p# ?x) (distinct ?x a)"),
            ("(<= (p0 ?x) (true (s ?x)))", "(true (s ?x)) (not (p# ?x))"),
            // Goals must not depend on moves, but that is no reason to fall over.
            ("(<= (p0 ?x) (does r ?x))", "(p# ?x) (distinct ?x a)"),
            ("(p0 1)", "(p# ?x) (distinct ?x a)"),
        ] {
            let chain = many(LENGTH, |text, i| {
                let condition = condition.replace('#', &i.to_string());
                write!(text, "(<= (p{} ?x) {condition})", i + 1).expect("a string");
            });
            ends(format!("{SMALL} {start} {chain} {goal}"), 0, "");
        }
    }
}

/// Rules that combine everything with everything.
mod products {
    use super::*;

    fn numbers(count: usize) -> String {
        many!(count, "(n {i})")
    }

    #[test]
    fn of_legal_moves() {
        let rule = "(<= (legal r (m ?x ?y ?z)) (n ?x) (n ?y) (n ?z))";
        let (status, said) = play(format!("{SMALL} {} {rule}", numbers(1_000)));
        assert_eq!(status, 3, "{said}");
        assert!(said.contains("S005") && said.contains(rule), "{said}");
    }

    #[test]
    fn of_the_next_state() {
        let rule = "(<= (next (c ?x ?y ?z)) (n ?x) (n ?y) (n ?z) (true (s 0)))";
        ends(format!("{SMALL} {} {rule}", numbers(1_000)), 3, "S005");
    }

    #[test]
    fn of_the_initial_state() {
        let rule = "(<= (init (c ?x ?y ?z)) (n ?x) (n ?y) (n ?z))";
        ends(format!("{SMALL} {} {rule}", numbers(1_000)), 3, "S005");
        // A large one is not taken for an empty one.
        let text = format!(
            "{SMALL} {} {rule} (<= (goal r 50) (true (s 1)) (true (c 7 7 7)))",
            numbers(80)
        );
        ends(text.replace("(next (s 1))", "(next ?f)").replace("(does r go)", "(true ?f)"), 3, "");
    }

    #[test]
    fn of_rows_that_are_thrown_away() {
        let rule = "(<= (goal r 50) (true (s ?w)) (n ?x) (n ?y) (n ?z)
            (distinct ?x ?y) (distinct ?y ?z) (p ?x ?y ?z))
            (<= (p ?x ?y ?z) (n ?x) (n ?y) (n ?z) (not (n x)) (distinct ?x ?z) (true (s 5)))";
        let (status, said) = play(format!("{SMALL} {} {rule}", numbers(1_000)));
        assert!(status == 3 || status == 0, "{said}");
    }

    #[test]
    fn of_a_closure() {
        let edges = many(3_000, |text, i| write!(text, "(init (e {i} {}))", i + 1).unwrap());
        let rules = "(<= (t ?x ?y) (true (e ?x ?y))) (<= (t ?x ?z) (t ?x ?y) (t ?y ?z))
            (<= terminal (t 0 ?x) (true (far ?x)))";
        let (status, said) = play(format!("{SMALL} {edges} (init (far x)) {rules}"));
        assert!(status == 0 || status == 3 && said.contains("S005"), "{said}");
    }

    /// A long chain of relations that are too large to compute is asked link by link.
    #[test]
    fn at_the_end_of_a_chain() {
        let chain = many(20_000, |text, i| {
            write!(text, "(<= (p{} ?x ?y ?z) (p{i} ?x ?y ?z) (distinct ?x a))", i + 1).unwrap();
        });
        let rules = "(<= (p0 ?x ?y ?z) (n ?x) (n ?y) (n ?z))
            (<= (goal r 50) (true x) (p20000 1 2 3))";
        let (status, said) = play(format!("{SMALL} {} {rules} {chain}", numbers(1_000)));
        assert!(status == 0 || status == 3 && said.contains("S005"), "{status} {said}");
    }

    /// Every command says so.
    #[test]
    fn in_every_command() {
        let rule = "(<= (legal r (m ?x ?y ?z)) (n ?x) (n ?y) (n ?z))";
        let text = format!("{SMALL} {} {rule}", numbers(1_000));
        let perft = ["perft", "-", "1", "--set-up-time", "3"];
        for command in [&perft[..], &["check", "-", "--simulate", "1"]] {
            let (status, said) = run(command, text.as_bytes());
            assert_eq!(status, 3, "{said}");
            assert!(said.contains("S005"), "{said}");
        }
    }
}
