//! The effect of a donation: the rollups that it changes, and the beneficiaries that receive it.

use jiff::Timestamp;

use crate::campaigns::CampaignBeneficiary;
use crate::chains::chain_key;
use crate::configs::Config;
use crate::domain::amount::UsdE6;
use crate::domain::day::{Day, Hour};
use crate::domain::share;
use crate::projects::ProjectId;
use crate::rollups::key::{CellKey, PairKey, RollupKey};
use crate::rollups::leaderboard_entries::EntryKey;

/// The effect of a donation on sums. Its amounts have no sign.
#[derive(Debug)]
pub(crate) struct DonationEffect {
    pub(crate) at: Timestamp,
    pub(crate) usd: UsdE6,
    /// The shares of the config's charities, in their order.
    pub(crate) shares: Vec<UsdE6>,
    /// The rollups that it counts in, each with its part.
    pub(crate) sums: Vec<(RollupKey, UsdE6)>,
    /// The cells that it counts in, with the whole amount and all shares: one of each project.
    pub(crate) cells: Vec<CellKey>,
    /// The leaderboard entry that it counts in, with the whole amount; `None` if no contract owns its token.
    pub(crate) entry: Option<(EntryKey, UsdE6)>,
    /// The beneficiaries with their shares, which their campaigns raise.
    pub(crate) received: Vec<(CampaignBeneficiary, UsdE6)>,
}

impl DonationEffect {
    /// The effect of a donation through `config`, in a token that a contract of `owner` may own: it
    /// counts for both projects, and once if they are the same.
    pub(crate) fn new(
        config: &Config,
        token: [u8; 40],
        owner: Option<ProjectId>,
        usd: UsdE6,
        at: Timestamp,
    ) -> DonationEffect {
        let other = owner.filter(|owner| *owner != config.project);
        let projects = [config.project].into_iter().chain(other);
        let key = EntryKey {
            token,
            config: config.id,
        };
        DonationEffect {
            entry: owner.map(|_| (key, usd)),
            ..DonationEffect::on_projects(projects, config, token, usd, at)
        }
    }

    /// The effect of an earlier donation on the rollups of the project that becomes the owner of its token.
    /// Campaigns have counted it already.
    pub(crate) fn for_new_owner(
        owner: ProjectId,
        config: &Config,
        token: [u8; 40],
        usd: UsdE6,
        at: Timestamp,
    ) -> DonationEffect {
        DonationEffect {
            received: Vec::new(),
            ..DonationEffect::on_projects([owner], config, token, usd, at)
        }
    }

    fn on_projects(
        projects: impl IntoIterator<Item = ProjectId>,
        config: &Config,
        token: [u8; 40],
        usd: UsdE6,
        at: Timestamp,
    ) -> DonationEffect {
        let shares = share::split(usd, &config.weights());
        let charities = config.beneficiaries.iter().map(|it| it.charity);
        let parts: Vec<_> = charities.zip(shares.iter().copied()).collect();
        let (mut sums, mut cells) = (Vec::new(), Vec::new());
        for project in projects {
            let whole = [
                RollupKey::project(project),
                RollupKey::token(project, token),
                RollupKey::config(project, config.id),
                RollupKey::chain(project, chain_key(token)),
                RollupKey::hour(project, Hour::of(at)),
            ];
            sums.extend(whole.map(|key| (key, usd)));
            let part = |(charity, part): &_| (RollupKey::charity(project, *charity), *part);
            sums.extend(parts.iter().map(part));
            let pair = PairKey {
                project,
                config: config.id,
                token,
            };
            cells.push((pair, Day::of(at)));
        }
        // The config receives the whole amount, and each of its charities a share.
        let whole = (CampaignBeneficiary::Config(config.id), usd);
        let charities = parts.into_iter();
        let charities = charities.map(|(id, part)| (CampaignBeneficiary::Charity(id), part));
        DonationEffect {
            at,
            usd,
            shares,
            sums,
            cells,
            entry: None,
            received: std::iter::once(whole).chain(charities).collect(),
        }
    }
}
