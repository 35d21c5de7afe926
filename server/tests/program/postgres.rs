//! The program on PostgreSQL, several times.

use db::Location;
use features::database::SCHEMA;

use crate::folder::Folder;
use crate::instances::Instance;
use crate::serving::{followed, serve};
use crate::world::{PROJECT, SUM, catalogue, donations, text};

/// A new database without a schema.
pub(crate) fn unmigrated(instance: &Instance) -> String {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().build().unwrap();
    runtime.block_on(instance.copy("template1"))
}

#[test]
fn serving_wants_a_migrated_database() {
    let Some(instance) = Instance::start() else {
        return;
    };
    let folder = Folder::new();
    let url = unmigrated(&instance);
    let secret = url.replace("postgres@", "postgres:secret@");
    for command in [&["serve"][..], &["project", "list"], &["import", "-"]] {
        let outcome = folder.run(&[&["--database", &secret], command].concat());
        assert_eq!(outcome.code, Some(1), "{}", outcome.stdout);
        let said = outcome.stderr;
        assert!(said.contains("run the command `migrate`"), "{said}");
        assert!(!said.contains("secret"), "{said}");
    }
    let migrate = || folder.ask(&["migrate", "--database", &secret]);
    let (shown, newest) = (url.parse::<Location>().unwrap(), SCHEMA.newest());
    assert_eq!(
        migrate(),
        format!("Migrated the database {shown} from schema 0 to {newest}.")
    );
    assert_eq!(
        migrate(),
        format!("The database {shown} is up to date (schema {newest}).")
    );
    drop(serve(&folder, &["--database", &url]));

    let fresh = unmigrated(&instance);
    let both = ["--database", &fresh, "--migrate"];
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| drop(serve(&folder, &both)));
        }
    });
}

/// Two replicas, and commands beside them, on one database.
#[test]
fn replicas_follow_each_other() {
    let Some(instance) = Instance::start() else {
        return;
    };
    let folder = Folder::new();
    let url = unmigrated(&instance);
    let ask = |arguments: &[&str]| folder.ask(&[&["--database", &url], arguments].concat());
    ask(&["migrate"]);
    let file = folder.write("catalogue.ndjson", &text(&catalogue()));
    let replicas = [(); 2].map(|()| serve(&folder, &["--database", &url]));
    ask(&["import", file]);
    for replica in &replicas {
        followed("the catalogue is shown", || {
            let body = replica.get("/charities", None).body;
            body.contains(crate::world::CHARITY).then_some(())
        });
    }
    let key = ask(&["key", "issue", "--project", PROJECT]);
    for replica in &replicas {
        assert_eq!(replica.get("/configs", Some(&key)).status, 200, "at once");
    }
    let file = folder.write("donations.ndjson", &text(&donations(1000)));
    let import = || folder.run(&["--database", &url, "import", file]);
    // Two imports of the same donations, at the same time.
    std::thread::scope(|scope| {
        let imports = [scope.spawn(import), scope.spawn(import)];
        for import in imports {
            let outcome = import.join().unwrap();
            assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
        }
    });
    let answers = replicas.each_ref().map(|replica| {
        let answer = replica.get("/analytics", Some(&key));
        assert!(
            answer.body.contains(&(1000 * SUM).to_string()),
            "{answer:?}"
        );
        answer.body
    });
    assert_eq!(answers[0], answers[1]);
    ask(&["verify"]);
    let listed = ask(&["key", "list", "--project", PROJECT]);
    let row = listed.lines().find(|row| row.contains(&key[..11]));
    ask(&["key", "revoke", &row.unwrap()[..36]]);
    for replica in &replicas {
        followed("a revoked key is refused", || {
            let answer = replica.get("/configs", Some(&key));
            (answer.status == 403).then_some(())
        });
    }
}
