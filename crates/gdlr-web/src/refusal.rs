//! Why a request is not done, as an answer.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use gdlr_text::budget::Exhausted;
use gdlr_text::diagnostic::{Diagnostic, LineIndex};
use serde_json::{Map, Value, json};
use std::fmt;

/// Why a request is not done.
#[derive(Debug)]
pub struct Refusal(Box<Why>);

/// A status, a code that programs know, and words.
#[derive(Debug)]
struct Why {
    status: StatusCode,
    code: &'static str,
    message: String,
    help: Option<String>,
    /// More keys of the answer, for programs.
    beside: Map<String, Value>,
}

impl Refusal {
    fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Refusal {
        let (message, beside) = (message.into(), Map::new());
        Refusal(Box::new(Why { status, code, message, help: None, beside }))
    }

    /// It is not a request of the form that is wanted.
    pub fn request(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, "request", message)
    }

    /// The token is missing.
    pub fn token() -> Refusal {
        let help = "send it as `Authorization: Bearer TOKEN`, or open the address with the token \
                    that the command has printed";
        Refusal::new(StatusCode::UNAUTHORIZED, "token", "the token is missing").with_help(help)
    }

    /// It comes from a page of another site.
    pub fn origin() -> Refusal {
        Refusal::new(StatusCode::FORBIDDEN, "origin", "requests of other sites are not taken")
    }

    /// It would show what the match hides.
    pub fn hidden() -> Refusal {
        Refusal::new(StatusCode::FORBIDDEN, "hidden", "this match hides the state")
            .with_help("say with `as` who looks, or make the match `omniscient`")
    }

    /// There is no such thing.
    pub fn unknown(what: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, "unknown", what)
    }

    /// Not with this method.
    pub fn method() -> Refusal {
        Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "method", "not with this method")
    }

    /// It took too long to come.
    pub fn slow() -> Refusal {
        Refusal::new(StatusCode::REQUEST_TIMEOUT, "slow", "the request took too long to come")
    }

    /// Not now.
    pub fn turn(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::CONFLICT, "turn", message)
    }

    /// It is too large.
    pub fn large(bytes: usize) -> Refusal {
        let message = format!("a request has {bytes} bytes at most");
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, "large", message)
    }

    /// A rulesheet that cannot be read or played: what is wrong with its text.
    pub fn rules(text: &str, found: &[Diagnostic]) -> Refusal {
        Refusal::diagnosed("rules", "the rulesheet cannot be played", text, found)
    }

    /// A sentence or a term that cannot be read: what is wrong with its text.
    pub fn sentence(text: &str, found: &[Diagnostic]) -> Refusal {
        Refusal::diagnosed("sentence", "the question cannot be read", text, found)
    }

    fn diagnosed(code: &'static str, message: &str, text: &str, found: &[Diagnostic]) -> Refusal {
        let first = found.iter().max_by_key(|found| found.severity());
        let message =
            first.map_or(message.to_owned(), |first| format!("{message}: {}", first.message));
        let lines = LineIndex::new(text);
        let diagnostics: Vec<Value> = found
            .iter()
            .map(|diagnostic| diagnostic.to_json(|span| lines.place_json(text, span)))
            .collect();
        Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, code, message)
            .beside("diagnostics", json!(diagnostics))
    }

    /// No record of the game.
    pub fn record(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, "record", message)
    }

    /// A move that is not legal.
    pub fn illegal(message: String, explanation: Value) -> Refusal {
        Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, "illegal", message)
            .beside("explanation", explanation)
    }

    /// It takes more than a request may take.
    pub fn budget(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, "budget", message)
    }

    /// There is as much as there may be.
    pub fn busy(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::TOO_MANY_REQUESTS, "busy", message)
    }

    /// The service itself has failed.
    pub fn internal() -> Refusal {
        let message = "the service has failed at this request, which is a defect of it";
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", message)
    }

    /// The same with a line of help.
    pub fn with_help(mut self, help: impl Into<String>) -> Refusal {
        self.0.help = Some(help.into());
        self
    }

    fn beside(mut self, key: &str, value: Value) -> Refusal {
        self.0.beside.insert(key.to_owned(), value);
        self
    }

    /// The body of the answer.
    pub fn json(&self) -> Value {
        let Why { code, message, help, beside, .. } = &*self.0;
        let mut error = json!({"code": code, "message": message, "help": help});
        for (key, value) in beside {
            error[key] = value.clone();
        }
        json!({ "error": error })
    }
}

/// In words alone.
impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)?;
        self.0.help.iter().try_for_each(|help| write!(f, "; {help}"))
    }
}

impl From<Exhausted> for Refusal {
    fn from(exhausted: Exhausted) -> Refusal {
        Refusal::budget(exhausted.to_string())
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.0.status, Json(self.json())).into_response()
    }
}
