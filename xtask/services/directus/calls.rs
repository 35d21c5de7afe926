//! A day with Directus: signing in, articles, collections and fields, users, roles, files, folders and presets.

use client::api::{
    activity::*, authentication::*, collections::*, fields::*, files::*, folders::*, items::*,
};
use client::api::{
    permissions::*, presets::*, relations::*, roles::*, server::*, settings::*, users::*,
    utilities::*,
};
use client::client::Client;
use client::runtime::Integer;
use serde_json::{Value, json};
use service_calls::{Calls, Recording, body, done, error, ok};

const UNKNOWN: &str = "00000000-0000-4000-8000-000000000000";

/// Parameters; only those after the `;` are set.
macro_rules! params {
    ($params:ident: $($absent:ident)*; $($name:ident = $value:expr),*) => {
        $params { $($absent: None,)* $($name: $value,)* }
    };
}

macro_rules! listing {
    ($params:ident; $($name:ident = $value:expr),*) => {
        params!($params: meta offset search; $($name = $value),*)
    };
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let calls = Calls::begin();
    let anonymous = Client::new(calls.base(), calls.transport());
    let bearer = "Bearer admin-token";
    let header = (
        http::header::AUTHORIZATION,
        http::HeaderValue::from_static(bearer),
    );
    let client = anonymous.clone().with_header(header.0, header.1);
    let me = || params!(GetMeParams: fields meta;);

    server(&calls, &anonymous, &client).await;
    let known = json!({ "email": "admin@example.com", "password": "password" });
    ok!(
        calls,
        "sign in",
        anonymous.login(Some(body(known)?)),
        LoginResponse::Ok,
        |it| it
            .data
            .as_ref()
            .is_some_and(|data| data.access_token.is_some())
    );
    let token: String = calls.received("/data/refresh_token").unwrap_or_default();
    let wrong = json!({ "email": "admin@example.com", "password": "wrong" });
    error!(
        calls,
        "sign in with a wrong password",
        anonymous.login(Some(body(wrong)?)),
        401
    );
    error!(
        calls,
        "sign in without an email",
        anonymous.login(None),
        400
    );
    ok!(
        calls,
        "refresh a session",
        anonymous.refresh(Some(body(
            json!({ "refresh_token": token, "mode": "json" })
        )?)),
        RefreshResponse::Ok,
        |it| it.data.is_some()
    );
    ok!(
        calls,
        "who am I",
        client.get_me(me()),
        GetMeResponse::Ok,
        |it| {
            it.data
                .as_ref()
                .is_some_and(|data| data.email.as_deref() == Some("admin@example.com"))
        }
    );
    // As the document declares the token.
    let by_scheme = anonymous.clone().with_auth(bearer).expect("a header");
    ok!(
        calls,
        "who am I by the scheme",
        by_scheme.get_me(me()),
        GetMeResponse::Ok,
        |it| { it.data.is_some() }
    );
    error!(
        calls,
        "who am I without a token",
        anonymous.get_me(me()),
        401
    );

    articles(&calls, &anonymous, &client).await;
    schema(&calls, &client).await;
    people(&calls, &client).await;
    library(&calls, &client).await;
}

async fn server(calls: &Calls, anonymous: &Client<Recording>, client: &Client<Recording>) {
    ok!(calls, "ping", anonymous.ping(), PingResponse::Ok, |it| it
        == "pong");
    let info = ServerInfoParams {
        super_admin_token: 0.into(),
    };
    ok!(
        calls,
        "server information",
        client.server_info(info),
        ServerInfoResponse::Ok,
        |it| it.data.is_some()
    );
    let length = RandomParams {
        length: Some(16.into()),
    };
    ok!(
        calls,
        "a random string",
        client.random(length),
        RandomResponse::Ok,
        |it| { it.data.as_ref().is_some_and(|data| data.len() == 16) }
    );
    ok!(
        calls,
        "hash a string",
        client.hash_generate(Some(body(json!({ "string": "a" }))?)),
        HashGenerateResponse::Ok,
        |it| it.data.is_some()
    );
    let settings = params!(GetSettingsParams: limit offset meta page;);
    ok!(
        calls,
        "settings",
        client.get_settings(settings),
        GetSettingsResponse::Ok,
        |it| it.data.is_some()
    );
}

