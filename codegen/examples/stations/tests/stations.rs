//! The service as its callers see it: by the generated client, and by requests as they are on the wire.

#![allow(clippy::expect_used, clippy::panic)]

use axum::Router;
use axum::body::Bytes;
use futures_util::stream;
use stations::Credentials;
use stations_api::api::alerts::{
    AlertsFollowOkBodyEvent, AlertsFollowResponse, AlertsRelayBodyEvent, AlertsRelayResponse,
};
use stations_api::api::readings::{
    ReadingsAddResponse, ReadingsListOkContent, ReadingsListResponse,
};
use stations_api::api::reports::{
    ReportsFileBodyPart, ReportsFileBodyPictureHeaders, ReportsFileResponse, ReportsGetOkBodyPart,
    ReportsGetResponse,
};
use stations_api::api::stations::{
    StationsCopyParams, StationsCopyResponse, StationsForecastResponse, StationsGetParams,
    StationsGetResponse, StationsListParams, StationsListResponse, StationsSearchResponse,
};
use stations_api::client::{Client, HttpTransport};
use stations_api::models::{
    Filter, OtherStation, Position, Reading, Station, StationsGetUnits, Summary, Warning,
};
use stations_api::runtime::WithHeaders;
use stations_api::{BodyPart, BodyParts, Event, Events, Items};
use std::path::Path;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// The address of a network of its own.
async fn served() -> String {
    let credentials = Credentials {
        observer: "an-observer".into(),
        display: "a-display".into(),
        station_key: "a key".into(),
    };
    let service = stations::app(credentials);
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let router = Router::new().fallback_service(service);
    tokio::spawn(async { axum::serve(listener, router).await });
    address.to_string()
}

fn client_of(address: &str, token: &str) -> Client<HttpTransport> {
    let client = Client::new(&format!("http://{address}"), HttpTransport::new());
    client.with_observer(token).expect("a header")
}

/// An observer at a network of their own.
async fn observer() -> Client<HttpTransport> {
    client_of(&served().await, "an-observer")
}

