//! Lists of donations as comma-separated values.

use super::{ListedDonation, ReceivedDonation, SplitDonation, mapping};
use crate::charities::{Charity, CharityId};
use crate::csv::field;

/// The columns of every donation.
const COLUMNS: &str = "id,chainId,transactionHash,donatedAt,tokenAddress,tokenSymbol,tokenDecimals,amount,usdDonatedE6";

/// The donations to a charity, a line each.
pub(crate) fn received(donations: &[ReceivedDonation]) -> String {
    let lines = donations
        .iter()
        .map(|ReceivedDonation { donation, received }| {
            format!("{},{received}\r\n", columns(donation))
        });
    let header = format!("{COLUMNS},usdReceivedE6\r\n");
    std::iter::once(header).chain(lines).collect()
}

/// The donations through a config, a line for each charity; `None` if one of them is unknown.
pub(crate) fn split<'c>(
    donations: &[SplitDonation],
    charity: impl Fn(CharityId) -> Option<&'c Charity>,
) -> Option<String> {
    let mut text = format!("{COLUMNS},charityId,charityName,usdReceivedE6\r\n");
    for SplitDonation { donation, shares } in donations {
        let columns = columns(donation);
        for (id, received) in shares {
            let name = field(&charity(*id)?.name);
            text += &format!("{columns},{},{name},{received}\r\n", id.0);
        }
    }
    Some(text)
}

fn columns(donation: &ListedDonation) -> String {
    let ListedDonation {
        token,
        transaction,
        amount,
        usd,
        at,
        ..
    } = donation;
    format!(
        "{},{},{transaction},{at:.3},{},{},{},{amount},{usd}",
        mapping::id(donation),
        token.id.chain.get(),
        token.id.address,
        field(&token.symbol),
        token.decimals,
    )
}
