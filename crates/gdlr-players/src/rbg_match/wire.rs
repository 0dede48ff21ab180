//! Texts that end with a zero byte.

use std::fmt;
use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often who waits for a message looks whether to go on.
const LOOK: Duration = Duration::from_millis(50);

/// The most bytes of a message that is not a game.
pub(super) const SHORT: usize = 64 << 10;

/// Why a play does not go on.
#[derive(Debug)]
pub(super) enum Lost {
    /// The other side has hung up.
    Closed,
    /// None came in time.
    Late,
    /// Nobody waits any more.
    Stopped,
    /// It has more bytes than a message may have.
    TooLarge(usize),
    /// It is no UTF-8.
    NoText,
    /// A message does not follow the protocol, or there is no answer to it.
    Odd(String),
    /// The connection failed.
    Failed(io::Error),
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lost::Closed => f.write_str("the other side has hung up"),
            Lost::Late => f.write_str("no message came in time"),
            Lost::Stopped => f.write_str("interrupted"),
            Lost::TooLarge(most) => write!(f, "a message has more than {most} bytes"),
            Lost::NoText => f.write_str("a message is no UTF-8"),
            Lost::Odd(why) => f.write_str(why),
            Lost::Failed(error) => error.fmt(f),
        }
    }
}

impl From<io::Error> for Lost {
    fn from(error: io::Error) -> Lost {
        match error.kind() {
            ErrorKind::ConnectionReset
            | ErrorKind::ConnectionAborted
            | ErrorKind::BrokenPipe
            | ErrorKind::UnexpectedEof => Lost::Closed,
            _ => Lost::Failed(error),
        }
    }
}

/// A connection to another program.
#[derive(Debug)]
pub(super) struct Wire {
    stream: TcpStream,
    /// Bytes that have arrived and that no message has taken yet.
    came: Vec<u8>,
}

impl Wire {
    pub fn new(stream: TcpStream) -> io::Result<Wire> {
        stream.set_nodelay(true)?;
        stream.set_nonblocking(false)?;
        stream.set_read_timeout(Some(LOOK))?;
        Ok(Wire { stream, came: Vec::new() })
    }

    pub fn send(&mut self, text: &str) -> Result<(), Lost> {
        self.stream.write_all(text.as_bytes())?;
        self.stream.write_all(&[0])?;
        Ok(())
    }

    /// The next message, of so many bytes at most; waits until then, or for ever.
    pub fn receive(
        &mut self,
        most: usize,
        until: Option<Instant>,
        stop: &AtomicBool,
    ) -> Result<String, Lost> {
        let mut looked_at = 0;
        loop {
            let end = self.came[looked_at..].iter().position(|byte| *byte == 0);
            if let Some(end) = end.map(|end| looked_at + end) {
                let rest = self.came.split_off(end + 1);
                let mut message = std::mem::replace(&mut self.came, rest);
                message.pop();
                if message.len() > most {
                    return Err(Lost::TooLarge(most));
                }
                return String::from_utf8(message).map_err(|_| Lost::NoText);
            }
            looked_at = self.came.len();
            if looked_at > most {
                return Err(Lost::TooLarge(most));
            }
            if stop.load(Ordering::Relaxed) {
                return Err(Lost::Stopped);
            }
            if until.is_some_and(|until| Instant::now() >= until) {
                return Err(Lost::Late);
            }
            let mut bytes = [0; 4096];
            match self.stream.read(&mut bytes) {
                Ok(0) => return Err(Lost::Closed),
                Ok(count) => self.came.extend_from_slice(&bytes[..count]),
                Err(error)
                    if matches!(
                        error.kind(),
                        ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
                    ) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    fn pair() -> (Wire, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let one = TcpStream::connect(listener.local_addr().expect("an address")).expect("a peer");
        let (other, _) = listener.accept().expect("a peer");
        (Wire::new(one).expect("a wire"), other)
    }

    #[test]
    fn messages_are_cut_at_zero_bytes() {
        let (mut wire, mut other) = pair();
        let stop = AtomicBool::new(false);
        other.write_all(b"first\0\0thi").expect("sent");
        assert_eq!(wire.receive(9, None, &stop).expect("a message"), "first");
        assert_eq!(wire.receive(9, None, &stop).expect("a message"), "");
        let soon = Instant::now() + Duration::from_millis(1);
        assert!(matches!(wire.receive(9, Some(soon), &stop), Err(Lost::Late)));
        other.write_all(b"rd\0\xff\0too large a text").expect("sent");
        assert_eq!(wire.receive(9, None, &stop).expect("a message"), "third");
        assert!(matches!(wire.receive(9, None, &stop), Err(Lost::NoText)));
        assert!(matches!(wire.receive(9, None, &stop), Err(Lost::TooLarge(9))));
        wire.send("answer").expect("sent");
        let mut answer = [0; 7];
        other.read_exact(&mut answer).expect("an answer");
        assert_eq!(&answer, b"answer\0");
        stop.store(true, Ordering::Relaxed);
        let (mut wire, other) = pair();
        assert!(matches!(wire.receive(9, None, &stop), Err(Lost::Stopped)));
        drop(other);
        assert!(matches!(wire.receive(9, None, &AtomicBool::new(false)), Err(Lost::Closed)));
    }
}