async fn articles(calls: &Calls, anonymous: &Client<Recording>, client: &Client<Recording>) {
    let create = || CreateItemsArticlesParams { meta: None };
    let sea = json!({ "title": "The sea", "published": true, "rating": 4, "tags": ["blue", "wide"], "day": "2026-01-31" });
    ok!(
        calls,
        "create an article",
        client.create_items_articles(create(), Some(body(sea)?)),
        CreateItemsArticlesResponse::Ok,
        |_| true
    );
    let id = || json!(calls.received::<i64>("/data/id").unwrap_or(1));
    let several = json!([{ "title": "The hill" }, { "title": "The wood", "rating": 2.5 }]);
    ok!(
        calls,
        "create two articles",
        client.create_items_articles(create(), Some(body(several)?)),
        CreateItemsArticlesResponse::Ok,
        |_| true
    );
    let read = || listing!(ReadItemsArticlesParams; fields = None, limit = None, sort = None, filter = None);
    let length =
        |data: &Option<Vec<client::models::ItemsArticles>>| data.as_ref().map_or(0, Vec::len);
    ok!(
        calls,
        "list articles",
        client.read_items_articles(read()),
        ReadItemsArticlesResponse::Ok,
        |it| length(&it.data) == 3
    );
    let sorted = ReadItemsArticlesParams {
        fields: Some(vec!["id".into(), "title".into()]),
        limit: Some(2.into()),
        sort: Some(vec!["-title".into()]),
        meta: Some("total_count".into()),
        ..read()
    };
    ok!(
        calls,
        "a page of sorted articles",
        client.read_items_articles(sorted),
        ReadItemsArticlesResponse::Ok,
        |it| { length(&it.data) == 2 }
    );
    let rated: Value = json!({ "rating": { "_gte": 3 } });
    let filtered = ReadItemsArticlesParams {
        filter: rated.as_object().cloned(),
        ..read()
    };
    ok!(
        calls,
        "filter articles",
        client.read_items_articles(filtered),
        ReadItemsArticlesResponse::Ok,
        |it| length(&it.data) == 1
    );
    let found = ReadItemsArticlesParams {
        search: Some("hill".into()),
        ..read()
    };
    ok!(
        calls,
        "search articles",
        client.read_items_articles(found),
        ReadItemsArticlesResponse::Ok,
        |it| length(&it.data) == 1
    );
    let wrong: Value = json!({ "color": { "_eq": "red" } });
    let wrong = ReadItemsArticlesParams {
        filter: wrong.as_object().cloned(),
        ..read()
    };
    error!(
        calls,
        "filter by an unknown field",
        client.read_items_articles(wrong),
        403
    );
    error!(
        calls,
        "list articles without a token",
        anonymous.read_items_articles(read()),
        403
    );
    let one = || params!(ReadSingleItemsArticlesParams: fields meta version;);
    ok!(
        calls,
        "read an article",
        client.read_single_items_articles(body(json!(1))?, one()),
        ReadSingleItemsArticlesResponse::Ok,
        |it| it.data.as_ref().is_some_and(|it| it.title == "The sea")
    );
    error!(
        calls,
        "read an unknown article",
        client.read_single_items_articles(body(json!(99))?, one()),
        403
    );
    let update = || params!(UpdateSingleItemsArticlesParams: fields meta;);
    ok!(
        calls,
        "update an article",
        client.update_single_items_articles(
            body(json!(1))?,
            update(),
            Some(body(json!({ "title": "The lake", "rating": null }))?)
        ),
        UpdateSingleItemsArticlesResponse::Ok,
        |it| it.data.as_ref().is_some_and(|it| it.title == "The lake")
    );
    done!(
        calls,
        "delete an article",
        client.delete_single_items_articles(body(id())?),
        DeleteSingleItemsArticlesResponse::Ok
    );
}

async fn schema(calls: &Calls, client: &Client<Recording>) {
    let all = || params!(GetCollectionsParams: offset meta;);
    ok!(
        calls,
        "list collections",
        client.get_collections(all()),
        GetCollectionsResponse::Ok,
        |it| it.data.is_some()
    );
    let one = || GetCollectionParams { meta: None };
    ok!(
        calls,
        "read a collection",
        client.get_collection("articles".into(), one()),
        GetCollectionResponse::Ok,
        |it| it.data.is_some()
    );
    error!(
        calls,
        "read an unknown collection",
        client.get_collection("films".into(), one()),
        403
    );
    let note = json!({ "meta": { "note": "What we write" } });
    ok!(
        calls,
        "describe a collection",
        client.update_collection(
            "articles".into(),
            UpdateCollectionParams { meta: None },
            Some(body(note)?)
        ),
        UpdateCollectionResponse::Ok,
        |it| it.data.is_some()
    );
    let fields = GetCollectionFieldsParams { sort: None };
    ok!(
        calls,
        "fields of a collection",
        client.get_collection_fields("articles".into(), fields),
        GetCollectionFieldsResponse::Ok,
        |it| it.data.as_ref().is_some_and(|it| it.len() == 7)
    );
    ok!(
        calls,
        "read a field",
        client.get_collection_field("articles".into(), "title".into()),
        GetCollectionFieldResponse::Ok,
        |it| it.data.is_some()
    );
    let field = json!({ "field": "color", "type": "string", "datatype": "varchar", "length": 20, "schema": {}, "meta": { "note": "Any" } });
    calls.wrong_document("`datatype` is documented as required, and not allowed");
    ok!(
        calls,
        "create a field",
        client.create_field("articles".into(), Some(body(field)?)),
        CreateFieldResponse::Ok,
        |it| it.data.is_some()
    );
    done!(
        calls,
        "delete a field",
        client.delete_field("articles".into(), "rating".into()),
        DeleteFieldResponse::Ok
    );
    let relations = params!(GetRelationsParams: fields limit offset meta sort filter search page;);
    ok!(
        calls,
        "relations",
        client.get_relations(relations),
        GetRelationsResponse::Ok,
        |it| it.data.is_some()
    );
}

