//! Tests of plans and their application, in temporary folders.

use super::*;

fn tree(files: &[(&'static str, &'static str)]) -> FileTree {
    let mut tree = FileTree::default();
    for (path, text) in files {
        tree.insert(*path, *text);
    }
    tree
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn kinds(tree: &FileTree, root: &Path) -> Vec<(String, Kind)> {
    let folder = Folder::read(root, OwnedEntries::OutputOnly).unwrap();
    let changes = plan(tree, &folder);
    let named = |c: &Change<'_>| (c.path.to_str().unwrap().to_owned(), c.kind);
    changes.iter().map(named).collect()
}

fn synced(tree: &FileTree, root: &Path) {
    let folder = Folder::read(root, OwnedEntries::OutputOnly).unwrap();
    apply(root, OwnedEntries::OutputOnly, &plan(tree, &folder)).unwrap();
    assert_eq!(kinds(tree, root), []);
}

#[test]
fn plans_missing_stale_and_orphaned_files() {
    let tree = tree(&[
        ("Cargo.toml", "a\n"),
        ("src/a.rs", "1\n"),
        ("src/b.rs", "2\n"),
    ]);
    let on_disk = folder(&[
        ("Cargo.toml", "a\n"),
        ("src/a.rs", "0\n"),
        ("src/x/c.rs", ""),
    ]);
    let expected = [
        ("src/a.rs".to_owned(), Kind::Stale),
        ("src/b.rs".to_owned(), Kind::Missing),
        ("src/x/c.rs".to_owned(), Kind::Orphaned),
    ];
    assert_eq!(kinds(&tree, on_disk.path()), expected);
    synced(&tree, on_disk.path());
    assert!(!on_disk.path().join("src/x").exists());
}

#[test]
fn touches_neither_equal_files_nor_those_of_others() {
    let tree = tree(&[("src/a.rs", "1\n2\n")]);
    let others = ["Cargo.lock", "target/x", ".git/HEAD", "notes.md"];
    let on_disk = folder(&[("src/a.rs", "1\r\n2\r\n")]);
    for path in others {
        let path = on_disk.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "mine").unwrap();
    }
    synced(&tree, on_disk.path());
    for path in others {
        assert!(on_disk.path().join(path).exists(), "{path}");
    }
    let kept = fs::read(on_disk.path().join("src/a.rs")).unwrap();
    assert_eq!(kept, b"1\r\n2\r\n");
}

#[test]
fn replaces_files_by_folders_and_folders_by_files() {
    let tree = tree(&[("src/lib.rs", "1\n"), ("src/api/a.rs", "2\n")]);
    synced(&tree, folder(&[("src", "garbage")]).path());
    let odd = folder(&[("src/api", "garbage"), ("src/lib.rs/deep/x", "garbage")]);
    fs::create_dir_all(odd.path().join("src/lib.rs/empty")).unwrap();
    synced(&tree, odd.path());
}

#[test]
fn leaves_no_trace_of_how_files_are_moved_into_place() {
    let first = tree(&[
        ("Cargo.toml", "a\n"),
        ("src/a.rs", "1\n"),
        ("src/b/c.rs", "2\n"),
    ]);
    let root = folder(&[(".gen-1.tmp/src/a.rs", "half")]);
    assert!(
        Folder::read(root.path(), OwnedEntries::OutputOnly)
            .unwrap()
            .is_empty()
    );
    fs::remove_dir_all(root.path().join(".gen-1.tmp")).unwrap();
    synced(&first, root.path());
    let second = tree(&[
        ("Cargo.toml", "b\n"),
        ("src/b/d.rs", "3\n"),
        ("runtime/e.rs", "4\n"),
    ]);
    synced(&second, root.path());
    let entries = fs::read_dir(root.path()).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["Cargo.toml", "runtime", "src"]);
}

#[test]
fn ignores_the_leftovers_of_a_killed_run() {
    let left = format!(".gen-{}.tmp", std::process::id());
    let (stray, build) = (format!("{left}/src/old.rs"), format!("{left}/build.rs"));
    let root = folder(&[]);
    for path in [&stray, &build] {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "half").unwrap();
    }
    synced(&tree(&[("src/a.rs", "1\n")]), root.path());
    assert!(!root.path().join("src/old.rs").exists());
    assert!(!root.path().join(left).exists());
}

#[test]
fn a_new_folder_may_be_named_in_any_way() {
    let parent = folder(&[]);
    for name in ["some/crate", "other/", "dotted/."] {
        let root = parent.path().join(name);
        synced(&tree(&[("Cargo.toml", "a\n"), ("src/a.rs", "1\n")]), &root);
    }
}

#[test]
fn finds_files_of_another_document() {
    let on_disk = folder(&[("postman/collection.json", "{}"), ("src/client.rs", "")]);
    synced(&tree(&[("src/lib.rs", "1\n")]), on_disk.path());
    assert!(!on_disk.path().join("postman").exists());
    assert!(!on_disk.path().join("src/client.rs").exists());
}

#[cfg(unix)]
#[test]
fn does_not_follow_links() {
    let elsewhere = folder(&[("precious.rs", "mine")]);
    let on_disk = folder(&[("Cargo.toml", "")]);
    std::os::unix::fs::symlink(elsewhere.path(), on_disk.path().join("src")).unwrap();
    synced(&tree(&[("src/lib.rs", "1\n")]), on_disk.path());
    assert!(elsewhere.path().join("precious.rs").exists());
}

#[test]
fn takes_only_line_ends_for_equal() {
    assert!(same(b"a\r\nb", "a\nb"));
    for other in ["a\rb", "a\n\nb", "a\nb\n", "a\n", "a\r\r\nb"] {
        assert!(!same(other.as_bytes(), "a\nb"), "{other:?}");
    }
}

#[test]
fn knows_an_earlier_output_and_an_empty_folder() {
    let owned = OwnedEntries::OutputOnly;
    let read = |files: &[(&str, &str)]| Folder::read(folder(files).path(), owned).unwrap();
    assert!(read(&[("Cargo.toml", "# @generated by `x`.\n")]).is_ours());
    assert!(!read(&[("Cargo.toml", "[package]\n")]).is_ours());
    assert!(read(&[(".git/HEAD", "")]).is_empty());
    assert!(!read(&[("notes.md", "")]).is_empty());
    assert!(
        Folder::read(Path::new("/nowhere/at/all"), owned)
            .unwrap()
            .is_empty()
    );
}

#[test]
fn all_visible_entries_of_an_owned_folder_are_compared() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    for path in [
        "build.rs",
        "tests/a.rs",
        "target/x",
        ".gitignore",
        "src/lib.rs",
    ] {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "x").unwrap();
    }
    let mut tree = FileTree::default();
    tree.insert("src/lib.rs", "x");
    let orphans = |owned| {
        let folder = Folder::read(root, owned).unwrap();
        let changes = plan(&tree, &folder);
        apply(root, owned, &changes).unwrap();
        changes.len()
    };
    assert_eq!(orphans(OwnedEntries::OutputOnly), 0);
    assert_eq!(orphans(OwnedEntries::AllVisible), 2);
    assert!(!root.join("build.rs").exists() && !root.join("tests").exists());
    assert!(root.join("target/x").exists() && root.join(".gitignore").exists());
}
