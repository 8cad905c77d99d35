import type { Plugin } from 'vite';

/** Browser entries that Vike builds in addition to a page's own `+client.ts`. */
const NEVER_LOADED =
  /^\0?virtual:vike:page-entry:client:|\/vike\/dist\/client\/runtime-server-routing\/entry\.js$/;

/**
 * Empties the browser entries that Vike makes for every page, because an HTML-only page never loads them.
 *
 * The bundler would put the code that they share with `+client.ts` into separate chunks, and the first script would need a
 * second round of requests. Styles and images come from the build for prerendering.
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
