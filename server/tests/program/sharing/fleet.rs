//! Four replicas of the program behind one PostgreSQL and one Redis, under load.

mod agreement;
mod load;

use std::time::Duration;

use load::Caller;
use server::demo::ENTERPRISE;

use super::metric;
use super::redis::RedisServer;
use super::replicas::become_shared;
use crate::folder::Folder;
use crate::instances::Instance;
use crate::postgres::unmigrated;
use crate::serving::{Serving, serve};
use crate::world::demonstration;

/// The length of a window. Tests that show its content must end sooner.
const WINDOW: Duration = Duration::from_secs(60);

/// The fleet and the servers that it needs. Fields are in the order in which they must be dropped.
struct Fleet {
    replicas: [Serving; 4],
    /// For each of two loads, a caller of each tier with an empty window, and one without a key.
    callers: [[Caller; 4]; 2],
    /// A key of a project that none of them is of.
    secret: String,
    folder: Folder,
    redis: RedisServer,
    _instance: Instance,
}

impl Fleet {
    /// `None`, said loudly, where PostgreSQL or Redis is not installed.
    #[track_caller]
    fn start() -> Option<Self> {
        let redis = RedisServer::start()?;
        let instance = Instance::start()?;
        let folder = Folder::on(unmigrated(&instance));
        folder.ask(&["migrate"]);
        let file = folder.write("demonstration.ndjson", &demonstration());
        folder.ask(&["import", file]);
        let callers = ["192.0.2.1", "192.0.2.2"].map(|address| callers(&folder, address));
        let secret = issue(&folder, &ENTERPRISE.0.to_string());
        let url = redis.url();
        let arguments = [
            "--redis",
            &url,
            "--redis-timeout",
            "9s",
            // Callers without a key are distinguished by the address that a proxy sends.
            "--trusted-proxies",
            "127.0.0.1/32",
        ];
        let replicas = [(); 4].map(|()| serve(&folder, &arguments));
        become_shared(&replicas);
        Some(Self {
            replicas,
            callers,
            secret,
            folder,
            redis,
            _instance: instance,
        })
    }

    /// How many requests Redis holds in the caller's window.
    fn counted(&self, caller: &Caller) -> usize {
        self.redis.ask(&["LLEN", &caller.window])
    }
}

fn issue(folder: &Folder, project: &str) -> String {
    folder.ask(&["key", "issue", "--project", project])
}

fn callers(folder: &Folder, address: &str) -> [Caller; 4] {
    let keyed = |tier, limit| {
        let project = folder.ask(&["project", "create", "Fleet", "--tier", tier]);
        Caller::with_key(&project, &issue(folder, &project), limit)
    };
    [
        Caller::at(address),
        keyed("free", 50),
        keyed("pro", 200),
        keyed("enterprise", 1000),
    ]
}

#[test]
fn four_replicas_are_exact_and_agree_under_load_and_when_some_of_them_die() {
    let Some(mut fleet) = Fleet::start() else {
        return;
    };
    let [callers, others] = &fleet.callers;
    std::thread::scope(|scope| {
        let load = scope.spawn(|| load::run(&fleet.replicas, callers, |_, _| ()));
        agreement::check(&fleet);
        for (caller, seen) in callers.iter().zip(load.join().unwrap()) {
            assert_eq!(seen.unanswered, [0; 4], "{caller:?}");
            assert_eq!(seen.left.len(), caller.limit, "{caller:?}");
            assert!(seen.is_distinct(), "{caller:?}: {seen:?}");
            assert_eq!(fleet.counted(caller), caller.limit, "{caller:?}");
        }
    });

    let [killed, stopped, ..] = &fleet.replicas;
    let upset = |caller: &Caller, admitted| match (caller.limit, admitted) {
        (200, 50) => killed.signal("KILL"),
        (200, 100) => stopped.signal("TERM"),
        _ => (),
    };
    let all = load::run(&fleet.replicas, others, upset);
    for (caller, seen) in others.iter().zip(all) {
        assert_eq!(seen.unanswered[2..], [0; 2], "{caller:?}: {seen:?}");
        assert!(seen.is_distinct(), "{caller:?}: {seen:?}");
        assert_eq!(fleet.counted(caller), caller.limit, "{caller:?}");
        // The killed replica may have admitted requests whose responses were lost.
        let known = seen.left.len();
        let at_most = known + seen.unanswered[0];
        assert!(
            (known..=at_most).contains(&caller.limit),
            "{caller:?}: {seen:?}"
        );
    }

    let [killed, stopped, survivors @ ..] = &mut fleet.replicas;
    assert_eq!(killed.ended().0, None);
    assert_eq!(stopped.ended().0, Some(0), "{}", stopped.log());
    for survivor in survivors {
        let metrics = survivor.operators("/metrics").body;
        assert_eq!(metric(&metrics, "rate_limit_local_decisions_total"), 0);
        assert_eq!(survivor.operators("/readyz").status, 200);
    }
}
