// Makes and uses passkeys in headless Chromium, whose virtual authenticators stand for devices: they are
// added, sign in, confirm a session and are removed; a ceremony is cancelled, a counter goes back.
import assert from 'node:assert/strict';
import { PICTURES, SERVER, launch, navigate, screenshot } from './chromium.mjs';

const SITE = `http://localhost:${new URL(SERVER).port}`;
const browser = await launch();

/** A window with a device, and what it does with passkeys. */
async function open() {
  const context = await browser.newContext();
  const page = await context.newPage();
  page.on('pageerror', (error) => { throw error; });
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) throw new Error(message.text());
  });
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable', { enableUI: false });
  return { context, page, device: (method, options) => devtools.send(`WebAuthn.${method}`, options) };
}

/** Adds a device that answers at once. */
async function added(device) {
  const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true,
    isUserVerified: true, automaticPresenceSimulation: true };
  return (await device('addVirtualAuthenticator', { options })).authenticatorId;
}

async function picture(page, name) {
  if (PICTURES) await screenshot(page, `${PICTURES}/${name}.png`, { fullPage: true });
}

async function cookie(context) {
  return (await context.cookies()).find(({ name }) => name === 'session')?.value;
}

/** Adds a passkey with a name. */
async function make(page, name) {
  await page.goto(`${SITE}/dashboard/passkeys`);
  await page.getByLabel('Name').fill(name);
  await navigate(page.getByRole('button', { name: 'Add a passkey' }));
  await page.getByRole('rowheader', { name }).waitFor();
  await page.getByText('Passkey added.').waitFor();
}

const { context, page, device } = await open();
await page.goto(`${SITE}/dashboard/sign-in`);
await page.getByRole('button', { name: 'Continue as the demo’s developer' }).click();
await page.waitForURL(`${SITE}/dashboard/projects`);

// A page at the address leads to the name, for which passkeys are made.
const aside = await context.newPage();
await aside.goto(`${SERVER}/dashboard/passkeys`);
assert.equal(aside.url(), `${SITE}/dashboard/passkeys`);
await aside.close();

// The device asks for its lock to be opened, the person declines, and nothing has changed.
const laptop = await added(device);
const unlock = (isUserVerified) => device('setUserVerified', { authenticatorId: laptop, isUserVerified });
await unlock(false);
await page.goto(`${SITE}/dashboard/passkeys`);
assert.ok(await page.getByText('No passkeys yet.').isVisible());
await picture(page, 'no-passkey');
await page.getByLabel('Name').fill('nothing');
await page.getByRole('button', { name: 'Add a passkey' }).click();
await page.getByText('No passkey was used.').waitFor();
await picture(page, 'cancelled');

await unlock(true);
await make(page, 'laptop');
await picture(page, 'passkey');

// The same device has one already.
await page.getByLabel('Name').fill('laptop again');
await page.getByRole('button', { name: 'Add a passkey' }).click();
await page.getByText('This device already has a passkey for your account.').waitFor();

// The page to sign in offers it, and it signs in, in a session of its own.
const before = await cookie(context);
await page.getByRole('button', { name: 'Sign out' }).click();
await page.waitForURL(`${SITE}/dashboard/projects`);
const signedIn = await cookie(context);
assert.ok(signedIn && signedIn !== before, 'a new session has begun');
await page.goto(`${SITE}/dashboard/passkeys`);
assert.ok(await page.getByText('this session').isVisible());

// It confirms that it is the same person, and the session gets another secret.
await page.goto(`${SITE}/dashboard/step-up`);
await picture(page, 'step-up');
await page.getByRole('button', { name: 'Use a passkey' }).click();
await page.waitForURL(`${SITE}/dashboard/projects`);
assert.notEqual(await cookie(context), signedIn, 'the session id changes');

// A second passkey, on a key that is carried along.
await device('removeVirtualAuthenticator', { authenticatorId: laptop }).catch(() => {});
const key = await added(device);
await make(page, 'blue security key');
assert.equal(await page.getByRole('rowheader').count(), 2);

// Where the browser offers none, a button signs in.
await page.addInitScript(() => { PublicKeyCredential.isConditionalMediationAvailable = async () => false; });
await navigate(page.getByRole('button', { name: 'Sign out' }));
await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
await page.waitForURL(`${SITE}/dashboard/projects`);

// Its counter goes back, as that of a copy does: it is refused.
const { credentials: [credential] } = await device('getCredentials', { authenticatorId: key });
await page.goto(`${SITE}/dashboard/step-up`);
await page.getByRole('button', { name: 'Use a passkey' }).click();
await page.waitForURL(`${SITE}/dashboard/projects`);
await device('removeCredential', { authenticatorId: key, credentialId: credential.credentialId });
await device('addCredential', { authenticatorId: key, credential: { ...credential, signCount: 0 } });
await page.goto(`${SITE}/dashboard/step-up`);
await page.getByRole('button', { name: 'Use a passkey' }).click();
await page.getByText('there may be a copy of it').waitFor();
await picture(page, 'counter');

// Removed, it ends the session that it began, and signs in no more.
await page.goto(`${SITE}/dashboard/passkeys`);
await navigate(page.getByRole('link', { name: 'Remove blue security key' }));
await page.getByText('this one included').waitFor();
await picture(page, 'remove');
await page.getByRole('button', { name: 'Remove passkey' }).click();
await page.waitForURL(`${SITE}/dashboard/sign-in`);
await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
await page.getByText('This passkey is unknown here').waitFor();
await picture(page, 'unknown');

// The account was told of each change.
await page.goto(`${SITE}/dashboard/demo/mail`);
assert.equal(await page.getByRole('heading', { name: /A passkey was added/ }).count(), 2);
assert.equal(await page.getByRole('heading', { name: /A passkey was removed/ }).count(), 1);
await context.close();
await browser.close();
console.log('passkeys are made, used, refused and removed');
