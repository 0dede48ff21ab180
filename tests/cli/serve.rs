//! `gdlr serve`: a player in a process of its own.

use super::*;
use std::io::{BufRead, BufReader, Read};
use std::net::TcpStream;

/// The answer to a message.
fn say(port: &str, message: &str) -> String {
    let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).expect("it listens");
    let length = message.len();
    write!(stream, "POST / HTTP/1.0\r\nContent-Length: {length}\r\n\r\n{message}").unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    response.split_once("\r\n\r\n").expect("a body").1.to_owned()
}

#[cfg(unix)]
#[test]
fn plays_until_it_is_interrupted() {
    let arguments = ["serve", "--port", "0", "--name", "dice", "--player", "random"];
    let mut child = gdlr(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut port = String::new();
    BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut port).unwrap();
    let port = port.trim();
    assert_eq!(say(port, "(INFO)"), "((name dice) (status available))");
    let rules = "(role A) (init (at 0)) (legal A Go) (<= (next (at 1)) (does A Go))
        (<= terminal (true (at 1))) (goal A 70)";
    assert_eq!(say(port, &format!("(START m1 a ({rules}) 10 10)")), "READY");
    assert_eq!(say(port, "(PLAY m1 NIL)"), "Go");
    assert_eq!(say(port, "(STOP m1 (GO))"), "DONE");
    // The line of a match is written when its thread comes to it.
    std::thread::sleep(Duration::from_millis(1000));
    Command::new("kill").args(["-INT", &child.id().to_string()]).assert().success();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    let expected = format!(
        "dice listens at http://127.0.0.1:{port}\n\
         m1: begins as A, 6 rules, clocks of 10 s and 10 s\n\
         m1: over as A after 1 turn, goal 70\n"
    );
    assert_eq!(stderr(&output), expected);
}

#[cfg(unix)]
#[test]
fn answers_the_calls_of_a_manager_in_a_browser() {
    let arguments = ["serve", "--dialect", "gamemaster", "--port", "0", "--name", "dice"];
    let mut child = gdlr(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut port = String::new();
    BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut port).unwrap();
    let port = port.trim();
    assert_eq!(say(port, "message(1,manager,dice,ping())"), "message(1,dice,manager,ready)");
    let wrong = "a message is message(NUMBER,MANAGER,PLAYER,CALL), such as \
                 message(1,manager,gdlr,ping())";
    assert_eq!(say(port, "(INFO)"), wrong);
    Command::new("kill").args(["-INT", &child.id().to_string()]).assert().success();
    let output = child.wait_with_output().unwrap();
    let expected = format!(
        "dice listens at http://127.0.0.1:{port}\n\
         its page for the site of the manager is http://127.0.0.1:{port}/player.html\n\
         {wrong}\n"
    );
    assert_eq!(stderr(&output), expected);
}

#[test]
fn says_why_it_cannot_listen() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let said = refused(&["serve", "--port", &port], b"");
    assert!(said.contains(&format!("cannot listen at 127.0.0.1:{port}: port {port} is in use")));
    assert!(said.contains("--port 0"), "{said}");
    let said = refused(&["serve", "--bind", "192.0.2.1"], b"");
    assert!(said.contains("no such address") && said.contains("--bind 0.0.0.0"), "{said}");
    assert!(refused(&["serve", "--name", "two words"], b"").contains("one word"));
    assert!(refused(&["serve", "--bind", "nowhere"], b"").contains("nowhere"));
}
