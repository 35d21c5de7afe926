// Adds the browser's time zone to the zones that can be chosen. Without this script, another is chosen from the list.
'use strict';

const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
for (const select of document.querySelectorAll('select[name=zone]')) {
  const named = Array.from(select.options).find((option) => option.value === timeZone);
  if (timeZone) {
    const option = named ?? select.appendChild(new Option(timeZone));
    option.label = `${timeZone} (this browser)`;
    option.value = timeZone;
  }
}
