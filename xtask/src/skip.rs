//! Checks that cannot run, because a program or a network is missing.

/// Whether a skipped check passes: everywhere but in CI, which sets `CI`.
pub(crate) fn passes() -> bool {
    std::env::var_os("CI").is_none_or(|ci| ci.is_empty())
}
