//! Other users of the machine, who read and place files.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use crate::serving::{eventually, serve};
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

#[test]
fn other_users_of_the_machine_read_neither_database_nor_backup_nor_windows() {
    let folder = furnished();
    let serving = serve(&folder, &[]);
    assert_eq!(serving.get("/chains", None).status, 200);
    folder.ask(&["backup", "donation-catalog.db.backup"]);
    eventually("the windows are saved", || {
        folder
            .path()
            .join("donation-catalog.db-limits")
            .exists()
            .then_some(())
    });
    assert!(folder.path().join("donation-catalog.db-wal").exists());
    assert_eq!(open_to_others(folder.path()), []);
}

#[test]
fn a_database_that_others_could_read_is_closed_to_them() {
    let folder = furnished();
    fs::set_permissions(folder.database(), Permissions::from_mode(0o644)).unwrap();
    let serving = serve(&folder, &[]);
    assert_eq!(open_to_others(folder.path()), []);
    assert!(
        serving.log().contains("others could read it"),
        "{}",
        serving.log()
    );
}

#[test]
fn a_link_in_the_place_of_a_new_file_of_windows_leads_nowhere() {
    let folder = furnished();
    let victim = folder.path().join("victim");
    fs::write(&victim, "precious").unwrap();
    symlink(
        &victim,
        folder.path().join("donation-catalog.db-limits.new"),
    )
    .unwrap();
    let serving = serve(&folder, &[]);
    assert_eq!(serving.get("/chains", None).status, 200);
    let windows = folder.path().join("donation-catalog.db-limits");
    eventually("the windows are saved", || windows.exists().then_some(()));
    assert_eq!(fs::read_to_string(&victim).unwrap(), "precious");
    assert!(!windows.is_symlink());
}
