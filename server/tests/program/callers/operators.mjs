// Makes an operator in headless Chromium, as operating.md says: signed in by mail, with the code of the command line and a
// virtual authenticator in the place of a device. Mail alone opens nothing.
import { readFileSync } from 'node:fs';
import assert from 'node:assert/strict';
import { SERVER, launch, navigate } from './chromium.mjs';
import { close, look, open } from './look.mjs';

const SITE = `http://localhost:${new URL(SERVER).port}`;
const ADDRESS = 'ada@example.org';
const CODE = readFileSync('code', 'utf8').trim();
const browser = await launch();
const page = await open(browser);
const devtools = await page.context().newCDPSession(page);

async function signInByMail() {
  await page.goto(`${SITE}/dashboard/sign-in`);
  await page.getByLabel('Email address').fill(ADDRESS);
  await navigate(page.getByRole('button', { name: 'Send me a link' }));
  await page.goto(`${SITE}/dashboard/demo/mail`);
  await navigate(page.getByRole('link', { name: 'Open the link' }).first());
  await page.getByRole('button', { name: 'Sign in' }).click();
  // An operator without projects begins in the operators' area, which needs a passkey.
  await page.waitForURL(`${SITE}/dashboard/operator/passkey`);
}

/** Adds a passkey with a code. */
async function add(name, code) {
  await page.goto(`${SITE}/dashboard/passkeys`);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Code from the command line').fill(code);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
}

await signInByMail();
await navigate(page.getByRole('link', { name: 'Overview', exact: true }));
await page.getByRole('heading', { name: 'Passkey required' }).waitFor();
await look(page, 'an operator by mail');
await devtools.send('WebAuthn.enable', { enableUI: false });
const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true,
  isUserVerified: true, automaticPresenceSimulation: true };
const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', { options });

// Another code is refused, the right one is taken, once.
await add('nothing', `${CODE.slice(0, -2)}${CODE.endsWith('AA') ? 'BA' : 'AA'}`);
await page.getByText('this is not it').waitFor();
await devtools.send('WebAuthn.clearCredentials', { authenticatorId });
await add('laptop', CODE);
await page.getByRole('rowheader', { name: 'laptop' }).waitFor();
// The session began by mail still.
await page.getByLabel('Code from the command line').waitFor();
await page.goto(`${SITE}/dashboard/operator`);
await page.getByRole('button', { name: 'Use your passkey' }).click();
await page.getByRole('heading', { name: 'Operator overview', exact: true }).waitFor();
await page.getByLabel('Find a project').fill(ADDRESS);
await navigate(page.getByRole('main').getByRole('button', { name: 'Search' }));
await navigate(page.getByRole('link', { name: ADDRESS }));
await page.getByText('Became an operator').waitFor();
await page.getByText('Added the passkey “laptop”').waitFor();
await look(page, 'an account as an operator sees it');

// In this session a further passkey needs no code.
await page.goto(`${SITE}/dashboard/passkeys`);
assert.equal(await page.getByLabel('Code from the command line').count(), 0);
await close(browser, 'mail and the right code make an operator, whose passkey opens the area');
