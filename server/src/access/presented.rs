//! Reading the key header.

use http::{HeaderMap, HeaderName};

use crate::keys::Key;

/// The header that carries a key.
pub const KEY_HEADER: HeaderName = HeaderName::from_static("service-api-key");

/// What a request says about its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Presented {
    /// The header is absent.
    Nothing,
    /// The header cannot match any account: sent twice, or not of a key's form.
    Malformed,
    /// One key of the right form.
    Key(Key),
}

impl Presented {
    /// Reads the key header of a request. No lookup is made.
    pub fn in_headers(headers: &HeaderMap) -> Self {
        let mut values = headers.get_all(KEY_HEADER).iter();
        let Some(value) = values.next() else {
            return Self::Nothing;
        };
        if values.next().is_some() {
            return Self::Malformed;
        }
        value
            .to_str()
            .ok()
            .and_then(|text| Key::parse(text).ok())
            .map_or(Self::Malformed, Self::Key)
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;
    use crate::keys::demo;

    #[track_caller]
    fn check(values: &[&[u8]], expected: Presented) {
        let headers: HeaderMap = values
            .iter()
            .map(|value| (KEY_HEADER, HeaderValue::from_bytes(value).unwrap()))
            .collect();
        assert_eq!(Presented::in_headers(&headers), expected);
    }

    #[test]
    fn one_well_formed_value_is_a_key_and_nothing_else_is() {
        let key = demo::PRO.as_bytes();
        check(&[], Presented::Nothing);
        check(&[key], Presented::Key(Key::parse(demo::PRO).unwrap()));
        check(&[key, key], Presented::Malformed);
        check(&[b""], Presented::Malformed);
        check(&[b"sk_wrong"], Presented::Malformed);
        check(&[&[key, b", ", key].concat()], Presented::Malformed);
        check(&["sk_schlüssel".as_bytes()], Presented::Malformed);
    }
}
