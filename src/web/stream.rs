//! What happens in a match, as server-sent events.

use super::session::{Event, Session};
use axum::response::sse::{self, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use std::convert::Infallible;
use std::sync::Arc;
use tokio_stream::StreamExt;
use tokio_stream::wrappers::BroadcastStream;
use tokio_stream::wrappers::errors::BroadcastStreamRecvError;

/// How things stand, and whatever happens from now on.
pub fn stream(session: Arc<Session>) -> Response {
    let (first, later) = session.listen();
    let later = BroadcastStream::new(later).map(move |event| match event {
        Ok(event) => event,
        // Who is too slow misses what was said in between.
        Err(BroadcastStreamRecvError::Lagged(_)) => Event::new("match", &session.status()),
    });
    let all = tokio_stream::iter(first).chain(later);
    let sent = all.map(|event| Ok::<_, Infallible>(sse(&event)));
    Sse::new(sent).keep_alive(KeepAlive::default()).into_response()
}

/// An event as it is sent.
pub fn sse(event: &Event) -> sse::Event {
    sse::Event::default().event(event.name).data(&*event.data)
}
