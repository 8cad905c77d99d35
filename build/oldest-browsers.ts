/** The oldest supported browsers. docs/architecture.md names them too. */

/** Browsers that show every word and deliver every click. */
export const OLDEST_FOR_SCRIPTS = ['safari15.4', 'chrome100', 'firefox100'];

/** Browsers that show the full style, because Tailwind 4 supports them. */
export const OLDEST_FOR_STYLES = ['safari16.4', 'chrome111', 'firefox128'];
