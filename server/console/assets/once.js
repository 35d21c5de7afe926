// Sends a form once: what a double click sends a second time is stopped, so that the page that answers the first
// stays. Without this script the second is answered by a page that says so.
'use strict';

/** How long an answer may take until the form can be sent again, in milliseconds. */
const WAIT = 10_000;

const sent = new WeakSet();
addEventListener('submit', (event) => {
  // Another script sends it.
  if (event.defaultPrevented) return;
  if (sent.has(event.target)) event.preventDefault();
  sent.add(event.target);
  setTimeout(() => sent.delete(event.target), WAIT);
});
