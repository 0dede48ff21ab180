//! Whose requests are taken, and what every answer says.
//!
//! A page of another site can send requests to this machine, and a name that somebody else owns can
//! be made to lead here. So on loopback only requests are taken that are addressed to a name of
//! loopback; and none that a page of another site has sent, wherever the service listens. Where it
//! listens elsewhere, each has to bring the token. Behind a proxy, the own site is the address of
//! the proxy.

use super::options::Options;
use super::public::{PublicUrl, is_loopback};
use super::refusal::Refusal;
use super::service::Service;
use super::token::Token;
use axum::extract::{Request, State};
use axum::http::header::{
    AUTHORIZATION, CACHE_CONTROL, CONTENT_SECURITY_POLICY, COOKIE, HOST, HeaderName, HeaderValue,
    ORIGIN, REFERRER_POLICY, SET_COOKIE, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use std::sync::Arc;

/// The name of the cookie in which a browser keeps the token.
const COOKIE_NAME: &str = "gdlr-token";

/// Headers of every answer: who may show it, which resources its page may load, and that nobody keeps it.
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
    let Options { token, public, .. } = &service.options;
    let door = Door { token: token.as_ref(), public: public.as_ref() };
    let allowed = door.allow(request.headers(), request.uri());
    let cookie = door.cookie(request.uri());
    let mut response = match (allowed, door.slash(request.uri())) {
        (Ok(()), Some(page)) => Redirect::temporary(&page).into_response(),
        (Ok(()), None) => next.run(request).await,
        (Err(refusal), _) => refusal.into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if let Some(Ok(cookie)) = cookie.map(|cookie| HeaderValue::from_str(&cookie)) {
        headers.insert(SET_COOKIE, cookie);
    }
    response
}

/// The rules by which requests are let in.
struct Door<'o> {
    token: Option<&'o Token>,
    public: Option<&'o PublicUrl>,
}

impl Door<'_> {
    /// Whether a request is taken. Without a token the service is on loopback.
    fn allow(&self, headers: &HeaderMap, uri: &Uri) -> Result<(), Refusal> {
        let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
        let host = text(HOST).or(uri.authority().map(|authority| authority.as_str()));
        let host = host.unwrap_or_default();
        // Some proxies pass the host on, others say where they have found the service.
        let is_own = is_loopback(host) || self.public.is_some_and(|public| public.is_of(host));
        if self.token.is_none() && !is_own {
            return Err(Refusal::origin().with_help(BEHIND_A_PROXY));
        }
        let own = self.public.map_or_else(|| format!("http://{host}"), PublicUrl::origin);
        if text(ORIGIN).is_some_and(|origin| origin != own) {
            return Err(Refusal::origin().with_help(BEHIND_A_PROXY));
        }
        let site = text(HeaderName::from_static("sec-fetch-site"));
        let is_page = uri.path() == "/" || self.slash(uri).is_some();
        if site.is_some_and(|site| !matches!(site, "same-origin" | "none")) && !is_page {
            return Err(Refusal::origin());
        }
        let Some(token) = self.token else { return Ok(()) };
        let bearer = text(AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
        let cookies = text(COOKIE).unwrap_or_default().split(';');
        let cookie = cookies.filter_map(|cookie| cookie.trim().split_once('='));
        let cookie = cookie.filter(|(name, _)| *name == COOKIE_NAME).map(|(_, value)| value);
        let mut tokens = bearer.into_iter().chain(cookie).chain(in_address(uri));
        match tokens.any(|text| token.is(text)) {
            true => Ok(()),
            false => Err(Refusal::token()),
        }
    }

    /// The cookie for who has opened an address with the token: the page asks for all else without
    /// it.
    fn cookie(&self, uri: &Uri) -> Option<String> {
        let token =
            self.token.filter(|token| in_address(uri).is_some_and(|given| token.is(given)))?;
        let path = self.public.map(PublicUrl::prefix).filter(|prefix| !prefix.is_empty());
        let path = path.unwrap_or("/");
        let secure = if self.public.is_some_and(PublicUrl::is_secure) { "; Secure" } else { "" };
        let token = token.secret();
        Some(format!("{COOKIE_NAME}={token}; Path={path}; HttpOnly; SameSite=Strict{secure}"))
    }

    /// Where the page is, of an address that lacks the slash at its end: what the page names beside
    /// itself would be looked for a level too high.
    fn slash(&self, uri: &Uri) -> Option<String> {
        let prefix = self.public?.prefix();
        let is_page = !prefix.is_empty() && uri.path() == prefix;
        let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
        is_page.then(|| format!("{prefix}/{query}"))
    }
}

