/** One condition's site: a server process with `npm run serve`'s flags and settings, its own data, and its own PostHog. */
import {
  type PosthogCapture,
  startPosthogCapture,
} from '../tests/helpers/fakes/posthog-capture/start-posthog-capture.ts';
import { build } from '../tests/helpers/run/build.ts';
import { type SiteProcess, startSite } from '../tests/helpers/server/site-process.ts';
import { NODE_FLAGS } from './ingest-process.ts';

const DIST = 'node_modules/.cache/bench-posthog';

export interface MadeClick {
  /** The page's `ref`, by which the click is found again. */
  ref: string;
  /** Milliseconds since 1970. */
  at: number;
}

export interface Stage {
  url: string;
  site: SiteProcess;
  posthog: PosthogCapture;
  clicks: MadeClick[];
  /** End of the fault, in milliseconds since 1970; null: the fault concerns single visits. */
  healedAt: number | null;
  close(): Promise<void>;
}

/** Without the IP look-up, because that request leaves this machine. @returns the build's folder */
export async function buildSite(): Promise<string> {
  await build(DIST, { VITE_POSTHOG_KEY: 'phc_bench', VITE_IP_LOOKUP_URL: '' });
  return DIST;
}

/** Starts everything. The server waits as long as an operator's server does. */
export async function openStage(dist: string): Promise<Stage> {
  const posthog = await startPosthogCapture();
  const settings = { DIST_DIR: dist, LOG_LEVEL: 'silent', POSTHOG_HOST: posthog.url };
  const site = await startSite(settings, NODE_FLAGS);
  return {
    url: `http://127.0.0.1:${site.port}/`,
    site,
    posthog,
    clicks: [],
    healedAt: null,
    async close() {
      await site.remove();
      await posthog.close();
    },
  };
}

/** Is the click in the ledger? */
export const isLogged = async ({ site }: Stage, ref: string): Promise<boolean> =>
  (await site.lines()).some(({ referrer }) => referrer === ref);
