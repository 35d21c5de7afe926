// Shows results while the user types. Without this script, the form shows a page of results.
'use strict';

const form = document.querySelector('form.search');
const field = form.querySelector('input');
const found = document.createElement('div');
found.className = 'live';
found.hidden = true;
found.setAttribute('role', 'status');
form.append(found);
let latest = '';

const show = async () => {
  const query = field.value.trim();
  latest = query;
  if (query.length < 2) {
    found.hidden = true;
    return;
  }
  const response = await fetch(`${form.action}?q=${encodeURIComponent(query)}`).catch(() => null);
  if (!response?.ok || query !== latest) return;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const results = [...page.querySelectorAll('.results > li')].slice(0, 8).map((result) => {
    const link = result.querySelector('a');
    link.href = new URL(link.getAttribute('href'), response.url);
    link.append(' ', result.querySelector('.badge'));
    return link;
  });
  const count = page.querySelectorAll('.results > li').length;
  if (count > results.length) {
    const all = document.createElement('a');
    all.href = response.url;
    all.textContent = `All ${count} results`;
    results.push(all);
  }
  found.replaceChildren(...results);
  if (count === 0) found.textContent = 'No results.';
  found.hidden = false;
};

let waiting;
field.addEventListener('input', () => {
  clearTimeout(waiting);
  waiting = setTimeout(show, 150);
});
form.addEventListener('focusout', ({ relatedTarget }) => {
  if (!form.contains(relatedTarget)) found.hidden = true;
});
form.addEventListener('keydown', (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step || found.hidden) return;
  event.preventDefault();
  const stops = [field, ...found.querySelectorAll('a')];
  stops.at((stops.indexOf(document.activeElement) + step) % stops.length).focus();
});
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') found.hidden = true;
  const isTyping = event.target.closest('input, textarea, select, [contenteditable]');
  const isShortcut = event.key === 'k' && (event.ctrlKey || event.metaKey);
  if (isShortcut || (event.key === '/' && !isTyping)) {
    event.preventDefault();
    field.focus();
    field.select();
  }
});
// Phones have no keys for the shortcut.
if (matchMedia('(min-width: 60rem)').matches) {
  field.placeholder = /Mac/.test(navigator.platform) ? 'Search (⌘K)' : 'Search (Ctrl K)';
}
