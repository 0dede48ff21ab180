//! A [`Service`] on a network: HTTP/1.0 and HTTP/1.1.
//!
//! A message comes as the body of `POST /`, or url-encoded as the address of a `GET`, where a
//! plus sign is a blank; a long START does not fit into an address, which has 64 kB at most.
//! The answer is `text/acl`. Pages of other origins may ask, too (CORS).
//!
//! With calls ([`Protocol::Gamemaster`]) a `GET` is for the page of the player and its script, and
//! answers are `text/plain`. What has no answer for the manager is status 409, with the reason.
//!
//! Every connection is for one message: managers open a new one for each, and none finds that
//! an old one was closed meanwhile. What a peer does on its connection concerns nobody else:
//! it has some seconds to send its message ([`Limits::patience`]), and while a player thinks,
//! a thread waits for that message alone.

use super::message::Protocol;
use super::player_page;
use super::round_trips::{RoundTrips, until_closed};
use super::service::{Refusal as NoAnswer, Service};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{self, HeaderMap, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode, Uri};
use hyper_util::rt::{TokioIo, TokioTimer};
use percent_encoding::percent_decode_str;
use std::convert::Infallible;
use std::fmt;
use std::future::pending;
use std::io;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{self, Runtime};
use tokio::sync::{Semaphore, watch};
use tokio::time::timeout;

/// The limits of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The longest message, in bytes.
    pub max_bytes: usize,
    /// How long a peer may take to send its headers, and again to send the body.
    pub patience: Duration,
    /// The most connections at once; more of them wait. Each may wait on a thread.
    pub max_connections: usize,
}

impl Default for Limits {
    /// 16 MiB, 10 seconds, 256 connections.
    fn default() -> Self {
        Limits { max_bytes: 16 << 20, patience: Duration::from_secs(10), max_connections: 256 }
    }
}

/// So often the server looks whether it is to stop.
const TICK: Duration = Duration::from_millis(50);

/// So long answers may take at most that are under way when it stops.
const GRACE: Duration = Duration::from_secs(10);

/// A service that listens.
pub struct Server {
    service: Arc<Service>,
    limits: Limits,
    runtime: Runtime,
    listener: TcpListener,
}

impl Server {
    /// Listens at an address; port 0 is any that is free. Nobody is answered before
    /// [`Server::run`].
    ///
    /// # Errors
    ///
    /// When the address is not there, or taken; when there are no threads.
    pub fn bind(
        address: impl ToSocketAddrs,
        service: Service,
        limits: Limits,
    ) -> io::Result<Server> {
        let runtime = runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .max_blocking_threads(limits.max_connections.max(1))
            .enable_all()
            .build()?;
        let listener = std::net::TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let listener = {
            let _inside = runtime.enter();
            TcpListener::from_std(listener)?
        };
        Ok(Server { service: Arc::new(service), limits, runtime, listener })
    }

    /// Where it listens.
    ///
    /// # Errors
    ///
    /// When the system does not know.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Answers until `stop` becomes true. Then nobody else is let in, matches are broken off, and
    /// whoever waits for an answer gets one: that takes ten seconds at most.
    pub fn run(self, stop: &AtomicBool) {
        let Server { service, limits, runtime, listener } = self;
        runtime.block_on(accept(listener, &service, limits, stop));
        // A peer that still sends is not waited for.
        runtime.shutdown_background();
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").field("listener", &self.listener).finish_non_exhaustive()
    }
}