async fn people(calls: &Calls, client: &Client<Recording>) {
    let roles = params!(GetRolesParams: fields limit offset meta sort filter search page;);
    ok!(
        calls,
        "list roles",
        client.get_roles(roles),
        GetRolesResponse::Ok,
        |it| it.data.as_ref().is_some_and(|it| it.len() == 1)
    );
    let role = params!(CreateRoleParams: fields meta;);
    ok!(
        calls,
        "create a role",
        client.create_role(role, Some(body(json!({ "name": "Editor" }))?)),
        CreateRoleResponse::Ok,
        |it| it.data.is_some()
    );
    let role: String = calls.received("/data/id").unwrap_or_default();
    ok!(
        calls,
        "read a role",
        client.get_role(role.clone(), params!(GetRoleParams: fields meta;)),
        GetRoleResponse::Ok,
        |it| it.data.is_some()
    );
    let users = params!(GetUsersParams: fields limit offset meta sort filter search;);
    ok!(
        calls,
        "list users",
        client.get_users(users),
        GetUsersResponse::Ok,
        |it| it.data.as_ref().is_some_and(|it| it.len() == 1)
    );
    let user = CreateUserParams { meta: None };
    let ada = json!({ "first_name": "Ada", "email": "ada@example.com", "password": "secret", "role": role });
    ok!(
        calls,
        "create a user",
        client.create_user(user, Some(body(ada)?)),
        CreateUserResponse::Ok,
        |it| it.data.is_some()
    );
    let ada: String = calls.received("/data/id").unwrap_or_default();
    let one = || params!(GetUserParams: fields meta;);
    ok!(
        calls,
        "read a user",
        client.get_user(ada.clone(), one()),
        GetUserResponse::Ok,
        |it| {
            it.data
                .as_ref()
                .is_some_and(|it| it.first_name.as_deref() == Some("Ada"))
        }
    );
    error!(
        calls,
        "read an unknown user",
        client.get_user(UNKNOWN.into(), one()),
        403
    );
    let rename = params!(UpdateUserParams: fields meta;);
    ok!(
        calls,
        "update a user",
        client.update_user(
            ada.clone(),
            rename,
            Some(body(json!({ "last_name": "Lovelace" }))?)
        ),
        UpdateUserResponse::Ok,
        |it| it.data.is_some()
    );
    done!(
        calls,
        "delete a user",
        client.delete_user(ada),
        DeleteUserResponse::Ok
    );
    calls.wrong_document("the response is documented as a list");
    ok!(
        calls,
        "my permissions",
        client.get_my_permissions(),
        GetMyPermissionsResponse::Ok,
        |it| it.data.is_some()
    );
}

async fn library(calls: &Calls, client: &Client<Recording>) {
    let folder = params!(CreateFolderParams: fields meta;);
    ok!(
        calls,
        "create a folder",
        client.create_folder(folder, Some(body(json!({ "name": "Pictures" }))?)),
        CreateFolderResponse::Ok,
        |it| it.data.is_some()
    );
    let folders = params!(GetFoldersParams: fields limit offset sort filter search meta;);
    ok!(
        calls,
        "list folders",
        client.get_folders(folders),
        GetFoldersResponse::Ok,
        |it| it.data.as_ref().is_some_and(|it| it.len() == 1)
    );
    let folder = params!(GetFolderParams: fields meta;);
    error!(
        calls,
        "read an unknown folder",
        client.get_folder(UNKNOWN.into(), folder),
        403
    );
    let files = params!(GetFilesParams: fields limit offset sort filter search meta;);
    ok!(
        calls,
        "list files",
        client.get_files(files),
        GetFilesResponse::Ok,
        |it| it.data.as_ref().is_some_and(Vec::is_empty)
    );
    let preset = params!(CreatePresetParams: fields meta;);
    ok!(
        calls,
        "create a preset",
        client.create_preset(
            preset,
            Some(body(json!({ "collection": "articles", "search": "sea" }))?)
        ),
        CreatePresetResponse::Ok,
        |it| it.data.is_some()
    );
    let preset = calls.received::<i64>("/data/id").unwrap_or_default();
    ok!(
        calls,
        "read a preset",
        client.get_preset(
            Integer::from(preset),
            params!(GetPresetParams: fields meta;)
        ),
        GetPresetResponse::Ok,
        |it| it.data.is_some()
    );
    done!(
        calls,
        "delete a preset",
        client.delete_preset(Integer::from(preset)),
        DeletePresetResponse::Ok
    );
    let activities = params!(GetActivitiesParams: fields limit meta offset sort filter search;);
    ok!(
        calls,
        "activity",
        client.get_activities(activities),
        GetActivitiesResponse::Ok,
        |it| { it.data.as_ref().is_some_and(|it| !it.is_empty()) }
    );
}
