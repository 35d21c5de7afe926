// Does in headless Chromium what a developer does in the dashboard of a demo, with scripts and without. A
// page that a developer comes by is looked at in every layout.
//
// A new page joins with a line in PAGES; what is done there, with a function in JOURNEYS.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { SERVER, launch, navigate } from './chromium.mjs';
import { close, look, open } from './look.mjs';

/** Pages that need a visit only: a name, and the path from the dashboard or from a project. */
const PAGES = [
  ['projects', '/projects'],
  ['sessions', '/sessions'],
  ['account', '/account'],
  ['step up', '/step-up'],
  ['mailbox', '/demo/mail'],
  ['code', '/sign-in/sent'],
  ['error', '/no-such-page'],
  ['project', '/projects/PROJECT'],
  ['project with donations', '/projects/CONTRACTS'],
  ['keys', '/projects/PROJECT/keys'],
  ['new key', '/projects/PROJECT/keys/new'],
  ['audit log', '/projects/PROJECT/audit'],
  ['configs', '/projects/PROJECT/configs'],
  ['new config', '/projects/PROJECT/configs/new'],
  ['passkeys', '/passkeys'],
  ['members', '/projects/PROJECT/members'],
  ['contracts', '/projects/PROJECT/contracts'],
  ['new claim', '/projects/PROJECT/contracts/new'],
  ['usage of a new project', '/projects/PROJECT/usage'],
  ['last requests', '/projects/PROJECT/requests'],
  ['deleting a project', '/projects/PROJECT/delete'],
  ['webhooks of the demo', '/projects/CONTRACTS/webhooks'],
  ['usage of a month by key', '/projects/MONTH/usage?width=day&by=key'],
  ['usage by operation', '/projects/MONTH/usage?by=operation&zone=Asia/Kolkata'],
  ['contracts and claims', '/projects/CONTRACTS/contracts'],
  ['configs with donations', '/projects/CONTRACTS/configs'],
  ['no invitation', '/invitation'],
  ['changing the address', '/account/address'],
  ['erasing an account with projects', '/account/erase'],
];

/** Projects of the demo: one with a month of requests, and one with contracts, claims and configs. */
const MONTH = 'd3000000-0000-4000-8000-000000000002';
const CONTRACTS = 'd3000000-0000-4000-8000-000000000003';

/** What developers do. Each starts signed in as the demo's developer, at the projects. */
const JOURNEYS = [
  ['makes a project, and asks the API with its first key', firstKey],
  ['issues a key, which is shown once', issue],
  ['rotates a key', rotate],
  ['clicks twice on what issues a key', clickTwice],
  ['renames a key and the project', rename],
  ['disables a key, and enables it', disable],
  ['revokes a key', revoke],
  ['reads the audit log', auditLog],
  ['makes a config and deletes it', config],
  ['looks at usage and last requests', usage],
  ['creates a webhook, tests it, and deletes it', webhook],
  ['claims a contract, and asks an operator', claim],
  ['invites a member, who joins and is removed', team],
  ['changes the address, deletes a project, and erases the account', leave],
  ['ends another session', endSession],
  ['signs in by mail and signs out', signInByMail],
  ['signs in by code, on another device than the mail is on', signInByCode],
  ['opens a link in another browser, which is not signed in', linkElsewhere],
  ['presses the button of a link in two windows at once', linkTwice],
  ['asks for another tier, is suspended and resumed, and is answered by an operator', lookedAfter],
];

const browser = await launch();
const press = (page, name) => navigate(page.getByRole('main').getByRole('button', { name }));
const follow = (page, name) => navigate(page.getByRole('link', { name }).first());
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
  await press(page, 'Create project');
}

let project;

async function firstKey(page) {
  await makeProject(page, `Wallet with a name of many words, ${'x'.repeat(40)}`);
  assert.equal(await title(page), 'Your new key');
  assert.equal(await paste(page), '200');
  await look(page, 'a first key');
  await follow(page, 'I’ve saved my key');
  project = new URL(page.url()).pathname.split('/').at(-1);
}

