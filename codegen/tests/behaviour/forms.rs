//! Forms, as callers and as the generated client write them, in every form that a document can ask for.

#[path = "forms/alternatives.rs"]
mod alternatives;
#[path = "forms/declared.rs"]
mod declared;
#[path = "forms/headed.rs"]
mod headed;
#[path = "forms/host.rs"]
mod host;
#[path = "forms/judged.rs"]
mod judged;
#[path = "forms/pairs.rs"]
mod pairs;
#[path = "forms/parts.rs"]
mod parts;
#[path = "forms/spread.rs"]
mod spread;
