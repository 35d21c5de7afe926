//! The classes of statuses that requests are counted by.

use http::StatusCode;

db::named! {
    /// The class of a response's status. The names are used in the database, in CSV and on pages; the
    /// order is that of tables and charts.
    pub enum StatusClass {
        Success = "2xx",
        /// Only 304 in the API.
        NotModified = "3xx",
        /// 4xx except 429.
        ClientError = "4xx",
        ServerError = "5xx",
        /// The client disconnected before the response.
        HungUp = "hung up",
        /// Rejected by the rate limit: not admitted, and counted towards no limit.
        Refused = "429",
    }
}

impl StatusClass {
    /// The class of a status, or of no response.
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_status_has_a_class() {
        let class = |status| StatusClass::of(StatusCode::from_u16(status).ok());
        assert_eq!(class(204), StatusClass::Success);
        assert_eq!(class(304), StatusClass::NotModified);
        assert_eq!(class(403), StatusClass::ClientError);
        assert_eq!(class(429), StatusClass::Refused);
        assert_eq!(class(503), StatusClass::ServerError);
        assert_eq!(StatusClass::of(None), StatusClass::HungUp);
        for class in StatusClass::ALL {
            assert_eq!(class.is_admitted(), class != StatusClass::Refused);
        }
    }
}
