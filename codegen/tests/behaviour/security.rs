//! Every way to show a credential, alone and combined, to hosts that know some of them; and layers around
//! operations.

#[path = "security/alternatives.rs"]
mod alternatives;
#[path = "security/client.rs"]
mod client;
#[path = "security/host.rs"]
mod host;
#[path = "security/layers.rs"]
mod layers;
#[path = "security/schemes.rs"]
mod schemes;
