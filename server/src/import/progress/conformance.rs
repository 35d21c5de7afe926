//! How far an import is.

use crate::database::conformance::world::{Site, World, donation};
use crate::import::{Extent, Mark, OnRejection, Record};

fn mark(source: &str, lines: u64) -> Mark {
    let extent = Extent {
        bytes: lines * 100,
        lines,
        digest: [u8::try_from(lines).unwrap(); 32],
    };
    Mark {
        source: source.to_owned(),
        extent,
    }
}

/// A donation, with the mark that all up to it is recorded; whether it was refused.
async fn refused(world: &World, config: u8, mark: Mark) -> bool {
    let number = u32::try_from(mark.extent.lines).unwrap();
    let batch = vec![Record::Donation(donation(number, 1, config, 10))];
    let recording = world
        .store
        .record_marked(batch, OnRejection::Continue, Some(mark));
    recording.await.unwrap()[0].is_err()
}

async fn extent(world: &World, source: &str) -> Option<Extent> {
    let extent = world.store.import_extent(source.to_owned());
    extent.await.unwrap()
}

async fn is_noted_with_what_is_recorded_and_not_with_what_is_refused(site: Site) {
    const UNKNOWN: u8 = 9;
    let world = World::new(&site).await;
    assert_eq!(extent(&world, "a").await, None);
    for (source, lines) in [("a", 1), ("b", 2), ("a", 3)] {
        assert!(!refused(&world, 1, mark(source, lines)).await);
        let noted = extent(&world, source).await;
        assert_eq!(noted, Some(mark(source, lines).extent));
    }
    assert!(refused(&world, UNKNOWN, mark("a", 4)).await);
    assert_eq!(extent(&world, "a").await, Some(mark("a", 3).extent));
    world.store.forget_import("a".to_owned()).await.unwrap();
    assert_eq!(extent(&world, "a").await, None);
    assert_eq!(extent(&world, "b").await, Some(mark("b", 2).extent));
}

crate::database::conformance::on_each_database! {
    is_noted_with_what_is_recorded_and_not_with_what_is_refused,
}
