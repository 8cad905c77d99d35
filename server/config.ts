/**
 * The server's settings from the environment. Only this file names the variables. `.env.example` documents the same list; a test
 * compares the two.
 */
import { resolve } from 'node:path';
import { z } from 'zod';
import { PRIVACY_VARIABLES } from '#contract/privacy.schema.ts';
import { dataFiles } from './data-files.ts';
import {
  appHostOf,
  folder,
  isNoEventHost,
  readAddresses,
  readHosts,
  readKeys,
  readMetricsPort,
  readOrigins,
  readTrustedProxies,
  readWatchdog,
  serviceUrl,
  wholeNumber,
} from './read-values.ts';

/** Requests per minute and address. */
const perMinute = wholeNumber(0, 1_000_000_000);

const environmentSchema = z.object({
  PORT: wholeNumber(0, 65_535).default(3000),
  METRICS_PORT: z.string().transform(readMetricsPort).default(9464),
  HOST: z
    .string()
    .regex(/^[\w.:-]+$/, 'must be a host name or an address, like 0.0.0.0')
    .default('localhost'),
  DATA_DIR: folder.prefault('./data'),
  DIST_DIR: folder.prefault('./dist'),
  DATABASE_URL: serviceUrl(
    ['postgres:', 'postgresql:'],
    'postgres://user:password@host/database',
  ).optional(),
  REDIS_URL: serviceUrl(['redis:', 'rediss:'], 'redis://host:6379').optional(),
  REDIS_TIMEOUT_MS: wholeNumber(10, 60_000).default(100),
  CLICK_INDEX_MONTHS: wholeNumber(0, 1200)
    .refine((months) => months !== 1, 'must be 0 or 2 and more: clicks may arrive a week late')
    .default(0),
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'], {
      error: 'must be debug, info, warn, error or silent',
    })
    .default('info'),
  ACCESS_LOG: z.enum(['on', 'off'], { error: 'must be on or off' }).default('off'),
  ...PRIVACY_VARIABLES,
  TRUST_PROXY: z.string().transform(readTrustedProxies).optional(),
  MAX_CONNECTIONS: wholeNumber(10, 1_000_000).default(5000),
  MAX_EVENT_LOOP_DELAY_MS: wholeNumber(0, 60_000).default(1000),
  MAX_CLICK_WAIT_MS: wholeNumber(0, 60_000).default(2000),
  HSTS: z
    .enum(['on', 'subdomains', 'preload', 'off'], {
      error: 'must be on, subdomains, preload or off',
    })
    .default('on'),
  CORS_ORIGINS: z.string().transform(readOrigins).default([]),
  RATE_LIMIT_CLICKS: perMinute.default(600),
  RATE_LIMIT_REGISTER: perMinute.default(20),
  RATE_LIMIT_EVENTS: perMinute.default(1200),
  RATE_LIMIT_OTHER: perMinute.default(3000),
  REGISTRATION_KEYS: z.string().transform(readKeys).optional(),
  REGISTRATION_KEYS_FILE: folder.optional(),
  REGISTRATION_RETENTION_DAYS: wholeNumber(0, 36_500).default(0),
  SMTP_URL: z
    .url({
      protocol: /^smtps?$/,
      error: 'must be an SMTP URL, like smtps://user:password@mail.example',
    })
    .transform((url) => new URL(url))
    .optional(),
  MAIL_FROM: z.email('must be an e-mail address').optional(),
  CAMPAIGNS_FILE: folder.optional(),
  REPORT_MAIL_TO: z.string().transform(readAddresses).default([]),
  REPORT_LEDGERS: z
    .string()
    .transform((value) => value.split(',').map((path) => resolve(path.trim())))
    .default([]),
  REJECTED_RETENTION_DAYS: wholeNumber(0, 36_500).default(0),
  RECEIPT_RETENTION_DAYS: wholeNumber(7, 36_500).default(90),
  POSTHOG_FORWARD_AFTER_S: wholeNumber(0, 86_400).default(60),
  QUARANTINE_MAX_MB: wholeNumber(1, 10_000).default(10),
  STATS_PERIOD_MIN: wholeNumber(0, 60).default(5),
  MIN_FREE_MB: wholeNumber(0, 10_000_000).default(100),
  POSTHOG_APP_HOST: z
    .url({ protocol: /^https?$/, error: 'must be an http(s) URL, like https://eu.posthog.com' })
    .refine(isNoEventHost, 'must be the address where you log in, without the i. of the event host')
    .transform((url) => new URL(url).origin)
    .optional(),
  POSTHOG_PROJECT_ID: wholeNumber(1, 2_147_483_647).optional(),
  // The value is secret, so the messages do not contain it.
  POSTHOG_PERSONAL_KEY: z
    .string()
    .regex(/^\S+$/, 'must be one word')
    .refine((key) => !key.startsWith('phc_'), 'must be a personal API key (phx_…), not phc_…')
    .optional(),
  PARTNER_HOSTS: z.string().transform(readHosts).default([]),
});

/** Every variable the server reads. */
export const SERVER_VARIABLES = Object.keys(environmentSchema.shape);

/** Values of HSTS: how far browsers must use TLS. */
export type Hsts = 'on' | 'subdomains' | 'preload' | 'off';
export type Config = ReturnType<typeof readConfig>;

/**
 * Reads the settings, with defaults. An empty variable counts as unset.
 *
 * @throws one Error that lists every invalid variable
 */
