/** The oldest browsers that the built page is made for; README.md and docs/architecture.md name them too. */

/** Everything is readable, and every click is delivered. */
export const OLDEST_FOR_SCRIPTS = ['safari15.4', 'chrome100', 'firefox100'];

/** Everything is styled: what Tailwind 4 asks for. */
export const OLDEST_FOR_STYLES = ['safari16.4', 'chrome111', 'firefox128'];