/// Takes connections until `stop` becomes true.
async fn accept(listener: TcpListener, service: &Arc<Service>, limits: Limits, stop: &AtomicBool) {
    let most = limits.max_connections.clamp(1, Semaphore::MAX_PERMITS);
    let free = Arc::new(Semaphore::new(most));
    let round_trips = Arc::new(RoundTrips::default());
    let (stopping, is_stopping) = watch::channel(false);
    while !stop.load(Ordering::Relaxed) {
        service.sweep();
        let Ok(Ok(place)) = timeout(TICK, free.clone().acquire_owned()).await else { continue };
        match timeout(TICK, listener.accept()).await {
            Ok(Ok((stream, peer))) => {
                let stopping = is_stopping.clone();
                let peer = Peer { address: peer.ip(), accepted: Instant::now(), stopping };
                let (service, round_trips) = (service.clone(), round_trips.clone());
                tokio::spawn(async move {
                    connection(stream, peer, service, &round_trips, limits).await;
                    drop(place);
                });
            }
            // A peer that is gone already, or too many open files.
            Ok(Err(_)) => tokio::time::sleep(TICK).await,
            Err(_) => {}
        }
    }
    drop(listener);
    let _ = stopping.send(true);
    service.close();
    let all = u32::try_from(most).unwrap_or(u32::MAX);
    let _ = timeout(GRACE, free.acquire_many(all)).await;
}

/// Who is at the other end of a connection.
#[derive(Debug)]
struct Peer {
    address: IpAddr,
    /// Since when: the clock of its message runs by then.
    accepted: Instant,
    /// Becomes true when the server ends.
    stopping: watch::Receiver<bool>,
}

/// Answers one peer.
async fn connection(
    stream: TcpStream,
    mut peer: Peer,
    service: Arc<Service>,
    round_trips: &RoundTrips,
    limits: Limits,
) {
    let _ = stream.set_nodelay(true);
    let round_trip = round_trips.to(peer.address);
    // When the player gave its answer.
    let given = Arc::new(OnceLock::new());
    let is_asked = AtomicBool::new(false);
    let answer = service_fn(|request| {
        is_asked.store(true, Ordering::Relaxed);
        let (service, given) = (service.clone(), given.clone());
        let asked = Exchange { service, given, arrival: peer.accepted, round_trip };
        async move { Ok::<_, Infallible>(respond(request, asked, limits).await) }
    });
    let serve = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.patience)
        .keep_alive(false)
        // Some managers close their side when they have sent the message.
        .half_close(true)
        .serve_connection(TokioIo::new(stream), answer);
    let mut serve = pin!(serve.without_shutdown());
    let nobody_asks = async {
        let _ = peer.stopping.wait_for(|stopping| *stopping).await;
        if is_asked.load(Ordering::Relaxed) {
            pending::<()>().await;
        }
    };
    let sent = tokio::select! {
        sent = &mut serve => sent,
        () = nobody_asks => return,
    };
    // Whoever does not speak HTTP, or is gone, gets no answer.
    let Ok(sent) = sent else { return };
    if let Some(given) = given.get() {
        service.note_lateness(given.elapsed());
        if let Some(time) = until_closed(sent.io.into_inner()).await {
            round_trips.see(peer.address, time);
        }
    }
}

/// A request with its service, its arrival and its round trip.
struct Exchange {
    service: Arc<Service>,
    arrival: Instant,
    round_trip: Duration,
    /// Is told when the answer is there.
    given: Arc<OnceLock<Instant>>,
}

/// A status other than 200, and why.
type Refusal = (StatusCode, String);

