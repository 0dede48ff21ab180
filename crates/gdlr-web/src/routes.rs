//! Addresses and methods, and what is asked at each.

use super::assets::{ASSETS, Asset};
use super::body::Body;
use super::guard::guard;
use super::rates;
use super::refusal::Refusal;
use super::service::{Service, Wanted};
use super::session::{self, GivenMove, Session, StateView};
use super::stream;
use super::{drawings, info};
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router, middleware};
use gdlr_rules::bundled;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::time::Duration;

type Answer<T = Value> = Result<Json<T>, Refusal>;
type ServiceState = State<Arc<Service>>;

/// The least and the most time that players may think, in seconds.
const THINK: (f64, f64) = (0.05, 60.0);

/// The service as something that answers requests.
pub fn router(service: Arc<Service>) -> Router {
    let mut router = Router::new();
    for asset in ASSETS {
        router = router.route(asset.path, get(move || async move { file(asset) }));
    }
    router
        .route("/api", get(about))
        .route("/api/games", get(bundled).post(load))
        .route("/api/games/{game}", get(game))
        .route("/api/games/{game}/info", get(game_info))
        .route("/api/games/{game}/drawings/{drawing}", get(drawing))
        .route("/api/games/{game}/rates", get(game_rates))
        .route("/api/check", post(check))
        .route("/api/format", post(format))
        .route("/api/matches", post(open))
        .route("/api/matches/{id}", get(status).delete(end))
        .route("/api/matches/{id}/states/{step}", get(state))
        .route("/api/matches/{id}/moves", post(make_move))
        .route("/api/matches/{id}/undo", post(undo))
        .route("/api/matches/{id}/players", post(players))
        .route("/api/matches/{id}/hint", post(hint))
        .route("/api/matches/{id}/explain", post(explain))
        .route("/api/matches/{id}/rule", post(rule))
        .route("/api/matches/{id}/record", get(record))
        .route("/api/matches/{id}/events", get(events))
        .fallback(|| async { Refusal::unknown("there is nothing at this address") })
        .method_not_allowed_fallback(|| async { Refusal::method() })
        .layer(middleware::from_fn_with_state(service.clone(), guard))
        .with_state(service)
}

fn file(asset: &Asset) -> Response {
    ([(header::CONTENT_TYPE, asset.kind)], asset.text).into_response()
}

async fn about(State(service): ServiceState) -> Json<Value> {
    Json(service.about())
}

async fn bundled(State(service): ServiceState) -> Json<Value> {
    Json(service.bundled())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Load {
    name: Option<String>,
    text: Option<String>,
    obfuscate: Option<u64>,
}

async fn load(State(service): ServiceState, Body(load): Body<Load>) -> Answer {
    let work = move |service: &Service| {
        let Load { name, text, obfuscate } = load;
        let obfuscate = obfuscate.or(service.options.obfuscate);
        let loaded = match (name, text) {
            (None, None) => return Err(Refusal::request("say `name` or `text`")),
            (Some(name), None) if obfuscate.is_none() => service.game(&name)?,
            (Some(name), None) => {
                let game = bundled::find(service.options.games, &name);
                let game = game.ok_or_else(|| Refusal::unknown("there is no such game"))?;
                service.load(game.name, game.text, obfuscate)?
            }
            (name, Some(text)) => {
                let name = name.unwrap_or_else(|| "rules".to_owned());
                service.load(&name, &text, obfuscate)?
            }
        };
        Ok(Json(loaded.json()))
    };
    service.work(work).await
}

async fn game(State(service): ServiceState, Path(name): Path<String>) -> Answer {
    service.work(move |service| Ok(Json(service.game(&name)?.json()))).await
}

async fn game_info(State(service): ServiceState, Path(name): Path<String>) -> Answer {
    service.work(move |service| Ok(Json(info::info(&*service.game(&name)?)))).await
}

async fn drawing(
    State(service): ServiceState,
    Path((name, drawing)): Path<(String, String)>,
) -> Result<Response, Refusal> {
    let draw = move |service: &Service| {
        drawings::draw(&*service.game(&name)?, &drawing, &service.options.budget)
    };
    let svg = service.work(draw).await?;
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], svg).into_response())
}

#[derive(Deserialize)]
struct Rates {
    seconds: Option<f64>,
}

async fn game_rates(
    State(service): ServiceState,
    Path(name): Path<String>,
    Query(rates): Query<Rates>,
) -> Result<Response, Refusal> {
    let time = seconds(rates.seconds.unwrap_or(5.0), "seconds")?;
    let loaded = service.clone().work(move |service| service.game(&name)).await?;
    Ok(rates::of_game(service, loaded, time))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    text: String,
}

async fn check(State(service): ServiceState, Body(Text { text }): Body<Text>) -> Answer {
    service.work(move |service| service.check(&text).map(Json)).await
}

