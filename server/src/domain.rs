//! Values that several features share: amounts of money, days, positions in ordered lists. Depends
//! neither on HTTP, nor on the generated code, nor on a database.

pub mod amount;
pub mod day;
pub mod position;
