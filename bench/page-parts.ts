/** The main-thread time of each part of our page: the page is loaded again and again, each time without one part. */
import type { Browser } from 'playwright';
import type { Site } from './page-sites.ts';
import { visit } from './page-visit.ts';

/** Each edit of the document leaves one part out. */
const WITHOUT: Record<string, (html: string) => string> = {
  'the whole page': (html) => html,
  'without the module (tracking, fonts, motion)': withoutModule,
  'without drawings in the document': withoutDrawings,
  'without motion': (html) =>
    html
      .replaceAll('@starting-style', '@media not all')
      .replaceAll(/@supports[^{]*view\(\)\)/g, '@media not all'),
  'without styles': withoutStyles,
  'words and images alone': (html) => withoutStyles(withoutDrawings(withoutScripts(html))),
};

function withoutModule(html: string): string {
  return html.replace(/data-module="[^"]*"/, '');
}
function withoutScripts(html: string): string {
  return html.replaceAll(/<script[\s\S]*?<\/script>/g, '');
}
function withoutDrawings(html: string): string {
  return html.replaceAll(/<svg[\s\S]*?<\/svg>/g, '');
}
function withoutStyles(html: string): string {
  return html.replaceAll(/<style[\s\S]*?<\/style>|<link rel="stylesheet"[^>]*>/g, '');
}

/** Time in which the page loads and becomes quiet, in milliseconds. */
const UNTIL_QUIET_MS = 4000;

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** CPU time of the thread in microseconds, so that other work on the machine adds little. */
  tdur?: number;
  args: { name?: string; data?: { url?: string } };
}

/** @returns for each edit, the main thread's CPU time in milliseconds, at the machine's own speed */
export async function measureParts(browser: Browser, site: Site): Promise<Map<string, number>> {
  const edits = site.name === 'floor' ? { 'the whole page': (html: string) => html } : WITHOUT;
  const times = new Map<string, number>();
  for (const [part, edit] of Object.entries(edits)) {
    times.set(part, await mainThreadMs(browser, site, edit));
  }
  return times;
}

function mainThreadMs(
  browser: Browser,
  site: Site,
  edit: (html: string) => string,
): Promise<number> {
  return visit(browser, {}, async ({ page }) => {
    await page.route(site.url, async (route) => {
      const response = await route.fetch();
      // Without the policy, whose hashes would refuse edited styles.
      const { 'content-security-policy': _, ...headers } = response.headers();
      await route.fulfill({ response, headers, body: edit(await response.text()) });
    });
    await browser.startTracing(page, { categories: ['-*', 'devtools.timeline', 'toplevel'] });
    await page.goto(site.url);
    await page.waitForTimeout(UNTIL_QUIET_MS); // Each page's sum needs the same period.
    const trace = JSON.parse((await browser.stopTracing()).toString());
    return sumOfTasks(trace.traceEvents, site.url);
  });
}

/** Chromium has more renderers than the page's, for pages of its own. */
function sumOfTasks(events: TraceEvent[], url: string): number {
  const page = events.find(({ name, args }) => name === 'CommitLoad' && args.data?.url === url);
  const tasks = events.filter(
    ({ name, ph, pid, tid }) =>
      ph === 'X' &&
      name === 'ThreadControllerImpl::RunTask' &&
      pid === page?.pid &&
      tid === page.tid,
  );
  return tasks.reduce((sum, { tdur = 0 }) => sum + tdur, 0) / 1000;
}
