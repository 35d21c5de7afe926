//! Samples of requests in the published document: the extension `x-codeSamples`, as Redoc, Scalar and others
//! show it.
//!
//! A sample is a whole program. It sends the arguments that the operation requires and no others, with the
//! document's own examples; credentials come from environment variables. An operation for which the document
//! lacks a value has no samples, and one that has samples already keeps them.

mod curl;
mod http_request;
mod javascript;
mod python;
mod text;

use crate::DEFAULT_CRATE_NAME;
use crate::ir::{Api, ExampleRequest, Name, Operation};
use crate::rust;
use http_request::HttpRequest;
use serde_json::{Map, Value, json};
use std::str::FromStr;

const EXTENSION: &str = "x-codeSamples";

/// A language of samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SampleLanguage {
    /// A command line of `curl`.
    Curl,
    /// JavaScript with `fetch`, for Node.
    JavaScript,
    /// Python with its standard library.
    Python,
    /// Rust with the generated client.
    Rust,
}

impl SampleLanguage {
    /// All languages, in the order in which samples stand.
    pub const ALL: [SampleLanguage; 4] = [Self::Curl, Self::JavaScript, Self::Python, Self::Rust];

    /// Its name in lower case.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Curl => "curl",
            Self::JavaScript => "javascript",
            Self::Python => "python",
            Self::Rust => "rust",
        }
    }

    /// Its names in `x-codeSamples`: the language for highlighting, and the label.
    fn shown(self) -> (&'static str, &'static str) {
        match self {
            Self::Curl => ("Shell", "curl"),
            Self::JavaScript => ("JavaScript", "JavaScript"),
            Self::Python => ("Python", "Python"),
            Self::Rust => ("Rust", "Rust"),
        }
    }
}

impl FromStr for SampleLanguage {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut all = Self::ALL.into_iter();
        all.find(|language| language.name() == text)
            .ok_or_else(|| format!("there are no samples in `{text}`"))
    }
}

/// The published document with samples in these languages.
pub(crate) fn published(api: &Api, languages: &[SampleLanguage], crate_name: &str) -> Value {
    let mut document = api.document.clone();
    if languages.is_empty() {
        return document;
    }
    let crate_name = client_crate(api, crate_name);
    for operation in &api.operations {
        if let Some(place) = place(&mut document, operation)
            && !place.contains_key(EXTENSION)
            && let Some(samples) = samples(api, operation, languages, &crate_name)
        {
            place.insert(EXTENSION.to_owned(), samples);
        }
    }
    document
}

/// The name of the crate that readers generate from the document: its title, unless the crate here has a name of its
/// own.
fn client_crate(api: &Api, crate_name: &str) -> String {
    let title = Name::of(&api.title).ascii().snake().replace('_', "-");
    match crate_name == DEFAULT_CRATE_NAME && !title.is_empty() {
        true => title,
        false => crate_name.to_owned(),
    }
}

/// The operation in the document. Where its path is a reference, several paths may share it.
fn place<'a>(document: &'a mut Value, operation: &Operation) -> Option<&'a mut Map<String, Value>> {
    let path = document.get_mut("paths")?.get_mut(&operation.path)?;
    let field = operation.method.to_ascii_lowercase();
    let additional = ["additionalOperations", &operation.method];
    let steps: &[&str] = match path.get(&field) {
        Some(_) if operation.method != field => &[&field],
        _ => &additional,
    };
    let found = steps
        .iter()
        .try_fold(path, |value, step| value.get_mut(*step));
    found?.as_object_mut()
}

fn samples(
    api: &Api,
    operation: &Operation,
    languages: &[SampleLanguage],
    crate_name: &str,
) -> Option<Value> {
    let request = api.example_request(operation)?;
    let http = HttpRequest::of(api, &request);
    let each = languages.iter().map(|language| {
        let (lang, label) = language.shown();
        let source = source(api, *language, &request, &http, crate_name);
        json!({ "lang": lang, "label": label, "source": source })
    });
    Some(each.collect())
}

fn source(
    api: &Api,
    language: SampleLanguage,
    request: &ExampleRequest<'_>,
    http: &HttpRequest,
    crate_name: &str,
) -> String {
    match language {
        SampleLanguage::Curl => curl::source(http),
        SampleLanguage::JavaScript => javascript::source(http),
        SampleLanguage::Python => python::source(http),
        SampleLanguage::Rust => rust::sample(api, request, crate_name),
    }
}
