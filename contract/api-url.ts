/** Where the browser finds the API: at its page's own origin, or at VITE_API_ORIGIN, which the build puts in. Browser only. */
export const apiUrl = (path: string): string => API_ORIGIN + path;

/**
 * The type of a body of JSON that leaves a page going away. Across origins JSON's own type would first cost a preflight,
 * which a closing tab does not live to see.
 */
export const BEACON_CONTENT_TYPE = API_ORIGIN === '' ? 'application/json' : 'text/plain';
