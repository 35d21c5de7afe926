//! Where an import begins: at the start of its input or, where an earlier import of the same input was
//! interrupted, after the lines that it has recorded.
//!
//! What is passed over is read all the same, and must have the digest of what was recorded: so nothing
//! is passed over that was not.

use std::io::{self, BufRead, Read, Seek};

use sha2::{Digest, Sha256};

use super::Extent;
use super::input::Prefix;

/// What came of an earlier import.
pub(super) enum Beginning {
    /// Its lines are recorded; this is what they are.
    After(Prefix),
    /// The input is another one now.
    Changed,
}

/// Passes over what is recorded. Where the input has changed it is at its start again.
pub(super) fn begin(input: &mut (impl BufRead + Seek), extent: &Extent) -> io::Result<Beginning> {
    let (read, digest) = digest(input, extent.bytes)?;
    if read == extent.bytes && extent.digest == <[u8; 32]>::from(digest.clone().finalize()) {
        return Ok(Beginning::After(Prefix {
            bytes: extent.bytes,
            lines: extent.lines,
            digest: Some(digest),
            whole: true,
        }));
    }
    input.rewind()?;
    Ok(Beginning::Changed)
}

/// The digest of the next so many bytes, and how many there are.
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
