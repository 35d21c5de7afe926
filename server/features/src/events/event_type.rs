//! The types of events, and the choice of them that a webhook makes.

db::named! {
    /// The type of an event. The order is that of [`EventTypes`] in the database.
    pub enum EventType {
        DonationRecorded = "donation.recorded",
        /// A chain reorganization reverted a donation.
        DonationReverted = "donation.reverted",
        ConfigCreated = "config.created",
        ConfigDeleted = "config.deleted",
        CampaignGoalReached = "campaign.goal_reached",
        KeyExpiring = "key.expiring",
        /// A test delivery, which no webhook subscribes to.
        Test = "webhook.test",
    }
}

impl EventType {
    /// The types that a webhook can subscribe to, in the order of the contract.
    pub const CHOICE: [Self; 6] = [
        Self::DonationRecorded,
        Self::DonationReverted,
        Self::ConfigCreated,
        Self::ConfigDeleted,
        Self::CampaignGoalReached,
        Self::KeyExpiring,
    ];

    pub fn is_of_donation(self) -> bool {
        matches!(self, Self::DonationRecorded | Self::DonationReverted)
    }

    /// Its bit in the database.
    fn bit(self) -> u32 {
        1 << self as u32
    }
}

/// The types of events that a webhook subscribes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventTypes(u32);

db::column!(
    EventTypes as u32,
    |types| types.bits(),
    EventTypes::from_bits
);

impl EventTypes {
    /// The types with these bits; `None` if there are others, or none.
    pub(crate) fn from_bits(bits: u32) -> Option<Self> {
        let all = Self::from_iter(EventType::CHOICE).0;
        (bits != 0 && bits & !all == 0).then_some(Self(bits))
    }

    /// One bit per type.
    pub(crate) fn bits(self) -> u32 {
        self.0
    }

    pub fn contains(self, one: EventType) -> bool {
        self.0 & one.bit() != 0
    }

    /// The types, in the order of the contract.
    pub fn iter(self) -> impl Iterator<Item = EventType> {
        let chosen = move |it: &EventType| self.contains(*it);
        EventType::CHOICE.into_iter().filter(chosen)
    }
}

impl FromIterator<EventType> for EventTypes {
    fn from_iter<I: IntoIterator<Item = EventType>>(types: I) -> Self {
        Self(types.into_iter().fold(0, |bits, it| bits | it.bit()))
    }
}

impl From<EventType> for EventTypes {
    fn from(one: EventType) -> Self {
        Self(one.bit())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_read_back() {
        for one in EventType::CHOICE {
            let bits = EventTypes::from(one).bits();
            let read = EventTypes::from_bits(bits).unwrap();
            assert_eq!(read.iter().collect::<Vec<_>>(), [one]);
        }
    }

    #[test]
    fn a_choice_is_of_known_types_and_not_empty() {
        assert_eq!(EventTypes::from_bits(0), None);
        assert_eq!(EventTypes::from_bits(EventType::Test.bit()), None);
        let all = EventTypes::from_bits(63).unwrap();
        assert_eq!(all.iter().collect::<Vec<_>>(), EventType::CHOICE);
    }
}
