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

/// Makes a release: program, Debian package, image, SBOM and checksums.
///
/// The same commit makes the same bytes. Needs Debian's buildah and dpkg-dev, and of cargo's own
/// programs cargo-deb and cargo-cyclonedx.
///
/// Exit status: 0 when everything is made, and with --trial or --twice has passed; 1 when one of these
/// fails; 2 when something cannot be made, 3 when a program or a right is missing that this needs.
#[derive(Parser)]
#[command(bin_name = "cargo xtask dist")]
struct Arguments {
    /// The folder for the release [default: dist/ in cargo's target folder]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Sign the checksums with this private SSH key, or with the public one of a key that the SSH agent has
    #[arg(long, value_name = "FILE")]
    sign: Option<PathBuf>,
    /// Install the package and run the image afterwards, each in a root of its own. Needs root, and
    /// Debian's mmdebstrap and systemd
    #[arg(long)]
    trial: bool,
    /// Package this program instead of compiling one, to try the rest sooner
    #[arg(long, value_name = "FILE", conflicts_with = "twice")]
    program: Option<PathBuf>,
    /// Make the release of the commit again, from a clone in another folder, and compare the checksums
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

/// Makes the release; whether the checks of it that are wanted passed.
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

/// Makes the files of a release.
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
