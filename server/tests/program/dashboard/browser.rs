//! A browser with cookies and without scripts.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use crate::serving::Serving;
use crate::wire::Answer;

/// A browser that shows the pages of one server.
#[derive(Clone)]
pub(crate) struct Browser<'a> {
    serving: &'a Serving,
    cookies: BTreeMap<String, String>,
}

impl<'a> Browser<'a> {
    /// One without cookies.
    pub(super) fn new(serving: &'a Serving) -> Self {
        Self {
            serving,
            cookies: BTreeMap::new(),
        }
    }

    /// One in which the demo's developer is signed in.
    pub(crate) fn of_developer(serving: &'a Serving) -> Self {
        let mut browser = Self::new(serving);
        let answer = browser.post("/dashboard/sign-in/demo", &[]);
        assert_eq!(answer.status, 303, "{answer:?}");
        browser
    }

    /// One in which the demo's operator is signed in.
    pub(super) fn of_operator(serving: &'a Serving) -> Self {
        let mut browser = Self::new(serving);
        let answer = browser.post("/dashboard/sign-in/demo", &[("part", "operator")]);
        assert_eq!(answer.status, 303, "{answer:?}");
        browser
    }

    /// One in which the account of an address is signed in, by the code of its mail.
    pub(crate) fn of(serving: &'a Serving, email: &str) -> Self {
        let mut browser = Self::new(serving);
        let code = browser.mailed(email).code;
        let answer = browser.post("/dashboard/sign-in/code", &[("code", &code)]);
        assert_eq!(answer.status, 303, "{answer:?}");
        browser
    }

    /// Asks for a link, and gives the contents of the mail.
    pub(super) fn mailed(&mut self, email: &str) -> Mail {
        let answer = self.post("/dashboard/sign-in", &[("email", email)]);
        assert_eq!(answer.status, 303, "{answer:?}");
        Mail::newest(self.serving)
    }

