import type { Plugin } from 'vite';

/** What Vike builds for the browser beside a page's own `+client.ts`. */
const NEVER_LOADED =
  /^\0?virtual:vike:page-entry:client:|\/vike\/dist\/client\/runtime-server-routing\/entry\.js$/;

/**
 * Empties the browser entries that Vike makes for every page and that an HTML-only page never links to.
 *
 * Nobody loads them, but the bundler cannot know: it keeps what they share with `+client.ts` in chunks of its own, and
 * the first script then has to wait for a second round of requests. Style and pictures come from the build for
 * prerendering.
 */
export function htmlOnlyPlugin(): Plugin {
  return {
    name: 'html-only',
    apply: 'build',
    enforce: 'post',
    applyToEnvironment: ({ name }) => name === 'client',
    transform: (_code, id) => (NEVER_LOADED.test(id) ? { code: '', map: null } : undefined),
  };
}
