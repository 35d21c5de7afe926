//! Reads an OpenAPI document and renders a Rust crate, a Postman collection and a reference in
//! Markdown from it.
//!
//! The crate is a pure function from a [`Source`] to a [`FileTree`] or [`Diagnostics`]; it never
//! touches the disk. Each stage owns one type, and data flows one way:
//!
//! ```text
//! Source ─read─► JSON value ─document─► Document + Bundle ─lower─► ir::Api ─output─► FileTree
//!  text           positions are          the envelope, typed;      every    rust, postman,
//!                 found in Source        schemas lifted out        decision reference print
//! ```

pub mod diagnostic;
mod enforced;
pub mod file_tree;
pub mod formats;
pub mod ir;
pub mod lint;
mod lower;
mod names;
pub mod openapi;
mod output;
mod postman;
mod reference;
mod runtime_copy;
mod rust;
pub mod schema;
mod selftest;
pub mod source;
mod uri;

pub use diagnostic::{Code, Diagnostic, Diagnostics};
pub use enforced::{Cause, Enforced, Enforcer, enforced};
pub use file_tree::{ENTRIES, FileTree};
pub use formats::Formats;
pub use lower::modifiers::plain as plain_path;
pub use lower::{base_path, server};
pub use names::is_reserved;
pub use openapi::Vendored;
pub use selftest::{SelfTest, selftest};
pub use source::Source;

/// How the output is packaged.
#[derive(Debug, Clone)]
pub struct Options {
    /// The name of the generated crate, which is none that [`is_reserved`].
    pub crate_name: String,
    /// Which workspace the crate is of.
    pub workspace: Workspace,
    /// Where the crate `runtime` comes from, on which the crate depends.
    pub runtime: Runtime,
    /// Whether a problem with the document is an error, or takes away what it is about with a warning.
    pub strict: bool,
    /// The command that regenerates the output; printed in the head of every file.
    pub command: String,
}

/// How a document is read.
#[derive(Debug, Clone, Default)]
pub struct Reading {
    /// The other documents that it refers to.
    pub vendored: Vendored,
    /// What the keyword `format` means, and which Rust types stand for formats.
    pub formats: Formats,
    /// The other files that the document is made of, named by their paths relative to its folder,
    /// as [`source::files::referred`] gives them.
    pub files: Vec<Source>,
}

/// Where the generated crate lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Workspace {
    /// The one around it, whose package fields and dependencies it inherits.
    Inherited,
    /// The one around it, if there is one, of which it inherits nothing.
    Member,
    /// Its own: it carries an empty `[workspace]` and depends on nothing around it.
    Own,
}

/// Where the crate `runtime` comes from: what generated crates share, whatever their contracts say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Runtime {
    /// From the workspace around the crate, which has it among its dependencies.
    Workspace,
    /// From a folder: an absolute path, or one relative to the crate's own folder.
    Path(String),
    /// From the registry, in this version.
    Version(String),
    /// From a copy inside the output, in a package named after the crate.
    Copy,
}

/// What a successful run yields.
#[derive(Debug)]
pub struct Output {
    /// The files of the crate.
    pub files: FileTree,
    /// What the reader should know although generation went on.
    pub warnings: Diagnostics,
    /// How much of the document is there.
    pub coverage: Coverage,
}

/// Operations, counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coverage {
    /// Those of the document.
    pub documented: usize,
    /// Those of the generated crate; each of the others has a warning.
    pub generated: usize,
    /// The ids of those that are raw, because the document says so or for want of another form.
    pub raw: Vec<String>,
    /// The ids of those that only the client has, because no request tells them from others.
    pub unserved: Vec<String>,
    /// Those of webhooks and callbacks, as the document has them.
    pub outgoing: usize,
    /// Those of webhooks and callbacks that are in the generated crate.
    pub outgoing_generated: usize,
}

/// Generates a crate from a document.
///
/// # Errors
/// All problems found in the document, each with its place.
pub fn generate(source: &Source, options: &Options) -> Result<Output, Diagnostics> {
    generate_with(source, &Reading::default(), options)
}

/// Generates a crate from a document that is read in another way than usual.
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
    } = lowered(source, reading, options)?;
    Ok(Output {
        files: output::render(&api, options),
        warnings,
        coverage,
    })
}

/// A document that has gone through all stages but the last.
struct Lowered {
    api: ir::Api,
    warnings: Diagnostics,
    coverage: Coverage,
}

fn lowered(source: &Source, reading: &Reading, options: &Options) -> Result<Lowered, Diagnostics> {
    let (value, written) = source::files::read(source, &reading.files)?;
    let found = match options.strict {
        true => Diagnostics::default(),
        false => Diagnostics::lenient(),
    };
    let mut found = found.knowing(written);
    let document = openapi::parse(&value, reading, &mut found);
    let (documented, outgoing) = (document.documented, document.outgoing_documented);
    let api = lower::lower(document, value, &mut found);
    let (errors, warnings) = found.split();
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
        warnings,
    })
}
