// Adds the browser's time zone to the list of zones. Without this script, people choose another one.
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
