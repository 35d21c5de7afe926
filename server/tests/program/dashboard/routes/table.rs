//! The table of the routes of the dashboard.

/// The status of the answer to each role.
pub(super) enum Answers {
    /// To anybody.
    Anybody(u16),
    /// To an account; nobody else is signed in, and is sent to do so.
    Account(u16),
    /// To a stranger 404, to a member and an owner these.
    Project { member: u16, owner: u16 },
    /// To an operator, in a session that began with a passkey; for every other account it is not there.
    Operator(u16),
}
use Answers::{Account, Anybody, Operator, Project};

/// A page or a form for members and owners.
const MANAGED: Answers = Project {
    member: 200,
    owner: 200,
};
/// A change that members and owners may make.
const CHANGED: Answers = Project {
    member: 303,
    owner: 303,
};
/// A route that does not exist.
const NONE: Answers = Project {
    member: 404,
    owner: 404,
};
/// A change that only owners may make.
const OWNED: Answers = Project {
    member: 403,
    owner: 303,
};

/// Method, path, the fields of the form, the answers.
pub(super) type Row = (&'static str, &'static str, &'static str, Answers);

/// The routes. Those that end a session or a project come last.
pub(super) const ROUTES: &[Row] = &[
    ("GET", "/dashboard", "", Account(303)),
    ("GET", "/dashboard/search", "", Account(200)),
    ("GET", "/dashboard/projects", "", Account(200)),
    ("POST", "/dashboard/projects", "name=", Account(422)),
    ("GET", "/dashboard/projects/{project}", "", MANAGED),
    ("GET", "/dashboard/projects/{project}/audit", "", MANAGED),
    ("GET", "/dashboard/projects/{project}/usage", "", MANAGED),
    (
        "GET",
        "/dashboard/projects/{project}/usage.csv",
        "",
        MANAGED,
    ),
    ("GET", "/dashboard/projects/{project}/requests", "", MANAGED),
    ("GET", "/dashboard/projects/{project}/keys", "", MANAGED),
    ("GET", "/dashboard/projects/{project}/keys/new", "", MANAGED),
    (
        "POST",
        "/dashboard/projects/{project}/keys",
        "nonce={new}&label=x&expiry=90d",
        MANAGED,
    ),
    (
        "GET",
        "/dashboard/projects/{project}/keys/{key}/rotate",
        "",
        MANAGED,
    ),
    (
        "GET",
        "/dashboard/projects/{project}/keys/{key}/revoke",
        "",
        MANAGED,
    ),
    (
        "POST",
        "/dashboard/projects/{project}/keys/{key}/rotate",
        "nonce={new}&overlap=7d&expiry=90d",
        // A key is rotated once, and the member has done it.
        Project {
            member: 200,
            owner: 409,
        },
    ),
    (
        "GET",
        "/dashboard/projects/{project}/keys/{key}/changes",
        "",
        MANAGED,
    ),
    (
        "POST",
        "/dashboard/projects/{project}/keys/{key}/changes/disable-webhooks",
        "",
        CHANGED,
    ),
    (
        "GET",
        "/dashboard/projects/{project}/members/{member}/changes",
        "",
        MANAGED,
    ),
    (
        "POST",
        "/dashboard/projects/{project}/members/{member}/changes/disable-webhooks",
        "",
        CHANGED,
    ),
    (
        "GET",
        "/dashboard/projects/{project}/keys/{key}/rename",
        "",
        MANAGED,
    ),
    (
        "POST",
        "/dashboard/projects/{project}/keys/{key}/rename",
        "label=server",
        CHANGED,
    ),
    (
        "GET",
        "/dashboard/projects/{project}/keys/{key}/disable",
        "",
        MANAGED,
    ),
    (
        "POST",
        "/dashboard/projects/{project}/keys/{key}/disable",
        "",
        CHANGED,
    ),
    (
        "POST",
        "/dashboard/projects/{project}/keys/{key}/enable",
        "",
        CHANGED,
    ),
    (
        "POST",
        "/dashboard/projects/{project}/keys/{key}/revoke",
        "",
        CHANGED,
    ),
    ("GET", "/dashboard/projects/{project}/configs", "", MANAGED),
    (
        "GET",
        "/dashboard/projects/{project}/configs/new",
        "",
        MANAGED,
    ),
    (
        "POST",
        "/dashboard/projects/{project}/configs",
        "nonce={new}",
        Project {
            member: 422,
            owner: 422,
        },
    ),
    (
        "GET",
        "/dashboard/projects/{project}/configs/{config}",
        "",
        NONE,
    ),
    (
        "GET",
        "/dashboard/projects/{project}/configs/{config}/delete",
        "",
        NONE,
    ),
    (
        "POST",
        "/dashboard/projects/{project}/configs/{config}/delete",
        "",
        NONE,
    ),
    (
        "POST",
        "/dashboard/projects/{project}/configs/{config}/simulate",
        "",
        NONE,
    ),
    (
        "GET",
        "/dashboard/projects/{project}/contracts",
        "",
        MANAGED,
    ),
    (
        "GET",
        "/dashboard/projects/{project}/contracts/new",
        "",
        MANAGED,
    ),
    (
        "POST",
        "/dashboard/projects/{project}/contracts",
        "chain=0&address=x",
        Project {
            member: 422,
            owner: 422,
        },
    ),
    (
        "GET",
        "/dashboard/projects/{project}/claims/{new}",
        "",
        NONE,
    ),
    (
        "POST",
        "/dashboard/projects/{project}/claims/{new}/proof",
        "nonce={new}&signature=x",
        NONE,
    ),
    (
        "POST",
        "/dashboard/projects/{project}/claims/{new}/queue",
        "note=x",
        NONE,
    ),
    (
        "POST",
        "/dashboard/projects/{project}/claims/{new}/withdraw",
        "",
        Project {
            member: 403,
            owner: 404,
        },
    ),
    (
        "GET",
        "/dashboard/projects/{project}/claims/{new}/withdraw",
        "",
        NONE,
    ),
    (
        "GET",
        "/dashboard/projects/{project}/contracts/release",
        "",
        NONE,
    ),
    (
        "POST",
        "/dashboard/projects/{project}/contracts/release",
        "chain=1&address=0x0000000000000000000000000000000000000001",
        Project {
            member: 403,
            owner: 404,
        },
    ),
    ("GET", "/dashboard/projects/{project}/webhooks", "", MANAGED),
    (
        "GET",
        "/dashboard/projects/{project}/webhooks/new",
        "",
        MANAGED,
    ),
    (
        "POST",
        "/dashboard/projects/{project}/webhooks",
        "nonce={new}&url=https://partner.example/&event=key.expiring",
        MANAGED,
    ),
    (
        "GET",
        "/dashboard/projects/{project}/webhooks/{webhook}",
        "",
        MANAGED,
    ),
    (
        "GET",
        "/dashboard/projects/{project}/webhooks/{webhook}/edit",
        "",
        MANAGED,
    ),
    (
        "POST",
        "/dashboard/projects/{project}/webhooks/{webhook}/edit",
        "url=https://partner.example/&event=config.created",
        CHANGED,
    ),
    (
        "GET",
        "/dashboard/projects/{project}/webhooks/{webhook}/rotate",
        "",
        MANAGED,
    ),
    (
        "POST",
        "/dashboard/projects/{project}/webhooks/{webhook}/rotate",
        "since=32503680000000",
        MANAGED,
    ),
    (
        "POST",
        "/dashboard/projects/{project}/webhooks/{webhook}/test",
        "",
        CHANGED,
    ),
    (
        "GET",
        "/dashboard/projects/{project}/webhooks/{webhook}/deliveries/{delivery}",
        "",
        MANAGED,
    ),
    (
        "POST",
        "/dashboard/projects/{project}/webhooks/{webhook}/deliveries/{delivery}/redeliver",
        "",
        CHANGED,
    ),
    (
        "POST",
        "/dashboard/projects/{project}/webhooks/{webhook}/disable",
        "",
        CHANGED,
    ),
    (
        "POST",
        "/dashboard/projects/{project}/webhooks/{webhook}/enable",
        "",
        CHANGED,
    ),
    (
        "GET",
        "/dashboard/projects/{project}/webhooks/{webhook}/delete",
        "",
        MANAGED,
    ),
    (
        "POST",
        "/dashboard/projects/{project}/webhooks/{webhook}/delete",
        "",
        // Whoever comes second finds it deleted.
        Project {
            member: 303,
            owner: 404,
        },
    ),
    ("GET", "/dashboard/projects/{project}/tier", "", MANAGED),
    (
        "POST",
        "/dashboard/projects/{project}/tier",
        "tier=enterprise&reason=Again",
        Project {
            member: 422,
            owner: 422,
        },
    ),
    ("GET", "/dashboard/operator", "", Operator(200)),
    (
        "GET",
        "/dashboard/operator/accounts/{account}",
        "",
        Operator(200),
    ),
    (
        "GET",
        "/dashboard/operator/projects/{project}",
        "",
        Operator(200),
    ),
    (
        "POST",
        "/dashboard/operator/projects/{project}/tier",
        "tier=pro",
        Operator(303),
    ),
    ("GET", "/dashboard/operator/requests", "", Operator(200)),
    (
        "POST",
        "/dashboard/operator/requests/tiers/{request}",
        "decision=accept&answer=Yes",
        Operator(303),
    ),
    (
        "POST",
        "/dashboard/operator/requests/claims/{claim}",
        "decision=decline&answer=No",
        Operator(303),
    ),
    ("GET", "/dashboard/operator/passkey", "", Operator(200)),
    ("GET", "/dashboard/projects/{project}/members", "", MANAGED),
    (
        "POST",
        "/dashboard/projects/{project}/members/{member}/role",
        "role=member",
        OWNED,
    ),
    (
        "GET",
        "/dashboard/projects/{project}/members/{member}/remove",
        "",
        Project {
            member: 403,
            owner: 200,
        },
    ),
    (
        "POST",
        "/dashboard/projects/{project}/invitations",
        "email=new@example.org&role=member",
        OWNED,
    ),
    (
        "POST",
        "/dashboard/projects/{project}/invitations/{invitation}/revoke",
        "",
        OWNED,
    ),
    // A suspension ends invitations.
    (
        "POST",
        "/dashboard/operator/projects/{project}/suspend",
        "reason=Spam",
        Operator(303),
    ),
    (
        "POST",
        "/dashboard/operator/projects/{project}/resume",
        "",
        Operator(303),
    ),
    (
        "POST",
        "/dashboard/projects/{project}/members/{member}/remove",
        "",
        OWNED,
    ),
    ("GET", "/dashboard/projects/{project}/settings", "", MANAGED),
    (
        "GET",
        "/dashboard/projects/{project}/rename",
        "",
        Project {
            member: 403,
            owner: 200,
        },
    ),
    (
        "POST",
        "/dashboard/projects/{project}/rename",
        "name=A+purse",
        OWNED,
    ),
    (
        "GET",
        "/dashboard/projects/{project}/delete",
        "",
        Project {
            member: 403,
            owner: 200,
        },
    ),
    (
        "POST",
        "/dashboard/projects/{project}/delete",
        "name=",
        Project {
            member: 403,
            owner: 422,
        },
    ),
    ("GET", "/dashboard/invitation", "", Anybody(200)),
    ("GET", "/dashboard/invitation/link", "", Anybody(422)),
    ("POST", "/dashboard/invitation/accept", "", Account(422)),
    ("POST", "/dashboard/invitation/decline", "", Account(422)),
    ("GET", "/dashboard/account", "", Account(200)),
    ("GET", "/dashboard/account/address", "", Account(200)),
    ("POST", "/dashboard/account/address", "email=", Account(422)),
    ("GET", "/dashboard/account/export", "", Account(200)),
    ("GET", "/dashboard/account/erase", "", Account(200)),
    ("POST", "/dashboard/account/erase", "email=", Account(422)),
    ("GET", "/dashboard/sessions", "", Account(200)),
    ("POST", "/dashboard/sessions/{new}/end", "", Account(404)),
    ("POST", "/dashboard/sessions/end-others", "", Account(303)),
    ("GET", "/dashboard/passkeys", "", Account(200)),
    ("POST", "/dashboard/passkeys/challenge", "", Account(200)),
    (
        "POST",
        "/dashboard/passkeys",
        "ceremony={new}&credential=&name=x",
        Account(422),
    ),
    ("GET", "/dashboard/passkeys/{new}/remove", "", Account(404)),
    ("POST", "/dashboard/passkeys/{new}/remove", "", Account(404)),
    ("GET", "/dashboard/step-up", "", Account(200)),
    (
        "POST",
        "/dashboard/step-up/passkey",
        "ceremony={new}&credential=",
        Account(422),
    ),
    ("POST", "/dashboard/step-up", "", Account(303)),
    ("GET", "/dashboard/sign-in", "", Anybody(200)),
    ("POST", "/dashboard/sign-in", "email=", Anybody(422)),
    ("GET", "/dashboard/sign-in/sent", "", Anybody(200)),
    ("POST", "/dashboard/sign-in/code", "code=", Anybody(422)),
    ("GET", "/dashboard/sign-in/link", "", Anybody(422)),
    ("GET", "/dashboard/sign-in/confirm", "", Anybody(422)),
    ("POST", "/dashboard/sign-in/confirm", "", Anybody(422)),
    (
        "POST",
        "/dashboard/sign-in/passkey/challenge",
        "",
        Anybody(200),
    ),
    (
        "POST",
        "/dashboard/sign-in/passkey",
        "ceremony={new}&credential=",
        Anybody(422),
    ),
    ("POST", "/dashboard/sign-in/oidc", "", Anybody(200)),
    ("GET", "/dashboard/sign-in/oidc/callback", "", Anybody(422)),
    ("POST", "/dashboard/step-up/oidc", "", Account(200)),
    ("GET", "/dashboard/identities", "", Account(200)),
    ("POST", "/dashboard/identities", "", Account(200)),
    (
        "GET",
        "/dashboard/identities/{new}/unlink",
        "",
        Account(404),
    ),
    (
        "POST",
        "/dashboard/identities/{new}/unlink",
        "",
        Account(404),
    ),
    ("POST", "/dashboard/leaked-keys", "", Anybody(400)),
    ("POST", "/dashboard/sign-in/demo", "", Anybody(303)),
    ("GET", "/dashboard/demo/mail", "", Anybody(200)),
    ("POST", "/dashboard/sign-out", "", Account(303)),
];
