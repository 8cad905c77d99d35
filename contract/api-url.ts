/** The API's URL for the browser: at the page's own origin, or at VITE_API_ORIGIN, which the build inserts. */
export const apiUrl = (path: string): string => API_ORIGIN + path;

/**
 * Content type of a JSON beacon. Across origins `application/json` would need a CORS preflight, for which a closing tab does
 * not wait.
 */
export const BEACON_CONTENT_TYPE = API_ORIGIN === '' ? 'application/json' : 'text/plain';
