/** Health, metrics and the watch over the standby. */
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import type { Recorder } from '../clicks/record-clicks.ts';
import type { Database } from '../database/database.ts';
import { perMinute } from '../http/rate-limit.ts';
import { readMailBacklog } from '../registrations/mail/outbox.ts';
import type { Settings } from '../settings.ts';
import { freeBytesOf, makeFigures, type Sources } from './figures.ts';
import { health } from './health.ts';
import type { Metrics } from './metrics.ts';
import { watchStandby } from './standby.ts';

export interface WatchParts {
  /** null: without ADMIN_PASSWORD nothing is counted, and there is no /metrics. */
  metrics?: Metrics | null | undefined;
  /** null: no PostHog. */
  posthogState?: Sources['posthogState'] | undefined;
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
const LIMIT = 120;

export async function watch(app: FastifyInstance, options: Options): Promise<void> {
  const { config, site, log, db, recorder, metrics } = options;
  const { posthogState = null, freeBytes = freeBytesOf, isStopping = () => false } = options;
  const figures = makeFigures({
    posthogState,
    mailBacklog: () => readMailBacklog(db),
    freeBytes: () => freeBytes(config.dataDir),
  });
  const standby = db.kind === 'postgres' ? watchStandby(db, log, options.standbyLookMs) : null;
  app.addHook('onClose', async () => standby?.stop());
  const parts = { recorder, figures, standby, limit: LIMIT };
  await app.register(health, { ...parts, site, isStopping });
  if (!metrics) return;
  const { addStates } = await import('./metrics.ts');
  addStates(metrics, parts);
  const { registry } = metrics;
  app.get(
    '/metrics',
    { config: { rateLimit: perMinute(LIMIT) }, preHandler: app.basicAuth },
    async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()),
  );
}
