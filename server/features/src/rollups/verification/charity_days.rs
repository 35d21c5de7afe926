//! Recomputes the days of charities from the log of donations, one day after the other.

use std::collections::HashMap;

use super::Drift;
use crate::campaigns::CampaignBeneficiary;
use crate::charities::CharityId;
use crate::domain::day::Day;
use crate::domain::donation_stats::DonationStats;
use crate::rollups::charity_days::ReceivedOnDay;
use crate::rollups::effect::DonationEffect;

/// Compares the log with the recorded days of charities.
#[derive(Debug, Default)]
pub(crate) struct CharityDaySums {
    /// The day whose donations are being counted, with its sums that were not compared yet.
    open_day: Option<(Day, HashMap<CharityId, ReceivedOnDay>)>,
    drifts: Vec<Drift>,
}

impl CharityDaySums {
    /// Counts a standing donation. Donations come in the order of their days.
    pub(crate) fn count(&mut self, effect: &DonationEffect) {
        let sums = self.sums_of(Day::of(effect.at));
        for (beneficiary, usd) in &effect.received {
            if let CampaignBeneficiary::Charity(charity) = beneficiary {
                let sum = sums.entry(*charity).or_default();
                sum.usd.0 = sum.usd.0.saturating_add(usd.0);
                sum.donations += 1;
            }
        }
    }

    /// Compares a recorded sum with the donations of its day, all of which are counted. Sums come in the order of
    /// their days, each once.
    pub(crate) fn compare(&mut self, day: Day, charity: CharityId, recorded: ReceivedOnDay) {
        let expected = self.sums_of(day).remove(&charity);
        self.record(day, charity, Some(recorded), expected);
    }

    /// The sums that differ, when the whole log is read.
    pub(crate) fn drifts(mut self) -> Vec<Drift> {
        self.close_day();
        self.drifts
    }

    /// The sums of a day, after the day before it is closed.
    fn sums_of(&mut self, day: Day) -> &mut HashMap<CharityId, ReceivedOnDay> {
        if self.open_day.as_ref().is_none_or(|(open, _)| *open != day) {
            self.close_day();
        }
        let open = self.open_day.get_or_insert_with(|| (day, HashMap::new()));
        &mut open.1
    }

    /// Ends a day: the remaining sums are not recorded.
    fn close_day(&mut self) {
        if let Some((day, sums)) = self.open_day.take() {
            for (charity, expected) in sums {
                self.record(day, charity, None, Some(expected));
            }
        }
    }

    /// A recorded row without donations differs from a missing one.
    fn record(
        &mut self,
        day: Day,
        charity: CharityId,
        recorded: Option<ReceivedOnDay>,
        expected: Option<ReceivedOnDay>,
    ) {
        if recorded == expected {
            return;
        }
        let stats = |received: Option<ReceivedOnDay>| {
            let ReceivedOnDay { usd, donations } = received.unwrap_or_default();
            DonationStats {
                usd,
                donations,
                ..DonationStats::default()
            }
        };
        self.drifts.push(Drift::Sum {
            name: format!("charity {} on {}", charity.0, day.date()),
            recorded: stats(recorded),
            expected: stats(expected),
        });
    }
}
