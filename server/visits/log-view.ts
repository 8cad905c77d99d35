/** POST /k/visit: takes one page view, and answers when it is in the table. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { VIEW_PATH } from '#contract/limits.ts';
import { viewSchema } from '#contract/view.schema.ts';
import { createGroupCommit } from '../database/group-commit.ts';
import type { WriteHealth } from '../database/write-health.ts';
import { wantsPrivacy } from '../http/address.ts';
import type { Budgets } from '../http/budgets.ts';
import { boundOpenBodies } from '../http/connections.ts';
import { orUnavailable, readJsonBodies, readValid, unavailable } from '../http/http-error.ts';
import { isOwnPage } from '../http/own-page.ts';
import { perMinute } from '../http/rate-limit.ts';
import { userAgentOf } from '../http/robots.ts';
import { refuseCrossSite } from '../http/security.ts';
import type { RouteOptions } from '../settings.ts';
import { SECOND_MS } from '../time.ts';
import { storeViews } from './store-views.ts';
import { makeView, type View } from './view.ts';

/** Bytes. A page's longest view has 2.8 KB, if each sign of its campaign is escaped. */
const BODY_LIMIT = 4096;
const RETRY_AFTER_S = 10;
const MAX_GROUP = 500;
/** Views in memory that wait for the database: about 30 MB. */
const MAX_WAITING = 10_000;
const MAX_WAIT_MS = 3_800;

interface Options extends RouteOptions {
  health: WriteHealth;
  budgets: Budgets;
  /** Counts the views that are in no figure. */
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
  // The page sends its JSON as text, which is what `fetch` makes of a string.
  readJsonBodies(app, ['application/json', 'text/plain']);
  const limit = perMinute(config.rateLimit.events);
  app.post(
    VIEW_PATH,
    {
      bodyLimit: BODY_LIMIT,
      config: { rateLimit: limit && { ...limit, errorResponseBuilder } },
      onRequest: [refuseCrossSite, boundOpenBodies()],
    },
    async (request) => {
      if (wantsPrivacy(request.headers)) return { status: 'ignored' };
      const sent = readValid(viewSchema, request.body, 'The page view is not valid.');
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

/** Answers 503 over the limit instead of 429: one status means "not stored, send it again". */
const errorResponseBuilder = (_request: FastifyRequest, { ttl }: { ttl: number }) =>
  unavailable('Too many page views from this address.', Math.ceil(ttl / SECOND_MS));

const throwNotKept = orUnavailable('The page view could not be kept. Send again.', RETRY_AFTER_S);
