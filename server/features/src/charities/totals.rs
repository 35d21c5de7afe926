//! The sums of donations to charities.

use std::collections::HashMap;

use super::order::CharityOrder;
use super::{Charities, CharityId};
use crate::domain::donation_stats::DonationStats;

/// The sums of donations to the charities of a catalogue; they change more often than the charities.
pub struct CharityTotals {
    received: HashMap<CharityId, DonationStats>,
    /// The active charities, largest first.
    order: CharityOrder,
}

impl CharityTotals {
    /// `received` may leave out charities without donations.
    pub(crate) fn build(
        charities: &Charities,
        received: HashMap<CharityId, DonationStats>,
    ) -> CharityTotals {
        CharityTotals {
            order: CharityOrder::by_received(charities.active(), &received),
            received,
        }
    }

    /// The sum of donations to a charity.
    pub fn of(&self, charity: CharityId) -> DonationStats {
        self.received.get(&charity).copied().unwrap_or_default()
    }

    /// The active charities of the catalogue, largest first.
    pub(crate) fn order(&self) -> &CharityOrder {
        &self.order
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charities::CharityFilter;
    use crate::domain::amount::UsdE6;
    use crate::domain::paging::{List, PageRequest};
    use crate::test_records::{charity, charity_id};

    #[test]
    fn a_cursor_stays_an_amount_while_amounts_change() {
        let charities = Charities::build((1..=4).map(charity).collect());
        let page = |received: [i64; 4], cursor: Option<&str>| {
            let stats = received.map(|usd| DonationStats {
                usd: UsdE6(usd),
                ..DonationStats::default()
            });
            let received = (1..).map(charity_id).zip(stats);
            let totals = CharityTotals::build(&charities, received.collect());
            let page = PageRequest::new(List::of("charities"), cursor, 2).unwrap();
            let page = charities.page_in(totals.order(), &CharityFilter::default(), &page);
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
