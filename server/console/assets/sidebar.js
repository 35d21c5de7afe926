// Scrolls the navigation beside a page to the link to that page.
'use strict';

const side = document.querySelector('.side .sidebar');
const here = side.querySelector('[aria-current]');
if (here) side.scrollTop = here.offsetTop - side.offsetTop - side.clientHeight / 2;
