//! Resumes an interrupted import after the lines that it has recorded.
//!
//! The skipped lines are still read, and their digest must equal the digest of the recorded lines, so that
//! no line is skipped that is not recorded.

use std::io::{self, BufRead, Read, Seek};

use sha2::{Digest, Sha256};

use super::RecordedPrefix;
use super::input::Prefix;

/// Where an import begins.
pub(super) enum Beginning {
    /// After these lines, which an earlier import has recorded.
    After(Prefix),
    /// At the start: the input has changed since the earlier import.
    Changed,
}

/// Skips the recorded lines, or rewinds the input if it has changed.
pub(super) fn begin(
    input: &mut (impl BufRead + Seek),
    prefix: &RecordedPrefix,
) -> io::Result<Beginning> {
    let (read, digest) = digest(input, prefix.bytes)?;
    if read == prefix.bytes && prefix.digest == <[u8; 32]>::from(digest.clone().finalize()) {
        return Ok(Beginning::After(Prefix {
            bytes: prefix.bytes,
            lines: prefix.lines,
            digest: Some(digest),
            whole: true,
        }));
    }
    input.rewind()?;
    Ok(Beginning::Changed)
}

/// Reads at most `most` bytes; returns their number and digest.
fn digest(input: &mut impl BufRead, most: u64) -> io::Result<(u64, Sha256)> {
    let mut digest = Sha256::new();
    let mut rest = input.by_ref().take(most);
    loop {
        let bytes = rest.fill_buf()?;
        if bytes.is_empty() {
            return Ok((most - rest.limit(), digest));
        }
        digest.update(bytes);
        let read = bytes.len();
        rest.consume(read);
    }
}
