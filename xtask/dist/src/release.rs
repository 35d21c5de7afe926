//! A release: its version, its time and its folders.

use crate::tool;
use fs_err as fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, io};

/// The name of the program, of its package and of its image.
pub(crate) const NAME: &str = "donation-catalog";

/// A release, and its folders.
pub(crate) struct Release {
    pub(crate) root: PathBuf,
    /// The folder that cargo compiles the release in.
    pub(crate) build: PathBuf,
    /// The folder of the released files.
    pub(crate) out: PathBuf,
    /// The version of the server's package.
    pub(crate) version: &'static str,
    /// Debian's name of the machine that it is for, such as `amd64`.
    pub(crate) architecture: String,
    /// The time of every file, in seconds since 1970: the commit's, or `SOURCE_DATE_EPOCH` if it is set
    /// (<https://reproducible-builds.org/specs/source-date-epoch/>).
    pub(crate) time: String,
}

impl Release {
    /// A release of the commit that is checked out.
    ///
    /// # Errors
    /// Outside a repository, unless `SOURCE_DATE_EPOCH` is set.
    pub(crate) fn of_this_commit(root: &Path, target: &Path, out: &Path) -> io::Result<Release> {
        let time = match env::var("SOURCE_DATE_EPOCH") {
            Ok(time) => time,
            Err(_) => {
                let mut git = Command::new("git");
                git.args(["-c", "safe.directory=*", "log", "-1", "--format=%ct"]);
                tool::output(git.current_dir(root))?.trim().to_owned()
            }
        };
        let mut dpkg = Command::new("dpkg");
        let architecture = tool::output(dpkg.arg("--print-architecture"))?;
        Ok(Release {
            root: root.to_owned(),
            build: target.join("dist-build"),
            out: std::path::absolute(out)?,
            version: env!("CARGO_PKG_VERSION"),
            architecture: architecture.trim().to_owned(),
            time,
        })
    }

    /// A command that runs in the root of the workspace and knows the release's time.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.root);
        command.env("SOURCE_DATE_EPOCH", &self.time);
        command
    }

    pub(crate) fn program(&self) -> PathBuf {
        self.build.join("release").join(NAME)
    }

    /// The released Debian package.
    pub(crate) fn package(&self) -> PathBuf {
        self.file(&format!("-{}.deb", self.architecture))
    }

    /// The released file with this ending.
    pub(crate) fn file(&self, ending: &str) -> PathBuf {
        self.out.join(format!("{NAME}-{}{ending}", self.version))
    }

    /// The released files, in alphabetical order.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub(crate) fn files(&self) -> io::Result<Vec<PathBuf>> {
        let entries = fs::read_dir(&self.out)?.map(|entry| Ok(entry?.path()));
        let mut files = entries.collect::<io::Result<Vec<PathBuf>>>()?;
        files.retain(|path| path.is_file());
        files.sort();
        Ok(files)
    }
}
