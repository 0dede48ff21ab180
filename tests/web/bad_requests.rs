//! Requests that are none, come from elsewhere, or ask for too much.

use crate::serving::{LONG, Serving, options, string};
use gdlr::budget::Budget;
use gdlr::web::Options;
use serde_json::json;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

/// The answer to these bytes.
fn answer(serving: &Serving, sent: &str) -> String {
    let mut stream = TcpStream::connect(serving.address).expect("somebody listens");
    stream.set_read_timeout(Some(LONG)).expect("a timeout");
    stream.write_all(sent.as_bytes()).expect("it is taken");
    let mut text = String::new();
    let _ = stream.read_to_string(&mut text);
    text
}

fn request(host: &str, more: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "POST /api/check HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{more}Content-Length: \
         {length}\r\n\r\n{body}"
    )
}

const JSON: &str = "Content-Type: application/json\r\n";
const GOOD: &str = "{\"text\": \"(role a)\"}";

fn is(status: u16, code: &str, answer: &str) {
    assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{answer}");
    assert!(answer.contains(&format!("\"code\":\"{code}\"")), "{answer}");
}

#[test]
fn requests_of_another_form_are_refused() {
    let serving = Serving::plain();
    assert!(answer(&serving, &request("localhost", JSON, GOOD)).starts_with("HTTP/1.1 200 "));
    is(400, "request", &answer(&serving, &request("localhost", "", GOOD)));
    let form = "Content-Type: text/plain\r\n";
    is(400, "request", &answer(&serving, &request("localhost", form, GOOD)));
    for body in ["", "{", "[]", "{\"text\": 1}", "{\"text\": \"\", \"more\": 1}", "\u{0}"] {
        is(400, "request", &answer(&serving, &request("localhost", JSON, body)));
    }
    let deep = "[".repeat(100_000);
    is(400, "request", &answer(&serving, &request("localhost", JSON, &deep)));
    assert!(answer(&serving, "nonsense\r\n\r\n").starts_with("HTTP/1.1 400 "));
    for (path, wanted) in [
        ("/api/matches", json!({})),
        ("/api/matches", json!({ "game": "tictactoe", "think": 0 })),
        ("/api/matches", json!({ "game": "tictactoe", "think": 1e9 })),
        ("/api/matches", json!({ "game": "tictactoe", "players": { "crosses": "deepblue" } })),
        ("/api/matches", json!({ "game": "tictactoe", "players": { "white": "uct" } })),
        ("/api/games", json!({})),
    ] {
        let (status, refused) = serving.post(path, &wanted);
        assert_eq!((status, &refused["error"]["code"]), (400, &json!("request")), "{wanted}");
    }
    let played = serving.open(&json!({ "game": "tictactoe" }));
    for wanted in [json!({ "role": "crosses" }), json!({ "role": "nobody", "move": "wait" })] {
        assert_eq!(played.ask("moves", &wanted).0, 400);
    }
    assert_eq!(played.state("-1").0, 404);
    assert_eq!(played.state("99999999999999999999999").0, 404);
    assert_eq!(played.state("now?as=nobody").0, 400);
    assert_eq!(serving.get("/api/check").0, 405);
    assert_eq!(serving.get("/nothing").0, 404);
}

#[test]
fn what_is_too_large_or_too_slow_is_refused() {
    let options = Options { max_bytes: 1000, patience: Duration::from_millis(300), ..options() };
    let serving = Serving::new(options);
    let large = format!("{{\"text\": \"{}\"}}", "x".repeat(2000));
    is(413, "large", &answer(&serving, &request("localhost", JSON, &large)));
    // Half a body, and then nothing.
    let half = request("localhost", JSON, GOOD);
    is(408, "slow", &answer(&serving, &half[..half.len() - 5]));
    // Half a head, and then nothing: the connection ends.
    assert!(!answer(&serving, "POST /api/check HTTP/1.1\r\nHost: lo").contains(" 200 "));
    // Half a body, and then the end.
    let mut stream = TcpStream::connect(serving.address).expect("somebody listens");
    stream.write_all(&half.as_bytes()[..half.len() - 5]).expect("it is taken");
    stream.shutdown(Shutdown::Both).expect("it is open");
    assert!(answer(&serving, &request("localhost", JSON, GOOD)).starts_with("HTTP/1.1 200 "));
}

#[test]
fn other_sites_get_nothing() {
    let serving = Serving::plain();
    is(403, "origin", &answer(&serving, &request("evil.example", JSON, GOOD)));
    let other = format!("{JSON}Origin: http://evil.example\r\n");
    is(403, "origin", &answer(&serving, &request("localhost", &other, GOOD)));
    let page = answer(&serving, "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    let head = page.split("\r\n\r\n").next().expect("a head").to_lowercase();
    assert!(head.contains("content-security-policy: default-src 'self'"), "{head}");
    assert!(head.contains("x-content-type-options: nosniff"), "{head}");
    assert!(!head.contains("access-control-allow-origin"), "{head}");
}

#[test]
fn where_there_is_a_token_each_request_brings_it() {
    let token = Some("5ec2e7".parse().expect("a token"));
    let serving = Serving::new(Options { token, ..options() });
    is(401, "token", &answer(&serving, &request("games.example", JSON, GOOD)));
    let bearer = format!("{JSON}Authorization: Bearer 5ec2e7\r\n");
    let good = answer(&serving, &request("games.example", &bearer, GOOD));
    assert!(good.starts_with("HTTP/1.1 200 "), "{good}");
    // The page keeps it.
    let page = "GET /?token=5ec2e7 HTTP/1.1\r\nHost: games.example\r\nConnection: close\r\n\r\n";
    let page = answer(&serving, page).to_lowercase();
    assert!(page.starts_with("http/1.1 200 "), "{page}");
    assert!(page.contains("set-cookie: gdlr-token=5ec2e7;"), "{page}");
    assert!(page.contains("httponly") && page.contains("samesite=strict"), "{page}");
}

#[test]
fn rules_that_take_too_long_are_stopped() {
    let budget = Budget { time: Duration::from_millis(300), memory: 64 << 20, interrupted: None };
    let serving = Serving::new(Options { budget, ..options() });
    // A number of thirty digits by two: a thousand million moves.
    let digits: String = (0..30).map(|at| format!(" ?d{at}")).collect();
    let each: String = (0..30).map(|at| format!(" (digit ?d{at})")).collect();
    let rules = format!(
        "(role a) (digit 0) (digit 1) (init on) (<= (legal a (say{digits})){each})
         (<= terminal (not (true on))) (goal a 0)"
    );
    let (status, answer) = serving.post("/api/games", &json!({ "text": rules }));
    let refused = match status {
        200 => serving.post("/api/matches", &json!({ "game": answer["id"] })),
        _ => (status, answer),
    };
    assert_eq!((refused.0, &refused.1["error"]["code"]), (422, &json!("budget")), "{refused:?}");
    assert!(!string(&refused.1["error"]["message"]).is_empty());
    assert_eq!(serving.open(&json!({ "game": "tictactoe" })).state("now").0, 200);
}
