//! What each command does.

use std::error::Error;
use std::process::ExitCode;
use std::sync::Arc;

use jiff::Timestamp;
use tempfile::TempDir;

use super::{Cli, Command, demo};
use crate::clock::SystemClock;
use crate::config::Config;
use crate::demo::{CONTRACT, CONTRACT_CHAIN};
use crate::http::init_logging;
use crate::server::Server;
use crate::store::Store;

/// How a command failed, for people to read.
pub type CliError = Box<dyn Error + Send + Sync>;

/// The exit status after a second signal, as a shell reports an interrupted program.
const INTERRUPTED: i32 = 130;

impl Cli {
    /// Does what the command line says.
    ///
    /// # Errors
    /// When it cannot be done; the error says why.
    pub async fn run(self) -> Result<ExitCode, CliError> {
        let config = self.resolve()?;
        let store = || Store::open(&config.database);
        match self.command {
            Command::Serve(args) if args.demo => serve_demo(config).await,
            Command::Serve(_) => {
                init_logging(config.log_format, &config.log)?;
                serve(&config, store()?, |_| ()).await
            }
            Command::Import(import) => import.run(&store()?).await,
            Command::Project(project) => project.run(&store()?).await,
            Command::Contract(contract) => contract.run(&store()?).await,
            Command::Key(key) => key.run(&store()?, Timestamp::now()).await,
        }
    }
}

/// Serves on a database that is gone afterwards, with the demonstration's data and keys.
async fn serve_demo(mut config: Config) -> Result<ExitCode, CliError> {
    init_logging(config.log_format, &config.log)?;
    let folder = TempDir::with_prefix("donation-catalog-demo-")?;
    config.database = folder.path().join("catalog.db");
    let store = Store::open(&config.database)?;
    crate::demo::seed(&store, Timestamp::now(), demo::keys(Timestamp::now())?).await?;
    let greet = |server: &Server| {
        println!("{}", demo::greeting(server.api, CONTRACT_CHAIN, CONTRACT));
    };
    serve(&config, store, greet).await
}

async fn serve(
    config: &Config,
    store: Store,
    greet: impl FnOnce(&Server),
) -> Result<ExitCode, CliError> {
    let server = Server::start(config, store, Arc::new(SystemClock::start())).await?;
    tracing::info!(api = %server.api, admin = %server.admin, "listening");
    greet(&server);
    let shutdown = server.shutdown().clone();
    tokio::spawn(async move {
        match shutdown.on_signals().await {
            // The second signal wants the process gone at once.
            Ok(()) => std::process::exit(INTERRUPTED),
            Err(error) => tracing::error!(%error, "signals cannot be listened to"),
        }
    });
    let served = server.finished().await;
    tracing::info!(?served, "stopped");
    Ok(ExitCode::SUCCESS)
}
