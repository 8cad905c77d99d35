/**
 * `site check`: tries what a start needs, and each service. Listens nowhere, writes nothing, and
 * sends no data but one click of a robot to `--url`.
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
import { KEYS_IN_USE } from '../registrations/store-registrations.ts';
import { describeUnknown, readSettings, type Settings } from '../settings.ts';
import { explainStartError } from '../start-errors.ts';
import { SECOND_MS } from '../time.ts';
import { sendCheckClick } from '../watch/send-check-click.ts';
import { print } from './common.ts';

/** A query that needs the scope which `posthog check` needs. */
const SMALLEST_QUERY = { query: { kind: 'HogQLQuery', query: 'SELECT 1' }, name: 'site check' };
const NO_PORTAL =
  'Visitors get stand-ins for the portal, the privacy policy and the terms. Set portalHost, privacyUrl and termsUrl in site.json.';

/**
 * Adds a fault to the list if an act fails.
 *
 * @param service name and setting of another service that the act needs
 */
type Attempt = <T>(
  act: () => T | Promise<T>,
  service?: [name: string, setting: string],
) => Promise<T | null>;

/**
 * Tries everything, and prints what is right.
 *
 * @param build folder of the build
 * @param url of a running site, which gets one click of a robot
 * @throws (rejects with) an Error that names each fault, one a line
 */
export async function check({ build, url }: { build: string; url?: URL }): Promise<void> {
  const settings = readSettings(process.env);
  const faults = describeUnknown(process.env);
  const attempt: Attempt = async (act, service) => {
    try {
      return await act();
    } catch (cause) {
      const error = cause as Error;
      faults.push(service ? explain(...service, error) : explainStartError(error, settings));
      return null;
    }
  };
  const site = await attempt(() => readBuiltSite(build));
  await attempt(() => checkFolder(settings));
  await attempt(() => checkSpace(settings));
  await tryServices(settings, site, attempt);
  const came = url && (await attempt(() => sendClick(url), [`The site (${url.origin})`, '--url']));
  if (came) faults.push(came);
  if (site) {
    print(describeStart(settings, site));
    const open = [...describeExamples(site), ...(site.portalHost === null ? [NO_PORTAL] : [])];
    if (!isLocal(site.siteUrl)) faults.push(...open);
    else for (const text of open) print(`Before you go live: ${text}`);
    if (site.ipLookupOrigin)
      print(`${site.ipLookupOrigin} learns the address of each visitor who presses a button.`);
  }
  if (faults.length > 0) throw new Error(faults.join('\n'));
  print('No faults.');
}

/** Free space below which the disk is a fault, as for the alert SiteDiskLow. */
const LOW_BYTES = 1024 ** 3;

function checkSpace({ dataDir }: Settings): void {
  const { bavail, bsize } = statfsSync(findExistingFolder(dataDir));
  if (bavail * bsize >= LOW_BYTES) return;
  const left = Math.floor((bavail * bsize) / 1024 ** 2);
  throw new Error(`The disk of DATA_DIR (${dataDir}) has ${left} MB left. Free some space.`);
}

/** Upper bound for the answer of a service. */
const PATIENCE_MS = 5 * SECOND_MS;

async function tryServices(settings: Settings, site: BuiltSite | null, attempt: Attempt) {
  const { databaseUrls, files, SMTP_URL: smtpUrl } = settings;
  const keySource = await attempt(() => findKeys(settings));
  let keys: Row[] | null = null;
  if (databaseUrls.length > 0) {
    const { checkPostgres } = await import('../database/postgres/postgres.ts');
    const names = databaseUrls.map(nameOfDatabase).join(', ');
    const read = () => checkPostgres(databaseUrls.map(String), KEYS_IN_USE);
    keys = await attempt(read, [`PostgreSQL (${names})`, 'DATABASE_URL']);
  } else if (existsSync(files.database))
    keys = await attempt(() => checkSqlite(files.database, KEYS_IN_USE));
  // Where no registration needs a key, ringFor would make the server's own key file.
  if (keySource && keys?.length) await attempt(() => ringFor(keySource, keys));
  if (smtpUrl) {
    const service = `The SMTP server (${smtpUrl.host})`;
    await attempt(() => checkSmtp(smtpUrl, PATIENCE_MS), [service, 'SMTP_URL']);
  }
  if (!site) return;
  const { posthogKey, posthogHost } = site;
  if (posthogKey) {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    // An empty batch is refused, and nothing is stored.
    const reach = () => askPosthog(posthogHost + CAPTURE_PATH, posthogKey, signal, {});
    const came = await attempt(reach, [`PostHog (${posthogHost})`, 'posthogHost in site.json']);
    await attempt(() => {
      if (came?.answer.status === 404) throw new Error(`${describeMissingCapture(posthogHost)}.`);
    });
  }
  if (settings.POSTHOG_PERSONAL_KEY)
    await attempt(() => openApi(site, settings)('query/', z.unknown(), SMALLEST_QUERY));
}

/** @returns a sentence about what came instead of the answer `logged`; null: it came */
async function sendClick(site: URL): Promise<string | null> {
  const came = await sendCheckClick(site, { signal: AbortSignal.timeout(PATIENCE_MS) });
  if (came === null) return null;
  return `The site (${site.origin}) did not answer a click with "logged", but with ${came}`;
}

/** Codes of the system and of the libraries, and what to tell the operator. */
const KNOWN_CODES: [code: RegExp, text: string][] = [
  [/ENOTFOUND|EAI_AGAIN|EDNS/, 'there is no such host. Correct'],
  [/EAUTH/, 'it refuses the user or the password. Correct'],
  [/ECONNREFUSED/, 'it refuses connections. Start it, or correct'],
  [/timeout|ETIMEDOUT/i, 'it does not answer. Start it, or correct'],
];

/** Codes of the system, such as ECONNREFUSED. PostgreSQL's own errors are sentences already. */
const SYSTEM_CODE = /^E[A-Z]+$/;

function explain(service: string, setting: string, error: Error): string {
  const text = innermost(error);
  const [, known] = KNOWN_CODES.find(([code]) => code.test(text)) ?? [];
  if (!(error instanceof DatabaseFault))
    return `${service}: ${known ?? `${text}. Correct`} ${setting}.`;
  if (!known || !SYSTEM_CODE.test(error.code)) return error.message;
  // With several servers of PostgreSQL, the fault's message begins with the one that it is about.
  const [server] = /^PostgreSQL \(.*?\)/.exec(error.message) ?? [service];
  return `${server}: ${known} ${setting}.`;
}

/** Finds the system's code, which the libraries give as code, in the message, or in a cause. */
function innermost(error: NodeJS.ErrnoException): string {
  if (error.cause instanceof Error) return innermost(error.cause);
  return [error.code ?? error.name, error.message.replace(/\.$/, '')].filter(Boolean).join(': ');
}
