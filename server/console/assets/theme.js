// Applies the stored color theme before the page is drawn, and adds a button that changes it. Without this script, pages
// follow the system.
'use strict';

{
  const THEMES = ['system', 'light', 'dark'];
  const root = document.documentElement;
  const read = () => {
    try {
      return THEMES.includes(localStorage.getItem('theme')) ? localStorage.getItem('theme') : 'system';
    } catch {
      return 'system';
    }
  };
  const apply = (theme) => {
    if (theme === 'system') delete root.dataset.theme;
    else root.dataset.theme = theme;
  };
  apply(read());
  document.addEventListener('DOMContentLoaded', () => {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'theme';
    const label = (theme) => {
      button.textContent = { system: '◐', light: '☀', dark: '☾' }[theme];
      button.ariaLabel = `Color theme: ${theme}`;
      button.title = button.ariaLabel;
    };
    label(read());
    button.addEventListener('click', () => {
      const theme = THEMES[(THEMES.indexOf(read()) + 1) % THEMES.length];
      try {
        localStorage.setItem('theme', theme);
      } catch {
        // Storage may be disabled: the theme applies to this page.
      }
      apply(theme);
      label(theme);
    });
    document.querySelector('.top nav').append(button);
  });
}
