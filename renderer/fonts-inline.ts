/** The inline script that lets the web fonts in, once the first paint has been made without them. */
const style = document.querySelector<HTMLStyleElement>('#web-fonts');
requestAnimationFrame(() =>
  setTimeout(() => {
    if (style) style.media = 'all';
  }),
);
