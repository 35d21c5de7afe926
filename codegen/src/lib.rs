//! Reads an OpenAPI document and renders a Rust crate, Postman collections and a reference in
//! Markdown from it.
//!
//! The crate is a pure function from a [`Source`] to a [`FileTree`] or [`Diagnostics`]; [`Build`], for
//! build scripts, and [`Document`] alone touch the disk. Each stage owns one type, and data flows one way:
//!
//! ```text
//! Source ─read─► JSON value ─openapi─► Document + Bundle ─lower─► ir::Api ─output─► FileTree
//!  text           positions are         the document, typed;       every    rust, postman,
//!                 found in Source       schemas lifted out, and    decision reference print
//!                                       their idioms rewritten
//! ```

mod build;
mod derives;
pub mod diagnostic;
mod document;
mod enforced;
mod features;
mod file_tree;
pub mod formats;
mod idioms;
pub mod ir;
pub mod lint;
mod lower;
mod message;
mod names;
pub mod openapi;
mod output;
mod payloads;
mod postman;
mod reference;
mod runtime_copy;
mod rust;
mod samples;
pub mod schema;
mod selftest;
pub mod source;

pub use build::{Build, BuildError};
pub use derives::{Derive, Derives};
pub use diagnostic::{Code, Diagnostic, Diagnostics};
pub use document::Document;
pub use enforced::{Enforced, Enforcer, enforced};
pub use features::Feature;
pub use file_tree::{ENTRIES, FileTree};
pub use formats::Formats;
pub use ir::Cause;
pub use lower::modifiers::plain as plain_path;
pub use lower::{base_path, server};
pub use openapi::Vendored;
pub use payloads::{InvalidExample, Payload, PayloadReader, payload_reader};
pub use rust::is_reserved;
pub use samples::SampleLanguage;
pub use selftest::{SelfTest, selftest};
pub use source::Source;

use serde_json::{Map, Value};
use std::str::FromStr;

/// The program that generates, as every generated file names it.
pub const PROGRAM: &str = "openapi-crate";

/// The version of this crate, of the program and of the runtime, which are released together.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// How the output is packaged.
#[derive(Debug, Clone)]
pub struct Options {
    /// The name of the generated crate; it must not be one that [`is_reserved`].
    pub crate_name: String,
    /// The workspace of the crate.
    pub workspace: Workspace,
    /// The source of the crate `runtime`, on which the generated crate depends.
    pub runtime: Runtime,
    /// Whether a problem with the document is an error, or a warning that leaves a part out.
    pub strict: bool,
    /// The languages of the samples that the published document gets.
    pub samples: Vec<SampleLanguage>,
    /// The features that the generated crate has by default, of those that it has.
    pub features: Vec<Feature>,
    /// The traits that types of models derive beside their own.
    pub derives: Derives,
    /// Crates that the generated one depends on beside those that its document asks for.
    pub dependencies: Vec<formats::Dependency>,
    /// Whether clients read responses strictly, not as tolerant readers.
    pub strict_client: bool,
    /// The enums that can hold unlisted values. By default, those in responses if the crate's default features
    /// include `client` but not `server`.
    pub open_enums: Option<OpenEnums>,
    /// Whether the sources are a module that another crate embeds by `include!` of `src/mod.rs`, and that
    /// has these features alone; it has no manifest, no runtime and no name of its own.
    pub embedded: bool,
}

/// The name of a crate that is given none.
const DEFAULT_CRATE_NAME: &str = "generated";

impl Default for Options {
    /// A crate `generated` that stands alone, with samples and the usual features.
    fn default() -> Options {
        Options {
            crate_name: DEFAULT_CRATE_NAME.into(),
            workspace: Workspace::Own,
            runtime: Runtime::Copy,
            strict: false,
            samples: SampleLanguage::ALL.to_vec(),
            features: Feature::DEFAULT.to_vec(),
            derives: Derives::new(),
            dependencies: Vec::new(),
            strict_client: false,
            open_enums: None,
            embedded: false,
        }
    }
}

/// The enums that can hold strings that the contract does not list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenEnums {
    /// Enums in responses: a third party may add values.
    Responses,
    /// No enum: each `match` is exhaustive.
    None,
}

impl FromStr for OpenEnums {
    type Err = String;

    fn from_str(name: &str) -> Result<OpenEnums, String> {
        match name {
            "responses" => Ok(OpenEnums::Responses),
            "none" => Ok(OpenEnums::None),
            _ => Err(format!("there is no value `{name}`: `responses` or `none`")),
        }
    }
}

impl Options {
    /// Whether the crate is only a client: another party runs the server.
    fn is_client_only(&self) -> bool {
        self.features.contains(&Feature::Client) && !self.features.contains(&Feature::Server)
    }

    fn opens_enums(&self) -> bool {
        match self.open_enums {
            Some(enums) => enums == OpenEnums::Responses,
            None => self.is_client_only(),
        }
    }
}

