//! How fast a game is played at random, as a stream of events.

use super::loaded::Loaded;
use super::service::Service;
use super::session::Event;
use super::stream;
use axum::response::Response;
use gdlr_engine::engine::{Engine, Roles};
use gdlr_engine::play::{FlatMonteCarlo, Statistics};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::mpsc;

/// How often it is said how fast that is.
const EVERY: Duration = Duration::from_millis(250);

/// Plays at random for so long, on one thread, as long as somebody listens.
pub fn of_game(service: Arc<Service>, loaded: Arc<Loaded>, time: Duration) -> Response {
    let (sender, receiver) = mpsc::channel(16);
    tokio::spawn(async move {
        let work = move |service: &Service| {
            let is_stopping = service.stopping.subscribe();
            play(&loaded, time, &mut |event| {
                !*is_stopping.borrow() && sender.blocking_send(event).is_ok()
            });
            Ok(())
        };
        // Only a failure of the service itself is refused, and ends the stream.
        let _ = service.think(work).await;
    });
    stream::stream(receiver)
}

/// Plays; `tell` says whether to go on.
fn play(loaded: &Loaded, time: Duration, tell: &mut dyn FnMut(Event) -> bool) {
    let handover = loaded.handover();
    let (engine, lanes) = (handover.best().0, handover.batch());
    let mut total = Statistics::new(engine.roles().count());
    let (mut seconds, mut seed) = (0.0, 1);
    let stop = AtomicBool::new(false);
    loop {
        let run = FlatMonteCarlo { time: Some(EVERY), seed, ..FlatMonteCarlo::default() };
        let played = match &lanes {
            Some(lanes) => run.run(&**lanes, &stop, |_| {}),
            None => run.run(&engine, &stop, |_| {}),
        };
        seconds += played.seconds;
        let (is_broken, none) = (played.limit.is_some(), played.playouts == 0);
        total.merge(played);
        seed += 1;
        let done = seconds >= time.as_secs_f64() || is_broken || (none && seconds >= 1.0);
        let rate = json!({
            "seconds": seconds,
            "playouts": total.playouts,
            "states": total.states,
            "playouts_per_second": total.playouts as f64 / seconds.max(1e-9),
            "states_per_second": total.states as f64 / seconds.max(1e-9),
            "lanes": lanes.is_some(),
            "goals": means(&total, engine.roles()),
            "done": done,
        });
        if !tell(Event::new("rate", &rate)) || done {
            stop.store(true, Ordering::Relaxed);
            return;
        }
    }
}

/// By role: the mean goal value, null where there is none.
fn means(total: &Statistics, roles: &Roles) -> Map<String, Value> {
    let mean = |of: &gdlr_engine::play::RoleStatistics| json!(of.mean_goal());
    roles.names().iter().cloned().zip(total.roles.iter().map(mean)).collect()
}
