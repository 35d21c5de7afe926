//! Keys are issued, rotated and revoked.

use uuid::Uuid;

use super::{KeyChange, KeyDigest, KeyId, NewKey};
use crate::database::conformance::world::{Site, World, at, project_id};
use crate::projects::Tier;

fn key(n: u8) -> NewKey {
    NewKey {
        id: KeyId(Uuid::from_bytes([n; 16])),
        digest: KeyDigest([n; 32]),
        display_prefix: "sk_abcd".to_owned(),
        created_at: at(100),
        expires_at: None,
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
    assert_eq!(
        store.add_key(project_id(9), one.clone()).await.unwrap(),
        KeyChange::Unknown
    );
    assert_eq!(
        store.add_key(project_id(1), one.clone()).await.unwrap(),
        KeyChange::Done
    );
    let rotation = store
        .rotate_key(one.id, two.clone(), at(150))
        .await
        .unwrap();
    assert_eq!(rotation, KeyChange::Done);
    assert_eq!(
        store.revoke_key(two.id, at(120)).await.unwrap(),
        KeyChange::Done
    );
    assert_eq!(
        store.revoke_key(two.id, at(130)).await.unwrap(),
        KeyChange::Dead
    );
    assert_eq!(
        store.rotate_key(two.id, late, at(150)).await.unwrap(),
        KeyChange::Dead
    );
    assert_eq!(
        store.revoke_key(key(4).id, at(1)).await.unwrap(),
        KeyChange::Unknown
    );

    let keys = store.keys_of(project_id(1)).await.unwrap();
    assert_eq!(keys, store.all_keys().await.unwrap());
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
    other.add_key(project_id(1), key(1)).await.unwrap();
    let added = store.versions().await.unwrap();
    assert_eq!(
        (added.keys, added.catalogue),
        (before.keys + 1, before.catalogue)
    );
    assert!(
        other
            .set_tier(project_id(1), Tier::Enterprise)
            .await
            .unwrap()
    );
    assert!(
        !other
            .set_tier(project_id(9), Tier::Enterprise)
            .await
            .unwrap()
    );
    assert!(store.versions().await.unwrap().keys > added.keys);
    assert_eq!(store.all_keys().await.unwrap()[0].tier, Tier::Enterprise);
}

crate::database::conformance::on_each_database! {
    keys_are_issued_rotated_and_revoked,
    changes_of_keys_and_tiers_are_counted,
}
