/**
 * POST /k/e/: receives the events of posthog-js on our own origin, so that visitors' browsers
 * connect to no third party, and queues them for PostHog's sender. It ignores `$pageview` and
 * `cta_click`, which are queued with the rows of views and clicks.
 *
 * posthog-js retries a request after a 503, and drops its events after a 4xx.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { POSTHOG_PATH } from '#contract/limits.ts';
import type { Database } from '../database/database.ts';
import { createGroupCommit } from '../database/group-commit.ts';
import type { WriteHealth } from '../database/write-health.ts';
import { wantsPrivacy } from '../http/address.ts';
import { isPlausibleTime } from '../http/browser-clock.ts';
import type { Budgets } from '../http/budgets.ts';
import { boundOpenBodies } from '../http/connections.ts';
import { throwUnavailable, unavailable } from '../http/http-error.ts';
import { isOwnPage } from '../http/own-page.ts';
import { perMinute } from '../http/rate-limit.ts';
import { isBot, userAgentOf } from '../http/robots.ts';
import { refuseCrossSite } from '../http/security.ts';
import type { RouteOptions } from '../settings.ts';
import { type Clock, SECOND_MS } from '../time.ts';
import type { PosthogEvent } from './make-event.ts';
import { queueEvents } from './outbox.ts';
import { readEvents } from './read-events.ts';

/**
 * Upper bound for a body in bytes, because parsing blocks the event loop. A page sends less than 64
 * KB.
 */
const MAX_BODY_BYTES = 128 * 1024;
const RETRY_AFTER_S = 10;
/**
 * Upper bound for the requests of one transaction, so that a click waits at most for one short
 * transaction.
 */
const MAX_GROUP = 100;
/**
 * Upper bound for the requests that wait for the database in memory: about 130 MB if all have the
 * largest body.
 */
const MAX_WAITING_REQUESTS = 1_000;
/** How long a request waits for its commit. Milliseconds. */
const MAX_WAIT_MS = 3_800;

/** Body of the 200. posthog-js would retry after any other 2xx. */
const ACCEPTED = { status: 'Ok' };

const throwNotKept = throwUnavailable('The events could not be kept. Send again.', RETRY_AFTER_S);

interface Options extends RouteOptions {
  health: WriteHealth;
  budgets: Budgets;
  /** Counts the events that are left out. */
  metrics?: { leaveOut(what: 'event', reason: 'host' | 'time'): void } | null | undefined;
  /** Upper bound for the waiting events of browsers and page views. Default: MAX_WAITING. */
  maxWaiting?: number | undefined;
}

export async function browserEvents(app: FastifyInstance, options: Options): Promise<void> {
  const { config, site, db, health, budgets, metrics, maxWaiting, now = Date.now } = options;
  const queue = createEventQueue(db, now);
  app.addHook('onClose', queue.close);
  const backlog = createBacklogLimit(db, maxWaiting);
  const limit = perMinute(config.rateLimit.events);
  app.removeAllContentTypeParsers();
  // A pattern that matches every content type. After `removeAllContentTypeParsers`, Fastify no
  // longer finds a parser for `*`.
  app.addContentTypeParser(/^/, { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.post(
    `${POSTHOG_PATH}/e/`,
    {
      bodyLimit: MAX_BODY_BYTES,
      config: { rateLimit: limit && { ...limit, errorResponseBuilder: makeOverLimitError } },
      onRequest: [refuseCrossSite, boundOpenBodies()],
    },
    async (request) => {
      if (wantsPrivacy(request.headers)) return ACCEPTED;
      const userAgent = userAgentOf(request);
      // Fastify leaves the body undefined if it is empty.
      const { sent, isInternal } = readEvents(String(request.body ?? ''), userAgent, site);
      // Frees the body: the request object stays in memory while its answer waits behind others on
      // the connection.
      request.body = null;
      const eventsOfBrowser = sent.filter(({ event }) => !SENT_WITH_ROWS.includes(event));
      const accepted = eventsOfBrowser.filter((event) => {
        const why = findReasonToLeaveOut(event, request, site, now());
        if (why) metrics?.leaveOut('event', why);
        return why === null;
      });
      const toPosthog = site.posthogKey !== null && !isBot(userAgent, userAgent) && !isInternal;
      if (!toPosthog || accepted.length === 0) return ACCEPTED;
      const fault = health.fault();
      if (fault) throwNotKept(fault);
      if (!(await backlog.hasRoomFor(accepted.length).catch(throwNotKept)))
        throw unavailable('Too many events wait for PostHog.', RETRY_AFTER_S);
      await budgets.spend(request.ip, { events: accepted });
      backlog.take(accepted.length);
      await queue.add(accepted).catch(throwNotKept);
      return ACCEPTED;
    },
  );
}

/**
 * Returns why an event is left out: `host` if its page is not of this site, `time` if its time is
 * not plausible. Null: it is queued.
 *
 * @param now milliseconds since 1970
 */
function findReasonToLeaveOut(
  { timestamp, properties }: PosthogEvent,
  request: FastifyRequest,
  site: BuiltSite,
  now: number,
): 'host' | 'time' | null {
  if (!isOwnPage(properties.$current_url ?? '', request, site)) return 'host';
  return isPlausibleTime(Date.parse(timestamp), now) ? null : 'time';
}

/** Creates the queue that stores the events of several requests in one transaction. */
const createEventQueue = (db: Database, now: Clock) =>
  createGroupCommit({
    async commit(requests: PosthogEvent[][]) {
      await db.transaction(queueEvents, requests.flat(), now());
      return requests;
    },
    maxGroup: MAX_GROUP,
    maxWaiting: MAX_WAITING_REQUESTS,
    maxWaitMs: MAX_WAIT_MS,
  });

/**
 * Events that the server makes itself: with a view (visits/view.ts) and from a click's row
 * (make-event.ts).
 */
const SENT_WITH_ROWS = ['$pageview', 'cta_click'];

/**
 * Makes the 503 for requests over the rate limit. After the usual 429, posthog-js would drop the
 * events.
 */
const makeOverLimitError = (_request: FastifyRequest, { ttl }: { ttl: number }) =>
  unavailable('Too many events from this address.', Math.ceil(ttl / SECOND_MS));

/**
 * Upper bound for the waiting events of browsers and page views, so that they cannot fill the disk
 * while PostHog is unreachable for days. The budgets bound only what comes in a day. So many events
 * take about 50 MB, or 240 MB if all are as long as a budget allows.
 */
const MAX_WAITING = 50_000;
/** How often the waiting events are counted in the database. */
const RECOUNT_MS = SECOND_MS;
const COUNT_WAITING = `
  SELECT COUNT(*) AS n
  FROM posthog_outbox
  WHERE event IS NOT NULL AND refused IS NULL`;

/**
 * Creates a limit of waiting events. It counts them once a second, and those that are added
 * meanwhile.
 */
function createBacklogLimit(db: Database, max = MAX_WAITING) {
  let waiting = 0;
  let countedAt = Number.NEGATIVE_INFINITY;
  const recount = async () => {
    countedAt = performance.now();
    const [row] = await db.read(COUNT_WAITING);
    waiting = Number(row?.n);
  };
  return {
    async hasRoomFor(events: number): Promise<boolean> {
      if (performance.now() - countedAt >= RECOUNT_MS) await recount();
      return waiting + events <= max;
    },
    /**
     * Counts added events. Call it only when no budget has refused them, because they would take
     * the room of other visitors.
     */
    take(events: number): void {
      waiting += events;
    },
  };
}
