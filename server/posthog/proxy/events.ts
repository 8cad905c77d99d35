/**
 * POST /k/e/: takes the events of a page on our own origin, so that visitors' browsers connect to no third party. It stores a
 * `$pageview` as a visit, and keeps every event for PostHog's sender. It leaves out `cta_click`, because the click's row is it.
 *
 * posthog-js repeats a request after a 503, and drops its events after a 4xx.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { MAX_USER_AGENT, POSTHOG_PROXY_PATH } from '#contract/limits.ts';
import { isBot } from '../../clicks/is-bot.ts';
import type { ReferrerSettings } from '../../clicks/referring-domain.ts';
import type { Database } from '../../database/database.ts';
import { rateLimitKey } from '../../http/address.ts';
import { unavailable } from '../../http/http-error.ts';
import { ANY_TYPE } from '../../http/json-body.ts';
import { boundOpenRequests } from '../../http/open-requests.ts';
import { perMinute } from '../../http/rate-limit.ts';
import { refuseCrossSite, setApiHeaders } from '../../http/security.ts';
import { wantsPrivacy } from '../../http/wants-privacy.ts';
import type { Settings } from '../../settings.ts';
import { makeVisit } from '../../visits/visits.ts';
import { readEvents } from './read-events.ts';
import { openRoom } from './room.ts';
import { storeTogether } from './store-together.ts';
import { MAX_JSON_BYTES } from './unpack.ts';

/** Upper bound for events in a form field: base64, with some characters percent-encoded. */
const BODY_BYTES = 1.5 * MAX_JSON_BYTES;
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
  const room = openRoom(db, maxWaiting);
  app.addHook('onRequest', setApiHeaders);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(ANY_TYPE, { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
  app.post<{ Querystring: Record<string, unknown> }>(
    `${POSTHOG_PROXY_PATH}/e/`,
    {
      bodyLimit: BODY_BYTES,
      config: { rateLimit: eventLimit(config) },
      onRequest: [refuseCrossSite, boundOpenRequests(OPEN_REQUESTS)],
    },
    async (request) => {
      if (wantsPrivacy(request.headers)) return OK;
      const userAgent = (request.headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT);
      const message = { body: takeBody(request), query: request.query, userAgent };
      const sent = await readEvents(message, site.posthogKey, site);
      const isRobot = isBot(userAgent, userAgent);
      const now = Date.now();
      const visits = sent
        .filter(({ event }) => event === '$pageview')
        .map((event) => makeVisit(event, isRobot, now))
        .filter((visit) => visit !== null);
      const toPosthog = site.posthogKey !== null && !isRobot;
      const queued = toPosthog ? sent.filter(({ event }) => event !== 'cta_click') : [];
      if (visits.length + queued.length === 0) return OK;
      const fault = databaseFault();
      if (fault) throwNotKept(fault);
      const hasRoom = await room.take(rateLimitKey(request.ip), queued.length).catch(throwNotKept);
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

/** Drops the body, because a request stays in memory while its answer waits for others on the same connection. */
function takeBody(request: FastifyRequest): Buffer {
  // Fastify does not parse an empty body.
  const body = (request.body as Buffer | undefined) ?? Buffer.alloc(0);
  request.body = null;
  return body;
}

function throwNotKept(cause: unknown): never {
  throw unavailable('The events could not be kept. Send them again.', RETRY_AFTER_S, cause);
}
