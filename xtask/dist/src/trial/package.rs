//! The package: installed and started as its unit says, installed again over its database, removed
//! and purged.

use super::install_root::InstallRoot;
use super::server::{Server, free_address};
use super::unit::{self, Unit};
use super::{CHARITY, CHARITY_PATH, OPERATING, require};
use crate::release::{NAME, Release};
use crate::tool;
use fs_err as fs;
use std::io;
use std::net::SocketAddr;
use std::process::Command;

const SETTINGS: &str = "etc/donation-catalog.toml";
const SECRETS: &str = "etc/default/donation-catalog";
/// The database that the secrets name; `&` ends a word of a shell.
const DATABASE: &str = "var/lib/donation-catalog/catalog&1.db";
const PROGRAM: &str = "usr/bin/donation-catalog";

/// A root in which the package is installed.
///
/// # Errors
/// When it cannot be installed.
fn installed(release: &Release) -> io::Result<InstallRoot> {
    let root = InstallRoot::new(release)?;
    fs::copy(release.package(), root.path("package.deb"))?;
    dpkg(&root, &["--install", "/package.deb"])?;
    Ok(root)
}

pub(super) fn run(release: &Release) -> io::Result<()> {
    let root = installed(release)?;
    let unit = Unit::installed(&root)?;
    has_its_files(&root)?;
    unit::verify(&root)?;
    let address = listen_elsewhere(&root)?;
    make_state_folder(&root, &unit)?;
    import_and_serve(&root, &unit, address)?;
    has_mode(&root, DATABASE, "600 donation-catalog donation-catalog\n")?;
    dpkg(&root, &["--install", "/package.deb"])?;
    let settings = fs::read_to_string(root.path(SETTINGS))?;
    require(
        settings.contains("admin-listen"),
        "the upgrade lost settings",
    )?;
    serve(&root, &unit, address, || Ok(()))?;
    dpkg(&root, &["--remove", NAME])?;
    has(&root, PROGRAM, false)?;
    has(&root, SETTINGS, true)?;
    dpkg(&root, &["--purge", NAME])?;
    has(&root, SETTINGS, false)?;
    has(&root, SECRETS, false)?;
    // Donations are no setting: an operator deletes them.
    has(&root, DATABASE, true)
}

fn dpkg(root: &InstallRoot, arguments: &[&str]) -> io::Result<()> {
    // Settings that were changed stay, as they do for an operator who answers so.
    let mut dpkg = root.command("dpkg");
    tool::output(dpkg.arg("--force-confold").args(arguments)).map(drop)
}

fn has_its_files(root: &InstallRoot) -> io::Result<()> {
    for path in [
        PROGRAM,
        SETTINGS,
        SECRETS,
        "usr/lib/sysusers.d/donation-catalog.conf",
        "usr/share/man/man1/donation-catalog-key-issue.1.gz",
        "usr/share/bash-completion/completions/donation-catalog",
        "usr/share/doc/donation-catalog/copyright",
    ] {
        has(root, path, true)?;
    }
    has_mode(root, SECRETS, "640 root donation-catalog\n")
}

/// The mode, the owner and the group of a file, whose names are those of the root.
fn has_mode(root: &InstallRoot, path: &str, expected: &str) -> io::Result<()> {
    let mut stat = root.command("stat");
    let mode = tool::output(stat.args(["--format=%a %U %G", &format!("/{path}")]))?;
    require(
        mode == expected,
        format!("/{path} has mode, owner and group {mode}"),
    )
}

fn has(root: &InstallRoot, path: &str, expected: bool) -> io::Result<()> {
    let reason = match expected {
        true => format!("/{path} is missing"),
        false => format!("/{path} is still there"),
    };
    require(root.path(path).exists() == expected, reason)
}

/// Makes the state folder, as systemd does before it starts the server.
fn make_state_folder(root: &InstallRoot, unit: &Unit) -> io::Result<()> {
    let folder = format!("/var/lib/{}", unit.value("StateDirectory")?);
    let mode = format!("--mode={}", unit.value("StateDirectoryMode")?);
    let mut install = root.command("install");
    tool::run(install.args(["--directory", &mode, &folder]))?;
    own_state(root, unit)
}

/// Gives the state folder to the unit's user, as systemd does.
fn own_state(root: &InstallRoot, unit: &Unit) -> io::Result<()> {
    let folder = format!("/var/lib/{}", unit.value("StateDirectory")?);
    let user = unit.value("User")?;
    let owner = format!("{user}:{user}");
    tool::run(root.command("chown").args(["--recursive", &owner, &folder]))
}

/// Lets the server listen on free ports: the operators' by its settings, the callers' by its secrets, which name the
/// database too.
fn listen_elsewhere(root: &InstallRoot) -> io::Result<SocketAddr> {
    let (address, admin) = (free_address()?, free_address()?);
    let add = |path: &str, line: String| {
        let path = root.path(path);
        let text = fs::read_to_string(&path)?;
        fs::write(path, text + &line)
    };
    add(SETTINGS, format!("admin-listen = \"{admin}\"\n"))?;
    add(
        SECRETS,
        format!("CATALOG_LISTEN={address}\nCATALOG_DATABASE=/{DATABASE}\n"),
    )?;
    Ok(address)
}

/// Imports a charity while the server runs.
fn import_and_serve(root: &InstallRoot, unit: &Unit, address: SocketAddr) -> io::Result<()> {
    serve(root, unit, address, || {
        fs::write(root.path("tmp/charity.ndjson"), CHARITY)?;
        let script = format!(
            "{}\ncatalog import /tmp/charity.ndjson",
            catalog_function()?
        );
        tool::run(root.command("sh").args(["-e", "-c", &script]))
    })
}

/// The shell function of the operators' guide that runs a command with the service's settings.
fn catalog_function() -> io::Result<&'static str> {
    let line = OPERATING
        .lines()
        .find(|line| line.starts_with("catalog() {"));
    line.ok_or_else(|| io::Error::other("operating.md has no function catalog"))
}

/// Starts the server as the unit does, asks for the charity after a preparation, and stops the server.
fn serve(
    root: &InstallRoot,
    unit: &Unit,
    address: SocketAddr,
    prepare: impl FnOnce() -> io::Result<()>,
) -> io::Result<()> {
    let words: Vec<&str> = unit.value("ExecStart")?.split_whitespace().collect();
    let mut server = Server::start(&mut as_the_unit(root, unit, &words)?, address)?;
    prepare()?;
    server.answers(CHARITY_PATH, "Fictional Rivers Trust")?;
    server.stop()
}

/// A command with the unit's user, umask, privileges and environment.
fn as_the_unit(root: &InstallRoot, unit: &Unit, words: &[&str]) -> io::Result<Command> {
    let user = unit.value("User")?;
    let mut command = root.command("sh");
    command.envs(unit.environment(root)?);
    let script = format!("umask {} && exec \"$@\"", unit.value("UMask")?);
    command.args([
        "-c", &script, "sh", "setpriv", "--reuid", user, "--regid", user,
    ]);
    command.args(["--init-groups", "--no-new-privs", "--bounding-set=-all"]);
    command.args(words);
    Ok(command)
}
