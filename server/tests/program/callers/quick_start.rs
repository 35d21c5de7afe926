//! The quick start, with its commands copied from the guide.

use std::process::Command;

use super::tool;
use crate::folder::Folder;
use crate::serving::serve;

#[test]
fn the_quick_start_works_as_it_stands() {
    if !tool::present(&["bash", "curl", "jq"], &[]) {
        return;
    }
    let folder = Folder::new();
    let serving = serve(&folder, &["--demo"]);
    let page = serving.page("/docs/guides/quick-start");
    let lines = shell(&page);
    let output = Command::new("bash")
        .args(["-euo", "pipefail", "-c", &lines])
        .output()
        .unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{lines}\n{said}\n{complaint}");
    // Three names, the money, two ids, the config, and its statistics.
    let mut said = said.lines();
    assert_eq!(
        said.by_ref()
            .take(3)
            .filter(|name| name.starts_with('"'))
            .count(),
        3
    );
    assert!(
        said.next()
            .unwrap()
            .trim_matches('"')
            .parse::<u64>()
            .unwrap()
            > 0
    );
    let charities: Vec<String> = serde_json::from_str(said.next().unwrap()).unwrap();
    assert_eq!(charities.len(), 2);
    let config = said.next().unwrap();
    let shown: serde_json::Value = serde_json::from_str(&said.collect::<String>()).unwrap();
    assert_eq!(shown["id"], config);
    assert_eq!(shown["stats"]["donationCount"], "0");
}

/// The shell lines of a page, one block after the other.
fn shell(page: &str) -> String {
    let blocks = page.split("<code class=\"language-sh\">").skip(1);
    let blocks: Vec<_> = blocks
        .map(|rest| rest.split("</code>").next().unwrap())
        .collect();
    assert_eq!(blocks.len(), 5, "{page}");
    let text = blocks.concat();
    let marks = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&amp;", "&"),
    ];
    marks
        .iter()
        .fold(text, |text, (mark, sign)| text.replace(mark, sign))
}
