//! `SHA256SUMS`, which `sha256sum --check` reads.

use crate::release::Release;
use crate::signature;
use fs_err as fs;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::io;

/// The name of the file.
pub(crate) const NAME: &str = "SHA256SUMS";

/// Writes the checksums of the released files.
///
/// # Errors
/// When a file cannot be read or written.
pub(crate) fn write(release: &Release) -> io::Result<()> {
    let mut lines = String::new();
    for path in release.files()? {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name == NAME || name == signature::NAME {
            continue;
        }
        for byte in Sha256::digest(fs::read(&path)?) {
            let _ = write!(lines, "{byte:02x}");
        }
        let _ = writeln!(lines, "  {name}");
    }
    fs::write(release.out.join(NAME), lines)
}
