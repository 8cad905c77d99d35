/** Starts the real app with a real database. Tests send requests to it with `inject`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { pino } from 'pino';
import { v7 } from 'uuid';
import { onTestFinished } from 'vitest';
import type { z } from 'zod';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { COPIED_FIELDS } from '#contract/click-fields.schema.ts';
import { LOG_CTA_PATH } from '#contract/limits.ts';
import { CAMPAIGN_PARAMETERS } from '#contract/visit.ts';
import { type AppParts, buildApp } from '../../../server/app.ts';
import { readBuiltSite } from '../../../server/built-site.ts';
import { createStandbyWatch } from '../../../server/database/postgres/standby.ts';
import { type JobParts, listJobs } from '../../../server/jobs.ts';
import { openData } from '../../../server/open-data.ts';
import { type Job, startJobs } from '../../../server/process/scheduler.ts';
import { readSettings } from '../../../server/settings.ts';
import { createStats } from '../../../server/stats/read-stats.ts';
import { createMetrics } from '../../../server/watch/metrics.ts';
import { openSiteWatch } from '../../../server/watch/open-site-watch.ts';
import type { WalkParts } from '../../../server/watch/walk-site.ts';
import { checkLines } from './check-lines.ts';
import { startReadingHere } from './read-in-process.ts';
import { type Line, parseLines, readDailyLines } from './read-lines.ts';
import { makeDist } from './server-dist.ts';

interface Options {
  /**
   * Environment variables, that is, settings of the server. DIST_DIR is no setting, but the folder
   * of the build, which the server gets as its argument.
   */
  env?: Record<string, string>;
  /** Settings of the build that the test replaces. */
  site?: Partial<BuiltSite>;
  /** The data folder of an earlier app; by default a new one. */
  dataDir?: string;
  /** The clock of the jobs, in milliseconds since 1970. */
  now?: () => number;
  /** The clock for the time since the server's start, in milliseconds. */
  uptime?: () => number;
  /** Replaces parts of the app. */
  parts?: Partial<AppParts>;
  /**
   * Names of the jobs that run by themselves. By default all but those in OUTWARD. The test runs
   * the others with `step`.
   */
  jobs?: readonly string[];
  /** Replaces periods and pauses of jobs, by their names. By default, the senders hardly rest. */
  rests?: Record<string, Partial<Job>>;
  /** Replaces parts of the senders. */
  senders?: Pick<JobParts, 'events' | 'mails' | 'reports'>;
  /** Most clicks that may wait for the database. */
  maxWaitingClicks?: number;
  /** Replaces parts of the hourly walk over the site. */
  walk?: Partial<WalkParts>;
}

const FAST = { everyMs: 5, longestPauseMs: 20 };
const FAST_RESTS = { posthog: FAST, mails: FAST };
const FAST_DELAYS = { firstMs: 5, longestMs: 20 };

/**
 * Starts the app until the end of the test. The test fails if a line of its log or output has the
 * wrong form, or the log has data of a visitor.
 */
export async function startApp(options: Options = {}) {
  const { site = {}, dataDir, now, uptime, parts, maxWaitingClicks } = options;
  const { DIST_DIR: distDir = makeDist(site), ...env } = options.env ?? {};
  const config = readSettings({ DATA_DIR: dataDir ?? makeDataDir(), ...env });
  const printed: string[] = [];
  const { log, messages, check } = startLog(config.LOG_LEVEL);
  const builtSite = readBuiltSite(distDir);
  const metrics = config.ADMIN_PASSWORD === undefined ? null : createMetrics();
  const data = await openData(config, builtSite, {
    log,
    metrics,
    maxWaitingClicks,
    uptime,
    print: (lines) => printed.push(lines),
  });
  const stats = createStats({ db: data.db, now });
  const standby = data.db.kind === 'postgres' ? createStandbyWatch(data.db, log) : null;
  const { walk } = options;
  const siteWatch = openSiteWatch({
    settings: config,
    site: builtSite,
    distDir,
    db: data.db,
    log,
    now: walk?.now ?? now,
    walk,
  });
  const own = { ...data, site: builtSite, log, metrics, stats, standby, siteWatch, now, uptime };
  const list = listJobs({ ...own, settings: config, ...sendersOf(options) });
  const app = await buildApp(config, {
    ...own,
    distDir,
    faultOf: (job) => jobs.faultOf(job),
    // Switches off the refusal of requests while the event loop is late, as on a busy machine.
    maxEventLoopDelayMs: 0,
    startReading: startReadingHere,
    ...parts,
  });
  const jobs = startJobs(ownJobs(list, options), data.db);
  injectAsBrowser(app);
  void data.comparison?.begin();
  let open = true;
  const close = async () => {
    if (!open) return;
    open = false;
    await app.close();
    await jobs.stop();
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
    close,
    /** Runs a job once, as the scheduler does. @returns whether more work is due already */
    async step(name: string, signal = new AbortController().signal): Promise<boolean> {
      const job = list.find((one) => one.name === name);
      if (!job) throw new Error(`There is no job ${name}.`);
      await job.finishLast?.();
      return job.run(signal);
    },
    ...clientOf(app),
    /** Returns the rows of a query, with booleans in the columns `is_…`. */
    rows: async (sql: string) => (await data.db.read(sql)).map(withBooleans),
    /** Returns the lines of the click log's files. */
    lines: () => readDailyLines(config.dataDir, 'clicks'),
    /** Returns the lines of the files of refused clicks. */
    refused: () => readDailyLines(config.dataDir, 'refused'),
    /** Returns the lines of the server's own log. */
    logged: () => messages,
    /** Returns the lines of clicks on standard output. */
    printed: () => parseLines(printed.join('')),
    /** Returns these lines as one text. */
    printedText: () => printed.join(''),
  };
}

