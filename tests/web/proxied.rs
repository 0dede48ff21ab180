//! Behind a proxy: the path of the page, streams that are not held back, and the end.

use super::serving::{Serving, legal, options};
use gdlr::web::Options;
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// A service that a proxy shows at this address.
fn shown_at(url: &str) -> Serving {
    let public = Some(url.parse().expect("a public address"));
    Serving::new(Options { public, ..options() })
}

/// The head of the answer to a GET, in small letters.
fn head(serving: &Serving, path: &str) -> String {
    let mut stream = TcpStream::connect(serving.address).expect("somebody listens");
    let request =
        format!("GET {path} HTTP/1.1\r\nHost: games.example\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("a request");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer.split("\r\n\r\n").next().expect("a head").to_lowercase()
}

#[test]
fn the_page_is_found_with_its_path_and_without() {
    let serving = shown_at("https://games.example/play/");
    for path in ["/play/", "/", "/play/api.js", "/api.js", "/play/api/games", "/api/games"] {
        assert!(head(&serving, path).starts_with("http/1.1 200 "), "{path}");
    }
    let bare = head(&serving, "/play?game=nim");
    assert!(bare.starts_with("http/1.1 307 "), "{bare}");
    assert!(bare.contains("\nlocation: /play/?game=nim\r"), "{bare}");
    for path in ["/player/", "/play/play/", "/play/nothing"] {
        assert!(head(&serving, path).starts_with("http/1.1 404 "), "{path}");
    }
}

#[test]
fn streams_ask_not_to_be_held_back_and_end_with_the_service() {
    let serving = Serving::plain();
    let begun = serving.open(&json!({ "game": "tictactoe" }));
    let mut stream = TcpStream::connect(serving.address).expect("somebody listens");
    let path = format!("/api/matches/{}/events", begun.id);
    write!(stream, "GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("a request");
    let mut read = String::new();
    let mut bytes = [0; 4096];
    while !read.contains("event: match") {
        let count = stream.read(&mut bytes).expect("an event");
        read += &String::from_utf8_lossy(&bytes[..count]);
    }
    assert!(read.to_lowercase().contains("\nx-accel-buffering: no\r"), "{read}");
    assert!(!legal(&begun.state("now").1, "crosses").is_empty());
    // One that is open, and one that says nothing, are not waited for.
    let _silent = TcpStream::connect(serving.address).expect("somebody listens");
    let start = Instant::now();
    drop(serving);
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    let mut rest = Vec::new();
    stream.read_to_end(&mut rest).expect("the end of the stream");
}
