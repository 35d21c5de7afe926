//! The databases of scenarios.

use std::any::Any;
use std::path::PathBuf;
use std::sync::Arc;

use db::Location;
use features::database::{self};
use tempfile::TempDir;
use tokio_postgres::NoTls;

use super::instances::{Instance, MIGRATED, execute};

/// The database from which the others are copied.
const FILLED: &str = "filled";

/// A kind of database.
#[derive(Clone)]
pub enum Databases {
    /// SQLite files; the first of them is in this folder.
    Files(Arc<TempDir>),
    /// A PostgreSQL server with the database [`MIGRATED`].
    Server(Arc<Instance>),
}

/// The database of one scenario. It goes with its folder, or with its server.
pub struct Database {
    location: Site,
    _folder: Option<TempDir>,
}

enum Site {
    File(PathBuf),
    Url(String),
}

/// Keeps everybody else from writing until it is dropped: a connection.
pub type Held = Box<dyn Any>;

impl Databases {
    pub fn files() -> Databases {
        Databases::Files(Arc::new(tempfile::tempdir().unwrap()))
    }

    /// The first database, without anything, for the fixture.
    pub async fn empty(&self) -> Location {
        let location: Location = match self {
            Databases::Files(folder) => file_in(folder).into(),
            Databases::Server(instance) => {
                let create = format!("CREATE DATABASE {FILLED} TEMPLATE {MIGRATED}");
                execute(&instance.url("postgres"), &create).await;
                instance.url(FILLED).parse().unwrap()
            }
        };
        database::migrate(&location).await.unwrap();
        location
    }

    /// A copy of the first database, to which no connection is open.
    pub async fn copy(&self) -> Database {
        match self {
            Databases::Files(first) => {
                let folder = tempfile::tempdir().unwrap();
                let file = file_in(&folder);
                std::fs::copy(file_in(first), &file).unwrap();
                Database {
                    location: Site::File(file),
                    _folder: Some(folder),
                }
            }
            Databases::Server(instance) => Database {
                location: Site::Url(instance.copy(FILLED).await),
                _folder: None,
            },
        }
    }
}

impl Database {
    pub fn location(&self) -> Location {
        match &self.location {
            Site::File(path) => path.clone().into(),
            Site::Url(url) => url.parse().unwrap(),
        }
    }

    /// Drops all tables, behind the store's back, but for the counters that servers poll.
    pub async fn drop_tables(&self) {
        match &self.location {
            Site::File(path) => {
                let file = rusqlite::Connection::open(path).unwrap();
                file.pragma_update(None, "foreign_keys", false).unwrap();
                let tables = "SELECT name FROM sqlite_schema WHERE type = 'table' \
                    AND name <> 'version' AND name NOT LIKE 'sqlite_%'";
                let mut tables = file.prepare(tables).unwrap();
                let tables = tables.query_map([], |row| row.get::<_, String>(0)).unwrap();
                for table in tables.collect::<Result<Vec<_>, _>>().unwrap() {
                    file.execute_batch(&format!("DROP TABLE {table}")).unwrap();
                }
            }
            Site::Url(url) => {
                let drop = "DO $$ DECLARE name text; BEGIN
                    FOR name IN SELECT tablename FROM pg_tables
                      WHERE schemaname = 'public' AND tablename <> 'version'
                    LOOP EXECUTE format('DROP TABLE %I CASCADE', name); END LOOP;
                  END $$";
                execute(url, drop).await;
            }
        }
    }

    /// Another process that is in the middle of writing configs.
    pub async fn hold_writes(&self) -> Held {
        match &self.location {
            Site::File(path) => {
                let file = rusqlite::Connection::open(path).unwrap();
                file.execute_batch("BEGIN IMMEDIATE").unwrap();
                Box::new(file)
            }
            Site::Url(url) => {
                let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
                tokio::spawn(connection);
                let lock = "BEGIN; LOCK TABLE config IN EXCLUSIVE MODE";
                client.batch_execute(lock).await.unwrap();
                Box::new(client)
            }
        }
    }
}

fn file_in(folder: &TempDir) -> PathBuf {
    folder.path().join("catalogue.db")
}