async fn format(State(service): ServiceState, Body(Text { text }): Body<Text>) -> Answer {
    service.work(move |service| service.format(&text).map(Json)).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Open {
    game: String,
    #[serde(default)]
    players: Map<String, Value>,
    think: Option<f64>,
    seed: Option<u64>,
    #[serde(default)]
    omniscient: bool,
    record: Option<Value>,
    #[serde(default)]
    playout: usize,
}

async fn open(State(service): ServiceState, Body(open): Body<Open>) -> Result<Response, Refusal> {
    let players = who_plays(&open.players)?;
    let think = seconds(open.think.unwrap_or(1.0), "think")?;
    let work = move |service: &Service| {
        let joints =
            open.record.as_ref().map(|record| session::read(&record.to_string(), open.playout));
        let session = service.open(&Wanted {
            game: &open.game,
            players,
            think,
            seed: open.seed.unwrap_or(1),
            omniscient: open.omniscient,
            joints: joints.transpose()?.unwrap_or_default(),
        })?;
        Ok((StatusCode::CREATED, Json(session.status())).into_response())
    };
    service.work(work).await
}

/// Who plays, by the names of roles.
fn who_plays(players: &Map<String, Value>) -> Result<Vec<(String, String)>, Refusal> {
    let who = |(role, who): (&String, &Value)| match who {
        Value::String(who) => Ok((role.clone(), who.clone())),
        other => Err(Refusal::request(format!("`{other}` is no name of a player"))),
    };
    players.iter().map(who).collect()
}

/// A time that somebody may think.
fn seconds(seconds: f64, key: &str) -> Result<Duration, Refusal> {
    match (THINK.0..=THINK.1).contains(&seconds) {
        true => Ok(Duration::from_secs_f64(seconds)),
        false => Err(Refusal::request(format!("`{key}` is from {} to {}", THINK.0, THINK.1))),
    }
}

/// Asks about a match what takes no time to speak of.
async fn ask<T: Send + 'static>(
    service: Arc<Service>,
    id: String,
    work: impl FnOnce(&Arc<Session>) -> Result<T, Refusal> + Send + 'static,
) -> Answer<T> {
    service.ask(move |service| work(&service.session(&id)?).map(Json)).await
}

async fn status(State(service): ServiceState, Path(id): Path<String>) -> Answer {
    ask(service, id, |session| Ok(session.status())).await
}

async fn end(State(service): ServiceState, Path(id): Path<String>) -> Answer {
    service.ask(move |service| service.end(&id).map(|()| Json(json!({})))).await
}

#[derive(Deserialize)]
struct Viewed {
    #[serde(rename = "as")]
    viewer: Option<String>,
    picture: Option<String>,
}

async fn state(
    State(service): ServiceState,
    Path((id, step)): Path<(String, String)>,
    Query(viewed): Query<Viewed>,
) -> Answer<StateView> {
    let step = match &*step {
        "now" => None,
        step => match step.parse() {
            Ok(step) => Some(step),
            Err(_) => return Err(Refusal::unknown("a state is a number of steps, or `now`")),
        },
    };
    let with_picture = viewed.picture.as_deref() != Some("no");
    ask(service, id, move |session| {
        let viewer = viewed.viewer.filter(|name| !name.is_empty());
        let viewer = viewer.map(|name| session.role(&name)).transpose()?;
        session.state(step, viewer, with_picture)
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MoveRequest {
    role: String,
    #[serde(rename = "move")]
    text: Option<String>,
    id: Option<String>,
    step: Option<usize>,
}

async fn make_move(
    State(service): ServiceState,
    Path(id): Path<String>,
    Body(request): Body<MoveRequest>,
) -> Answer {
    ask(service, id, move |session| {
        let chosen = match (request.text, request.id) {
            (Some(text), None) => GivenMove::Text(text),
            (None, Some(id)) => GivenMove::Id(id),
            _ => return Err(Refusal::request("say `move` or `id`")),
        };
        session.choose(session.role(&request.role)?, &chosen, request.step)?;
        Ok(session.status())
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Undo {
    step: Option<usize>,
}

async fn undo(
    State(service): ServiceState,
    Path(id): Path<String>,
    Body(Undo { step }): Body<Undo>,
) -> Answer {
    ask(service, id, move |session| {
        session.undo(step)?;
        Ok(session.status())
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Players {
    #[serde(default)]
    players: Map<String, Value>,
    think: Option<f64>,
    paused: Option<bool>,
}

async fn players(
    State(service): ServiceState,
    Path(id): Path<String>,
    Body(wanted): Body<Players>,
) -> Answer {
    let who = who_plays(&wanted.players)?;
    let think = wanted.think.map(|think| seconds(think, "think")).transpose()?;
    ask(service, id, move |session| {
        let who = who.iter().map(|(name, who)| Ok((session.role(name)?, session.loaded.who(who)?)));
        let who = who.collect::<Result<Vec<_>, Refusal>>()?;
        session.set_players(who, think, wanted.paused);
        Ok(session.status())
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Hint {
    role: String,
    think: f64,
}

async fn hint(
    State(service): ServiceState,
    Path(id): Path<String>,
    Body(hint): Body<Hint>,
) -> Answer {
    let think = match hint.think {
        0.0 => Duration::ZERO,
        think => seconds(think, "think")?,
    };
    ask(service, id, move |session| {
        session.hint(session.role(&hint.role)?, think)?;
        Ok(session.status())
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Explain {
    sentence: String,
    step: Option<usize>,
    does: Option<String>,
    depth: Option<usize>,
    #[serde(default)]
    negations: bool,
}

async fn explain(
    State(service): ServiceState,
    Path(id): Path<String>,
    Body(wanted): Body<Explain>,
) -> Answer {
    let Explain { sentence, step, does, depth, negations } = wanted;
    let explain = move |session: &Session| {
        session.explain(&sentence, step, does.as_deref(), depth.unwrap_or(8), negations)
    };
    service.work(move |service| explain(&*service.session(&id)?).map(Json)).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct At {
    offset: usize,
    step: Option<usize>,
}

async fn rule(State(service): ServiceState, Path(id): Path<String>, Body(at): Body<At>) -> Answer {
    let rule = move |service: &Service| service.session(&id)?.rule(at.offset, at.step).map(Json);
    service.work(rule).await
}

async fn record(State(service): ServiceState, Path(id): Path<String>) -> Answer {
    service.work(move |service| service.session(&id)?.record().map(Json)).await
}

async fn events(State(service): ServiceState, Path(id): Path<String>) -> Result<Response, Refusal> {
    let session = service.session(&id)?;
    Ok(stream::of_match(session, service.stopping.subscribe()))
}
