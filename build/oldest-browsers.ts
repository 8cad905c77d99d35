/** The oldest supported browsers, as build targets. docs/architecture.md names them, too. */

/** The oldest browsers that run the scripts, so that they deliver every click. */
export const OLDEST_FOR_SCRIPTS = ['safari15.4', 'chrome100', 'firefox100'];

/** The oldest browsers that show the full style: those that Tailwind 4 supports. */
export const OLDEST_FOR_STYLES = ['safari16.4', 'chrome111', 'firefox128'];
