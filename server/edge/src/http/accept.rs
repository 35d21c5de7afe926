//! The preferences of a client: `Accept` and `Accept-Encoding` with their weights (RFC 9110, section 12.4.2).

use http::HeaderMap;
use http::header::{ACCEPT, ACCEPT_ENCODING, HeaderName};

/// Whether gzip is among the codings that a client lists. A request without the header takes anything, but
/// few programs that leave it out can decode (section 12.5.3).
pub fn takes_gzip(headers: &HeaderMap) -> bool {
    weights(headers, &ACCEPT_ENCODING)
        .any(|(coding, weight)| coding.eq_ignore_ascii_case("gzip") && weight > 0.0)
}

/// Whether a client prefers a page to JSON, as browsers do. A client that takes both alike, such as `curl`,
/// does not.
pub fn prefers_html(headers: &HeaderMap) -> bool {
    let [html, json] = ["text/html", "application/json"].map(|kind| media_weight(headers, kind));
    html > json
}

/// The weight of a media type: that of the most specific range that it is in (section 12.5.1).
fn media_weight(headers: &HeaderMap, media_type: &str) -> f32 {
    let (family, _) = media_type.split_once('/').unwrap_or_default();
    let ranges = weights(headers, &ACCEPT).filter_map(|(range, weight)| {
        let specificity = match range.split_once('/')? {
            ("*", "*") => 0,
            (of, "*") if of.eq_ignore_ascii_case(family) => 1,
            _ if range.eq_ignore_ascii_case(media_type) => 2,
            _ => return None,
        };
        Some((specificity, weight))
    });
    let most_specific = ranges.max_by_key(|(specificity, _)| *specificity);
    most_specific.map_or(0.0, |(_, weight)| weight)
}

/// The members of a list with their weights, 1 where there is none.
fn weights<'a>(headers: &'a HeaderMap, name: &HeaderName) -> impl Iterator<Item = (&'a str, f32)> {
    let lines = headers.get_all(name).iter();
    let members = lines
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(','));
    members.map(|member| {
        let mut parts = member.split(';').map(str::trim);
        let value = parts.next().unwrap_or_default();
        let weight = parts.find_map(|part| part.strip_prefix("q=")?.parse().ok());
        (value, weight.unwrap_or(1.0))
    })
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn headers(name: HeaderName, value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_static(value))])
    }

    #[test]
    fn browsers_prefer_pages_and_programs_do_not() {
        for (accept, html) in [
            (
                "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
                true,
            ),
            ("text/html", true),
            ("text/*", true),
            ("TEXT/HTML;q=0.2", true),
            ("application/json;q=0.4, text/html;q=0.5", true),
            ("application/json, text/html;q=0.9", false),
            ("text/html, application/json", false),
            ("text/html;q=0, */*", false),
            ("*/*", false),
            ("", false),
            ("nonsense", false),
        ] {
            assert_eq!(prefers_html(&headers(ACCEPT, accept)), html, "{accept}");
        }
        assert!(!prefers_html(&HeaderMap::new()));
    }

    #[test]
    fn gzip_is_taken_where_it_is_listed() {
        for (codings, taken) in [
            ("br, gzip;q=0.5", true),
            ("GZIP", true),
            ("gzip;q=0, identity", false),
            ("br", false),
            ("*", false),
        ] {
            let headers = headers(ACCEPT_ENCODING, codings);
            assert_eq!(takes_gzip(&headers), taken, "{codings}");
        }
    }
}
