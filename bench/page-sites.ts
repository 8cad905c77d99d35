/** The two compared pages, each behind its own server: a hand-written baseline, and ours as served. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { brotliCompressSync } from 'node:zlib';
import { startPosthogCapture } from '../tests/helpers/fakes/posthog-capture/start-posthog-capture.ts';
import { PARTNER_LINKS } from '../tests/helpers/run/all-facts.ts';
import { siteFile } from '../tests/helpers/run/site-file.ts';
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
  await build();
  const ours = await startOurs();
  try {
    return [await startFloor(), ours];
  } catch (error) {
    await ours.close();
    throw error;
  }
}

/** Our page with PostHog, its most expensive build. Without the IP look-up, because that request leaves this machine. */
async function build(): Promise<void> {
  const settings = {
    VITE_POSTHOG_KEY: 'phc_bench',
    VITE_IP_LOOKUP_URL: '',
    // As the baseline's links, so that a press loads nothing from our server.
    VITE_PORTAL_HOST: 'portal.example',
    ...siteFile(PARTNER_LINKS),
  };
  await promisify(execFile)('npm', ['run', 'build'], {
    env: { ...process.env, NODE_ENV: 'production', ...settings, DIST_DIR: DIST },
  });
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
    DIST_DIR: DIST,
    LOG_LEVEL: 'warn',
    POSTHOG_HOST: `http://127.0.0.1:${posthog.port}`,
    RATE_LIMIT_CLICKS: '0',
    RATE_LIMIT_REGISTER: '0',
    RATE_LIMIT_OTHER: '0',
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
