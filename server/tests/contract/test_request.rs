//! Handmade requests, which the typed client cannot express, and their responses.

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request};
use serde_json::Value;

use super::world::World;

/// A request under construction.
#[derive(Clone)]
pub struct TestRequest {
    pub method: Method,
    /// Path and query below the contract's base path.
    pub target: String,
    pub headers: HeaderMap,
    pub body: Bytes,
}

/// An answer that the contract allows in every respect.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Bytes,
}

/// One violation in a validation error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Issue {
    pub place: String,
    /// A parameter's name or a pointer into the body.
    pub at: String,
    pub keyword: String,
    pub message: String,
}

impl TestRequest {
    pub fn new(method: &str, target: impl Into<String>) -> TestRequest {
        TestRequest {
            method: method.parse().unwrap(),
            target: target.into(),
            headers: HeaderMap::new(),
            body: Bytes::new(),
        }
    }

    pub fn get(target: impl Into<String>) -> TestRequest {
        TestRequest::new("GET", target)
    }

    /// A `POST /configs` with a body of JSON.
    pub fn create(body: &Value) -> TestRequest {
        TestRequest::new("POST", "/configs").json(body.to_string())
    }

    pub fn method(mut self, method: &str) -> TestRequest {
        self.method = method.parse().unwrap();
        self
    }

    pub fn header(mut self, name: &'static str, value: &str) -> TestRequest {
        let value = HeaderValue::from_str(value).unwrap();
        self.headers.insert(HeaderName::from_static(name), value);
        self
    }

    pub fn key(self, key: &str) -> TestRequest {
        self.header("service-api-key", key)
    }

    /// Sets the address that the request comes from.
    pub fn from(self, address: &str) -> TestRequest {
        self.header("x-forwarded-for", address)
    }

    pub fn accept(self, media: &str) -> TestRequest {
        self.header("accept", media)
    }

    pub fn json(self, body: impl Into<Bytes>) -> TestRequest {
        self.body("application/json", body)
    }

    pub fn body(mut self, content_type: &str, body: impl Into<Bytes>) -> TestRequest {
        self.body = body.into();
        self.header("content-type", content_type)
    }

    /// Adds one more query parameter, already encoded.
    pub fn query(mut self, name: &str, encoded: &str) -> TestRequest {
        let mark = if self.target.contains('?') { '&' } else { '?' };
        self.target = format!("{}{mark}{name}={encoded}", self.target);
        self
    }

    /// The request as it goes to a server at `base`.
    pub fn request(&self, base: &str) -> Request<Bytes> {
        let mut request = Request::builder()
            .method(self.method.clone())
            .uri(format!("{base}/api/v1{}", self.target))
            .body(self.body.clone())
            .unwrap();
        *request.headers_mut() = self.headers.clone();
        request
    }

    /// Sends it and has the answer checked.
    pub async fn of(&self, world: &World) -> Answer {
        let request = self.request(&world.base);
        let answer = world.sender.send(request).await.expect("an answer");
        let (parts, body) = answer.into_parts();
        Answer {
            status: parts.status.as_u16(),
            headers: parts.headers,
            body,
        }
    }

    /// Sends it and expects a status.
    pub async fn expect(&self, world: &World, status: u16) -> Answer {
        let answer = self.of(world).await;
        let text = String::from_utf8_lossy(&answer.body);
        let (method, target) = (&self.method, &self.target);
        assert_eq!(answer.status, status, "{method} {target}: {text}");
        answer
    }
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("a body of JSON")
    }

    /// The body's `code`.
    pub fn code(&self) -> String {
        self.json()["code"].as_str().unwrap_or_default().to_owned()
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    /// A header that is a number.
    pub fn number(&self, name: &str) -> i64 {
        let text = self.header(name);
        text.unwrap_or_else(|| panic!("{name} is missing"))
            .parse()
            .unwrap()
    }

    /// The violations that a validation error lists.
    pub fn issues(&self) -> Vec<Issue> {
        let body = self.json();
        let issues = body["data"]["issues"].as_array().expect("issues");
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let read = |issue: &Value| Issue {
            place: text(&issue["in"]),
            at: match &issue["parameter"] {
                Value::Null => text(&issue["pointer"]),
                parameter => text(parameter),
            },
            keyword: text(&issue["keyword"]),
            message: text(&issue["message"]),
        };
        issues.iter().map(read).collect()
    }
}
