//! Frequent queries do not scan whole tables, as the server's own statistics count them.

use std::time::{Duration, Instant};

use jiff::Timestamp;
use jiff::civil::date;
use tokio_postgres::Client;
use uuid::Uuid;

use super::connected;
use crate::records::{
    at, chain_id, charity_id, config, config_id, contract, donation, project_id, revised, token,
};
use crate::world::{Site, World};
use console::accounts::sign_in::{self, SessionBrowser, SignInRequest};
use console::accounts::{
    AccountRules, BrowserName, BrowserSecret, Network, SecretDigest, SessionProof, SignInCode,
    SignInToken, sessions,
};
use console::oidc::{IdentitySignIn, NewAuthorization, NewIdentity, Purpose};
use console::passkeys::CeremonyId;
use db::Db;
use features::analytics::{StatsFilter, StatsScope};
use features::audit;
use features::configs::Config;
use features::database::{self, Versions};
use features::domain::day::DayRange;
use features::domain::email::Email;
use features::domain::ids::{AccountId, IdentityId};
use features::domain::position::Position;
use features::domain::recording::OnRejection;
use features::donations::DonationFilter;
use features::events::{EventType, EventTypes, WebhookId};
use features::idempotency::Idempotency;
use features::import::Record;
use features::keys::{KeyDigest, KeyId};
use features::project_lifecycle;
use features::projects::{Actor, ProjectId, Tier};
use features::rollups::config_list::{ConfigOrder, ConfigQuery};
use features::tokens::TokenFilter;
use features::usage::{
    Breakdown, Minute, MinuteCount, Retention, RunId, StatusClass, Step, UsageQuery,
};
use features::webhooks::secret::SealedSecret;
use features::webhooks::{Webhook, WebhookCreation};
use server::config::Settings;

