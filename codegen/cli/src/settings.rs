//! The settings of a contract: the crate to generate from it, the folder, and the lint rules.

mod dependency;
mod list;

use crate::Failure;
use codegen::{Code, Derive, Feature, OpenEnums, Runtime, SampleLanguage, lint};
use dependency::Requirement;
pub(crate) use dependency::dependency;
use list::List;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::str::FromStr;

/// The name of the settings file, which lies beside the document.
pub const SETTINGS_FILE: &str = "openapi-crate.toml";

/// The settings of a document's crate: the content of a settings file, or the flags of the same names.
#[derive(Debug, Clone, Default, clap::Args, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Generate from this OpenAPI document, by flags alone: no settings file is read.
    #[arg(long, value_name = "FILE", requires = "out")]
    pub(crate) spec: Option<PathBuf>,
    /// The folder of the crate; it is created, and must be empty or hold an earlier output.
    #[arg(long, value_name = "DIR", requires = "spec")]
    pub(crate) out: Option<PathBuf>,
    /// The name of the crate [default: generated]
    #[arg(long, value_name = "CRATE", requires = "spec")]
    #[serde(deserialize_with = "parsed")]
    pub(crate) name: Option<CrateName>,
    /// A table that changes the Rust types of formats.
    #[arg(long, value_name = "FILE", requires = "spec")]
    pub(crate) formats: Option<PathBuf>,
    /// The source of the crate `runtime`, which the crate depends on: `copy` puts its files beside `src/`,
    /// `path=DIR` names its folder as seen from DIR of `--out`, `version=X` its version in the registry,
    /// and with `workspace` the workspace around the crate has it among its dependencies, from which the
    /// crate inherits all that it needs [default: copy]
    #[arg(long, value_name = "SOURCE", requires = "spec")]
    #[serde(deserialize_with = "parsed")]
    pub(crate) runtime: Option<Runtime>,
    /// The features that are on by default, by commas: `client`, `tls`, `server`, `exact-numbers` [default: all but `tls`]
    #[arg(long, value_name = "FEATURES", requires = "spec")]
    pub(crate) features: Option<List<Feature>>,
    /// Let the crate be a member of the workspace around its folder, not a workspace of its own.
    #[arg(long, requires = "spec")]
    pub(crate) member: bool,
    /// Fail where an operation cannot be expressed, instead of making it raw with a warning.
    #[arg(long, requires = "spec")]
    pub(crate) strict: bool,
    /// How clients read responses that differ from the document: `tolerant` accepts harmless differences, such as
    /// null for an empty list; `strict` rejects all [default: tolerant]
    #[arg(long, value_name = "READING", requires = "spec")]
    pub(crate) client: Option<ClientReading>,
    /// The enums that can hold unlisted strings: `responses` or `none` [default:
    /// `responses` where `features` has `client` and not `server`, else `none`]
    #[arg(long, value_name = "ENUMS", requires = "spec")]
    #[serde(rename = "open-enums", deserialize_with = "parsed")]
    pub(crate) open_enums: Option<OpenEnums>,
    /// The languages of the samples in `openapi.json`, by commas: `curl`, `javascript`, `python`, `rust`;
    /// none where it is empty [default: all]
    #[arg(long, value_name = "LANGUAGES", requires = "spec")]
    pub(crate) samples: Option<List<SampleLanguage>>,
    /// The package that implements the contract: `--watch` checks it with cargo after each change.
    #[arg(long, value_name = "PACKAGE", requires = "spec")]
    #[serde(deserialize_with = "parsed")]
    pub(crate) server: Option<PackageName>,
    /// The traits that types of models derive beside their own, by the names of the types; `*` is all of them.
    #[arg(skip)]
    pub(crate) derive: BTreeMap<String, List<Derive>>,
    /// The crates that these traits come from.
    #[arg(skip)]
    pub(crate) dependencies: BTreeMap<String, Requirement>,
    /// Lint rules whose findings are left out, or have another severity.
    #[arg(skip)]
    pub(crate) lints: BTreeMap<String, Level>,
}

/// How a generated client reads responses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ClientReading {
    /// Accepts harmless differences.
    #[default]
    Tolerant,
    /// Rejects every difference.
    Strict,
}

