/**
 * `site check`: tries everything that a start of the server needs, and each service. It opens no
 * port, writes nothing, and sends no data except one click of a robot to `--url`.
 */
import { existsSync, statfsSync } from 'node:fs';
import { z } from 'zod';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { isLocal } from '#contract/is-local.ts';
import { describeExamples, describeStart, readBuiltSite } from '../built-site.ts';
import { checkFolder, findExistingFolder } from '../data-folder.ts';
import { DatabaseFault, nameOfDatabase, type Row } from '../database/database.ts';
import { checkSqlite } from '../database/sqlite/sqlite-file.ts';
import { checkSmtp } from '../mail/smtp.ts';
import { openApi } from '../posthog/management/api.ts';
import { askPosthog, CAPTURE_PATH, describeMissingCapture } from '../posthog/post-batch.ts';
import { findKeys, ringFor } from '../registrations/key-ring.ts';
import { LIST_KEYS_IN_USE } from '../registrations/store-registrations.ts';
import { describeUnknown, readSettings, type Settings } from '../settings.ts';
import { explainStartError } from '../start-errors.ts';
import { SECOND_MS } from '../time.ts';
import { sendCheckClick } from '../watch/send-check-click.ts';
import { print } from './common.ts';

/** The smallest query to PostHog's API. It needs the same scope of the key as `posthog check`. */
const SMALLEST_QUERY = { query: { kind: 'HogQLQuery', query: 'SELECT 1' }, name: 'site check' };
const NO_PORTAL =
  'Visitors get stand-ins for the portal, the privacy policy and the terms. Set portalHost, privacyUrl and termsUrl in site.json.';

/**
 * Runs one check, and adds a fault to the list if it fails.
 *
 * @param service name and setting of the service that the check needs, for the fault's sentence
 * @returns the check's result; null: it failed
 */
type Attempt = <T>(
  runCheck: () => T | Promise<T>,
  service?: [name: string, setting: string],
) => Promise<T | null>;

/**
 * Runs all checks, and prints what is right.
 *
 * @param build folder of the build
 * @param url of a running site, which gets one click of a robot
 * @throws (rejects with) an Error that names each fault, one a line
 */
export async function check({ build, url }: { build: string; url?: URL }): Promise<void> {
  const settings = readSettings(process.env);
  const faults = describeUnknown(process.env);
  const attempt: Attempt = async (runCheck, service) => {
    try {
      return await runCheck();
    } catch (cause) {
      const error = cause as Error;
      faults.push(
        service ? explainServiceError(...service, error) : explainStartError(error, settings),
      );
      return null;
    }
  };
  const site = await attempt(() => readBuiltSite(build));
  await attempt(() => checkFolder(settings));
  await attempt(() => checkSpace(settings));
  await tryServices(settings, site, attempt);
  const clickFault =
    url && (await attempt(() => sendClick(url), [`The site (${url.origin})`, '--url']));
  if (clickFault) faults.push(clickFault);
  if (site) {
    print(describeStart(settings, site));
    const unfinished = [
      ...describeExamples(site),
      ...(site.portalHost === null ? [NO_PORTAL] : []),
    ];
    if (!isLocal(site.siteUrl)) faults.push(...unfinished);
    else for (const text of unfinished) print(`Before you go live: ${text}`);
    if (site.ipLookupOrigin)
      print(`${site.ipLookupOrigin} learns the address of each visitor who presses a button.`);
  }
  if (faults.length > 0) throw new Error(faults.join('\n'));
  print('No faults.');
}

/**
 * Free space in bytes below which the disk is a fault. The alert SiteDiskLow has the same bound.
 */
const LOW_BYTES = 1024 ** 3;

/** Checks the free space on the disk of DATA_DIR. @throws an Error if there is less than 1 GB */
function checkSpace({ dataDir }: Settings): void {
  const { bavail, bsize } = statfsSync(findExistingFolder(dataDir));
  if (bavail * bsize >= LOW_BYTES) return;
  const left = Math.floor((bavail * bsize) / 1024 ** 2);
  throw new Error(`The disk of DATA_DIR (${dataDir}) has ${left} MB left. Free some space.`);
}

