// Reloads a page while it shows something that is about to change. Without this script, people reload it.
'use strict';

const INTERVAL = 3000;
const MAX_RELOADS = 20;
const key = `reloads ${location.pathname}`;

if (document.querySelector('[data-pending]')) {
  const reloads = Number(sessionStorage.getItem(key));
  if (reloads < MAX_RELOADS) {
    setTimeout(() => {
      // A form that is being filled in is not interrupted.
      if (document.activeElement.closest('form, dialog')) return;
      sessionStorage.setItem(key, String(reloads + 1));
      location.reload();
    }, INTERVAL);
  }
} else {
  sessionStorage.removeItem(key);
}
