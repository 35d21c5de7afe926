//! A plain model of a project's statistics: every answer is a sum over single donations.

use std::collections::{BTreeMap, HashMap};

use features::analytics::series::{Interval, Point};
use features::analytics::{ProjectTotals, StatsFilter, StatsScope};
use features::charities::CharityId;
use features::configs::Config;
use features::domain::amount::UsdE6;
use features::domain::config_id::ConfigId;
use features::domain::day::Day;
use features::domain::donation_stats::DonationStats;
use features::domain::share;
use features::donations::Donation;
use features::import::Record;
use features::projects::ProjectId;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

/// The standing donations, with the projects that they count for.
pub(crate) struct Model {
    donations: Vec<(Donation, Vec<ProjectId>)>,
    configs: HashMap<ConfigId, Config>,
}

/// The sums of some donations.
#[derive(Default)]
pub(crate) struct Sums {
    total: DonationStats,
    charities: HashMap<CharityId, DonationStats>,
    tokens: HashMap<[u8; 40], DonationStats>,
    configs: HashMap<ConfigId, DonationStats>,
    days: BTreeMap<DateTime, DonationStats>,
    hours: BTreeMap<DateTime, DonationStats>,
}

impl Model {
    /// The model of these records, which were all recorded.
    pub(crate) fn of<'r>(records: impl IntoIterator<Item = &'r Record>) -> Model {
        let (mut configs, mut contracts, mut partners) =
            (HashMap::new(), HashMap::new(), HashMap::new());
        let mut latest: HashMap<_, &Donation> = HashMap::new();
        for record in records {
            match record {
                Record::Config(config) => drop(configs.insert(config.id, config.clone())),
                Record::Contract(contract) => {
                    contracts.insert(contract.id.clone(), contract.project);
                }
                Record::PartnerToken(partner) => {
                    let mut contract = partner.token.clone();
                    contract.address = partner.contract.clone();
                    partners.insert(partner.token.clone(), contract);
                }
                Record::Donation(donation) => {
                    let key = (donation.token.chain, donation.transaction.as_str());
                    let of_key = latest.entry((key, donation.log_index)).or_insert(donation);
                    if of_key.revision.0 < donation.revision.0 {
                        *of_key = donation;
                    }
                }
                _ => {}
            }
        }
        let standing = latest.into_values().filter(|it| it.revision.0 % 2 == 0);
        let donations = standing.map(|donation| {
            let mut projects = vec![configs[&donation.config].project];
            projects.extend(partners.get(&donation.token).map(|it| contracts[it]));
            projects.dedup();
            (donation.clone(), projects)
        });
        Model {
            donations: donations.collect(),
            configs,
        }
    }

    /// The sums of the donations that match; of one charity's parts, if the filter has a charity.
    pub(crate) fn sums(&self, scope: StatsScope) -> Sums {
        let StatsFilter {
            config,
            charity,
            chain,
            token,
        } = scope.filter;
        let mut sums = Sums::default();
        for (donation, projects) in &self.donations {
            let day = Day::of(donation.at);
            let its_config = &self.configs[&donation.config];
            let receives = |id| its_config.beneficiaries.iter().any(|it| it.charity == id);
            let address = &donation.token.address;
            if projects.contains(&scope.project)
                && scope
                    .range
                    .is_none_or(|range| (range.first()..=range.last()).contains(&day))
                && config.is_none_or(|config| config == donation.config)
                && charity.is_none_or(receives)
                && chain.is_none_or(|chain| chain == donation.token.chain)
                && token.is_none_or(|token| token == address.sort_key())
            {
                sums.count(donation, its_config, charity);
            }
        }
        sums
    }
}

impl Sums {
    fn count(&mut self, donation: &Donation, config: &Config, only: Option<CharityId>) {
        let at = donation.at;
        let mut counted = donation.usd;
        let shares = share::split(donation.usd, &config.weights());
        let parts = config.beneficiaries.iter().map(|it| it.charity).zip(shares);
        for (charity, part) in parts {
            if only.is_none_or(|only| only == charity) {
                add(self.charities.entry(charity).or_default(), part, at);
            }
            if only == Some(charity) {
                counted = part;
            }
        }
        let time = at.to_zoned(TimeZone::UTC).datetime();
        let (day, hour) = (Interval::Day.start(time), Interval::Hour.start(time));
        for sum in [
            &mut self.total,
            self.tokens.entry(donation.token.key()).or_default(),
            self.configs.entry(config.id).or_default(),
            self.days.entry(day).or_default(),
            self.hours.entry(hour).or_default(),
        ] {
            add(sum, counted, at);
        }
    }

    pub(crate) fn totals(&self) -> ProjectTotals {
        ProjectTotals {
            stats: self.total,
            charities: self.charities.len() as u64,
            tokens: self.tokens.len() as u64,
            configs: self.configs.len() as u64,
        }
    }

    pub(crate) fn days(&self) -> Vec<Point> {
        points(&self.days)
    }

    pub(crate) fn hours(&self) -> Vec<Point> {
        points(&self.hours)
    }

    pub(crate) fn charities(&self) -> Vec<(Vec<u8>, DonationStats)> {
        ranked(&self.charities, |id| id.0.as_bytes())
    }

    pub(crate) fn tokens(&self) -> Vec<(Vec<u8>, DonationStats)> {
        ranked(&self.tokens, |key| key)
    }

    pub(crate) fn configs(&self) -> Vec<(Vec<u8>, DonationStats)> {
        ranked(&self.configs, |id| &id.0)
    }
}

fn add(sum: &mut DonationStats, usd: UsdE6, at: Timestamp) {
    sum.usd.0 += usd.0;
    sum.donations += 1;
    sum.first = Some(sum.first.map_or(at, |first| first.min(at)));
    sum.last = sum.last.max(Some(at));
}

fn points(sums: &BTreeMap<DateTime, DonationStats>) -> Vec<Point> {
    let points = sums.iter().map(|(start, stats)| Point {
        start: *start,
        usd: stats.usd,
        donations: stats.donations,
    });
    points.collect()
}

/// Largest first, then by key.
fn ranked<M>(
    sums: &HashMap<M, DonationStats>,
    key: impl Fn(&M) -> &[u8],
) -> Vec<(Vec<u8>, DonationStats)> {
    let ranked = sums.iter();
    let mut ranked: Vec<_> = ranked
        .map(|(member, stats)| (key(member).to_vec(), *stats))
        .collect();
    ranked.sort_by(|a, b| (b.1.usd, &b.0).cmp(&(a.1.usd, &a.0)));
    ranked
}
