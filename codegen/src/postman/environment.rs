//! The environment file: the variables that callers fill in.

use super::Context;
use super::format::{Environment, EnvironmentValue};
use crate::ir::Api;

/// The environment of both collections. Secrets are empty, and hidden when filled in.
pub(crate) fn environment(api: &Api) -> Environment {
    let context = Context::new(api, "collection");
    let values = context.variables.of_environment().iter().map(|declared| {
        let secret = declared.secret;
        EnvironmentValue {
            key: declared.name.clone(),
            value: declared.value.clone(),
            r#type: if secret { "secret" } else { "default" },
            enabled: true,
        }
    });
    Environment {
        id: context.identity.id("environment"),
        name: api.title.clone(),
        values: values.collect(),
        scope: "environment",
    }
}
