//! The service on a network: connections, a bounded number of them, until it is told to stop.

use super::options::Options;
use super::refusal::Refusal;
use super::routes::router;
use super::service::Service;
use axum::Router;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{self, Runtime};
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// How often the flag that ends it is looked at.
const TICK: Duration = Duration::from_millis(50);

/// So long answers may take at most that are under way when it stops.
const GRACE: Duration = Duration::from_secs(10);

/// How often what nobody needs is cleared away.
const SWEEP: Duration = Duration::from_secs(30);

/// A service that listens.
pub struct Server {
    service: Arc<Service>,
    runtime: Runtime,
    listener: TcpListener,
}

impl Server {
    /// Listens at an address; port 0 is any that is free.
    ///
    /// # Errors
    ///
    /// When nobody may listen there.
    pub fn bind(address: SocketAddr, options: Options) -> io::Result<Server> {
        let runtime =
            runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let listener = std::net::TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let listener = {
            let _inside = runtime.enter();
            TcpListener::from_std(listener)?
        };
        Ok(Server { service: Arc::new(Service::new(options)), runtime, listener })
    }

    /// Where it listens.
    ///
    /// # Errors
    ///
    /// When the system does not know.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Loads a game that pages begin with; `text` is its rulesheet. With a record of it, a match that
    /// stands where the record's first play ends.
    ///
    /// # Errors
    ///
    /// In words, when the game cannot be loaded, or this is no record of it.
    pub fn begin_with(&self, name: &str, text: &str, record: Option<&str>) -> Result<(), String> {
        let _inside = self.runtime.enter();
        let begun = self.service.begin_with(name, text, record);
        begun.map_err(|refusal| refusal.to_string())
    }

    /// Answers until `stop` becomes true. Then nobody else is let in, streams end, and whoever waits
    /// for an answer gets it, if it is there within ten seconds.
    pub fn run(self, stop: &AtomicBool) {
        let Server { service, runtime, listener } = self;
        runtime.block_on(accept(listener, service, stop));
        // Players that still think are not waited for.
        runtime.shutdown_background();
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").field("listener", &self.listener).finish_non_exhaustive()
    }
}

/// Takes connections until `stop` becomes true.
async fn accept(listener: TcpListener, service: Arc<Service>, stop: &AtomicBool) {
    let most = service.options.max_connections.clamp(1, Semaphore::MAX_PERMITS);
    let free = Arc::new(Semaphore::new(most));
    let router = router(service.clone());
    let mut swept = Instant::now();
    while !stop.load(Ordering::Relaxed) {
        if swept.elapsed() > SWEEP {
            swept = Instant::now();
            service.sweep();
        }
        let Ok(Ok(place)) = timeout(TICK, free.clone().acquire_owned()).await else { continue };
        match timeout(TICK, listener.accept()).await {
            Ok(Ok((stream, _))) => {
                let (router, service) = (router.clone(), service.clone());
                tokio::spawn(async move {
                    connection(stream, router, &service).await;
                    drop(place);
                });
            }
            // A peer that is gone already, or too many open files.
            Ok(Err(_)) => tokio::time::sleep(TICK).await,
            Err(_) => {}
        }
    }
    drop(listener);
    let _ = service.stopping.send(true);
    let connections = u32::try_from(most).unwrap_or(u32::MAX);
    let _ = timeout(GRACE, free.acquire_many(connections)).await;
}

/// Answers one peer, request after request, until the server ends.
async fn connection(stream: TcpStream, router: Router, service: &Service) {
    let (patience, mut stopping) = (service.options.patience, service.stopping.subscribe());
    let _ = stream.set_nodelay(true);
    let router = TowerToHyperService::new(router);
    let inside = |mut request: Request<Incoming>| {
        if let Some(public) = &service.options.public {
            public.strip(request.uri_mut());
        }
        router.call(request)
    };
    let serve = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(patience)
        .serve_connection(TokioIo::new(stream), service_fn(inside));
    let mut serve = pin!(serve);
    tokio::select! {
        // Whoever does not speak HTTP, or is gone, gets no answer.
        _ = &mut serve => return,
        _ = stopping.wait_for(|stopping| *stopping) => {}
    }
    serve.as_mut().graceful_shutdown();
    let _ = serve.await;
}

impl Service {
    /// Does what may take long: not too much of it at the same time.
    pub(super) async fn work<T: Send + 'static>(
        self: Arc<Self>,
        work: impl FnOnce(&Service) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let service = self.clone();
        let wait = self.workers.acquire();
        let place = timeout(self.options.budget.time, wait).await;
        let Ok(Ok(_place)) = place else {
            return Err(Refusal::busy("there is too much to do; try again later"));
        };
        service.ask(work).await
    }

    /// Does what players do as well, in their turn.
    pub(super) async fn think<T: Send + 'static>(
        self: Arc<Self>,
        work: impl FnOnce(&Service) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let turn = self.thinkers.clone().acquire_owned().await;
        let _turn = turn.map_err(|_| Refusal::internal())?;
        self.ask(work).await
    }

    /// Does what takes no time to speak of, away from the threads that read and send.
    pub(super) async fn ask<T: Send + 'static>(
        self: Arc<Self>,
        work: impl FnOnce(&Service) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let done = tokio::task::spawn_blocking(move || work(&self)).await;
        done.unwrap_or_else(|_| Err(Refusal::internal()))
    }
}
