//! The packages that a run checks.

use openapi_crate::Failure;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// A group of packages of the workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Packages {
    /// Every package.
    All,
    /// Those that are written against the contract.
    Server,
    /// All others: the generator and the tools.
    Generator,
}

/// The packages that are written against the contract.
const SERVER: [&str; 9] = [
    "db",
    "edge",
    "features",
    "generated",
    "import-lines",
    "server",
    "server-bench",
    "server-console",
    "tls",
];

impl Packages {
    /// Selects the packages, as arguments of cargo.
    pub(super) fn arguments(self) -> Vec<String> {
        let server = SERVER.iter();
        match self {
            Packages::All => vec!["--workspace".to_owned()],
            Packages::Server => server.map(|name| format!("--package={name}")).collect(),
            Packages::Generator => {
                let excluded = server.map(|name| format!("--exclude={name}"));
                let workspace = std::iter::once("--workspace".to_owned());
                workspace.chain(excluded).collect()
            }
        }
    }
}

/// The names of the packages that a registry may take: their documentation is published too.
///
/// # Errors
/// When cargo cannot list the packages.
pub(super) fn published(root: &Path, mut cargo: Command) -> Result<Vec<String>, Failure> {
    let arguments = ["metadata", "--no-deps", "--format-version=1", "--locked"];
    let output = cargo.args(arguments).current_dir(root).output();
    let output = output.map_err(|error| Failure::Disk(error, "cargo metadata".into()))?;
    let metadata: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| Failure::Disk(error.into(), "cargo metadata".into()))?;
    let packages = metadata.get("packages").and_then(Value::as_array);
    // `publish` lists the registries that may take the package; without a list, each of them may.
    let may_be_published = |package: &&Value| package.get("publish").is_some_and(Value::is_null);
    let published = packages.into_iter().flatten().filter(may_be_published);
    let names = published.filter_map(|package| package.get("name")?.as_str());
    Ok(names.map(str::to_owned).collect())
}
