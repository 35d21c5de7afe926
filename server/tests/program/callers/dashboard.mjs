// Does in headless Chromium what a developer does in the dashboard of a demo, with scripts and without. A
// page that a developer comes by is looked at in every layout.
//
// A new page joins with a line in PAGES; what is done there, with a function in JOURNEYS.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { SERVER, launch } from './chromium.mjs';
import { close, look, open } from './look.mjs';

/** Pages that need a visit only: a name, and the path from the dashboard or from a project. */
const PAGES = [
  ['projects', '/projects'],
  ['sessions', '/sessions'],
  ['account', '/account'],
  ['step up', '/step-up'],
  ['mailbox', '/demo/mail'],
  ['sign in', '/sign-in'],
  ['code', '/sign-in/sent'],
  ['error', '/no-such-page'],
  ['project', '/projects/PROJECT'],
  ['new key', '/projects/PROJECT/keys/new'],
  ['audit log', '/projects/PROJECT/audit'],
  ['configs', '/projects/PROJECT/configs'],
  ['new config', '/projects/PROJECT/configs/new'],
  ['passkeys', '/passkeys'],
];

/** What developers do. Each starts signed in as the demo's developer, at the projects. */
const JOURNEYS = [
  ['makes a project, and asks the API with its first key', firstKey],
  ['issues a key, which is shown once', issue],
  ['rotates a key', rotate],
  ['revokes a key', revoke],
  ['reads the audit log', auditLog],
  ['makes a config and deletes it', config],
  ['ends another session', endSession],
  ['signs in by mail and signs out', signInByMail],
  ['signs in by code, on another device than the mail is on', signInByCode],
  ['opens a link in another browser, which is not signed in', linkElsewhere],
  ['presses the button of a link in two windows at once', linkTwice],
];

const browser = await launch();
const press = (page, name) => page.getByRole('button', { name }).click();
const follow = (page, name) => page.getByRole('link', { name }).first().click();
const visit = (page, path) => page.goto(`${SERVER}/dashboard${path}`);
const title = (page) => page.getByRole('heading', { level: 1 }).innerText();

async function asDeveloper(javaScriptEnabled) {
  const page = await open(browser, { javaScriptEnabled });
  await visit(page, '/sign-in');
  await press(page, 'Continue as the demo’s developer');
  return page;
}

/** The status of the request that a page shows, pasted into a shell. */
async function paste(page) {
  const line = await page.locator('pre', { hasText: 'curl' }).innerText();
  return execFileSync('sh', ['-c', `${line} --silent --output /dev/null --write-out '%{http_code}'`], { encoding: 'utf8' });
}

async function makeProject(page, name) {
  await visit(page, '/projects');
  await page.getByLabel('Name').fill(name);
  await press(page, 'Make project');
}

let project;

async function firstKey(page) {
  await makeProject(page, `Wallet with a name of many words, ${'x'.repeat(40)}`);
  assert.equal(await title(page), 'Your new key');
  assert.equal(await paste(page), '200');
  await look(page, 'a first key');
  await follow(page, 'I have kept the key');
  project = new URL(page.url()).pathname.split('/').at(-1);
}

async function issue(page) {
  await visit(page, `/projects/${project}/keys/new`);
  await press(page, 'Issue key');
  assert.equal(await title(page), 'Issue a key', 'a key needs a label');
  await page.getByLabel('Label').fill('production');
  await page.getByLabel('in 30 days').check();
  await press(page, 'Issue key');
  const key = await page.locator('.secret').innerText();
  assert.equal(await paste(page), '200');
  await look(page, 'an issued key');
  for (const again of [() => page.reload(), () => page.goBack()]) {
    await again();
    assert.ok(!(await page.content()).includes(key), 'it is shown once');
  }
  await visit(page, `/projects/${project}`);
  assert.equal(await page.getByRole('row', { name: 'production' }).count(), 1, 'it is issued once');
  await look(page, 'a project with keys');
}

async function rotate(page) {
  await visit(page, `/projects/${project}`);
  await follow(page, 'Rotate production');
  await look(page, 'rotating');
  await page.getByLabel('in 1 hour').check();
  await press(page, 'Rotate key');
  assert.equal(await paste(page), '200');
  await look(page, 'a rotated key');
}

async function revoke(page) {
  await visit(page, `/projects/${project}`);
  await follow(page, 'Revoke production');
  await look(page, 'revoking');
  await press(page, 'Revoke key');
  assert.equal(await page.getByText('revoked', { exact: true }).count(), 1);
}

async function auditLog(page) {
  await visit(page, `/projects/${project}`);
  await follow(page, 'Audit log');
  for (const entry of ['Made the project', 'Issued the key', 'Rotated the key', 'Revoked the key']) {
    assert.ok(await page.getByText(entry).first().isVisible(), entry);
  }
}

