/** The life cycle: settings, index, ledger, app, listening, graceful shutdown. */
import { isatty } from 'node:tty';
import closeWithGrace from 'close-with-grace';
import type { Logger } from 'pino';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { buildApp } from './app.ts';
import { readBuiltSite } from './built-site.ts';
import { checkPrivacy, privacyAdvice } from './check-privacy.ts';
import type { ServerClock } from './clock/server-clock.ts';
import type { Config } from './config.ts';
import { describeExamples, describeStart } from './describe-start.ts';
import { openKnownCodes } from './links/known-codes.ts';
import type { MetricsListener } from './metrics/listen.ts';
import { openMetrics } from './metrics/open-metrics.ts';
import { openData } from './open-data.ts';
import type { PosthogParts } from './posthog/open-posthog.ts';
import { makeLog } from './process/make-log.ts';
import { type Output, openOutput } from './process/standard-output.ts';
import { openRegistrations } from './registrations/open-registrations.ts';

/** Time for requests under way, after which their connections are closed. */
const LAST_ANSWERS_MS = 1000;
const LAST_LINES_MS = 300;
const EXIT_MS = 1900;

/**
 * @param onHangUp sets the handler of SIGHUP
 * @returns the server's log
 * @throws an Error that names the faults of the settings, the build or the data folder
 */
export async function serve(config: Config, onHangUp: (act: () => void) => void): Promise<Logger> {
  const site = readBuiltSite(config.distDir);
  checkPrivacy(site.privacy, config);
  const output = await openLines();
  const log = makeLog(config.logLevel, output);
  const advice = privacyAdvice(site.privacy, config);
  if (advice) log.warn(advice);
  const metrics = openMetrics(config.metricsPort);
  const data = await openData(config, log, (text) => output.write(text), {
    watch: metrics?.watchClicks,
  });
  const registrations = await openRegistrations(config, site, log, data.clock);
  const weeklyMail = await openWeeklyMail(config, site, log, data.clock);
  const knownCodes = openKnownCodes(config.campaignsFile, log);
  const posthog = await openPosthog(config, site.posthogKey, {
    log,
    ledgerEnd: data.ledgerEnd,
    trustedNow: data.clock.now,
    onReceipts: metrics?.onReceipts,
  });
  let isStopping = false;
  const parts = { site, log, ...data, posthog, registrations, knownCodes };
  const app = await buildApp(config, {
    ...parts,
    watchRequests: metrics?.watchRequests,
    isStopping: () => isStopping,
  });
  let scrapes: MetricsListener | undefined;
  const systemd = await openNotifier(config, log, () => app.server.listening);
  onHangUp(() => {
    knownCodes.reload();
    data.recorder.reopen().then(
      () => log.info(`Reopened ${config.files.ledger}`),
      (err) =>
        log.error({ err }, `Cannot reopen ${config.files.ledger}; writing on in the old file`),
    );
  });
  closeWithGrace({ delay: EXIT_MS, skip: ['SIGHUP'], logger: log }, async ({ err, signal }) => {
    isStopping = true;
    systemd?.stopping();
    if (err) log.fatal({ err }, 'Stopping after an unexpected error');
    else log.info(`Stopping (${signal})`);
    const cut = setTimeout(() => app.server.closeAllConnections(), LAST_ANSWERS_MS);
    await Promise.all([app.close(), posthog?.stop()]);
    await posthog?.close();
    clearTimeout(cut);
    scrapes?.close();
    // Before the lock on the data folder is released, because the next process takes over this one's claims.
    await Promise.all([registrations.close(), weeklyMail?.close()]);
    await data.close();
    await output.end(LAST_LINES_MS);
  });
  const address = await app.listen({ host: config.host, port: config.port });
  log.info(`Server listening at ${address}, process ${process.pid}`);
  log.info(describeStart(config, site));
  const examples = describeExamples(site);
  if (examples) log.warn(examples);
  systemd?.ready(`Listening at ${address}`);
  scrapes = metrics?.listen({ config, ...parts, isRedisAway: app.isRedisAway }, log);
  return log;
}

/** Standard output: text in a terminal, JSON elsewhere. */
async function openLines(): Promise<Output> {
  const output = openOutput(1);
  if (!isatty(1)) return output;
  const { prettyOutput } = await import('./process/pretty-output.ts');
  return prettyOutput(output, process.stdout.hasColors());
}

/** Loads this part only where it is on, because loading takes most of the time of a start. */
async function openPosthog(config: Config, key: string | null, parts: Omit<PosthogParts, 'key'>) {
  if (key === null) return null;
  const { openPosthog } = await import('./posthog/open-posthog.ts');
  return openPosthog(config, { key, ...parts });
}

/** Loads this part only where it is on, as the one before. */
async function openWeeklyMail(
  config: Config,
  { mail }: BuiltSite,
  log: Logger,
  clock: ServerClock,
) {
  if (config.reportMailTo.length === 0) return null;
  const { openWeeklyMail } = await import('./report/mail/open-weekly-mail.ts');
  return openWeeklyMail(config, mail.contactEmail, log, clock);
}

/** Loads this part only where systemd has started the server. */
async function openNotifier({ systemd }: Config, log: Logger, isHealthy: () => boolean) {
  if (systemd === null) return null;
  const { openNotifier } = await import('./process/notify.ts');
  return openNotifier({ ...systemd, isHealthy, log });
}
