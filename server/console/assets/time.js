// Shows dates in the browser's time zone. Without this script, they are in UTC.
'use strict';

const format = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', timeZoneName: 'short',
});
for (const time of document.querySelectorAll('time[datetime]')) {
  const local = format.format(new Date(time.dateTime));
  const date = time.querySelector('small');
  if (date && !time.title) date.textContent = local;
  else time.title = local;
}
