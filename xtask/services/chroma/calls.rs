//! A day with Chroma: a database of books, searched by embeddings.

use client::api::{collection::*, database::*, record::*, system::*, tenant::*};
use client::client::Client;
use client::models::{
    self,
    HashMapValue::{self, *},
};
use serde_json::json;
use service_calls::{Calls, body, error, ok};

fn metadata<const N: usize>(pairs: [(&str, HashMapValue); N]) -> models::HashMap {
    pairs
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let calls = Calls::begin();
    let client = Client::new(calls.base(), calls.transport());
    let tenant = || "library".to_owned();
    let database = || "books".to_owned();
    let paged = |limit, offset| ListCollectionsParams { limit, offset };

    ok!(
        calls,
        "version",
        client.version(),
        VersionResponse::Ok,
        |it| it.contains('.')
    );
    ok!(
        calls,
        "heartbeat",
        client.heartbeat(),
        HeartbeatResponse::Ok,
        |_| true
    );
    calls.wrong_document("the response is documented as a string");
    ok!(
        calls,
        "health",
        client.healthcheck(),
        HealthcheckResponse::Ok,
        |_| true
    );
    ok!(
        calls,
        "limits",
        client.pre_flight_checks(),
        PreFlightChecksResponse::Ok,
        |it| { it.max_batch_size > 0 }
    );

    ok!(
        calls,
        "create a tenant",
        client.create_tenant(body(json!({ "name": "library" }))?),
        CreateTenantResponse::Ok,
        |it| it.is_empty()
    );
    ok!(
        calls,
        "read a tenant",
        client.get_tenant(tenant()),
        GetTenantResponse::Ok,
        |it| it.name == "library"
    );
    error!(
        calls,
        "read an unknown tenant",
        client.get_tenant("nobody".into()),
        404
    );
    error!(
        calls,
        "create a tenant twice",
        client.create_tenant(body(json!({ "name": "library" }))?),
        409
    );

    ok!(
        calls,
        "create a database",
        client.create_database(tenant(), body(json!({ "name": "books" }))?),
        CreateDatabaseResponse::Ok,
        |it| it.is_empty()
    );
    ok!(
        calls,
        "read a database",
        client.get_database(tenant(), database()),
        GetDatabaseResponse::Ok,
        |it| { it.name == "books" && it.tenant == "library" }
    );
    let all = ListDatabasesParams {
        limit: Some(10),
        offset: None,
    };
    calls.wrong_document("the schema `Vec` stands for two types");
    ok!(
        calls,
        "list databases",
        client.list_databases(tenant(), all),
        ListDatabasesResponse::Ok,
        |it| it.len() == 1
    );
    error!(
        calls,
        "read an unknown database",
        client.get_database(tenant(), "films".into()),
        404
    );

    let mut novels = models::CreateCollectionPayload::new("novels".into());
    let shelf = [
        ("shelf", Integer(7)),
        ("open", Boolean(true)),
        ("kind", String("fiction".into())),
        ("share", Number(0.5)),
    ];
    novels.metadata = Some(metadata(shelf)).into();
    ok!(
        calls,
        "create a collection",
        client.create_collection(tenant(), database(), novels),
        CreateCollectionResponse::Ok,
        |it| it.name == "novels"
    );
    let novels: std::string::String = calls.received("/id").unwrap_or_default();
    let novels = || novels.clone();
    let again = json!({ "name": "novels", "get_or_create": true });
    ok!(
        calls,
        "get or create a collection",
        client.create_collection(tenant(), database(), body(again)?),
        CreateCollectionResponse::Ok,
        |it| it.name == "novels"
    );
    let tuned = json!({ "name": "poems", "configuration": { "hnsw": { "space": "cosine", "ef_search": 50 } } });
    ok!(
        calls,
        "create a configured collection",
        client.create_collection(tenant(), database(), body(tuned)?),
        CreateCollectionResponse::Ok,
        |it| it.name == "poems"
    );
    error!(
        calls,
        "create a collection twice",
        client.create_collection(tenant(), database(), body(json!({ "name": "novels" }))?),
        409
    );
    error!(
        calls,
        "create a collection with an invalid name",
        client.create_collection(tenant(), database(), body(json!({ "name": "!" }))?),
        400
    );
    ok!(
        calls,
        "read a collection",
        client.get_collection(tenant(), database(), "novels".into()),
        GetCollectionResponse::Ok,
        |it| it.tenant == "library"
    );
    ok!(
        calls,
        "read a collection by its id",
        client.get_collection_by_id(tenant(), database(), novels()),
        GetCollectionByIdResponse::Ok,
        |it| it.name == "novels"
    );
    error!(
        calls,
        "read an unknown collection",
        client.get_collection(tenant(), database(), "films".into()),
        404
    );
    ok!(
        calls,
        "list collections",
        client.list_collections(tenant(), database(), paged(None, None)),
        ListCollectionsResponse::Ok,
        |it| it.len() == 2
    );
    ok!(
        calls,
        "list a page of collections",
        client.list_collections(tenant(), database(), paged(Some(2), Some(0))),
        ListCollectionsResponse::Ok,
        |it| it.len() == 2
    );
    ok!(
        calls,
        "count collections",
        client.count_collections(tenant(), database()),
        CountCollectionsResponse::Ok,
        |it| *it == 2
    );

    let vectors = vec![
        vec![1.0, 0.0, 0.0],
        vec![0.0, 1.5, 0.0],
        vec![0.0, 0.0, 1.0],
    ];
    let ids = ["emma", "ulysses", "dune"].map(str::to_owned).into();
    let mut records = models::AddCollectionRecordsPayload::new(
        models::EmbeddingsPayload::ArrayArray(vectors),
        ids,
    );
    records.documents = Some(vec![
        Some("Emma Woodhouse".into()),
        None,
        Some("Arrakis".into()),
    ])
    .into();
    let emma = metadata([("year", Integer(1815)), ("rating", Number(4.5))]);
    let ulysses = metadata([("year", Integer(1922)), ("author", String("Joyce".into()))]);
    records.metadatas = Some(vec![Some(emma), Some(ulysses), None]).into();
    ok!(
        calls,
        "add records",
        client.collection_add(tenant(), database(), novels(), records),
        CollectionAddResponse::Created,
        |it| it.is_empty()
    );
    let lopsided = json!({ "ids": ["a", "b"], "embeddings": [[1, 0, 0]] });
    error!(
        calls,
        "add fewer embeddings than ids",
        client.collection_add(tenant(), database(), novels(), body(lopsided)?),
        400
    );
    let flat = json!({ "ids": ["a"], "embeddings": [[1, 0]] });
    error!(
        calls,
        "add a record of another dimension",
        client.collection_add(tenant(), database(), novels(), body(flat)?),
        400
    );
    let lagging = CollectionCountParams { read_level: None };
    ok!(
        calls,
        "count records",
        client.collection_count(tenant(), database(), novels(), lagging),
        CollectionCountResponse::Ok,
        |it| *it == 3
    );
    let exact = CollectionCountParams {
        read_level: Some(models::ReadLevel::IndexAndWal),
    };
    ok!(
        calls,
        "count records at a read level",
        client.collection_count(tenant(), database(), novels(), exact),
        CollectionCountResponse::Ok,
        |it| *it == 3
    );
    let everything = json!({ "include": ["documents", "embeddings", "metadatas"] });
    ok!(
        calls,
        "get all records",
        client.collection_get(tenant(), database(), novels(), body(everything)?),
        CollectionGetResponse::Ok,
        |it| it.ids.len() == 3 && it.include.len() == 3
    );
    let by_id = json!({ "ids": ["emma"], "include": ["documents"], "limit": 1, "offset": 0 });
    ok!(
        calls,
        "get a record by its id",
        client.collection_get(tenant(), database(), novels(), body(by_id)?),
        CollectionGetResponse::Ok,
        |it| it.ids == ["emma"]
    );
    let recent = json!({ "where": { "year": { "$gt": 1900 } } });
    ok!(
        calls,
        "filter by metadata",
        client.collection_get(tenant(), database(), novels(), body(recent)?),
        CollectionGetResponse::Ok,
        |it| it.ids == ["ulysses"]
    );
    let sandy = json!({ "where_document": { "$contains": "Arrakis" } });
    ok!(
        calls,
        "filter by text",
        client.collection_get(tenant(), database(), novels(), body(sandy)?),
        CollectionGetResponse::Ok,
        |it| it.ids == ["dune"]
    );
    let wrong = json!({ "where": { "year": { "$almost": 1900 } } });
    error!(
        calls,
        "filter by an unknown operator",
        client.collection_get(tenant(), database(), novels(), body(wrong)?),
        400
    );
    let near = || json!({ "query_embeddings": [[1, 0, 0]], "n_results": 2, "include": ["distances", "documents", "metadatas"] });
    let unpaged = || CollectionQueryParams {
        limit: None,
        offset: None,
    };
    ok!(
        calls,
        "query",
        client.collection_query(tenant(), database(), novels(), unpaged(), body(near())?),
        CollectionQueryResponse::Ok,
        |it| it.ids[0][0] == "emma" && it.ids[0].len() == 2
    );
    let filtered = json!({ "query_embeddings": [[1, 0, 0]], "where": { "year": 1922 } });
    ok!(
        calls,
        "query with a filter",
        client.collection_query(tenant(), database(), novels(), unpaged(), body(filtered)?),
        CollectionQueryResponse::Ok,
        |it| it.ids == [["ulysses"]]
    );
    let unknown = "00000000-0000-0000-0000-000000000000".to_owned();
    error!(
        calls,
        "query an unknown collection",
        client.collection_query(tenant(), database(), unknown, unpaged(), body(near())?),
        404
    );
    error!(
        calls,
        "query a collection without a UUID",
        client.collection_query(
            tenant(),
            database(),
            "novels".into(),
            unpaged(),
            body(near())?
        ),
        400
    );
    let mut better = models::UpdateCollectionRecordsPayload::new(vec!["emma".into()]);
    better.metadatas = Some(vec![Some(metadata([("year", Integer(1816))]))]).into();
    ok!(
        calls,
        "update a record",
        client.collection_update(tenant(), database(), novels(), better),
        CollectionUpdateResponse::Ok,
        |_| true
    );
    let other = json!({ "ids": ["emma", "hamlet"], "embeddings": [[1, 0, 0], [1, 1, 1]] });
    ok!(
        calls,
        "upsert records",
        client.collection_upsert(tenant(), database(), novels(), body(other)?),
        CollectionUpsertResponse::Ok,
        |it| it.is_empty()
    );
    let one = json!({ "ids": ["hamlet"] });
    ok!(
        calls,
        "delete a record",
        client.collection_delete(tenant(), database(), novels(), body(one)?),
        CollectionDeleteResponse::Ok,
        |it| it.deleted == Some(1)
    );
    let old = json!({ "where": { "year": { "$lt": 1900 } } });
    ok!(
        calls,
        "delete by a filter",
        client.collection_delete(tenant(), database(), novels(), body(old)?),
        CollectionDeleteResponse::Ok,
        |it| it.deleted == Some(1)
    );
    let mut renamed = models::UpdateCollectionPayload::new();
    renamed.new_name = Some("fiction".to_owned()).into();
    renamed.new_metadata = Some(metadata([("shelf", Integer(8))])).into();
    ok!(
        calls,
        "rename a collection",
        client.update_collection(tenant(), database(), novels(), renamed),
        UpdateCollectionResponse::Ok,
        |_| true
    );
    ok!(
        calls,
        "delete a collection",
        client.delete_collection(tenant(), database(), "fiction".into()),
        DeleteCollectionResponse::Ok,
        |_| true
    );
    error!(
        calls,
        "delete a collection twice",
        client.delete_collection(tenant(), database(), "fiction".into()),
        404
    );
    ok!(
        calls,
        "delete a database",
        client.delete_database(tenant(), database()),
        DeleteDatabaseResponse::Ok,
        |_| true
    );
    error!(calls, "reset, which is not allowed", client.reset(), 403);
}
