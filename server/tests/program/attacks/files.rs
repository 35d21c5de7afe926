//! Other users of the machine, who read and place files.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use crate::faults::fault::Fault;
use crate::faults::requests::get;
use crate::folder::Folder;
use crate::serving::{Serving, eventually};
use crate::world::furnished;

/// The permissions of group and others of each file in a folder that some of them have some for.
fn open_to_others(folder: &Path) -> Vec<(String, u32)> {
    let files = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let modes = files.map(|file| {
        let name = file.file_name().into_string().unwrap();
        (name, file.metadata().unwrap().permissions().mode() & 0o077)
    });
    modes
        .filter(|(name, mode)| name.starts_with("donation-catalog.db") && *mode != 0)
        .collect()
}

/// The server, once it has saved its windows.
fn saved(fault: &mut Fault, folder: &Folder) -> Serving {
    let serving = fault.serve(folder, &[]);
    fault.request("a client", &serving, get("/chains", ""));
    let windows = folder.path().join("donation-catalog.db-limits");
    eventually("the windows are saved", || windows.exists().then_some(()));
    serving
}

pub(super) fn files_that_other_users_of_the_machine_read(fault: &mut Fault) {
    let folder = furnished();
    let _serving = saved(fault, &folder);
    let backup = ["backup", "donation-catalog.db.backup"];
    fault.run("`backup`", &folder, &backup);
    assert!(folder.path().join("donation-catalog.db-wal").exists());
    assert_eq!(open_to_others(folder.path()), []);
}

pub(super) fn a_database_that_other_users_may_read(fault: &mut Fault) {
    let folder = furnished();
    fs::set_permissions(folder.database(), Permissions::from_mode(0o644)).unwrap();
    let serving = saved(fault, &folder);
    assert_eq!(open_to_others(folder.path()), []);
    let log = serving.log();
    assert!(log.contains("other users could read this file"), "{log}");
}

pub(super) fn a_link_in_the_place_of_a_new_file(fault: &mut Fault) {
    let folder = furnished();
    let victim = folder.path().join("victim");
    fs::write(&victim, "precious").unwrap();
    let new = folder.path().join("donation-catalog.db-limits.new");
    symlink(&victim, new).unwrap();
    let _serving = saved(fault, &folder);
    assert_eq!(fs::read_to_string(&victim).unwrap(), "precious");
    let windows = folder.path().join("donation-catalog.db-limits");
    assert!(!windows.is_symlink());
}