/// The tables that grow, with a hundred thousand rows each. A fiftieth of the rows belongs to project
/// 1, which the queries are about.
const FILL: &str = "
    SET session_replication_role = replica;
    CREATE TEMPORARY TABLE number AS SELECT n, lpad(to_hex(n), 40, '0') AS hex,
      decode('0000000000000001' || lpad(to_hex(n), 40, '0') || repeat('00', 12), 'hex') AS token,
      sha256(n::text::bytea) AS config,
      CASE n % 50 WHEN 0 THEN '01010101-0101-0101-0101-010101010101'
        ELSE md5((n % 50)::text) END::uuid AS project
      FROM generate_series(1000, 101000) AS n;
    INSERT INTO change (counter, number, item)
      SELECT CASE n % 2 WHEN 0 THEN 'charities' ELSE 'keys' END, n, config FROM number;
    INSERT INTO token (id, chain, address, name, symbol, symbol_key, decimals)
      SELECT token, 1, '0x' || hex, 'T', 'T' || n, 't' || n, 18 FROM number;
    INSERT INTO partner_token (token, contract, creator, active_config)
      SELECT token, decode('0000000000000001' || lpad(to_hex(100 + n % 50 + 1), 40, '0')
        || repeat('00', 12), 'hex'), '0x' || hex, config FROM number;
    INSERT INTO leaderboard_entry (
        token, config, contract, creator, usd_e6, donations, first_at, last_at
      )
      SELECT token, active_config, contract, creator, n % 1000, 1, 0, 0
      FROM partner_token JOIN number USING (token);
    INSERT INTO config (id, project, created_at) SELECT config, project, n FROM number;
    INSERT INTO config_charity (config, place, charity, weight)
      SELECT config, 0, '01010101-0101-0101-0101-010101010101', 1 FROM number;
    INSERT INTO config_user (config, place, chain, address)
      SELECT config, 0, 1, '0x' || hex FROM number;
    INSERT INTO tally (project, facet, member, usd_e6, donations, first_at, last_at)
      SELECT project, facet, member, n % 1000, 1, 0, 0
      FROM number, LATERAL (
        VALUES (1, decode(md5(n::text), 'hex')), (2, token), (3, config)
      ) AS sum (facet, member);
    INSERT INTO tally_of_day (project, facet, day, member, usd_e6, donations, first_at, last_at)
      SELECT project, facet, usd_e6 % 365, member, usd_e6, donations, first_at, last_at FROM tally;
    INSERT INTO tally_of_day (project, facet, day, member, usd_e6, donations, first_at, last_at)
      SELECT project, 0, n, '', 1, 1, 0, 0 FROM number;
    INSERT INTO tally_of_cell (
        project, day, config, token, usd_e6, donations, first_at, last_at, parts
      )
      SELECT project, n % 365, config, token, n % 1000, 1, 0, 0, int8send(n % 1000) FROM number;
    INSERT INTO tally_of_pair (project, config, token, days)
      SELECT project, config, token, 1 FROM number;
    UPDATE tally SET last_at = 31000000000 WHERE facet IN (0, 3, 4);
    INSERT INTO donation (chain, tx, log_index, revision, token, config, amount, usd_e6, at)
      SELECT 1, '0x' || hex, 0, 0, token, config, decode(repeat('00', 32), 'hex'), n % 1000, n
      FROM number;
    INSERT INTO charity_donation (charity, at, chain, tx, log_index, revision)
      SELECT '01010101-0101-0101-0101-010101010101', n, 1, '0x' || hex, 0, 0 FROM number;
    INSERT INTO charity_total (charity, usd_e6, donations)
      SELECT md5(n::text)::uuid, n, 1 FROM number;
    INSERT INTO charity_day (day, charity, usd_e6, donations)
      SELECT n % 365, md5(n::text)::uuid, n, 1 FROM number;
    INSERT INTO idempotency (project, key, fingerprint, resource, response, created_at)
      SELECT project, n::text, '', config, CASE n % 2 WHEN 0 THEN ''::bytea END, n FROM number;
    INSERT INTO api_key (id, project, digest, display_prefix, created_at)
      SELECT md5(n::text)::uuid, project, config, '', 0 FROM number;
    INSERT INTO account (id, email, email_key, created_at)
      SELECT md5(n::text)::uuid, n || '@example.org', n || '@example.org', 0 FROM number;
    INSERT INTO membership (account, project, role, created_at)
      SELECT md5(n::text)::uuid, project, 'owner', 0 FROM number;
    INSERT INTO sign_in (id, token, browser, code, email, email_key, network, created_at, attempts,
        made_account, epoch)
      SELECT md5(n::text)::uuid, config, config, config, n || '@example.org', n || '@example.org',
        n::text, n, 0, false, epoch.id FROM number, epoch;
    INSERT INTO known_browser (account, browser, email_key, used_at)
      SELECT md5(n::text)::uuid, config, n || '@example.org', n FROM number;
    INSERT INTO session (id, secret, account, browser_name, created_at, last_seen_at, stepped_up_at,
        epoch)
      SELECT md5(n::text)::uuid, config, md5(n::text)::uuid, '', n, n, n, epoch.id
      FROM number, epoch;
    INSERT INTO outbox (id, recipient, subject, text, html, created_at, attempts, next_attempt_at,
        send_until, epoch)
      SELECT md5(n::text)::uuid, n || '@example.org', '', '', '', n, 0, n, 1e15, epoch.id
      FROM number, epoch;
    INSERT INTO audit_event (at, account, project, action, subject)
      SELECT n, md5(n::text)::uuid, project, 'key-issued', '' FROM number;
    INSERT INTO passkey (id, account, name, credential_id, credential, created_at)
      SELECT md5(n::text)::uuid, md5(n::text)::uuid, '', config, '', n FROM number;
    INSERT INTO passkey_ceremony (id, network, state, created_at)
      SELECT md5(n::text)::uuid, n::text, '', n FROM number;
    INSERT INTO identity (id, account, issuer, subject, label, created_at)
      SELECT md5(n::text)::uuid, md5(n::text)::uuid, '', n::text, '', n FROM number;
    INSERT INTO oidc_authorization (browser, purpose, network, created_at, made_account)
      SELECT config, 'sign-in', n::text, n, false FROM number;
    INSERT INTO invitation (id, token, project, email, email_key, role, invited_by, network, created_at)
      SELECT md5(n::text)::uuid, config, project, n || '@example.org', n || '@example.org', 'member',
        md5(n::text)::uuid, n::text, n FROM number;
    INSERT INTO usage_minute (project, minute, key, operation, class, run, requests, folded, is_coarse)
      SELECT project, n, project, '', '2xx', project, 1, 1, false FROM number;
    INSERT INTO usage_hour (project, minute, key, operation, class, requests, is_coarse)
      SELECT project, n * 60, project, '', '2xx', 1, false FROM number;
    INSERT INTO usage_day (project, minute, key, operation, class, requests, is_coarse)
      SELECT project, n * 1440, project, '', '2xx', 1, false FROM number;
    INSERT INTO claim (id, project, contract, chain, address, state, nonce, nonce_expires_at, note, created_at)
      SELECT md5(n::text)::uuid, project, token, 1, '0x' || hex,
        CASE n % 50 WHEN 0 THEN 'waiting' ELSE 'declined' END, project, 0, '', n FROM number;
    INSERT INTO account_event (at, account, action, subject)
      SELECT n, md5(n::text)::uuid, 'passkey-added', '' FROM number;
    INSERT INTO tier_request (id, project, account, tier, reason, created_at, accepted, answer, decided_at)
      SELECT md5(n::text)::uuid, project, md5(n::text)::uuid, 'pro', '', n, true, '', n FROM number;
    INSERT INTO key_use (project, key, minute)
      SELECT project, md5(n::text)::uuid, n FROM number";

