// Shows dates in the browser's time zone. Without this script, they are in UTC.
'use strict';

const DAY = { day: 'numeric', month: 'short', year: 'numeric' };
const HOUR = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' };

/** The date as the server writes it: in English, with three letters for every month. */
const write = (time, parts) => new Intl.DateTimeFormat('en-GB', parts).format(new Date(time.dateTime)).replace('Sept', 'Sep');

for (const time of document.querySelectorAll('time[datetime]')) {
  const isShort = Boolean(time.title);
  const date = 'date' in time.dataset ? time : time.querySelector('small');
  if (date) date.textContent = write(time, isShort ? DAY : { ...DAY, ...HOUR });
  if (isShort || !date) time.title = write(time, { ...DAY, ...HOUR });
}
