/**
 * POST /k/e/: takes the events of a page on our own origin, so that visitors' browsers connect to no third party. It stores a
 * `$pageview` as a visit, and keeps every event for PostHog's sender. It leaves out `cta_click`, because the click's row is it.
 *
 * posthog-js repeats a request after a 503, and drops its events after a 4xx.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { MAX_USER_AGENT, POSTHOG_PROXY_PATH } from '#contract/limits.ts';
import { isBot } from '../../clicks/click.ts';
import type { ReferrerSettings } from '../../clicks/referring-domain.ts';
import type { Database } from '../../database/database.ts';
import { rateLimitKey, wantsPrivacy } from '../../http/address.ts';
import { boundOpenRequests } from '../../http/connections.ts';
import { unavailable } from '../../http/http-error.ts';
import { ANY_TYPE } from '../../http/json-body.ts';
import { perMinute } from '../../http/rate-limit.ts';
import { refuseCrossSite, setApiHeaders } from '../../http/security.ts';
import type { Settings } from '../../settings.ts';
import { makeVisit, type Visit } from '../../visits/visits.ts';
import type { CompleteEvent } from '../complete-event.ts';
import { storeEvents } from '../outbox.ts';
import { readEvents } from './read-events.ts';
import { openRoom } from './room.ts';

/** Upper bound, because parsing blocks the whole server. A page sends less than 64 KB at once. */
const BODY_BYTES = 128 * 1024;
const RETRY_AFTER_S = 10;
const OPEN_REQUESTS = {
  all: 100,
  perAddress: 20,
  refuse: () => unavailable('Too many events at the same time.', RETRY_AFTER_S),
};

/** The answer that posthog-js accepts as success. It would repeat the request after any other 2xx. */
const OK = { status: 'Ok' };

interface Options {
  config: Pick<Settings, 'rateLimit'>;
  site: Pick<BuiltSite, 'posthogKey'> & ReferrerSettings;
  db: Database;
  /** Why the database takes nothing now; null: it does. */
  databaseFault: () => Error | null;
  /** Upper bound of the waiting events that are not clicks. */
  maxWaiting?: number | undefined;
}

export async function events(app: FastifyInstance, options: Options): Promise<void> {
  const { config, site, db, databaseFault, maxWaiting } = options;
  const store = storeTogether(db);
  const takeRoom = openRoom(db, maxWaiting);
  app.addHook('onRequest', setApiHeaders);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(ANY_TYPE, { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  );
  app.post(
    `${POSTHOG_PROXY_PATH}/e/`,
    {
      bodyLimit: BODY_BYTES,
      config: { rateLimit: eventLimit(config) },
      onRequest: [refuseCrossSite, boundOpenRequests(OPEN_REQUESTS)],
    },
    async (request) => {
      if (wantsPrivacy(request.headers)) return OK;
      const userAgent = (request.headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT);
      // Fastify does not parse an empty body.
      const { sent, isInternal } = readEvents(String(request.body ?? ''), userAgent, site);
      // A request stays in memory while its answer waits for others on the same connection.
      request.body = null;
      const marks = { is_bot: isBot(userAgent, userAgent), is_internal: isInternal };
      const now = Date.now();
      const visits = sent
        .filter(({ event }) => event === '$pageview')
        .map((event) => makeVisit(event, marks, now))
        .filter((visit) => visit !== null);
      const toPosthog = site.posthogKey !== null && !marks.is_bot && !isInternal;
      const queued = toPosthog ? sent.filter(({ event }) => event !== 'cta_click') : [];
      if (visits.length + queued.length === 0) return OK;
      const fault = databaseFault();
      if (fault) throwNotKept(fault);
      const hasRoom = await takeRoom(rateLimitKey(request.ip), queued.length).catch(throwNotKept);
      // Visits are stored also while PostHog is away for days, because they are few and small.
      await store(hasRoom ? queued : [], visits).catch(throwNotKept);
      if (!hasRoom) throw unavailable('Too many events wait for PostHog.', RETRY_AFTER_S);
      return OK;
    },
  );
}

/** Answers 503 over the limit instead of 429, after which posthog-js would drop the events. */
function eventLimit({ rateLimit }: Options['config']) {
  const limit = perMinute(rateLimit.events);
  return (
    limit && {
      ...limit,
      errorResponseBuilder: (_request: FastifyRequest, { ttl }: { ttl: number }) =>
        unavailable('Too many events from this address.', Math.ceil(ttl / 1000)),
    }
  );
}

/**
 * Group commit: requests that come during one transaction share the next one. So a click waits for one transaction of events at
 * most.
 */
function storeTogether(db: Database) {
  let last: Promise<unknown> = Promise.resolve();
  let group: { events: CompleteEvent[]; visits: Visit[]; stored: Promise<void> } | null = null;
  const commit = async () => {
    const { events = [], visits = [] } = group ?? {};
    group = null;
    await db.transaction(storeEvents, events, visits, Date.now());
  };
  return (events: CompleteEvent[], visits: Visit[]): Promise<void> => {
    if (!group) {
      group = { events: [], visits: [], stored: last.then(commit) };
      last = group.stored.catch(() => {});
    }
    group.events.push(...events);
    group.visits.push(...visits);
    return group.stored;
  };
}

function throwNotKept(cause: unknown): never {
  throw unavailable('The events could not be kept. Send them again.', RETRY_AFTER_S, cause);
}
