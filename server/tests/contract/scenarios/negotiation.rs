//! Decisions by headers alone: media types and sizes.

use std::sync::Arc;

use super::super::sample_request;
use super::super::world::Template;

/// The largest body that is read by default.
pub const MAX_BODY: usize = 64 * 1024;

async fn unacceptable_media_types(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    for operation in &world.document().operations {
        let produced = operation.answers.values().next().unwrap();
        let Some(first) = produced.content.keys().next() else {
            // Nothing to negotiate about.
            continue;
        };
        let request = sample_request::admitted(operation, &world);
        for accept in ["image/png", "image/*", "*/*;q=0", &format!("{first};q=0")] {
            let request = request.clone().accept(accept);
            if operation.lenient {
                let answer = request.expect(&world, 200).await;
                assert_eq!(answer.header("content-type"), Some(first.as_str()));
            } else {
                let answer = request.expect(&world, 406).await;
                assert_eq!(answer.code(), "NOT_ACCEPTABLE");
            }
        }
        for media in produced.content.keys() {
            let range = format!("{}/*", media.split('/').next().unwrap());
            for accept in [&range, media, &format!("image/png, {media};q=0.1")] {
                let answer = request.clone().accept(accept).of(&world).await;
                let (status, id) = (answer.status, &operation.id);
                assert!(matches!(status, 200..300), "{id} {accept}: {status}");
                assert_eq!(answer.header("content-type"), Some(media.as_str()), "{id}");
            }
        }
        let answer = request.clone().accept("*/*").of(&world).await;
        assert_eq!(answer.header("content-type"), Some(first.as_str()));
    }
}

async fn bodies_too_large(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let operations = world.document().operations.iter();
    for operation in operations.filter(|it| it.body.is_some()) {
        let request = sample_request::admitted(operation, &world);
        let padded = |length: usize| {
            let mut body = request.body.to_vec();
            body.resize(length, b' ');
            request.clone().body(&operation.body_type, body)
        };
        padded(MAX_BODY).expect(&world, operation.success()).await;
        for length in [MAX_BODY + 1, 3 << 20] {
            let answer = padded(length).expect(&world, 413).await;
            assert_eq!(answer.code(), "PAYLOAD_TOO_LARGE");
        }
    }
}

async fn bodies_of_other_types(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let operations = world.document().operations.iter();
    for operation in operations.filter(|it| it.body.is_some()) {
        let request = sample_request::admitted(operation, &world);
        let typed = |media: &str| request.clone().header("content-type", media);
        let refused = [
            typed("text/plain"),
            typed("application/x-www-form-urlencoded"),
            typed(&format!("{}x", operation.body_type)),
            typed(&format!("{}; charset=iso-8859-1", operation.body_type)),
            typed("nonsense"),
            request.clone().header("content-encoding", "gzip"),
        ];
        for request in refused {
            let answer = request.expect(&world, 415).await;
            assert_eq!(answer.code(), "UNSUPPORTED_MEDIA_TYPE");
            let message = answer.json()["message"].to_string();
            assert!(message.contains(&operation.body_type), "{message}");
        }
        let mut untyped = request.clone();
        untyped.headers.remove("content-type");
        untyped.expect(&world, 415).await;
        let media = &operation.body_type;
        for media in [
            format!("{media}; charset=utf-8"),
            format!("{};charset=\"UTF-8\"", media.to_uppercase()),
        ] {
            typed(&media).expect(&world, operation.success()).await;
        }
    }
}

super::theme! {
    unacceptable_media_types,
    bodies_too_large,
    bodies_of_other_types,
}
