//! Exporting and erasing accounts, and changing their addresses.

mod address;
mod erasure;
mod export;

use uuid::Uuid;

use crate::records::at;
use crate::{oidc, passkeys};
use console::accounts::sign_in::{self, BegunSession, SessionBrowser, SignInError};
use console::accounts::{
    Account, AccountRules, BrowserName, BrowserSecret, Network, SessionProof, SignInCode,
    SignInRejection, sessions,
};
use console::members::invitations::{self, InvitationRequest};
use console::oidc::{NewIdentity, OidcRejection};
use console::passkeys::{NewPasskey, PasskeyOwner, PasskeyRejection};
use db::Db;
use features::domain::ids::{AccountId, IdentityId, PasskeyId};
use features::mail::{Message, NewMail};
use features::project_lifecycle::{self, ProjectChangeError};
use features::projects::{Actor, ProjectId, Role};
use server::config::{Config, Settings};

const NOW: i64 = 1_000_000;

/// Signs an address in by the code of its mail.
async fn signs_in(store: &Db, email: &str) -> (BegunSession, Account) {
    let browser = BrowserSecret::generate().unwrap();
    let code = asks(store, email, &browser, None).await;
    let confirmed = confirm(store, &browser, &code, None).await.unwrap();
    let account = account(store, &confirmed).await.unwrap();
    (confirmed, account)
}

/// Asks to confirm an address, for an account if there is one.
async fn begins(
    store: &Db,
    email: &str,
    browser: &BrowserSecret,
    account: Option<&Account>,
) -> Result<(), SignInError> {
    let request = sign_in::SignInRequest {
        email: email.parse().unwrap(),
        browser,
        network: Network::of([10, 0, 0, 1].into()),
        purpose: match account {
            Some(account) => sign_in::SignInPurpose::NewAddress(account),
            None => sign_in::SignInPurpose::SignIn,
        },
    };
    let rules = AccountRules::default();
    let service = Config::of(Settings::default()).service;
    sign_in::begin(store, &service, &rules, request, at(NOW)).await
}

/// The same, and takes the mails; gives the code that is mailed to the address.
async fn asks(
    store: &Db,
    email: &str,
    browser: &BrowserSecret,
    account: Option<&Account>,
) -> SignInCode {
    begins(store, email, browser, account).await.unwrap();
    let mut code = None;
    while let Some(mail) = features::mail::store::take_mail(store, at(NOW), at(NOW))
        .await
        .unwrap()
    {
        features::mail::store::delete_mail(store, mail.id)
            .await
            .unwrap();
        if mail.message.to.key() == email.to_ascii_lowercase() {
            code = mail.message.text.lines().find_map(SignInCode::parse);
        }
    }
    code.unwrap()
}

async fn confirm(
    store: &Db,
    browser: &BrowserSecret,
    code: &SignInCode,
    session: Option<&BegunSession>,
) -> Result<BegunSession, SignInRejection> {
    let session = SessionBrowser {
        name: BrowserName::of_user_agent("Firefox/1 Linux"),
        session: session.map(|begun| &begun.secret),
    };
    let confirmed = sign_in::confirm_code(store, browser, code, session, at(NOW)).await;
    confirmed.map_err(|error| match error {
        SignInError::Rejected(rejection) => rejection,
        other => panic!("{other}"),
    })
}

/// The account that a session is signed in to.
async fn account(store: &Db, begun: &BegunSession) -> Option<Account> {
    let rules = AccountRules::default();
    let found = sessions::find(store, &begun.secret, &rules, at(NOW)).await;
    found.unwrap().map(|found| found.account)
}

async fn makes_project(store: &Db, owner: &Account, name: &str) -> ProjectId {
    tries_to_make_project(store, owner, name).await.unwrap()
}

async fn tries_to_make_project(
    store: &Db,
    owner: &Account,
    name: &str,
) -> Result<ProjectId, ProjectChangeError> {
    let rules = AccountRules::default();
    let new = (ProjectId(Uuid::now_v7()), name);
    project_lifecycle::create_own(store, owner.id, new, &rules, at(NOW)).await
}

async fn invites(store: &Db, by: &Account, project: ProjectId, email: &str) {
    let request = InvitationRequest {
        by,
        network: Network::of([10, 0, 0, 1].into()),
        project,
        email: email.parse().unwrap(),
        role: Role::Member,
    };
    let service = Config::of(Settings::default()).service;
    let invited = invitations::invite(store, &service, request, at(NOW)).await;
    invited.unwrap();
}

async fn becomes_owner(store: &Db, account: &Account, project: ProjectId) {
    let member = (account.id, Role::Owner);
    let added = features::project_lifecycle::store::add_member(
        store,
        Actor::Operator,
        project,
        member,
        at(NOW),
    );
    added.await.unwrap();
}

/// Adds a passkey, which is told to an address.
async fn adds_passkey(
    store: &Db,
    account: AccountId,
    number: u8,
    told: &str,
) -> Result<(), PasskeyRejection> {
    let owner = PasskeyOwner {
        account,
        proof: SessionProof::Mail,
    };
    let passkey = NewPasskey {
        id: PasskeyId(Uuid::from_bytes([number; 16])),
        name: "A phone".to_owned(),
        credential_id: vec![number; 16],
        credential: "{}".to_owned(),
        enrolment: None,
        created_at: at(NOW),
    };
    let added = console::passkeys::store::add_passkey(store, owner, passkey, mail_to(told)).await;
    added.map_err(passkeys::rejection)
}

/// Links an identity that has an address at its provider, to which it is told.
async fn links_identity(
    store: &Db,
    account: AccountId,
    address: &str,
) -> Result<(), OidcRejection> {
    let identity = NewIdentity {
        id: IdentityId(Uuid::now_v7()),
        issuer: "https://accounts.example.org".to_owned(),
        subject: "ada".to_owned(),
        label: address.to_owned(),
        created_at: at(NOW),
    };
    let mail = mail_to(address);
    let linked = console::oidc::store::link_identity(store, account, identity, mail).await;
    linked.map_err(oidc::rejection)
}

fn mail_to(address: &str) -> NewMail {
    let message = Message {
        to: address.parse().unwrap(),
        subject: "Told".to_owned(),
        text: String::new(),
        html: String::new(),
    };
    NewMail::new(message, at(NOW))
}
