//! The Debian package. `server/Cargo.toml` lists its contents.

use crate::release::Release;
use crate::tool;
use std::io;

/// Packs the compiled program.
///
/// # Errors
/// When a file that the package lists is missing, or cargo-deb fails.
pub(crate) fn build(release: &Release) -> io::Result<()> {
    let mut cargo = release.command("cargo");
    cargo.args([
        "deb",
        "--quiet",
        "--no-build",
        "--no-strip",
        "--package",
        "server",
    ]);
    cargo.env("CARGO_TARGET_DIR", &release.build);
    tool::run(cargo.arg("--output").arg(release.package()))
}
