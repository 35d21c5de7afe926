//! Connections from many networks of one site, an IPv6 /48.
//!
//! Loopback has no such addresses: the test starts itself again in a network namespace of its own (Linux,
//! `unshare`), where it gives loopback those of a site and of another.

use std::env;
use std::net::IpAddr;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use super::connections::{ROOM, hold};
use super::others::{Memory, Others, metric};
use crate::faults::requests::keyed;
use crate::serving::{eventually, serve_at};
use crate::world::CHARITY;

/// The test, as its own program knows it.
const NAME: &str = "attacks::sites::a_caller_with_many_ipv6_networks_leaves_connections_to_others";

/// Is set within the namespace.
const WITHIN: &str = "WITHIN_NETWORK_NAMESPACE";

/// Gives loopback an address in each network of the site, and one of another site.
const ADDRESSES: &str = r#"
ip link set lo up && ip -6 address add 2001:db8:2::1/128 dev lo || exit
for network in $(seq 0 63); do
    ip -6 address add "2001:db8:1:$network::1/128" dev lo || exit
done
exec "$@"
"#;

#[test]
fn a_caller_with_many_ipv6_networks_leaves_connections_to_others() {
    if env::var_os(WITHIN).is_some() {
        attack();
    } else if may_make_namespaces() {
        let mut within = unshare();
        within.args(["sh", "-c", ADDRESSES, "sh"]);
        within.arg(env::current_exe().unwrap());
        within
            .args(["--exact", NAME, "--nocapture"])
            .env(WITHIN, "1");
        assert!(within.status().unwrap().success());
    } else {
        installed::skip("right to make network namespaces, or iproute2");
    }
}

fn unshare() -> Command {
    let mut command = Command::new("unshare");
    command.args(["--net", "--map-root-user"]);
    command
}

fn may_make_namespaces() -> bool {
    let mut link = unshare();
    link.args(["ip", "link", "set", "lo", "up"])
        .stderr(Stdio::null());
    link.status().is_ok_and(|status| status.success())
}

fn attack() {
    let (folder, secret) = keyed();
    let serving = serve_at(&folder, "[2001:db8:2::1]:0", &ROOM);
    let memory = Memory::before(&serving);
    // As many as the server keeps, and no network has more than it may have.
    let address = |network| format!("2001:db8:1:{network}::1").parse::<IpAddr>();
    let _held: Vec<_> = (0..64)
        .map(|network| hold(serving.api, address(network).unwrap(), 1))
        .collect();
    eventually("those beyond the share of the site are refused", || {
        let refused = metric(&serving, "http_connections_refused_total");
        (refused == Some(64 - 8)).then_some(())
    });
    let others = Others::read_and_write(&serving, &secret, CHARITY);
    sleep(Duration::from_secs(1));
    others.were_served();
    memory.is_bounded(&serving);
}
