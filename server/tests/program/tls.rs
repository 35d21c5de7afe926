//! Connections to PostgreSQL and Redis that are encrypted, and those that are refused.

pub(crate) mod postgres;
mod redis;

use crate::folder::Folder;
use crate::instances::Authority;

/// The name of the authority's file in a folder.
pub(crate) const ROOT: &str = "root.crt";

/// An authority whose certificate is in the folder.
pub(crate) fn authority(folder: &Folder) -> Authority {
    let authority = Authority::new();
    folder.write(ROOT, &authority.pem);
    authority
}
