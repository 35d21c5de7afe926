//! Pages and redirects as responses.

use std::error::Error;
use std::time::Duration;

use askama::Template;
use axum::extract::Request;
use axum::response::{Html, IntoResponse as _, Redirect, Response};
use http::header::{ALLOW, RETRY_AFTER};
use http::{Method, StatusCode};

use super::context::Context;
use super::notice::Notice;
use super::page_error::{PageError, Words};
use super::return_path;
use super::sidebar::Sidebar;
use super::signed_in::Session;
use crate::site::Shell;

/// A page as a response, or the error that becomes a page.
pub(super) type PageResult = Result<Response, PageError>;

/// A page.
pub(super) fn page(template: &impl Template) -> PageResult {
    Ok(Html(template.render()?).into_response())
}

/// A form again, with its errors.
pub(super) fn refused(template: &impl Template) -> PageResult {
    Ok((StatusCode::UNPROCESSABLE_ENTITY, Html(template.render()?)).into_response())
}

/// A form again, above a limit that lasts for `wait` at most.
pub(super) fn limited(template: &impl Template, wait: Duration) -> PageResult {
    let headers = [(RETRY_AFTER, wait.as_secs())];
    let page = Html(template.render()?);
    Ok((StatusCode::TOO_MANY_REQUESTS, headers, page).into_response())
}

/// A page that says that something else than this server does not answer.
pub(super) fn unavailable(template: &impl Template) -> PageResult {
    let page = Html(template.render()?);
    Ok((StatusCode::SERVICE_UNAVAILABLE, page).into_response())
}

/// The page that follows a form: 303, so that reloading it sends nothing again.
pub(super) fn see_other(path: &str) -> Response {
    Redirect::to(path).into_response()
}

/// An error of a use case as a sentence of a page.
pub(super) fn sentence(error: &impl Error) -> String {
    let text = error.to_string();
    let mut letters = text.chars();
    let first = letters.next().map(|it| it.to_ascii_uppercase());
    first.into_iter().chain(letters).chain(['.']).collect()
}

#[derive(Template)]
#[template(path = "dashboard/error.html")]
struct ErrorPage<'a> {
    shell: Shell<'a>,
    /// The navigation beside the page, if somebody is signed in.
    side: Option<Sidebar>,
    words: Words,
    /// Links to remedies: their texts and paths.
    links: Vec<(&'static str, String)>,
    origin: &'a str,
    names_address: bool,
}

/// What was asked for where an error is answered.
pub(super) struct Asked {
    /// The path of the request.
    pub(super) path: String,
    /// Whether it sends a form.
    sends_form: bool,
    /// The page to return to after a sign-in.
    return_path: Option<String>,
}

impl Asked {
    pub(super) fn of(request: &Request) -> Self {
        Self {
            path: request.uri().path().to_owned(),
            sends_form: *request.method() == Method::POST,
            return_path: return_path::of_request(request),
        }
    }
}

/// The page to sign in on, if that is what an error asks for. A form was not done then, which the page says.
fn sign_in(asked: &Asked, error: PageError) -> Option<Response> {
    let (path, undone) = match error {
        PageError::SignedOut => ("/dashboard/sign-in", Notice::SignedOut),
        PageError::NotRecent => ("/dashboard/step-up", Notice::NotRecent),
        PageError::NoPasskey => return Some(see_other("/dashboard/operator/passkey")),
        _ => return None,
    };
    Some(match asked.sends_form {
        true => undone.see_other(path),
        false => see_other(path),
    })
}

/// The page of an error, in the place of the `bare` response to it; in the frame of an account where its
/// session is known.
pub(super) fn error(
    context: &Context,
    asked: &Asked,
    session: Option<&Session>,
    error: PageError,
    bare: Response,
) -> Response {
    if let Some(mut response) = sign_in(asked, error) {
        if let Some(path) = &asked.return_path {
            return_path::keep(context, &mut response, path);
        }
        return response;
    }
    let template = ErrorPage {
        shell: match session {
            Some(session) => session.shell(context),
            None => Shell::new(&context.info, &asked.path),
        },
        side: session.map(Session::side),
        words: error.words(),
        links: error.links(),
        origin: context.public.origin(),
        names_address: error == PageError::WrongHost,
    };
    // Without its page an error is still a status.
    let Ok(mut response) = page(&template) else {
        return bare;
    };
    *response.status_mut() = bare.status();
    for name in [ALLOW, RETRY_AFTER] {
        if let Some(value) = bare.headers().get(&name) {
            response.headers_mut().insert(name, value.clone());
        }
    }
    response
}
