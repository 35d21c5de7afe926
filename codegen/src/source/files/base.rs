//! `$self`: the URI that a document gives itself, to which its references are relative (OpenAPI 3.2.0
//! §4.1.2.2).
//!
//! A document lies where its `$self` says, and so do the files beside it: a reference to the same site
//! is a path from one to the other.

use super::{is_remote, resolve};
use serde_json::Value;

/// The URI that a document gives itself.
pub(super) fn of(document: &Value) -> Option<&str> {
    let uri = document.get("$self")?.as_str()?;
    Some(uri).filter(|uri| !uri.contains('#'))
}

/// The whole URI of a file that a document with that base names; `None` where the base is none.
pub(super) fn absolute(base: Option<&str>, file: &str) -> Option<String> {
    if is_remote(file) {
        return Some(file.to_owned());
    }
    let (site, path) = split(base?)?;
    let from = if file.starts_with('/') { "" } else { path };
    Some(format!("{site}/{}", resolve(from, file)))
}

/// The path from a document with that base to a file that it names; `None` for one of another site.
pub(super) fn relative(base: Option<&str>, file: &str) -> Option<String> {
    if !is_remote(file) {
        return Some(file.to_owned());
    }
    let ((site, from), (other, to)) = (split(base?)?, split(file)?);
    if site != other {
        return None;
    }
    let mut folders: Vec<&str> = from.split('/').collect();
    folders.pop();
    let steps: Vec<&str> = to.split('/').collect();
    let shared = folders
        .iter()
        .zip(&steps)
        .take_while(|(one, other)| one == other)
        .count();
    let up = folders.iter().skip(shared).map(|_| "..");
    let path: Vec<&str> = up.chain(steps.into_iter().skip(shared)).collect();
    Some(path.join("/"))
}

/// The site of a URI, and the path after its slash.
fn split(uri: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = uri.split_once("://")?;
    let host = rest.find('/').unwrap_or(rest.len());
    let (site, path) = uri.split_at(scheme.len() + "://".len() + host);
    Some((site, path.trim_start_matches('/')))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: Option<&str> = Some("https://a.example/api/v1/openapi.yaml");

    #[test]
    fn a_reference_to_the_same_site_is_a_path() {
        let path = |file| relative(BASE, file);
        assert_eq!(path("b.yaml").as_deref(), Some("b.yaml"));
        assert_eq!(
            path("https://a.example/api/v1/x/b.yaml").as_deref(),
            Some("x/b.yaml")
        );
        assert_eq!(
            path("https://a.example/api/b.yaml").as_deref(),
            Some("../b.yaml")
        );
        assert_eq!(
            path("https://a.example/b.yaml").as_deref(),
            Some("../../b.yaml")
        );
        assert_eq!(path("https://b.example/b.yaml"), None);
        assert_eq!(relative(None, "https://a.example/b.yaml"), None);
        assert_eq!(
            relative(Some("/api/openapi.yaml"), "https://a.example/b.yaml"),
            None
        );
    }

    #[test]
    fn a_path_is_a_uri_of_the_same_site() {
        let uri = |file| absolute(BASE, file);
        assert_eq!(
            uri("../b.yaml").as_deref(),
            Some("https://a.example/api/b.yaml")
        );
        assert_eq!(uri("/b.yaml").as_deref(), Some("https://a.example/b.yaml"));
        assert_eq!(
            uri("https://b.example/b").as_deref(),
            Some("https://b.example/b")
        );
        assert_eq!(absolute(None, "b.yaml"), None);
        assert_eq!(absolute(Some("openapi.yaml"), "b.yaml"), None);
    }
}
