/** Sentences for operators: where the server is, what is on and off, and which variables nothing reads. */
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { describeFormer } from '#contract/former-variables.ts';
import { editDistance } from '#contract/nearest-word.ts';
import { nameOf } from './database/database.ts';
import { type Settings, VARIABLES } from './settings.ts';

export function describeStart(config: Settings, site: BuiltSite): string {
  const limits = Object.entries(config.rateLimit)
    .filter(([, limit]) => limit > 0)
    .map(([name, limit]) => `${limit} ${name}`);
  const parts: [name: string, state: string | null | undefined][] = [
    ['PostHog', site.posthogKey && site.posthogHost],
    ['form', site.registerForm ? 'in the page' : null],
    ['mail', config.smtpUrl?.host],
    ['limits', limits.length > 0 ? `${limits.join(', ')} per minute and address` : null],
    ['report and metrics', config.adminPassword && 'with ADMIN_PASSWORD'],
    ['weekly mail and alerts', config.reportMailTo.length > 0 ? 'REPORT_MAIL_TO' : null],
  ];
  const on = parts.flatMap(([name, state]) => (state ? [`${name} (${state})`] : []));
  const off = parts.flatMap(([name, state]) => (state ? [] : [name]));
  const [primary] = config.databaseUrls;
  const database = primary ? `PostgreSQL ${nameOf(primary)}` : 'SQLite';
  const portal =
    site.portalHost === null
      ? ' site.json names no portal: links to the portal open a stand-in on this server.'
      : '';
  return `Data in ${config.dataDir}, with ${database}. On: ${list(on)}. Off: ${list(off)}.${portal}`;
}

const list = (texts: string[]) => texts.join('; ') || 'nothing';

const PREFIXES = /^(?:VITE|POSTHOG|RATE_LIMIT|REGISTRATION|REPORT|CLICK|SMTP|MAIL|CORS)_/;
/** Shorter names are too often one letter away from another program's variable. */
const LEAST_LETTERS = 4;

/** @returns a sentence for each variable that was probably meant for this project, and that nothing reads */
export function describeUnknown(env: Record<string, string | undefined>): string[] {
  const unknown = Object.keys(env).filter((name) => env[name]?.trim() && !VARIABLES.includes(name));
  return unknown.flatMap((name) => {
    const former = describeFormer(name);
    if (former !== null) return [former];
    const meant = name.length >= LEAST_LETTERS && VARIABLES.find((one) => isNear(name, one));
    if (meant) return [`${name} is not a variable of this project. Is ${meant} meant?`];
    return PREFIXES.test(name)
      ? [`${name} is not a variable of this project. .env.example lists them all.`]
      : [];
  });
}

const isNear = (a: string, b: string): boolean =>
  Math.abs(a.length - b.length) <= 1 && editDistance(a, b) === 1;
