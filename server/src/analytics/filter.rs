//! The filter of a project's statistics, and the query for the donations that match it.

use crate::chains::ChainId;
use crate::charities::CharityId;
use crate::configs::ConfigId;

/// The filter of a project's statistics; all fields that are set must match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StatsFilter {
    /// The config that a donation goes through.
    pub config: Option<ConfigId>,
    /// The charity whose part of each donation counts alone.
    pub charity: Option<CharityId>,
    /// The chain that a donation is made on.
    pub chain: Option<ChainId>,
    /// The key of the token's address, whatever its chain.
    pub token: Option<[u8; 32]>,
}

/// The query for a project's standing donations that match a filter, for both databases. Its parameters
/// are the project, the first and the last day, the filter's config, token, chain and charity, which may
/// be null, and the most rows. `given_on` joins the donations whose column of this name is the member of
/// `day`, on that day.
///
/// The sums of days name the configs and tokens that had donations, so that no others are looked up in
/// the log: through the project's own configs, and in its contracts' tokens through others' configs.
/// Subqueries and not joins look up whose they are, so that a database looks at nothing else.
pub(super) fn donations(parameters: [&str; 8], given_on: impl Fn(&str) -> String) -> String {
    let [project, first, last, config, token, chain, charity, most] = parameters;
    let matches = |its_config: &str, its_token: &str| {
        format!(
            "({config} IS NULL OR {its_config} = {config})
             AND ({token} IS NULL OR substr({its_token}, 9) = {token})
             AND ({chain} IS NULL OR given.chain = {chain})
             AND ({charity} IS NULL OR EXISTS (
               SELECT 1 FROM config_charity
               WHERE config_charity.config = {its_config} AND config_charity.charity = {charity}
             ))"
        )
    };
    format!(
        "SELECT given.config, given.token, given.usd_e6, given.at
         FROM tally_of_day AS day {}
         WHERE day.project = {project} AND day.facet = 3 AND day.day BETWEEN {first} AND {last}
           AND (SELECT config.project FROM config WHERE config.id = day.member) = day.project
           AND {}
         UNION ALL
         SELECT given.config, given.token, given.usd_e6, given.at
         FROM tally_of_day AS day {}
         WHERE day.project = {project} AND day.facet = 2 AND day.day BETWEEN {first} AND {last}
           AND (
             SELECT contract.project FROM partner_token
             JOIN contract ON contract.id = partner_token.contract
             WHERE partner_token.token = day.member
           ) = day.project
           AND (SELECT config.project FROM config WHERE config.id = given.config) <> day.project
           AND {}
         LIMIT {most}",
        given_on("config"),
        matches("day.member", "given.token"),
        given_on("token"),
        matches("given.config", "day.member"),
    )
}
