//! Hosts that are always this machine.

use std::net::IpAddr;

/// Whether the host of a URL is always this machine: `localhost` (RFC 6761, section 6.3), or a loopback
/// address, in brackets if it is IPv6.
pub fn is_loopback(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost")
        || address.parse().is_ok_and(|it: IpAddr| it.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_only_look_like_it_are_elsewhere() {
        for host in [
            "localhost",
            "LOCALHOST",
            "127.0.0.1",
            "127.1.2.3",
            "[::1]",
            "::1",
        ] {
            assert!(is_loopback(host), "{host}");
        }
        for host in [
            "",
            "localhost.example.org",
            "127.0.0.1.example.org",
            "10.0.0.1",
            "[::2]",
        ] {
            assert!(!is_loopback(host), "{host}");
        }
    }
}
