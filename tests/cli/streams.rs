//! Standard output and error, pipes, interruption.

use super::*;

#[test]
fn nothing_is_coloured_off_a_terminal() {
    for no_color in [None, Some("1")] {
        let mut command = gdlr(&["check", "missing.kif", "-", "tictactoe"]);
        if let Some(value) = no_color {
            command.env("NO_COLOR", value);
        }
        let output = command.output().unwrap();
        assert!(!output.stdout.contains(&0x1b) && !output.stderr.contains(&0x1b));
    }
}

#[test]
fn a_broken_pipe_ends_quietly() {
    let mut child = gdlr(&["completions", "bash"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(stderr(&output), "");
    assert_eq!(status(&output), 0);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let full = std::fs::File::create("/dev/full").unwrap();
    let output = gdlr(&["games"]).stdout(full).output().unwrap();
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("cannot write to standard output"));
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_comparison() {
    let child = gdlr(&["crosscheck", "tictactoe", "--playouts", "1000000000", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    Command::new("kill").args(["-INT", &child.id().to_string()]).assert().success();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    let value = json(&output);
    assert_eq!((&value["interrupted"], &value["agrees"]), (&true.into(), &true.into()));
    assert!(stderr(&output).contains("the rest was not compared"));
}

#[cfg(unix)]
#[test]
fn an_interrupt_prints_the_result_so_far() {
    let start = Instant::now();
    let child = gdlr(&["play", "tictactoe", "--flatmc", "--time", "300", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    Command::new("kill").args(["-INT", &child.id().to_string()]).assert().success();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    let value = json(&output);
    assert_eq!(value["interrupted"], true);
    assert!(value["playouts"].as_u64().unwrap() > 0);
    assert!(start.elapsed() < Duration::from_secs(60));
}
