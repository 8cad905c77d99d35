/** The real app with a real database in a new folder. Tests send requests through `inject`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { onTestFinished } from 'vitest';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { buildApp } from '../../../server/app.ts';
import { readBuiltSite } from '../../../server/built-site.ts';
import { openData } from '../../../server/open-data.ts';
import { type Pace, startSender } from '../../../server/posthog/sender.ts';
import { makeLog } from '../../../server/process/make-log.ts';
import type { MailPace } from '../../../server/registrations/mail/sender.ts';
import { readSettings } from '../../../server/settings.ts';
import { createMetrics } from '../../../server/watch/metrics.ts';
import type { WatchParts } from '../../../server/watch/watch.ts';
import { checkLines } from './check-lines.ts';
import { type Line, parseLines, readDailyLines } from './read-lines.ts';
import { makeDist } from './server-dist.ts';

interface Options {
  /** DIST_DIR: the folder of the build, which the server gets as its argument. */
  env?: Record<string, string>;
  site?: Partial<BuiltSite>;
  /** The folder of an earlier app. */
  dataDir?: string;
  /** The clock of the statistics and of the retention. */
  now?: () => number;
  watch?: WatchParts;
  /** The waits of PostHog's sender. Without it, nothing is sent. */
  pace?: Partial<Pace> | undefined;
  /** Upper bound of browsers' events that wait for PostHog. */
  maxWaiting?: number;
  maxWaitingClicks?: number;
  /** The waits of the mails' sender. By default they are short. */
  mailPace?: Partial<MailPace>;
  /** Observes routes and requests, in place of the metrics' own. */
  watchRequests?: (app: FastifyInstance) => void;
  /** 0: a busy machine does not look like an overload. */
  maxEventLoopDelayMs?: number;
}

/** The waits of the mails' sender, in milliseconds. */
const FAST: Partial<MailPace> = {
  idle: 20,
  firstPause: 20,
  longestPause: 50,
  firstDelay: 20,
  longestDelay: 50,
};

/** Starts the app until the end of the test. `logged()` has the server's own log. */
export async function startApp(options: Options = {}) {
  const { site = {}, dataDir, now, watch, maxEventLoopDelayMs = 0, pace, maxWaiting } = options;
  const { DIST_DIR: distDir = makeDist(site), ...env } = options.env ?? {};
  const config = readSettings({ DATA_DIR: dataDir ?? makeDataDir(), ...env });
  const messages: Line[] = [];
  const printed: string[] = [];
  const check = checkLines();
  const log = makeLog(config.logLevel, {
    write(line) {
      check.add(line);
      messages.push(JSON.parse(line));
    },
  });
  const builtSite = readBuiltSite(distDir);
  const metrics = config.adminPassword === null ? null : createMetrics();
  const { watchRequests } = options;
  const observed = watchRequests ? { ...createMetrics(), watchClicks: watchRequests } : metrics;
  const data = await openData(config, builtSite, {
    log,
    print: (lines) => printed.push(lines),
    maxWaitingClicks: options.maxWaitingClicks,
    mailPace: { ...FAST, ...options.mailPace },
    metrics,
    now,
  });
  const { posthogKey: key, posthogHost: host } = builtSite;
  const posthog =
    key && pace
      ? startSender({
          db: data.db,
          host,
          key,
          log,
          pace,
          onSettled: (settled) => metrics?.settle(settled),
        })
      : null;
  data.registrations.startMails();
  const app = await buildApp(config, {
    site: builtSite,
    distDir,
    log,
    ...data,
    now,
    maxWaiting,
    posthogState: posthog?.state ?? null,
    metrics: observed,
    maxEventLoopDelayMs,
    ...watch,
  });
  asBrowser(app);
  let open = true;
  const close = async () => {
    if (!open) return;
    open = false;
    await app.close();
    await posthog?.stop();
    await data.close();
  };
  onTestFinished(async () => {
    await close();
    check.expectClean();
  });
  return {
    app,
    config,
    data,
    posthog,
    close,
    /** The rows of a query, such as `SELECT * FROM clicks`. */
    rows: (sql: string) => data.db.read(sql),
    /** The log's lines of clicks. */
    lines: () => readDailyLines(config.dataDir, 'clicks'),
    refused: () => readDailyLines(config.dataDir, 'refused'),
    logged: () => messages,
    /** The lines of clicks on standard output. */
    printed: () => parseLines(printed.join('')),
  };
}

export type Site = Awaited<ReturnType<typeof startApp>>;

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0';

/** Sets a browser's User-Agent, because that of `inject` marks a click as a robot's. */
function asBrowser(app: FastifyInstance): void {
  const inject = app.inject.bind(app);
  const injectAsBrowser = (options: InjectOptions | string) => {
    const given = typeof options === 'string' ? { url: options } : options;
    return inject({ ...given, headers: { 'user-agent': BROWSER, ...given.headers } });
  };
  app.inject = injectAsBrowser as typeof app.inject;
}

/** Makes a folder that is removed at the end of the test. */
export function makeDataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'data-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Makes a complete click. `parts` replaces fields; undefined removes one. */
export function makeBody(parts: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    event: 'hero_cta_click',
    referrer: 'clinic-7',
    ip: '203.0.113.7',
    timestamp: '2026-01-31T09:30:00.000Z',
    page_url: 'https://site.example/?ref=clinic-7',
    user_agent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Safari/605.1.15',
    is_mobile: true,
    ...parts,
  };
}
