//! The projects of the demo.

use uuid::uuid;

use super::ProjectId;

pub const FREE: ProjectId = ProjectId(uuid!("d3000000-0000-4000-8000-000000000001"));

pub const PRO: ProjectId = ProjectId(uuid!("d3000000-0000-4000-8000-000000000002"));

/// The project of tier Enterprise, which owns the partner contract.
pub const ENTERPRISE: ProjectId = ProjectId(uuid!("d3000000-0000-4000-8000-000000000003"));
