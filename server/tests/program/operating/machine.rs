//! A machine of an operator: a folder with stand-ins for apt, the editor, systemd and `runuser`, in which the fenced
//! commands of the guide run as they are printed. `cargo xtask dist --trial` installs the package for real.

use std::fs;
use std::net::SocketAddr;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use super::PAGE;
use crate::instances::free_port;
use crate::serving::eventually;
use crate::wire::{Answer, Wire};

/// What the stand-ins do in the place of the real programs. `$ROOT` is the folder of the machine.
const STAND_INS: [(&str, &str); 4] = [
    (
        "apt",
        r#"[ "$1 $2" = "install ./donation-catalog-1.0.0-amd64.deb" ] || exit 9
if [ -e "$ROOT/pid" ]; then exec systemctl restart donation-catalog; fi
sed "s,/var/lib/,$ROOT/var/lib/," "$DEPLOY/donation-catalog.toml" > "$ROOT/etc/donation-catalog.toml"
cp "$DEPLOY/donation-catalog.default" "$ROOT/etc/default/donation-catalog""#,
    ),
    (
        "editor",
        r#"cat "$ROOT/edits/$(echo "$1" | sed "s,$ROOT/etc/,," | tr / -)" >> "$1""#,
    ),
    (
        "runuser",
        r#"[ "$1 $2 $3" = "-u donation-catalog --" ] || exit 9
shift 3; exec "$@""#,
    ),
    (
        "systemctl",
        r#"[ "$2" = donation-catalog ] || exit 9
stop() {
  [ -e "$ROOT/pid" ] || return 0
  pid=$(cat "$ROOT/pid")
  kill -TERM "$pid"
  while grep --quiet --no-messages '^State:[[:space:]]*[^Z[:space:]]' "/proc/$pid/status"; do sleep 0.05; done
  rm "$ROOT/pid"
}
start() {
  set -- serve --config "$ROOT/etc/donation-catalog.toml" --env-file "$ROOT/etc/default/donation-catalog"
  setsid sh -c 'echo $$ > "$ROOT/pid"; exec donation-catalog "$@"' sh "$@" >> "$ROOT/log" 2>&1 < /dev/null &
  while ! [ -s "$ROOT/pid" ]; do sleep 0.05; done
}
case $1 in stop) stop;; start) start;; restart) stop; start;; *) exit 9;; esac"#,
    ),
];

/// The fenced blocks of a language below a heading, in their order.
pub(super) fn blocks(heading: &str, language: &str) -> Vec<&'static str> {
    let (_, section) = PAGE.split_once(&format!("\n## {heading}\n")).unwrap();
    let section = section
        .split_once("\n## ")
        .map_or(section, |(section, _)| section);
    fenced(section, language)
}

/// The fenced blocks of a language.
pub(super) fn fenced<'t>(text: &'t str, language: &str) -> Vec<&'t str> {
    let fence = format!("\n```{language}\n");
    let blocks = text.split(&*fence).skip(1);
    blocks
        .map(|block| block.split_once("\n```").unwrap().0)
        .collect()
}

pub(super) struct Machine {
    root: TempDir,
    pub(super) api: SocketAddr,
    pub(super) admin: SocketAddr,
    /// What the guide prints for an example, and what this machine has.
    substitutions: Vec<(String, String)>,
}

impl Machine {
    /// A machine whose operator adds these lines to the settings and to the secrets.
    pub(super) fn new(settings: &str, secrets: &str) -> Machine {
        let root = tempfile::tempdir().unwrap();
        let path = |name: &str| root.path().join(name);
        for folder in ["bin", "etc/default", "edits", "var/lib/donation-catalog"] {
            fs::create_dir_all(path(folder)).unwrap();
        }
        for (name, script) in STAND_INS {
            let file = path("bin").join(name);
            fs::write(&file, format!("#!/bin/sh -e\n{script}\n")).unwrap();
            fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
        }
        symlink(
            env!("CARGO_BIN_EXE_donation-catalog"),
            path("bin/donation-catalog"),
        )
        .unwrap();
        let [api, admin] = [(); 2].map(|()| SocketAddr::from(([127, 0, 0, 1], free_port())));
        let settings = format!("listen = \"{api}\"\nadmin-listen = \"{admin}\"\n{settings}\n");
        fs::write(path("edits/donation-catalog.toml"), settings).unwrap();
        fs::write(
            path("edits/default-donation-catalog"),
            format!("{secrets}\n"),
        )
        .unwrap();
        let group = Command::new("id").arg("-gn").output().unwrap().stdout;
        let group = String::from_utf8(group).unwrap();
        let root_path = root.path().to_str().unwrap();
        let substitutions = vec![
            ("/etc/".to_owned(), format!("{root_path}/etc/")),
            ("/var/lib/".to_owned(), format!("{root_path}/var/lib/")),
            (
                "--group donation-catalog".to_owned(),
                format!("--group {}", group.trim()),
            ),
            ("127.0.0.1:9090".to_owned(), admin.to_string()),
        ];
        Machine {
            api,
            admin,
            substitutions,
            root,
        }
    }

    /// What this machine has in the place of an example.
    pub(super) fn with(mut self, example: &str, here: &str) -> Machine {
        self.substitutions
            .push((example.to_owned(), here.to_owned()));
        self
    }

    /// Runs blocks of commands in one shell; returns its standard output.
    #[track_caller]
    pub(super) fn run(&self, blocks: &[&str]) -> String {
        let mut script = blocks.join("\n");
        for (example, here) in &self.substitutions {
            script = script.replace(example, here);
        }
        let mut programs = vec![self.root.path().join("bin")];
        programs.extend(crate::instances::postgres_programs());
        programs.extend(["/usr/bin", "/bin", "/usr/sbin"].map(Into::into));
        let mut shell = Command::new("sh");
        shell
            .args(["-e", "-c", &script])
            .current_dir(self.root.path())
            .env_clear();
        shell
            .env("PATH", std::env::join_paths(programs).unwrap())
            .env("ROOT", self.root.path());
        shell.env("DEPLOY", concat!(env!("CARGO_MANIFEST_DIR"), "/deploy"));
        let output = shell.stdin(Stdio::null()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{script}\n{said}\n{}", self.log());
        String::from_utf8(output.stdout).unwrap()
    }

    pub(super) fn path(&self) -> &Path {
        self.root.path()
    }

    pub(super) fn log(&self) -> String {
        fs::read_to_string(self.root.path().join("log")).unwrap_or_default()
    }

    /// The response to a GET of the API, as soon as the server listens.
    pub(super) fn get(&self, path: &str, key: &str) -> Answer {
        let head =
            format!("GET /api/v1{path} HTTP/1.1\r\nhost: test\r\nservice-api-key: {key}\r\n\r\n");
        eventually("the server listens", || Wire::try_connect(self.api).ok()).ask(head.as_bytes())
    }

    /// Waits until the server is ready.
    pub(super) fn ready(&self) {
        eventually("the server is ready", || {
            let mut wire = Wire::try_connect(self.admin).ok()?;
            let answer = wire.try_ask(b"GET /readyz HTTP/1.1\r\nhost: test\r\n\r\n")?;
            (answer.status == 200).then_some(())
        });
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        let stop = Command::new(self.root.path().join("bin/systemctl"))
            .args(["stop", "donation-catalog"])
            .env("ROOT", self.root.path())
            .status();
        assert!(stop.is_ok_and(|status| status.success()) || std::thread::panicking());
    }
}
