//! The events of a match, as server-sent events.

use super::session::{Event, Session};
use axum::http::HeaderName;
use axum::response::sse::{self, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use std::convert::Infallible;
use std::sync::Arc;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::mpsc::{self, Receiver, Sender};
use tokio::sync::watch;
use tokio_stream::StreamExt;
use tokio_stream::wrappers::ReceiverStream;

/// Asks proxies such as nginx to hand on each event as it comes.
const UNBUFFERED: HeaderName = HeaderName::from_static("x-accel-buffering");

/// How many events wait for who listens.
const WAITING: usize = 16;

/// How things stand, and whatever happens from now on, until the match is ended, or the server is.
pub fn of_match(session: Arc<Session>, stopping: watch::Receiver<bool>) -> Response {
    let (sender, receiver) = mpsc::channel(WAITING);
    tokio::spawn(forward(session, sender, stopping));
    stream(receiver)
}

/// Events as they come.
pub fn stream(events: Receiver<Event>) -> Response {
    let sent = ReceiverStream::new(events).map(|event| {
        Ok::<_, Infallible>(sse::Event::default().event(event.name).data(&*event.data))
    });
    let events = Sse::new(sent).keep_alive(KeepAlive::default());
    ([(UNBUFFERED, "no")], events).into_response()
}

/// Tells a listener what happens, as long as there is something to tell and somebody to hear it.
async fn forward(
    session: Arc<Session>,
    listener: Sender<Event>,
    mut stopping: watch::Receiver<bool>,
) {
    let (first, mut later) = session.listen();
    for event in first {
        if listener.send(event).await.is_err() {
            return;
        }
    }
    loop {
        let event = tokio::select! {
            () = listener.closed() => return,
            _ = stopping.wait_for(|stopping| *stopping) => return,
            event = later.recv() => match event {
                Ok(event) => event,
                // Who is too slow misses what was said in between.
                Err(RecvError::Lagged(_)) => Event::new("match", &session.status()),
                Err(RecvError::Closed) => return,
            },
        };
        let is_last = event.is_last();
        if listener.send(event).await.is_err() || is_last {
            return;
        }
    }
}
