//! Many matches and many requests at once.

use crate::serving::{LONG, Serving, legal, options};
use gdlr::web::Options;
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread;

#[test]
fn a_hundred_matches_are_played_at_once_and_one_more_is_refused() {
    let serving = Serving::plain();
    let wanted = json!({ "game": "tictactoe" });
    let matches: Vec<_> = (0..100).map(|_| serving.open(&wanted)).collect();
    let (status, refused) = serving.post("/api/matches", &wanted);
    assert_eq!((status, &refused["error"]["code"]), (429, &json!("busy")));
    thread::scope(|threads| {
        for some in matches.chunks(25) {
            threads.spawn(move || {
                for (number, played) in some.iter().enumerate() {
                    let moves = legal(&played.state("now?picture=no").1, "crosses");
                    played.follow(&[("crosses", &moves[number % moves.len()])]);
                }
            });
        }
    });
    assert!(matches.iter().all(|played| played.status()["step"] == 1));
    assert_eq!(matches[3].end(), 200);
    assert_eq!(serving.post("/api/matches", &wanted).0, 201);
}

#[test]
fn so_many_requests_at_once_are_all_answered() {
    let serving = Serving::new(Options { max_connections: 16, ..options() });
    let played = serving.open(&json!({ "game": "tictactoe" }));
    let asked = "GET /api/games HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    let answered: usize = thread::scope(|threads| {
        let asker = |_| {
            threads.spawn(|| {
                let answers = (0..100).filter(|_| {
                    let Ok(mut stream) = TcpStream::connect(serving.address) else { return false };
                    stream.set_read_timeout(Some(LONG)).expect("a timeout");
                    let mut text = String::new();
                    stream.write_all(asked.as_bytes()).is_ok()
                        && stream.read_to_string(&mut text).is_ok()
                        && text.starts_with("HTTP/1.1 200 ")
                });
                answers.count()
            })
        };
        let askers: Vec<_> = (0..100).map(asker).collect();
        // Meanwhile the match goes on.
        played.follow(&[("crosses", "(sign 1 1)"), ("noughts", "(sign 2 2)")]);
        askers.into_iter().map(|asker| asker.join().expect("no panic")).sum()
    });
    assert_eq!(answered, 10_000);
    assert_eq!(played.status()["step"], 2);
}
