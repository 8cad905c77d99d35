/** The page's own origin, as the build inserts it. Import this file before those of `tracking/`. */
(globalThis as { API_ORIGIN?: string }).API_ORIGIN = '';
