//! The filter of a project's statistics, and the query for the donations that match it.

use crate::chains::ChainId;
use crate::charities::CharityId;
use crate::domain::config_id::ConfigId;

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

/// The query for a project's standing donations that match a filter. Its parameters are the project, the
/// first and the last day, the filter's config, token, chain and charity, which may be null, and the most
/// rows. `given` joins the donations whose `{column}` is the member of `day`, on that day.
///
/// The sums of days name the configs and tokens that had donations, so that no others are looked up in
/// the log: through the project's own configs, and in its contracts' tokens through others' configs.
/// Subqueries and not joins look up whose they are, so that a database looks at nothing else. `IS NULL`
/// comes last, because PostgreSQL takes the type of a parameter from its first use.
pub(super) fn donations(given: &str) -> String {
    let matches = |its_config: &str, its_token: &str| {
        format!(
            "({its_config} = $4 OR $4 IS NULL)
             AND (substr({its_token}, 9) = $5 OR $5 IS NULL)
             AND (given.chain = $6 OR $6 IS NULL)
             AND (EXISTS (
               SELECT 1 FROM config_charity
               WHERE config_charity.config = {its_config} AND config_charity.charity = $7
             ) OR $7 IS NULL)"
        )
    };
    format!(
        "SELECT given.config, given.token, given.usd_e6, given.at
         FROM tally_of_day AS day {}
         WHERE day.project = $1 AND day.facet = 3 AND day.day BETWEEN $2 AND $3
           AND (SELECT config.project FROM config WHERE config.id = day.member) = day.project
           AND {}
         UNION ALL
         SELECT given.config, given.token, given.usd_e6, given.at
         FROM tally_of_day AS day {}
         WHERE day.project = $1 AND day.facet = 2 AND day.day BETWEEN $2 AND $3
           AND (
             SELECT contract.project FROM partner_token
             JOIN contract ON contract.id = partner_token.contract
             WHERE partner_token.token = day.member
           ) = day.project
           AND (SELECT config.project FROM config WHERE config.id = given.config) <> day.project
           AND {}
         LIMIT $8",
        given.replace("{column}", "config"),
        matches("day.member", "given.token"),
        given.replace("{column}", "token"),
        matches("given.config", "day.member"),
    )
}
