//! The fixed keys of `serve --demo`, one for each tier.
//!
//! They are public and named in the README. They exist in the temporary database of a demo only; every
//! other server refuses them with `INVALID_API_KEY`.

/// The key of the demo's Free project: 50 requests in any 60 s.
pub const FREE: &str = "sk_DemoFreeTierKey000000000000000002cgQbH";

/// The key of the demo's Pro project: 200 requests in any 60 s.
pub const PRO: &str = "sk_DemoProTierKey00000000000000000019hh7r";

/// The key of the demo's Enterprise project: 1000 requests in any 60 s.
pub const ENTERPRISE: &str = "sk_DemoEnterpriseTierKey000000000000Z8sn1";

#[cfg(test)]
mod tests {
    use crate::keys::Key;

    use super::*;

    #[test]
    fn the_demo_keys_are_valid_and_distinguishable() {
        let prefixes: std::collections::HashSet<String> = [FREE, PRO, ENTERPRISE]
            .map(|text| Key::parse(text).unwrap().display_prefix().to_owned())
            .into();
        assert_eq!(prefixes.len(), 3, "{prefixes:?}");
    }
}
