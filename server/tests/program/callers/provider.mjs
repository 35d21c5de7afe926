// Signs in by a provider of OpenID Connect in headless Chromium, with scripts and without, links an account
// with it and unlinks it. The provider is one of the tests; its page asks who somebody is.
import { SERVER, launch, navigate } from './chromium.mjs';
import { close, look, open } from './look.mjs';

const browser = await launch();
const press = (page, name) => navigate(page.getByRole('button', { name, exact: true }));
const follow = (page, name) => navigate(page.getByRole('link', { name }).first());
const visit = (page, path) => page.goto(`${SERVER}/dashboard${path}`);
/** Waits for the page of a title. */
const at = (page, name) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

/** Goes to the provider by a button, and follows a link of its page. */
async function goThere(page, button, answer) {
  await press(page, button);
  await at(page, 'Who are you?');
  await follow(page, answer);
}

async function signInByMail(page, email) {
  await visit(page, '/sign-in');
  await page.getByLabel('Email address').fill(email);
  await press(page, 'Send me a link');
  const reader = await open(browser);
  await visit(reader, '/demo/mail');
  const text = await reader.locator('article pre').filter({ hasText: '/sign-in/link' }).first().innerText();
  await reader.context().close();
  await page.goto(text.match(/^http\S+$/m)[0]);
  await press(page, 'Sign in');
}

async function newAccount(page) {
  await visit(page, '/sign-in');
  await look(page, 'sign in with a provider');
  await goThere(page, 'Continue with Example', 'I do not say');
  await at(page, 'You are not signed in');
  await look(page, 'denied at the provider');
  await goThere(page, 'Try Example again', 'I am Eve');
  await at(page, 'Projects');
  await visit(page, '/account');
  await page.getByText('eve@example.org').first().waitFor();
  await look(page, 'an account of a provider');
}

async function linkedAccount(page) {
  await signInByMail(page, 'ada@example.org');
  await visit(page, '/identities');
  await look(page, 'no identity');
  await goThere(page, 'Link Example', 'I am Ada');
  await at(page, 'Sign in with Example');
  await look(page, 'an identity');
  await press(page, 'Sign out');
  await visit(page, '/identities');
  await goThere(page, 'Continue with Example', 'I am Ada');
  await at(page, 'Sign in with Example');
  // The provider did not say when it asked who it is.
  await follow(page, 'Unlink');
  await at(page, 'Confirm it’s you');
  await look(page, 'step up with a provider');
  await goThere(page, 'Continue with Example', 'I am Ada');
  await at(page, 'Unlink ada@example.org?');
  await look(page, 'unlinking');
  await press(page, 'Unlink');
  await at(page, 'Sign in');
  await goThere(page, 'Continue with Example', 'I am Ada');
  await at(page, 'You are not signed in');
  await page.getByText('Your email address has an account here').waitFor();
}

for (const javaScriptEnabled of [true, false]) {
  for (const journey of [newAccount, linkedAccount]) {
    const page = await open(browser, { javaScriptEnabled });
    await journey(page);
    await page.context().close();
  }
}
await close(browser, 'signing in by a provider, with scripts and without');
