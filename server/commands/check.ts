/**
 * `site check`: tries what a start needs, and each service. Listens nowhere, writes nothing, and sends no data but one
 * click of a robot to `--url`.
 */
import { randomUUIDv7 } from 'node:crypto';
import { existsSync } from 'node:fs';
import { z } from 'zod';
import type { ClickBody } from '#contract/click-fields.schema.ts';
import { CTAS } from '#contract/cta.ts';
import { LOG_CTA_PATH } from '#contract/limits.ts';
import { describeExamples, isLocal, readBuiltSite } from '../built-site.ts';
import { DatabaseFault, nameOf } from '../database/database.ts';
import { describeStart } from '../describe-start.ts';
import { checkFolder, explainError } from '../explain-error.ts';
import { openApi } from '../posthog/api.ts';
import { describeUnknown, readSettings, type Settings } from '../settings.ts';
import { print } from './print.ts';

/** Needs the scope that `posthog check` needs. */
const ONE = { query: { kind: 'HogQLQuery', query: 'SELECT 1' }, name: 'site check' };
const NO_PORTAL =
  'Visitors get stand-ins for the portal, the privacy policy and the terms. Set portalHost, privacyUrl and termsUrl in site.json.';

/**
 * Takes the folder of the build, and a running site, which gets one click of a robot
 * @throws (rejects with) an Error that names each fault, one a line
 */
export async function check({ build, url }: { build: string; url?: URL }): Promise<void> {
  const settings = readSettings(process.env);
  const faults = describeUnknown(process.env);
  const attempt = async <T>(act: () => T | Promise<T>): Promise<T | null> => {
    try {
      return await act();
    } catch (cause) {
      faults.push(explainError(cause as Error, settings));
      return null;
    }
  };
  const site = await attempt(() => readBuiltSite(build));
  await attempt(() => checkFolder(settings));
  await attempt(() => checkDatabase(settings));
  const { smtpUrl } = settings;
  if (smtpUrl) await attempt(() => reachSmtp(smtpUrl));
  if (site?.posthogKey) await attempt(() => reachPosthog(site.posthogHost));
  if (site && settings.posthogPersonalKey)
    await attempt(() => openApi(site, settings)('query/', z.unknown(), ONE));
  if (url) await attempt(() => sendClick(url));
  if (site) {
    print(describeStart(settings, site));
    const open = [...describeExamples(site), ...(site.portalHost === null ? [NO_PORTAL] : [])];
    if (!isLocal(site)) faults.push(...open);
    else for (const text of open) print(`Before you go live: ${text}`);
    if (site.ipLookupOrigin)
      print(`${site.ipLookupOrigin} learns the address of each visitor who presses a button.`);
  }
  if (faults.length > 0) throw new Error(faults.join('\n'));
  print('No faults.');
}

async function checkDatabase({ databaseUrls, files }: Settings): Promise<void> {
  if (databaseUrls.length > 0) {
    const { checkPostgres } = await import('../database/postgres.ts');
    await checkPostgres(databaseUrls.map(String)).catch((cause) => {
      if (cause instanceof DatabaseFault) throw cause;
      const names = databaseUrls.map(nameOf).join(', ');
      throw explain(`PostgreSQL (${names})`, 'DATABASE_URL', cause);
    });
  } else if (existsSync(files.database)) {
    const { checkSqlite } = await import('../database/sqlite-file.ts');
    checkSqlite(files.database);
  }
}

const PATIENCE_MS = 5_000;

/** Connects and logs in as for a mail. @throws (rejects with) an Error that says what to do */
async function reachSmtp(url: URL): Promise<void> {
  const { checkSmtp } = await import('../mail/smtp.ts');
  await checkSmtp(url, PATIENCE_MS).catch((cause) => {
    throw explain(`The SMTP server (${url.host})`, 'SMTP_URL', cause, url.password);
  });
}

/** Any answer will do. @throws (rejects with) an Error that says what to do */
async function reachPosthog(host: string): Promise<void> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  await fetch(host, { method: 'HEAD', redirect: 'manual', signal }).catch((cause) => {
    throw explain(`PostHog (${host})`, 'posthogHost in site.json', cause);
  });
}

/** A robot's, so that no figure counts the click. */
const USER_AGENT = 'SiteCheck (bot)';
/** Of an answer that is not ours, such as a proxy's page. */
const SHOWN_CHARACTERS = 200;

/** Sends one click to a running site. @throws (rejects with) an Error that says what came instead of the answer `logged` */
async function sendClick(site: URL): Promise<void> {
  const click: ClickBody = {
    event: CTAS.hero.event,
    id: randomUUIDv7(),
    timestamp: new Date().toISOString(),
    page_url: site.href,
    user_agent: USER_AGENT,
    referrer: null,
    ip: null,
    is_mobile: false,
  };
  const answer = await fetch(new URL(LOG_CTA_PATH, site), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': USER_AGENT },
    body: JSON.stringify(click),
    redirect: 'manual',
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch((cause) => {
    throw explain(`The site (${site.origin})`, '--url', cause);
  });
  const text = await answer.text();
  if (answer.status === 200 && text.includes('"status":"logged"')) return;
  const to = answer.headers.get('location');
  const came = [answer.status, to && `to ${to}`, text.slice(0, SHOWN_CHARACTERS)].filter(Boolean);
  throw new Error(
    `The site (${site.origin}) did not answer a click with "logged", but with ${came.join(' ')}`,
  );
}

/** Codes of the system and of the libraries. */
const KNOWN: [code: RegExp, text: string][] = [
  [/ENOTFOUND|EAI_AGAIN|EDNS/, 'there is no such host. Correct'],
  [/EAUTH/, 'it refuses the user or the password. Correct'],
  [/ECONNREFUSED/, 'it refuses connections. Start it, or correct'],
  [/timeout|ETIMEDOUT/i, 'it does not answer. Start it, or correct'],
];

/** @param cause error of a library, which may quote the password @returns an Error that says what to do */
function explain(service: string, setting: string, cause: unknown, password = ''): Error {
  const text = innermost(cause as Error);
  const [, known] = KNOWN.find(([code]) => code.test(text)) ?? [];
  const secrets = [password, decodeURIComponent(password)].filter((secret) => secret !== '');
  const shown = secrets.reduce((hidden, secret) => hidden.replaceAll(secret, '…'), text);
  return new Error(`${service}: ${known ?? `${shown}. Correct`} ${setting}.`);
}

/** The libraries report the system's code in the code, in the message, or in a cause. */
function innermost(error: NodeJS.ErrnoException): string {
  if (error.cause instanceof Error) return innermost(error.cause);
  return [error.code ?? error.name, error.message.replace(/\.$/, '')].filter(Boolean).join(': ');
}
