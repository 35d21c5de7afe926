// Passkeys (Web Authentication): a form of class `passkey` fetches a challenge, has the browser answer it, and
// is sent with the answer. Without this script, or in a browser without passkeys, these forms stay hidden.
'use strict';

const NO_PASSKEY = 'No passkey was used. Try again, or choose another way.';
const ALREADY_REGISTERED = 'This device already has a passkey for your account.';
const UNEXPECTED = 'Unexpected response from the server. Reload the page and try again.';

/** Fetches the challenge of a form: the id of the ceremony, and the options for the browser. */
async function challenge(form) {
  const answer = await fetch(form.dataset.challenge, { method: 'POST' });
  if (!answer.ok || answer.redirected) throw new Error(UNEXPECTED);
  return answer.json();
}

/** Sends the form with the credential from the browser. */
function send(form, ceremony, credential) {
  form.elements.ceremony.value = ceremony;
  form.elements.credential.value = JSON.stringify(credential);
  form.submit();
}

async function make(form) {
  const { ceremony, options } = await challenge(form);
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  send(form, ceremony, await navigator.credentials.create({ publicKey }));
}

async function use(form, how) {
  const { ceremony, options } = await challenge(form);
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  send(form, ceremony, await navigator.credentials.get({ publicKey, ...how }));
}

/** The message about a failure, for people. */
function messageFor(error) {
  if (error.name === 'InvalidStateError') return ALREADY_REGISTERED;
  return error instanceof DOMException ? NO_PASSKEY : UNEXPECTED;
}

/** Offers passkeys in the autofill of the field for the address (conditional mediation). */
async function offer(form, signal) {
  if (!await PublicKeyCredential.isConditionalMediationAvailable?.()) return;
  // A failure is not shown: nobody has asked for it.
  await use(form, { mediation: 'conditional', signal }).catch(() => {});
}

function start(form) {
  const status = form.querySelector('[role=status]');
  const offered = new AbortController();
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    offered.abort();
    status.textContent = '';
    try {
      await (form.dataset.ceremony === 'make' ? make(form) : use(form));
    } catch (error) {
      status.textContent = messageFor(error);
    }
  });
  form.hidden = false;
  if ('offer' in form.dataset) offer(form, offered.signal);
}

if (window.PublicKeyCredential?.parseCreationOptionsFromJSON && window.isSecureContext) {
  for (const form of document.querySelectorAll('form.passkey')) {
    if (location.origin === form.dataset.origin) start(form);
  }
  for (const hint of document.querySelectorAll('.passkey-hint')) {
    hint.hidden = location.origin === hint.dataset.origin;
  }
}
