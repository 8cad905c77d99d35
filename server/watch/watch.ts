/**
 * Serves the server's health to supervisors, load balancers and operators, and its metrics.
 *
 * - GET /livez: the process answers, and is not stopping.
 * - GET /readyz: the last commit or probe succeeded, and the server is not stopping.
 * - GET /healthz: the same status as /readyz, and everything that is wrong. A fault of PostHog is
 *   not a failure, because events wait.
 * - GET /metrics: figures for Prometheus, with ADMIN_PASSWORD.
 *
 * Only a request with ADMIN_PASSWORD gets the reasons, because they name hosts and disks. The
 * client's address is no proof instead: behind a proxy on the server's machine, every visitor would
 * have a local one. No request makes the server write.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { isLocal } from '#contract/is-local.ts';
import { describeExamples } from '../built-site.ts';
import type { LogComparison } from '../clicks/compare-log.ts';
import type { ClockWatch } from '../clicks/watch-clock.ts';
import type { Backlog } from '../database/database.ts';
import type { StandbyWatch } from '../database/postgres/standby.ts';
import type { WriteHealth } from '../database/write-health.ts';
import type { Budgets } from '../http/budgets.ts';
import { checkPassword, isOperator } from '../http/operators.ts';
import { freeBytesOf } from '../http/reserve.ts';
import { readBacklog } from '../posthog/outbox.ts';
import { readMailBacklog } from '../registrations/store-registrations.ts';
import type { RouteOptions } from '../settings.ts';
import { SECOND_MS } from '../time.ts';
import type { Metrics } from './metrics.ts';
import type { SiteWatch } from './watch-site.ts';

export interface WatchParts {
  /** null: without ADMIN_PASSWORD nothing is counted, and there is no /metrics. */
  metrics?: Metrics | null | undefined;
  /** Returns why the last run of a job failed on this server. Null: it succeeded. */
  faultOf?: ((job: string) => string | null) | undefined;
  /** null: SQLite. */
  standby?: StandbyWatch | null | undefined;
  /** null: a local site, which has no public address. */
  siteWatch?: SiteWatch | null | undefined;
  freeBytes?: ((folder: string) => Promise<number>) | undefined;
  isStopping?: (() => boolean) | undefined;
  /** Called for each request of /readyz. */
  onReadyAsked?: (() => void) | undefined;
}

interface Options extends WatchParts, RouteOptions {
  health: WriteHealth;
  budgets: Budgets;
  clock: ClockWatch;
  /** Comparison of the click log with SQLite's table, made at the start. null: PostgreSQL. */
  comparison: LogComparison | null;
}

/** Registers the four routes. */
export async function watch(app: FastifyInstance, options: Options): Promise<void> {
  const { site, health, metrics, standby = null, isStopping = () => false } = options;
  const { budgets, clock, comparison } = options;
  const examples = isLocal(site.siteUrl) ? [] : describeExamples(site);
  const answerStatus = (reply: FastifyReply) => {
    const status = isStopping() ? 'stopping' : health.whyNotReady() ? 'failing' : 'ready';
    reply.code(status === 'ready' ? 200 : 503);
    return { status };
  };
  app.get('/livez', (_request, reply) => {
    if (isStopping()) reply.code(503);
    return { status: isStopping() ? 'stopping' : 'ok' };
  });
  app.get('/readyz', async (_request, reply) => {
    options.onReadyAsked?.();
    return answerStatus(reply);
  });
  app.get('/healthz', { preHandler: checkPassword }, async (request, reply) => {
    const status = answerStatus(reply);
    if (!isOperator(request)) return status;
    const fault = health.whyNotReady();
    const reasons = [
      fault && `Clicks cannot be kept: ${fault.message}`,
      clock.warning(),
      await orNull(comparison?.warning() ?? null),
      standby?.warning() ?? null,
      ...(await budgets.reasons()),
      ...(options.siteWatch?.reasons() ?? []),
      ...examples,
      ...reasonsOf(await readHealthFigures(options)),
    ];
    return { ...status, reasons: reasons.filter((reason) => reason !== null) };
  });
  if (!metrics) return;
  const { registry, show } = metrics;
  app.get('/metrics', { preHandler: app.basicAuth }, async (_request, reply) => {
    show(health.whyNotReady() === null, standby?.state() ?? null, await readHealthFigures(options));
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

/** Time limit of each source of figures. If one is slow, only its own figures are missing. */
const TIMEOUT_MS = SECOND_MS;
/**
 * Age of the oldest waiting event or mail that is a fault. deploy/prometheus has the same bound.
 */
const BEHIND_S = 30 * 60;
/** Free space below which the disk is a fault. deploy/prometheus has the same bound. */
const LOW_BYTES = 1024 ** 3;

/**
 * Figures that are read when an operator or Prometheus asks. A figure that could not be read is
 * null. Its source logs the reason.
 */
export type HealthFigures = Awaited<ReturnType<typeof readHealthFigures>>;

async function readHealthFigures(options: Options) {
  const { site, db, freeBytes = freeBytesOf, faultOf, config, siteWatch } = options;
  const [posthog, mails, free] = await Promise.all([
    orNull(site.posthogKey === null ? null : readBacklog(db)),
    orNull(readMailBacklog(db)),
    orNull(freeBytes(config.dataDir)),
  ]);
  const fault = faultOf?.('posthog') ?? null;
  const siteFaults = siteWatch?.lasting() ?? null;
  return { posthog: posthog && { ...posthog, fault }, mails, freeBytes: free, siteFaults };
}

/** Returns null if a figure is late or its source fails. */
const orNull = <T>(figure: Promise<T> | null): Promise<T | null> =>
  Promise.race([figure, delay(TIMEOUT_MS, null, { ref: false })]).catch(() => null);

/** Returns the seconds since a time in milliseconds since 1970; 0 for null. */
export const ageInSeconds = (at: number | null): number =>
  at === null ? 0 : Math.max(0, Date.now() - at) / 1000;

/** Returns sentences about figures that are out of bounds. They do not stop the server. */
function reasonsOf({ posthog, mails, freeBytes }: HealthFigures): (string | null)[] {
  return [
    posthog && describeBacklog('PostHog is behind. Events', posthog),
    mails && describeBacklog('Mails', mails),
    freeBytes !== null && freeBytes < LOW_BYTES
      ? `The disk of DATA_DIR has ${Math.floor(freeBytes / 1024 ** 2)} MB left. Free some space.`
      : null,
  ];
}

/** Describes a backlog that is too old, or whose sender has failed. Null: it has neither. */
function describeBacklog(
  name: string,
  backlog: Backlog & { fault?: string | null },
): string | null {
  const { waiting, oldestAt, fault = null } = backlog;
  const isBehind = ageInSeconds(oldestAt) > BEHIND_S;
  if (fault === null && !isBehind) return null;
  const age = isBehind ? `, the oldest for ${Math.floor(ageInSeconds(oldestAt) / 60)} minutes` : '';
  return `${name} wait: ${waiting}${age}. ${fault ?? 'The log says why.'}`;
}