    /// The server.
    pub(super) fn serving(&self) -> &'a Serving {
        self.serving
    }

    /// The name and the port of the server.
    fn host(&self) -> String {
        format!("localhost:{}", self.serving.api.port())
    }

    /// The origin of the dashboard.
    pub(super) fn origin(&self) -> String {
        format!("http://{}", self.host())
    }

    pub(super) fn cookie(&self, name: &str) -> Option<&str> {
        self.cookies.get(name).map(String::as_str)
    }

    pub(super) fn set_cookie(&mut self, name: &str, value: &str) {
        self.cookies.insert(name.to_owned(), value.to_owned());
    }

    /// The page at a path.
    pub(super) fn get(&mut self, path: &str) -> Answer {
        self.send("GET", path, &[], "")
    }

    /// The page at a path that shows one.
    #[track_caller]
    pub(crate) fn page(&mut self, path: &str) -> String {
        let answer = self.get(path);
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        answer.body
    }

    /// Sends a form of the site's own.
    pub(crate) fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let origin = self.origin();
        self.send("POST", path, &[("origin", &origin)], &form(fields))
    }

    /// Sends a form that does its work, and gives the page that follows.
    #[track_caller]
    pub(crate) fn page_after(&mut self, path: &str, fields: &[(&str, &str)]) -> String {
        let answer = self.post(path, fields);
        assert_eq!(answer.status, 303, "{path}: {answer:?}");
        self.page(answer.header("location").unwrap())
    }

    /// Sends a request, and keeps the cookies of its answer.
    pub(super) fn send(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Answer {
        let mut wire = self.serving.connect();
        wire.send(self.request(method, path, headers, body).as_bytes());
        let answer = match method {
            "HEAD" => wire.head(),
            _ => wire.answer(),
        };
        self.keep(&answer);
        answer
    }

    /// A form of the site's own, as it is sent.
    pub(crate) fn form(&self, path: &str, fields: &[(&str, &str)]) -> String {
        let origin = self.origin();
        self.request("POST", path, &[("origin", &origin)], &form(fields))
    }

    /// A request with the cookies, as it is sent.
    pub(crate) fn request(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> String {
        let mut head = format!("{method} {path} HTTP/1.1\r\n");
        if headers.iter().all(|(name, _)| *name != "host") {
            write!(head, "host: {}\r\n", self.host()).unwrap();
        }
        for (name, value) in headers {
            write!(head, "{name}: {value}\r\n").unwrap();
        }
        if !self.cookies.is_empty() {
            let cookies: Vec<_> = self
                .cookies
                .iter()
                .map(|(n, v)| format!("{n}={v}"))
                .collect();
            write!(head, "cookie: {}\r\n", cookies.join("; ")).unwrap();
        }
        if method == "POST" {
            head.push_str("content-type: application/x-www-form-urlencoded\r\n");
            write!(head, "content-length: {}\r\n", body.len()).unwrap();
        }
        format!("{head}\r\n{body}")
    }

    fn keep(&mut self, answer: &Answer) {
        for line in answer.headers_named("set-cookie") {
            let (pair, attributes) = line.split_once(';').unwrap();
            let (name, value) = pair.split_once('=').unwrap();
            if attributes.contains("Max-Age=0") {
                self.cookies.remove(name);
            } else {
                self.set_cookie(name, value);
            }
        }
    }
}

/// A mail with a link and a code.
#[derive(Debug)]
pub(super) struct Mail {
    /// The path of the link, with its token.
    pub(super) link: String,
    pub(super) code: String,
}

impl Mail {
    /// The newest mail of a demo.
    #[track_caller]
    pub(super) fn newest(serving: &Serving) -> Self {
        let page = Browser::new(serving).page("/dashboard/demo/mail");
        let token = between(&page, "/dashboard/sign-in/link?token=", |c| {
            c.is_ascii_alphanumeric() || "-_".contains(c)
        });
        let is_code = |line: &&str| line.len() == 9 && line.as_bytes()[4] == b'-';
        let code = page.lines().find(is_code).unwrap();
        Self {
            link: format!("/dashboard/sign-in/link?token={token}"),
            code: code.to_owned(),
        }
    }
}

impl Browser<'_> {
    /// Makes a project, and gives its id.
    #[track_caller]
    pub(crate) fn makes_project(&mut self, name: &str) -> String {
        let answer = self.post("/dashboard/projects", &[("name", name)]);
        assert_eq!(answer.status, 303, "{answer:?}");
        let location = answer.header("location").unwrap();
        between(location, "/dashboard/projects/", of_id).to_owned()
    }

    /// Issues a key, and gives its text.
    #[track_caller]
    pub(super) fn issues_key(&mut self, project: &str, label: &str, expiry: &str) -> String {
        let nonce = self.nonce(&format!("/dashboard/projects/{project}/keys/new"));
        let fields = [("nonce", &*nonce), ("label", label), ("expiry", expiry)];
        let answer = self.post(&format!("/dashboard/projects/{project}/keys"), &fields);
        assert_eq!(answer.status, 200, "{answer:?}");
        shown_key(&answer.body)
    }

    /// Asks for a tier of a project.
    #[track_caller]
    pub(super) fn asks_for_tier(&mut self, project: &str, tier: &str) {
        let path = format!("/dashboard/projects/{project}/tier");
        let answer = self.post(&path, &[("tier", tier), ("reason", "We grow.")]);
        assert_eq!(answer.status, 303, "{answer:?}");
    }

    /// The nonce of the form on a page.
    #[track_caller]
    pub(crate) fn nonce(&mut self, path: &str) -> String {
        let page = self.page(path);
        between(&page, "name=\"nonce\" value=\"", of_id).to_owned()
    }

    /// The id of the first key of a project whose row has this label.
    #[track_caller]
    pub(super) fn key_labelled(&mut self, project: &str, label: &str) -> String {
        let page = self.page(&format!("/dashboard/projects/{project}/keys"));
        let row = page
            .split("<tr>")
            .skip(1)
            .find(|row| row.contains(label) && row.contains("/revoke"))
            .unwrap_or_else(|| panic!("no key {label}: {page}"));
        between(row, "/keys/", of_id).to_owned()
    }
}

/// The key that a page shows once.
#[track_caller]
pub(super) fn shown_key(page: &str) -> String {
    format!(
        "sk_{}",
        between(page, "<code>sk_", |c| c.is_ascii_alphanumeric())
    )
}

/// Whether a character belongs to an id.
pub(super) fn of_id(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-'
}

/// The text after the first `start`, as far as it is made of such characters.
#[track_caller]
pub(super) fn between<'t>(text: &'t str, start: &str, belongs: impl Fn(char) -> bool) -> &'t str {
    let (_, rest) = text
        .split_once(start)
        .unwrap_or_else(|| panic!("no {start} in {text}"));
    let end = rest.find(|c| !belongs(c)).unwrap_or(rest.len());
    &rest[..end]
}

/// The fields as a form sends them.
fn form(fields: &[(&str, &str)]) -> String {
    let encode = |text| utf8_percent_encode(text, NON_ALPHANUMERIC);
    let pairs = fields
        .iter()
        .map(|(name, value)| format!("{name}={}", encode(value)));
    pairs.collect::<Vec<_>>().join("&")
}
