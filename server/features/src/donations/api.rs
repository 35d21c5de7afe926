//! The shared parts of operations that list donations.

use generated::formats;
use generated::models::ValidationRule;
use generated::runtime::{Place, Verbatim};

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
    from: Option<&Bound>,
    to: Option<&Bound>,
) -> Result<DonationFilter, Failure> {
    let time = |bound: &Bound| bound.value().0;
    let (from, to) = (from.map(time), to.map(time));
    if from.zip(to).is_some_and(|(from, to)| from > to) {
        let message = "must not be after `to`";
        return Err(Failure::invalid(
            Place::Query,
            "from",
            ValidationRule::ReversedRange,
            message,
        ));
    }
    Ok(DonationFilter {
        chain: chain_in_query(chain_id)?,
        from,
        to,
    })
}

/// A list that is restricted by the filter.
pub(crate) fn filtered(list: List, filter: DonationFilter) -> List {
    list.filtered("chainId", filter.chain.map(ChainId::get))
        .filtered("from", filter.from)
        .filtered("to", filter.to)
}
