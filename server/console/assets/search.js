// Shows the results of a search while somebody types. Without this script, the form shows a page of results.
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
  const results = [...page.querySelectorAll('.results > li > a')].slice(0, 8);
  for (const link of results) link.href = new URL(link.getAttribute('href'), response.url);
  found.replaceChildren(...results);
  if (results.length === 0) found.textContent = 'Nothing is found.';
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
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') found.hidden = true;
  const isTyping = event.target.closest('input, textarea, select, [contenteditable]');
  if (event.key === '/' && !isTyping) {
    event.preventDefault();
    field.focus();
  }
});
