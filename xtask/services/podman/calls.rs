//! A day with podman, asked as Docker: images, containers that are created and not started, volumes, networks.

use client::api::{container::*, image::*, network::*, system::*, volume::*};
use client::client::Client;
use serde_json::json;
use service_calls::{Calls, body, done, error, ok};

/// An archive of one file.
fn tar(name: &str, content: &str) -> Vec<u8> {
    let mut head = [0_u8; 512];
    let mut put =
        |at: usize, text: &str| head[at..at + text.len()].copy_from_slice(text.as_bytes());
    put(0, name);
    put(100, "0000644\0");
    put(124, &format!("{:011o}\0", content.len()));
    put(136, "00000000000\0");
    put(148, "        ");
    put(156, "0");
    let sum: u32 = head.iter().map(|byte| u32::from(*byte)).sum();
    head[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
    let mut archive = [&head, content.as_bytes()].concat();
    archive.resize(archive.len().next_multiple_of(512) + 1024, 0);
    archive
}

fn building(tag: &str) -> ImageBuildParams {
    ImageBuildParams {
        dockerfile: "Dockerfile".into(),
        t: Some(tag.into()),
        extrahosts: None,
        remote: None,
        q: false,
        nocache: false,
        cachefrom: None,
        pull: None,
        rm: true,
        forcerm: false,
        memory: None,
        memswap: None,
        cpushares: None,
        cpusetcpus: None,
        cpuperiod: None,
        cpuquota: None,
        buildargs: None,
        shmsize: None,
        squash: None,
        labels: None,
        networkmode: None,
        x_registry_config: None,
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let calls = Calls::begin();
    let client = Client::new(calls.base(), calls.transport());

    ok!(
        calls,
        "ping",
        client.system_ping(),
        SystemPingResponse::Ok,
        |it| it == "OK"
    );
    ok!(
        calls,
        "version",
        client.system_version(),
        SystemVersionResponse::Ok,
        |it| it.api_version.is_some()
    );
    ok!(
        calls,
        "info",
        client.system_info(),
        SystemInfoResponse::Ok,
        |it| it.images == Some(0.into())
    );

    let import = |source: Option<&str>| ImageCreateParams {
        from_image: None,
        from_src: source.map(str::to_owned),
        repo: Some("box".into()),
        tag: Some("1".into()),
        x_registry_auth: None,
    };
    let archive = ImageCreateContent::Bytes(tar("hello.txt", "Hello.").into());
    done!(
        calls,
        "import an image",
        client.image_create(import(Some("-")), Some(archive)),
        ImageCreateResponse::Ok
    );
    let listing = |filters: Option<&str>| ImageListParams {
        all: false,
        filters: filters.map(str::to_owned),
        digests: false,
    };
    ok!(
        calls,
        "list images",
        client.image_list(listing(None)),
        ImageListResponse::Ok,
        |it| it.len() == 1
    );
    let dangling = r#"{"dangling":["true"]}"#;
    ok!(
        calls,
        "filter images",
        client.image_list(listing(Some(dangling))),
        ImageListResponse::Ok,
        |it| it.is_empty()
    );
    ok!(
        calls,
        "inspect an image",
        client.image_inspect("box".into()),
        ImageInspectResponse::Ok,
        |it| it.os == "linux"
    );
    error!(
        calls,
        "inspect an unknown image",
        client.image_inspect("bag".into()),
        404
    );
    ok!(
        calls,
        "history of an image",
        client.image_history("box".into()),
        ImageHistoryResponse::Ok,
        |it| it.len() == 1
    );
    let tag = || ImageTagParams {
        repo: Some("crate".into()),
        tag: Some("2".into()),
    };
    done!(
        calls,
        "tag an image",
        client.image_tag("box".into(), tag()),
        ImageTagResponse::Created
    );
    error!(
        calls,
        "tag an unknown image",
        client.image_tag("bag".into(), tag()),
        404
    );
    ok!(
        calls,
        "save an image",
        client.image_get("box".into()),
        ImageGetResponse::Ok,
        |it| it.len() > 1024
    );
    let context = tar("Dockerfile", "FROM box\nLABEL color=red\n");
    done!(
        calls,
        "build an image",
        client.image_build(building("red"), Some(context.into())),
        ImageBuildResponse::Ok
    );
    let context = tar("Dockerfile", "FROM box\nCOPY missing /\n");
    done!(
        calls,
        "build without a file",
        client.image_build(building("blue"), Some(context.into())),
        ImageBuildResponse::Ok
    );

    let named = |name: &str| ContainerCreateParams {
        name: Some(name.into()),
    };
    let plain =
        json!({ "Image": "box", "Cmd": ["/hello"], "Env": ["A=1"], "Labels": { "color": "red" } });
    let created = ContainerCreateContent::Json;
    ok!(
        calls,
        "create a container",
        client.container_create(named("one"), created(body(plain.clone())?)),
        ContainerCreateResponse::Created,
        |it| it.id.len() == 64
    );
    let bound = json!({
        "Image": "box", "Cmd": ["/hello"],
        "HostConfig": {
            "Binds": ["/tmp:/data"], "Memory": 67108864, "RestartPolicy": { "Name": "on-failure", "MaximumRetryCount": 2 },
        },
    });
    ok!(
        calls,
        "create a bound container",
        client.container_create(named("two"), created(body(bound)?)),
        ContainerCreateResponse::Created,
        |it| it.id.len() == 64
    );
    let published = json!({ "Image": "box", "HostConfig": { "PortBindings": { "80/tcp": [{ "HostPort": "8080" }] } } });
    calls.wrong_document("a value of `PortBindings` is documented as an object");
    ok!(
        calls,
        "create a container with a port",
        client.container_create(named("port"), created(body(published)?)),
        ContainerCreateResponse::Created,
        |it| it.id.len() == 64
    );
    error!(
        calls,
        "create a container of an unknown image",
        client.container_create(named("three"), created(body(json!({ "Image": "bag" }))?)),
        404
    );
    error!(
        calls,
        "create a container of the same name",
        client.container_create(named("one"), created(body(plain)?)),
        500
    );
    let listing = |filters: Option<&str>| ContainerListParams {
        all: true,
        limit: None,
        size: false,
        filters: filters.map(str::to_owned),
    };
    ok!(
        calls,
        "list containers",
        client.container_list(listing(None)),
        ContainerListResponse::Ok,
        |it| it.len() >= 2
    );
    let red = r#"{"label":["color=red"]}"#;
    ok!(
        calls,
        "filter containers",
        client.container_list(listing(Some(red))),
        ContainerListResponse::Ok,
        |it| it.len() == 1
    );
    error!(
        calls,
        "filter containers by nonsense",
        client.container_list(listing(Some("red"))),
        500
    );
    let sized = || ContainerInspectParams { size: false };
    calls.wrong_document("`ExecIDs` is documented as a string");
    ok!(
        calls,
        "inspect a container",
        client.container_inspect("one".into(), sized()),
        ContainerInspectResponse::Ok,
        |it| it.name.as_deref() == Some("/one")
    );
    calls.wrong_document("`ExecIDs` is documented as a string");
    ok!(
        calls,
        "inspect a bound container",
        client.container_inspect("two".into(), sized()),
        ContainerInspectResponse::Ok,
        |it| it.mounts.as_ref().is_some_and(|mounts| mounts.len() == 1)
    );
    error!(
        calls,
        "inspect an unknown container",
        client.container_inspect("three".into(), sized()),
        404
    );
    ok!(
        calls,
        "changes of a container",
        client.container_changes("one".into()),
        ContainerChangesResponse::Ok,
        |_| true
    );
    let rename = || ContainerRenameParams { name: "uno".into() };
    done!(
        calls,
        "rename a container",
        client.container_rename("one".into(), rename()),
        ContainerRenameResponse::NoContent
    );
    error!(
        calls,
        "rename an unknown container",
        client.container_rename("three".into(), rename()),
        404
    );
    let logs = ContainerLogsParams {
        follow: false,
        stdout: true,
        stderr: true,
        since: 0.into(),
        timestamps: false,
        tail: "all".into(),
    };
    ok!(
        calls, "logs of a container that has not run", client.container_logs("uno".into(), logs),
        ContainerLogsResponse::Ok => ContainerLogsOkContent::Text, |it| it.is_empty()
    );
    let files = || PutContainerArchiveParams {
        path: "/".into(),
        no_overwrite_dir_non_dir: None,
    };
    let archive = PutContainerArchiveContent::Bytes(tar("note.txt", "Note.").into());
    done!(
        calls,
        "copy into a container",
        client.put_container_archive("uno".into(), files(), archive),
        PutContainerArchiveResponse::Ok
    );
    let note = || ContainerArchiveInfoParams {
        path: "/note.txt".into(),
    };
    done!(
        calls,
        "stat a file of a container",
        client.container_archive_info("uno".into(), note()),
        ContainerArchiveInfoResponse::Ok
    );
    let note = |path: &str| ContainerArchiveParams { path: path.into() };
    done!(
        calls,
        "copy from a container",
        client.container_archive("uno".into(), note("/note.txt")),
        ContainerArchiveResponse::Ok
    );
    error!(
        calls,
        "copy an unknown file from a container",
        client.container_archive("uno".into(), note("/none")),
        404
    );
    done!(
        calls,
        "export a container",
        client.container_export("uno".into()),
        ContainerExportResponse::Ok
    );
    error!(
        calls,
        "execute in a container that does not run",
        client.container_exec("uno".into(), body(json!({ "Cmd": ["/hello"] }))?),
        500
    );
    let commit = ImageCommitParams {
        container: Some("uno".into()),
        repo: Some("noted".into()),
        tag: None,
        comment: None,
        author: None,
        pause: true,
        changes: None,
    };
    ok!(
        calls,
        "commit a container",
        client.image_commit(commit, Some(body(json!({}))?)),
        ImageCommitResponse::Created,
        |it| !it.id.is_empty()
    );
    let deleting = || ContainerDeleteParams {
        v: false,
        force: false,
        link: false,
    };
    done!(
        calls,
        "delete a container",
        client.container_delete("uno".into(), deleting()),
        ContainerDeleteResponse::NoContent
    );
    error!(
        calls,
        "delete a container twice",
        client.container_delete("uno".into(), deleting()),
        404
    );
    ok!(
        calls,
        "prune containers",
        client.container_prune(ContainerPruneParams { filters: None }),
        ContainerPruneResponse::Ok,
        |it| it.space_reclaimed.is_some()
    );

    let data = json!({ "Name": "data", "Labels": { "color": "red" } });
    ok!(
        calls,
        "create a volume",
        client.volume_create(body(data)?),
        VolumeCreateResponse::Created,
        |it| it.name == "data"
    );
    let listing = |filters: Option<&str>| VolumeListParams {
        filters: filters.map(str::to_owned),
    };
    ok!(
        calls,
        "list volumes",
        client.volume_list(listing(None)),
        VolumeListResponse::Ok,
        |it| it.volumes.len() == 1
    );
    ok!(
        calls,
        "filter volumes",
        client.volume_list(listing(Some(red))),
        VolumeListResponse::Ok,
        |it| it.volumes.len() == 1
    );
    ok!(
        calls,
        "inspect a volume",
        client.volume_inspect("data".into()),
        VolumeInspectResponse::Ok,
        |it| it.driver == "local"
    );
    error!(
        calls,
        "inspect an unknown volume",
        client.volume_inspect("none".into()),
        404
    );
    let deleting = || VolumeDeleteParams { force: false };
    done!(
        calls,
        "delete a volume",
        client.volume_delete("data".into(), deleting()),
        VolumeDeleteResponse::NoContent
    );
    error!(
        calls,
        "delete a volume twice",
        client.volume_delete("data".into(), deleting()),
        404
    );
    ok!(
        calls,
        "prune volumes",
        client.volume_prune(VolumePruneParams { filters: None }),
        VolumePruneResponse::Ok,
        |_| true
    );

    let lan = json!({ "Name": "lan", "Driver": "bridge", "Internal": true, "Labels": { "color": "red" } });
    ok!(
        calls,
        "create a network",
        client.network_create(body(lan)?),
        NetworkCreateResponse::Created,
        |it| it.id.is_some()
    );
    let listing = NetworkListParams { filters: None };
    calls.wrong_document("`IPAM.Options` is documented as a list");
    ok!(
        calls,
        "list networks",
        client.network_list(listing),
        NetworkListResponse::Ok,
        |it| it.len() == 2
    );
    let inspecting = || NetworkInspectParams {
        verbose: false,
        scope: None,
    };
    calls.wrong_document("`IPAM.Options` is documented as a list");
    ok!(
        calls,
        "inspect a network",
        client.network_inspect("lan".into(), inspecting()),
        NetworkInspectResponse::Ok,
        |it| it.name.as_deref() == Some("lan")
    );
    error!(
        calls,
        "inspect an unknown network",
        client.network_inspect("wan".into(), inspecting()),
        404
    );
    done!(
        calls,
        "delete a network",
        client.network_delete("lan".into()),
        NetworkDeleteResponse::NoContent
    );
    error!(
        calls,
        "delete a network twice",
        client.network_delete("lan".into()),
        404
    );

    ok!(
        calls, "disk usage", client.system_data_usage(),
        SystemDataUsageResponse::Ok => SystemDataUsageOkContent::Json,
        |it| it.images.as_ref().is_some_and(|images| !images.is_empty())
    );
    let past = SystemEventsParams {
        since: None,
        until: Some("1s".into()),
        filters: None,
    };
    ok!(
        calls,
        "past events",
        client.system_events(past),
        SystemEventsResponse::Ok,
        |it| it.action.is_some()
    );
    let deleting = || ImageDeleteParams {
        force: true,
        noprune: false,
    };
    ok!(
        calls,
        "delete an image",
        client.image_delete("noted".into(), deleting()),
        ImageDeleteResponse::Ok,
        |it| !it.is_empty()
    );
    error!(
        calls,
        "delete an unknown image",
        client.image_delete("bag".into(), deleting()),
        404
    );
    ok!(
        calls,
        "prune images",
        client.image_prune(ImagePruneParams { filters: None }),
        ImagePruneResponse::Ok,
        |_| true
    );
}
