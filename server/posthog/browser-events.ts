/**
 * POST /k/e/: takes the events of a page on our own origin, so that visitors' browsers connect to
 * no third party, and keeps them for PostHog's sender. It leaves out `$pageview` and `cta_click`,
 * because PostHog gets them with the rows of views and clicks.
 *
 * posthog-js repeats a request after a 503, and drops its events after a 4xx.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { POSTHOG_PROXY_PATH } from '#contract/limits.ts';
import type { Database } from '../database/database.ts';
import { createGroupCommit } from '../database/group-commit.ts';
import type { WriteHealth } from '../database/write-health.ts';
import { wantsPrivacy } from '../http/address.ts';
import { isInTime } from '../http/browser-clock.ts';
import type { Budgets } from '../http/budgets.ts';
import { boundOpenBodies } from '../http/connections.ts';
import { orUnavailable, unavailable } from '../http/http-error.ts';
import { isOwnPage } from '../http/own-page.ts';
import { perMinute } from '../http/rate-limit.ts';
import { isBot, userAgentOf } from '../http/robots.ts';
import { refuseCrossSite } from '../http/security.ts';
import type { RouteOptions } from '../settings.ts';
import { type Clock, SECOND_MS } from '../time.ts';
import type { CompleteEvent } from './make-event.ts';
import { queueEvents } from './outbox.ts';
import { readEvents } from './read-events.ts';

/** Upper bound of a body, because parsing blocks the server. A page sends less than 64 KB. */
const BODY_BYTES = 128 * 1024;
const RETRY_AFTER_S = 10;
/** Requests of one transaction, so that a click waits for one short transaction at most. */
const MAX_GROUP = 100;
/** Requests in memory that wait for the database: about 130 MB if all are as long as allowed. */
const MAX_WAITING_REQUESTS = 1_000;
const MAX_WAIT_MS = 3_800;

/**
 * The answer that posthog-js accepts as success. It would repeat the request after any other 2xx.
 */
const ACCEPTED = { status: 'Ok' };

const throwNotKept = orUnavailable('The events could not be kept. Send again.', RETRY_AFTER_S);

interface Options extends RouteOptions {
  health: WriteHealth;
  budgets: Budgets;
  /** Counts the events that neither the report nor PostHog gets. */
  metrics?: { leaveOut(what: 'event', why: 'host' | 'time'): void } | null | undefined;
  /** Upper bound of the waiting events that are not clicks. */
  maxWaiting?: number | undefined;
}

export async function events(app: FastifyInstance, options: Options): Promise<void> {
  const { config, site, db, health, budgets, metrics, maxWaiting, now = Date.now } = options;
  const queue = openQueue(db, now);
  app.addHook('onClose', queue.close);
  const room = openRoom(db, maxWaiting);
  const limit = perMinute(config.rateLimit.events);
  app.removeAllContentTypeParsers();
  // A pattern for every type, because Fastify does not find its own `*` again.
  app.addContentTypeParser(/^/, { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.post(
    `${POSTHOG_PROXY_PATH}/e/`,
    {
      bodyLimit: BODY_BYTES,
      config: { rateLimit: limit && { ...limit, errorResponseBuilder } },
      onRequest: [refuseCrossSite, boundOpenBodies()],
    },
    async (request) => {
      if (wantsPrivacy(request.headers)) return ACCEPTED;
      const userAgent = userAgentOf(request);
      // Fastify does not parse an empty body.
      const { sent, isInternal } = readEvents(String(request.body ?? ''), userAgent, site);
      // A request stays in memory while its answer waits for others on the same connection.
      request.body = null;
      const others = sent.filter(({ event }) => !WITH_ROWS.includes(event));
      const taken = others.filter((event) => {
        const why = whyLeftOut(event, request);
        if (why) metrics?.leaveOut('event', why);
        return why === null;
      });
      const toPosthog = site.posthogKey !== null && !isBot(userAgent, userAgent) && !isInternal;
      if (!toPosthog || taken.length === 0) return ACCEPTED;
      const fault = health.fault();
      if (fault) throwNotKept(fault);
      if (!(await room.isFor(taken.length).catch(throwNotKept)))
        throw unavailable('Too many events wait for PostHog.', RETRY_AFTER_S);
      await budgets.spend(request.ip, { events: taken });
      room.take(taken.length);
      await queue.add(taken).catch(throwNotKept);
      return ACCEPTED;
    },
  );

  /** Returns why PostHog must not get the event. Null if it may be in the figures of the site. */
  function whyLeftOut({ timestamp, properties }: CompleteEvent, request: FastifyRequest) {
    if (!isOwnPage(properties.$current_url ?? '', request, site)) return 'host';
    return isInTime(Date.parse(timestamp), now()) ? null : 'time';
  }
}

/** Stores the events of requests that come together in one transaction. */
const openQueue = (db: Database, now: Clock) =>
  createGroupCommit({
    async commit(requests: CompleteEvent[][]) {
      await db.transaction(queueEvents, requests.flat(), now());
      return requests;
    },
    maxGroup: MAX_GROUP,
    maxWaiting: MAX_WAITING_REQUESTS,
    maxWaitMs: MAX_WAIT_MS,
  });

/** Events that are made on the server: visits/view.ts and make-event.ts. */
const WITH_ROWS = ['$pageview', 'cta_click'];

/** Answers 503 over the limit instead of 429, after which posthog-js would drop the events. */
const errorResponseBuilder = (_request: FastifyRequest, { ttl }: { ttl: number }) =>
  unavailable('Too many events from this address.', Math.ceil(ttl / SECOND_MS));

/**
 * Upper bound of the waiting events that are not clicks, so that they cannot fill the disk while
 * PostHog is away for days: the budgets bound only what comes in a day. They take about 50 MB, or
 * 240 MB if all are as long as a budget allows.
 */
const MAX_WAITING = 50_000;
const RECOUNT_MS = SECOND_MS;
const COUNT_WAITING = `
  SELECT COUNT(*) AS n
  FROM posthog_outbox
  WHERE event IS NOT NULL AND refused IS NULL`;

/** Counts the waiting events once a second, and those that are added meanwhile. */
function openRoom(db: Database, max = MAX_WAITING) {
  let waiting = 0;
  let countedAt = Number.NEGATIVE_INFINITY;
  const recount = async () => {
    countedAt = performance.now();
    const [row] = await db.read(COUNT_WAITING);
    waiting = Number(row?.n);
  };
  return {
    async isFor(events: number): Promise<boolean> {
      if (performance.now() - countedAt >= RECOUNT_MS) await recount();
      return waiting + events <= max;
    },
    /** Only for a request that no budget refuses: it would take the room of other visitors. */
    take(events: number): void {
      waiting += events;
    },
  };
}
