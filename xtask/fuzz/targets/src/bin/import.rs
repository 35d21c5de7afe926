//! Lines of an import, into a database that keeps the records of earlier inputs. Each line is recorded
//! or refused with a reason, and a second import of the same lines records none of them again.

#![no_main]

use std::sync::LazyLock;

use db::Db;
use features::database::{self};
use features::domain::recording::OnRejection;
use features::import::{self, Event, Summary};

static STORE: LazyLock<Db> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder").keep();
    database::open(&folder.join("import.db")).expect("a database")
});
static RUNTIME: LazyLock<tokio::runtime::Runtime> =
    LazyLock::new(|| tokio::runtime::Runtime::new().expect("a runtime"));

libfuzzer_sys::fuzz_target!(|lines: &[u8]| {
    let first = run(lines);
    let again = run(lines);
    // A line that referred to a record of a later line is accepted now.
    assert!(again.inserted <= first.refused, "{first:?} {again:?}");
});

fn run(lines: &[u8]) -> Summary {
    let mut refused = 0;
    let import = import::run(&STORE, lines, OnRejection::Continue, |event| {
        if let Event::Refused(line) = event {
            assert!(!line.errors.is_empty());
            refused += 1;
        }
    });
    let summary = RUNTIME.block_on(import).expect("an import");
    let expected = lines
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.trim_ascii().is_empty());
    let recorded = summary.inserted + summary.updated + summary.unchanged;
    assert_eq!(
        recorded + summary.refused,
        expected.count() as u64,
        "{summary:?}"
    );
    assert_eq!(summary.refused, refused);
    summary
}
