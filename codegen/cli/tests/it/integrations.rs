//! The GitHub action, the hooks for the `pre-commit` framework, and the git hook.

use crate::sandbox::{CONTRACT, Sandbox};
use serde_yaml::Value;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A contract without findings.
const CLEAN: &str = include_str!("../../templates/workspace/openapi.yaml");

/// A fake `gh` (the GitHub CLI): writes its arguments, without the path of the body, to `arguments`, and copies the
/// file of `--body-file` to `comment`.
const GH: &str = "#!/bin/sh
echo \"$*\" | sed 's| --body-file .*||' > arguments
for last; do :; done
cp \"$last\" comment
";

fn codegen_path(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

fn yaml(path: &str) -> Value {
    serde_yaml::from_str(&fs::read_to_string(codegen_path(path)).unwrap()).unwrap()
}

/// A repository with a fresh crate, whose commit is also that of the branch `origin/main`.
fn repository() -> Sandbox {
    let sandbox = Sandbox::generated(CLEAN);
    sandbox.git(&["init", "--quiet", "--initial-branch=main"]);
    sandbox.git(&["add", "."]);
    sandbox.git(&["commit", "--quiet", "--message=c"]);
    sandbox.git(&["update-ref", "refs/remotes/origin/main", "main"]);
    sandbox.write("bin/gh", GH);
    make_executable(&sandbox.path("bin/gh"));
    sandbox
}

fn make_executable(path: &Path) {
    fs::set_permissions(path, Permissions::from_mode(0o755)).unwrap();
}

/// A command in the sandbox, which finds `openapi-crate` and the sandbox's `gh`.
fn command(sandbox: &Sandbox, program: &Path) -> Command {
    let built = Path::new(env!("CARGO_BIN_EXE_openapi-crate"))
        .parent()
        .unwrap();
    let path = std::env::var("PATH").unwrap();
    let path = format!(
        "{}:{}:{path}",
        sandbox.path("bin").display(),
        built.display()
    );
    let mut command = Command::new(program);
    command.current_dir(sandbox.path(".")).env("PATH", path);
    command
}

/// Runs the commands of the action for a pull request.
fn run_action(sandbox: &Sandbox) -> Output {
    let mut command = command(sandbox, &codegen_path("action/run.sh"));
    command
        .env("GITHUB_BASE_REF", "main")
        .env("PULL_REQUEST", "7");
    command.env("GITHUB_STEP_SUMMARY", sandbox.path("summary"));
    command.output().unwrap()
}

#[test]
fn the_action_comments_on_a_change_that_breaks_nothing_and_passes() {
    let sandbox = repository();
    let outcome = run_action(&sandbox);
    assert!(outcome.status.success(), "{outcome:?}");
    let arguments = sandbox.read("arguments");
    assert_eq!(arguments, "pr comment 7 --edit-last --create-if-none\n");
    assert_eq!(sandbox.read("comment"), sandbox.read("summary"));
}

#[test]
fn the_action_fails_for_a_break_unless_breaks_are_allowed() {
    let sandbox = repository();
    sandbox.write(
        "spec/openapi.yaml",
        &CLEAN.replace("maxLength: 40", "maxLength: 30"),
    );
    assert_eq!(sandbox.run(&["gen"]).code, 0);
    assert_eq!(run_action(&sandbox).status.code(), Some(1));
    let comment = sandbox.read("comment");
    assert!(comment.contains("maxLength"), "{comment}");
    let mut allowed = command(&sandbox, &codegen_path("action/run.sh"));
    allowed
        .env("GITHUB_BASE_REF", "main")
        .env("ALLOW_BREAKS", "true");
    assert!(allowed.env("PULL_REQUEST", "7").status().unwrap().success());
}

#[test]
fn the_action_fails_for_a_stale_crate_and_for_a_finding() {
    let sandbox = repository();
    sandbox.write(
        "spec/openapi.yaml",
        &CLEAN.replace("Who is greeted.", "Whom to greet."),
    );
    let stale = run_action(&sandbox);
    assert_eq!(stale.status.code(), Some(1), "{stale:?}");
    assert_eq!(sandbox.run(&["gen"]).code, 0);
    assert!(run_action(&sandbox).status.success());
    sandbox.write("spec/openapi.yaml", CONTRACT);
    assert_eq!(sandbox.run(&["gen"]).code, 0);
    let found = run_action(&sandbox);
    let stdout = String::from_utf8_lossy(&found.stdout);
    assert_eq!(found.status.code(), Some(1), "{stdout}");
    assert!(stdout.contains("::warning file="), "{stdout}");
}

#[test]
fn the_action_installs_this_version_and_pins_what_it_uses() {
    let action = yaml("action/action.yml");
    let version = &action["inputs"]["version"]["default"];
    assert_eq!(version.as_str(), Some(env!("CARGO_PKG_VERSION")));
    let steps = action["runs"]["steps"].as_sequence().unwrap();
    for step in steps {
        let Some(used) = step["uses"].as_str() else {
            assert_eq!(step["shell"].as_str(), Some("bash"), "{step:?}");
            continue;
        };
        let (_, commit) = used.split_once('@').unwrap();
        let is_hash = commit.len() == 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
        assert!(is_hash, "{used}");
    }
    let last = steps.last().unwrap()["run"].as_str().unwrap();
    assert_eq!(last, "\"$GITHUB_ACTION_PATH/run.sh\"");
}

#[test]
fn pre_commit_hooks_pass_for_a_fresh_crate_and_fail_for_a_stale_one() {
    let sandbox = repository();
    let run = || {
        let hooks = yaml("../.pre-commit-hooks.yaml");
        let entries = hooks.as_sequence().unwrap().iter();
        let entries = entries.map(|hook| {
            assert_eq!(hook["language"].as_str(), Some("system"));
            let words = hook["entry"]
                .as_str()
                .unwrap()
                .strip_prefix("openapi-crate ");
            let words: Vec<&str> = words.unwrap().split(' ').collect();
            sandbox.run(&words).code
        });
        entries.collect::<Vec<_>>()
    };
    assert_eq!(run(), [0, 0]);
    sandbox.write("spec/openapi.yaml", &CLEAN.replace("Who is greeted.", ""));
    assert_eq!(run(), [1, 1]);
}

#[test]
fn git_hook_stops_the_commit_of_a_stale_crate() {
    let sandbox = repository();
    let hook = sandbox.path(".git/hooks/pre-commit");
    fs::copy(codegen_path("hooks/pre-commit"), &hook).unwrap();
    let commit = || {
        let mut git = command(&sandbox, Path::new("git"));
        git.args(["-c", "user.name=Somebody", "-c", "user.email=a@b.example"]);
        git.args(["commit", "--quiet", "--all", "--message=c"]);
        git.output().unwrap()
    };
    sandbox.write(
        "spec/openapi.yaml",
        &CLEAN.replace("Who is greeted.", "Whom to greet."),
    );
    let stale = commit();
    assert_eq!(stale.status.code(), Some(1), "{stale:?}");
    assert_eq!(sandbox.run(&["gen"]).code, 0);
    let fresh = commit();
    assert!(fresh.status.success(), "{fresh:?}");
}
