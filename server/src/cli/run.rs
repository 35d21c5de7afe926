//! Running a command.

use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use jiff::Timestamp;
use tempfile::TempDir;

use super::reload::Reloading;
use super::variables::reject_unknown_variables;
use super::{Cli, Command, demo, process, say, verify};
use crate::config::{Config, Settings};
use crate::demo::{CONTRACT, CONTRACT_CHAIN};
use crate::startup::{Console, Server};
use db::{Db, DbError, Location, Migrated};
use edge::clock::SystemClock;
use edge::http::{Signals, init_logging, set_logged_clients};
use features::database::{self};
use features::webhooks::WebhookKeys;

/// The error of a command, for its user.
pub type CliError = Box<dyn Error + Send + Sync>;

/// The exit status after a second signal, as a shell reports an interrupted program.
const INTERRUPTED: u8 = 130;

/// The warning of a server without limits, on standard output and in the log.
const LIFTED: &str =
    "RATE LIMITS ARE DISABLED (--lift-limits): every request is allowed, none is counted";

/// The reason why there is no database to work on.
#[derive(Debug, thiserror::Error)]
enum DatabaseError {
    #[error("cannot open the database {}: there is no folder {}", path.display(), folder.display())]
    NoFolder { path: PathBuf, folder: PathBuf },
    #[error("cannot open the database {location} ({setting})")]
    Unusable {
        location: Location,
        setting: DatabaseSetting,
        source: DbError,
    },
    #[error(
        "there is no database {} ({setting}); give this command the server's --config and --env-file",
        path.display()
    )]
    Missing {
        path: PathBuf,
        setting: DatabaseSetting,
    },
}

/// The setting that names the database.
#[derive(Debug, Clone)]
enum DatabaseSetting {
    /// A flag or the environment, which `--env-file` may have added to.
    Given { env_file: Option<PathBuf> },
    /// The file of `--config`.
    File(PathBuf),
    /// None.
    Default { config: Option<PathBuf> },
}

impl fmt::Display for DatabaseSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Given { env_file: None } => f.write_str("set by --database or CATALOG_DATABASE"),
            Self::Given {
                env_file: Some(path),
            } => write!(
                f,
                "set by --database or CATALOG_DATABASE of {}",
                path.display()
            ),
            Self::File(path) => write!(f, "set by {}", path.display()),
            Self::Default { config: None } => {
                f.write_str("the default: no setting names a database")
            }
            Self::Default { config: Some(path) } => {
                write!(f, "the default: {} names no database", path.display())
            }
        }
    }
}

/// The database of a command.
#[derive(Debug, Clone)]
struct Target {
    location: Location,
    setting: DatabaseSetting,
}