/// The tables that stay small: the catalogue, and those that operators write.
const SMALL: [&str; 15] = [
    "availability",
    "campaign",
    "chain",
    "charity",
    "contract",
    "epoch",
    "import_progress",
    "operator",
    "previous_config",
    "project",
    "schema_migrations",
    "social_link",
    "suspension",
    "usage_start",
    "version",
];

/// Tables whose questions are not asked here yet: only the sending of webhooks asks them, which no request
/// waits for.
const NOT_ASKED: [&str; 4] = [
    "config_event",
    "webhook",
    "webhook_delivery",
    "webhook_event",
];

async fn no_hot_question_scans_a_table(site: Site) {
    let world = World::new(&site).await;
    world
        .record_all(vec![Record::Donation(donation(1, 1, 1, 10))])
        .await;
    let url = world.url();
    let client = connected(&url).await;
    client.batch_execute(FILL).await.unwrap();
    client.batch_execute("ANALYZE").await.unwrap();
    // The statistics of a connection are complete once it is closed.
    drop(world);
    alone(&client).await;
    client
        .batch_execute("SELECT pg_stat_reset()")
        .await
        .unwrap();
    let store = database::connect(&url.parse().unwrap()).await.unwrap();
    ask_everything(&store).await;
    drop(store);
    alone(&client).await;
    let read = "SELECT stats.relname, reltuples::bigint AS rows, seq_scan, idx_scan
                FROM pg_stat_user_tables AS stats JOIN pg_class ON pg_class.oid = stats.relid
                WHERE schemaname = 'public' AND stats.relname <> ALL ($1)";
    let others = [SMALL.as_slice(), &NOT_ASKED].concat();
    for row in client.query(read, &[&others]).await.unwrap() {
        let column = |name| row.get::<_, Option<i64>>(name).unwrap_or_default();
        let table: String = row.get("relname");
        assert!(
            column("rows") > 1000,
            "fill `{table}` in FILL of server/tests/conformance/postgres/scans.rs, or add it to SMALL"
        );
        assert_eq!(column("seq_scan"), 0, "all of {table} was read");
        assert!(column("idx_scan") > 0, "nothing of {table} was read");
    }
}

/// Each filter, and two together.
fn stats_filters() -> [StatsFilter; 7] {
    let all = StatsFilter::default();
    let of_config = StatsFilter {
        config: Some(config_id(1)),
        ..all
    };
    let of_charity = StatsFilter {
        charity: Some(charity_id(1)),
        ..all
    };
    let of_chain = StatsFilter {
        chain: Some(chain_id()),
        ..all
    };
    let of_token = StatsFilter {
        token: Some(token(1).id.address.sort_key()),
        ..all
    };
    let of_token_on_chain = StatsFilter {
        chain: Some(chain_id()),
        ..of_token
    };
    let of_config_and_charity = StatsFilter {
        charity: Some(charity_id(1)),
        ..of_config
    };
    [
        all,
        of_config,
        of_charity,
        of_chain,
        of_token,
        of_token_on_chain,
        of_config_and_charity,
    ]
}

