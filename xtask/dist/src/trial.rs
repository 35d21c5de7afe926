//! The trial of a release: the package is installed and the image is run as an operator would, each in
//! a root of its own, and the signature is verified.

mod image;
mod install_root;
mod package;
mod server;
mod signature;
mod unit;

use crate::release::Release;
use std::io;

/// A line of `import`, the charity that a started server is asked for.
const CHARITY: &str = include_str!("trial/charity.ndjson");

/// The path of that charity.
const CHARITY_PATH: &str = "/api/v1/charities/0191e5a0-1111-7000-8000-000000000001";

/// A step of the trial: its title and its code.
type Trial = (&'static str, fn(&Release) -> io::Result<()>);

const TRIALS: [Trial; 3] = [
    ("package", package::run),
    ("image", image::run),
    ("signature", signature::run),
];

/// The operators' guide, whose commands are tried.
const OPERATING: &str = include_str!("../../../server/docs/operating.md");

/// Runs all trials and prints the result of each; whether all passed.
pub(crate) fn run(release: &Release) -> io::Result<bool> {
    let mut has_passed = true;
    for (title, trial) in TRIALS {
        match trial(release) {
            Ok(()) => println!("trial of the {title}: ok"),
            Err(error) => {
                println!("trial of the {title}: FAILED: {error}");
                has_passed = false;
            }
        }
    }
    Ok(has_passed)
}

/// Fails unless `held`; the error is `reason`.
fn require(held: bool, reason: impl Into<String>) -> io::Result<()> {
    match held {
        true => Ok(()),
        false => Err(io::Error::other(reason.into())),
    }
}
