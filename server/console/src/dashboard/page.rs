//! The layout of pages and redirects, as responses.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use askama::filters::HtmlSafe;
use askama::{DynTemplate, Template};
use axum::extract::Request;
use axum::response::{Html, IntoResponse as _, Redirect, Response};
use http::header::{ALLOW, RETRY_AFTER};
use http::{Method, StatusCode, Uri};

use super::context::Shared;
use super::notice::Notice;
use super::page_error::{PageError, Words};
use super::projects::ProjectView;
use super::return_path;
use super::session::Session;
use super::sidebar::Sidebar;
use crate::site::Shell;
use features::projects::ProjectId;

/// A page as a response, or the error that becomes a page.
pub(super) type PageResult = Result<Response, PageError>;

/// The layout of a page, and the status of its response.
///
/// The template of a page is its body alone; its title is an argument of [`Frame::page`].
pub(super) struct Frame<'a> {
    pub(super) shell: Shell<'a>,
    /// The navigation beside the page; without it, the page is a narrow column.
    side: Option<Sidebar>,
    /// Links to the pages above this one: their texts and paths.
    crumbs: Vec<(String, String)>,
    styles: Vec<&'static str>,
    scripts: Vec<&'static str>,
    /// The URL that the browser goes on to.
    refresh: Option<&'a str>,
    /// The query in the search field.
    query: &'a str,
    status: StatusCode,
    retry_after: Option<Duration>,
}

#[derive(Template)]
#[template(path = "dashboard/frame.html")]
struct Framed<'a> {
    shell: &'a Shell<'a>,
    frame: &'a Frame<'a>,
    title: &'a str,
    body: Body<'a>,
}

struct Body<'a>(&'a dyn DynTemplate);

impl fmt::Display for Body<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.dyn_render_into(f).map_err(|_| fmt::Error)
    }
}

/// The template of the body has escaped its values.
impl HtmlSafe for Body<'_> {}

impl<'a> Frame<'a> {
    /// The layout of a page without a sidebar, such as the sign-in.
    pub(super) fn narrow(shell: Shell<'a>) -> Self {
        Self {
            shell,
            side: None,
            crumbs: Vec::new(),
            styles: Vec::new(),
            scripts: Vec::new(),
            refresh: None,
            query: "",
            status: StatusCode::OK,
            retry_after: None,
        }
    }

    /// The layout of a page for everyone, in the response to a request for `uri`: its links are relative to it.
    pub(super) fn public(context: &'a Shared, uri: &Uri) -> Self {
        Self::narrow(Shell::new(&context.info, uri.path()))
    }

    /// The layout of a page with a sidebar.
    pub(super) fn with_sidebar(shell: Shell<'a>, side: Sidebar) -> Self {
        Self {
            side: Some(side),
            scripts: vec!["copy.js", "search.js", "time.js"],
            ..Self::narrow(shell)
        }
    }

    /// Adds a link to the page above this one.
    pub(super) fn below(mut self, text: impl Into<String>, path: impl Into<String>) -> Self {
        self.crumbs.push((text.into(), path.into()));
        self
    }

    pub(super) fn style(mut self, file: &'static str) -> Self {
        self.styles.push(file);
        self
    }

    pub(super) fn script(mut self, file: &'static str) -> Self {
        self.scripts.push(file);
        self
    }

    pub(super) fn query(mut self, query: &'a str) -> Self {
        self.query = query;
        self
    }

    /// Has the browser go on to another site.
    pub(super) fn refresh(mut self, url: &'a str) -> Self {
        self.refresh = Some(url);
        self
    }

    /// Responds with 422 if a form has an error.
    pub(super) fn rejected_if(mut self, is_rejected: bool) -> Self {
        if is_rejected {
            self.status = StatusCode::UNPROCESSABLE_ENTITY;
        }
        self
    }

    /// Responds with 429, for a limit that lasts for `wait` at most.
    pub(super) fn limited(mut self, wait: Duration) -> Self {
        self.status = StatusCode::TOO_MANY_REQUESTS;
        self.retry_after = Some(wait);
        self
    }

    /// Responds with 503: another server does not respond.
    pub(super) fn unavailable(mut self) -> Self {
        self.status = StatusCode::SERVICE_UNAVAILABLE;
        self
    }

    pub(super) fn page(&self, title: &str, body: &dyn DynTemplate) -> PageResult {
        let mut html = String::with_capacity(Framed::SIZE_HINT + body.size_hint());
        let page = Framed {
            shell: &self.shell,
            frame: self,
            title,
            body: Body(body),
        };
        page.render_into(&mut html)?;
        let mut response = (self.status, Html(html)).into_response();
        if let Some(wait) = self.retry_after {
            let headers = response.headers_mut();
            headers.insert(RETRY_AFTER, wait.as_secs().into());
        }
        Ok(response)
    }
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
    words: &'a Words,
    /// Links to remedies: their texts and paths.
    links: Vec<(&'static str, String)>,
    origin: &'a str,
    names_address: bool,
}

/// What was asked for where an error is answered.
pub(super) struct Asked {
    pub(super) uri: Uri,
    sends_form: bool,
    /// The page to return to after a sign-in.
    return_path: Option<String>,
}

impl Asked {
    pub(super) fn of(request: &Request) -> Self {
        Self {
            uri: request.uri().clone(),
            sends_form: *request.method() == Method::POST,
            return_path: return_path::of_request(request),
        }
    }
}

/// The project that a path is below.
fn project_of(path: &str) -> Option<ProjectId> {
    let below = path.strip_prefix("/dashboard/projects/")?;
    let id = below.split('/').next()?;
    id.parse().ok().map(ProjectId)
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

/// The page of an error, instead of the `bare` response to it; in the layout of an account where its
/// session is known, and of the project that the path names.
pub(super) async fn error(
    context: &Shared,
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
    let project = match (session, project_of(asked.uri.path())) {
        (Some(session), Some(id)) => ProjectView::find(session, id).await.ok(),
        _ => None,
    };
    let frame = match (session, &project) {
        (Some(session), Some(project)) => session.frame_of(project),
        (Some(session), None) => session.frame(),
        (None, _) => Frame::public(context, &asked.uri),
    };
    let words = &error.words();
    let page = ErrorPage {
        words,
        links: error.links(project.map(|it| ProjectId(it.id))),
        origin: context.public.origin(),
        names_address: error == PageError::WrongHost,
    };
    // Without its page an error is still a status.
    let Ok(mut response) = frame.page(words.title, &page) else {
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
