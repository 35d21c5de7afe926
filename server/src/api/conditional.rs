//! Conditional requests (RFC 9110, section 13.1.2).

use crate::catalogue::Tag;

/// Whether the caller holds what the tag names: `If-None-Match` is `*` or lists the tag, strong or
/// weak (the comparison is the weak one).
pub(crate) fn is_current(if_none_match: Option<&str>, tag: &Tag) -> bool {
    let Some(header) = if_none_match.map(str::trim) else {
        return false;
    };
    if header == "*" {
        return true;
    }
    // Tags of ours hold no comma, so splitting at commas cannot cut one in two.
    header.split(',').any(|listed| {
        let listed = listed.trim();
        listed.strip_prefix("W/").unwrap_or(listed) == tag.as_str()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compares_weakly_against_each_of_a_list() {
        let tag = Tag::of(b"body");
        let other = Tag::of(b"other");
        let check = |header: &str| is_current(Some(header), &tag);
        assert!(!is_current(None, &tag));
        assert!(check("*"));
        assert!(check(&tag.to_string()));
        assert!(check(&format!("W/{tag}")));
        assert!(check(&format!("{other} ,  W/{tag}")));
        assert!(check(&format!("\"a,b\", {tag}")));
        assert!(!check(&other.to_string()));
        assert!(!check(tag.to_string().trim_matches('"')));
        assert!(!check(""));
    }
}
