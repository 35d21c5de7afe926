//! `cargo xtask dist`: the files that an operator installs, and a trial of them.
//!
//! A release is a program, a Debian package, an image, the list of everything compiled in, and the
//! checksums of these. The same commit makes the same bytes, in any folder: times are those of the
//! commit, and paths are replaced.

mod binary;
mod checksums;
mod image;
mod package;
mod release;
mod sbom;
mod signature;
mod tool;
mod trial;
mod twice;

use clap::Parser;
use fs_err as fs;
use release::Release;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Builds a release: program, Debian package, image, SBOM and checksums.
///
/// Builds are reproducible. Requires Debian's buildah and dpkg-dev, cargo-deb and cargo-cyclonedx.
///
/// Exit status: 0 if everything was built and --trial and --twice passed; 1 if one of these failed; 2 if
/// something cannot be built; 3 if a required program or permission is missing.
#[derive(Parser)]
#[command(bin_name = "cargo xtask dist")]
struct Arguments {
    /// The folder for the release [default: dist/ in cargo's target folder]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Sign the checksums with this private SSH key, or with a key of the SSH agent, given its public key
    #[arg(long, value_name = "FILE")]
    sign: Option<PathBuf>,
    /// Then install the package and run the image, each in its own root file system. Requires root, and
    /// Debian's mmdebstrap and systemd
    #[arg(long)]
    trial: bool,
    /// Package this program instead of compiling one, to test the rest sooner
    #[arg(long, value_name = "FILE", conflicts_with = "twice")]
    program: Option<PathBuf>,
    /// Build the release again, from a clone in another folder, and compare the checksums
    #[arg(long)]
    twice: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if let Err(error) = tool::require(arguments.trial) {
        eprintln!("error: {error}");
        return ExitCode::from(3);
    }
    workspace::exit_code(make(&arguments))
}

/// Builds the release; returns whether the requested checks passed.
fn make(arguments: &Arguments) -> io::Result<bool> {
    let target = workspace::target();
    let out = arguments.out.clone().unwrap_or_else(|| target.join("dist"));
    let release = Release::of_this_commit(&workspace::root(), &target, &out)?;
    make_files(&release, arguments.program.as_deref())?;
    signature::write(&release, arguments.sign.as_deref())?;
    list(&release)?;
    let is_same = !arguments.twice || twice::is_same(&release)?;
    let works = !arguments.trial || trial::run(&release)?;
    Ok(is_same && works)
}

/// Builds the files of a release.
fn make_files(release: &Release, program: Option<&Path>) -> io::Result<()> {
    fs::create_dir_all(&release.out)?;
    binary::build(release, program)?;
    package::build(release)?;
    sbom::write(release)?;
    image::build(release)?;
    checksums::write(release)
}

/// Prints the files of a release and their sizes.
fn list(release: &Release) -> io::Result<()> {
    for path in release.files()? {
        let (bytes, shown) = (fs::metadata(&path)?.len(), path.display());
        println!("{:>9.1} MB  {shown}", bytes as f64 / 1e6);
    }
    Ok(())
}
