//! The types of events, and the choice of them that a webhook makes.

use std::str::FromStr;

/// The type of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventType {
    /// A donation was recorded.
    DonationRecorded,
    /// A reorganisation of its chain took a donation back.
    DonationReverted,
    /// A config was created.
    ConfigCreated,
    /// A config was deleted.
    ConfigDeleted,
    /// A campaign has reached its goal.
    CampaignGoalReached,
    /// A key is about to expire.
    KeyExpiring,
    /// Nothing: somebody tries a webhook. None chooses it.
    Test,
}

db::text_column!(EventType);

impl EventType {
    /// Those that a webhook chooses from, in the order of the contract.
    pub const CHOICE: [Self; 6] = [
        Self::DonationRecorded,
        Self::DonationReverted,
        Self::ConfigCreated,
        Self::ConfigDeleted,
        Self::CampaignGoalReached,
        Self::KeyExpiring,
    ];

    /// Whether it tells of a donation.
    pub fn is_of_donation(self) -> bool {
        matches!(self, Self::DonationRecorded | Self::DonationReverted)
    }

    /// Its name in events and in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::DonationRecorded => "donation.recorded",
            Self::DonationReverted => "donation.reverted",
            Self::ConfigCreated => "config.created",
            Self::ConfigDeleted => "config.deleted",
            Self::CampaignGoalReached => "campaign.goal_reached",
            Self::KeyExpiring => "key.expiring",
            Self::Test => "webhook.test",
        }
    }

    /// Its bit in the database.
    fn bit(self) -> u32 {
        1 << match self {
            Self::DonationRecorded => 0,
            Self::DonationReverted => 1,
            Self::ConfigCreated => 2,
            Self::ConfigDeleted => 3,
            Self::CampaignGoalReached => 4,
            Self::KeyExpiring => 5,
            Self::Test => 6,
        }
    }
}

/// The text names no type of events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no event has this type")]
pub struct UnknownEventType;

impl FromStr for EventType {
    type Err = UnknownEventType;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let mut all = Self::CHOICE.into_iter().chain([Self::Test]);
        all.find(|it| it.as_str() == name).ok_or(UnknownEventType)
    }
}

/// The types of events that a webhook is told.
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

    /// A bit for each type.
    pub(crate) fn bits(self) -> u32 {
        self.0
    }

    /// Whether a type is among them.
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
    fn names_and_bits_read_back() {
        for one in EventType::CHOICE {
            assert_eq!(one.as_str().parse(), Ok(one));
            let bits = EventTypes::from(one).bits();
            let read = EventTypes::from_bits(bits).unwrap();
            assert_eq!(read.iter().collect::<Vec<_>>(), [one]);
        }
        assert_eq!("webhook.test".parse(), Ok(EventType::Test));
        assert_eq!("donation".parse::<EventType>(), Err(UnknownEventType));
    }

    #[test]
    fn a_choice_is_of_known_types_and_not_empty() {
        assert_eq!(EventTypes::from_bits(0), None);
        assert_eq!(EventTypes::from_bits(EventType::Test.bit()), None);
        let all = EventTypes::from_bits(63).unwrap();
        assert_eq!(all.iter().collect::<Vec<_>>(), EventType::CHOICE);
    }
}
