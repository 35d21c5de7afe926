//! Real chains and real tokens on them. The prices are invented.

use serde_json::{Value, json};

/// A chain: id, name, type, native currency (name, ticker, decimals), explorer.
type Chain = (
    i64,
    &'static str,
    &'static str,
    (&'static str, &'static str, u8),
    &'static str,
);

const CHAINS: [Chain; 6] = [
    (
        1,
        "Ethereum",
        "EVM",
        ("Ether", "ETH", 18),
        "https://etherscan.io",
    ),
    (
        137,
        "Polygon PoS",
        "EVM",
        ("POL", "POL", 18),
        "https://polygonscan.com",
    ),
    (
        8453,
        "Base",
        "EVM",
        ("Ether", "ETH", 18),
        "https://basescan.org",
    ),
    (
        42161,
        "Arbitrum One",
        "EVM",
        ("Ether", "ETH", 18),
        "https://arbiscan.io",
    ),
    (
        SOLANA,
        "Solana",
        "SVM",
        ("SOL", "SOL", 9),
        "https://explorer.solana.com",
    ),
    (
        BITCOIN,
        "Bitcoin",
        "UTXO",
        ("Bitcoin", "BTC", 8),
        "https://mempool.space",
    ),
];

/// The platform's id for Solana, which has none in EIP-155.
const SOLANA: i64 = 1_151_111_081_099_710;

/// The platform's id for Bitcoin, which has none in EIP-155.
const BITCOIN: i64 = 20_000_000_000_001;

/// A token that donations are made in.
pub(super) struct Token {
    pub(super) chain: i64,
    pub(super) address: &'static str,
    name: &'static str,
    symbol: &'static str,
    pub(super) decimals: u8,
    /// The price of a whole token, in millionths of a US dollar.
    pub(super) price: u64,
}

/// The zero address, where a chain's native currency is listed.
const ZERO: &str = "0x0000000000000000000000000000000000000000";

const fn token(
    chain: i64,
    address: &'static str,
    name: &'static str,
    symbol: &'static str,
    decimals: u8,
    price: u64,
) -> Token {
    Token {
        chain,
        address,
        name,
        symbol,
        decimals,
        price,
    }
}

const DOLLAR: u64 = 1_000_000;
const ETHER: u64 = 3_000 * DOLLAR;
const BITCOIN_PRICE: u64 = 90_000 * DOLLAR;

/// The tokens.
#[rustfmt::skip]
pub(super) const TOKENS: &[Token] = &[
    token(1, ZERO, "Ether", "ETH", 18, ETHER),
    token(1, "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", "USD Coin", "USDC", 6, DOLLAR),
    token(1, "0xdAC17F958D2ee523a2206206994597C13D831ec7", "Tether USD", "USDT", 6, DOLLAR),
    token(1, "0x6B175474E89094C44Da98b954EedeAC495271d0F", "Dai Stablecoin", "DAI", 18, DOLLAR),
    token(1, "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2", "Wrapped Ether", "WETH", 18, ETHER),
    token(1, "0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599", "Wrapped BTC", "WBTC", 8, BITCOIN_PRICE),
    token(1, "0x514910771AF9Ca656af840dff83E8264EcF986CA", "ChainLink Token", "LINK", 18, 15 * DOLLAR),
    token(1, "0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984", "Uniswap", "UNI", 18, 8 * DOLLAR),
    token(1, "0x6c3ea9036406852006290770BEdFcAbA0e23A0e8", "PayPal USD", "PYUSD", 6, DOLLAR),
    token(137, ZERO, "POL", "POL", 18, DOLLAR / 2),
    token(137, "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359", "USD Coin", "USDC", 6, DOLLAR),
    token(137, "0xc2132D05D31c914a87C6611C10748AEb04B58e8F", "Tether USD", "USDT", 6, DOLLAR),
    token(137, "0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063", "Dai Stablecoin", "DAI", 18, DOLLAR),
    token(137, "0x7ceB23fD6bC0adD59E62ac25578270cFf1b9f619", "Wrapped Ether", "WETH", 18, ETHER),
    token(8453, ZERO, "Ether", "ETH", 18, ETHER),
    token(8453, "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", "USD Coin", "USDC", 6, DOLLAR),
    token(8453, "0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb", "Dai Stablecoin", "DAI", 18, DOLLAR),
    token(8453, "0x4200000000000000000000000000000000000006", "Wrapped Ether", "WETH", 18, ETHER),
    token(8453, "0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf", "Coinbase Wrapped BTC", "cbBTC", 8, BITCOIN_PRICE),
    token(42161, ZERO, "Ether", "ETH", 18, ETHER),
    token(42161, "0xaf88d065e77c8cC2239327C5EDb3A432268e5831", "USD Coin", "USDC", 6, DOLLAR),
    token(42161, "0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9", "Tether USD", "USDT", 6, DOLLAR),
    token(42161, "0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1", "Dai Stablecoin", "DAI", 18, DOLLAR),
    token(42161, "0x82aF49447D8a07e3bd95BD0d56f35241523fBab1", "Wrapped Ether", "WETH", 18, ETHER),
    token(42161, "0x912CE59144191C1204E64559FE8253a0e49E6548", "Arbitrum", "ARB", 18, DOLLAR / 2),
    token(SOLANA, "11111111111111111111111111111111", "SOL", "SOL", 9, 150 * DOLLAR),
    token(SOLANA, "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", "USD Coin", "USDC", 6, DOLLAR),
    token(SOLANA, "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB", "Tether USD", "USDT", 6, DOLLAR),
    token(SOLANA, "2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo", "PayPal USD", "PYUSD", 6, DOLLAR),
    token(SOLANA, "So11111111111111111111111111111111111111112", "Wrapped SOL", "WSOL", 9, 150 * DOLLAR),
    token(SOLANA, "JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN", "Jupiter", "JUP", 6, DOLLAR / 2),
    token(SOLANA, "DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263", "Bonk", "BONK", 5, 20),
    token(BITCOIN, "1111111111111111111114oLvT2", "Bitcoin", "BTC", 8, BITCOIN_PRICE),
];

/// The lines of all chains and tokens.
pub(super) fn lines() -> Vec<Value> {
    let chains = CHAINS
        .iter()
        .map(|(id, name, kind, (currency, symbol, decimals), explorer)| {
            json!({
                "kind": "chain",
                "id": id,
                "name": name,
                "type": kind,
                "nativeCurrency": { "name": currency, "symbol": symbol, "decimals": decimals },
                "explorerUrl": explorer,
            })
        });
    let tokens = TOKENS.iter().map(
        |Token {
             chain,
             address,
             name,
             symbol,
             decimals,
             ..
         }| {
            json!({
                "kind": "token",
                "chainId": chain,
                "address": address,
                "name": name,
                "symbol": symbol,
                "decimals": decimals,
            })
        },
    );
    chains.chain(tokens).collect()
}

/// The transaction id of a donation, in the form of its chain.
pub(super) fn transaction(chain: i64, digest: [u8; 32]) -> String {
    let hash = alloy_primitives::hex::encode(digest);
    match chain {
        SOLANA => bs58::encode([digest, digest].concat()).into_string(),
        BITCOIN => hash,
        _ => format!("0x{hash}"),
    }
}