async function config(page) {
  await visit(page, `/projects/${project}/configs`);
  await look(page, 'no config yet');
  await follow(page, 'Make a config');
  for (const words of ['river', 'otter']) {
    await page.getByLabel('Words of the name').fill(words);
    await press(page, 'Search');
    await page.getByRole('button', { name: /^Add / }).first().click();
  }
  await page.getByLabel(/^Weight of /).first().fill('0');
  await press(page, 'Show shares');
  await look(page, 'a wrong weight');
  await page.getByLabel(/^Weight of /).first().fill('3');
  await press(page, 'Create config');
  await look(page, 'a config');
  await follow(page, 'Delete');
  await look(page, 'deleting a config');
  await press(page, 'Delete config');
}

async function endSession(page, javaScriptEnabled) {
  const other = await asDeveloper(javaScriptEnabled);
  await visit(page, '/sessions');
  await look(page, 'several sessions');
  await press(page, 'End all other sessions');
  await other.reload();
  assert.equal(await title(other), 'Sign in');
  await other.context().close();
}

/** Asks for a mail; the page of the field for its code follows. */
async function ask(page, email) {
  await visit(page, '/sign-in');
  await page.getByLabel('Mail address').fill(email);
  await press(page, 'Send me a link');
}

/** The link and the code of the newest sign-in, from the demo's mails, which are read elsewhere. */
async function mail() {
  const reader = await open(browser);
  await visit(reader, '/demo/mail');
  const signIn = reader.locator('article').filter({ hasText: 'Open this link in the browser' }).first();
  const text = await signIn.locator('pre').innerText();
  await reader.context().close();
  return { link: text.match(/^http\S+$/m)[0], code: text.match(/^\w{4}-\w{4}$/m)[0] };
}

async function signInByMail(_, javaScriptEnabled) {
  const page = await open(browser, { javaScriptEnabled });
  await ask(page, 'ada@example.org');
  await page.goto((await mail()).link);
  await look(page, 'after the link');
  await press(page, 'Sign in');
  await look(page, 'no project yet');
  await press(page, 'Sign out');
  await visit(page, '/projects');
  assert.equal(await title(page), 'Sign in');
  await page.context().close();
}

async function signInByCode(_, javaScriptEnabled) {
  const page = await open(browser, { javaScriptEnabled });
  await ask(page, `${'a-long-name-'.repeat(5)}@example.org`);
  await page.getByLabel('Code').fill('AAAA-AAAA');
  await press(page, 'Sign in');
  await look(page, 'a wrong code');
  await page.getByLabel('Code').fill((await mail()).code.toLowerCase());
  await press(page, 'Sign in');
  await look(page, 'a long address');
  await page.context().close();
}

async function linkElsewhere(_, javaScriptEnabled) {
  const [asked, other] = [await open(browser, { javaScriptEnabled }), await open(browser, { javaScriptEnabled })];
  await ask(asked, 'eve@example.org');
  const { link } = await mail();
  await other.goto(link);
  assert.equal(await title(other), 'This link does not work here');
  await look(other, 'a link elsewhere');
  await visit(other, '/projects');
  assert.equal(await title(other), 'Sign in');
  await asked.goto(link);
  await press(asked, 'Sign in');
  assert.equal(await title(asked), 'Projects', 'it works still where it was asked for');
  for (const page of [asked, other]) await page.context().close();
}

async function linkTwice(_, javaScriptEnabled) {
  const first = await open(browser, { javaScriptEnabled });
  await ask(first, 'bob@example.org');
  const { link } = await mail();
  await first.goto(link);
  const second = await first.context().newPage();
  await second.goto(link);
  await Promise.all([first, second].map((page) => press(page, 'Sign in')));
  const titles = await Promise.all([first, second].map(title));
  assert.deepEqual(titles.sort(), ['Projects', 'This link does not work here']);
  await first.context().close();
}

for (const javaScriptEnabled of [true, false]) {
  for (const [what, journey] of JOURNEYS) {
    const page = await asDeveloper(javaScriptEnabled);
    await journey(page, javaScriptEnabled).catch((error) => {
      throw new Error(`A developer ${what}, scripts ${javaScriptEnabled ? 'on' : 'off'}`, { cause: error });
    });
    await page.context().close();
  }
  const page = await asDeveloper(javaScriptEnabled);
  for (const [name, path] of PAGES) {
    await visit(page, path.replace('PROJECT', project));
    await look(page, name);
  }
  await page.context().close();
}
await close(browser, `${JOURNEYS.length} journeys and ${PAGES.length} pages, with scripts and without`);
