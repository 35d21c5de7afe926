//! The same contract by hand on axum 0.8: the same checks, the same responses.

#[path = "../pets.rs"]
mod pets;
#[path = "../plain/mod.rs"]
mod plain;
#[path = "../serve.rs"]
mod serve;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, Path, RawQuery};
use axum::response::Response;
use axum::routing::get;
use http::header::ACCEPT;
use http::{HeaderMap, HeaderValue};
use plain::issue::{Issue, Issues};
use plain::params::{Query, number, text};
use plain::{body, negotiate, refuse, refuse_invalid, respond};
use serde::Serialize;

#[derive(Serialize)]
struct Pet {
    id: i64,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    tag: Option<String>,
    age: i64,
}

#[derive(Serialize)]
struct PetPage {
    pets: Vec<Pet>,
}

fn pet(id: i64) -> Pet {
    Pet {
        id,
        name: pets::name(id),
        tag: pets::tag(id),
        age: pets::age(id),
    }
}

async fn list(RawQuery(query): RawQuery, headers: HeaderMap) -> Response<Body> {
    if let Err(refusal) = negotiate::accept(&headers) {
        return refusal;
    }
    let mut issues = Issues::default();
    let query = Query::parse(query.as_deref(), &["limit", "tag"], &mut issues);
    let limit = query
        .one("limit", &mut issues)
        .map(|limit| number(&limit, 1, 200));
    let limit = match limit {
        Some(Err(issue)) => issues.push(issue.at("query", "limit")),
        Some(Ok(limit)) => Some(limit),
        None => Some(20),
    };
    let tag = query.one("tag", &mut issues);
    if let Some(Err(issue)) = tag.as_deref().map(|tag| text(tag, 1, 20)) {
        issues.push::<()>(issue.at("query", "tag"));
    }
    let (Some(limit), true) = (limit, issues.is_empty()) else {
        return refuse_invalid(issues);
    };
    let fits = |pet: &Pet| tag.is_none() || pet.tag.as_deref() == tag.as_deref();
    let pets = (1..=limit).map(pet).filter(fits).collect();
    respond(200, &PetPage { pets })
}

async fn show(
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response<Body> {
    if let Err(refusal) = negotiate::accept(&headers) {
        return refusal;
    }
    let mut issues = Issues::default();
    let query = Query::parse(query.as_deref(), &["detail"], &mut issues);
    let id = match number(&id, 1, 1_000_000) {
        Ok(id) => Some(id),
        Err(issue) => issues.push(issue.at("path", "id")),
    };
    let detail = query.one("detail", &mut issues);
    let is_short = match detail.as_deref() {
        None | Some("full") => false,
        Some("short") => true,
        Some(_) => {
            issues.push::<()>(
                Issue::new("enum", r#"must be one of "short", "full""#).at("query", "detail"),
            );
            false
        }
    };
    if let Some(trace) = headers.get("x-trace") {
        let trace = std::str::from_utf8(trace.as_bytes()).unwrap_or_default();
        if let Err(issue) = text(trace.trim_ascii(), 0, 64) {
            issues.push::<()>(issue.at("header", "X-Trace"));
        }
    }
    let (Some(id), true) = (id, issues.is_empty()) else {
        return refuse_invalid(issues);
    };
    let mut pet = pet(id);
    if is_short {
        pet.tag = None;
    }
    respond(200, &pet)
}

async fn create(
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    bytes: Result<Bytes, BytesRejection>,
) -> Response<Body> {
    let bytes = match bytes {
        Ok(bytes) => bytes,
        Err(_) => return refuse(413, "Payload Too Large"),
    };
    if !negotiate::is_json(&headers) {
        let mut refusal = refuse(415, "Unsupported Media Type");
        let taken = HeaderValue::from_static("application/json");
        refusal.headers_mut().insert(ACCEPT, taken);
        return refusal;
    }
    if let Err(refusal) = negotiate::accept(&headers) {
        return refusal;
    }
    let mut issues = Issues::default();
    Query::parse(query.as_deref(), &[], &mut issues);
    match body::new_pet(&bytes, &mut issues) {
        Err(_) => refuse(400, "Bad Request"),
        Ok(Some(new)) if issues.is_empty() => respond(
            201,
            &Pet {
                id: 1,
                name: new.name,
                tag: new.tag,
                age: new.age,
            },
        ),
        Ok(_) => refuse_invalid(issues),
    }
}

async fn no_route() -> Response<Body> {
    refuse(404, "Not Found")
}

async fn no_method() -> Response<Body> {
    refuse(405, "Method Not Allowed")
}

fn main() {
    let router = Router::new()
        .route("/pets", get(list).post(create))
        .route("/pets/{id}", get(show))
        .fallback(no_route)
        .method_not_allowed_fallback(no_method)
        .layer(DefaultBodyLimit::max(64 << 10));
    serve::serve(router.with_state(()));
}
