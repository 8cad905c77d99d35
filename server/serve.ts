/**
 * The life cycle of the server: reads the build, opens the data, builds the app, listens, starts
 * the jobs, and shuts down gracefully.
 */
import { setTimeout as wait } from 'node:timers/promises';
import closeWithGrace from 'close-with-grace';
import { type Logger, pino } from 'pino';
import { buildApp } from './app.ts';
import { describeExamples, describeStart, readBuiltSite } from './built-site.ts';
import { createStandbyWatch } from './database/postgres/standby.ts';
import {
  boundsForDescriptors,
  describeBounds,
  readDescriptorLimit,
} from './http/connection-bounds.ts';
import { listJobs } from './jobs.ts';
import { openData } from './open-data.ts';
import { type Jobs, startJobs } from './process/scheduler.ts';
import { openOutput } from './process/standard-output.ts';
import { describeUnknown, type Settings } from './settings.ts';
import { createStats } from './stats/read-stats.ts';
import { SECOND_MS } from './time.ts';
import { openSiteWatch } from './watch/open-site-watch.ts';

/**
 * How long a stopping server still takes new requests after SIGTERM, if a load balancer asks
 * /readyz each second. By then the balancer knows that the server stops, and uses another one.
 * Milliseconds.
 */
const HANDOVER_MS = 2 * SECOND_MS;
/** If /readyz was requested within this time, there is a load balancer. Milliseconds. */
const BALANCER_SEEN_MS = 3 * SECOND_MS;
/** How long requests under way may take, before their connections are closed. Milliseconds. */
const LAST_ANSWERS_TIMEOUT_MS = SECOND_MS;
/** How long the last log lines may take. Milliseconds. */
const LAST_LINES_TIMEOUT_MS = 300;
/** After this time, the process ends in any case. Milliseconds. */
const EXIT_TIMEOUT_MS = HANDOVER_MS + 1900;

/**
 * The signals that stop the server. A signal may come twice: the terminal sends it to all
 * processes, and npm passes it on once more.
 */
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Starts the server.
 *
 * @throws (rejects with) an Error that names the faults of the build or the data folder
 */
export async function serve(config: Settings, distDir: string): Promise<void> {
  const site = readBuiltSite(distDir);
  const output = openOutput();
  const log = pino({ level: config.LOG_LEVEL }, output);
  const metrics = config.ADMIN_PASSWORD
    ? (await import('./watch/metrics.ts')).createMetrics()
    : null;
  const data = await openData(config, site, { log, print: output.write, metrics });
  const stats = createStats(data);
  const standby = data.db.kind === 'postgres' ? createStandbyWatch(data.db, log) : null;
  const siteWatch = openSiteWatch({ settings: config, site, distDir, db: data.db, log });
  const sharedParts = { ...data, site, log, metrics, stats, standby, siteWatch };
  const descriptors = readDescriptorLimit();
  let jobs: Jobs | null = null;
  let isStopping = false;
  let readyAskedAt = Number.NEGATIVE_INFINITY;
  const app = await buildApp(config, {
    ...sharedParts,
    distDir,
    connectionBounds: boundsForDescriptors(descriptors),
    faultOf: (job) => jobs?.faultOf(job) ?? null,
    isStopping: () => isStopping,
    onReadyAsked() {
      readyAskedAt = performance.now();
    },
  });
  stopOnSignals(log, async (signal, err) => {
    isStopping = true;
    if (err) log.fatal({ err }, 'Stopping after an unexpected error');
    else log.info(`Stopping (${signal})`);
    const hasBalancer = performance.now() - readyAskedAt < BALANCER_SEEN_MS;
    if (signal === 'SIGTERM' && hasBalancer) await wait(HANDOVER_MS);
    const closeTimer = setTimeout(() => app.server.closeAllConnections(), LAST_ANSWERS_TIMEOUT_MS);
    await app.close();
    clearTimeout(closeTimer);
    await jobs?.stop();
    await data.close();
    await output.end(LAST_LINES_TIMEOUT_MS);
  });
  const address = await app.listen({ host: config.HOST, port: config.PORT });
  log.info(`Server listening at ${address}, process ${process.pid}`);
  // Jobs start only when the server listens, because a start that fails would interrupt a mail.
  jobs = startJobs(listJobs({ ...sharedParts, settings: config }), data.db);
  void data.comparison?.begin();
  log.info(describeStart(config, site));
  log.info(describeBounds(descriptors));
  for (const text of [...describeExamples(site), ...describeUnknown(process.env)]) log.warn(text);
}

/**
 * Calls `stop` once, after the first signal or after an uncaught error.
 *
 * @param stop when it resolves, or after EXIT_TIMEOUT_MS, the process ends
 */
function stopOnSignals(
  log: Logger,
  stop: (signal: NodeJS.Signals | undefined, err: Error | undefined) => Promise<void>,
): void {
  let firstSignal: NodeJS.Signals | undefined;
  let hasBegun = false;
  const options = { delay: EXIT_TIMEOUT_MS, logger: log, skip: [...STOP_SIGNALS] };
  const { close } = closeWithGrace(options, ({ err, signal }) => {
    hasBegun = true;
    return stop(firstSignal ?? signal, err);
  });
  for (const signal of STOP_SIGNALS)
    process.on(signal, () => {
      if (hasBegun) return;
      firstSignal = signal;
      close();
    });
}
