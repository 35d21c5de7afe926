//! Failures that the tests cause: every operation still answers as the contract says.

use std::sync::Arc;

use super::super::ask::Ask;
use super::super::document::KeyUse;
use super::super::specimen;
use super::super::world::{Template, World};

/// No request may be in flight, so that each one is one too many.
pub async fn too_many_in_flight(template: Arc<Template>) {
    let world = template.world(|config| config.max_in_flight = 0).await;
    for answer in answers(&world, 503).await {
        assert_eq!(answer.code(), "SERVICE_UNAVAILABLE");
        assert!(answer.number("retry-after") >= 1);
    }
    Ask::get("/nowhere").expect(&world, 503).await;
    Ask::new("PUT", "/charities").expect(&world, 503).await;
}

/// Reads from the snapshot go on; what needs the database says so, and was counted.
pub async fn a_closed_database(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    world.store.close();
    for operation in &world.document().operations {
        let status = if operation.key == KeyUse::Required {
            503
        } else {
            200
        };
        let ask = specimen::admitted(operation, &world);
        let answer = ask.expect(&world, status).await;
        assert_eq!(
            answer.header("x-ratelimit-remaining").is_some(),
            operation.metered
        );
    }
}

pub async fn a_panic(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    world.clock.set_failing(true);
    for answer in answers(&world, 500).await {
        assert_eq!(answer.code(), "INTERNAL_SERVER_ERROR");
        assert!(!String::from_utf8_lossy(&answer.body).contains("clock"));
    }
    Ask::get("/nowhere").expect(&world, 500).await;
    Ask::new("PUT", "/charities").expect(&world, 500).await;
    world.clock.set_failing(false);
    Ask::get("/charities").expect(&world, 200).await;
}

/// Tables that are gone are nobody's fault but ours, and no word of them gets out.
pub async fn a_broken_database(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    world.tamper(
        "DROP TABLE config; DROP TABLE contract; DROP TABLE tally; DROP TABLE tally_of_day;",
    );
    for operation in &world.document().operations {
        let ask = specimen::admitted(operation, &world);
        let answer = ask.of(&world).await;
        let expected = if operation.key == KeyUse::Required {
            500
        } else {
            200
        };
        let text = String::from_utf8_lossy(&answer.body).into_owned();
        assert_eq!(answer.status, expected, "{}: {text}", operation.id);
        if expected == 500 {
            assert!(!text.contains("table") && !text.contains("tally"), "{text}");
            assert!(answer.header("x-ratelimit-remaining").is_some());
        }
    }
}

/// What every operation answers, with and without `HEAD`.
async fn answers(world: &World, status: u16) -> Vec<super::super::ask::Answer> {
    let mut answers = Vec::new();
    for operation in &world.document().operations {
        let ask = specimen::admitted(operation, world);
        answers.push(ask.expect(world, status).await);
        if operation.is_get() {
            ask.method("HEAD").expect(world, status).await;
        }
    }
    answers
}