async fn ask_everything(store: &Db) {
    let (project, limit) = (project_id(1), 50);
    let contract = contract(1, 1).id;
    for is_deep in [false, true] {
        let board = features::contracts::leaderboard::leaderboard(
            store,
            project,
            contract.clone(),
            middle(is_deep),
            limit,
        );
        assert!(!board.await.unwrap().unwrap().is_empty());
        let configs =
            features::configs::store::configs(store, project, None, middle(is_deep), limit);
        configs.await.unwrap();
        for order in [
            ConfigOrder::Newest,
            ConfigOrder::Received,
            ConfigOrder::LastDonation,
        ] {
            for search in ["", "checkout", "0x04"] {
                let search = search.to_owned();
                let query = ConfigQuery { order, search };
                let after = middle(is_deep);
                let page =
                    features::rollups::store::list_configs(store, project, query, after, limit);
                page.await.unwrap();
            }
        }
        let days = DayRange::new(date(1970, 1, 1), date(1970, 1, 3)).unwrap();
        for (range, filter) in [None, Some(days)]
            .into_iter()
            .flat_map(|range| stats_filters().map(|filter| (range, filter)))
        {
            let scope = StatsScope {
                project,
                range,
                filter,
            };
            features::analytics::store::project_totals(store, scope)
                .await
                .unwrap();
            features::analytics::store::project_days(store, scope)
                .await
                .unwrap();
            features::analytics::store::project_hours(store, scope)
                .await
                .unwrap();
            let after = middle(is_deep);
            let charities =
                features::analytics::store::charities_of_project(store, scope, after, limit);
            charities.await.unwrap();
            let after = middle(is_deep);
            let tokens = features::analytics::store::tokens_of_project(store, scope, after, limit);
            tokens.await.unwrap();
            let after = middle(is_deep);
            let configs =
                features::analytics::store::configs_of_project(store, scope, after, limit);
            configs.await.unwrap();
        }
        for chain in [None, Some(chain_id())] {
            let filter = DonationFilter {
                chain,
                from: Some(at(0)),
                to: Some(at(1_000_000)),
            };
            let page = features::donations::store::donations_of_charity(
                store,
                charity_id(1),
                filter,
                middle(is_deep),
                limit,
            );
            page.await.unwrap();
            let config = config_id(1);
            let page = features::donations::store::donations_of_config(
                store,
                project,
                config,
                filter,
                middle(is_deep),
                limit,
            );
            page.await.unwrap().unwrap();
        }
    }
    for chain in [None, Some(chain_id())] {
        for symbol in [None, Some("t1000".to_owned())] {
            let filter = TokenFilter { chain, symbol };
            let page = features::tokens::store::tokens(store, filter, None, limit);
            page.await.unwrap();
        }
    }
    let days = DayRange::new(date(1970, 1, 1), date(1970, 1, 3)).unwrap();
    let of_charity = features::rollups::store::days_of_charity(store, charity_id(1), days);
    of_charity.await.unwrap();
    let all = features::rollups::store::received_within(store, days);
    all.await.unwrap();
    let latest = features::donations::store::latest_of_project(store, project, days, 8);
    latest.await.unwrap();
    let tokens = features::contracts::store::tokens_of_config(store, config_id(1), 8);
    tokens.await.unwrap();
    let token = features::contracts::store::token(store, token(1).id);
    token.await.unwrap();
    let seen = features::database::versions(store).await.unwrap();
    let earlier = Versions {
        charities: seen.charities.saturating_sub(1),
        ..seen
    };
    let update = features::catalogue::store::update(store, Some(earlier));
    update.await.unwrap();
    features::contracts::store::contracts(store, project, None, limit)
        .await
        .unwrap();
    let found = features::configs::store::project_with_configs(store, project, at(1));
    found.await.unwrap().unwrap();
    features::rollups::store::config_with_stats(store, project, config_id(1))
        .await
        .unwrap()
        .unwrap();
    features::keys::store::keys_of(store, project)
        .await
        .unwrap();
    assert!(
        !features::keys::store::knows_key(store, KeyDigest([7; 32]))
            .await
            .unwrap()
    );
    project_lifecycle::set_tier(store, Actor::Operator, project, Tier::Pro, at(1))
        .await
        .unwrap();
    write(store).await;
    manage(store).await;
    count(store).await;
}

