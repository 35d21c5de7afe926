//! Streams over real sockets.

#[path = "streams/bodies.rs"]
mod bodies;
#[path = "streams/forms.rs"]
mod forms;
#[path = "streams/host.rs"]
mod host;
#[path = "streams/items.rs"]
mod items;
