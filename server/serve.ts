/** The life cycle: build, data, PostHog, app, listening, graceful shutdown. */
import closeWithGrace from 'close-with-grace';
import { pino } from 'pino';
import { buildApp } from './app.ts';
import { describeExamples, describeStart, readBuiltSite } from './built-site.ts';
import { openData } from './open-data.ts';
import { startSender } from './posthog/sender.ts';
import { openOutput } from './process/standard-output.ts';
import { startMails } from './registrations/mails.ts';
import { startReportMails } from './report/mails/mails.ts';
import { describeUnknown, type Settings } from './settings.ts';
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
  const { posthogKey: key, posthogHost: host } = site;
  const onSettled = metrics?.settle;
  const posthog = key && startSender({ db: data.db, host, key, log, onSettled });
  let mails: (() => Promise<void>)[] = [];
  let isStopping = false;
  const app = await buildApp(config, {
    ...{ ...data, site, distDir, log, metrics },
    posthogState: posthog ? posthog.state : null,
    isStopping: () => isStopping,
  });
  closeWithGrace({ delay: EXIT_MS, logger: log }, async ({ err, signal }) => {
    isStopping = true;
    if (err) log.fatal({ err }, 'Stopping after an unexpected error');
    else log.info(`Stopping (${signal})`);
    const lastMails = Promise.all(mails.map((stop) => stop()));
    const cut = setTimeout(() => app.server.closeAllConnections(), LAST_ANSWERS_MS);
    await app.close();
    clearTimeout(cut);
    if (posthog) await posthog.stop();
    await lastMails;
    await data.close();
    await output.end(LAST_LINES_MS);
  });
  const address = await app.listen({ host: config.HOST, port: config.PORT });
  log.info(`Server listening at ${address}, process ${process.pid}`);
  // Not before, because a start that fails would break off a mail.
  const parts = { settings: config, db: data.db, ring: data.ring, site, log };
  mails = [startMails(parts), startReportMails(parts)];
  log.info(describeStart(config, site));
  for (const text of [...describeExamples(site), ...describeUnknown(process.env)]) log.warn(text);
}
