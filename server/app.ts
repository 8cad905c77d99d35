/** Composes the server's plugins and routes, in their order. serve.ts listens and shuts down. */
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyPluginAsync,
  fastify,
  LogController,
} from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import type { ClickIndex } from './clicks/index/click-index.ts';
import { logCta } from './clicks/log-cta.ts';
import type { Overload } from './clicks/overload.ts';
import type { Recorder } from './clicks/record-clicks.ts';
import type { ReferrerSettings } from './clicks/referring-domain.ts';
import type { RejectedBodies } from './clicks/rejected-bodies.ts';
import type { Config } from './config.ts';
import { type HealthParts, health } from './health/health.ts';
import { answerBrokenRequest } from './http/broken-request.ts';
import { connections } from './http/connections.ts';
import { cors } from './http/cors.ts';
import { errors, sendError } from './http/errors.ts';
import { portalStandIn } from './http/portal-stand-in.ts';
import { postGuards } from './http/post-guards.ts';
import { rateLimit } from './http/rate-limit/rate-limit.ts';
import { makeRequestIds, trustedProxies } from './http/request-ids.ts';
import { security, setApiHeaders } from './http/security.ts';
import { sitePath } from './http/site-path.ts';
import { staticFiles } from './http/static.ts';
import type { KnownCodes } from './links/known-codes.ts';
import { links } from './links/links.ts';
import type { Posthog } from './posthog/open-posthog.ts';
import { register } from './registrations/register.ts';
import type { Registrations } from './registrations/registrations.ts';
import { stats } from './stats/stats.ts';

export interface Parts extends Pick<HealthParts, 'space' | 'ledgerChanges' | 'isStopping'> {
  /** Observes every request, for the metrics. */
  watchRequests?: FastifyPluginAsync | undefined;
  site: BuiltSite;
  log: FastifyBaseLogger;
  recorder: Recorder;
  clickIndex: ClickIndex;
  rejectedBodies: RejectedBodies;
  overload: Overload;
  registrations: Registrations;
  /** null: the page was built without PostHog. */
  posthog: Posthog | null;
  knownCodes: KnownCodes;
}

export async function buildApp(config: Config, parts: Parts): Promise<FastifyInstance> {
  const isTrusted = trustedProxies(config.trustProxy);
  const app = fastify({
    // Requests log to the server's own log. Fastify itself has none: with one it would listen for every answer's end,
    // to log it, and ask only then whether that is wanted.
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: () => parts.log,
    genReqId: makeRequestIds(isTrusted),
    trustProxy: isTrusted ?? false,
    // Still answers requests under way while the server stops.
    return503OnClosing: false,
    clientErrorHandler: answerBrokenRequest,
    // Errors before a route is chosen have no error handler.
    frameworkErrors: sendError,
    rewriteUrl: sitePath,
    // Without this, Fastify loads its own compilers before ours are set below: 10 % of the time to the first answer.
    schemaController: {
      compilersFactory: { buildValidator: neverAsked, buildSerializer: neverAsked },
    },
    http: { headersTimeout: 5_000, connectionsCheckingInterval: 1_000 },
    requestTimeout: 10_000,
    // For clients that do not read their answer. Node waits twice as long while it writes one.
    connectionTimeout: 15_000,
    // Longer than nginx keeps its connections (60 s). Otherwise nginx could send a click on a connection that is just closing.
    keepAliveTimeout: 72_000,
  });
  // Validates requests and answers of routes with schemas.
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  const { site } = parts;
  const referrer = referrerSettings(site, config);
  if (parts.watchRequests) await app.register(parts.watchRequests);
  if (config.accessLog) {
    const { accessLog } = await import('./http/access-log.ts');
    await app.register(accessLog(parts.log));
  }
  await app.register(errors);
  await app.register(connections, {
    max: config.maxConnections,
    isBehindProxy: config.trustProxy !== false,
  });
  await app.register(security, { site, hsts: config.hsts });
  await app.register(cors, { origins: config.corsOrigins });
  await app.register(rateLimit, {
    redisUrl: config.redisUrl,
    redisTimeoutMs: config.redisTimeoutMs,
    log: parts.log,
  });
  await app.register(postGuards);
  await app.register(logCta, { config, referrer, ...parts });
  await app.register(async (api) => {
    api.addHook('onRequest', setApiHeaders);
    await api.register(register, { config, ...parts });
    await api.register(stats, { config, ...parts });
    await api.register(health, { config, ...parts });
  });
  await app.register(links, { config, ...parts });
  await app.register(portalStandIn, { config, ...parts });
  if (parts.posthog) {
    const { posthogProxy } = await import('./posthog/proxy/posthog-proxy.ts');
    await app.register(posthogProxy, {
      config,
      referrer,
      posthog: parts.posthog,
      overload: parts.overload,
    });
  }
  await app.register(staticFiles, {
    distDir: config.distDir,
    notFoundLimit: config.rateLimit.other,
  });
  return app;
}

/** The partner's hosts are those that the page links to, and those of the setting. */
const referrerSettings = (
  { mail, portalHost }: BuiltSite,
  { referringDomain, partnerHosts }: Config,
): ReferrerSettings => ({
  referringDomain,
  partnerHosts: [
    // Without a portal these links lead to our own host.
    ...(portalHost ? [mail.signUpUrl, mail.privacyUrl].map((url) => new URL(url).hostname) : []),
    ...partnerHosts,
  ],
});

function neverAsked(): never {
  throw new Error('Schemas are compiled by zod’s compilers alone.');
}
