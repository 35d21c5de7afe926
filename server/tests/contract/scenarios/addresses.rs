//! Addresses in paths: their validity depends on the kind of the chain.

use std::sync::Arc;

use super::super::fixture::{BASE, BITCOIN, SOLANA, SOLANA_USDC, USDC};
use super::super::test_request::TestRequest;
use super::super::world::Template;
use super::parameters::assert_issue;

async fn follow_their_chain(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let lower = USDC.to_lowercase();
    let upper = format!("0x{}", USDC[2..].to_uppercase());
    let wrong_checksum = USDC.replacen('f', "F", 1);
    let no_curve_point = "11111111111111111111111111111112";
    // Status of the token, and whether the address is what is invalid when it is 400.
    let cases: [(i64, &str, u16); 22] = [
        (BASE, USDC, 200),
        (BASE, &lower, 200),
        (BASE, &upper, 200),
        (BASE, "0x0000000000000000000000000000000000000001", 404),
        (BASE, &wrong_checksum, 400),
        (BASE, &USDC[2..], 400),
        (BASE, &USDC[..41], 400),
        (BASE, &format!("{USDC}0"), 400),
        (BASE, "0X833589fcd6edb6e08f4c7c32d4f71b54bda02913", 400),
        (BASE, SOLANA_USDC, 400),
        (SOLANA, SOLANA_USDC, 200),
        (SOLANA, "11111111111111111111111111111111", 404),
        (SOLANA, no_curve_point, 404),
        (SOLANA, &SOLANA_USDC[4..], 400),
        (SOLANA, "0OIl1111111111111111111111111111", 400),
        (SOLANA, USDC, 400),
        (BITCOIN, "1111111111111111111114oLvT2", 200),
        (BITCOIN, "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", 404),
        (BITCOIN, "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", 404),
        (BITCOIN, "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb", 400),
        (BITCOIN, "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5", 400),
        (BITCOIN, SOLANA_USDC, 400),
    ];
    for (chain, address, status) in cases {
        let token = TestRequest::get(format!("/{chain}/tokens/{address}"));
        let board = TestRequest::get(format!("/{chain}/contracts/{address}/tokens/leaderboard"));
        let token = token.expect(&world, status).await;
        let board = board.key(&world.keys.enterprise);
        let board = board
            .expect(&world, if status == 400 { 400 } else { 404 })
            .await;
        if status == 400 {
            for answer in [token, board] {
                assert_issue(&answer.issues(), "path", "address", "invalidAddress");
            }
        }
    }
    let shown = TestRequest::get(format!("/{BASE}/tokens/{lower}"))
        .expect(&world, 200)
        .await;
    assert_eq!(shown.json()["address"], USDC);
}

async fn an_unknown_chain_has_no_tokens(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    for chain in ["7", "0", "9007199254740991"] {
        let list = TestRequest::get("/tokens")
            .query("chainId", chain)
            .expect(&world, 200)
            .await
            .json();
        assert_eq!(list["response"].as_array().map(Vec::len), Some(0));
        assert!(list["pageKey"].is_null());
        for target in [
            format!("/{chain}/tokens/{USDC}"),
            format!("/{chain}/contracts/{USDC}/tokens/leaderboard"),
        ] {
            let answer = TestRequest::get(target)
                .key(&world.keys.enterprise)
                .expect(&world, 400)
                .await;
            assert_eq!(answer.code(), "VALIDATION_ERROR");
            assert_eq!(answer.issues()[0].at, "chainId");
        }
    }
    for chain in [
        "base",
        "1.5",
        "-1",
        "9007199254740992",
        "99999999999999999999",
    ] {
        let answer = TestRequest::get(format!("/{chain}/tokens/{USDC}"))
            .expect(&world, 400)
            .await;
        assert_eq!(answer.issues()[0].at, "chainId");
    }
}

super::theme! {
    follow_their_chain,
    an_unknown_chain_has_no_tokens,
}
