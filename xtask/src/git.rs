//! What git knows of a file: where a branch left main, and what stood in the file then.

use codegen::Source;
use std::path::Path;
use std::process::Command;

/// The branches that a merge base is looked for with, in order.
const MAINS: [&str; 4] = ["origin/HEAD", "origin/main", "main", "master"];

/// The last commit that this branch shares with main; on main itself, the one before, since what
/// is to be judged there is the latest commit.
///
/// # Errors
/// Why there is none, in a sentence without an end.
pub(crate) fn merge_base(root: &Path) -> Result<String, String> {
    let head = git(root, &["rev-parse", "--verify", "HEAD"])?;
    let known = MAINS
        .iter()
        .find_map(|main| git(root, &["merge-base", "HEAD", main]).ok());
    match known {
        Some(base) if base == head => {
            let clean = git(root, &["status", "--porcelain", "--", "spec"])?.is_empty();
            if !clean {
                // What is being written is judged against what was committed.
                return Ok(head);
            }
            let parent = git(root, &["rev-parse", "--verify", "HEAD~1"]);
            parent.map_err(|_| missing(root, "this is the first commit"))
        }
        Some(base) => Ok(base),
        None => Err(missing(root, "there is no commit shared with main")),
    }
}

fn missing(root: &Path, otherwise: &str) -> String {
    match git(root, &["rev-parse", "--is-shallow-repository"]) {
        Ok(shallow) if shallow == "true" => {
            "this clone is shallow; fetch the whole history (fetch-depth: 0)".to_owned()
        }
        _ => otherwise.to_owned(),
    }
}

/// A file as it stood at a revision.
///
/// # Errors
/// Why it cannot be shown: no such revision, or no such file in it.
pub(crate) fn show(root: &Path, revision: &str, file: &Path) -> Result<Source, String> {
    let inside = file.strip_prefix(root).unwrap_or(file);
    let short: String = revision.chars().take(12).collect();
    // `./` makes git read the path from the folder it runs in, whatever the top level is.
    let object = format!("{revision}:./{}", inside.to_string_lossy());
    let text = raw(root, &["show", "--end-of-options", &object])?;
    Ok(Source {
        name: format!("{short}:{}", inside.to_string_lossy()),
        text,
    })
}

/// Runs git and gives what it prints, without the end of the line.
fn git(root: &Path, arguments: &[&str]) -> Result<String, String> {
    raw(root, arguments).map(|text| text.trim_end().to_owned())
}

fn raw(root: &Path, arguments: &[&str]) -> Result<String, String> {
    // A CI often checks out as another user than it runs as, which git refuses unless told.
    let mut command = Command::new("git");
    command.args(["-c", "safe.directory=*"]).args(arguments);
    let output = command.current_dir(root).output();
    let output = output.map_err(|error| format!("git cannot be run: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let reason = said.lines().next().unwrap_or("git failed");
    Err(reason.trim_start_matches("fatal: ").to_owned())
}
