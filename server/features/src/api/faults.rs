//! The texts of the responses that no handler gives.

use edge::http::RequestContext;
use generated::models::{self, OpenValidationLocation, ValidationLocation};
use generated::runtime::{Issue, Place};
use generated::service::Faults;

use super::Api;

impl Faults for Api {
    fn no_such_route(&self) -> models::RouteError {
        models::RouteError::new(format!("No operation has this path. {}", self.documented()))
    }

    fn method_not_allowed(&self) -> models::MethodError {
        let docs = self.documented();
        let message =
            format!("The path does not support this method. Use a method in Allow. {docs}");
        models::MethodError::new(message)
    }

    fn not_acceptable(&self) -> models::NotAcceptableError {
        let message = "The operation produces none of the media types in Accept.";
        models::NotAcceptableError::new(message.into())
    }

    fn body_too_large(&self, limit: u64) -> models::PayloadTooLargeError {
        models::PayloadTooLargeError::new(format!("The body exceeds {limit} bytes."))
    }

    fn media_type_not_taken(&self, consumes: &[&'static str]) -> models::UnsupportedMediaTypeError {
        let types = consumes.join(" or ");
        models::UnsupportedMediaTypeError::new(format!(
            "The body must be uncompressed {types} in UTF-8."
        ))
    }

    fn not_json(
        &self,
        reason: &'static str,
        line: usize,
        column: usize,
    ) -> models::InvalidJsonError {
        let place = if line > 0 {
            format!(", at line {line}, column {column}")
        } else {
            String::new()
        };
        models::InvalidJsonError::new(format!("The body {reason}{place}."))
    }

    fn invalid(&self, issues: &[Issue]) -> models::ValidationError {
        let message = first_violation(issues);
        let issues = issues.iter().map(issue).collect();
        let data = models::ValidationData::new(message.clone(), issues);
        models::ValidationError::new(message, data)
    }

    fn credential_missing(&self) -> models::MissingApiKeyError {
        let mut error =
            "This operation requires an API key in the service-api-key header.".to_owned();
        let misplaced = RequestContext::current().and_then(|context| context.misplaced_key());
        if let Some(header) = misplaced {
            error += &format!(" The {header} header is ignored.");
        }
        models::MissingApiKeyError::new(error)
    }

    fn credential_invalid(&self) -> models::InvalidApiKeyError {
        let error =
            "The API key is unknown, expired, disabled or revoked, or its project is suspended.";
        models::InvalidApiKeyError::new(error.into())
    }

    fn rate_limited(&self) -> models::RateLimitError {
        let error =
            "Too many requests in the last 60 seconds. Retry after the seconds in Retry-After.";
        models::RateLimitError::new(error.into())
    }

    fn internal(&self) -> models::InternalServerError {
        let message =
            "An unexpected error occurred. If it persists, contact us with the X-Request-Id.";
        models::InternalServerError::new(message.into())
    }

    fn unavailable(&self) -> models::ServiceUnavailableError {
        let message = "The service is unavailable. Retry after the seconds in Retry-After.";
        models::ServiceUnavailableError::new(message.into())
    }
}

impl Api {
    /// A sentence that leads to the documentation.
    fn documented(&self) -> String {
        format!(
            "See the documentation at {}/docs/.",
            self.identity.public_base_url
        )
    }
}

/// The first violation of a request, as a sentence.
fn first_violation(issues: &[Issue]) -> String {
    let Some(first) = issues.first() else {
        return "The request is invalid.".to_owned();
    };
    let Issue {
        place, at, message, ..
    } = first;
    let more = match issues.len() - 1 {
        0 => String::new(),
        1 => "; 1 more violation is in data.issues".to_owned(),
        more if issues.len() == Issue::CAP => {
            format!("; at least {more} more violations are in data.issues")
        }
        more => format!("; {more} more violations are in data.issues"),
    };
    match at.is_empty() {
        true => format!("The {place} {message}{more}."),
        false => format!("{at} in the {place} {message}{more}."),
    }
}

fn issue(issue: &Issue) -> models::ValidationIssue {
    let location = match issue.place {
        Place::Path => ValidationLocation::Path,
        Place::Query => ValidationLocation::Query,
        // The contract has no cookie parameters.
        Place::Header | Place::Cookie => ValidationLocation::Header,
        Place::Body => ValidationLocation::Body,
    };
    let is_body = location == ValidationLocation::Body;
    models::ValidationIssue {
        r#in: OpenValidationLocation::ValidationLocation(location),
        parameter: (!is_body).then(|| issue.at.clone()),
        pointer: is_body.then(|| issue.at.clone()),
        keyword: keyword(issue.keyword),
        message: issue.message.clone(),
    }
}

fn keyword(name: &str) -> models::ValidationKeyword {
    match serde_json::from_value(name.into()) {
        Ok(rule) => models::ValidationKeyword::ValidationRule(rule),
        Err(_) => models::ValidationKeyword::String(name.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_names_the_first_violation() {
        let issue = |place, at: &str| Issue {
            place,
            at: at.to_owned(),
            keyword: "maximum",
            message: "must be at most 200".to_owned(),
        };
        let limit = issue(Place::Query, "limit");
        for (issues, expected) in [
            (
                vec![limit.clone()],
                "limit in the query must be at most 200.",
            ),
            (
                vec![issue(Place::Body, ""), limit.clone()],
                "The body must be at most 200; 1 more violation is in data.issues.",
            ),
            (
                vec![issue(Place::Body, "/a/0"), limit.clone(), limit.clone()],
                "/a/0 in the body must be at most 200; 2 more violations are in data.issues.",
            ),
            (
                vec![limit; Issue::CAP],
                "limit in the query must be at most 200; at least 63 more violations are in data.issues.",
            ),
        ] {
            assert_eq!(first_violation(&issues), expected);
        }
    }
}
