//! The image: run from its own files, read-only, as its own user.

use super::server::{Server, free_address};
use super::{CHARITY, CHARITY_PATH, require};
use crate::image::buildah;
use crate::release::Release;
use crate::tool;
use fs_err as fs;
use serde_json::Value;
use std::io;
use std::path::Path;
use std::process::Command;

/// Runs a program in a root that is mounted read-only but for `/data` and `/tmp`, as a user.
const CONFINED: &str = r#"
mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" &&
mount --bind "$2" "$1/data" &&
root=$1 user=$3 && shift 3 &&
exec chroot --userspec="$user" "$root" "$@"
"#;

pub(super) fn run(release: &Release) -> io::Result<()> {
    let archive = format!("oci-archive:{}", release.file(".oci.tar").display());
    let container = tool::output(buildah(release).args(["from", "--quiet", &archive]))?;
    let container = container.trim();
    let outcome = run_container(release, container);
    tool::output(buildah(release).args(["rm", container]))?;
    outcome
}

fn run_container(release: &Release, container: &str) -> io::Result<()> {
    let root = tool::output(buildah(release).args(["mount", container]))?;
    let about = tool::output(buildah(release).args(["inspect", container]))?;
    let about: Value = serde_json::from_str(&about)?;
    let part = |name: &str| about.pointer(&format!("/OCIv1/config/{name}"));
    let has_shell = Path::new(root.trim()).join("bin/sh").exists();
    require(!has_shell, "the image has a shell")?;
    let data = tempfile::tempdir()?;
    let user = part("User").and_then(Value::as_str).unwrap_or_default();
    require(
        user.starts_with("65532"),
        "the image runs as another user than 65532",
    )?;
    tool::run(Command::new("chown").arg(user).arg(data.path()))?;
    let started = |arguments: &[&str]| {
        let mut command = Command::new("unshare");
        command.args(["--mount", "sh", "-c", CONFINED, "sh", root.trim()]);
        command.arg(data.path()).arg(user);
        command
            .env_clear()
            .envs(texts(part("Env")).filter_map(|line| line.split_once('=')));
        command.args(texts(part("Entrypoint"))).args(arguments);
        command
    };
    let (address, admin) = (free_address()?, free_address()?);
    let command: Vec<&str> = texts(part("Cmd")).collect();
    let mut serve = started(&command);
    serve.env("CATALOG_LISTEN", address.to_string());
    serve.env("CATALOG_ADMIN_LISTEN", admin.to_string());
    let mut server = Server::start(&mut serve, address)?;
    fs::write(data.path().join("charity.ndjson"), CHARITY)?;
    tool::run(&mut started(&["import", "/data/charity.ndjson"]))?;
    server.answers(CHARITY_PATH, "Fictional Rivers Trust")?;
    server.stop()
}

fn texts(list: Option<&Value>) -> impl Iterator<Item = &str> {
    let items = list.and_then(Value::as_array).into_iter().flatten();
    items.filter_map(Value::as_str)
}