impl Cli {
    /// Runs the command.
    ///
    /// # Errors
    /// When the command fails; the error is the reason.
    pub async fn run(self) -> Result<ExitCode, CliError> {
        reject_unknown_variables()?;
        let settings = self.settings()?;
        let mut config = self.checked(settings.clone())?;
        let flags = self.flags();
        let target = self.target(&settings, &config);
        process::survive_file_limits()?;
        match self.command {
            Command::Serve(args) => {
                init_logging(config.log_format, &config.log)?;
                set_logged_clients(config.log_clients);
                let descriptors = process::raise_descriptors();
                process::fit_connections(&mut config.connections.max_connections, descriptors);
                let signals = Signals::listen()?;
                // A demo ends with the terminal that it was started in.
                let reloading = match args.demo && self.config.is_none() {
                    true => None,
                    false => Some(Reloading::listen(self.config, flags, settings)?),
                };
                if args.demo {
                    serve_demo(config, signals, reloading).await
                } else {
                    if config.migrate {
                        migrate(&target).await?;
                    }
                    let store = create_or_open(&target).await?;
                    config.journal = journal(&config.database);
                    serve(&config, store, signals, reloading, demo::addresses).await
                }
            }
            Command::Import(import) => {
                run_on(create_or_open(&target).await?, async |store| {
                    import.run(store).await
                })
                .await
            }
            Command::Project(project) => {
                on_existing(&target, async |store| {
                    project.run(store, Timestamp::now()).await
                })
                .await
            }
            #[cfg(feature = "console")]
            Command::Operator(operator) => {
                on_existing(&target, async |store| {
                    operator.run(store, Timestamp::now()).await
                })
                .await
            }
            Command::Contract(contract) => {
                on_existing(&target, async |store| contract.run(store).await).await
            }
            Command::Claim(claim) => {
                on_existing(&target, async |store| {
                    claim.run(store, Timestamp::now()).await
                })
                .await
            }
            Command::Migrate => {
                let Migrated { from, to } = migrate(&target).await?;
                let database = full_name(&target.location);
                say(match from == to {
                    true => format!("The database {database} is up to date (schema {to})."),
                    false => {
                        format!("Migrated the database {database} from schema {from} to {to}.")
                    }
                })?;
                Ok(ExitCode::SUCCESS)
            }
            Command::Backup(backup) => {
                target.require_existing()?;
                backup.run(&config.database)
            }
            Command::Restore(restore) => {
                // A missing database is created where a setting names it.
                match target.setting {
                    DatabaseSetting::Default { .. } => target.require_existing()?,
                    _ => require_folder(&config.database)?,
                }
                restore.run(&config.database)
            }
            Command::Completions(completions) => completions.run(),
            Command::Man(man) => man.run(),
            #[cfg(feature = "console")]
            Command::EndSessions => {
                on_existing(&target, async |store| {
                    console::accounts::store::forget_sign_ins(store).await?;
                    say("All users are signed out of the dashboard.")?;
                    Ok(ExitCode::SUCCESS)
                })
                .await
            }
            Command::Verify => on_existing(&target, verify::run).await,
            Command::Key(key) => {
                on_existing(&target, async |store| {
                    key.run(store, Timestamp::now()).await
                })
                .await
            }
        }
    }
}

impl Cli {
    /// The configured database and the setting that names it.
    fn target(&self, settings: &Settings, config: &Config) -> Target {
        let setting = match (&self.database, &self.config) {
            (Some(_), _) => DatabaseSetting::Given {
                env_file: self.env_file.clone(),
            },
            (None, Some(file)) if settings.database.is_some() => {
                DatabaseSetting::File(file.clone())
            }
            (None, config) => DatabaseSetting::Default {
                config: config.clone(),
            },
        };
        Target {
            location: config.database.clone(),
            setting,
        }
    }
}

impl Target {
    /// Rejects a file that is missing.
    fn require_existing(&self) -> Result<(), DatabaseError> {
        require_folder(&self.location)?;
        match &self.location {
            Location::File(path) if !path.exists() => Err(DatabaseError::Missing {
                path: std::path::absolute(path).unwrap_or_else(|_| path.clone()),
                setting: self.setting.clone(),
            }),
            _ => Ok(()),
        }
    }

    fn unusable(&self, source: DbError) -> DatabaseError {
        DatabaseError::Unusable {
            location: self.location.clone(),
            setting: self.setting.clone(),
            source,
        }
    }
}

/// Runs a command on the configured database, which is not created if it is missing.
async fn on_existing(
    target: &Target,
    command: impl AsyncFnOnce(&Db) -> Result<ExitCode, CliError>,
) -> Result<ExitCode, CliError> {
    target.require_existing()?;
    let store = database::connect_existing(&target.location).await;
    run_on(store.map_err(|source| target.unusable(source))?, command).await
}

/// Runs a command that ends, and merges the database's log into its file.
async fn run_on(
    store: Db,
    command: impl AsyncFnOnce(&Db) -> Result<ExitCode, CliError>,
) -> Result<ExitCode, CliError> {
    let done = command(&store).await;
    store.close();
    done
}

async fn create_or_open(target: &Target) -> Result<Db, DatabaseError> {
    require_folder(&target.location)?;
    let store = database::connect(&target.location).await;
    store.map_err(|source| target.unusable(source))
}

async fn migrate(target: &Target) -> Result<Migrated, DatabaseError> {
    require_folder(&target.location)?;
    let migrated = database::migrate(&target.location).await;
    migrated.map_err(|source| target.unusable(source))
}