async function issue(page) {
  await visit(page, `/projects/${project}/keys/new`);
  const label = page.getByLabel('Label');
  await page.getByRole('button', { name: 'Create key' }).click();
  // The browser does not send a key without a label, and goes to the field.
  await label.and(page.locator('input:invalid:focus')).waitFor();
  await label.fill('production');
  await page.getByLabel('in 30 days').check();
  await press(page, 'Create key');
  const key = await page.locator('.secret').innerText();
  assert.equal(await paste(page), '200');
  await look(page, 'an issued key');
  for (const again of [() => page.reload(), () => page.goBack()]) {
    await again();
    assert.ok(!(await page.content()).includes(key), 'it is shown once');
  }
  await visit(page, `/projects/${project}/keys`);
  assert.equal(await page.getByRole('row', { name: 'production' }).count(), 1, 'it is issued once');
  await look(page, 'a project with keys');
}

async function rotate(page) {
  await visit(page, `/projects/${project}/keys`);
  await follow(page, 'Rotate production');
  await look(page, 'rotating');
  await page.getByLabel('in 1 hour').check();
  await press(page, 'Rotate key');
  assert.equal(await paste(page), '200');
  await look(page, 'a rotated key');
}

/** A double click issues a key, and its page stays; without scripts the page that follows leads to revoking it. */
async function clickTwice(page, javaScriptEnabled) {
  const projects = /\/dashboard\/projects\//;
  const issues = async (button) => {
    let clicks;
    // Both clicks come before an answer.
    await page.route(projects, async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      const response = await route.fetch();
      await clicks;
      // The browser waits no more for what the second click has replaced.
      return route.fulfill({ response }).catch(() => {});
    });
    await navigate(page.getByRole('button', { name: button }), (it) => (clicks = it.dblclick()));
    await page.unroute(projects);
    if (javaScriptEnabled) {
      assert.equal(await title(page), 'Your new key', button);
      assert.equal(await paste(page), '200');
    } else if (await title(page) !== 'Your new key') {
      // The browser has sent the second click too; it need not.
      assert.equal(await title(page), 'Already submitted', button);
      await look(page, 'a form that was sent before');
      await page.getByRole('link', { name: 'Revoke the key' }).waitFor();
    }
  };
  await visit(page, `/projects/${project}/keys/new`);
  await page.getByLabel('Label').fill('clicked twice');
  await issues('Create key');
  await visit(page, `/projects/${project}/keys`);
  await follow(page, 'Rotate clicked twice');
  await page.getByLabel('immediately').check();
  await issues('Rotate key');
}

async function rename(page) {
  await visit(page, `/projects/${project}/keys`);
  await follow(page, 'Rename production');
  await look(page, 'renaming a key');
  await page.getByLabel('Label').fill('production server');
  await press(page, 'Rename key');
  await page.getByRole('row', { name: 'production server' }).first().waitFor();
  await follow(page, 'Settings');
  await look(page, 'settings');
  await follow(page, 'Rename project');
  await look(page, 'renaming a project');
  await press(page, 'Rename project');
}

async function disable(page) {
  await visit(page, `/projects/${project}/keys`);
  await follow(page, 'Disable production');
  await look(page, 'disabling');
  await press(page, 'Disable key');
  await look(page, 'a project with a disabled key');
  await follow(page, 'Enable production');
  await look(page, 'enabling');
  await press(page, 'Enable key');
  assert.equal(await page.getByText('disabled', { exact: true }).count(), 0);
}

async function revoke(page) {
  await visit(page, `/projects/${project}/keys`);
  await follow(page, 'Revoke production');
  await look(page, 'revoking');
  await press(page, 'Revoke key');
  await page.getByText('Expired and revoked keys').click();
  await look(page, 'a project with ended keys');
  assert.equal(await page.getByText('revoked', { exact: true }).count(), 1);
}

async function auditLog(page) {
  await visit(page, `/projects/${project}`);
  await follow(page, 'Audit log');
  for (const entry of ['Created the project', 'Created the key', 'Rotated the key', 'Revoked the key']) {
    assert.ok(await page.getByText(entry).first().isVisible(), entry);
  }
}

