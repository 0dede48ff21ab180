//! The address of a proxy in front of the service: where browsers think that they are.

use axum::http::Uri;
use axum::http::uri::PathAndQuery;
use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

/// The address under which a proxy shows the page, such as `https://games.example/play/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl {
    is_secure: bool,
    /// The host in lower case, and the port unless it is that of the scheme.
    authority: String,
    /// Empty, or from its first slash on, without the last one.
    prefix: String,
}

/// Why a text is no address of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotPublic(&'static str);

impl fmt::Display for NotPublic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; write https://HOST, https://HOST:PORT or https://HOST/PATH/", self.0)
    }
}

impl std::error::Error for NotPublic {}

impl FromStr for PublicUrl {
    type Err = NotPublic;

    fn from_str(text: &str) -> Result<PublicUrl, NotPublic> {
        if text.contains(['?', '#', '@']) {
            return Err(NotPublic("the address has no query, fragment or name of a user"));
        }
        let uri: Uri = text.parse().map_err(|_| NotPublic("this is no address"))?;
        let (is_secure, port) = match uri.scheme_str() {
            Some("https") => (true, 443),
            Some("http") => (false, 80),
            _ => return Err(NotPublic("the address begins with https:// or http://")),
        };
        let host = uri.host().filter(|host| !host.is_empty());
        let host = host.ok_or(NotPublic("there is no host"))?.to_ascii_lowercase();
        let authority = match uri.port_u16() {
            Some(own) if own != port => format!("{host}:{own}"),
            _ => host,
        };
        let prefix = uri.path().trim_end_matches('/').to_owned();
        let mut parts = prefix.split('/').skip(1);
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._~".contains(c);
        if !parts.clone().all(|part| !matches!(part, "" | "." | "..") && part.chars().all(is_plain))
        {
            return Err(NotPublic("the path consists of letters, digits, `-`, `.`, `_` and `~`"));
        }
        if parts.next() == Some("api") {
            return Err(NotPublic(
                "the path does not begin with /api, which the page has below it",
            ));
        }
        Ok(PublicUrl { is_secure, authority, prefix })
    }
}

/// With a slash at its end, as it is opened.
impl fmt::Display for PublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}/", self.origin(), self.prefix)
    }
}

impl PublicUrl {
    /// The `Origin` that browsers send with requests of the page.
    pub(super) fn origin(&self) -> String {
        let scheme = if self.is_secure { "https" } else { "http" };
        format!("{scheme}://{}", self.authority)
    }

    /// Whether it is reached by TLS alone.
    pub(super) fn is_secure(&self) -> bool {
        self.is_secure
    }

    /// The path of the page without the slash at its end, which is empty at the root.
    pub(super) fn prefix(&self) -> &str {
        &self.prefix
    }

    /// Whether a `Host` is that of this address.
    pub(super) fn is_of(&self, host: &str) -> bool {
        let port = if self.is_secure { ":443" } else { ":80" };
        host.strip_suffix(port).unwrap_or(host).eq_ignore_ascii_case(&self.authority)
    }

    /// Whether nobody but this machine can open it.
    pub fn is_loopback(&self) -> bool {
        is_loopback(&self.authority)
    }

    /// Takes the path of the page from the address of a request: some proxies do, others do not.
    pub(super) fn strip(&self, uri: &mut Uri) {
        let inner = uri.path_and_query().and_then(|path| {
            let inner = path.as_str().strip_prefix(&self.prefix)?;
            inner.starts_with('/').then(|| inner.parse::<PathAndQuery>().ok()).flatten()
        });
        if let Some(inner) = inner
            && !self.prefix.is_empty()
        {
            *uri = Uri::from(inner);
        }
    }
}

/// Whether a host, with or without its port, is this machine.
pub(super) fn is_loopback(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split_once(']').map_or("", |(name, _)| name),
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    };
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn public(text: &str) -> PublicUrl {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn addresses_are_read_as_browsers_write_them() {
        for (text, origin, prefix) in [
            ("https://Games.Example", "https://games.example", ""),
            ("https://games.example:443/", "https://games.example", ""),
            ("http://games.example:443/a/b//", "http://games.example:443", "/a/b"),
            ("http://[::1]:80/play", "http://[::1]", "/play"),
        ] {
            let url = public(text);
            assert_eq!((&*url.origin(), url.prefix()), (origin, prefix), "{text}");
            assert_eq!(url.to_string(), format!("{origin}{prefix}/"));
        }
        for text in [
            "",
            "games.example",
            "/play",
            "ftp://games.example",
            "https:///play",
            "https://a@games.example",
            "https://games.example/?a=b",
            "https://games.example/#a",
            "https://games.example/a/../b",
            "https://games.example/a//b",
            "https://games.example/;",
            "https://games.example/%2e",
            "https://games.example/api",
            "https://games.example/api/x",
        ] {
            assert!(text.parse::<PublicUrl>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_path_of_the_page_is_taken_away_once() {
        let inside = |url: &str, address: &str| {
            let mut uri: Uri = address.parse().expect("an address");
            public(url).strip(&mut uri);
            uri.to_string()
        };
        for (address, inner) in [
            ("/play/", "/"),
            ("/play/?game=nim", "/?game=nim"),
            ("/play/api/games?a=%20", "/api/games?a=%20"),
            ("/play/play/", "/play/"),
            ("/play", "/play"),
            ("/player/", "/player/"),
            ("/api", "/api"),
            ("/", "/"),
        ] {
            assert_eq!(inside("https://games.example/play/", address), inner, "{address}");
        }
        assert_eq!(inside("https://games.example", "/play/"), "/play/");
    }

    #[test]
    fn hosts_are_compared_as_browsers_do() {
        let url = public("https://games.example/play");
        assert!(url.is_of("games.example") && url.is_of("GAMES.example:443"));
        assert!(!url.is_of("games.example:80") && !url.is_of("evil.example"));
        assert!(!url.is_loopback() && public("http://localhost:81/play").is_loopback());
    }
}
