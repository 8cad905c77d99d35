/** For `npm run dev`: shows the faults of pages in the browser, and reloads it where Vite itself does not. */
import { relative } from 'node:path';
import type { Connect, Plugin, ViteDevServer } from 'vite';

/** Style sheets that +onRenderHtml.tsx imports as text, so that Vite does not know them as the browser's own. */
const INLINE_STYLES = /^renderer\/.*\.css$/;
/** An editor writes several files at once. */
const PAUSE_MS = 100;

/**
 * Renders the pages in dev. If a page throws, the browser shows Vite's error overlay with the cause. Vike itself would answer with
 * the error page, which hides the cause, and which may need the very file that has the fault.
 */
export function pageFaultsPlugin(): Plugin {
  return {
    name: 'page-faults',
    apply: 'serve',
    configureServer(vite) {
      const onFault = reloadOnChange(vite);
      // After Vite's own middlewares, and before Vike's, because this plugin comes first.
      return () => void vite.middlewares.use(renderPages(onFault));
    },
  };
}

function renderPages(onFault: () => void): Connect.NextHandleFunction {
  return async ({ originalUrl = '/', headers }, response, next) => {
    const { renderPage } = await import('vike/server');
    const rendered = await renderPage({ urlOriginal: originalUrl, headersOriginal: headers });
    const { errorWhileRendering, httpResponse } = rendered;
    if (errorWhileRendering) {
      onFault();
      // Vite answers with a page that has the overlay and Vite's client.
      return next(errorWhileRendering);
    }
    response.statusCode = httpResponse.statusCode;
    for (const [name, value] of httpResponse.headers) response.setHeader(name, value);
    httpResponse.pipe(response);
  };
}

/**
 * Reloads the open pages after each change of a style sheet.
 *
 * @returns a function for a page's fault: the next change of any file then reloads the open pages too
 */
function reloadOnChange(vite: ViteDevServer): () => void {
  let hasFault = false;
  let timer: NodeJS.Timeout | undefined;
  const reload = () => {
    // A module that has never been loaded without a fault is not in Vite's list of what a file affects.
    if (hasFault) vite.environments.ssr.moduleGraph.invalidateAll();
    hasFault = false;
    vite.ws.send({ type: 'full-reload' });
  };
  vite.watcher.on('all', (_event, path) => {
    if (!hasFault && !INLINE_STYLES.test(relative(vite.config.root, path))) return;
    clearTimeout(timer);
    timer = setTimeout(reload, PAUSE_MS);
  });
  return () => {
    hasFault = true;
  };
}