async function config(page, javaScriptEnabled) {
  await visit(page, `/projects/${project}/configs`);
  await look(page, 'no config yet');
  await follow(page, 'Create a config');
  for (const words of ['river', 'otter']) {
    await page.getByLabel('Name or description').fill(words);
    await press(page, 'Search');
    await navigate(page.getByRole('button', { name: /^Add / }).first());
  }
  const weight = page.getByLabel(/^Weight of /).first();
  await weight.fill('0');
  await press(page, javaScriptEnabled ? 'Create config' : 'Review config');
  await look(page, 'a wrong weight');
  await weight.fill('2');
  await navigate(weight, (field) => field.press('Enter'));
  assert.equal(await page.getByLabel(/^Weight of /).count(), 2, 'Enter removes no charity');
  await weight.fill('3');
  const split = page.getByRole('img', { name: / 75%, .* 25%$/ });
  if (!javaScriptEnabled) {
    await press(page, 'Review config');
    assert.equal(await title(page), 'Create this config?');
    await look(page, 'reviewing a config');
    await press(page, 'Edit');
    await press(page, 'Review config');
  }
  await split.waitFor();
  await press(page, 'Create config');
  await split.waitFor();
  await look(page, 'a config');
  await press(page, 'Simulate a donation');
  await page.getByText('Donation simulated.').waitFor();
  assert.equal(await page.getByRole('row', { name: /USDC/ }).count(), 1);
  await look(page, 'a config with a donation');
  await visit(page, `/projects/${project}`);
  await look(page, 'a project with its first donation');
  await page.goBack();
  await follow(page, 'Delete');
  await look(page, 'deleting a config');
  await press(page, 'Delete config');
}

async function usage(page) {
  await visit(page, `/projects/${MONTH}`);
  await follow(page, 'Usage');
  for (const width of ['2 days', '30 days']) await follow(page, width);
  await page.getByRole('img', { name: /^Allowed requests by/ }).first().waitFor();
  const csv = await page.getByRole('link', { name: 'Download CSV' }).getAttribute('href');
  const answer = await page.request.get(new URL(csv, page.url()).href);
  assert.match(await answer.text(), /^\uFEFFstart,key,key label,operation,status,requests\r\n/);
  await visit(page, `/projects/${project}`);
  await follow(page, 'Requests');
  assert.ok(await page.getByRole('row', { name: /charities/ }).first().isVisible(), 'what was pasted is told');
}

async function webhook(page) {
  await visit(page, `/projects/${project}`);
  await follow(page, 'Webhooks');
  await look(page, 'no webhook yet');
  await follow(page, 'Create a webhook');
  await look(page, 'a new webhook');
  await page.getByLabel('URL').fill('http://partner.example/hooks');
  await press(page, 'Create webhook');
  await look(page, 'a wrong URL');
  await page.getByLabel('URL').fill('http://127.0.0.1:9/hooks');
  await page.getByLabel('Description').fill('The ledger');
  await page.getByLabel('config.created').check();
  await press(page, 'Create webhook');
  const secret = await page.locator('.secret').innerText();
  await look(page, 'the secret of a webhook');
  await follow(page, 'I’ve saved my secret');
  assert.ok(!(await page.content()).includes(secret), 'it is shown once');
  await press(page, 'Send test event');
  for (let reloads = 0; await page.getByText('retrying').count() === 0; reloads += 1) {
    assert.ok(reloads < 600, 'the attempt is told');
    await new Promise((done) => { setTimeout(done, 200); });
    await page.reload();
  }
  await look(page, 'a webhook that fails');
  await navigate(page.getByRole('button', { name: 'Send again' }).first());
  await follow(page, 'The ledger');
  await follow(page, 'Rotate secret');
  await look(page, 'rotating a secret');
  await press(page, 'Rotate secret');
  await look(page, 'a rotated secret');
  await follow(page, 'I’ve saved my secret');
  await follow(page, 'Edit');
  await look(page, 'editing a webhook');
  await press(page, 'Save webhook');
  await press(page, 'Disable webhook');
  await look(page, 'a disabled webhook');
  await press(page, 'Enable webhook');
  await visit(page, `/projects/${project}/webhooks`);
  await look(page, 'webhooks');
  await follow(page, 'The ledger');
  await navigate(page.getByRole('main').getByRole('link', { name: 'Delete' }));
  await look(page, 'deleting a webhook');
  await press(page, 'Delete webhook');
}