/// How a document is read.
#[derive(Debug, Clone, Default)]
pub struct Reading {
    /// The other documents that it refers to.
    pub vendored: Vendored,
    /// The table of formats and their Rust types.
    pub formats: Formats,
    /// The other files that the document is made of, named by their paths relative to its folder,
    /// as [`source::files::referred`] gives them.
    pub files: Vec<Source>,
}

/// Where the generated crate lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Workspace {
    /// A member of the workspace around it, whose package fields and dependencies it inherits.
    Inherited,
    /// A member of the workspace around it, if there is one, of which it inherits nothing.
    Member,
    /// A workspace of its own: it carries an empty `[workspace]` and depends on nothing around it.
    Own,
}

/// The source of the crate `runtime`, which all generated crates share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Runtime {
    /// From the workspace around the crate, which has it among its dependencies.
    Workspace,
    /// From a folder: an absolute path, or one relative to the crate's own folder.
    Path(String),
    /// From the registry, with this version.
    Version(String),
    /// From a copy inside the output, in a package named after the crate.
    Copy,
}

impl FromStr for Runtime {
    type Err = String;

    /// Reads `copy`, `workspace`, `path=DIR` or `version=X`.
    fn from_str(text: &str) -> Result<Runtime, String> {
        match text.split_once('=') {
            None if text == "copy" => Ok(Runtime::Copy),
            None if text == "workspace" => Ok(Runtime::Workspace),
            Some(("path", path)) if !path.is_empty() => Ok(Runtime::Path(path.into())),
            Some(("version", version)) if !version.is_empty() => {
                Ok(Runtime::Version(version.into()))
            }
            _ => Err("name `copy`, `workspace`, `path=DIR` or `version=X`".into()),
        }
    }
}

/// The result of a successful run.
#[derive(Debug)]
pub struct Output {
    /// The files of the crate.
    pub files: FileTree,
    /// Problems for the reader, although generation went on.
    pub warnings: Diagnostics,
    /// The coverage of the document.
    pub coverage: Coverage,
}

/// The numbers of operations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coverage {
    /// The operations of the document.
    pub documented: usize,
    /// The operations of the generated crate; each of the others has a warning.
    pub generated: usize,
    /// The ids of the raw operations: declared so, or not expressible otherwise.
    pub raw: Vec<String>,
    /// The ids of operations that only the client has, because requests do not tell them apart.
    pub unserved: Vec<String>,
    /// The webhooks and callbacks of the document.
    pub outgoing: usize,
    /// The webhooks and callbacks of the generated crate.
    pub outgoing_generated: usize,
}

/// Generates a crate from a document, with the default reading.
///
/// # Errors
/// All problems found in the document, each with its place.
pub fn generate(source: &Source, options: &Options) -> Result<Output, Diagnostics> {
    generate_with(source, &Reading::default(), options)
}

/// Generates a crate from a document, with options for reading it.
///
/// # Errors
/// As [`generate`].
pub fn generate_with(
    source: &Source,
    reading: &Reading,
    options: &Options,
) -> Result<Output, Diagnostics> {
    let Lowered {
        api,
        warnings,
        coverage,
        ..
    } = lowered(source, reading, options)?;
    Ok(Output {
        files: output::render(&api, options),
        warnings,
        coverage,
    })
}

/// A document after all stages but the last.
struct Lowered {
    api: ir::Api,
    /// The schemas that types and conditions replace, which only the self-test reads.
    compiled_schemas: Map<String, Value>,
    warnings: Diagnostics,
    coverage: Coverage,
}

fn lowered(source: &Source, reading: &Reading, options: &Options) -> Result<Lowered, Diagnostics> {
    let (value, originals) = openapi::value(source, &reading.files)?;
    let (diagnostics, components) = match options.strict {
        true => (Diagnostics::default(), openapi::Components::All),
        false => (Diagnostics::lenient(), openapi::Components::Used),
    };
    let mut diagnostics = diagnostics.with_originals(originals);
    let document = openapi::parse_with(&value, reading, components, &mut diagnostics);
    let (documented, outgoing) = (document.documented, document.outgoing_documented);
    let (mut api, compiled_schemas) = lower::lower(document, value, &mut diagnostics);
    api.client = ir::ClientRules {
        is_strict: options.strict_client,
        opens_enums: options.opens_enums(),
        keeps_bodies: options.is_client_only() && !options.strict_client,
    };
    derives::check(&options.derives, &api, &mut diagnostics);
    let (errors, warnings) = diagnostics.split();
    if !errors.is_empty() {
        return Err(errors);
    }
    let raw = api
        .all_operations()
        .filter(|operation| operation.raw && operation.served);
    let unserved = api.operations.iter().filter(|operation| !operation.served);
    Ok(Lowered {
        coverage: Coverage {
            raw: raw.map(|operation| operation.id.clone()).collect(),
            unserved: unserved.map(|operation| operation.id.clone()).collect(),
            documented,
            generated: api.operations.len(),
            outgoing,
            outgoing_generated: api.webhooks.len() + api.callbacks.len(),
        },
        api,
        compiled_schemas,
        warnings,
    })
}
