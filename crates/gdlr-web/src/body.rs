//! The JSON of a request, read with patience and limits.

use super::refusal::Refusal;
use super::service::Service;
use axum::body::to_bytes;
use axum::extract::{FromRequest, Request};
use axum::http::header::CONTENT_TYPE;
use serde::de::DeserializeOwned;
use std::error::Error;
use std::sync::Arc;
use tokio::time::timeout;

/// The JSON of a request.
pub struct Body<T>(pub T);

impl<T: DeserializeOwned> FromRequest<Arc<Service>> for Body<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, service: &Arc<Service>) -> Result<Self, Refusal> {
        // A form of another site cannot send this type without asking.
        let kind = request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        let kind = kind.and_then(|kind| kind.split(';').next()).unwrap_or_default().trim();
        if !kind.eq_ignore_ascii_case("application/json") {
            return Err(Refusal::request("say `Content-Type: application/json`"));
        }
        let most = service.options.max_bytes;
        let bytes = timeout(service.options.patience, to_bytes(request.into_body(), most));
        let bytes = bytes.await.map_err(|_| Refusal::slow())?;
        let bytes = bytes.map_err(|error| match is_too_large(&error) {
            true => Refusal::large(most),
            false => Refusal::request("the request broke off"),
        })?;
        let body = serde_json::from_slice(&bytes);
        body.map(Body).map_err(|error| Refusal::request(error.to_string()))
    }
}

fn is_too_large(error: &axum::Error) -> bool {
    let mut sources = std::iter::successors(error.source(), |&error| error.source());
    sources.any(|error| error.is::<http_body_util::LengthLimitError>())
}
