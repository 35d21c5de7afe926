//! Fills a database, by its file or URL, with the demonstration's data and, beside its three customers,
//! many that each have a key of the Enterprise tier; prints those keys, a line each.
//!
//! No customer may make more than a thousand requests in a minute. Many of them together are as
//! much load as a server bears, with every limit in force.
//!
//! Arguments: `DATABASE COUNT`

use std::error::Error;

use db::Db;
use features::database;
use features::keys::Key;
use features::keys::lifecycle::{self, KeyRequest};
use features::projects::{Actor, Project, ProjectId, Tier};
use jiff::Timestamp;
use server::demo;
use server::demo::DemoKeys;
use uuid::Uuid;

pub(crate) async fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let [database, count] = arguments else {
        return Err("customers DATABASE COUNT".into());
    };
    let store = database::connect(&database.parse()?).await?;
    let now = Timestamp::now();
    let unused = || lifecycle::generate(KeyRequest::lasting(None), now).map(|(_, record)| record);
    let keys = DemoKeys {
        free: unused()?,
        pro: unused()?,
        enterprise: unused()?,
    };
    demo::seed(&store, now, keys).await?;
    for number in 0..count.parse()? {
        println!("{}", customer(&store, number).await?.reveal());
    }
    store.close();
    Ok(())
}

async fn customer(store: &Db, number: u32) -> Result<Key, Box<dyn Error>> {
    let project = Project {
        id: ProjectId(Uuid::now_v7()),
        name: format!("Customer {number}"),
        tier: Tier::Enterprise,
    };
    let id = project.id;
    let now = Timestamp::now();
    features::project_lifecycle::store::create_project(store, Actor::Operator, project, now)
        .await?;
    let request = KeyRequest::lasting(None);
    let issued = lifecycle::issue(store, Actor::Operator, id, request, now).await?;
    Ok(issued.key)
}
