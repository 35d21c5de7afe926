//! The roll-ups, recomputed.

use super::world::{Site, World, donation, partner_token};
use crate::store::Record;

pub(super) async fn tells_a_rollup_that_is_off(site: Site) {
    let world = World::new(&site).await;
    let partner = Record::PartnerToken(partner_token(1, 1, 1));
    world
        .record_all(vec![partner, Record::Donation(donation(1, 1, 1, 10))])
        .await;
    world.verify().await;
    for damage in [
        "UPDATE tally SET usd_e6 = usd_e6 + 1 WHERE facet = 0",
        "DELETE FROM tally_of_day WHERE facet = 1",
        "UPDATE partner_token SET donations = 0",
    ] {
        let before = world.store.verify_rollups().await.unwrap().len();
        world.tamper(damage).await;
        assert!(
            world.store.verify_rollups().await.unwrap().len() > before,
            "{damage}"
        );
    }
}
