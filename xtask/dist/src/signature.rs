//! `SHA256SUMS.sig`: an SSH signature of the checksums, which `ssh-keygen -Y verify` checks.

use crate::checksums;
use crate::release::Release;
use crate::tool;
use fs_err as fs;
use std::io;
use std::path::Path;
use std::process::Command;

/// The name of the file.
pub(crate) const NAME: &str = "SHA256SUMS.sig";

/// The use of the signature, so that one for something else is not taken for it.
const NAMESPACE: &str = "donation-catalog";

/// Signs the checksums with a private key, or with a public one whose private key the SSH agent has; without a key,
/// there is no signature.
///
/// # Errors
/// When ssh-keygen is missing, or cannot use the key.
pub(crate) fn write(release: &Release, key: Option<&Path>) -> io::Result<()> {
    let path = release.out.join(NAME);
    if path.exists() {
        fs::remove_file(path)?;
    }
    key.map_or(Ok(()), |key| sign(&release.out, key))
}

/// Signs the checksums in a folder.
pub(crate) fn sign(folder: &Path, key: &Path) -> io::Result<()> {
    let mut sign = Command::new("ssh-keygen");
    sign.args(["-q", "-Y", "sign", "-n", NAMESPACE, "-f"])
        .arg(key);
    tool::output(sign.arg(folder.join(checksums::NAME))).map(drop)
}
