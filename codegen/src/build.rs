//! Generation in a build script: a module of the crate that is built, below `OUT_DIR`.

use crate::diagnostic::{Diagnostics, Look};
use crate::{Derive, Document, Feature, Formats, OpenEnums, Options, Source, generate_with};
use std::path::{Path, PathBuf};
use std::{env, fmt, fs, io};

/// Generates a module from a document in a build script.
///
/// ```no_run
/// // build.rs
/// fn main() -> Result<(), codegen::BuildError> {
///     codegen::Build::new("openapi.yaml").module("shop")
/// }
/// ```
///
/// The crate includes the module wherever it wants it:
///
/// ```ignore
/// pub mod shop {
///     include!(concat!(env!("OUT_DIR"), "/shop/src/mod.rs"));
/// }
/// ```
///
/// It depends on `openapi-crate-runtime`, on `http` and `serde_json`, and on the crates that types of formats
/// come from.
#[derive(Debug, Clone)]
pub struct Build {
    document: PathBuf,
    formats: Option<PathBuf>,
    options: Options,
}

impl Build {
    /// Generates from the document at a path, which starts from the folder of the package.
    pub fn new(document: impl Into<PathBuf>) -> Build {
        Build {
            document: document.into(),
            formats: None,
            options: Options {
                samples: Vec::new(),
                embedded: true,
                ..Options::default()
            },
        }
    }

    /// The same with a table that changes the Rust types of formats.
    #[must_use]
    pub fn formats(mut self, table: impl Into<PathBuf>) -> Build {
        self.formats = Some(table.into());
        self
    }

    /// The same with the client alone, the server alone, or neither; without a call of this, with both.
    #[must_use]
    pub fn features(mut self, features: &[Feature]) -> Build {
        self.options.features = features.to_vec();
        self
    }

    /// The same with traits that the type of this name derives beside its own; of `*`, that all types derive.
    #[must_use]
    pub fn derive(mut self, model: &str, traits: &[Derive]) -> Build {
        let row = self.options.derives.entry(model.to_owned()).or_default();
        row.extend_from_slice(traits);
        self
    }

    /// The same, failing where an operation cannot be expressed, instead of making it raw with a warning.
    #[must_use]
    pub fn strict(mut self) -> Build {
        self.options.strict = true;
        self
    }

    /// Generates clients that read responses strictly, not as tolerant readers.
    #[must_use]
    pub fn strict_client(mut self) -> Build {
        self.options.strict_client = true;
        self
    }

    /// Selects the enums that can hold values that the contract does not list.
    #[must_use]
    pub fn open_enums(mut self, enums: OpenEnums) -> Build {
        self.options.open_enums = Some(enums);
        self
    }

    /// Writes the module into the folder `name` below `OUT_DIR`. Cargo is told the files of the document, so
    /// that it runs the script again when one of them changes, and the warnings about it.
    ///
    /// # Errors
    /// When the document or the table of formats is wrong, and when a file cannot be read or written.
    pub fn module(&self, name: &str) -> Result<(), BuildError> {
        let out = env::var_os("OUT_DIR").ok_or(BuildError::NoOutDir)?;
        self.write(&Path::new(&out).join(name))
    }

    fn write(&self, folder: &Path) -> Result<(), BuildError> {
        let shown = self.document.to_string_lossy();
        rerun_if_changed(&self.document);
        let document = Document::read(&self.document, &shown);
        let mut document = document.map_err(disk(&self.document))?;
        document
            .paths
            .iter()
            .for_each(|path| rerun_if_changed(path));
        document.reading.formats = self.read_formats()?;
        let Document {
            source, reading, ..
        } = &document;
        let files = &reading.files;
        let output = generate_with(source, reading, &self.options).map_err(|found| {
            BuildError::Document(found.render_files(source, files, Look::Plain))
        })?;
        warn(&output.warnings, source, files);
        for (path, text) in output.files.iter() {
            let path = folder.join(path);
            let written = path.parent().map_or(Ok(()), fs::create_dir_all);
            written
                .and_then(|()| fs::write(&path, text))
                .map_err(disk(&path))?;
        }
        Ok(())
    }

    fn read_formats(&self) -> Result<Formats, BuildError> {
        let Some(path) = &self.formats else {
            return Ok(Formats::default());
        };
        rerun_if_changed(path);
        let source = Source {
            name: path.to_string_lossy().into_owned(),
            text: fs::read_to_string(path).map_err(disk(path))?,
        };
        let read = Formats::changed_by(&source);
        read.map_err(|found| BuildError::Document(found.render(&source)))
    }
}

/// Asks cargo to run the script again when a file changes.
fn rerun_if_changed(path: &Path) {
    println!("cargo::rerun-if-changed={}", path.display());
}

/// Shows warnings by cargo, each in one line.
fn warn(warnings: &Diagnostics, source: &Source, files: &[Source]) {
    for one in warnings.located(source, files) {
        let (file, line, column) = (one.file, one.line, one.column);
        println!(
            "cargo::warning={file}:{line}:{column}: {}",
            one.problem.message
        );
    }
}

/// The error of a file.
fn disk(path: &Path) -> impl FnOnce(io::Error) -> BuildError {
    |error| BuildError::Disk(error, path.to_owned())
}

/// Why a build script has generated nothing. Its `Debug`, which cargo shows when `main` returns it, is its
/// text.
pub enum BuildError {
    /// The document or the table of formats is wrong; the text is its diagnostics.
    Document(String),
    /// A file could not be read or written.
    Disk(io::Error, PathBuf),
    /// There is no `OUT_DIR`: this program is no build script.
    NoOutDir,
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Document(found) => write!(f, "the document is wrong\n{found}"),
            Self::Disk(error, path) => write!(f, "{}: {error}", path.display()),
            Self::NoOutDir => f.write_str("OUT_DIR is not set: this is for build scripts"),
        }
    }
}

impl fmt::Debug for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for BuildError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Disk(error, _) => Some(error),
            Self::Document(_) | Self::NoOutDir => None,
        }
    }
}