/** Time limit for the answer of a service. */
const TIMEOUT_MS = 5 * SECOND_MS;

/** Tries the database, the keys of the registrations, the SMTP server and PostHog. */
async function tryServices(settings: Settings, site: BuiltSite | null, attempt: Attempt) {
  const { databaseUrls, files, SMTP_URL: smtpUrl } = settings;
  const keySource = await attempt(() => findKeys(settings));
  let keys: Row[] | null = null;
  if (databaseUrls.length > 0) {
    const { checkPostgres } = await import('../database/postgres/postgres.ts');
    const databaseNames = databaseUrls.map(nameOfDatabase).join(', ');
    const read = () => checkPostgres(databaseUrls.map(String), LIST_KEYS_IN_USE);
    keys = await attempt(read, [`PostgreSQL (${databaseNames})`, 'DATABASE_URL']);
  } else if (existsSync(files.database))
    keys = await attempt(() => checkSqlite(files.database, LIST_KEYS_IN_USE));
  // Without registrations no key is needed, and ringFor would write the server's own key file.
  if (keySource && keys?.length) await attempt(() => ringFor(keySource, keys));
  if (smtpUrl) {
    const service = `The SMTP server (${smtpUrl.host})`;
    await attempt(() => checkSmtp(smtpUrl, TIMEOUT_MS), [service, 'SMTP_URL']);
  }
  if (!site) return;
  const { posthogKey, posthogHost } = site;
  if (posthogKey) {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    // PostHog refuses an empty batch and stores nothing, but the answer shows that it was reached.
    const reach = () => askPosthog(posthogHost + CAPTURE_PATH, posthogKey, signal, {});
    const result = await attempt(reach, [`PostHog (${posthogHost})`, 'posthogHost in site.json']);
    await attempt(() => {
      if (result?.answer.status === 404) throw new Error(`${describeMissingCapture(posthogHost)}.`);
    });
  }
  if (settings.POSTHOG_PERSONAL_KEY)
    await attempt(() => openApi(site, settings)('query/', z.unknown(), SMALLEST_QUERY));
}

/** Sends the click. @returns a sentence about a wrong answer; null: the server answered `logged` */
async function sendClick(site: URL): Promise<string | null> {
  const wrongAnswer = await sendCheckClick(site, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (wrongAnswer === null) return null;
  return `The site (${site.origin}) did not answer a click with "logged", but with ${wrongAnswer}`;
}

/**
 * Error codes of the system and of libraries, with a sentence for the operator. The name of the
 * setting follows it.
 */
const KNOWN_CODES: [code: RegExp, text: string][] = [
  [/ENOTFOUND|EAI_AGAIN|EDNS/, 'there is no such host. Correct'],
  [/EAUTH/, 'it refuses the user or the password. Correct'],
  [/ECONNREFUSED/, 'it refuses connections. Start it, or correct'],
  [/timeout|ETIMEDOUT/i, 'it does not answer. Start it, or correct'],
];

/**
 * Error codes of the system, such as ECONNREFUSED. PostgreSQL's own errors are sentences already.
 */
const SYSTEM_CODE = /^E[A-Z]+$/;

/** Writes the fault of a service as a sentence that names the setting to correct. */
function explainServiceError(service: string, setting: string, error: Error): string {
  const text = describeInnermost(error);
  const [, known] = KNOWN_CODES.find(([code]) => code.test(text)) ?? [];
  if (!(error instanceof DatabaseFault))
    return `${service}: ${known ?? `${text}. Correct`} ${setting}.`;
  if (!known || !SYSTEM_CODE.test(error.code)) return error.message;
  // With several servers of PostgreSQL, the fault's message begins with the one that it is about.
  const [server] = /^PostgreSQL \(.*?\)/.exec(error.message) ?? [service];
  return `${server}: ${known} ${setting}.`;
}

/**
 * Returns code and message of the innermost cause. Libraries wrap the system's error several times,
 * and some have its code only in the message.
 */
function describeInnermost(error: NodeJS.ErrnoException): string {
  if (error.cause instanceof Error) return describeInnermost(error.cause);
  return [error.code ?? error.name, error.message.replace(/\.$/, '')].filter(Boolean).join(': ');
}
