/** The life cycle: build, data, PostHog, app, listening, graceful shutdown. */
import closeWithGrace from 'close-with-grace';
import type { Logger } from 'pino';
import { buildApp } from './app.ts';
import { describeExamples, readBuiltSite } from './built-site.ts';
import { describeStart } from './describe-start.ts';
import { openData } from './open-data.ts';
import type { Settled } from './posthog/outbox.ts';
import { startSender } from './posthog/sender.ts';
import { makeLog } from './process/make-log.ts';
import { openOutput } from './process/standard-output.ts';
import { startWeeklyMail } from './report/weekly-mail.ts';
import type { Settings } from './settings.ts';
import { watchRequests } from './watch/watch-requests.ts';

/** Time for requests under way, after which their connections are closed. */
const LAST_ANSWERS_MS = 1000;
const LAST_LINES_MS = 300;
const EXIT_MS = 1900;

/**
 * @param distDir folder of the build
 * @returns the server's log
 * @throws an Error that names the faults of the settings, the build or the data folder
 */
export async function serve(config: Settings, distDir: string): Promise<Logger> {
  const site = readBuiltSite(distDir);
  const output = openOutput(1);
  const log = makeLog(config.logLevel, output);
  const metrics =
    config.adminPassword === null ? null : (await import('./watch/metrics.ts')).createMetrics();
  const data = await openData(config, site, {
    log,
    print: (lines) => output.write(lines),
    metrics,
  });
  const { posthogKey: key, posthogHost: host } = site;
  const onSettled = (settled: Settled) => metrics?.settle(settled);
  const posthog = key && startSender({ db: data.db, host, key, log, onSettled });
  let stopWeeklyMail = async (): Promise<void> => {};
  let isStopping = false;
  const parts = { site, distDir, log, ...data, metrics };
  const app = await buildApp(config, {
    ...parts,
    posthogState: posthog ? posthog.state : null,
    watchRequests: metrics && watchRequests(metrics),
    isStopping: () => isStopping,
  });
  closeWithGrace({ delay: EXIT_MS, logger: log }, async ({ err, signal }) => {
    isStopping = true;
    if (err) log.fatal({ err }, 'Stopping after an unexpected error');
    else log.info(`Stopping (${signal})`);
    const lastMails = Promise.all([data.registrations.stopMails(), stopWeeklyMail()]);
    const cut = setTimeout(() => app.server.closeAllConnections(), LAST_ANSWERS_MS);
    await app.close();
    clearTimeout(cut);
    if (posthog) await posthog.stop();
    await lastMails;
    await data.close();
    await output.end(LAST_LINES_MS);
  });
  const address = await app.listen({ host: config.host, port: config.port });
  log.info(`Server listening at ${address}, process ${process.pid}`);
  // Not before, because a start that fails would break off a mail.
  data.registrations.startMails();
  stopWeeklyMail = startWeeklyMail({ settings: config, db: data.db, site, log });
  log.info(describeStart(config, site));
  const examples = describeExamples(site);
  if (examples) log.warn(examples);
  return log;
}