/** Starts a log that keeps and checks its lines. */
function startLog(level: string) {
  const messages: Line[] = [];
  const check = checkLines();
  const write = (line: string) => {
    check.add(line);
    messages.push(JSON.parse(line));
  };
  return { log: pino({ level }, { write }), messages, check };
}

/** Converts the columns `is_…` of a row to booleans: SQLite returns 0 and 1. */
const withBooleans = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) =>
      name.startsWith('is_') && value !== null ? [name, Boolean(value)] : [name, value],
    ),
  );

/** Returns the parts of the senders: the test's, with short delays of retries. */
const sendersOf = ({ senders = {} }: Options): Options['senders'] => ({
  ...senders,
  events: { delays: FAST_DELAYS, ...senders.events },
  mails: { delays: FAST_DELAYS, ...senders.mails },
});

/**
 * Jobs that contact other servers, or start a process. By default they do not run by themselves.
 */
const OUTWARD = ['posthog', 'site-walk', 'report-facts'];

/** Returns the jobs that run by themselves, with short rests. */
function ownJobs(list: readonly Job[], { jobs, rests }: Options): Job[] {
  const all = { ...FAST_RESTS, ...rests } as Record<string, Partial<Job>>;
  const isOwn = ({ name }: Job) => jobs?.includes(name) ?? !OUTWARD.includes(name);
  return list.filter(isOwn).map((job) => ({ ...job, ...all[job.name] }));
}

/** Returns functions that send clicks and events to the app. */
function clientOf(app: FastifyInstance) {
  /** Sends POST /api/log-cta. @param body an object is sent as JSON, a text as it is */
  const postClick = (body: unknown, headers: Record<string, string> = {}, url = LOG_CTA_PATH) => {
    const payload = typeof body === 'string' ? body : JSON.stringify(body);
    const type = { 'content-type': 'application/json' };
    return app.inject({ method: 'POST', url, payload, headers: { ...type, ...headers } });
  };
  const EVENTS_URL = '/k/e/?ip=0&ver=1.434.18&_=1';
  const postEvents = (body: unknown, headers: Record<string, string> = {}, url = EVENTS_URL) =>
    postClick(body, headers, url);
  /**
   * Sends a click until the server confirms it, as browsers do: a busy server may answer 503.
   *
   * @throws after any other answer
   */
  const insistOnClick = async (body: Record<string, unknown>): Promise<void> => {
    for (;;) {
      const { statusCode, body: answer } = await postClick(body);
      if (statusCode === 200) return;
      if (statusCode !== 503) throw new Error(`The server answered ${statusCode}: ${answer}`);
    }
  };
  /** Sends clicks one after the other until a promise settles. @returns their ids */
  const clickDuring = async (work: Promise<unknown>, parts: object = {}): Promise<string[]> => {
    const ids: string[] = [];
    let isRunning = true;
    const done = work.finally(() => {
      isRunning = false;
    });
    while (isRunning) {
      ids.push(v7());
      await insistOnClick(makeBody({ ...parts, id: ids.at(-1) }));
    }
    await done;
    return ids;
  };
  return { postClick, postEvents, insistOnClick, clickDuring };
}

export type Site = Awaited<ReturnType<typeof startApp>>;

/** User-Agent of a person's browser. */
export const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0';

/**
 * Makes `inject` send a browser's User-Agent by default: the server counts its own one as a robot.
 */
function injectAsBrowser(app: FastifyInstance): void {
  const inject = app.inject.bind(app);
  const withUserAgent = (options: InjectOptions | string) => {
    const request = typeof options === 'string' ? { url: options } : options;
    return inject({ ...request, headers: { 'user-agent': BROWSER, ...request.headers } });
  };
  app.inject = withUserAgent as typeof app.inject;
}

/** Makes a temporary folder, which is removed at the end of the test. */
export function makeDataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'data-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Makes the body of a click with the fields of the specification.
 *
 * @param parts fields to replace; undefined removes a field
 */
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

/** Makes the body of a click with all fields that the contract knows. @param parts as above */
export function makeFullBody(parts: Record<string, unknown> = {}): Record<string, unknown> {
  const examples = Object.entries(COPIED_FIELDS).map(([name, field]) => [name, exampleOf(field)]);
  return makeBody({
    id: v7(),
    visit_id: v7(),
    sent_at: '2026-01-31T09:30:01.000Z',
    campaign: Object.fromEntries(CAMPAIGN_PARAMETERS.map((name) => [name, 'a.b~c-d_e'])),
    referring_domain: 'www.google.com',
    ...Object.fromEntries(examples),
    ...parts,
  });
}

const exampleOf = (field: z.ZodType): unknown =>
  (field.meta()?.examples as unknown[] | undefined)?.[0];