/// The help for a page that is not reached at its own address.
const BEHIND_A_PROXY: &str = "behind a proxy, start `gdlr web` with --public-url and its address";

/// The token that an address has.
fn in_address(uri: &Uri) -> Option<&str> {
    uri.query()?.split('&').find_map(|pair| pair.strip_prefix("token="))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_allowed(headers: &[(&'static str, &str)], uri: &str, token: Option<&str>) -> bool {
        is_allowed_at(None, headers, uri, token)
    }

    fn is_allowed_at(
        public: Option<&str>,
        headers: &[(&'static str, &str)],
        uri: &str,
        token: Option<&str>,
    ) -> bool {
        let token = token.map(|token| token.parse().expect("a token"));
        let public = public.map(|public| public.parse().expect("a public address"));
        let door = Door { token: token.as_ref(), public: public.as_ref() };
        let header = |&(name, value): &(&'static str, &str)| {
            (HeaderName::from_static(name), HeaderValue::from_str(value).expect("a value"))
        };
        let headers = headers.iter().map(header).collect();
        door.allow(&headers, &uri.parse().expect("an address")).is_ok()
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

    #[test]
    fn behind_a_proxy_the_own_site_is_that_of_the_proxy() {
        let at = Some("https://games.example/play/");
        // As Caddy sends it, and as nginx does.
        for host in ["games.example", "games.example:443", "127.0.0.1:9148"] {
            let host = ("host", host);
            let own = ("origin", "https://games.example");
            assert!(is_allowed_at(at, &[host], "/api", None));
            assert!(is_allowed_at(at, &[host, own], "/api", None));
            assert!(is_allowed_at(at, &[host, own], "/api?token=t", Some("t")));
            assert!(!is_allowed_at(at, &[host, own], "/api", Some("t")));
            for other in [
                "http://games.example",
                "https://games.example:8443",
                "https://evil.example",
                "http://127.0.0.1:9148",
                "null",
            ] {
                assert!(!is_allowed_at(at, &[host, ("origin", other)], "/api", None), "{other}");
            }
            // A link to the page may stand anywhere, with the slash at its end or without.
            let site = ("sec-fetch-site", "cross-site");
            assert!(is_allowed_at(at, &[host, site], "/play", None));
            assert!(!is_allowed_at(at, &[host, site], "/api/games", None));
        }
        assert!(!is_allowed_at(at, &[("host", "evil.example")], "/api", None));
    }

    #[test]
    fn the_cookie_is_that_of_the_page() {
        let cookie = |public: Option<&str>, uri: &str| {
            let token = "5ec2e7".parse().expect("a token");
            let public = public.map(|public| public.parse().expect("a public address"));
            let door = Door { token: Some(&token), public: public.as_ref() };
            door.cookie(&uri.parse().expect("an address"))
        };
        let open = "/?token=5ec2e7";
        let plain = "gdlr-token=5ec2e7; Path=/; HttpOnly; SameSite=Strict";
        assert_eq!(cookie(None, open).as_deref(), Some(plain));
        assert_eq!(cookie(Some("http://games.example"), open).as_deref(), Some(plain));
        let secure = "gdlr-token=5ec2e7; Path=/play; HttpOnly; SameSite=Strict; Secure";
        assert_eq!(cookie(Some("https://games.example/play/"), open).as_deref(), Some(secure));
        assert_eq!(cookie(None, "/"), None);
        assert_eq!(cookie(None, "/?token=5ec2e8"), None);
    }
}
