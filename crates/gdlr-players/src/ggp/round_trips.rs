//! How long a round trip to each peer takes.
//!
//! No library that is well kept tells what the system knows of a connection. But managers open
//! one for each message and close it when they have the answer: from the last byte of the answer
//! until the end of their side is a round trip, and what the peer needs to see the answer, which
//! is to be reckoned with as well.

use hashbrown::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Who has not closed its side after so long does not mean to: that is no round trip.
const LONGEST: Duration = Duration::from_millis(500);

/// The most peers that are remembered.
const MOST: usize = 1000;

/// How long a round trip to each peer takes: a mean in which the last one counts an eighth, as
/// in TCP.
#[derive(Debug, Default)]
pub(super) struct RoundTrips(Mutex<HashMap<IpAddr, Duration>>);

impl RoundTrips {
    /// How long one to a peer takes; no time if nothing is known of it.
    pub(super) fn to(&self, peer: IpAddr) -> Duration {
        self.peers().get(&peer).copied().unwrap_or_default()
    }

    /// One to a peer took so long.
    pub(super) fn see(&self, peer: IpAddr, time: Duration) {
        let mut peers = self.peers();
        if peers.len() >= MOST && !peers.contains_key(&peer) {
            peers.clear();
        }
        peers.entry(peer).and_modify(|mean| *mean = (*mean * 7 + time) / 8).or_insert(time);
    }

    fn peers(&self) -> std::sync::MutexGuard<'_, HashMap<IpAddr, Duration>> {
        // Nothing panics while it is held.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends this side of a connection on which everything is sent, and waits until the peer ends its
/// own: how long that took. `None` of a peer that sends more, or does not end it.
pub(super) async fn until_closed(mut stream: TcpStream) -> Option<Duration> {
    let start = Instant::now();
    stream.shutdown().await.ok()?;
    let closed = timeout(LONGEST, stream.read_u8()).await.ok()?;
    // A reset is an end, too.
    closed.is_err().then(|| start.elapsed())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::{net, thread};

    #[test]
    fn the_last_one_counts_an_eighth() {
        let trips = RoundTrips::default();
        let peer = |last| IpAddr::from([127, 0, 0, last]);
        assert_eq!(trips.to(peer(1)), Duration::ZERO);
        trips.see(peer(1), Duration::from_millis(80));
        assert_eq!(trips.to(peer(1)), Duration::from_millis(80));
        trips.see(peer(1), Duration::from_millis(160));
        assert_eq!(trips.to(peer(1)), Duration::from_millis(90));
        assert_eq!(trips.to(peer(2)), Duration::ZERO);
    }

    /// The time measured on a connection with a peer, which may leave its side open.
    fn measured(peer: fn(net::TcpStream) -> Option<net::TcpStream>) -> Option<Duration> {
        let listener = net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let peer =
            thread::spawn(move || peer(net::TcpStream::connect(address).expect("a connection")));
        let (stream, _) = listener.accept().expect("a connection");
        stream.set_nonblocking(true).expect("a socket");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let time = runtime
            .expect("a runtime")
            .block_on(async { until_closed(TcpStream::from_std(stream).expect("a socket")).await });
        drop(peer.join().expect("an end"));
        time
    }

    #[test]
    fn it_ends_when_the_peer_ends_its_side() {
        let time = measured(|mut stream| {
            let mut all = Vec::new();
            stream.read_to_end(&mut all).expect("the end of the answer");
            thread::sleep(Duration::from_millis(50));
            None
        });
        // It may have slept for too long on a busy machine.
        assert!(time.is_none_or(|time| time >= Duration::from_millis(50)), "{time:?}");
    }

    #[test]
    fn who_does_not_end_it_or_goes_on_shows_nothing() {
        assert_eq!(measured(Some), None);
        let talks = |mut stream: net::TcpStream| {
            stream.write_all(b"more").expect("a peer");
            Some(stream)
        };
        assert_eq!(measured(talks), None);
    }

    #[test]
    fn few_peers_are_remembered() {
        let trips = RoundTrips::default();
        for number in 0..3 * MOST as u32 {
            trips.see(IpAddr::from(number.to_be_bytes()), Duration::from_millis(1));
            assert!(trips.peers().len() <= MOST);
        }
    }
}
