//! Links: requests that are made of a request and its response, and where they lead.

use links_api::api::default::*;
use links_api::client::{Client, HttpTransport};
use links_api::links::*;
use links_api::runtime::Limits;
use links_api::service::{Faults, service};
use links_api::{Encoded, HandlerError, Host, models};
use behaviour::serve;
use std::sync::Arc;

struct Shop;

impl Host for Shop {
    type Context = ();
    type Error = HandlerError;
}

impl Faults for Shop {}

fn made(id: impl ToString, name: &str) -> models::Made {
    let (id, name) = (id.to_string(), name.to_owned());
    models::Made { id, name }
}

impl DefaultApi for Shop {
    async fn make(
        &self,
        _: MakeParams,
        body: models::Thing,
        _: MakeAccept,
    ) -> Result<MakeResponse, HandlerError> {
        if body.name == "never" {
            let hint = Some("no".to_owned());
            let body = models::MakeDefaultBody { hint }.into();
            return Ok(MakeResponse::Default { status: http::StatusCode::CONFLICT, body });
        }
        Ok(MakeResponse::Created {
            body: MakeCreatedContent::Json(made(5, &body.name).into()),
            location: "/things/5".to_owned(),
            x_number: Some(6),
        })
    }

    async fn list(&self, params: ListParams) -> Result<ListResponse, HandlerError> {
        let cursor = params.cursor.flatten();
        let page = cursor.as_deref().map_or(1, |cursor| cursor[1..].parse().expect("a page"));
        let next = (page < 3).then(|| format!("p{}", page + 1));
        let kinds = params.kinds.unwrap_or_default().concat();
        let items = match next {
            Some(_) => vec![made(page, &format!("{}{kinds}", params.limit))],
            None => Vec::new(),
        };
        let next = Some(next);
        Ok(ListResponse::Ok { body: models::ListOkBody { items, next }.into() })
    }