export function readConfig(env: Record<string, string | undefined>) {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));
  const parsed = environmentSchema.safeParse(set);
  if (!parsed.success) throw new Error(describeErrors(parsed.error));
  const v = parsed.data;
  if (v.DATABASE_URL && !v.REGISTRATION_KEYS && !v.REGISTRATION_KEYS_FILE) {
    throw new Error(KEYS_MISSING);
  }
  return {
    port: v.PORT,
    host: v.HOST,
    /** Port of the metrics, on this machine only; null: off. */
    metricsPort: v.METRICS_PORT,
    distDir: v.DIST_DIR,
    dataDir: v.DATA_DIR,
    /** False: `dataDir` is the default, which a machine with several servers does not have. */
    isDataDirSet: v.DATA_DIR !== resolve('./data'),
    files: dataFiles(v.DATA_DIR),
    /** PostgreSQL, shared by several servers; null: SQLite files in the data folder. */
    databaseUrl: v.DATABASE_URL ?? null,
    /** Redis, in which several servers count requests together; null: each server counts alone. */
    redisUrl: v.REDIS_URL ?? null,
    /** Upper bound for the time that a request waits for Redis. */
    redisTimeoutMs: v.REDIS_TIMEOUT_MS,
    /** Number of months of click ids that PostgreSQL keeps in addition to the present one; 0: all. */
    keepMonths: v.CLICK_INDEX_MONTHS,
    logLevel: v.LOG_LEVEL,
    /** One line per request. */
    accessLog: v.ACCESS_LOG === 'on',
    logIp: v.LOG_IP,
    /** Number of proxies in front of the server, or their addresses; false: none. */
    trustProxy: v.TRUST_PROXY ?? false,
    hsts: v.HSTS,
    /** Upper bound for open connections. */
    maxConnections: v.MAX_CONNECTIONS,
    /** Above these the server is overloaded and answers clicks with 503; 0: never for that. */
    maxEventLoopDelayMs: v.MAX_EVENT_LOOP_DELAY_MS,
    maxClickWaitMs: v.MAX_CLICK_WAIT_MS,
    /** Other origins whose pages may call this server. */
    corsOrigins: v.CORS_ORIGINS,
    /** Requests per minute and address; 0: unlimited. */
    rateLimit: {
      clicks: v.RATE_LIMIT_CLICKS,
      register: v.RATE_LIMIT_REGISTER,
      events: v.RATE_LIMIT_EVENTS,
      other: v.RATE_LIMIT_OTHER,
    },
    registrations: {
      /** null: none are given. With SQLite the server then makes its own. */
      keys: v.REGISTRATION_KEYS ?? null,
      keysFile: v.REGISTRATION_KEYS_FILE ?? null,
      /** 0: the server does not delete them by age. */
      retentionDays: v.REGISTRATION_RETENTION_DAYS,
    },
    /** null: mails stay in a folder. */
    smtpUrl: v.SMTP_URL ?? null,
    /** null: the site's contact address. */
    mailFrom: v.MAIL_FROM ?? null,
    /** JSON file with the codes of links; null: no code has a label. */
    campaignsFile: v.CAMPAIGNS_FILE ?? null,
    /** Addresses that get the report of each week; empty: no mail. */
    reportMailTo: v.REPORT_MAIL_TO,
    /** Data folders of other servers whose clicks are in that report. Commands read them if DATA_DIR is not set. */
    reportLedgers: v.REPORT_LEDGERS.filter((path) => path !== v.DATA_DIR),
    /** Days after which ledger files and rejected bodies are deleted; 0: never. */
    clickRetentionDays: v.CLICK_RETENTION_DAYS,
    rejectedRetentionDays: v.REJECTED_RETENTION_DAYS,
    /** Days after which receipts of clicks are deleted. Older clicks are not sent to PostHog without an operator. */
    receiptRetentionDays: v.RECEIPT_RETENTION_DAYS,
    /** Age at which the server sends a click to PostHog, if the browser has not. */
    forwardAfterMs: v.POSTHOG_FORWARD_AFTER_S * 1000,
    rejectedBytes: v.QUARANTINE_MAX_MB * 1024 * 1024,
    /** The statistics show the clicks up to the start of the present period of this length; 0: every click at once. */
    statsPeriodMs: v.STATS_PERIOD_MIN * 60_000,
    /** Clicks are rejected while the disk of the data folder has less free; 0: never for that. */
    minFreeBytes: v.MIN_FREE_MB * 1024 * 1024,
    /** Host names of the partner's other sites, for the class of a referrer. */
    partnerHosts: v.PARTNER_HOSTS,
    posthogHost: v.POSTHOG_HOST,
    posthogSendIp: v.POSTHOG_SEND_IP,
    /** How much the server keeps of the site before the page. */
    referringDomain: v.REFERRING_DOMAIN,
    /** Set by systemd, not by operators; null: something else started the server. */
    systemd: env.NOTIFY_SOCKET ? { watchdogMs: readWatchdog(env.WATCHDOG_USEC) } : null,
    /** PostHog's management API, for commands; null: not set. */
    posthogApp: {
      host: v.POSTHOG_APP_HOST ?? appHostOf(v.POSTHOG_HOST),
      projectId: v.POSTHOG_PROJECT_ID ?? null,
      key: v.POSTHOG_PERSONAL_KEY ?? null,
    },
  };
}

const KEYS_MISSING = `The server's environment is not valid (see .env.example):
  REGISTRATION_KEYS or REGISTRATION_KEYS_FILE must be set with DATABASE_URL: servers that share registrations share their keys`;

function describeErrors(error: z.ZodError): string {
  const faults = error.issues.map((issue) => `  ${issue.path.join('.')} ${issue.message}`);
  return `The server's environment is not valid (see .env.example):\n${faults.join('\n')}`;
}
