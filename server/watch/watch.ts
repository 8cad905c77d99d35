/**
 * Health of the server, for supervisors, load balancers and operators, and its metrics.
 *
 * - GET /livez: the process answers.
 * - GET /readyz: the last commit or probe succeeded, and the server is not stopping.
 * - GET /healthz: the same, and what else is wrong. A fault of PostHog is not a failure, because events wait.
 * - GET /metrics: for Prometheus, with ADMIN_PASSWORD.
 *
 * Only operators get the reasons, because they name hosts and disks. No request makes the server write.
 */
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { describeExamples, isLocal } from '../built-site.ts';
import type { Recorder } from '../clicks/record-clicks.ts';
import type { Database } from '../database/database.ts';
import { perMinute } from '../http/rate-limit.ts';
import type { PosthogState } from '../posthog/sender.ts';
import { readMailBacklog } from '../registrations/store-registrations.ts';
import type { Settings } from '../settings.ts';
import { freeBytesOf, readFigures, reasonsOf } from './figures.ts';
import type { Metrics } from './metrics.ts';
import { checkPassword, hasPassword, isOperator } from './operators.ts';
import { watchStandby } from './standby.ts';

export interface WatchParts {
  /** null: without ADMIN_PASSWORD nothing is counted, and there is no /metrics. */
  metrics?: Metrics | null | undefined;
  /** null: no PostHog. */
  posthogState?: (() => Promise<PosthogState>) | null | undefined;
  /** Free bytes of a folder's disk. */
  freeBytes?: ((folder: string) => Promise<number>) | undefined;
  /** Time between two looks at the standby. */
  standbyLookMs?: number | undefined;
  /** Has the server begun to stop? */
  isStopping?: (() => boolean) | undefined;
}

interface Options extends WatchParts {
  config: Pick<Settings, 'adminPassword' | 'dataDir'>;
  site: BuiltSite;
  log: FastifyBaseLogger;
  db: Database;
  recorder: Recorder;
}

/** Requests a minute and address with a password, to each of the two routes. */
const LIMIT = perMinute(120);

export async function watch(app: FastifyInstance, options: Options): Promise<void> {
  const { config, site, log, db, recorder, metrics } = options;
  const { posthogState, freeBytes = freeBytesOf } = options;
  const figures = () =>
    readFigures(posthogState?.() ?? null, readMailBacklog(db), freeBytes(config.dataDir));
  const standby = db.kind === 'postgres' ? watchStandby(db, log, options.standbyLookMs) : null;
  app.addHook('onClose', async () => standby?.stop());
  const examples = isLocal(site) ? [] : describeExamples(site);
  health(app, options, async () => [
    standby?.warning() ?? null,
    ...examples,
    ...reasonsOf(await figures()),
  ]);
  if (!metrics) return;
  const { registry, show } = metrics;
  const forOperators = { config: { rateLimit: LIMIT }, preHandler: app.basicAuth };
  app.get('/metrics', forOperators, async (_request, reply) => {
    const isReady = recorder.whyNotReady() === null;
    show({ isReady, standby: standby?.state() ?? null, figures: await figures() });
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

/** @param readReasons says what is wrong while clicks are kept */
function health(
  app: FastifyInstance,
  { recorder, isStopping = () => false }: Options,
  readReasons: () => Promise<(string | null)[]>,
): void {
  const readStatus = () => {
    if (isStopping()) return { code: 503, status: 'stopping' };
    if (recorder.whyNotReady()) return { code: 503, status: 'failing' };
    return { code: 200, status: 'ready' };
  };
  app.get('/livez', () => ({ status: 'ok' }));
  app.get('/readyz', (_request, reply) => {
    const { code, status } = readStatus();
    return reply.code(code).send({ status });
  });
  const rateLimit = { ...LIMIT, allowList: (request: FastifyRequest) => !hasPassword(request) };
  const healthz = { config: { rateLimit }, preHandler: checkPassword };
  app.get('/healthz', healthz, async (request, reply) => {
    const { code, status } = readStatus();
    reply.code(code);
    if (!isOperator(request)) return { status };
    const fault = recorder.whyNotReady();
    const reasons = [fault && `Clicks cannot be kept: ${fault.message}`, ...(await readReasons())];
    return { status, reasons: reasons.filter((reason) => reason !== null) };
  });
}
