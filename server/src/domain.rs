//! Values that several features share: amounts of money, days, places in ordered lists. Knows nothing of
//! HTTP, of the generated code or of a database.

pub mod amount;
pub mod day;
pub mod position;
