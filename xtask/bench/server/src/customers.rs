//! Fills a database, by its file or URL, with the demonstration's data and, beside its three customers,
//! many that each have a key of the Enterprise tier; prints those keys, a line each.
//!
//! No customer may make more than a thousand requests in a minute. Many of them together are as
//! much load as a server bears, with every limit in force.
//!
//! Arguments: `DATABASE COUNT`

use std::error::Error;

use jiff::Timestamp;
use server::database::{self, Store};
use server::demo;
use server::demo::DemoKeys;
use server::keys::{Key, KeyId, NewKey};
use server::projects::{Actor, Project, ProjectId, Tier};
use uuid::Uuid;

pub(crate) async fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let [database, count] = arguments else {
        return Err("customers DATABASE COUNT".into());
    };
    let store = database::connect(&database.parse()?).await?;
    let keys = DemoKeys {
        free: issue()?.1,
        pro: issue()?.1,
        enterprise: issue()?.1,
    };
    demo::seed(&store, Timestamp::now(), keys).await?;
    for number in 0..count.parse()? {
        println!("{}", customer(&store, number).await?.reveal());
    }
    store.close();
    Ok(())
}

async fn customer(store: &Store, number: u32) -> Result<Key, Box<dyn Error>> {
    let project = Project {
        id: ProjectId(Uuid::now_v7()),
        name: format!("Customer {number}"),
        tier: Tier::Enterprise,
    };
    let (key, record) = issue()?;
    let id = project.id;
    store.create_project(Actor::Operator, project).await??;
    store.add_key(Actor::Operator, id, record).await??;
    Ok(key)
}

fn issue() -> Result<(Key, NewKey), Box<dyn Error>> {
    let key = Key::generate().map_err(|error| error.to_string())?;
    let record = NewKey {
        id: KeyId(Uuid::now_v7()),
        digest: key.digest(),
        display_prefix: key.display_prefix().to_owned(),
        created_at: Timestamp::now(),
        expires_at: None,
    };
    Ok((key, record))
}
