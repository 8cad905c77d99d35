/** The life cycle: build, data, app, listening, jobs, graceful shutdown. */
import closeWithGrace from 'close-with-grace';
import { pino } from 'pino';
import { buildApp } from './app.ts';
import { describeExamples, describeStart, readBuiltSite } from './built-site.ts';
import { createStandbyWatch } from './database/postgres/standby.ts';
import { listJobs } from './jobs.ts';
import { openData } from './open-data.ts';
import { type Jobs, startJobs } from './process/scheduler.ts';
import { openOutput } from './process/standard-output.ts';
import { describeUnknown, type Settings } from './settings.ts';
import { createStats } from './stats/read-stats.ts';
import { SECOND_MS } from './time.ts';

/** Time for requests under way, after which their connections are closed. */
const LAST_ANSWERS_MS = SECOND_MS;
const LAST_LINES_MS = 300;
const EXIT_MS = 1900;

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
  const parts = { ...data, site, log, metrics, stats, standby };
  let jobs: Jobs | null = null;
  let isStopping = false;
  const app = await buildApp(config, {
    ...parts,
    distDir,
    faultOf: (job) => jobs?.faultOf(job) ?? null,
    isStopping: () => isStopping,
  });
  closeWithGrace({ delay: EXIT_MS, logger: log }, async ({ err, signal }) => {
    isStopping = true;
    if (err) log.fatal({ err }, 'Stopping after an unexpected error');
    else log.info(`Stopping (${signal})`);
    const cut = setTimeout(() => app.server.closeAllConnections(), LAST_ANSWERS_MS);
    await app.close();
    clearTimeout(cut);
    await jobs?.stop();
    await data.close();
    await output.end(LAST_LINES_MS);
  });
  const address = await app.listen({ host: config.HOST, port: config.PORT });
  log.info(`Server listening at ${address}, process ${process.pid}`);
  // Not before it listens, because a start that fails would break off a mail.
  jobs = startJobs(listJobs({ ...parts, settings: config }), data.db);
  log.info(describeStart(config, site));
  for (const text of [...describeExamples(site), ...describeUnknown(process.env)]) log.warn(text);
}