/// The statements of the dashboard, and of the background task that sends mails.
async fn manage(store: &Db) {
    // The sign-ins of the last hour are few of those that are stored.
    let now = at(3700);
    let (db, rules) = (store, AccountRules::default());
    let browser = BrowserSecret::generate().unwrap();
    let email: Email = "2000@example.org".parse().unwrap();
    let request = SignInRequest {
        email: email.clone(),
        browser: &browser,
        network: Network::of([10, 0, 0, 1].into()),
        purpose: sign_in::SignInPurpose::SignIn,
    };
    let service = server::config::Config::of(Settings::default()).service;
    let begun = sign_in::begin(db, &service, &rules, request, now).await;
    begun.unwrap();
    let session = || SessionBrowser {
        name: BrowserName::of_user_agent(""),
        session: None,
    };
    let code = SignInCode::parse("00000000").unwrap();
    let refused = sign_in::confirm_code(db, &browser, &code, session(), now).await;
    assert!(refused.is_err());
    let token = SignInToken::generate().unwrap();
    let refused = sign_in::confirm_link(db, &token, &browser, session(), now).await;
    assert!(refused.is_err());
    let signed_in = sign_in::without_proof(db, email, session(), now)
        .await
        .unwrap();
    let actor = Actor::Account(signed_in.account);
    let found = sessions::find(db, &signed_in.secret, &rules, at(3800)).await;
    let session = found.unwrap().unwrap().session.id;
    let listed = sessions::list(db, signed_in.account, &rules, at(3800)).await;
    assert_eq!(listed.unwrap().len(), 2);
    assert!(sessions::end(db, signed_in.account, session).await.unwrap());
    sessions::end_all(db, signed_in.account).await.unwrap();
    let mail = features::mail::store::take_mail(store, now, now)
        .await
        .unwrap()
        .unwrap();
    features::mail::store::postpone_mail(store, mail.id, now)
        .await
        .unwrap();
    features::mail::store::delete_mail(store, mail.id)
        .await
        .unwrap();
    assert_eq!(
        features::projects::store::projects_of(store, signed_in.account)
            .await
            .unwrap()
            .len(),
        1
    );
    let project = project_lifecycle::create_own(
        db,
        signed_in.account,
        (ProjectId(Uuid::now_v7()), "New"),
        &rules,
        now,
    )
    .await;
    project_lifecycle::delete(db, actor, project.unwrap(), now)
        .await
        .unwrap();
    let passkeys = console::passkeys::store::passkeys_of(store, signed_in.account)
        .await
        .unwrap();
    assert_eq!(passkeys.len(), 1);
    let none = console::passkeys::store::take_ceremony(store, CeremonyId(Uuid::nil()), None, now);
    assert_eq!(none.await.unwrap(), None);
    by_provider(store, signed_in.account, now).await;
    let claims = features::claims::store::claims_of(store, actor, project_id(1))
        .await
        .unwrap();
    assert_eq!(claims.unwrap().len(), 100);
    let waiting = features::claims::decision::waiting(store, Actor::Operator).await;
    assert_eq!(waiting.unwrap().len(), 100);
    let history = console::accounts::store::account_events(store, signed_in.account, 50)
        .await
        .unwrap();
    assert_eq!(history.len(), 1);
    let latest = console::tier_requests::latest(store, actor, project_id(1)).await;
    assert!(latest.unwrap().is_some());
    let open = console::tier_requests::open(store, Actor::Operator).await;
    assert_eq!(open.unwrap(), []);
    let invited = console::members::store::invitation(store, SecretDigest([7; 32]))
        .await
        .unwrap();
    assert!(invited.is_none());
    let events = audit::of_project(db, actor, project_id(1), None, 50).await;
    assert_eq!(events.unwrap().unwrap().len(), 50);
}

/// The statements of a sign-in by a provider of OpenID Connect.
async fn by_provider(store: &Db, account: AccountId, now: Timestamp) {
    assert_eq!(
        console::oidc::store::identities_of(store, account)
            .await
            .unwrap()
            .len(),
        1
    );
    let browser = SecretDigest([8; 32]);
    let authorization = NewAuthorization {
        browser,
        purpose: Purpose::SignIn,
        network: Network::of([10, 0, 0, 1].into()),
        created_at: now,
    };
    let begun = console::oidc::store::begin_authorization(store, authorization).await;
    begun.unwrap();
    let taken = console::oidc::store::take_authorization(store, browser, now)
        .await
        .unwrap();
    let (proof, id) = (SessionProof::Mail, IdentityId(Uuid::nil()));
    let session = SessionBrowser {
        name: BrowserName::of_user_agent(""),
        session: None,
    };
    let (_, session) = sign_in::new_session(session, proof, now).unwrap();
    let new = NewIdentity {
        id,
        issuer: String::new(),
        subject: "new".to_owned(),
        label: String::new(),
        created_at: now,
    };
    let sign_in = IdentitySignIn {
        identity: new,
        email: "new@example.org".parse().ok(),
        new: AccountId(Uuid::now_v7()),
        only: None,
        from: (browser, taken.unwrap().network),
        mail: None,
        session,
    };
    console::oidc::store::sign_in_by_identity(store, sign_in)
        .await
        .unwrap();
}

