//! Where a service listens: an address that people can open, and why there may be none.

use super::status::Failure;
use std::io::{Error, ErrorKind};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

/// Why nobody can listen at an address, and what to do.
pub fn refused(address: SocketAddr, error: &Error) -> Failure {
    let why = match error.kind() {
        ErrorKind::AddrInUse => format!(
            "port {} is in use; take another one with --port N, or any that is free with --port 0",
            address.port()
        ),
        ErrorKind::PermissionDenied => format!(
            "port {} is for the administrator; take one above 1023 with --port N",
            address.port()
        ),
        ErrorKind::AddrNotAvailable => {
            "this machine has no such address; --bind 0.0.0.0 takes all that it has".to_owned()
        }
        _ => error.to_string(),
    };
    Failure::Unusable(format!("cannot listen at {address}: {why}"))
}

/// An address that can be opened of a service that listens at this one: where it listens at all
/// addresses of the machine, the one that its network knows, or else that of loopback.
pub fn opened_at(address: SocketAddr) -> SocketAddr {
    if !address.ip().is_unspecified() {
        return address;
    }
    // Nothing is sent: the system says which of its addresses it would send from. Those asked for
    // are of documents and belong to nobody.
    let (loopback, elsewhere): (IpAddr, IpAddr) = match address.is_ipv4() {
        true => (Ipv4Addr::LOCALHOST.into(), Ipv4Addr::new(192, 0, 2, 1).into()),
        false => {
            (Ipv6Addr::LOCALHOST.into(), Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1).into())
        }
    };
    let own = UdpSocket::bind((address.ip(), 0)).and_then(|socket| {
        socket.connect((elsewhere, 9))?;
        socket.local_addr()
    });
    SocketAddr::new(own.map_or(loopback, |own| own.ip()), address.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_of_the_machine_stands_for_all() {
        for all in ["0.0.0.0:9148", "[::]:9148"] {
            let opened = opened_at(all.parse().expect("an address"));
            assert!(!opened.ip().is_unspecified() && opened.port() == 9148, "{opened}");
        }
        let one = "127.0.0.1:9148".parse().expect("an address");
        assert_eq!(opened_at(one), one);
    }
}
