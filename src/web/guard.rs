//! Whose requests are taken, and what every answer says.
//!
//! A page of another site can send requests to this machine, and a name that somebody else owns can
//! be made to lead here. So on loopback only requests are taken that are addressed to a name of
//! loopback; and none that a page of another site has sent, wherever the service listens. Where it
//! listens elsewhere, each has to bring the token.

use super::refusal::Refusal;
use super::service::Service;
use axum::extract::{Request, State};
use axum::http::header::{
    AUTHORIZATION, CACHE_CONTROL, CONTENT_SECURITY_POLICY, COOKIE, HOST, HeaderName, HeaderValue,
    ORIGIN, REFERRER_POLICY, SET_COOKIE, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// The name of the cookie in which a browser keeps the token.
const COOKIE_NAME: &str = "gdlr-token";

/// What every answer says: who may show it, what its page may load, and that nobody keeps it.
const HEADERS: [(HeaderName, &str); 4] = [
    (
        CONTENT_SECURITY_POLICY,
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "no-referrer"),
    (CACHE_CONTROL, "no-store"),
];

/// Takes a request to who answers it, or refuses it.
pub async fn guard(State(service): State<Arc<Service>>, request: Request, next: Next) -> Response {
    let token = service.options.token.as_deref();
    let allowed = allow(request.headers(), request.uri(), token);
    let in_address = token.filter(|token| in_address(request.uri()) == Some(*token));
    let mut response = match allowed {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    // The page asks for its files without the token of its address.
    if let Some(token) = in_address {
        let cookie = format!("{COOKIE_NAME}={token}; Path=/; HttpOnly; SameSite=Strict");
        if let Ok(cookie) = HeaderValue::from_str(&cookie) {
            headers.insert(SET_COOKIE, cookie);
        }
    }
    response
}

/// Whether a request is taken. Without a token the service is on loopback.
fn allow(headers: &HeaderMap, uri: &Uri, token: Option<&str>) -> Result<(), Refusal> {
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let host = text(HOST).or(uri.authority().map(|authority| authority.as_str()));
    let host = host.unwrap_or_default();
    if token.is_none() && !is_loopback(host) {
        return Err(Refusal::origin());
    }
    if text(ORIGIN).is_some_and(|origin| origin != format!("http://{host}")) {
        return Err(Refusal::origin());
    }
    let site = text(HeaderName::from_static("sec-fetch-site"));
    if site.is_some_and(|site| !matches!(site, "same-origin" | "none")) && uri.path() != "/" {
        return Err(Refusal::origin());
    }
    let Some(token) = token else { return Ok(()) };
    let bearer = text(AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
    let cookies = text(COOKIE).unwrap_or_default().split(';');
    let cookie = cookies.filter_map(|cookie| cookie.trim().split_once('='));
    let cookie = cookie.filter(|(name, _)| *name == COOKIE_NAME).map(|(_, value)| value);
    let mut given = bearer.into_iter().chain(cookie).chain(in_address(uri));
    match given.any(|given| is_same(given, token)) {
        true => Ok(()),
        false => Err(Refusal::token()),
    }
}

/// The token that an address has.
fn in_address(uri: &Uri) -> Option<&str> {
    uri.query()?.split('&').find_map(|pair| pair.strip_prefix("token="))
}

/// Whether two texts are the same, in a time that does not tell where they differ.
fn is_same(one: &str, other: &str) -> bool {
    let differ = one.bytes().zip(other.bytes()).fold(0, |differ, (a, b)| differ | (a ^ b));
    one.len() == other.len() && differ == 0
}

/// Whether a host, with or without its port, is this machine.
fn is_loopback(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split_once(']').map_or("", |(name, _)| name),
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    };
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_allowed(headers: &[(&'static str, &str)], uri: &str, token: Option<&str>) -> bool {
        let header = |&(name, value): &(&'static str, &str)| {
            (HeaderName::from_static(name), HeaderValue::from_str(value).expect("a value"))
        };
        let headers = headers.iter().map(header).collect();
        allow(&headers, &uri.parse().expect("an address"), token).is_ok()
    }

    #[test]
    fn on_loopback_names_of_loopback_are_taken() {
        for host in ["localhost", "LOCALHOST:80", "127.0.0.1:9148", "127.9.9.9", "[::1]:9148"] {
            assert!(is_allowed(&[("host", host)], "/api", None), "{host}");
        }
        for host in ["", "evil.example", "127.0.0.1.evil.example", "10.0.0.1:80", "[::2]", "["] {
            assert!(!is_allowed(&[("host", host)], "/api", None), "{host}");
        }
    }

    #[test]
    fn pages_of_other_sites_are_refused() {
        let host = ("host", "localhost:9148");
        assert!(is_allowed(&[host, ("origin", "http://localhost:9148")], "/api", None));
        assert!(!is_allowed(&[host, ("origin", "http://localhost:9149")], "/api", None));
        assert!(!is_allowed(&[host, ("origin", "null")], "/api", None));
        assert!(!is_allowed(&[host, ("sec-fetch-site", "cross-site")], "/api/games", None));
        assert!(!is_allowed(&[host, ("sec-fetch-site", "same-site")], "/api/games", None));
        // A link to the page may stand anywhere.
        assert!(is_allowed(&[host, ("sec-fetch-site", "cross-site")], "/", None));
        let elsewhere = ("host", "10.0.0.1:9148");
        let other = ("origin", "http://evil.example");
        assert!(!is_allowed(&[elsewhere, other], "/api?token=t", Some("t")));
    }

    #[test]
    fn elsewhere_each_request_brings_the_token() {
        let host = ("host", "games.example:9148");
        let token = Some("5ec2e7");
        assert!(!is_allowed(&[host], "/api", token));
        assert!(is_allowed(&[host], "/api?a=b&token=5ec2e7", token));
        assert!(is_allowed(&[host, ("authorization", "Bearer 5ec2e7")], "/api", token));
        assert!(is_allowed(&[host, ("cookie", "a=b; gdlr-token=5ec2e7")], "/api", token));
        for wrong in ["5ec2e", "5ec2e77", "", "5ec2e8"] {
            assert!(!is_allowed(&[host], &format!("/api?token={wrong}"), token), "{wrong}");
        }
    }
}
