/**
 * Builds the Fastify app: registers all plugins and routes, in their order. serve.ts makes it
 * listen and shuts it down. A plugin that is called as a function works on the whole scope. A
 * plugin that is registered gets a scope of its own.
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
import {
  boundsForDescriptors,
  type ConnectionBounds,
  readDescriptorLimit,
} from './http/connection-bounds.ts';
import { boundConnections } from './http/connections.ts';
import { sendError } from './http/errors.ts';
import { warnOfHiddenVisitors } from './http/hidden-visitors.ts';
import { operators } from './http/operators.ts';
import { pageHeaders } from './http/page-headers.ts';
import { rateLimit, underPressure } from './http/rate-limit.ts';
import { refusals } from './http/refusals.ts';
import { createReserve } from './http/reserve.ts';
import { checkHost, requireOriginChecks, setHeaders } from './http/security.ts';
import { normalizePath, staticFiles } from './http/static.ts';
import { links } from './links/links.ts';
import { portalStandIn } from './links/portal-stand-in/portal-stand-in.ts';
import type { Data } from './open-data.ts';
import { browserEvents } from './posthog/browser-events.ts';
import { register } from './registrations/register.ts';
import { type ReportOptions, report } from './report/routes.ts';
import type { Settings } from './settings.ts';
import type { Stats } from './stats/read-stats.ts';
import { stats } from './stats/stats.ts';
import { logView } from './visits/log-view.ts';
import { type WatchParts, watch } from './watch/watch.ts';

/** What the app needs besides the settings. */
export interface AppParts extends WatchParts, Data, Omit<ReportOptions, 'config'> {
  log: FastifyBaseLogger;
  stats: Stats;
  /** Upper bound for the waiting events of browsers and page views. */
  maxWaiting?: number | undefined;
  /**
   * Delay of the event loop above which clicks and events get 503, in milliseconds; 0: they never
   * do.
   */
  maxEventLoopDelayMs?: number | undefined;
  /** Limits for connections. Default: computed from the process's limit of file descriptors. */
  connectionBounds?: ConnectionBounds | undefined;
}

export async function buildApp(config: Settings, parts: AppParts): Promise<FastifyInstance> {
  const app = createFastify(config, parts.log);
  app.setErrorHandler<FastifyError>((error, request, reply) => sendError(error, request, reply));
  refusals(app, parts);
  boundConnections(
    app,
    config.TRUST_PROXY !== undefined,
    parts.connectionBounds ?? boundsForDescriptors(readDescriptorLimit()),
  );
  const budgets = openBudgets(app, config, parts);
  await rateLimit(app);
  app.addHook('onRequest', setHeaders);
  app.addHook('onRequest', checkHost);
  requireOriginChecks(app);
  await app.register(async (tracked) => {
    if (config.TRUST_PROXY !== undefined) warnOfHiddenVisitors(tracked);
    underPressure(tracked, parts.maxEventLoopDelayMs);
    await tracked.register(logCta, { config, ...parts });
    await tracked.register(logView, { config, ...parts, budgets });
    await tracked.register(browserEvents, { config, ...parts, budgets });
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

/** Creates Fastify with the server's logger, request ids and timeouts. */
function createFastify(
  { TRUST_PROXY }: Pick<Settings, 'TRUST_PROXY'>,
  log: FastifyBaseLogger,
): FastifyInstance {
  const prefix = randomBytes(3).toString('hex');
  let requests = 0;
  return fastify({
    // Requests use the server's logger, by childLoggerFactory. Fastify gets no logger of its own:
    // with one, it would listen for the end of every answer in order to log it.
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: () => log,
    // The prefix makes ids differ between servers and restarts.
    genReqId() {
      requests += 1;
      return `${prefix}-${requests.toString(36)}`;
    },
    trustProxy: trustedProxies(TRUST_PROXY),
    // Requests under way are still answered while the server stops.
    return503OnClosing: false,
    // Errors before routing have no error handler.
    frameworkErrors: sendError,
    rewriteUrl: normalizePath,
    // No route uses Fastify's schemas. Loading the compilers for them would take 10 % of the time
    // to the first answer.
    schemaController: {
      compilersFactory: { buildValidator: failOnSchema, buildSerializer: failOnSchema },
    },
    http: { headersTimeout: 5_000, connectionsCheckingInterval: 1_000 },
    requestTimeout: 10_000,
    // Closes the connections of clients that do not read their answer. While Node writes an answer,
    // it waits twice as long.
    connectionTimeout: 15_000,
    // Longer than proxies keep idle connections (60 s). Otherwise a proxy could send a click on a
    // connection that the server is just closing.
    keepAliveTimeout: 72_000,
  });
}

/** Creates the budgets for what strangers may add. Clicks need none. */
function openBudgets(app: FastifyInstance, config: Settings, { log, now, freeBytes }: AppParts) {
  const { dataDir: folder, CLICK_RESERVE_MB: reserveMb, rateLimit } = config;
  const reserve = createReserve({ folder, reserveMb, log, freeBytes });
  const { refusals } = app;
  return createBudgets({ limit: rateLimit.clicks, reserve, log, refusals, now });
}

function failOnSchema(): never {
  throw new Error('Routes check their input with zod, not with schemas of Fastify.');
}
