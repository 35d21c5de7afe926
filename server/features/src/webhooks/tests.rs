//! Deliveries over real connections, to receivers of every kind.

mod connection;
mod delivery;
mod failure;
mod receiver;
mod server;
