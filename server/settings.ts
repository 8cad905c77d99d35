/**
 * The settings of a machine: 15 environment variables. All other settings are in site.json.
 * `.env.example` documents the same list, and a test compares the two.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { isOneTypoApart } from '#contract/is-one-typo-apart.ts';
import type { Database } from './database/database.ts';
import type { Clock } from './time.ts';

/**
 * Variables that can also be read from a file, such as one of Docker's secrets:
 * `ADMIN_PASSWORD_FILE` names the file.
 */
const SECRET_VARIABLES = [
  'DATABASE_URL',
  'ADMIN_PASSWORD',
  'REGISTRATION_KEYS',
  'SMTP_URL',
  'POSTHOG_PERSONAL_KEY',
];

const wholeNumber = (min: number, max: number) => {
  const message = `must be a whole number from ${min} to ${max}`;
  const number = z.number().min(min, message).max(max, message);
  return z.string().regex(/^\d+$/, message).transform(Number).pipe(number);
};

/** A list, separated by commas. */
const commaSeparated = <T extends z.ZodType<unknown, string>>(item: T) =>
  z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(z.array(item));

const url = (protocol: RegExp, error: string) =>
  z.url({ protocol, error }).transform((text) => new URL(text));

const SENDER_MESSAGE = 'must be an e-mail address';
/** A sender of mails: `post@site.example`, or with a name: `Data Drive <post@site.example>`. */
const sender = z
  .string()
  .transform((text) => {
    const [, name = '', address = text] = /^([^<]*)<(.*)>$/.exec(text.trim()) ?? [];
    return { name: name.trim(), address };
  })
  .pipe(
    z.object({
      name: z.string().regex(/^\P{C}*$/u, SENDER_MESSAGE),
      address: z.email(SENDER_MESSAGE),
    }),
  );

/**
 * Lower bound in characters. Wrong passwords are rate-limited, so a longer one cannot be found by
 * trying.
 */
const MIN_PASSWORD = 12;
const PASSWORD_TOO_SHORT = 'must have at least 12 characters: make one with `openssl rand -hex 16`';

/**
 * Whether a password is long enough. An empty one passes here, because an empty secret file has its
 * own error message.
 */
const isLongEnough = (password: string) =>
  password === '' || [...password.trim()].length >= MIN_PASSWORD;

const PROXIES_MESSAGE =
  'must be the number of proxies (1 to 9) or addresses like 10.0.0.1,192.168.0.0/16';
const proxyCount = z.enum([...'123456789']).transform(Number);
/**
 * Addresses and networks of proxies. Below, /0 is refused: if every address were a trusted proxy,
 * visitors could choose their own address.
 */
const ADDRESS_SCHEMAS = [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()];
const proxy = z
  .union([z.enum(['loopback', 'linklocal', 'uniquelocal']), ...ADDRESS_SCHEMAS])
  .refine((range) => !range.endsWith('/0'), PROXIES_MESSAGE);

const schema = z.object({
  PORT: wholeNumber(0, 65_535).default(3000),
  HOST: z
    .string()
    .regex(/^[\w.:-]+$/, 'must be a host name or an address, like 0.0.0.0')
    .default('localhost'),
  DATA_DIR: z
    .string()
    .prefault('./data')
    .transform((path) => resolve(path)),
  DATABASE_URL: commaSeparated(
    url(
      /^postgres(ql)?$/,
      'must be URLs like postgres://user:password@host/database, separated by commas',
    ),
  ).default([]),
  TRUST_PROXY: z.union([proxyCount, commaSeparated(proxy)], PROXIES_MESSAGE).optional(),
  ADMIN_PASSWORD: z.string().refine(isLongEnough, PASSWORD_TOO_SHORT).optional(),
  RATE_LIMIT: wholeNumber(0, 1_000_000_000).default(600),
  CLICK_RESERVE_MB: wholeNumber(0, 1_000_000_000).default(256),
  /** Checked by registrations/key-ring.ts. */
  REGISTRATION_KEYS: z.string().optional(),
  SMTP_URL: url(
    /^smtps?$/,
    'must be an SMTP URL, like smtps://user:password@mail.example',
  ).optional(),
  MAIL_FROM: sender.optional(),
  REPORT_MAIL_TO: commaSeparated(z.email('must be e-mail addresses, separated by commas')).default(
    [],
  ),
  POSTHOG_PROJECT_ID: wholeNumber(1, 2_147_483_647).optional(),
  POSTHOG_PERSONAL_KEY: z
    .string()
    .regex(/^(?!phc_)\S+$/, 'must be a personal API key (phx_…), not phc_…')
    .optional(),
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'], {
      error: 'must be debug, info, warn, error or silent',
    })
    .default('info'),
});

