//! Crates that the generated one depends on, as a manifest names them.

use codegen::formats::Dependency;
use serde::Deserialize;

/// The requirement on a crate.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(crate) enum Requirement {
    /// Its version.
    Version(String),
    /// Its version or folder, and its features.
    Table(Table),
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Table {
    version: Option<String>,
    path: Option<String>,
    #[serde(default)]
    features: Vec<String>,
    default_features: Option<bool>,
}

/// The dependency of this name.
pub(crate) fn dependency((name, requirement): (String, Requirement)) -> Dependency {
    let table = match requirement {
        Requirement::Table(table) => table,
        Requirement::Version(version) => Table {
            version: Some(version),
            path: None,
            features: Vec::new(),
            default_features: None,
        },
    };
    Dependency {
        name,
        version: table.version,
        path: table.path,
        features: table.features,
        default_features: table.default_features.unwrap_or(true),
    }
}