async function claim(page) {
  await visit(page, `/projects/${project}/contracts`);
  await follow(page, 'Claim a contract');
  await page.getByLabel('Address of the contract').fill('0x');
  await press(page, 'Continue');
  await look(page, 'a wrong address of a contract');
  await page.getByLabel('Address of the contract').fill(`0x${randomBytes(20).toString('hex')}`);
  await press(page, 'Continue');
  await look(page, 'a claim');
  await page.getByLabel('Nonce of the deployment transaction').fill('0');
  await page.getByRole('textbox', { name: 'Signature' }).fill('0x00');
  await press(page, 'Submit signature');
  await look(page, 'a wrong signature');
  await page.getByLabel('Message to the operator').fill('Our factory made it.');
  await press(page, 'Ask an operator');
  await look(page, 'a claim that waits');
}

async function team(page, javaScriptEnabled) {
  const email = 'member@example.org';
  await visit(page, `/projects/${project}/members`);
  await page.getByLabel('Email address').fill(email);
  await press(page, 'Send invitation');
  await page.getByText('Invitation sent.').waitFor();
  await look(page, 'an invited member');
  const link = await inMail('invites you', /^http\S+$/m);
  const invited = await open(browser, { javaScriptEnabled });
  await invited.goto(link);
  await look(invited, 'an invitation before the sign-in');
  await ask(invited, email);
  await invited.getByLabel('Code').fill((await mail()).code);
  await press(invited, 'Sign in');
  await look(invited, 'an invitation');
  await press(invited, 'Accept');
  await visit(page, `/projects/${project}/members`);
  await look(page, 'members and roles');
  await follow(page, `Remove ${email}`);
  await look(page, 'removing a member');
  await press(page, 'Remove member');
  await invited.reload();
  assert.equal(await title(invited), 'Page not found');
  await invited.context().close();
}

async function leave(_, javaScriptEnabled) {
  const page = await open(browser, { javaScriptEnabled });
  await ask(page, 'leaving@example.org');
  await page.getByLabel('Code').fill((await mail()).code);
  await press(page, 'Sign in');
  await page.getByLabel('Name').fill('Short-lived');
  await press(page, 'Create project');
  await visit(page, '/account');
  await follow(page, 'Change');
  await page.getByLabel('New email address').fill('left@example.org');
  await press(page, 'Send me a link');
  await look(page, 'the code of a new address');
  await page.goto(await inMail('Someone asked to use this address', /^http\S+$/m));
  await look(page, 'a new address');
  await press(page, 'Use this address');
  await visit(page, '/projects');
  await follow(page, 'Short-lived');
  await follow(page, 'Settings');
  await follow(page, 'Delete project');
  await page.getByLabel('Enter the project’s name').fill('Another');
  await press(page, 'Delete project');
  await look(page, 'a wrong name');
  await page.getByLabel('Enter the project’s name').fill('Short-lived');
  await press(page, 'Delete project');
  await visit(page, '/account');
  await follow(page, 'Delete account');
  await look(page, 'erasing an account');
  await page.getByLabel('Enter your email address').fill('left@example.org');
  await press(page, 'Delete account');
  await look(page, 'an account is erased');
  await page.getByText('Account deleted.').waitFor();
  await visit(page, '/projects');
  assert.equal(await title(page), 'Sign in');
  await page.context().close();
}

async function endSession(page, javaScriptEnabled) {
  const other = await asDeveloper(javaScriptEnabled);
  await visit(page, '/sessions');
  await look(page, 'several sessions');
  await press(page, 'Sign out all other browsers');
  await other.reload();
  assert.equal(await title(other), 'Sign in');
  await other.context().close();
}

