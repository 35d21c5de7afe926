//! The file of a journal: a mark, then frames, each with its length and checksum.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use super::frame::{Draft, Frame};

/// The first bytes of the file: its kind and version.
const MARK: &[u8; 16] = b"rate windows v2\n";

/// The size beyond which a file is not read: many times as much as a busy server writes in two minutes.
const TOO_LARGE: u64 = 1 << 26;

/// An open file, to append to.
#[derive(Debug)]
pub(super) struct JournalFile(File);

impl JournalFile {
    /// Begins the file at `path` anew with one frame, in one step. An empty frame needs no file:
    /// there is none then.
    pub(super) fn begin(path: &Path, frame: &Draft) -> io::Result<Option<Self>> {
        if frame.is_empty() {
            return remove(path).map(|()| None);
        }
        let draft = draft(path);
        // It names clients' addresses, and so is its owner's alone. One that a killed process has left
        // is not opened: it could be another's, or lead elsewhere.
        remove(&draft)?;
        let mut file = OpenOptions::new()
            .create_new(true)
            .write(true)
            .mode(0o600)
            .open(&draft)?;
        let mut bytes = MARK.to_vec();
        bytes.extend(sealed(frame)?);
        file.write_all(&bytes)?;
        fs::rename(&draft, path)?;
        Ok(Some(Self(file)))
    }

    pub(super) fn append(&mut self, frame: &Draft) -> io::Result<()> {
        if frame.is_empty() {
            return Ok(());
        }
        self.0.write_all(&sealed(frame)?)
    }
}

/// Shows each frame of the file at `path`. The last one may have been cut off with its process.
pub(super) fn read(path: &Path, mut visitor: impl FnMut(&Frame)) -> io::Result<()> {
    let metadata = fs::symlink_metadata(path)?;
    if !metadata.is_file() {
        return Err(damaged("it is no file"));
    }
    if metadata.len() > TOO_LARGE {
        return Err(damaged("it is too large"));
    }
    let bytes = fs::read(path)?;
    let mut rest = bytes
        .strip_prefix(MARK)
        .ok_or_else(|| damaged("it is another kind of file"))?;
    while let Some((body, checksum, after)) = next(rest) {
        if crc32fast::hash(body) != checksum {
            return Err(damaged("a checksum is wrong"));
        }
        visitor(&Frame::parse(body).ok_or_else(|| damaged("a frame is wrong"))?);
        rest = after;
    }
    Ok(())
}

/// The next frame's bytes, its checksum and the bytes after it; `None` if it is cut off.
fn next(bytes: &[u8]) -> Option<(&[u8], u32, &[u8])> {
    let (length, rest) = bytes.split_first_chunk()?;
    let (checksum, rest) = rest.split_first_chunk()?;
    let (body, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    Some((body, u32::from_le_bytes(*checksum), rest))
}

fn sealed(frame: &Draft) -> io::Result<Vec<u8>> {
    let body = frame.bytes();
    let length = u32::try_from(body.len()).map_err(|_| damaged("a frame is too large"))?;
    let mut sealed = Vec::with_capacity(body.len() + 8);
    sealed.extend(length.to_le_bytes());
    sealed.extend(crc32fast::hash(body).to_le_bytes());
    sealed.extend(body);
    Ok(sealed)
}

/// Removes a file, if it is there.
fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn draft(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    PathBuf::from(name)
}

fn damaged(how: &'static str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, how)
}
