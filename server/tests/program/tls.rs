//! Connections to PostgreSQL and Redis that are encrypted, and those that are refused.

mod postgres;
mod redis;

use crate::folder::Folder;
use crate::instances::Authority;

/// The name of the authority's file in a folder.
const ROOT: &str = "root.crt";

/// An authority whose certificate is in the folder.
fn authority(folder: &Folder) -> Authority {
    let authority = Authority::new();
    folder.write(ROOT, &authority.pem);
    authority
}
