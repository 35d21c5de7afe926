//! Reads from git the commit where a branch left main, and the files of a document at that commit.

use crate::Document;
use crate::settings::shown;
use std::path::Path;
use std::process::Command;

/// The branches that a merge base is looked for with, in order.
const MAINS: [&str; 4] = ["origin/HEAD", "origin/main", "main", "master"];

/// The last commit that this branch shares with main. On main itself it is the previous commit, so that
/// the latest commit is compared, or uncommitted changes of a document's files.
///
/// # Errors
/// The reason why there is none, as a sentence without a full stop.
pub(crate) fn merge_base(file: &Path, document: &Document) -> Result<String, String> {
    let root = folder(file);
    let head = git(root, &["rev-parse", "--verify", "HEAD"])?;
    let known = MAINS
        .iter()
        .find_map(|main| git(root, &["merge-base", "HEAD", main]).ok());
    match known {
        Some(base) if base == head => {
            if is_being_written(root, document)? {
                // Uncommitted changes are compared with the latest commit.
                return Ok(head);
            }
            let parent = git(root, &["rev-parse", "--verify", "HEAD~1"]);
            parent.map_err(|_| missing(root, "this is the first commit"))
        }
        Some(base) => Ok(base),
        None => Err(missing(root, "there is no commit shared with main")),
    }
}

/// Whether a tag exists in the repository around a folder.
#[must_use]
pub fn has_tag(root: &Path, name: &str) -> bool {
    let tag = format!("refs/tags/{name}");
    git(root, &["rev-parse", "--verify", "--quiet", &tag]).is_ok()
}

/// Whether a file of a document is not as it was committed.
fn is_being_written(root: &Path, document: &Document) -> Result<bool, String> {
    // Git runs in the document's folder.
    let paths = document.paths.iter().map(std::path::absolute);
    let paths: Vec<_> = paths.filter_map(Result::ok).collect();
    let paths: Vec<_> = paths.iter().map(|path| path.to_string_lossy()).collect();
    let mut arguments = vec!["status", "--porcelain", "--"];
    arguments.extend(paths.iter().map(|path| path.as_ref()));
    Ok(!git(root, &arguments)?.is_empty())
}

fn missing(root: &Path, otherwise: &str) -> String {
    match git(root, &["rev-parse", "--is-shallow-repository"]) {
        Ok(shallow) if shallow == "true" => {
            "this clone is shallow; fetch the whole history (fetch-depth: 0)".to_owned()
        }
        _ => otherwise.to_owned(),
    }
}

/// A document with all its files at a revision of the repository that it lies in.
///
/// # Errors
/// The reason why it cannot be shown: no such revision, or no such file in it.
pub(crate) fn show(revision: &str, file: &Path) -> Result<Document, String> {
    let root = folder(file);
    let short: String = revision.chars().take(12).collect();
    // The document's own name follows the last slash, as in paths of other documents.
    let name = format!("{short}:./{}", shown(file));
    Document::read_by(file, &name, |file| {
        // With `./` git resolves a path from the folder it runs in, whatever the top level is. Unlike
        // `show`, `cat-file` takes no folder for a text.
        let inside = file.strip_prefix(root).unwrap_or(file);
        let object = format!("{revision}:./{}", inside.to_string_lossy());
        raw(root, &["cat-file", "--end-of-options", "blob", &object])
    })
}

/// The folder of a document, which git runs in.
fn folder(file: &Path) -> &Path {
    let folder = file
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// Runs git and returns its output, without the end of the line.
fn git(root: &Path, arguments: &[&str]) -> Result<String, String> {
    raw(root, arguments).map(|text| text.trim_end().to_owned())
}

fn raw(root: &Path, arguments: &[&str]) -> Result<String, String> {
    // A CI often checks out as another user than it runs as, which git refuses by default.
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
