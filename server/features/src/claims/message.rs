//! The message that is signed to prove a claim.

use super::Claim;

/// The message that proves `claim` once it is signed.
///
/// It names the dashboard's origin, the project, the chain, the contract, a nonce and its expiry, so that
/// a signature is worth nothing at another site, for another project, on another chain, or again.
pub fn message(origin: &str, claim: &Claim) -> String {
    let Claim {
        project,
        contract,
        nonce,
        nonce_expires_at,
        ..
    } = claim;
    format!(
        "I claim this contract for a project. Signing costs nothing and moves nothing.\n\
         \n\
         Site: {origin}\n\
         Project: {}\n\
         Chain id: {}\n\
         Contract: {}\n\
         Nonce: {}\n\
         Expires: {nonce_expires_at:.0}",
        project.0, contract.chain, contract.address, nonce.0,
    )
}
