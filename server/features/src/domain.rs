//! Values that several features share: amounts of money, days, entity tags, lists that are read in pages, identities.
//! Depends on no other module, nor on the generated code.

pub mod amount;
pub mod claim_state;
pub mod config_id;
pub mod day;
pub mod donation_stats;
pub mod email;
pub mod entity_tag;
pub mod ids;
pub mod loopback;
pub mod paging;
pub mod position;
pub mod printable;
pub mod recording;
pub mod sentence;
pub mod service_identity;
pub mod share;
