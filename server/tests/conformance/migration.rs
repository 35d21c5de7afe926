//! A database of the released schema is migrated forward with its data.

use db::{Db, DbError, Location, Migrated, Row, Schema};
use features::database::SCHEMA;

use crate::world::{Site, World};

/// The schema of a later version, which adds a column and an index.
const NEXT: Schema = Schema(&[
    SCHEMA.0[0],
    "ALTER TABLE charity ADD COLUMN motto text;
     ALTER TABLE charity ADD COLUMN audited boolean NOT NULL DEFAULT false;
     CREATE INDEX charity_by_motto ON charity (motto);
",
]);

async fn a_later_version_migrates_the_released_schema(site: Site) {
    let world = World::new(&site).await;
    let location: Location = world.url().parse().unwrap();
    world.store.close();
    let migrated = db::migrate(&location, NEXT).await.unwrap();
    assert_eq!(migrated, Migrated { from: 1, to: 2 });
    let later = Db::connect(&location, NEXT).await.unwrap();
    let read = |row: &Row<'_>| Ok((row.get("slug")?, row.get("motto")?, row.get("audited")?));
    let sql = "SELECT slug, motto, audited FROM charity ORDER BY slug";
    let charities: Vec<(String, Option<String>, bool)> =
        later.read(move |tx| tx.all(sql, &[], read)).await.unwrap();
    let expected = [1, 2, 3].map(|n| (format!("charity-{n}"), None, false));
    assert_eq!(charities, expected);
    // The earlier version does not use it.
    let earlier = Db::connect(&location, SCHEMA).await.unwrap_err();
    assert_eq!(earlier, DbError::NewerSchema { found: 2, known: 1 });
    // A second migration has nothing to do.
    let again = db::migrate(&location, NEXT).await.unwrap();
    assert_eq!(again, Migrated { from: 2, to: 2 });
}

on_each_database! {
    a_later_version_migrates_the_released_schema,
}
