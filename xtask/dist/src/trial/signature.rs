//! The signature: verified by the command of the operators' guide, for the pinned key alone.

use super::{OPERATING, require};
use crate::release::Release;
use crate::{checksums, signature, tool};
use fs_err as fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

/// Signs copies of the checksums with a key of its own, and verifies them as an operator does.
pub(super) fn run(release: &Release) -> io::Result<()> {
    let folder = tempfile::tempdir()?;
    let folder = folder.path();
    for file in release.files()? {
        let name = file.file_name().unwrap_or_default();
        std::os::unix::fs::symlink(&file, folder.join(name))?;
    }
    let sums = folder.join(checksums::NAME);
    let signed = fs::read_to_string(&sums)?;
    fs::remove_file(&sums)?;
    verify_as_printed(folder, &signed)
}

/// Signs these checksums of the files in a folder.
fn verify_as_printed(folder: &Path, checksums: &str) -> io::Result<()> {
    let verifies = |expected: bool, case: &str| {
        let status = printed(folder)?.status()?;
        require(
            status.success() == expected,
            format!("with {case}: {status}"),
        )
    };
    let sums = folder.join(checksums::NAME);
    let sign = |key: &str| {
        let path = folder.join(signature::NAME);
        if path.exists() {
            fs::remove_file(path)?;
        }
        fs::write(&sums, checksums)?;
        signature::sign(folder, &folder.join(key))
    };
    for key in ["key", "other"] {
        let mut generate = Command::new("ssh-keygen");
        generate.args(["-q", "-t", "ed25519", "-N", "", "-f"]);
        tool::output(generate.arg(folder.join(key)))?;
    }
    let public = fs::read_to_string(folder.join("key.pub"))?;
    let pinned = format!("releases@donation-catalog.example {public}");
    fs::write(folder.join("release-signers"), pinned)?;
    sign("key")?;
    verifies(true, "the signature of the pinned key")?;
    fs::write(&sums, format!("{checksums}\n"))?;
    verifies(false, "checksums that were changed")?;
    sign("other")?;
    verifies(false, "the signature of another key")?;
    let changed = checksums.replacen(|c: char| c.is_ascii_digit(), "a", 1);
    fs::write(&sums, changed)?;
    fs::remove_file(folder.join(signature::NAME))?;
    signature::sign(folder, &folder.join("key"))?;
    verifies(false, "a file that has another checksum")
}

/// The printed command, in the folder of the release.
fn printed(folder: &Path) -> io::Result<Command> {
    let lines = OPERATING.lines();
    let line = lines
        .clone()
        .find(|line| line.starts_with("ssh-keygen -Y verify"));
    let line = line.ok_or_else(|| io::Error::other("operating.md does not verify a signature"))?;
    let mut command = Command::new("sh");
    command.args(["-e", "-c", line]).current_dir(folder);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    Ok(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_printed_command_verifies_the_pinned_key_alone() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("file"), "").unwrap();
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  file\n";
        verify_as_printed(folder.path(), empty).unwrap();
    }
}
