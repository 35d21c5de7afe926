//! Lines of an import, into a database that keeps the records of earlier inputs.

#![no_main]

use std::sync::LazyLock;

use server::database::{self, Store};
use server::import::{self, OnRejection};

static STORE: LazyLock<Store> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder").keep();
    database::open(&folder.join("import.db")).expect("a database")
});
static RUNTIME: LazyLock<tokio::runtime::Runtime> =
    LazyLock::new(|| tokio::runtime::Runtime::new().expect("a runtime"));

libfuzzer_sys::fuzz_target!(|lines: &[u8]| {
    let summary = RUNTIME.block_on(async {
        import::run(&STORE, lines, OnRejection::Continue, |_| ()).await.expect("an import")
    });
    assert!(!summary.stopped);
});