/// The database with the whole path of a file, and without the password of a URL.
fn full_name(location: &Location) -> String {
    match location {
        Location::File(path) => std::path::absolute(path)
            .unwrap_or_else(|_| path.clone())
            .display()
            .to_string(),
        Location::Postgres(_) => location.to_string(),
    }
}

fn require_folder(location: &Location) -> Result<(), DatabaseError> {
    let Location::File(path) = location else {
        return Ok(());
    };
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    match folder.filter(|folder| !folder.is_dir()) {
        Some(folder) => Err(DatabaseError::NoFolder {
            path: path.clone(),
            folder: folder.to_owned(),
        }),
        None => Ok(()),
    }
}

/// The file of the rate windows of a server that does not share them: beside its database file, if
/// there is one.
fn journal(database: &Location) -> Option<PathBuf> {
    let Location::File(path) = database else {
        return None;
    };
    let mut name = path.as_os_str().to_owned();
    name.push("-limits");
    Some(name.into())
}

/// Serves the demonstration's data and keys from a temporary database, which is removed at the end.
async fn serve_demo(
    mut config: Config,
    signals: Signals,
    reloading: Option<Reloading>,
) -> Result<ExitCode, CliError> {
    // Wrong settings are reported before the database is filled, which takes seconds.
    Console::check(&config.console)?;
    let folder = TempDir::with_prefix("donation-catalog-demo-")?;
    let path = folder.path().join("catalog.db");
    config.database = path.clone().into();
    config.demo = true;
    config.webhooks.keys = WebhookKeys::Random;
    let store = database::open(&path)?;
    let served = fill_and_serve(&config, store.clone(), signals, reloading).await;
    // A running thread could create a file in the folder while it is being removed.
    store.close();
    let code = served?;
    folder.close()?;
    Ok(code)
}

/// Fills the empty `store` and serves it, unless a signal comes first.
async fn fill_and_serve(
    config: &Config,
    store: Db,
    mut signals: Signals,
    reloading: Option<Reloading>,
) -> Result<ExitCode, CliError> {
    let now = Timestamp::now();
    tokio::select! {
        seeded = crate::demo::seed(&store, now, demo::keys(now)?) => seeded?,
        () = signals.next() => return Ok(ExitCode::from(INTERRUPTED)),
    }
    let greet = |server: &Server| {
        let greeting = demo::greeting(server.api, CONTRACT_CHAIN, CONTRACT);
        format!("{greeting}\n{}", demo::addresses(server))
    };
    serve(config, store, signals, reloading, greet).await
}

/// Serves until the first signal and the requests in flight then have ended, or until the second
/// signal. Meanwhile the configuration may be reloaded.
async fn serve(
    config: &Config,
    store: Db,
    mut signals: Signals,
    reloading: Option<Reloading>,
    greet: impl FnOnce(&Server) -> String,
) -> Result<ExitCode, CliError> {
    let server = Server::start(config, store, Arc::new(SystemClock::start())).await?;
    tracing::info!(
        version = env!("CARGO_PKG_VERSION"),
        api = %server.api,
        admin = %server.admin,
        database = full_name(&config.database),
        redis = if config.redis.is_some() { "yes" } else { "no" },
        replicas = config.replicas,
        "listening"
    );
    let mut greeting = greet(&server);
    if config.lift_limits {
        tracing::warn!("{LIFTED}");
        greeting = format!("{greeting}\n{LIFTED}");
    }
    if let Err(error) = say(greeting) {
        tracing::warn!(%error, "cannot write to standard output");
    }
    let (shutdown, live) = (server.shutdown().clone(), server.config().clone());
    let reloads = async {
        if let Some(reloading) = reloading {
            reloading.follow(live).await;
        }
        std::future::pending().await
    };
    let signalled_twice = async {
        signals.next().await;
        tracing::info!("shutting down; a second signal stops immediately");
        shutdown.request();
        signals.next().await;
    };
    tokio::select! {
        served = server.finished() => {
            tracing::info!(?served, "stopped");
            Ok(ExitCode::SUCCESS)
        }
        () = signalled_twice => Ok(ExitCode::from(INTERRUPTED)),
        never = reloads => never,
    }
}
