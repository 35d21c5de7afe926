//! Simulated donations, which a demo has in the place of those on chains.

use std::future::pending;
use std::io::Cursor;

use jiff::Timestamp;
use serde_json::json;

use super::configs;
use super::extract::ConfigPath;
use super::notice::Notice;
use super::page::PageResult;
use super::page_error::PageError;
use super::projects::ProjectView;
use super::session::Session;
use features::chains::ChainKind;
use features::contracts;
use features::domain::config_id::ConfigId;
use features::domain::recording::OnRejection;
use features::import::{self, Followed, ImportError};
use features::rollups;
use features::tokens::{self, Token, TokenFilter};

/// The token of donations through configs that no partner token donates to.
const SYMBOL: &str = "usdc";

/// The tokens among which one is chosen.
const TOKENS: usize = 10;

/// The smallest donation in cents, and the number of larger ones.
const CENTS: u32 = 500;
const RANGE: u32 = 24_500;

/// `POST /dashboard/projects/{project}/configs/{config}/simulate`: records a donation, as `import --follow` records a
/// line of an indexer.
pub(super) async fn donate(
    session: Session,
    ConfigPath(project, config): ConfigPath,
) -> PageResult {
    ProjectView::find(&session, project).await?;
    let found = rollups::store::config_with_stats(session.store(), project, config).await?;
    found.ok_or(PageError::NotFound)?;
    let token = token(&session, config).await?.ok_or(PageError::Internal)?;
    let line = line(config, &token, session.now())?;
    let (store, input) = (session.store(), Followed::Pipe(Cursor::new(line)));
    let recorded = import::follow(
        store,
        input,
        OnRejection::Stop,
        Timestamp::now,
        |_| {},
        pending(),
    );
    match recorded.await {
        Ok(summary) if summary.inserted == 1 => {
            let path = format!("{}/{config}", configs::path(project));
            Ok(Notice::DonationSimulated.see_other(&path))
        }
        Ok(_) | Err(ImportError::Input(_)) => Err(PageError::Internal),
        Err(ImportError::Store(error)) => Err(error.into()),
    }
}

/// A token on an EVM chain: a partner token whose active config this is, so that the donation is on a leaderboard too,
/// else a stablecoin.
async fn token(session: &Session, config: ConfigId) -> Result<Option<Token>, PageError> {
    let store = session.store();
    let partners = contracts::store::tokens_of_config(store, config, TOKENS).await?;
    let filter = TokenFilter {
        symbol: Some(SYMBOL.to_owned()),
        ..TokenFilter::default()
    };
    let others = tokens::store::tokens(store, filter, None, TOKENS).await?;
    let chains = &session.context.setup.api.snapshot().chains;
    let is_evm = |token: &Token| {
        let chain = chains.find(token.id.chain);
        chain.is_some_and(|chain| chain.kind == ChainKind::Evm)
    };
    Ok(partners.into_iter().chain(others).find(is_evm))
}

/// The line of a donation of a random amount, whose token is worth a dollar.
fn line(config: ConfigId, token: &Token, now: Timestamp) -> Result<String, getrandom::Error> {
    let cents = CENTS + getrandom::u32()? % RANGE;
    let mut transaction = [0; 32];
    getrandom::fill(&mut transaction)?;
    let hash: String = transaction
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let zeros = "0".repeat(usize::from(token.decimals.saturating_sub(2)));
    let line = json!({
        "kind": "donation",
        "chainId": token.id.chain.get(),
        "transaction": format!("0x{hash}"),
        "logIndex": 0,
        "token": token.id.address.as_str(),
        "config": config.to_string(),
        "amount": format!("{cents}{zeros}"),
        "usdE6": (u64::from(cents) * 10_000).to_string(),
        "at": format!("{now:.3}"),
    });
    Ok(format!("{line}\n"))
}
