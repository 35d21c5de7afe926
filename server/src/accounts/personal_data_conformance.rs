//! Exporting and erasing accounts, and changing their addresses.

mod address;
mod erasure;
mod export;

use uuid::Uuid;

use super::sign_in::{self, BegunSession, SessionBrowser, SignInError};
use super::{
    Account, AccountId, AccountRules, BrowserName, BrowserSecret, Network, SessionProof,
    SignInCode, SignInRefusal, sessions,
};
use crate::config::{Config, Settings};
use crate::database::Store;
use crate::database::conformance::world::at;
use crate::mail::{Message, NewMail};
use crate::members::invitations::{self, InvitationRequest};
use crate::oidc::{IdentityId, NewIdentity, OidcRefusal};
use crate::passkeys::{NewPasskey, PasskeyId, PasskeyOwner, PasskeyRefusal};
use crate::projects::{self, Actor, ProjectChangeError, ProjectId, Role};

const NOW: i64 = 1_000_000;

/// Signs an address in by the code of its mail.
async fn signs_in(store: &Store, email: &str) -> (BegunSession, Account) {
    let browser = BrowserSecret::generate().unwrap();
    let code = asks(store, email, &browser, None).await;
    let confirmed = confirm(store, &browser, &code, None).await.unwrap();
    let account = account(store, &confirmed).await.unwrap();
    (confirmed, account)
}

/// Asks to confirm an address, for an account if there is one.
async fn begins(
    store: &Store,
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
    sign_in::begin(store.as_ref(), &service, &rules, request, at(NOW)).await
}

/// The same, and takes the mails; gives the code that is mailed to the address.
async fn asks(
    store: &Store,
    email: &str,
    browser: &BrowserSecret,
    account: Option<&Account>,
) -> SignInCode {
    begins(store, email, browser, account).await.unwrap();
    let mut code = None;
    while let Some(mail) = store.take_mail(at(NOW), at(NOW)).await.unwrap() {
        store.delete_mail(mail.id).await.unwrap();
        if mail.message.to.key() == email.to_ascii_lowercase() {
            code = mail.message.text.lines().find_map(SignInCode::parse);
        }
    }
    code.unwrap()
}

async fn confirm(
    store: &Store,
    browser: &BrowserSecret,
    code: &SignInCode,
    session: Option<&BegunSession>,
) -> Result<BegunSession, SignInRefusal> {
    let session = SessionBrowser {
        name: BrowserName::of_user_agent("Firefox/1 Linux"),
        session: session.map(|begun| &begun.secret),
    };
    let confirmed = sign_in::confirm_code(store.as_ref(), browser, code, session, at(NOW)).await;
    confirmed.map_err(|error| match error {
        SignInError::Refused(refusal) => refusal,
        other => panic!("{other}"),
    })
}

/// The account that a session is signed in to.
async fn account(store: &Store, begun: &BegunSession) -> Option<Account> {
    let rules = AccountRules::default();
    let found = sessions::find(store.as_ref(), &begun.secret, &rules, at(NOW)).await;
    found.unwrap().map(|found| found.account)
}

async fn makes_project(store: &Store, owner: &Account, name: &str) -> ProjectId {
    tries_to_make_project(store, owner, name).await.unwrap()
}

async fn tries_to_make_project(
    store: &Store,
    owner: &Account,
    name: &str,
) -> Result<ProjectId, ProjectChangeError> {
    let rules = AccountRules::default();
    let new = (ProjectId(Uuid::now_v7()), name);
    projects::create_own(store.as_ref(), owner.id, new, &rules, at(NOW)).await
}

async fn invites(store: &Store, by: &Account, project: ProjectId, email: &str) {
    let request = InvitationRequest {
        by,
        network: Network::of([10, 0, 0, 1].into()),
        project,
        email: email.parse().unwrap(),
        role: Role::Member,
    };
    let service = Config::of(Settings::default()).service;
    let invited = invitations::invite(store.as_ref(), &service, request, at(NOW)).await;
    invited.unwrap();
}

async fn becomes_owner(store: &Store, account: &Account, project: ProjectId) {
    let member = (account.id, Role::Owner);
    let added = store.add_member(Actor::Operator, project, member, at(NOW));
    added.await.unwrap().unwrap();
}

/// Adds a passkey, which is told to an address.
async fn adds_passkey(
    store: &Store,
    account: AccountId,
    number: u8,
    told: &str,
) -> Result<(), PasskeyRefusal> {
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
    store
        .add_passkey(owner, passkey, mail_to(told))
        .await
        .unwrap()
}

/// Links an identity that has an address at its provider, to which it is told.
async fn links_identity(
    store: &Store,
    account: AccountId,
    address: &str,
) -> Result<(), OidcRefusal> {
    let identity = NewIdentity {
        id: IdentityId(Uuid::now_v7()),
        issuer: "https://accounts.example.org".to_owned(),
        subject: "ada".to_owned(),
        label: address.to_owned(),
        created_at: at(NOW),
    };
    let mail = mail_to(address);
    store.link_identity(account, identity, mail).await.unwrap()
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
