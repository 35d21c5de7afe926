// Scrolls the navigation beside a page to the link to that page.
'use strict';

const side = document.querySelector('.side');
const here = side.querySelector('.sidebar [aria-current]');
if (here) side.scrollTop = here.offsetTop - side.clientHeight / 2;