/// The answer to a request as it is on the wire, with the token of an observer.
async fn exchange(address: &str, line: &str, headers: &str, body: &str) -> String {
    let mut socket = TcpStream::connect(address).await.expect("a server");
    let request = format!(
        "{line} HTTP/1.1\r\nHost: stations\r\nConnection: close\r\nAuthorization: Bearer an-observer\r\n\
         {headers}Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    socket
        .write_all(request.as_bytes())
        .await
        .expect("a request");
    let mut answer = Vec::new();
    socket.read_to_end(&mut answer).await.expect("an answer");
    String::from_utf8_lossy(&answer).into_owned()
}

fn balloon() -> Station {
    Station::OtherStation(OtherStation {
        kind: Some("balloon".into()),
        name: "sky:1".into(),
    })
}

#[tokio::test]
async fn the_query_is_a_form_whose_fields_have_encodings() {
    let address = served().await;
    let filter = Filter {
        kinds: Some(vec!["balloon".into(), "tower".into()]),
        near: Some(Position::new(54.3, 10.1)),
    };
    let params = StationsListParams {
        filter: Some(filter.clone()),
    };
    let client = client_of(&address, "a-display");
    let answer = client.stations_list(params).await;
    let Ok(StationsListResponse::Ok { body }) = answer else {
        panic!("{answer:?}");
    };
    assert_eq!(body.decode().expect("stations"), [balloon()]);
    let answer = client.stations_search(filter).await;
    let Ok(StationsSearchResponse::Ok { body }) = answer else {
        panic!("{answer:?}");
    };
    assert_eq!(body.decode().expect("stations"), [balloon()]);

    let near = "%7B%22latitude%22:1,%22longitude%22:2%7D";
    let target = format!("GET /stations?kinds=buoy,tower&near={near}");
    let answer = exchange(&address, &target, "", "").await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(
        answer.ends_with(r#"[{"kind":"buoy","name":"coast:north","depth":21.0}]"#),
        "{answer}"
    );
    let answer = exchange(&address, "GET /stations?near=%7B", "", "").await;
    assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
    let json = "Content-Type: application/json\r\n";
    let answer = exchange(&address, "QUERY /stations", json, r#"{"kinds":["tower"]}"#).await;
    assert!(answer.ends_with("\r\n\r\n[]"), "{answer}");
}

#[tokio::test]
async fn a_station_of_no_known_kind_is_the_default_one() {
    let address = served().await;
    let client = client_of(&address, "a-display");
    let params = |units| StationsGetParams {
        units,
        source: Some("/map?zoom=3".into()),
    };
    let answer = client.stations_get("sky:1".into(), params(None)).await;
    let Ok(StationsGetResponse::Ok { body }) = answer else {
        panic!("{answer:?}");
    };
    assert_eq!(body.decode().expect("a station"), balloon());
    let feet = params(Some(StationsGetUnits::Feet));
    let answer = client.stations_get("coast:north".into(), feet).await;
    let Ok(StationsGetResponse::Ok { body }) = answer else {
        panic!("{answer:?}");
    };
    let Station::Buoy(buoy) = body.decode().expect("a station") else {
        panic!("{body:?}");
    };
    assert!((buoy.depth - 68.901).abs() < 0.001, "{buoy:?}");

    // The name needs no encoding, and neither has the cookie one.
    let target = "GET /stations/coast:north?source=/map?zoom=3";
    let answer = exchange(&address, target, "Cookie: units=feet\r\n", "").await;
    assert!(answer.contains(r#""kind":"buoy""#), "{answer}");
    let answer = exchange(&address, target, "Cookie: units=fee%74\r\n", "").await;
    assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
    let missing = client
        .stations_get("coast:south".into(), params(None))
        .await;
    assert!(
        matches!(missing, Ok(StationsGetResponse::NotFound { .. })),
        "{missing:?}"
    );
}

#[tokio::test]
async fn a_method_may_be_any() {
    let address = served().await;
    let client = client_of(&address, "an-observer");
    let params = || StationsCopyParams {
        destination: "coast:south".into(),
    };
    let answer = client.stations_copy("coast:north".into(), params()).await;
    assert!(
        matches!(&answer, Ok(StationsCopyResponse::Created { location, .. }) if location == "/stations/coast:south"),
        "{answer:?}"
    );
    let headers = "Destination: coast:east\r\n";
    let answer = exchange(&address, "COPY /stations/coast:south", headers, "").await;
    assert!(answer.starts_with("HTTP/1.1 201"), "{answer}");

    let display = client_of(&address, "a-display");
    let refused = display.stations_copy("coast:north".into(), params()).await;
    assert!(
        matches!(refused, Ok(StationsCopyResponse::Forbidden { .. })),
        "{refused:?}"
    );
    let key = Client::new(&format!("http://{address}"), HttpTransport::new());
    let key = key.with_station_key("a key").expect("a header");
    let answer = key.stations_copy("sky:1".into(), params()).await;
    assert!(
        matches!(answer, Ok(StationsCopyResponse::Created { .. })),
        "{answer:?}"
    );
}

#[tokio::test]
async fn a_forecast_is_a_text_of_xml() {
    let answer = observer().await.stations_forecast("sky:1".into()).await;
    let Ok(StationsForecastResponse::Ok { body }) = answer else {
        panic!("{answer:?}");
    };
    assert_eq!(body, r#"<forecast day="2026-11-27">Fair.</forecast>"#);
}

#[tokio::test]
async fn readings_pass_one_by_one_in_both_directions() {
    let address = served().await;
    let client = client_of(&address, "an-observer");
    let readings = [1.5, 2.5].map(|celsius| Reading::new("2026-11-26T12:00:00Z".into(), celsius));
    let body = Items::new(stream::iter(readings.clone()));
    let answer = client.readings_add("sky:1".into(), body).await;
    let Ok(ReadingsAddResponse::Ok { body }) = answer else {
        panic!("{answer:?}");
    };
    assert_eq!(body.decode().expect("a count").count, 2);
    let answer = client.readings_list("sky:1".into()).await;
    let Ok(ReadingsListResponse::Ok { body }) = answer else {
        panic!("{answer:?}");
    };
    let ReadingsListOkContent::Jsonl(mut listed) = body else {
        panic!("{body:?}");
    };
    for reading in readings {
        let next = listed
            .next()
            .await
            .expect("a reading")
            .expect("a whole one");
        assert_eq!(next, reading);
    }

    let accept = "Accept: application/json-seq\r\n";
    let answer = exchange(&address, "GET /stations/sky:1/readings", accept, "").await;
    assert!(
        answer.contains("\u{1e}{\"at\":\"2026-11-26T12:00:00Z\",\"celsius\":1.5}\n"),
        "{answer}"
    );
    let lines =
        "{\"at\":\"2026-11-26T12:00:00Z\",\"celsius\":1}\n{\"at\":\"noon\",\"celsius\":99}\n";
    let headers = "Content-Type: application/jsonl\r\n";
    let answer = exchange(&address, "POST /stations/sky:1/readings", headers, lines).await;
    assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
}

#[tokio::test]
async fn alerts_are_relayed_and_followed_by_their_types() {
    let address = served().await;
    let client = client_of(&address, "an-observer");
    let answer = client.alerts_follow().await;
    let Ok(AlertsFollowResponse::Ok { body: mut followed }) = answer else {
        panic!("{answer:?}");
    };
    let storm = Warning::new("coast".into(), "A storm.".into());
    let alerts = [
        AlertsRelayBodyEvent::Warning(storm.clone()),
        AlertsRelayBodyEvent::AllClear("coast".into()),
    ];
    let alerts = alerts.map(|alert| Event {
        id: Some("7".into()),
        ..Event::from(alert)
    });
    let answer = client.alerts_relay(Events::new(stream::iter(alerts))).await;
    let Ok(AlertsRelayResponse::Ok { body }) = answer else {
        panic!("{answer:?}");
    };
    assert_eq!(body.decode().expect("a count").count, 2);
    let expected = [
        AlertsFollowOkBodyEvent::Warning(storm),
        AlertsFollowOkBodyEvent::AllClear("coast".into()),
    ];
    for data in expected {
        let alert = followed
            .next()
            .await
            .expect("an alert")
            .expect("a whole one");
        assert_eq!((alert.data, alert.id.as_deref()), (data, Some("7")));
    }

    let headers = "Content-Type: text/event-stream\r\n";
    for (body, status) in [
        ("event: allClear\ndata: coast\n\n", "HTTP/1.1 200"),
        ("event: warning\ndata: coast\n\n", "HTTP/1.1 400"),
        ("event: rumour\ndata: coast\n\n", "HTTP/1.1 400"),
    ] {
        let answer = exchange(&address, "POST /alerts", headers, body).await;
        assert!(answer.starts_with(status), "{body}: {answer}");
    }
}

#[tokio::test]
async fn a_report_is_parts_within_parts() {
    let address = served().await;
    let client = client_of(&address, "an-observer");
    let summary = Summary::new("coast".into(), "Fog.".into());
    let picture = BodyPart {
        content_type: Some("image/jpeg".into()),
        ..BodyPart::from(ReportsFileBodyPart::Picture(WithHeaders {
            headers: ReportsFileBodyPictureHeaders {
                x_taken_at: "2026-11-26T12:00:00Z".into(),
            },
            content: Bytes::from_static(b"\xff\xd8"),
        }))
    };
    let notes = vec![BodyPart::from("Nothing to be seen.".to_owned())];
    let parts = [
        ReportsFileBodyPart::Summary(summary.clone()).into(),
        ReportsFileBodyPart::Notes(notes.clone()).into(),
        picture,
    ];
    let answer = client
        .reports_file(BodyParts::new(stream::iter(parts)))
        .await;
    let Ok(ReportsFileResponse::Created { location, .. }) = answer else {
        panic!("{answer:?}");
    };
    assert_eq!(location, "/reports/1");
    let answer = client.reports_get(1).await;
    let Ok(ReportsGetResponse::Ok { body: mut report }) = answer else {
        panic!("{answer:?}");
    };
    let mut next = async || report.next().await.expect("a part").expect("a whole one");
    assert_eq!(next().await.content, ReportsGetOkBodyPart::Summary(summary));
    let ReportsGetOkBodyPart::Notes(read) = next().await.content else {
        panic!("no notes");
    };
    assert_eq!(
        read.first().map(|note| &note.content),
        notes.first().map(|note| &note.content)
    );
    let picture = next().await;
    assert_eq!(picture.content_type.as_deref(), Some("image/jpeg"));

    let headers = "Content-Type: multipart/mixed; boundary=b\r\n";
    let wrong = "--b\r\nContent-Type: application/json\r\n\r\n{}\r\n--b--";
    for body in [wrong, "--b--"] {
        let answer = exchange(&address, "POST /reports", headers, body).await;
        assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_collections_pass() {
    if !installed::present(&["node"], &["node:newman"]) {
        return;
    }
    let base = format!("http://{}", served().await);
    let variables: &[(&str, &str)] = &[
        ("baseUrl", &base),
        ("observer", "an-observer"),
        ("stationKey", "a key"),
    ];
    for collection in ["collection", "conformance"] {
        let file = format!("generated/postman/{collection}.json");
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        let run = installed::newman(&file, variables)
            .output()
            .expect("newman runs");
        assert!(
            run.status.success(),
            "{collection}: {}",
            String::from_utf8_lossy(&run.stdout)
        );
    }
}
