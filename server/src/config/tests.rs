//! Precedence of sources, wrong values, reloads.

use std::collections::BTreeMap;

use super::*;

fn file(text: &str) -> Result<Settings, toml::de::Error> {
    toml::from_str(text)
}

#[test]
fn the_defaults_listen_on_loopback_and_trust_no_proxy() {
    let config = Config::resolve(Settings::default(), Settings::default());
    assert!(config.require_loopback().is_ok());
    assert_eq!(config.trusted_proxies, TrustedProxies::default());
    assert_eq!(
        config.service.public_base_url.as_str(),
        "http://127.0.0.1:8080"
    );
    let page = config.service.charity_page.url("red-fox", "1");
    assert_eq!(page, "http://127.0.0.1:8080/charities/red-fox");
}

/// The default of each setting that has one of its own.
fn defaults(config: &Config) -> BTreeMap<&'static str, String> {
    let seconds = |time: Duration| format!("{}s", time.as_secs());
    let hours = |time: Duration| format!("{}h", time.as_secs() / 3600);
    BTreeMap::from([
        ("listen", config.listen.to_string()),
        ("admin_listen", config.admin_listen.to_string()),
        ("service_name", config.service.name.clone()),
        ("service_domain", config.service.domain.to_string()),
        (
            "redis_timeout",
            format!("{}ms", config.redis_timeout.as_millis()),
        ),
        ("dashboard", config.console.dashboard.to_string()),
        ("session_idle", hours(config.console.accounts.session_idle)),
        ("session_life", hours(config.console.accounts.session_life)),
        (
            "free_projects",
            config.console.accounts.free_projects.to_string(),
        ),
        (
            "keys_per_project",
            config.console.accounts.keys_per_project.to_string(),
        ),
        ("replicas", config.replicas.to_string()),
        ("quota_free", config.quotas.free.to_string()),
        ("quota_pro", config.quotas.pro.to_string()),
        ("quota_enterprise", config.quotas.enterprise.to_string()),
        ("max_networks", config.capacity.networks.to_string()),
        (
            "max_networks_per_48",
            config.capacity.networks_per_48.to_string(),
        ),
        ("max_body", config.max_body.to_string()),
        (
            "max_connections",
            config.connections.max_connections.to_string(),
        ),
        ("max_in_flight", config.max_in_flight.to_string()),
        ("head_timeout", seconds(config.connections.head_timeout)),
        ("request_timeout", seconds(config.request_timeout)),
        ("drain_delay", seconds(config.connections.drain_delay)),
        (
            "shutdown_timeout",
            seconds(config.connections.shutdown_timeout),
        ),
        (
            "log_format",
            format!("{:?}", config.log_format).to_lowercase(),
        ),
        ("log", config.log.to_string()),
        (
            "log_clients",
            format!("{:?}", config.log_clients).to_lowercase(),
        ),
        ("limit_anonymous", config.rates.anonymous.to_string()),
        ("limit_free", config.rates.free.to_string()),
        ("limit_pro", config.rates.pro.to_string()),
        ("limit_enterprise", config.rates.enterprise.to_string()),
        ("limit_pages", config.rates.pages.to_string()),
        ("max_refusals", config.connections.max_refusals.to_string()),
        (
            "min_throughput",
            config.connections.min_throughput.to_string(),
        ),
    ])
}

#[test]
fn the_defaults_are_those_in_the_help() {
    let config = Config::resolve(Settings::default(), Settings::default());
    let defaults = defaults(&config);
    let command = <Settings as clap::Args>::augment_args(clap::Command::new("serve"));
    for argument in command.get_arguments() {
        let (name, help) = (argument.get_id().as_str(), argument.get_help().unwrap());
        let help = help.to_string();
        let (_, in_help) = help.split_once("[default: ").expect(&help);
        let in_help = in_help.trim_end_matches(']');
        match defaults.get(name) {
            Some(default) => assert_eq!(in_help, default, "{name}"),
            None => assert!(
                !in_help.starts_with(|it: char| it.is_ascii_digit()),
                "{name}"
            ),
        }
    }
}

#[test]
fn every_setting_but_the_database_is_a_flag_and_a_variable() {
    let command = <Settings as clap::Args>::augment_args(clap::Command::new("serve"));
    for argument in command.get_arguments() {
        let name = argument.get_long().unwrap();
        let variable = format!("CATALOG_{}", name.replace('-', "_").to_uppercase());
        assert_eq!(argument.get_env().unwrap(), variable.as_str());
    }
}

#[test]
fn flags_override_the_file_which_overrides_the_defaults() {
    let flags = Settings {
        log: Some("warn".parse().unwrap()),
        ..Settings::default()
    };
    let file = file("log = 'debug'\nhead-timeout = '3s'\ntrusted-proxies = ['10.0.0.0/8', '::1']")
        .unwrap();
    let config = Config::resolve(flags, file);
    assert_eq!(config.log.to_string(), "warn");
    assert_eq!(config.connections.head_timeout, Duration::from_secs(3));
    assert!(config.trusted_proxies.contains("10.1.1.1".parse().unwrap()));
    assert_eq!(config.request_timeout, Duration::from_secs(10));
}

