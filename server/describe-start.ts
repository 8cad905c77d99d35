/** Says at the start where the server is, and what is on and off. */
import type { BuiltSite } from '#contract/built-site.schema.ts';
import type { Config } from './config.ts';
import { nameOf } from './database/name-of.ts';

/** @returns a sentence about the data, one about what is on and off, and one about a portal that is not set */
export function describeStart(config: Config, site: BuiltSite): string {
  const parts: [name: string, state: string | null][] = [
    ['PostHog', site.posthogKey && config.posthogHost],
    ['form', site.registerForm ? 'in the page' : null],
    ['mail', config.smtpUrl?.host ?? null],
    // Not the addresses, because a log has none of people.
    ['weekly report', config.reportMailTo.length > 0 ? 'by mail' : null],
    ['limits', describeLimits(config)],
    ['metrics', config.metricsPort ? `port ${config.metricsPort}` : null],
  ];
  const on = parts
    .filter(([, state]) => state !== null)
    .map(([name, state]) => `${name} (${state})`);
  const off = parts.filter(([, state]) => state === null).map(([name]) => name);
  const { databaseUrl, dataDir } = config;
  const index = databaseUrl ? `PostgreSQL ${nameOf(databaseUrl)}` : 'SQLite';
  const portal =
    site.portalHost === null
      ? ' VITE_PORTAL_HOST is not set: links to the portal open a stand-in on this server.'
      : '';
  return `Data in ${dataDir}, with ${index}. On: ${list(on)}. Off: ${list(off)}.${portal}`;
}

/** @returns a sentence about the values that visitors must not take for facts; null: there are none */
export const describeExamples = ({ exampleKeys }: BuiltSite): string | null =>
  exampleKeys.length > 0
    ? `site.json still has the example's ${exampleKeys.join(', ')}. Replace them before you go live: \`npm run golive\` lists them.`
    : null;

/** Requests per minute and address. */
function describeLimits({ rateLimit, redisUrl }: Config): string | null {
  const limits = Object.entries(rateLimit)
    .filter(([, limit]) => limit > 0)
    .map(([name, limit]) => `${limit} ${name}`);
  if (limits.length === 0) return null;
  const by = redisUrl ? `, counted in Redis ${redisUrl.host}` : '';
  return `${limits.join(', ')} per minute and address${by}`;
}

const list = (texts: string[]) => (texts.length > 0 ? texts.join('; ') : 'nothing');
