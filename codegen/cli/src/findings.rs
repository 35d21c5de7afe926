//! Findings of `lint` and `diff` in the formats of other programs.

use codegen::{PROGRAM, VERSION};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

/// The characters that a path has and a URI has not.
const NOT_IN_URI: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'\\');

/// Something that is said of a place in a document.
#[derive(Debug, Serialize)]
pub(crate) struct Finding {
    /// How grave it is.
    pub(crate) severity: Severity,
    /// A stable name for the kind of finding.
    pub(crate) code: String,
    /// It, in one sentence.
    pub(crate) message: String,
    /// How to fix it, if that is known.
    pub(crate) help: Option<String>,
    /// The file.
    pub(crate) file: String,
    /// The line, from 1.
    pub(crate) line: usize,
    /// The column, from 1, in characters.
    pub(crate) column: usize,
}

/// How grave a finding is; all three formats have the same words, but for GitHub's `notice`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Severity {
    Error,
    Warning,
    Note,
}

impl Finding {
    /// The sentence, with the advice.
    fn text(&self) -> String {
        match &self.help {
            Some(help) => format!("{}\nhelp: {help}", self.message),
            None => self.message.clone(),
        }
    }
}

/// The path of a file of a document; the names of other files are relative to the folder of the document.
pub(crate) fn file_name(document: &str, file: &str) -> String {
    if file == document {
        return file.to_owned();
    }
    let folder = Path::new(document).parent().unwrap_or(Path::new(""));
    folder.join(file).to_string_lossy().into_owned()
}

/// An array of the findings.
pub(crate) fn json(findings: &[Finding]) -> String {
    json!(findings).to_string()
}

/// A log of SARIF 2.1.0 (<https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>).
pub(crate) fn sarif(findings: &[Finding]) -> String {
    let codes: BTreeSet<&str> = findings.iter().map(|one| one.code.as_str()).collect();
    let rules: Vec<Value> = codes.iter().map(|code| json!({ "id": code })).collect();
    let result = |one: &Finding| {
        let uri = one.file.replace('\\', "/");
        let uri = utf8_percent_encode(&uri, NOT_IN_URI).to_string();
        json!({
            "ruleId": one.code,
            "level": one.severity,
            "message": { "text": one.text() },
            "locations": [{ "physicalLocation": {
                "artifactLocation": { "uri": uri },
                "region": { "startLine": one.line, "startColumn": one.column },
            } }],
        })
    };
    let results: Vec<Value> = findings.iter().map(result).collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": PROGRAM, "version": VERSION, "rules": rules } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    log.to_string()
}

/// A workflow command for each finding, which GitHub Actions turns into an annotation of the line.
pub(crate) fn github(findings: &[Finding]) -> String {
    let command = |one: &Finding| {
        let level = match one.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "notice",
        };
        let property = |text: &str| escaped(text).replace(':', "%3A").replace(',', "%2C");
        format!(
            "::{level} file={},line={},col={},title={}::{}\n",
            property(&one.file),
            one.line,
            one.column,
            property(&one.code),
            escaped(&one.text())
        )
    };
    findings.iter().map(command).collect()
}

/// A text in a workflow command.
fn escaped(text: &str) -> String {
    let text = text.replace('%', "%25");
    text.replace('\r', "%0D").replace('\n', "%0A")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding() -> Finding {
        Finding {
            severity: Severity::Note,
            code: "path-case".into(),
            message: "100% of it: wrong".into(),
            help: Some("do better".into()),
            file: "my api/a,b.yaml".into(),
            line: 3,
            column: 5,
        }
    }

    #[test]
    fn a_workflow_command_is_one_line_whatever_is_said() {
        let expected = "::notice file=my api/a%2Cb.yaml,line=3,col=5,title=path-case::100%25 of it: wrong\
                        %0Ahelp: do better\n";
        assert_eq!(github(&[finding()]), expected);
    }

    #[test]
    fn a_log_of_sarif_names_the_rule_and_the_place_of_each_finding() {
        let log: Value = serde_json::from_str(&sarif(&[finding(), finding()])).unwrap();
        let run = &log["runs"][0];
        assert_eq!(
            run["tool"]["driver"]["rules"],
            json!([{ "id": "path-case" }])
        );
        assert_eq!(run["results"][1]["level"], "note");
        let place = &run["results"][1]["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "my%20api/a,b.yaml");
        assert_eq!(place["region"], json!({ "startLine": 3, "startColumn": 5 }));
    }
}
