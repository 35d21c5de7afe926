//! The export of an account.

use serde_json::Value;
use uuid::Uuid;

use super::{NOW, adds_passkey, becomes_owner, invites, links_identity, makes_project, signs_in};
use crate::records::{at, place, project_id};
use crate::world::{Site, World};
use console::personal_data::export;
use console::tier_requests;
use features::claims::{ClaimOfProject, Proof, claiming};
use features::keys::lifecycle::{self, KeyRequest};
use features::projects::{Actor, Tier};
use features::usage::{Minute, MinuteCount, RunId, StatusClass};

async fn an_export_has_all_that_is_kept_and_no_secret(site: Site) {
    let world = World::new(&site).await;
    let store = &world.store;
    let db = store;
    let (session, ada) = signs_in(store, "ada@example.org").await;
    let (_, bob) = signs_in(store, "bob@example.org").await;
    let project = makes_project(store, &ada, "Mine").await;
    let theirs = makes_project(store, &bob, "Theirs").await;
    let by_ada = Actor::Account(ada.id);
    let issued = lifecycle::issue(db, by_ada, project, KeyRequest::lasting(None), at(NOW)).await;
    let issued = issued.unwrap();
    becomes_owner(store, &ada, project_id(1)).await;
    let claim = claiming::begin(db, by_ada, project_id(1), place(150), at(NOW)).await;
    let of = ClaimOfProject {
        actor: by_ada,
        project: project_id(1),
        claim: claim.unwrap(),
    };
    let proven = features::claims::store::prove_claim(store, of, Proof::Deployer, at(NOW)).await;
    proven.unwrap();
    adds_passkey(store, ada.id, 1, "ada@example.org")
        .await
        .unwrap();
    let asked = tier_requests::ask(db, ada.id, project, Tier::Pro, "We grow.", at(NOW)).await;
    asked.unwrap();
    links_identity(store, ada.id, "ada@example.org")
        .await
        .unwrap();
    let count = MinuteCount {
        minute: Minute::of(at(NOW)),
        project: project_id(1),
        key: issued.id,
        operation: "configs.list",
        class: StatusClass::Success,
        requests: 7,
        is_coarse: false,
    };
    let run = RunId(Uuid::from_u128(1));
    features::usage::store::put_usage(store, run, vec![count])
        .await
        .unwrap();
    invites(store, &ada, project, "carol@example.org").await;
    invites(store, &bob, theirs, "ada@example.org").await;
    let document = export::document(db, &ada, at(NOW)).await.unwrap();
    assert_eq!(document["account"]["email"], "ada@example.org");
    let count = |name: &str| document[name].as_array().map(Vec::len);
    for (name, expected) in [
        ("sessions", 1),
        ("signIns", 1),
        ("knownBrowsers", 1),
        ("passkeys", 1),
        ("identities", 1),
        ("projects", 2),
        ("keysIssued", 1),
        ("invitations", 2),
        ("mailsToSend", 3),
        ("tierRequests", 1),
        ("accountEvents", 2),
        ("auditEvents", 7),
    ] {
        assert_eq!(count(name), Some(expected), "{name}: {document}");
    }
    let events = document["auditEvents"].as_array().unwrap().iter();
    let invited: Vec<_> = events.filter_map(|it| it["invited"].as_str()).collect();
    assert_eq!(invited, ["ada@example.org", "carol@example.org"]);
    let owned = &document["projects"][1]["contents"];
    assert_eq!(
        owned["configs"][0]["charities"].as_array().map(Vec::len),
        Some(2)
    );
    assert_eq!(owned["claims"][0]["proof"], "deployer");
    assert_eq!(owned["contracts"].as_array().map(Vec::len), Some(2));
    assert_eq!(owned["usageByDay"][0]["requests"], 7);
    assert_eq!(document["passkeys"][0]["name"], "A phone");
    assert_eq!(document["hasOlderAuditEvents"], Value::Bool(false));
    assert_eq!(
        document["keysIssued"][0]["firstCharacters"],
        issued.key.display_prefix()
    );
    let text = document.to_string();
    for secret in [
        issued.key.reveal(),
        &session.secret.reveal(),
        "token",
        "digest",
    ] {
        assert!(!text.contains(secret), "{secret}: {text}");
    }
}

on_each_database! {
    an_export_has_all_that_is_kept_and_no_secret,
}
