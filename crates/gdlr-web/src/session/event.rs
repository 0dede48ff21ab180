//! The events of a match, for those who follow it.

use serde_json::{Value, json};
use std::sync::Arc;

/// Something that has happened.
#[derive(Clone, Debug)]
pub struct Event {
    /// `match`, `thought` or `ended`.
    pub name: &'static str,
    /// A JSON object.
    pub data: Arc<str>,
}

impl Event {
    pub fn new(name: &'static str, data: &Value) -> Event {
        Event { name, data: data.to_string().into() }
    }

    /// The match was taken away.
    pub fn ended() -> Event {
        Event::new("ended", &json!({}))
    }

    /// Whether nothing happens after it.
    pub fn is_last(&self) -> bool {
        self.name == "ended"
    }
}
