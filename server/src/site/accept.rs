//! What a client prefers, by the weights of RFC 9110, section 12.4.2.

use http::HeaderMap;
use http::header::{ACCEPT_ENCODING, HeaderName};

/// Whether gzip is among the codings that a client lists. A request without the header takes anything, but
/// few programs that leave it out can decode (section 12.5.3).
pub(super) fn takes_gzip(headers: &HeaderMap) -> bool {
    weights(headers, &ACCEPT_ENCODING)
        .any(|(coding, weight)| coding.eq_ignore_ascii_case("gzip") && weight > 0.0)
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
