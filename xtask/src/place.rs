//! I/O errors that say where: those of the system do not name the file.

use std::io;
use std::path::Path;

/// An I/O error that names its file, folder or program.
pub(crate) fn at(path: &Path) -> impl FnOnce(io::Error) -> io::Error {
    let path = path.display().to_string();
    move |error| io::Error::new(error.kind(), format!("{path}: {error}"))
}
