//! The part of `cargo xtask bench` that uses the server's library: it makes data to serve and to
//! import, and measures parts of the server by themselves.

mod customers;
mod donations;
mod leaderboard;
mod limiter;

use std::env;
use std::error::Error;

/// The server's.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let what = arguments.next().unwrap_or_default();
    let rest: Vec<String> = arguments.collect();
    match what.as_str() {
        "customers" => customers::run(&rest).await,
        "donations" => donations::run(&rest),
        "leaderboard" => leaderboard::run(&rest).await,
        "limiter" => limiter::run(&rest),
        _ => Err("customers, donations, leaderboard or limiter".into()),
    }
}
