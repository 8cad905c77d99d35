/** One visit of one scenario: a fresh page in front of the real server, and the steps that scenarios share. */
import { setTimeout as delay } from 'node:timers/promises';
import { inspect, isDeepStrictEqual } from 'node:util';
import type { EnginePage } from '../../helpers/engines/engine-page.ts';
import type { HoldingProxy } from '../../helpers/fakes/holding-proxy.ts';
import type { LogLine, SiteProcess } from '../../helpers/server/site-process.ts';

export interface Visit {
  page: EnginePage;
  site: SiteProcess;
  /** The proxy between the browser and the server. */
  proxy: HoldingProxy;
  /** Differs from the `ref` of every other visit. */
  ref: string;
}

const PATIENCE_MS = 30_000;
const POLL_MS = 25;

/** Repeats the question until the answer is the expected one. Fails with the last answer. */
export async function until<T>(what: string, ask: () => Promise<T>, wanted: NoInfer<T>) {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    // A browser cannot answer while it navigates to another page.
    const answer = await ask().catch((error: Error) => error);
    if (isDeepStrictEqual(answer, wanted)) return;
    if (Date.now() > end) throw new Error(`${what}: still ${inspect(answer)}`);
    await delay(POLL_MS);
  }
}

/** Opens the page and waits until it has loaded. */
export async function arrive(visit: Visit, path = '/'): Promise<void> {
  await go(visit, path);
  const place = () =>
    visit.page.evaluate(
      () => document.readyState === 'complete' && location.pathname + location.search,
    );
  await until('loaded', place, `${path}?ref=${visit.ref}`);
}

/** Opens the page as on a slow line: it is painted, but none of its scripts has loaded. */
export async function arriveEarly(visit: Visit): Promise<void> {
  visit.proxy.hold(/\/assets\/.*\.js/);
  await go(visit);
  const isPainted = (ref: string) =>
    location.search.endsWith(ref) &&
    document.readyState !== 'loading' &&
    performance.getEntriesByType('paint').some(({ name }) => name === 'first-contentful-paint');
  await until('painted', () => visit.page.evaluate(isPainted, visit.ref), true);
}

const go = ({ page, proxy, ref }: Visit, path = '/') =>
  page.go(`http://127.0.0.1:${proxy.port}${path}?ref=${ref}`);

/** Scrolls to each part that has not loaded yet, until all have loaded. Then scrolls back to the top. */
export async function wake({ page }: Visit): Promise<void> {
  // React loads in a pause, so that endless scrolling would delay it.
  const hasReact = () =>
    page.evaluate(() => {
      if (scrollY === 0) scrollBy({ top: 1, behavior: 'instant' });
      return document.querySelector('[data-island=toaster][data-ready]') !== null;
    });
  await until('awake', hasReact, true);
  const asleep = () =>
    page.evaluate(() => {
      const late = document.querySelectorAll(
        '[data-island]:not([data-ready]), [data-reveal=waiting]',
      );
      late[0]?.scrollIntoView({ block: 'center', behavior: 'instant' });
      scrollBy({ top: 1, behavior: 'instant' }); // A page without waiting parts must be scrolled, too.
      const live = '[data-island=opt-out] button, [data-island=video] [role=button]';
      return {
        late: [...late].map((element) => element.outerHTML.slice(0, 60)),
        live: document.querySelectorAll(live).length,
      };
    });
  await until('asleep', asleep, { late: [], live: 2 });
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
}

export const linesOf = async ({ site, ref }: Visit): Promise<LogLine[]> =>
  (await site.lines()).filter((line) => line.referrer === ref);

/** Collects every error in the page from now on. */
export async function listenForComplaints({ page }: Visit): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const complaints: string[] = [];
    Object.assign(window, { complaints });
    addEventListener(
      'error',
      (event) => {
        const source = event.target as { src?: string; href?: string; rel?: string } | null;
        // Firefox reports this for modules that it has already loaded. It is harmless.
        if (source?.rel === 'modulepreload') return;
        complaints.push(event.message ?? `not loaded: ${source?.src ?? source?.href}`);
      },
      true,
    );
    addEventListener('unhandledrejection', ({ reason }) => complaints.push(String(reason)));
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      complaints.push(`${violatedDirective} blocked ${blockedURI}`),
    );
    const listen = (...words: unknown[]) => void complaints.push(words.join(' '));
    Object.assign(console, { error: listen, warn: listen });
  });
  return () => page.evaluate(() => (window as unknown as { complaints: string[] }).complaints);
}
