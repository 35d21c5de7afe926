//! Keys are issued, rotated and revoked.

use uuid::Uuid;

use super::{KeyDigest, KeyId, KeyOfProject, KeyRefusal, NewKey};
use crate::database::conformance::world::{Site, World, at, project_id};
use crate::projects::{Actor, ProjectRefusal, Tier};

fn key(n: u8) -> NewKey {
    NewKey {
        id: KeyId(Uuid::from_bytes([n; 16])),
        digest: KeyDigest([n; 32]),
        display_prefix: "sk_abcd".to_owned(),
        label: None,
        created_at: at(100),
        expires_at: None,
    }
}

fn of_project(project: u8, key: KeyId) -> KeyOfProject {
    KeyOfProject {
        actor: Actor::Operator,
        project: project_id(project),
        key,
    }
}

async fn keys_are_issued_rotated_and_revoked(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    let (one, two) = (key(1), key(2));
    let late = NewKey {
        created_at: at(120),
        ..key(3)
    };
    let add = |project, key| store.add_key(Actor::Operator, project_id(project), key);
    let rotate = |old, new| store.rotate_key(of_project(1, old), new, at(150));
    let revoke = |project, key, second| store.revoke_key(of_project(project, key), at(second));

    let unknown_project = KeyRefusal::UnknownProject(project_id(9));
    assert_eq!(add(9, one.clone()).await.unwrap(), Err(unknown_project));
    assert_eq!(add(1, one.clone()).await.unwrap(), Ok(()));
    assert_eq!(rotate(one.id, two.clone()).await.unwrap(), Ok(()));
    let another_projects = Err(KeyRefusal::UnknownKey(two.id));
    assert_eq!(revoke(2, two.id, 120).await.unwrap(), another_projects);
    assert_eq!(revoke(1, two.id, 120).await.unwrap(), Ok(()));
    let ended = Err(KeyRefusal::Ended(two.id));
    assert_eq!(revoke(1, two.id, 130).await.unwrap(), ended);
    assert_eq!(rotate(two.id, late).await.unwrap(), ended);
    let unknown = Err(KeyRefusal::UnknownKey(key(4).id));
    assert_eq!(revoke(1, key(4).id, 1).await.unwrap(), unknown);

    let keys = store.keys_of(project_id(1)).await.unwrap();
    assert_eq!(keys, store.all_keys().await.unwrap());
    assert_eq!(store.key(two.id).await.unwrap().as_ref(), keys.last());
    let live = |second| {
        keys.iter()
            .map(|key| key.is_live(at(second)))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        (live(119), live(149), live(150)),
        (vec![true, true], vec![true, false], vec![false, false])
    );
}

async fn changes_of_keys_and_tiers_are_counted(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    let before = store.versions().await.unwrap();
    let other = world.another().await;
    let added = other.add_key(Actor::Operator, project_id(1), key(1)).await;
    added.unwrap().unwrap();
    let added = store.versions().await.unwrap();
    assert_eq!(
        (added.keys, added.catalogue),
        (before.keys + 1, before.catalogue)
    );
    let set_tier = |n| other.set_tier(Actor::Operator, project_id(n), Tier::Enterprise, at(1));
    assert_eq!(set_tier(1).await.unwrap(), Ok(()));
    let unknown = ProjectRefusal::Unknown(project_id(9));
    assert_eq!(set_tier(9).await.unwrap(), Err(unknown));
    assert!(store.versions().await.unwrap().keys > added.keys);
    assert_eq!(store.all_keys().await.unwrap()[0].tier, Tier::Enterprise);
}

crate::database::conformance::on_each_database! {
    keys_are_issued_rotated_and_revoked,
    changes_of_keys_and_tiers_are_counted,
}