    async fn get(&self, id: i64, params: GetParams) -> Result<GetResponse, HandlerError> {
        let name = format!("{} {:?}", params.r#as, params.exact);
        Ok(GetResponse::Ok { body: made(id, &name).into() })
    }

    async fn copy(
        &self,
        id: i64,
        params: CopyParams,
        body: CopyContent,
    ) -> Result<CopyResponse, HandlerError> {
        let body = match body {
            CopyContent::Json(thing) => thing.name,
            CopyContent::Bytes(_) => "bytes".to_owned(),
        };
        let body = format!("{id} {:?} {:?} {body}", params.mode, params.mode2);
        Ok(CopyResponse::Ok { body })
    }

    async fn note(&self, body: Option<String>) -> Result<NoteResponse, HandlerError> {
        Ok(NoteResponse::Ok { body: body.unwrap_or_default() })
    }

    async fn find(&self, params: FindParams) -> Result<FindResponse, HandlerError> {
        let name = params.filter.flatten().map(|filter| filter.name);
        Ok(FindResponse::Ok { body: format!("{name:?}") })
    }

    async fn plain(&self) -> Result<PlainResponse, HandlerError> {
        Ok(PlainResponse::NoContent)
    }

    async fn pair(&self, response: i64, request_id: i64) -> Result<PairResponse, HandlerError> {
        Ok(PairResponse::Ok { body: format!("{response} {request_id}") })
    }
}

async fn client() -> Client<HttpTransport> {
    let base = serve(service(Arc::new(Shop), Limits::default())).await;
    Client::new(&base, HttpTransport::new())
}

fn thing(name: &str) -> models::Thing {
    let name = name.to_owned();
    models::Thing { name }
}

fn got(answer: GetResponse) -> (String, String) {
    let GetResponse::Ok { body } = answer;
    let made = body.decode().expect("a thing");
    (made.id, made.name)
}

#[tokio::test]
async fn what_was_made_is_asked_for_next() {
    let client = client().await;
    let params = MakeParams { x_mark: Some("red".to_owned()) };
    let answer = client.make(params.clone(), thing("Emma")).await.expect("an answer");

    let itself = make_get(&answer).expect("a request");
    assert_eq!((itself.id, itself.params.exact), (5, None));
    let itself = got(itself.send(&client).await.expect("an answer"));
    assert_eq!(itself, ("5".to_owned(), "/things/5 None".to_owned()));

    let mut number = make_number(&answer).expect("a request");
    assert_eq!(number.params.exact, Some(true));
    number.params.exact = Some(false);
    let number = got(number.send(&client).await.expect("an answer"));
    assert_eq!(number, ("6".to_owned(), "v201 Some(false)".to_owned()));

    let copy = make_copy(&answer, &params).expect("a request").send(&client).await;
    let CopyResponse::Ok { body } = copy.expect("an answer");
    assert_eq!(body, r#"5 Some("deep") Some("red") Emma"#);
    let renamed = make_renamed(&answer).expect("a request").send(&client).await;
    let CopyResponse::Ok { body } = renamed.expect("an answer");
    assert_eq!(body, r#"7 Some("POST") None new"#);

    let found = make_find(&answer).expect("a request").send(&client).await;
    let FindResponse::Ok { body } = found.expect("an answer");
    assert_eq!(body, r#"Some("Emma")"#);

    make_type(&answer).expect("a request").send(&client).await.expect("an answer");
    let plain = make_minus(&answer).expect("a request").send(&client).await.expect("an answer");
    assert!(plain_self(&plain).is_ok());
}

#[tokio::test]
async fn a_link_belongs_to_one_answer() {
    let client = client().await;
    let params = MakeParams { x_mark: None };
    let answer = client.make(params.clone(), thing("never")).await.expect("an answer");
    let other = LinkError { link: "get", cause: Cause::OtherAnswer };
    assert_eq!(make_get(&answer).map(drop), Err(other));
    assert_eq!(make_get_on_202(&answer).map(drop), Err(other));
    let hint = make_get_on_default(&answer).expect("a request").send(&client).await;
    let hint = got(hint.expect("an answer"));
    assert_eq!(hint, ("409".to_owned(), "{hint} no None".to_owned()));

    let soon = make_get_on_202(&MakeResponse::Accepted).expect("a request");
    assert_eq!((soon.id, soon.params.r#as.as_str()), (1, "soon"));
}

#[test]
fn a_body_of_text_is_a_value() {
    let answer = |body| MakeResponse::Created {
        body,
        location: "/".to_owned(),
        x_number: None,
    };
    let text = answer(MakeCreatedContent::Text("done".to_owned()));
    let noted = make_note(&text, "http://x.invalid/things", &thing("Emma")).expect("a request");
    assert_eq!(noted.body.as_deref(), Some("POST http://x.invalid/things of Emma: done"));
    let places = make_places(&text, "url", "query", "header").expect("a request");
    assert_eq!(places.body.as_deref(), Some("url query header"));
    for x_mark in [None, Some("red".to_owned())] {
        let marked = make_mark(&text, &MakeParams { x_mark: x_mark.clone() });
        assert_eq!(marked.expect("a request").body, x_mark);
    }
    let nothing = |link, expression| Err(LinkError { link, cause: Cause::Nothing(expression) });
    assert_eq!(make_get(&text).map(drop), nothing("get", "$response.body#/id"));
    assert_eq!(make_number(&text).map(drop), nothing("Number", "$response.header.X-Number"));
}

#[test]
fn what_may_have_been_left_out_is_left_out_again() {
    let answer = NoteResponse::Ok { body: String::new() };
    for asked in [None, Some("red".to_owned())] {
        let again = note_again(&answer, &asked).expect("a request");
        assert_eq!(again.body, asked);
    }
}

#[test]
fn texts_that_are_not_declared_are_told_apart_as_the_contract_tells_them_apart() {
    let answer = NoteResponse::Ok { body: String::new() };
    let marks = note_marks(&answer, "dash", "underscore").expect("a request");
    assert_eq!(marks.body.as_deref(), Some("dash underscore dash"));
}

#[test]
fn what_does_not_fit_is_no_request() {
    let answer = |id: &str, name: &str| MakeResponse::Created {
        body: MakeCreatedContent::Json(made(id, name).into()),
        location: "/".to_owned(),
        x_number: Some(0),
    };
    let unfit = |link, expression| Err(LinkError { link, cause: Cause::Unfit(expression) });
    for id in ["", "x", "0", "-1", "1.5"] {
        assert_eq!(make_get(&answer(id, "")).map(drop), unfit("get", "$response.body#/id"), "{id}");
    }
    let number = make_number(&answer("1", "")).map(drop);
    assert_eq!(number, unfit("Number", "$response.header.X-Number"));
    let params = MakeParams { x_mark: None };
    let find = |name| make_find(&answer("1", name)).map(drop);
    assert_eq!(find("fits"), Ok(()));
    assert_eq!(find("too long"), unfit("Find", "$response.body"));
    let copy = |name| make_copy(&answer("1", name), &params).map(|copy| copy.params.mode2);
    assert_eq!(copy("fits"), Ok(None));
    assert_eq!(copy("too long"), Err(LinkError { link: "Copy", cause: Cause::Unfit("$response.body") }));
    // A body that is no JSON after all, as no client gives it.
    let page = ListResponse::Ok { body: Encoded::new(&models::ListOkBody { items: Vec::new(), next: None }) };
    assert_eq!(
        list_first(&page, "x".to_owned()).map(drop),
        Err(LinkError { link: "First", cause: Cause::Nothing("$response.body#/items/0/id") })
    );
}

#[tokio::test]
async fn pages_are_read_to_the_last() {
    let client = client().await;
    let kinds = Some(vec!["a".to_owned(), "b".to_owned()]);
    let params = ListParams { cursor: None, limit: 4, kinds };
    let mut page = client.list(params.clone()).await.expect("a page");
    let mut seen = Vec::new();
    let end = loop {
        if let Ok(first) = list_first(&page, "item".to_owned()) {
            seen.push(first.id);
        }
        let ListResponse::Ok { body } = &page;
        let items = body.decode().expect("a page").items;
        assert!(items.iter().all(|item| item.name == "4ab"), "{items:?}");
        page = match list_next(&page, &params) {
            Ok(next) => next.send(&client).await.expect("a page"),
            Err(end) => break end,
        };
    };
    assert_eq!(seen, [1, 2]);
    assert_eq!(end.to_string(), "link Next: $response.body#/next names nothing here");

    let ListResponse::Ok { body } = client.list(params.clone()).await.expect("a page");
    let mut first = body.decode().expect("a page");
    first.next = Some(Some("p".to_owned()));
    let short = ListResponse::Ok { body: first.into() };
    let too_short = list_next(&short, &params).map(drop).map_err(|it| it.cause);
    assert_eq!(too_short, Err(Cause::Unfit("$response.body#/next")));
}

#[tokio::test]
async fn what_the_link_does_not_give_is_asked_for() {
    let client = client().await;
    let params = GetParams { r#as: "is".to_owned(), exact: None };
    let answer = client.get(3, params.clone()).await.expect("an answer");
    let again = get_again(&answer, &3, &params).expect("a request");
    assert_eq!((again.id, again.params), (3, params));
    let pair = get_other(&answer, &3, 4).expect("a request").send(&client).await;
    let PairResponse::Ok { body } = pair.expect("an answer");
    assert_eq!(body, "3 4");
}
