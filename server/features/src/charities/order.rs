//! Orders of the active charities besides the one of their list.

use std::collections::HashMap;

use super::{Charity, CharityId};
use crate::domain::donation_stats::DonationStats;
use crate::domain::position::{Placed, Position};
use crate::listing::{Direction, Listing};

/// The active charities in an order.
pub(crate) struct CharityOrder(pub(super) Listing<Place>);

/// The place of an active charity.
pub(super) struct Place {
    position: Position,
    /// Its index in the list of active charities.
    pub(super) index: usize,
}

impl Placed for Place {
    fn position(&self) -> Position {
        self.position.clone()
    }
}

impl CharityOrder {
    /// From A to Z, ignoring case; `active` are the charities in the order of their list.
    pub(super) fn by_name<'c>(active: impl Iterator<Item = &'c Charity>) -> CharityOrder {
        let named = active.map(|charity| Position {
            ordinal: 0,
            key: name_key(charity),
        });
        CharityOrder::new(named, Direction::Ascending)
    }

    /// By the sum of donations, the largest first.
    pub(super) fn by_received<'c>(
        active: impl Iterator<Item = &'c Charity>,
        received: &HashMap<CharityId, DonationStats>,
    ) -> CharityOrder {
        let ranked = active.map(|charity| Position {
            ordinal: received.get(&charity.id).map_or(0, |stats| stats.usd.0),
            key: charity.id.0.as_bytes().to_vec(),
        });
        CharityOrder::new(ranked, Direction::Descending)
    }

    fn new(positions: impl Iterator<Item = Position>, direction: Direction) -> CharityOrder {
        let place = |(index, position)| Place { position, index };
        let places = positions.enumerate().map(place).collect();
        CharityOrder(Listing::new(places, direction))
    }
}

/// The name in lower case and the id, as far as a cursor can hold them.
fn name_key(charity: &Charity) -> Vec<u8> {
    let id = charity.id.0.as_bytes();
    let mut key = charity.name.to_lowercase().into_bytes();
    key.truncate(Position::MAX_KEY - id.len() - 1);
    // A name comes before those that begin with it.
    key.push(0);
    key.extend(id);
    key
}
