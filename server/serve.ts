/** The life cycle: build, data, app, listening, jobs, graceful shutdown. */
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
 * How long the server still takes requests after SIGTERM, if a load balancer asks /readyz each
 * second: by then it has heard that the server stops, and sends its requests to another one.
 */
const HANDOVER_MS = 2 * SECOND_MS;
/** A load balancer has asked /readyz within this time. */
const BALANCER_SEEN_MS = 3 * SECOND_MS;
/** Time for requests under way, after which their connections are closed. */
const LAST_ANSWERS_TIMEOUT_MS = SECOND_MS;
const LAST_LINES_TIMEOUT_MS = 300;
const EXIT_TIMEOUT_MS = HANDOVER_MS + 1900;

/**
 * Each of them may come twice: npm passes on what the terminal has sent to all of its processes.
 */
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** @throws (rejects with) an Error that names the faults of the build or the data folder */
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
  const parts = { ...data, site, log, metrics, stats, standby, siteWatch };
  const descriptors = readDescriptorLimit();
  let jobs: Jobs | null = null;
  let isStopping = false;
  let readyAskedAt = Number.NEGATIVE_INFINITY;
  const app = await buildApp(config, {
    ...parts,
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
  // Not before it listens, because a start that fails would break off a mail.
  jobs = startJobs(listJobs({ ...parts, settings: config }), data.db);
  void data.comparison?.begin();
  log.info(describeStart(config, site));
  log.info(describeBounds(descriptors));
  for (const text of [...describeExamples(site), ...describeUnknown(process.env)]) log.warn(text);
}

/**
 * Calls `stop` once: after the first signal, or after an error that nothing has caught.
 *
 * @param stop the process ends when it resolves, or after EXIT_TIMEOUT_MS
 */
function stopOnSignals(
  log: Logger,
  stop: (signal: NodeJS.Signals | undefined, err: Error | undefined) => Promise<void>,
): void {
  let first: NodeJS.Signals | undefined;
  let hasBegun = false;
  const options = { delay: EXIT_TIMEOUT_MS, logger: log, skip: [...STOP_SIGNALS] };
  const { close } = closeWithGrace(options, ({ err, signal }) => {
    hasBegun = true;
    return stop(first ?? signal, err);
  });
  for (const signal of STOP_SIGNALS)
    process.on(signal, () => {
      if (hasBegun) return;
      first = signal;
      close();
    });
}
