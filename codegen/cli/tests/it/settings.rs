//! Settings: the file is found, its paths start from it, and flags do without.

use crate::sandbox::{CONTRACT, Sandbox};

/// A workspace of a team: document and settings in one folder.
fn team() -> Sandbox {
    let sandbox = Sandbox::new(CONTRACT);
    let contract = CONTRACT.replace("in: path,", "in: path, example: a,");
    sandbox.write("team/shelf.yaml", &contract);
    let settings = "spec = \"shelf.yaml\"\nout = \"crates/shelf\"\nname = \"shelf\"\n\
                    features = [\"client\"]\nruntime = \"version=1\"\nsamples = [\"curl\"]\n";
    sandbox.write("team/openapi-crate.toml", settings);
    sandbox.write("team/src/bin/a.txt", "a source");
    sandbox
}

#[test]
fn the_nearest_file_above_a_command_says_everything() {
    let sandbox = team();
    let mut command = sandbox.command(&["gen"]);
    let outcome = command.current_dir(sandbox.path("team/src/bin")).output();
    assert!(outcome.unwrap().status.success());
    let manifest = sandbox.read("team/crates/shelf/Cargo.toml");
    for line in [
        "name = \"shelf\"\n",
        "\ndefault = [\"client\"]\n",
        "runtime = { package = \"openapi-crate-runtime\", version = \"1\", default-features = false }\n",
    ] {
        assert!(manifest.contains(line), "no {line} in {manifest}");
    }
    let document = sandbox.read("team/crates/shelf/openapi.json");
    assert!(document.contains("\"curl\"") && !document.contains("\"Python\""));
}

#[test]
fn a_named_file_is_read_instead() {
    let sandbox = team();
    let command = ["gen", "--check", "--settings", "team/openapi-crate.toml"];
    let outcome = sandbox.run(&command);
    assert_eq!(outcome.code, 1, "{}", outcome.stderr);
    let fix = "Fix with openapi-crate gen --settings team/openapi-crate.toml\n";
    assert!(outcome.stdout.contains(fix), "{}", outcome.stdout);
    assert_eq!(sandbox.run(&["gen", command[2], command[3]]).code, 0);
    assert_eq!(sandbox.run(&command).code, 0);
}

#[test]
fn flags_alone_need_no_file_and_read_none() {
    let sandbox = team();
    let flags = [
        "gen",
        "--spec",
        "team/shelf.yaml",
        "--out",
        "out",
        "--features",
        "server,exact-numbers",
        "--samples",
        "",
    ];
    assert_eq!(sandbox.run(&flags).code, 0);
    let manifest = sandbox.read("out/Cargo.toml");
    assert!(manifest.contains("name = \"generated\"\n"), "{manifest}");
    assert!(manifest.contains("\ndefault = [\"server\", \"exact-numbers\"]\n"));
    assert!(!sandbox.read("out/openapi.json").contains("x-codeSamples"));
}

#[test]
fn what_is_missing_or_wrong_is_said() {
    let sandbox = Sandbox::new(CONTRACT);
    std::fs::remove_file(sandbox.path("openapi-crate.toml")).unwrap();
    for command in ["gen", "lint", "diff"] {
        let outcome = sandbox.run(&[command]);
        assert_eq!(outcome.code, 2);
        let said = "error: there is no openapi-crate.toml in this folder or above it";
        assert!(outcome.stderr.starts_with(said), "{}", outcome.stderr);
    }
    sandbox.write("openapi-crate.toml", "outt = \"x\"\n");
    let outcome = sandbox.run(&["lint"]);
    assert_eq!(outcome.code, 2);
    let said = "error: openapi-crate.toml: ";
    assert!(outcome.stderr.starts_with(said), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("unknown field `outt`"));
}
