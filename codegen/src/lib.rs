//! Reads an OpenAPI document and renders a Rust crate and a Postman collection from it.
//!
//! The crate is a pure function from a [`Source`] to a [`FileTree`] or [`Diagnostics`]; it never
//! touches the disk. Each stage owns one type, and data flows one way:
//!
//! ```text
//! Source ─read─► JSON value ─document─► Document + Bundle ─lower─► ir::Api ─render─► FileTree
//!  text           positions are          the envelope, typed;      every          every
//!                 found in Source        schemas lifted out        decision       print
//! ```

#[allow(
    dead_code,
    unreachable_pub,
    reason = "written for generated crates, which use all of it"
)]
mod checker;
pub mod diagnostic;
pub mod document;
pub mod files;
pub mod ir;
pub mod lint;
mod lower;
mod names;
#[path = "../runtime/src/pattern.rs"]
pub mod pattern;
#[path = "../runtime/src/pattern_ends.rs"]
mod pattern_ends;
#[path = "../runtime/src/pattern_syntax.rs"]
mod pattern_syntax;
mod read;
mod render;
pub mod schema;
pub mod source;
pub mod tree;

pub use diagnostic::{Code, Diagnostic, Diagnostics};
pub use source::Source;
pub use tree::FileTree;

/// How the output is packaged.
#[derive(Debug, Clone)]
pub struct Options {
    /// The name of the generated crate.
    pub crate_name: String,
    /// Whether the crate joins the surrounding workspace, or is one of its own.
    pub workspace: Workspace,
    /// Whether a problem with the document is an error, or takes away what it is about with a warning.
    pub strict: bool,
    /// The command that regenerates the output; printed in the head of every file.
    pub command: String,
}

/// Where the generated crate lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Workspace {
    /// It is a member of the workspace around it and inherits its package fields.
    Member,
    /// It carries an empty `[workspace]` and depends on nothing around it.
    Own,
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Coverage {
    /// Those of the document.
    pub documented: usize,
    /// Those of the generated crate; each of the others has a warning.
    pub generated: usize,
}

/// Generates a crate from a document.
///
/// # Errors
/// All problems found in the document, each with its place.
pub fn generate(source: &Source, options: &Options) -> Result<Output, Diagnostics> {
    generate_with(source, &[], options)
}

/// Generates a crate from a document of several files; the other files are named by their paths
/// relative to the folder of the first, as [`files::referred`] gives them.
///
/// # Errors
/// As [`generate`].
pub fn generate_with(
    source: &Source,
    files: &[Source],
    options: &Options,
) -> Result<Output, Diagnostics> {
    let mut value = read::read(source)?;
    let mut others = Vec::new();
    for file in files {
        let read = read::read(file).map_err(|found| found.of_file(&file.name))?;
        others.push((file.name.clone(), read));
    }
    let own = source.name.rsplit(['/', '\\']).next().unwrap_or_default();
    files::mount(&mut value, own, others);
    let mut found = match options.strict {
        true => Diagnostics::default(),
        false => Diagnostics::lenient(),
    };
    let document = document::parse(&value, &mut found);
    let documented = document.documented;
    let api = lower::lower(document, value, &mut found);
    let (errors, warnings) = found.split();
    if !errors.is_empty() {
        return Err(errors);
    }
    Ok(Output {
        files: render::render(&api, options),
        warnings,
        coverage: Coverage {
            documented,
            generated: api.operations.len(),
        },
    })
}
