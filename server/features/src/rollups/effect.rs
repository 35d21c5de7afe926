//! The effect of a donation: the roll-ups that it changes, and the beneficiaries that receive it.

use jiff::Timestamp;

use crate::campaigns::CampaignBeneficiary;
use crate::configs::Config;
use crate::domain::amount::UsdE6;
use crate::domain::share;
use crate::projects::ProjectId;
use crate::rollups::key::RollupKey;
use crate::rollups::leaderboard_entries::EntryKey;

/// The effect of a donation on sums. Its amounts have no sign.
#[derive(Debug)]
pub(crate) struct DonationEffect {
    pub(crate) at: Timestamp,
    /// The roll-ups that it counts in, each with its part.
    pub(crate) sums: Vec<(RollupKey, UsdE6)>,
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
        let received = received(config, usd);
        let mut sums = sums(config.project, config, token, &received);
        if let Some(owner) = owner.filter(|owner| *owner != config.project) {
            sums.extend(self::sums(owner, config, token, &received));
        }
        let key = EntryKey {
            token,
            config: config.id,
        };
        DonationEffect {
            at,
            sums,
            entry: owner.map(|_| (key, usd)),
            received,
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
            at,
            sums: sums(owner, config, token, &received(config, usd)),
            entry: None,
            received: Vec::new(),
        }
    }
}

/// The config receives the whole amount, and each of its charities a share.
fn received(config: &Config, usd: UsdE6) -> Vec<(CampaignBeneficiary, UsdE6)> {
    let shares = share::split(usd, &config.weights());
    let charities = config.beneficiaries.iter().zip(shares);
    let charities = charities
        .map(|(beneficiary, share)| (CampaignBeneficiary::Charity(beneficiary.charity), share));
    let whole = (CampaignBeneficiary::Config(config.id), usd);
    std::iter::once(whole).chain(charities).collect()
}

/// The roll-ups of a project that a donation counts in, each with its part.
fn sums(
    project: ProjectId,
    config: &Config,
    token: [u8; 40],
    received: &[(CampaignBeneficiary, UsdE6)],
) -> Vec<(RollupKey, UsdE6)> {
    let mut sums = Vec::with_capacity(received.len() + 2);
    for (beneficiary, usd) in received {
        match beneficiary {
            CampaignBeneficiary::Config(_) => sums.extend([
                (RollupKey::project(project), *usd),
                (RollupKey::token(project, token), *usd),
                (RollupKey::config(project, config.id), *usd),
            ]),
            CampaignBeneficiary::Charity(charity) => {
                sums.push((RollupKey::charity(project, *charity), *usd));
            }
        }
    }
    sums
}
