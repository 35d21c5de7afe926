//! Entity tags of resources that requests change, and the header `If-Match`.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

/// A digest of strings of bytes, equal exactly for equal strings in the same order.
pub(crate) fn digest<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> [u8; 32] {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_be_bytes());
        hasher.update(part);
    }
    hasher.finalize().into()
}

/// The entity tag of a state that has a digest, with its quotes.
pub(crate) fn entity_tag(digest: [u8; 32]) -> String {
    let mut tag = String::from("\"");
    for byte in digest.iter().take(8) {
        // Writing to memory cannot fail.
        let _ = write!(tag, "{byte:02x}");
    }
    tag + "\""
}

/// The header `If-Match` (RFC 9110, section 13.1.1): `*`, or entity tags.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IfMatch(pub String);

impl IfMatch {
    /// Whether a resource with this entity tag may be changed. No tag of ours has a comma, so all commas
    /// separate tags.
    pub(crate) fn holds(&self, tag: &str) -> bool {
        self.0.trim() == "*" || self.0.split(',').any(|one| one.trim() == tag)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_holds_for_each_of_its_tags() {
        let tag = entity_tag(digest([b"a".as_slice()]));
        for (tags, holds) in [
            ("*", true),
            (" * ", true),
            (&*tag, true),
            (&format!("\"x\", {tag}"), true),
            (&format!("{tag},W/\"y\""), true),
            ("\"\"", false),
            (&format!("W/{tag}"), false),
            (tag.trim_matches('"'), false),
        ] {
            assert_eq!(IfMatch(tags.to_owned()).holds(&tag), holds, "{tags}");
        }
    }

    #[test]
    fn digests_keep_strings_apart() {
        let parts: [&[&[u8]]; 4] = [&[], &[b""], &[b"ab"], &[b"a", b"b"]];
        for (n, one) in parts.iter().enumerate() {
            for (m, other) in parts.iter().enumerate() {
                let [one, other] = [one, other].map(|it| digest(it.iter().copied()));
                assert_eq!(one == other, n == m, "{n} {m}");
            }
        }
    }
}