async fn respond(
    request: Request<Incoming>,
    asked: Exchange,
    limits: Limits,
) -> Response<Full<Bytes>> {
    let protocol = asked.service.protocol();
    if protocol == Protocol::Gamemaster && request.method() == Method::GET {
        let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
        return match player_page::file(request.uri().path(), host, asked.service.name()) {
            Some((kind, text)) => response(StatusCode::OK, kind, text),
            None => response(
                StatusCode::NOT_FOUND,
                PLAIN,
                "there are /player.html and /player.js; send a message with POST".to_owned(),
            ),
        };
    }
    let kind = match protocol {
        Protocol::Ggp => "text/acl",
        Protocol::Gamemaster => PLAIN,
    };
    let (status, text) = match message(request, limits).await {
        Err(refusal) => refusal,
        Ok(None) => (StatusCode::OK, String::new()),
        Ok(Some(text)) => {
            let answer = move || {
                let reply = asked.service.answer(&text, asked.arrival, asked.round_trip);
                let _ = asked.given.set(Instant::now());
                reply
            };
            match tokio::task::spawn_blocking(answer).await {
                Ok(Ok(reply)) => (StatusCode::OK, reply),
                Ok(Err(NoAnswer::Message(error))) => (StatusCode::BAD_REQUEST, error.to_string()),
                Ok(Err(NoAnswer::Unanswered(why))) => (StatusCode::CONFLICT, why),
                // The runtime ends.
                Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()),
            }
        }
    };
    response(status, kind, text)
}

const PLAIN: &str = "text/plain; charset=utf-8";

fn response(status: StatusCode, kind: &'static str, text: String) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::from(text));
    *response.status_mut() = status;
    add_headers(response.headers_mut(), kind);
    response
}

fn add_headers(headers: &mut HeaderMap, kind: &'static str) {
    let fixed = [
        (header::CONTENT_TYPE, kind),
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (header::ACCESS_CONTROL_ALLOW_METHODS, "POST, GET, OPTIONS"),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, "Content-Type, Accept, Sender, Receiver"),
        (header::ACCESS_CONTROL_MAX_AGE, "86400"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
}

/// The message that a request brings; none if it only asks what may be asked.
async fn message(request: Request<Incoming>, limits: Limits) -> Result<Option<String>, Refusal> {
    match *request.method() {
        Method::OPTIONS => Ok(None),
        Method::GET => from_address(request.uri()).map(Some),
        Method::POST => from_body(request, limits).await.map(Some),
        _ => Err(refusal(StatusCode::METHOD_NOT_ALLOWED, "send a message with POST or GET")),
    }
}

fn refusal(status: StatusCode, why: &str) -> Refusal {
    (status, why.to_owned())
}

fn from_address(uri: &Uri) -> Result<String, Refusal> {
    let address = uri.path_and_query().map_or("", |address| address.as_str());
    let text = address.strip_prefix('/').unwrap_or(address).replace('+', " ");
    match percent_decode_str(&text).decode_utf8() {
        Ok(text) => Ok(text.into_owned()),
        Err(_) => Err(not_utf8()),
    }
}

async fn from_body(request: Request<Incoming>, limits: Limits) -> Result<String, Refusal> {
    let headers = request.headers();
    let length = headers.get(header::CONTENT_LENGTH);
    if length.is_none() && !headers.contains_key(header::TRANSFER_ENCODING) {
        return Err(refusal(StatusCode::LENGTH_REQUIRED, "say the Content-Length of the message"));
    }
    let Limits { max_bytes, patience, .. } = limits;
    let too_large =
        || (StatusCode::PAYLOAD_TOO_LARGE, format!("a message has {max_bytes} bytes at most"));
    let length = length.and_then(|length| length.to_str().ok()?.trim().parse::<u64>().ok());
    if length.is_some_and(|length| length > max_bytes as u64) {
        return Err(too_large());
    }
    let body = Limited::new(request.into_body(), max_bytes).collect();
    let bytes = match timeout(patience, body).await {
        Ok(Ok(body)) => body.to_bytes(),
        Ok(Err(error)) if error.is::<LengthLimitError>() => return Err(too_large()),
        Ok(Err(error)) => return Err((StatusCode::BAD_REQUEST, error.to_string())),
        Err(_) => {
            return Err(refusal(StatusCode::REQUEST_TIMEOUT, "the message took too long to come"));
        }
    };
    String::from_utf8(bytes.into()).map_err(|_| not_utf8())
}

fn not_utf8() -> Refusal {
    refusal(StatusCode::BAD_REQUEST, "the message is not UTF-8")
}