#[test]
fn a_whole_file_is_read() {
    let whole = file(
        r#"
        listen = "0.0.0.0:80"
        admin-listen = "10.0.0.1:9090"
        database = "/var/lib/catalog/catalog.db"
        public-base-url = "https://api.example.org"
        service-name = "Example Giving"
        service-domain = "example.org"
        charity-page = "https://example.org/{id}"
        security-contact = "mailto:security@example.org"
        dashboard = true
        mail = "smtps://user:password@mail.example.org"
        mail-from = "catalog@example.org"
        mail-ca = "/etc/mail.crt"
        session-idle = "24h"
        session-life = "48h"
        free-projects = 5
        trusted-proxies = ["10.0.0.0/8"]
        limit-anonymous = 10
        limit-free = 20
        limit-pro = 30
        limit-enterprise = 40
        quota-free = 1
        quota-pro = 2
        quota-enterprise = 3
        max-networks = 1000
        max-networks-per-48 = 10
        redis = "redis://redis.internal:6379/1"
        redis-ca = "/etc/redis.crt"
        redis-timeout = "50ms"
        replicas = 4
        max-body = 1024
        max-connections = 10
        max-connections-per-network = 3
        max-in-flight = 5
        head-timeout = "5s"
        request-timeout = "6s"
        drain-delay = "7s"
        shutdown-timeout = "8s"
        log-format = "json"
        log = "info,access=off"
        log-clients = "network"
        "#,
    )
    .unwrap();
    assert_eq!(whole.clone().or(Settings::default()), whole);
    assert_eq!(Settings::default().or(whole.clone()), whole);
    assert_eq!(
        Config::resolve(Settings::default(), whole).log_format,
        LogFormat::Json
    );
}

#[test]
fn unknown_names_and_wrong_values_are_refused() {
    for text in [
        "listne = '127.0.0.1:80'",
        "listen = 80",
        "redis = 'rediss://redis.internal#insecure'",
        "replicas = 0",
        "max-connections = 0",
        "max-in-flight = 0",
        "head-timeout = 10",
        "service-domain = 'UPPER'",
        "charity-page = 'https://example.org/'",
        "security-contact = 'nobody'",
        "public-base-url = '/'",
        "trusted-proxies = ['anybody']",
        "mail = 'smtp://mail.example.org?tls=none'",
        "mail-from = 'nobody'",
        "log-format = 'xml'",
        "log = 'wran'",
        "limit-free = 0",
        "limit-free = 100001",
    ] {
        let error = file(text).expect_err(text).to_string();
        assert!(error.contains("line 1"), "{error}");
    }
}

#[test]
fn a_missing_file_is_named() {
    let error = Settings::from_file(Path::new("no/such.toml")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot read the configuration file no/such.toml"
    );
}

#[test]
fn a_demo_stays_on_this_machine() {
    let check = |text: &str, ok| {
        let config = Config::resolve(file(text).unwrap(), Settings::default());
        assert_eq!(config.require_loopback().is_ok(), ok, "{text}");
    };
    check("listen = '127.0.0.2:80'", true);
    check("listen = '[::1]:80'", true);
    check("listen = '0.0.0.0:80'", false);
    check("admin-listen = '0.0.0.0:80'", false);
}

/// The rows of the operator's page, each a setting.
fn documented() -> Vec<[String; 5]> {
    let page = include_str!("../../docs/operating.md");
    let (_, table) = page
        .split_once("| setting | environment | value | default | takes effect |\n")
        .unwrap();
    let rows = table.lines().skip(1).take_while(|line| !line.is_empty());
    let cells = |row: &str| {
        let cells = row.trim_matches('|').split(" | ");
        let cells: Vec<_> = cells.map(|cell| cell.trim().replace('`', "")).collect();
        cells.try_into().unwrap()
    };
    rows.map(cells).collect()
}

#[test]
fn the_operators_page_names_every_setting_as_it_is() {
    use clap::CommandFactory;
    let cli = crate::cli::Cli::command();
    let serve = cli.find_subcommand("serve").unwrap();
    let arguments: Vec<_> = serve.get_arguments().chain(cli.get_arguments()).collect();
    let setting = |setting: &Setting| {
        let name = setting.name();
        let argument = arguments
            .iter()
            .find(|argument| argument.get_long() == Some(&name))
            .unwrap();
        let help = argument.get_help().unwrap().to_string();
        let default = help.split_once("[default: ").map_or("", |(_, rest)| rest);
        let effect = match setting.effect {
            Effect::Reload => "at a reload",
            Effect::Restart => "at a restart",
        };
        [
            name,
            argument.get_env().unwrap().to_str().unwrap().to_owned(),
            argument.get_value_names().unwrap()[0].to_string(),
            default.trim_end_matches(']').to_owned(),
            effect.to_owned(),
        ]
    };
    let mut expected: Vec<_> = ALL.iter().map(setting).collect();
    let mut documented = documented();
    expected.sort();
    documented.sort();
    assert_eq!(documented, expected);
}

#[test]
fn a_reload_applies_reloadable_settings_and_names_the_others() {
    let check = |running: &str, new: &str, changed: &[&str], pending: &[&str]| {
        let (running, new) = (file(running).unwrap(), file(new).unwrap());
        let reloaded = running.reloaded(&new);
        assert_eq!(reloaded.changed, changed);
        assert_eq!(reloaded.pending, pending);
        let again = reloaded.settings.reloaded(&new);
        assert_eq!(again.changed, [""; 0], "taken over");
        assert_eq!(again.pending, pending, "not forgotten");
        let back = reloaded.settings.reloaded(&running);
        assert_eq!(back.settings, running);
    };
    check("", "", &[], &[]);
    check("replicas = 2", "replicas = 2", &[], &[]);
    check("", "log = 'warn'", &["log"], &[]);
    check("drain-delay = '1s'", "", &["drain-delay"], &[]);
    check("", "listen = '127.0.0.1:1'", &[], &["listen"]);
    check(
        "limit-pro = 5\nmax-connections = 100",
        "limit-pro = 6\nmax-connections = 80",
        &["limit-pro"],
        &["max-connections"],
    );
}
