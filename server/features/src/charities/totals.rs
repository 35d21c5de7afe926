//! The sums of donations to charities.

use std::collections::BTreeSet;

use imbl::HashMap;

use super::{Charities, CharityId};
use crate::database::Update;
use crate::domain::amount::UsdE6;
use crate::domain::donation_stats::DonationStats;
use crate::domain::position::Position;
use crate::listing::{Direction, Listing};

/// The sums of donations to the charities of a catalogue; they change more often than the charities. A clone
/// shares them.
#[derive(Clone)]
pub struct CharityTotals {
    received: HashMap<CharityId, DonationStats>,
    /// The active charities, largest first.
    order: Listing<CharityId>,
    /// The positions in `order`.
    ranked: HashMap<CharityId, Position>,
}

impl CharityTotals {
    /// No donations.
    pub(crate) fn new() -> CharityTotals {
        CharityTotals {
            received: HashMap::new(),
            order: Listing::new(Direction::Descending),
            ranked: HashMap::new(),
        }
    }

    /// A copy with newer sums, in the order of the active charities, of which `changed` may have been activated or
    /// deactivated, or all.
    pub(crate) fn updated(
        &self,
        update: Update<CharityId, (CharityId, DonationStats)>,
        charities: &Charities,
        changed: Option<&BTreeSet<CharityId>>,
    ) -> CharityTotals {
        let mut totals = self.clone();
        let received = update.changed();
        match &received {
            None => totals.received = HashMap::new(),
            Some(received) => {
                for id in received {
                    totals.received.remove(id);
                }
            }
        }
        totals.received.extend(update.into_rows());
        if let (Some(changed), Some(received)) = (changed, received) {
            for id in changed | &received {
                totals.rank(id, charities);
            }
        } else {
            totals.order = Listing::new(Direction::Descending);
            totals.ranked = HashMap::new();
            for charity in charities.active() {
                totals.rank(charity.id, charities);
            }
        }
        totals
    }

    /// Moves a charity to its position, or out of the order if it is not active.
    fn rank(&mut self, id: CharityId, charities: &Charities) {
        if let Some(position) = self.ranked.remove(&id) {
            self.order.remove(&position);
        }
        if charities.active_entry(id).is_none() {
            return;
        }
        let position = Position {
            ordinal: self.of(id).usd.0,
            key: id.0.as_bytes().to_vec(),
        };
        self.order.insert(position.clone(), id.into());
        self.ranked.insert(id, position);
    }

    /// The sum of donations to a charity.
    pub fn of(&self, charity: CharityId) -> DonationStats {
        self.received.get(&charity).copied().unwrap_or_default()
    }

    /// The sum of all donations to charities.
    pub fn sum(&self) -> UsdE6 {
        let all = self.received.values().map(|stats| stats.usd.0);
        UsdE6(all.fold(0, i64::saturating_add))
    }

    /// The active charities of the catalogue, largest first.
    pub(super) fn order(&self) -> &Listing<CharityId> {
        &self.order
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charities::CharityFilter;
    use crate::domain::paging::{List, PageRequest};
    use crate::test_records::{charity, charity_id};

    #[test]
    fn a_cursor_stays_an_amount_while_amounts_change() {
        let charities = Charities::new().updated(Update::All((1..=4).map(charity).collect()));
        let page = |received: [i64; 4], cursor: Option<&str>| {
            let stats = received.map(|usd| DonationStats {
                usd: UsdE6(usd),
                ..DonationStats::default()
            });
            let received = Update::All((1..).map(charity_id).zip(stats).collect());
            let totals = CharityTotals::new().updated(received, &charities, None);
            let page = PageRequest::new(List::of("charities"), cursor, 2).unwrap();
            let page = charities.page_by_received(&totals, &CharityFilter::default(), &page);
            let page = page.body.decode().unwrap();
            let ids = page.response.iter().map(|it| it.id.0.as_bytes()[0]);
            (ids.collect::<Vec<_>>(), page.page_key)
        };
        let (first, cursor) = page([40, 30, 20, 10], None);
        assert_eq!(first, [1, 2]);
        let next = |received| page(received, cursor.as_deref()).0;
        assert_eq!(next([40, 30, 20, 10]), [3, 4]);
        assert_eq!(next([40, 30, 20, 99]), [3], "4 has grown beyond it");
        assert_eq!(next([15, 30, 20, 10]), [3, 1], "1 has fallen below it");
        assert_eq!(next([30, 30, 20, 10]), [1, 3], "equal ones are in order");
    }
}