/// The statements about usage, and of the background task that keeps it.
async fn count(store: &Db) {
    let (operator, project) = (Actor::Operator, project_id(1));
    let counted = MinuteCount {
        minute: Minute(1_100),
        project,
        key: KeyId(Uuid::nil()),
        operation: "configs.list",
        class: StatusClass::Success,
        requests: 1,
        is_coarse: false,
    };
    let run = RunId(Uuid::nil());
    features::usage::store::put_usage(store, run, vec![counted])
        .await
        .unwrap();
    for (step, width) in [(Step::Minute, 1), (Step::Hour, 60), (Step::Day, 1440)] {
        let query = UsageQuery {
            project,
            step,
            breakdown: Breakdown::All,
            from: Minute(2_000 * width),
            to: Minute(3_000 * width),
        };
        let rows = features::usage::store::usage(store, operator, query)
            .await
            .unwrap()
            .unwrap();
        assert!(!rows.is_empty(), "{step:?}");
    }
    features::usage::store::last_uses(store, operator, project)
        .await
        .unwrap()
        .unwrap();
    assert!(
        !features::usage::store::fold_usage(store, Minute(200_000))
            .await
            .unwrap()
    );
    let retention = Retention {
        minutes: 0,
        hours: 0,
        days: 0,
    };
    features::usage::store::forget_usage(store, Minute(1_010), retention)
        .await
        .unwrap();
}

async fn write(store: &Db) {
    let given = donation(2, 1, 1, 10);
    let log = [given.clone(), revised(&given), donation(3, 2, 2, 5)];
    let log = log.map(Record::Donation).into();
    for outcome in features::import::store::record(store, log, OnRejection::Stop)
        .await
        .unwrap()
    {
        outcome.unwrap();
    }
    let made = Config {
        created_at: at(200_000),
        ..config(9, 1, &[(1, 1)])
    };
    let idempotency = Idempotency {
        key: "k".to_owned(),
        fingerprint: [1; 32],
    };
    let answer = |_: &Config, _: &[_]| Ok(Vec::new());
    let created = features::configs::store::create_config(
        store,
        crate::records::BY_KEY,
        made,
        Some(idempotency),
        100_000,
        answer,
    )
    .await;
    created.unwrap();
    let deleted = features::configs::store::delete_config(
        store,
        crate::records::BY_KEY,
        project_id(1),
        config_id(9),
        None,
        at(200_001),
    );
    assert!(deleted.await.unwrap());
    let webhook = Webhook {
        id: WebhookId(Uuid::from_u128(1)),
        project: project_id(1),
        url: "https://partner.example/".to_owned(),
        description: None,
        events: EventTypes::from(EventType::ConfigCreated),
        is_enabled: false,
        failing_since: None,
        previous_secret_until: None,
        created_at: at(200_000),
    };
    let (of, secret) = ((webhook.project, webhook.id), SealedSecret(Vec::new()));
    let idempotency = Idempotency {
        key: "w".to_owned(),
        fingerprint: [1; 32],
    };
    let created = features::webhooks::store::create_webhook(
        store,
        crate::records::BY_KEY,
        webhook,
        secret,
        Some(idempotency),
    );
    assert_eq!(created.await.unwrap(), WebhookCreation::Created);
    let deleted = features::webhooks::store::delete_webhook(
        store,
        crate::records::BY_KEY,
        of,
        None,
        at(200_001),
    );
    assert!(deleted.await.unwrap());
}

/// A position in the middle of every list, or none.
fn middle(is_deep: bool) -> Option<Position> {
    is_deep.then_some(Position {
        ordinal: 500,
        key: Vec::new(),
    })
}

/// Waits until no other connection to the database is open.
async fn alone(client: &Client) {
    let others = "SELECT 1 FROM pg_stat_activity
                  WHERE datname = current_database() AND pid <> pg_backend_pid()
                    AND backend_type = 'client backend'";
    let start = Instant::now();
    while !client.query(others, &[]).await.unwrap().is_empty() {
        assert!(start.elapsed() < Duration::from_secs(20), "somebody stays");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

on_postgres! {
    no_hot_question_scans_a_table,
}
