//! `gdlr web`: where the page is, and what it takes to open it.

use super::*;
use std::io::{BufRead, BufReader, Read};
use std::net::TcpStream;

/// The output of a page that is started with these arguments, and ended by SIGTERM; and what `ask` made
/// of its port.
#[cfg(unix)]
fn said<T>(arguments: &[&str], ask: impl FnOnce(&str, &str) -> T) -> (String, T) {
    let mut command = gdlr(&[&["web", "--port", "0"], arguments].concat());
    command.env("GDLR_TEST_TOKEN", "0123456789abcdef").env_remove("GDLR_NO_TOKEN");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    let mut stderr = BufReader::new(child.stderr.take().expect("a pipe"));
    stderr.read_line(&mut line).unwrap();
    let mut port = String::new();
    BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut port).unwrap();
    let asked = ask(port.trim(), line.trim());
    Command::new("kill").args(["-TERM", &child.id().to_string()]).assert().success();
    stderr.read_to_string(&mut line).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0), "{line}");
    (line, asked)
}

/// The first line of the answer to a GET.
fn status(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("it listens");
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    response.lines().next().unwrap_or_default().to_owned()
}

#[cfg(unix)]
#[test]
fn an_address_that_can_be_opened_is_printed() {
    // At all addresses of the machine, of which 0.0.0.0 is none.
    let (_, opened) = said(&["--bind", "0.0.0.0"], |port, line| {
        let page = line.strip_prefix("the page is at http://").expect("an address");
        let (address, path) = page.split_once('/').expect("a path");
        assert!(address.ends_with(port) && !address.starts_with("0.0.0.0"), "{line}");
        assert!(path.starts_with("?token="), "{line}");
        [status(address, &format!("/{path}")), status(address, "/")]
    });
    assert_eq!(opened, ["HTTP/1.1 200 OK", "HTTP/1.1 401 Unauthorized"]);
    let (line, port) = said(
        &["--public-url", "https://Games.example/play", "--token", "env:GDLR_TEST_TOKEN"],
        |port, _| port.to_owned(),
    );
    let expected = format!(
        "the page is at https://games.example/play/?token=TOKEN\n\
         the proxy finds it at http://127.0.0.1:{port}/\nTOKEN is that of --token\n"
    );
    assert_eq!(line, expected);
}

#[cfg(unix)]
#[test]
fn a_page_that_others_reach_has_a_token() {
    let ask = |port: &str, _: &str| {
        let address = format!("127.0.0.1:{port}");
        ["/", "/?token=0123456789abcdef"].map(|path| status(&address, path)[9..12].to_owned())
    };
    let given = ["--token", "env:GDLR_TEST_TOKEN"];
    assert_eq!(said(&given, ask).1, ["401", "200"]);
    // Nobody else reaches these; the token that others would need is a random one.
    assert_eq!(said(&[], ask).1, ["200", "200"]);
    assert_eq!(said(&["--public-url", "http://localhost:81/a/"], ask).1, ["200", "200"]);
    assert_eq!(said(&["--public-url", "http://games.example"], ask).1, ["401", "401"]);
}

#[test]
fn says_why_there_is_no_page() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let said = refused(&["web", "--port", &port], b"");
    assert!(said.contains(&format!("port {port} is in use; take another")), "{said}");
    assert!(said.contains("--port 0"), "{said}");
    assert!(refused(&["web", "--token", "env:GDLR_NO_TOKEN"], b"").contains("GDLR_NO_TOKEN"));
    assert!(refused(&["web", "--public-url", "games.example"], b"").contains("https://HOST"));
    // A token is a secret, also one that cannot be.
    let said = refused(&["web", "--token", "se;cret"], b"");
    assert!(said.contains("letters") && !said.contains("cret"), "{said}");
}
