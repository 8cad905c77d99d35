/**
 * Composes the server's parts and routes, in their order. serve.ts listens and shuts down. A
 * function that is called works on the whole scope; a plugin that is registered has a scope of its
 * own.
 */
import { randomBytes } from 'node:crypto';
import {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  fastify,
  LogController,
} from 'fastify';
import { logCta } from './clicks/log-cta.ts';
import { trustedProxies } from './http/address.ts';
import { createBudgets } from './http/budgets.ts';
import { boundsOf, type ConnectionBounds, readDescriptorLimit } from './http/connection-bounds.ts';
import { connections } from './http/connections.ts';
import { sendError } from './http/errors.ts';
import { warnOfHiddenVisitors } from './http/hidden-visitors.ts';
import { operators } from './http/operators.ts';
import { pageHeaders } from './http/page-headers.ts';
import { rateLimit, underPressure } from './http/rate-limit.ts';
import { refusals } from './http/refusals.ts';
import { createReserve } from './http/reserve.ts';
import { checkHost, postGuards, setHeaders } from './http/security.ts';
import { sitePath, staticFiles } from './http/static.ts';
import { links } from './links/links.ts';
import { portalStandIn } from './links/portal-stand-in/portal-stand-in.ts';
import type { Data } from './open-data.ts';
import { events } from './posthog/browser-events.ts';
import { register } from './registrations/register.ts';
import { type ReportOptions, report } from './report/routes.ts';
import type { Settings } from './settings.ts';
import type { Stats } from './stats/read-stats.ts';
import { stats } from './stats/stats.ts';
import { logView } from './visits/log-view.ts';
import { type WatchParts, watch } from './watch/watch.ts';

export interface Parts extends WatchParts, Data, Omit<ReportOptions, 'config'> {
  log: FastifyBaseLogger;
  stats: Stats;
  /** Upper bound of browsers' events that wait for PostHog. */
  maxWaiting?: number | undefined;
  /** Event-loop delay above which clicks and events get 503; 0: never. */
  maxEventLoopDelayMs?: number | undefined;
  /** By default those that the process's limit of descriptors allows. */
  connectionBounds?: ConnectionBounds | undefined;
}

export async function buildApp(config: Settings, parts: Parts): Promise<FastifyInstance> {
  const prefix = randomBytes(3).toString('hex');
  let requests = 0;
  const app = fastify({
    // Requests log to the server's own log. Fastify itself has none: with one it would listen for
    // every answer's end, to log it, and ask only then whether that is wanted.
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: () => parts.log,
    // Differs between servers and restarts. V8 keeps joined strings of more than twelve characters
    // in pieces, which are slower.
    genReqId() {
      requests += 1;
      return `${prefix}-${requests.toString(36)}`;
    },
    trustProxy: trustedProxies(config.TRUST_PROXY),
    // Still answers requests under way while the server stops.
    return503OnClosing: false,
    // Errors before a route is chosen have no error handler.
    frameworkErrors: sendError,
    rewriteUrl: sitePath,
    // No route has a schema for Fastify. Loading its compilers takes 10 % of the time to the first
    // answer.
    schemaController: {
      compilersFactory: { buildValidator: neverAsked, buildSerializer: neverAsked },
    },
    http: { headersTimeout: 5_000, connectionsCheckingInterval: 1_000 },
    requestTimeout: 10_000,
    // For clients that do not read their answer. Node waits twice as long while it writes one.
    connectionTimeout: 15_000,
    // Longer than a proxy keeps its connections (60 s). Otherwise it could send a click on a
    // connection that is just closing.
    keepAliveTimeout: 72_000,
  });
  app.setErrorHandler<FastifyError>((error, request, reply) => sendError(error, request, reply));
  refusals(app, parts);
  connections(
    app,
    config.TRUST_PROXY !== undefined,
    parts.connectionBounds ?? boundsOf(readDescriptorLimit()),
  );
  const budgets = openBudgets(app, config, parts);
  await rateLimit(app);
  app.addHook('onRequest', setHeaders);
  app.addHook('onRequest', checkHost);
  postGuards(app);
  await app.register(async (collected) => {
    if (config.TRUST_PROXY !== undefined) warnOfHiddenVisitors(collected);
    underPressure(collected, parts.maxEventLoopDelayMs);
    await collected.register(logCta, { config, ...parts });
    await collected.register(logView, { config, ...parts, budgets });
    await collected.register(events, { config, ...parts, budgets });
  });
  await app.register(async (api) => {
    await api.register(register, { config, ...parts, budgets });
    await api.register(stats, { config, ...parts });
    await operators(api, { config, ...parts });
    await api.register(watch, { config, ...parts, budgets });
    await api.register(report, { config, ...parts });
  });
  await app.register(async (pages) => {
    await pageHeaders(pages, parts.site);
    await links(pages, config);
    if (parts.site.portalHost === null) await portalStandIn(pages, config, parts.distDir);
    await staticFiles(pages, parts.distDir, config.rateLimit.other);
  });
  return app;
}

function openBudgets(app: FastifyInstance, config: Settings, { log, now, freeBytes }: Parts) {
  const { dataDir: folder, CLICK_RESERVE_MB: reserveMb, rateLimit } = config;
  const reserve = createReserve({ folder, reserveMb, log, freeBytes });
  const { refusals } = app;
  return createBudgets({ limit: rateLimit.clicks, reserve, log, refusals, now });
}

function neverAsked(): never {
  throw new Error('Routes check their input with zod, not with schemas of Fastify.');
}
