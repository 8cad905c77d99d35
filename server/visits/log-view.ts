/** POST /k/visit: receives one page view, and answers when its row is committed. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { VIEW_PATH } from '#contract/limits.ts';
import { viewSchema } from '#contract/view.schema.ts';
import { createGroupCommit } from '../database/group-commit.ts';
import type { WriteHealth } from '../database/write-health.ts';
import { wantsPrivacy } from '../http/address.ts';
import type { Budgets } from '../http/budgets.ts';
import { boundOpenBodies } from '../http/connections.ts';
import { parseInput, readJsonBodies, throwUnavailable, unavailable } from '../http/http-error.ts';
import { isOwnPage } from '../http/own-page.ts';
import { perMinute } from '../http/rate-limit.ts';
import { userAgentOf } from '../http/robots.ts';
import { refuseCrossSite } from '../http/security.ts';
import type { RouteOptions } from '../settings.ts';
import { SECOND_MS } from '../time.ts';
import { storeViews } from './store-views.ts';
import { makeView, type View } from './view.ts';

/**
 * Upper bound for the body in bytes. The longest view of a page has 2.8 KB, if every character of
 * its campaign is escaped.
 */
const MAX_BODY_BYTES = 4096;
const RETRY_AFTER_S = 10;
/** Upper bound for the views of one transaction. */
const MAX_GROUP = 500;
/** Upper bound for the views that wait for the database in memory: about 30 MB. */
const MAX_WAITING = 10_000;
/** How long a view waits for its commit. Milliseconds. */
const MAX_WAIT_MS = 3_800;

interface Options extends RouteOptions {
  health: WriteHealth;
  budgets: Budgets;
  /** Counts the views that are left out. */
  metrics?: { leaveOut(what: 'view', why: 'host'): void } | null | undefined;
}

export async function logView(app: FastifyInstance, options: Options): Promise<void> {
  const { config, site, db, health, budgets, metrics, now = Date.now } = options;
  const queue = createGroupCommit({
    commit: (views: View[]) => db.transaction(storeViews, views, now()),
    maxGroup: MAX_GROUP,
    maxWaiting: MAX_WAITING,
    maxWaitMs: MAX_WAIT_MS,
  });
  app.addHook('onClose', queue.close);
  // The page sends JSON with the type text/plain, which `fetch` uses for strings.
  readJsonBodies(app, ['application/json', 'text/plain']);
  const limit = perMinute(config.rateLimit.events);
  app.post(
    VIEW_PATH,
    {
      bodyLimit: MAX_BODY_BYTES,
      config: { rateLimit: limit && { ...limit, errorResponseBuilder: makeOverLimitError } },
      onRequest: [refuseCrossSite, boundOpenBodies()],
    },
    async (request) => {
      if (wantsPrivacy(request.headers)) return { status: 'ignored' };
      const sent = parseInput(viewSchema, request.body, 'The page view is not valid.');
      if (!isOwnPage(sent.page_url, request, site)) {
        metrics?.leaveOut('view', 'host');
        return { status: 'ignored' };
      }
      const seen = { receivedAt: now(), userAgent: userAgentOf(request) };
      const view = makeView(sent, seen, site);
      const fault = health.fault();
      if (fault) throwNotKept(fault);
      const events = view.event ? [view.event] : [];
      await budgets.spend(request.ip, { visits: [view.row], events });
      const isNew = await queue.add(view).catch(throwNotKept);
      return { status: isNew ? 'logged' : 'duplicate' };
    },
  );
}

/**
 * Makes the 503 for requests over the rate limit. It is not a 429, so that one status means "not
 * stored, send it again".
 */
const makeOverLimitError = (_request: FastifyRequest, { ttl }: { ttl: number }) =>
  unavailable('Too many page views from this address.', Math.ceil(ttl / SECOND_MS));

const throwNotKept = throwUnavailable(
  'The page view could not be kept. Send again.',
  RETRY_AFTER_S,
);