/// The level of a lint rule's findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Level {
    /// Nothing.
    Allow,
    /// A warning.
    Warn,
    /// An error.
    Deny,
}

impl Settings {
    /// Reads the named file, or else the nearest one: in the current folder, or in a folder above it.
    ///
    /// # Errors
    /// When there is no such file, or it is wrong.
    pub fn find(named: Option<&Path>) -> Result<Settings, Failure> {
        if let Some(file) = named {
            return Settings::read(file);
        }
        let here = env::current_dir().map_err(|error| Failure::Disk(error, ".".into()))?;
        let mut files = here.ancestors().map(|folder| folder.join(SETTINGS_FILE));
        let file = files
            .find(|file| file.is_file())
            .ok_or(Failure::NoSettings)?;
        Settings::read(&file)
    }

    /// The document. [`Settings::read`] always sets it, as do commands that take flags.
    pub(crate) fn document(&self) -> &Path {
        self.spec.as_deref().unwrap_or(Path::new(""))
    }

    /// Reads a settings file. Its paths start from its folder; the document's is `openapi.yaml` and the
    /// crate's `generated` where it says nothing else.
    fn read(file: &Path) -> Result<Settings, Failure> {
        let name = shown(file);
        let text = fs::read_to_string(file);
        let text = text.map_err(|error| Failure::Disk(error, name.clone()))?;
        let wrong = |reason: String| Failure::Settings(name.clone(), reason);
        let mut settings: Settings =
            toml::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        for rule in settings.lints.keys() {
            let is_rule =
                Code::named(rule).is_some_and(|code| lint::rules().any(|own| own == code));
            if !is_rule {
                return Err(wrong(format!("there is no lint rule `{rule}`")));
            }
        }
        let folder = file.parent().unwrap_or(Path::new(""));
        let placed = |path: Option<PathBuf>, otherwise: Option<&str>| {
            let path = path.or_else(|| otherwise.map(PathBuf::from));
            path.map(|path| clean(&folder.join(path)))
        };
        settings.spec = placed(settings.spec, Some("openapi.yaml"));
        settings.out = placed(settings.out, Some("generated"));
        settings.formats = placed(settings.formats, None);
        Ok(settings)
    }
}

/// A path as messages name it: from the current folder, if it is below that.
pub(crate) fn shown(path: &Path) -> String {
    let here = env::current_dir().unwrap_or_default();
    let below = path.strip_prefix(here).unwrap_or(path);
    below.to_string_lossy().into_owned()
}

/// A path without `.`, and without `..` where a folder stands before it.
fn clean(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for component in path.components() {
        let is_in_folder = matches!(clean.components().next_back(), Some(Component::Normal(_)));
        match component {
            Component::CurDir => {}
            Component::ParentDir if is_in_folder => {
                clean.pop();
            }
            other => clean.push(other),
        }
    }
    clean
}

/// Reads a text of TOML as the flag of the same name is read.
fn parsed<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: FromStr<Err = String>,
    D: Deserializer<'de>,
{
    let text = String::deserialize(deserializer)?;
    text.parse().map(Some).map_err(D::Error::custom)
}

/// A name of a crate that is a valid identifier and causes no warning of rustc.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CrateName(pub(crate) String);

impl FromStr for CrateName {
    type Err = String;

    fn from_str(text: &str) -> Result<CrateName, String> {
        let is_word = |word: &str| {
            let mut bytes = word.bytes();
            !word.is_empty() && bytes.all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        };
        let begins = text.starts_with(|c: char| c.is_ascii_lowercase());
        if !begins || !text.split(['-', '_']).all(is_word) {
            let form =
                "small letters and digits, a letter first, and single `-` or `_` between them";
            return Err(form.into());
        }
        if codegen::is_reserved(&text.replace('-', "_")) {
            return Err("this is a word or a crate of Rust itself".into());
        }
        Ok(CrateName(text.to_owned()))
    }
}

/// The name of a package of a workspace, as `cargo --package` takes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PackageName(pub(crate) String);

impl FromStr for PackageName {
    type Err = String;

    fn from_str(text: &str) -> Result<PackageName, String> {
        match text.trim().is_empty() {
            true => Err("the name of a package must not be empty".into()),
            false => Ok(PackageName(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests;
