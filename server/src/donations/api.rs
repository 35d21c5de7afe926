//! The shared parts of operations that list donations.

use generated::formats;
use generated::runtime::Verbatim;

use super::DonationFilter;
use crate::api::Failure;
use crate::chains::ChainId;
use crate::chains::api::chain_in_query;
use crate::domain::paging::List;

/// A time as a parameter gives it.
type Bound = Verbatim<formats::DateTime>;

/// The filter that query parameters ask for.
pub(crate) fn filter(
    chain_id: Option<i64>,
    since: Option<&Bound>,
    until: Option<&Bound>,
) -> Result<DonationFilter, Failure> {
    let time = |bound: &Bound| bound.value().0;
    Ok(DonationFilter {
        chain: chain_in_query(chain_id)?,
        since: since.map(time),
        until: until.map(time),
    })
}

/// A list that is restricted by the filter.
pub(crate) fn filtered(list: List, filter: DonationFilter) -> List {
    list.filtered("chainId", filter.chain.map(ChainId::get))
        .filtered("since", filter.since)
        .filtered("until", filter.until)
}