/** The names of all variables. */
export const VARIABLE_NAMES: string[] = [
  ...Object.keys(schema.shape),
  ...SECRET_VARIABLES.map((name) => `${name}_FILE`),
];

export type Settings = ReturnType<typeof readSettings>;

/** The options of a plugin with routes. Each plugin uses some of them. */
export interface RouteOptions {
  config: Settings;
  site: BuiltSite;
  /** Folder of the build. */
  distDir: string;
  db: Database;
  /** The clock, which tests replace. Default: Date.now. */
  now?: Clock | undefined;
}

/**
 * Reads the settings from the environment. An empty variable counts as not set.
 *
 * @throws one Error that lists all faults
 */
export function readSettings(env: Record<string, string | undefined>) {
  const faults: string[] = [];
  const given = Object.fromEntries(Object.entries(env).filter(([, text]) => text?.trim()));
  for (const name of SECRET_VARIABLES) readSecretFile(given, name, faults);
  const { data: values, error } = schema.safeParse(given);
  const schemaFaults = error?.issues.map(
    ({ path: [name], message }) => `${String(name)} ${message}`,
  );
  faults.push(...new Set(schemaFaults));
  if (given.DATABASE_URL && !given.REGISTRATION_KEYS) faults.push(KEYS_MISSING);
  if (given.REPORT_MAIL_TO && !given.SMTP_URL) faults.push(SMTP_MISSING);
  if (!values || faults.length > 0)
    throw new Error([FAULTS_HEADING, ...faults, ...describeUnknown(env)].join('\n  '));
  const { DATA_DIR: dataDir, DATABASE_URL: databaseUrls, RATE_LIMIT: limit, ...others } = values;
  return {
    ...others,
    dataDir,
    /**
     * Paths of the files in the data folder. Their names are stable, because scripts may use them.
     */
    files: {
      /**
       * SQLite's database with all tables: the record of truth if there is no PostgreSQL.
       * clicks-DATE.jsonl and refused-DATE.jsonl are beside it.
       */
      database: join(dataDir, 'site.db'),
      /** An empty file, which the server that uses the folder has locked. */
      lock: join(dataDir, 'site.lock'),
      /** The keys of the registrations, unless REGISTRATION_KEYS has them. */
      registrationKeys: join(dataDir, 'registrations.keys'),
      /** The faults that the site's own walk has found, and since when. */
      siteWalk: join(dataDir, 'site-walk.json'),
    },
    /**
     * The PostgreSQL servers: a primary and its standbys. Empty: SQLite in the data folder is used.
     */
    databaseUrls,
    /**
     * Rate limits: requests per minute and address; 0: unlimited. The budgets are also multiples of
     * `clicks` (http/budgets.ts).
     */
    rateLimit: {
      clicks: limit,
      register: Math.ceil(limit / 30),
      events: limit * 2,
      other: limit * 5,
    },
  };
}

const FAULTS_HEADING = "The server's environment is not valid (see .env.example):";
const KEYS_MISSING =
  'REGISTRATION_KEYS must be set with DATABASE_URL: servers that share registrations share their keys';
const SMTP_MISSING = 'SMTP_URL must be set with REPORT_MAIL_TO: it sends the reports';

/** Reads a variable's value from the file that NAME_FILE names. */
function readSecretFile(set: Record<string, string | undefined>, name: string, faults: string[]) {
  const file = set[`${name}_FILE`];
  if (!file) return;
  if (set[name]) faults.push(`${name} and ${name}_FILE are both set: remove one`);
  try {
    set[name] = readFileSync(file, 'utf8').trim();
    if (set[name] === '') faults.push(`${name}_FILE names an empty file`);
  } catch (cause) {
    faults.push(`${name}_FILE cannot be read: ${(cause as Error).message}`);
  }
}

/**
 * Finds probable typing errors. Returns a sentence for each variable that nothing reads and whose
 * name is one typing error away from a setting's.
 */
export function describeUnknown(env: Record<string, string | undefined>): string[] {
  const unknown = Object.keys(env).filter(
    (name) => env[name]?.trim() && !VARIABLE_NAMES.includes(name),
  );
  return unknown.flatMap((name) => {
    const similar = VARIABLE_NAMES.find((one) => isOneTypoApart(name, one));
    return similar ? [`${name} is not a variable of this project. Is ${similar} meant?`] : [];
  });
}
