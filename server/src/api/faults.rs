//! The wording of the answers that no method gives.

use generated::models::{self, ValidationIssueIn};
use generated::runtime::{Issue, Place};
use generated::service::Faults;

use super::Api;

impl Faults for Api {
    fn no_such_route(&self) -> models::RouteError {
        models::RouteError::new(format!("There is no such route. {}", self.documented()))
    }

    fn method_not_allowed(&self) -> models::MethodNotAllowedError {
        let docs = self.documented();
        models::MethodNotAllowedError::new(format!(
            "The route has no such method, see Allow. {docs}"
        ))
    }

    fn not_acceptable(&self) -> models::NotAcceptableError {
        let message = "Accept admits no media type that the operation answers in.";
        models::NotAcceptableError::new(message.into())
    }

    fn body_too_large(&self, limit: u64) -> models::PayloadTooLargeError {
        models::PayloadTooLargeError::new(format!("The body has more than {limit} bytes."))
    }

    fn media_type_not_taken(&self) -> models::UnsupportedMediaTypeError {
        let message = "The body must be application/json in UTF-8, not compressed.";
        models::UnsupportedMediaTypeError::new(message.into())
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
        let message = match issues.len() {
            1 => "The request has 1 violation of the contract.".to_owned(),
            Issue::CAP => format!(
                "The request has at least {} violations of the contract.",
                Issue::CAP
            ),
            n => format!("The request has {n} violations of the contract."),
        };
        let mut data = models::ValidationData::new(message.clone());
        data.issues = Some(issues.iter().map(issue).collect());
        models::ValidationError::new(message, data)
    }

    fn credential_missing(&self) -> models::MissingApiKeyError {
        let error = "This operation needs an API key in the header service-api-key.";
        models::MissingApiKeyError::new(error.into())
    }

    fn credential_invalid(&self) -> models::InvalidApiKeyError {
        let error = "The API key is unknown, expired or revoked.";
        models::InvalidApiKeyError::new(error.into())
    }

    fn rate_limited(&self) -> models::RateLimitError {
        let error = "Too many requests in the last 60 seconds, see Retry-After.";
        models::RateLimitError::new(error.into())
    }

    fn internal(&self) -> models::InternalServerError {
        models::InternalServerError::new("The service failed.".into())
    }

    fn unavailable(&self) -> models::ServiceUnavailableError {
        let message = "The service cannot answer now, see Retry-After.";
        models::ServiceUnavailableError::new(message.into())
    }
}

impl Api {
    /// A sentence that leads to the documentation.
    fn documented(&self) -> String {
        format!(
            "The documentation is at {}/docs/.",
            self.identity.public_base_url
        )
    }
}

fn issue(issue: &Issue) -> models::ValidationIssue {
    let (r#in, is_body) = match issue.place {
        Place::Path => (ValidationIssueIn::Path, false),
        Place::Query => (ValidationIssueIn::Query, false),
        // The contract has no cookie parameters.
        Place::Header | Place::Cookie => (ValidationIssueIn::Header, false),
        Place::Body => (ValidationIssueIn::Body, true),
    };
    models::ValidationIssue {
        r#in,
        parameter: (!is_body).then(|| issue.at.clone()),
        pointer: is_body.then(|| issue.at.clone()),
        keyword: issue.keyword.to_owned(),
        message: issue.message.clone(),
    }
}
