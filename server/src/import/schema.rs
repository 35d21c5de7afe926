//! The kinds of lines and their JSON Schemas.

use jsonschema::error::ValidationErrorKind;
use jsonschema::{ValidationError, Validator};
use serde_json::Value;

use super::LineError;
use crate::database::StoreError;

/// The maximum number of errors that are reported for one line.
const MAX_ERRORS: usize = 20;

/// The beginning of the patterns of names and descriptions.
const TEXT: &str = r"^[^\u0000";

/// The error of a text that does not match them.
const UNPRINTABLE: &str =
    "has a control character, or one that overrides or isolates the direction of text";

/// The kind of a line. In the order of the variants, everything can be imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A chain.
    Chain,
    /// A charity.
    Charity,
    /// A token.
    Token,
    /// A project.
    Project,
    /// A partner contract.
    Contract,
    /// A config.
    Config,
    /// The assignment of a token to a partner contract.
    PartnerToken,
    /// A campaign.
    Campaign,
    /// A donation.
    Donation,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 9] = [
        Kind::Chain,
        Kind::Charity,
        Kind::Token,
        Kind::Project,
        Kind::Contract,
        Kind::Config,
        Kind::PartnerToken,
        Kind::Campaign,
        Kind::Donation,
    ];

    /// The value of a line's `kind`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Kind::Chain => "chain",
            Kind::Charity => "charity",
            Kind::Token => "token",
            Kind::Project => "project",
            Kind::Contract => "contract",
            Kind::Config => "config",
            Kind::PartnerToken => "partner-token",
            Kind::Campaign => "campaign",
            Kind::Donation => "donation",
        }
    }

    /// The JSON Schema of such lines, as text.
    pub const fn schema(self) -> &'static str {
        match self {
            Kind::Chain => include_str!("../../import-schemas/chain.schema.json"),
            Kind::Charity => include_str!("../../import-schemas/charity.schema.json"),
            Kind::Token => include_str!("../../import-schemas/token.schema.json"),
            Kind::Project => include_str!("../../import-schemas/project.schema.json"),
            Kind::Contract => include_str!("../../import-schemas/contract.schema.json"),
            Kind::Config => include_str!("../../import-schemas/config.schema.json"),
            Kind::PartnerToken => include_str!("../../import-schemas/partner-token.schema.json"),
            Kind::Campaign => include_str!("../../import-schemas/campaign.schema.json"),
            Kind::Donation => include_str!("../../import-schemas/donation.schema.json"),
        }
    }
}

/// The schemas, ready to check lines.
pub(super) struct Schemas(Vec<(Kind, Validator)>);

impl Schemas {
    /// Compiles the schemas, which are part of the program.
    pub(super) fn compile() -> Result<Schemas, StoreError> {
        let compile = |kind: Kind| {
            let broken = |error: String| {
                StoreError::Corrupt(format!("schema of {}: {error}", kind.as_str()))
            };
            let schema: Value =
                serde_json::from_str(kind.schema()).map_err(|error| broken(error.to_string()))?;
            let options = jsonschema::options().should_validate_formats(true);
            let validator = options
                .build(&schema)
                .map_err(|error| broken(error.to_string()))?;
            Ok((kind, validator))
        };
        Kind::ALL
            .into_iter()
            .map(compile)
            .collect::<Result<_, _>>()
            .map(Schemas)
    }

    /// Finds a line's kind and checks the line against its schema.
    pub(super) fn check(&self, line: &Value) -> Result<Kind, Vec<LineError>> {
        let name = line.get("kind").and_then(Value::as_str);
        let schema = self.0.iter().find(|(kind, _)| name == Some(kind.as_str()));
        let Some((kind, validator)) = schema else {
            let names = Kind::ALL.map(Kind::as_str).join(", ");
            return Err(vec![LineError::new("/kind", format!("is none of {names}"))]);
        };
        // Most lines are valid. Checking that takes a fraction of the time that it takes to list
        // errors.
        if validator.is_valid(line) {
            Ok(*kind)
        } else {
            Err(errors(validator, line))
        }
    }
}

fn errors(validator: &Validator, line: &Value) -> Vec<LineError> {
    let line_error = |error: ValidationError<'_>| {
        let message = match error.kind() {
            ValidationErrorKind::Pattern { pattern } if pattern.starts_with(TEXT) => {
                UNPRINTABLE.to_owned()
            }
            _ => error.masked_with("it").to_string(),
        };
        LineError::new(error.instance_path().as_str(), message)
    };
    validator
        .iter_errors(line)
        .take(MAX_ERRORS)
        .map(line_error)
        .collect()
}
