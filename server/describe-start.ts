/** Says at the start where the server is, and what is on and off. */
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { nameOf } from './database/name-of.ts';
import type { Settings } from './settings.ts';

/** @returns a sentence about the data, one about what is on and off, and one about a portal that is not set */
export function describeStart(config: Settings, site: BuiltSite): string {
  const parts: [name: string, state: string | null][] = [
    ['PostHog', site.posthogKey && site.posthogHost],
    ['form', site.registerForm ? 'in the page' : null],
    ['mail', config.smtpUrl?.host ?? null],
    ['limits', describeLimits(config)],
    ['report and metrics', config.adminPassword ? 'with ADMIN_PASSWORD' : null],
    ['weekly mail', config.reportMailTo.length > 0 ? 'REPORT_MAIL_TO' : null],
  ];
  const on = parts
    .filter(([, state]) => state !== null)
    .map(([name, state]) => `${name} (${state})`);
  const off = parts.filter(([, state]) => state === null).map(([name]) => name);
  const { databaseUrls, dataDir } = config;
  const [primary] = databaseUrls;
  const database = primary ? `PostgreSQL ${nameOf(primary)}` : 'SQLite';
  const portal =
    site.portalHost === null
      ? ' site.json names no portal: links to the portal open a stand-in on this server.'
      : '';
  return `Data in ${dataDir}, with ${database}. On: ${list(on)}. Off: ${list(off)}.${portal}`;
}

/** Requests per minute and address. */
function describeLimits({ rateLimit }: Settings): string | null {
  const limits = Object.entries(rateLimit)
    .filter(([, limit]) => limit > 0)
    .map(([name, limit]) => `${limit} ${name}`);
  if (limits.length === 0) return null;
  return `${limits.join(', ')} per minute and address`;
}

const list = (texts: string[]) => (texts.length > 0 ? texts.join('; ') : 'nothing');
