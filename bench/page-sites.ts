/** The two compared pages, each behind its own server: a hand-written baseline, and ours as served. */
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { brotliCompressSync } from 'node:zlib';
import { startPosthogCapture } from '../tests/helpers/fakes/posthog-capture/start-posthog-capture.ts';
import { PARTNER_LINKS } from '../tests/helpers/run/all-facts.ts';
import { build } from '../tests/helpers/run/build.ts';
import { siteFile } from '../tests/helpers/run/site-file.ts';
import { withSettings } from '../tests/helpers/run/with-settings.ts';
import { startLocalServer } from '../tests/helpers/server/local-server.ts';
import { startSite } from '../tests/helpers/server/site-process.ts';

export interface Site {
  name: string;
  url: string;
  /** @returns the number of clicks with this `ref` in the server's log */
  clicks(ref: string): Promise<number>;
  /** @returns the number of `$pageview` events with this `ref` at PostHog; null for a page that sends none */
  pageviews(ref: string): number | null;
  close(): Promise<void>;
}

const DIST = 'node_modules/.cache/bench-page';

/** @returns the baseline and our page, both listening */
export async function startSites(): Promise<Site[]> {
  await buildOurs();
  const ours = await startOurs();
  try {
    return [await startFloor(), ours];
  } catch (error) {
    await ours.close();
    throw error;
  }
}

/** Our page with PostHog, its most expensive build. Without the IP look-up, because that request leaves this machine. */
async function buildOurs(): Promise<void> {
  const file = siteFile({
    posthogKey: 'phc_bench',
    ipLookupUrl: null,
    // As the baseline's links, so that a press loads nothing from our server.
    portalHost: 'portal.example',
    ...PARTNER_LINKS,
  });
  await build(DIST, file);
}

async function startFloor(): Promise<Site> {
  const page = brotliCompressSync(await readFile(new URL('floor.html', import.meta.url)));
  const refs: string[] = [];
  const server = await startLocalServer(async (request, response) => {
    if (request.method === 'POST') {
      refs.push(JSON.parse(await text(request)).referrer);
      return response.writeHead(204).end();
    }
    if (!request.url?.match(/^\/(\?|$)/)) return response.writeHead(404).end();
    response.setHeader('content-type', 'text/html; charset=utf-8');
    return response.setHeader('content-encoding', 'br').end(page);
  });
  return {
    name: 'floor',
    url: `http://127.0.0.1:${server.port}/`,
    clicks: async (ref) => refs.filter((logged) => logged === ref).length,
    pageviews: () => null,
    close: server.close,
  };
}

async function startOurs(): Promise<Site> {
  const posthog = await startPosthogCapture();
  const site = await startSite({
    DIST_DIR: withSettings(DIST, { posthogHost: posthog.url }),
    LOG_LEVEL: 'warn',
    RATE_LIMIT: '0',
  });
  return {
    name: 'ours',
    url: `http://127.0.0.1:${site.port}/`,
    clicks: async (ref) => (await site.lines()).filter((line) => line.referrer === ref).length,
    pageviews: (ref) =>
      posthog.events.filter(
        ({ event, properties }) => event === '$pageview' && properties.referrer === ref,
      ).length,
    async close() {
      await site.remove();
      await posthog.close();
    },
  };
}
