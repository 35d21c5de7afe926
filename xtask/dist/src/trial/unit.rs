//! The systemd unit: its command and its user, and systemd's own verdict on it.

use super::install_root::InstallRoot;
use crate::release::NAME;
use crate::tool;
use fs_err as fs;
use std::io;
use std::process::Command;

/// The most exposure that `systemd-analyze security` may find, in tenths: 0 is none, 100 all.
const EXPOSURE: u32 = 20;

/// The lines of a unit.
pub(super) struct Unit(String);

impl Unit {
    /// The unit that the package installed.
    ///
    /// # Errors
    /// When there is none.
    pub(super) fn installed(root: &InstallRoot) -> io::Result<Unit> {
        let path = root.path(&format!("usr/lib/systemd/system/{NAME}.service"));
        Ok(Unit(fs::read_to_string(path)?))
    }

    /// The value of a key.
    ///
    /// # Errors
    /// When the unit does not have it.
    pub(super) fn value(&self, key: &str) -> io::Result<&str> {
        let mut lines = self.0.lines();
        let value = lines.find_map(|line| line.strip_prefix(key)?.strip_prefix('='));
        value.ok_or_else(|| io::Error::other(format!("the unit has no {key}")))
    }

    /// The variables of its `EnvironmentFile`, whose lines are `NAME=value` or comments.
    ///
    /// # Errors
    /// When the unit names no such file, or it cannot be read.
    pub(super) fn environment(&self, root: &InstallRoot) -> io::Result<Vec<(String, String)>> {
        // With a dash, systemd starts the unit without the file, too.
        let path = self.value("EnvironmentFile")?.trim_start_matches('-');
        let text = fs::read_to_string(root.path(path.trim_start_matches('/')))?;
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let variables = lines.filter_map(|line| line.split_once('='));
        Ok(variables
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect())
    }
}

/// systemd finds no error in the unit, and little that an attacker who takes the server over could do.
///
/// # Errors
/// Its words.
pub(super) fn verify(root: &InstallRoot) -> io::Result<()> {
    let unit = format!("{NAME}.service");
    let mut verify = Command::new("systemd-analyze");
    verify.arg("verify").arg("--root").arg(root.path(""));
    tool::run(verify.arg(&unit))?;
    let mut security = Command::new("systemd-analyze");
    security.args(["security", "--no-pager", "--offline=yes"]);
    security.arg(format!("--threshold={EXPOSURE}"));
    tool::output(security.arg("--root").arg(root.path("")).arg(&unit)).map(drop)
}
