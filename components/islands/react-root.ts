/**
 * Re-exports React's client. As a module of its own it is a chunk of its own, so that the page's
 * first script does not contain the bundler's helper for CommonJS.
 */
export { createRoot, hydrateRoot } from 'react-dom/client';
