//! The guide to a first donation, played from its code and the button of the dashboard.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use features::keys::demo::ENTERPRISE;
use serde_json::Value;
use server::demo;

use super::code::{blocks, printed, run};
use crate::dashboard::browser::Browser;
use crate::folder::Folder;
use crate::serving::{Serving, followed, serve};

/// How long an event may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// The port of the guide's receiver.
const PORT: &str = "8095";

/// Takes webhooks on a free port, and gives the port and the bodies.
fn receive() -> (u16, Receiver<Value>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (sender, bodies) = channel();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut stream = BufReader::new(stream);
            let (mut line, mut length) = (String::new(), 0);
            while stream.read_line(&mut line).is_ok_and(|read| read > 2) {
                let head = line.to_ascii_lowercase();
                if let Some(value) = head.strip_prefix("content-length:") {
                    length = value.trim().parse().unwrap();
                }
                line.clear();
            }
            let mut body = vec![0; length];
            stream.read_exact(&mut body).unwrap();
            let answer = b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n";
            stream.get_mut().write_all(answer).unwrap();
            let _ = sender.send(serde_json::from_slice(&body).unwrap());
        }
    });
    (port, bodies)
}

/// The commands of the guide, in their order.
fn commands(serving: &Serving, port: u16) -> Vec<String> {
    let page = serving.page("/docs/guides/first-donation");
    let commands = blocks(&page).into_iter().filter(|it| it.language == "sh");
    let commands = commands.map(|it| it.text.replace(PORT, &port.to_string()));
    commands.collect()
}

#[test]
fn a_first_donation_reaches_the_webhook_the_dashboard_and_the_api() {
    if !installed::present(&["bash", "curl", "jq"], &[]) {
        return;
    }
    let folder = Folder::new();
    let serving = serve(&folder, &["--demo"]);
    let (port, bodies) = receive();
    let [create, listen, read] = &commands(&serving, port)[..] else {
        panic!("the guide has three steps with commands");
    };
    let said = printed(&mut run("sh", &format!("{create}{listen}")));
    let (config, secret) = said.trim().split_once('\n').unwrap();
    assert!(secret.starts_with("whsec_"), "{said}");

    let mut browser = Browser::of_developer(&serving);
    let project = format!("/dashboard/projects/{}", demo::ENTERPRISE.0);
    let path = format!("{project}/configs/{config}");
    assert!(browser.page(&path).contains("No donations yet"));
    let page = browser.page_after(&format!("{path}/simulate"), &[]);
    assert!(page.contains("Donation simulated."), "{page}");
    assert!(page.contains("<dt>Donations</dt><dd>1</dd>"), "{page}");

    let event = bodies.recv_timeout(PATIENCE).unwrap();
    assert_eq!(event["type"], "donation.recorded", "{event}");
    assert_eq!(event["configId"]["hex"], config, "{event}");
    let transaction = event["data"]["transactionHash"].as_str().unwrap();
    let overview = browser.page(&project);
    assert!(overview.contains(transaction), "{overview}");
    let webhooks = browser.page(&format!("{project}/webhooks"));
    assert!(
        webhooks.contains(&format!("127.0.0.1:{port}")),
        "{webhooks}"
    );

    let environment = format!("SERVICE_API_KEY={ENTERPRISE} CONFIG={config}");
    let said = printed(&mut run("sh", &format!("export {environment}\n{read}")));
    assert!(said.contains(transaction), "{said}");
    assert!(said.contains("Fictional Otter Haven"), "{said}");
}

/// A config that a partner token donates to: the donation is on the leaderboard of the token's contract.
#[test]
fn a_simulated_donation_is_on_the_leaderboard_and_in_what_charities_received() {
    let folder = Folder::new();
    let serving = serve(&folder, &["--demo"]);
    let lines = demo::lines(jiff::Timestamp::now()).unwrap();
    let partner = lines.iter().find(|line| line["kind"] == "partner-token");
    let config = partner.unwrap()["activeConfig"].as_str().unwrap();
    let (chain, contract) = (demo::CONTRACT_CHAIN, demo::CONTRACT);
    let board = format!("/{chain}/contracts/{contract}/tokens/leaderboard?limit=200");
    let read = |path: &str| serving.get(path, Some(ENTERPRISE)).body;
    let (ranking, totals) = (read(&board), read("/analytics"));
    let mut browser = Browser::of_developer(&serving);
    let project = demo::ENTERPRISE.0;
    let path = format!("/dashboard/projects/{project}/configs/{config}/simulate");
    browser.page_after(&path, &[]);
    followed("the donation is on the leaderboard", || {
        (read(&board) != ranking).then_some(())
    });
    assert_ne!(read("/analytics"), totals);
}

#[test]
fn donations_are_simulated_in_a_demo_alone() {
    let router = include_str!("../../../console/src/dashboard/router.rs");
    let (_, of_demo) = router.split_once("fn of_demo()").unwrap();
    let (of_demo, _) = of_demo.split_once("\n}\n").unwrap();
    assert!(of_demo.contains("/simulate\""));
    assert_eq!(router.matches("/simulate\"").count(), 1);
}
