//! The classes of statuses that requests are counted by.

use std::str::FromStr;

use http::StatusCode;

/// The class of the status that a request was answered with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StatusClass {
    /// 2xx.
    Success,
    /// 3xx, of which the API has 304 alone.
    NotModified,
    /// 4xx, apart from a refusal by the rate limit.
    ClientError,
    /// 5xx.
    ServerError,
    /// The client hung up before it was answered.
    HungUp,
    /// 429: refused by the rate limit. It was not admitted, and counts towards no limit.
    Refused,
}

db::text_column!(StatusClass);

/// Text that names no class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("is no class of statuses")]
pub struct UnknownClass;

impl StatusClass {
    /// All of them, in the order of tables and charts.
    pub const ALL: [Self; 6] = [
        Self::Success,
        Self::NotModified,
        Self::ClientError,
        Self::ServerError,
        Self::HungUp,
        Self::Refused,
    ];

    /// The class of a status, or of no answer.
    pub fn of(status: Option<StatusCode>) -> Self {
        match status.map(|status| status.as_u16()) {
            None => Self::HungUp,
            Some(429) => Self::Refused,
            Some(500..) => Self::ServerError,
            Some(400..) => Self::ClientError,
            Some(300..) => Self::NotModified,
            Some(_) => Self::Success,
        }
    }

    /// Whether requests of the class were admitted.
    pub fn is_admitted(self) -> bool {
        self != Self::Refused
    }

    /// Its name in the database, in CSV and on pages.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Success => "2xx",
            Self::NotModified => "3xx",
            Self::ClientError => "4xx",
            Self::ServerError => "5xx",
            Self::HungUp => "hung up",
            Self::Refused => "429",
        }
    }
}

impl FromStr for StatusClass {
    type Err = UnknownClass;

    fn from_str(name: &str) -> Result<Self, UnknownClass> {
        let named = Self::ALL.into_iter().find(|class| class.as_str() == name);
        named.ok_or(UnknownClass)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_status_has_a_class_and_every_class_a_name() {
        let class = |status| StatusClass::of(StatusCode::from_u16(status).ok());
        assert_eq!(class(204), StatusClass::Success);
        assert_eq!(class(304), StatusClass::NotModified);
        assert_eq!(class(403), StatusClass::ClientError);
        assert_eq!(class(429), StatusClass::Refused);
        assert_eq!(class(503), StatusClass::ServerError);
        assert_eq!(StatusClass::of(None), StatusClass::HungUp);
        for class in StatusClass::ALL {
            assert_eq!(class.as_str().parse(), Ok(class));
            assert_eq!(class.is_admitted(), class != StatusClass::Refused);
        }
        assert_eq!("6xx".parse::<StatusClass>(), Err(UnknownClass));
    }
}