/** Asks for a mail; the page of the field for its code follows. */
async function ask(page, email) {
  await visit(page, '/sign-in');
  await page.getByLabel('Email address').fill(email);
  await press(page, 'Send me a link');
}

/** What the newest mail with some words has, as the demo shows it. */
async function inMail(words, wanted) {
  const reader = await open(browser);
  await visit(reader, '/demo/mail');
  const text = await reader.locator('article').filter({ hasText: words }).first().locator('pre').innerText();
  await reader.context().close();
  return text.match(wanted)[0];
}

/** The link and the code of the newest sign-in, from the demo's mails, which are read elsewhere. */
async function mail() {
  const signIn = 'Use the link below in the browser';
  return { link: await inMail(signIn, /^http\S+$/m), code: await inMail(signIn, /^\w{4}-\w{4}$/m) };
}

async function signInByMail(_, javaScriptEnabled) {
  const page = await open(browser, { javaScriptEnabled });
  await visit(page, '/sign-in');
  await look(page, 'sign in');
  await ask(page, 'ada@example.org');
  await page.goto((await mail()).link);
  await look(page, 'after the link');
  await press(page, 'Sign in');
  await look(page, 'no project yet');
  await navigate(page.getByRole('button', { name: 'Sign out' }));
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

async function asOperator(javaScriptEnabled) {
  const page = await open(browser, { javaScriptEnabled });
  await visit(page, '/sign-in');
  await press(page, 'Continue as the demo’s operator');
  return page;
}

async function lookedAfter(page, javaScriptEnabled) {
  const name = `Looked after, ${javaScriptEnabled}`;
  await makeProject(page, name);
  await follow(page, 'I’ve saved my key');
  const own = new URL(page.url()).pathname.split('/').at(-1);
  await follow(page, 'Request a tier');
  await look(page, 'asking for a tier');
  await page.getByLabel('Reason').fill('We grow.');
  await press(page, 'Send request');
  await look(page, 'a tier that is asked for');

  const operator = await asOperator(javaScriptEnabled);
  await follow(operator, 'Overview');
  await operator.getByLabel('Find a project').fill('developer@');
  await press(operator, 'Search');
  await look(operator, 'what an operator finds');
  await follow(operator, 'developer@demo.example');
  await look(operator, 'an account, to an operator');
  await follow(operator, name);
  await look(operator, 'a project, to an operator');
  await operator.getByLabel('Reason').fill('It sends spam.');
  await press(operator, 'Suspend project');
  await look(operator, 'a suspended project, to an operator');
  await page.reload();
  assert.ok(await page.getByText('It sends spam.').isVisible(), 'its owner sees why');
  await look(page, 'a suspended project');
  await press(operator, 'Resume project');

  await visit(operator, '/operator/requests');
  await look(operator, 'requests');
  const claims = operator.getByRole('article').filter({ hasText: 'claims' });
  await navigate(claims.first().getByRole('button', { name: /^Decline/ }));
  await look(operator, 'a decision without a reason');
  for (let left = await claims.count(); left > 0; left -= 1) {
    await claims.first().getByLabel('Reason (required to decline)').fill('Sign for it, please.');
    await navigate(claims.first().getByRole('button', { name: /^Decline/ }));
  }
  assert.equal(await claims.count(), 0, 'every claim is decided');
  const request = operator.getByRole('article').filter({ hasText: name });
  await request.getByLabel('Your reply').fill('Welcome.');
  await navigate(request.getByRole('button', { name: /^Accept/ }));
  await look(operator, 'no request');
  await visit(page, `/projects/${own}`);
  assert.ok(await page.getByText(/Pro tier granted .*Operator’s reply: Welcome\./).isVisible());
  await look(page, 'a tier that was granted');
  await operator.context().close();
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
    await visit(page, path.replace('PROJECT', project).replace('MONTH', MONTH).replace('CONTRACTS', CONTRACTS));
    await look(page, name);
  }
  await page.context().close();
}
await close(browser, `${JOURNEYS.length} journeys and ${PAGES.length} pages, with scripts and without`);
