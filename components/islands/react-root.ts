/**
 * React for the browser, as a module of its own: the page's script then needs no helper for
 * CommonJS.
 */
export { createRoot, hydrateRoot } from 'react-dom/client';
