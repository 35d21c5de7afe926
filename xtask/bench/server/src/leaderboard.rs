//! Measures a page of the leaderboard, first and deep, in two databases that differ in their number of
//! donations: prints a JSON array with an object for each page, in microseconds.
//!
//! The databases take turns call by call. The query to the store is timed, its threads included,
//! without HTTP.
//!
//! Arguments: `FEW MANY CALLS`

use std::error::Error;
use std::time::Instant;

use db::Db;
use features::chains::{Address, ChainAddress, ChainId, ChainKind};
use features::contracts::LeaderboardEntry;
use features::database::{self};
use features::domain::position::{Placed as _, Position};
use serde_json::{Value, json};
use server::demo::{CONTRACT, CONTRACT_CHAIN, ENTERPRISE};

/// How many entries a page has.
const PAGE: usize = 50;

pub(crate) async fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let [few, many, calls] = arguments else {
        return Err("leaderboard FEW MANY CALLS".into());
    };
    let calls: usize = calls.parse()?;
    let few = Board::open(few).await?;
    let many = Board::open(many).await?;
    if few.length != many.length {
        return Err("the leaderboards differ in their length".into());
    }
    let mut pages = Vec::new();
    for (name, deep) in [("first page", false), ("page in the middle", true)] {
        let (mut of_few, mut of_many) = (Vec::new(), Vec::new());
        for _ in 0..calls {
            of_few.push(few.time(deep).await?);
            of_many.push(many.time(deep).await?);
        }
        pages.push(json!({
            "name": name,
            "length": few.length,
            "few": quantiles(of_few),
            "many": quantiles(of_many),
        }));
    }
    println!("{}", Value::from(pages));
    Ok(())
}

/// A database and the place in the middle of its leaderboard.
struct Board {
    store: Db,
    contract: ChainAddress,
    length: usize,
    middle: Option<Position>,
}

impl Board {
    async fn open(database: &str) -> Result<Board, Box<dyn Error>> {
        let mut board = Board {
            store: database::connect(&database.parse()?).await?,
            contract: ChainAddress {
                chain: ChainId::new(CONTRACT_CHAIN).ok_or("no chain")?,
                address: Address::parse(ChainKind::Evm, CONTRACT)?,
            },
            length: 0,
            middle: None,
        };
        let mut places = vec![None];
        while let Some(after) = places.last().cloned() {
            let page = board.page(after).await?;
            board.length += page.len();
            match page.last() {
                Some(last) => places.push(Some(last.position())),
                None => break,
            }
        }
        board.middle = places.get(places.len() / 2).cloned().flatten();
        Ok(board)
    }

    async fn page(&self, after: Option<Position>) -> Result<Vec<LeaderboardEntry>, Box<dyn Error>> {
        let contract = self.contract.clone();
        let page = features::contracts::leaderboard::leaderboard(
            &self.store,
            ENTERPRISE,
            contract,
            after,
            PAGE,
        );
        Ok(page.await?.ok_or("no contract")?)
    }

    /// How many microseconds a page takes.
    async fn time(&self, deep: bool) -> Result<f64, Box<dyn Error>> {
        let after = self.middle.clone().filter(|_| deep);
        let start = Instant::now();
        let page = self.page(after).await?;
        let took = start.elapsed().as_secs_f64() * 1e6;
        match page.len() {
            PAGE => Ok(took),
            other => Err(format!("a page of {other}").into()),
        }
    }
}

/// The median and the 99th percentile.
fn quantiles(mut figures: Vec<f64>) -> [f64; 2] {
    figures.sort_by(f64::total_cmp);
    [50, 99].map(|part| {
        let place = figures.len() * part / 100;
        figures.get(place).copied().unwrap_or_default()
    })
}
