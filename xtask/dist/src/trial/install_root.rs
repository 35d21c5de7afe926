//! A small Debian in a folder, in which packages are installed.

use crate::release::Release;
use crate::tool;
use fs_err as fs;
use std::io;
use std::path::PathBuf;
use std::process::Command;
use tempfile::TempDir;

/// The root, removed when it is dropped.
pub(super) struct InstallRoot(TempDir);

impl InstallRoot {
    /// A root with dpkg, systemd, and the dependencies of the package.
    ///
    /// # Errors
    /// When it cannot be made: it takes root, and Debian's packages.
    pub(super) fn new(release: &Release) -> io::Result<InstallRoot> {
        let folder = tempfile::Builder::new()
            .prefix("install-root")
            .tempdir_in(&release.build)?;
        let suite = codename()?;
        let mut debian = Command::new("mmdebstrap");
        debian.args(["--quiet", "--variant=essential", "--mode=root"]);
        debian.arg("--include=libgcc-s1,procps,systemd");
        tool::run(debian.arg(suite).arg(folder.path()))?;
        Ok(InstallRoot(folder))
    }

    /// A path within the root.
    pub(super) fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    /// A command that runs within the root, without the environment of this one.
    pub(super) fn command(&self, program: &str) -> Command {
        let mut command = Command::new("chroot");
        command.arg(self.0.path()).arg(program).env_clear();
        command.env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
        command.env("DEBIAN_FRONTEND", "noninteractive");
        command.env("LC_ALL", "C.UTF-8");
        command
    }
}

/// The name of this machine's Debian.
fn codename() -> io::Result<String> {
    let about = fs::read_to_string("/etc/os-release")?;
    let line = about
        .lines()
        .find_map(|line| line.strip_prefix("VERSION_CODENAME="));
    let name = line.map(|name| name.trim_matches('"').to_owned());
    name.ok_or_else(|| io::Error::other("/etc/os-release has no VERSION_CODENAME"))
}
