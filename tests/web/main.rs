//! The JSON service of `gdlr web` over real sockets: matches, reasons, and peers that behave badly.

mod bad_requests;
mod many;
mod matches;
mod proxied;
mod reasons;
mod serving;
