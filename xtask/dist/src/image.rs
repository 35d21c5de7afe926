//! The image: the program on the few files of Debian that it needs, without a shell.

use crate::release::{NAME, Release};
use crate::tool;
use fs_err as fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// The packages whose files are the image's base: the C library, the compiler's, and the authorities
/// that TLS to PostgreSQL and Redis relies on.
const BASE: [&str; 3] = ["ca-certificates", "libc6", "libgcc-s1"];

/// Builds the image, as an archive that podman, docker and registries' tools load
/// (<https://github.com/opencontainers/image-spec>).
///
/// # Errors
/// When a package cannot be had, or buildah fails.
pub(crate) fn build(release: &Release) -> io::Result<()> {
    let context = release.build.join("image");
    if context.exists() {
        fs::remove_dir_all(&context)?;
    }
    let root = context.join("root");
    fs::create_dir_all(root.join("usr/local/bin"))?;
    fs::create_dir_all(context.join("data"))?;
    extract_base(release, &context.join("packages"), &root)?;
    link_libraries(&root)?;
    trust_authorities(&root)?;
    fs::copy(release.program(), root.join("usr/local/bin").join(NAME))?;
    let name = format!("{NAME}:{}", release.version);
    let mut build = buildah(release);
    build.args(["build", "--quiet", "--isolation", "chroot", "--tag", &name]);
    build.args(["--timestamp", &release.time, "--file"]);
    build.arg(release.root.join("server/deploy/Containerfile"));
    tool::run(build.arg(&context).stdout(io::stderr()))?;
    archive(release, &name)
}

/// Packs the image. buildah would note in the archive when it was packed.
fn archive(release: &Release, name: &str) -> io::Result<()> {
    let layout = release.build.join("image/layout");
    let to = format!("oci:{}:{name}", layout.display());
    tool::run(buildah(release).args(["push", "--quiet", name, &to]))?;
    let mut tar = release.command("tar");
    tar.args(["--create", "--sort=name", "--format=gnu"]);
    tar.arg(format!("--mtime=@{}", release.time));
    tar.args(["--owner=0", "--group=0", "--numeric-owner"]);
    tar.args(["--mode=u=rwX,go=rX", "--directory"]).arg(layout);
    tar.arg("--file").arg(release.file(".oci.tar"));
    tool::run(tar.args(["blobs", "index.json", "oci-layout"]))
}

/// buildah with a store of its own, in cargo's target folder.
pub(crate) fn buildah(release: &Release) -> std::process::Command {
    let store = release.build.join("containers");
    let mut buildah = release.command("buildah");
    buildah.arg("--root").arg(store.join("root"));
    buildah.arg("--runroot").arg(store.join("run"));
    buildah.args(["--storage-driver", "vfs"]);
    buildah
}

fn extract_base(release: &Release, packages: &Path, root: &Path) -> io::Result<()> {
    fs::create_dir_all(packages)?;
    let mut download = release.command("apt-get");
    download.args(["download", "--quiet", "--quiet"]).args(BASE);
    // As root, apt would download as a user who may not write here, and say so.
    download.args(["--option", "APT::Sandbox::User=root"]);
    tool::run(download.current_dir(packages))?;
    for package in fs::read_dir(packages)? {
        let mut extract = release.command("dpkg-deb");
        tool::run(extract.arg("--extract").arg(package?.path()).arg(root))?;
    }
    Ok(())
}

/// Where packages have their libraries below `usr/`, the loader still looks for them in `/lib`.
fn link_libraries(root: &Path) -> io::Result<()> {
    for folder in ["lib", "lib64"] {
        let is_missing = !root.join(folder).exists();
        if is_missing && root.join("usr").join(folder).exists() {
            symlink(Path::new("usr").join(folder), root.join(folder))?;
        }
    }
    Ok(())
}

/// Makes the one file of authorities, as the package's own script would.
fn trust_authorities(root: &Path) -> io::Result<()> {
    let mut certificates = Vec::new();
    let folder = fs::read_dir(root.join("usr/share/ca-certificates/mozilla"))?;
    let paths = folder.map(|entry| Ok(entry?.path()));
    let mut paths = paths.collect::<io::Result<Vec<PathBuf>>>()?;
    paths.sort();
    for path in paths {
        certificates.extend(fs::read(path)?);
    }
    fs::write(root.join("etc/ssl/certs/ca-certificates.crt"), certificates)
}
