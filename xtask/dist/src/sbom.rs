//! The list of everything that is compiled into the program (a CycloneDX SBOM,
//! <https://cyclonedx.org/specification/overview/>).

use crate::release::Release;
use crate::tool;
use fs_err as fs;
use std::io;
use std::path::Path;

/// Writes the list.
///
/// # Errors
/// When cargo-cyclonedx fails, or a file cannot be written.
pub(crate) fn write(release: &Release) -> io::Result<()> {
    // The tool writes a list beside every manifest of the workspace.
    let copy = release.build.join("sources");
    if copy.exists() {
        fs::remove_dir_all(&copy)?;
    }
    copy_sources(release, &copy)?;
    let mut cargo = release.command("cargo");
    cargo.args(["cyclonedx", "--quiet", "--format", "json"]);
    cargo.args(["--spec-version", "1.5", "--manifest-path"]);
    tool::run(cargo.arg(copy.join("server/Cargo.toml")).current_dir(&copy))?;
    let list = fs::read_to_string(copy.join("server/server.cdx.json"))?;
    let path = format!("file://{}", copy.display());
    fs::write(
        release.file(".cdx.json"),
        list.replace(&path, "file:///source"),
    )
}

/// Copies the committed files.
fn copy_sources(release: &Release, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    let archive = to.with_extension("tar");
    let mut git = release.command("git");
    git.args(["-c", "safe.directory=*", "archive", "--output"]);
    tool::run(git.arg(&archive).arg("HEAD"))?;
    let mut tar = release.command("tar");
    tool::run(
        tar.arg("--extract")
            .arg("--file")
            .arg(archive)
            .arg("--directory")
            .arg(to),
    )
}
