//! Tests on both databases: import checkpoints.

use crate::records::donation;
use crate::world::{Site, World};
use features::domain::recording::OnRejection;
use features::import::{Checkpoint, Record, RecordedPrefix};

fn checkpoint(source: &str, lines: u64) -> Checkpoint {
    let prefix = RecordedPrefix {
        bytes: lines * 100,
        lines,
        digest: [u8::try_from(lines).unwrap(); 32],
    };
    Checkpoint {
        source: source.to_owned(),
        prefix,
    }
}

/// Records a donation together with a checkpoint; returns whether the donation was refused.
async fn refused(world: &World, config: u8, checkpoint: Checkpoint) -> bool {
    let number = u32::try_from(checkpoint.prefix.lines).unwrap();
    let batch = vec![Record::Donation(donation(number, 1, config, 10))];
    let recording = features::import::store::record_with_checkpoint(
        &world.store,
        batch,
        OnRejection::Continue,
        Some(checkpoint),
        None,
    );
    recording.await.unwrap()[0].is_err()
}

async fn prefix(world: &World, source: &str) -> Option<RecordedPrefix> {
    let prefix = features::import::store::recorded_prefix(&world.store, source.to_owned());
    prefix.await.unwrap()
}

async fn a_checkpoint_is_stored_unless_a_record_is_refused(site: Site) {
    const UNKNOWN: u8 = 9;
    let world = World::new(&site).await;
    assert_eq!(prefix(&world, "a").await, None);
    for (source, lines) in [("a", 1), ("b", 2), ("a", 3)] {
        assert!(!refused(&world, 1, checkpoint(source, lines)).await);
        let noted = prefix(&world, source).await;
        assert_eq!(noted, Some(checkpoint(source, lines).prefix));
    }
    assert!(refused(&world, UNKNOWN, checkpoint("a", 4)).await);
    assert_eq!(prefix(&world, "a").await, Some(checkpoint("a", 3).prefix));
    features::import::store::forget_import(&world.store, "a".to_owned())
        .await
        .unwrap();
    assert_eq!(prefix(&world, "a").await, None);
    assert_eq!(prefix(&world, "b").await, Some(checkpoint("b", 2).prefix));
}

on_each_database! {
    a_checkpoint_is_stored_unless_a_record_is_refused,
}
