/** Sentences for operators: where the server is, what is on and off, and which variables nothing reads. */
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { describeFormer } from '#contract/former-variables.ts';
import { isNear } from '#contract/is-near.ts';
import { nameOf } from './database/database.ts';
import { type Settings, VARIABLES } from './settings.ts';

export function describeStart(config: Settings, site: BuiltSite): string {
  const parts = {
    PostHog: site.posthogKey,
    form: site.registerForm,
    mail: config.smtpUrl,
    limits: config.rateLimit.clicks,
    'report and metrics': config.adminPassword,
    'weekly mail and alerts': config.reportMailTo.length,
  };
  const { on = [], off = [] } = Object.groupBy(Object.entries(parts), ([, state]) =>
    state ? 'on' : 'off',
  );
  const list = (some: typeof on) => some.map(([name]) => name).join(', ') || 'nothing';
  const [primary] = config.databaseUrls;
  const database = primary ? `PostgreSQL ${nameOf(primary)}` : 'SQLite';
  const portal =
    site.portalHost === null
      ? ' site.json names no portal: links to the portal open a stand-in on this server.'
      : '';
  return `Data in ${config.dataDir}, with ${database}. On: ${list(on)}. Off: ${list(off)}.${portal}`;
}

const PREFIXES = /^(?:VITE|POSTHOG|RATE_LIMIT|REGISTRATION|REPORT|CLICK|SMTP|MAIL|CORS)_/;

/** @returns a sentence for each variable that was probably meant for this project, and that nothing reads */
export function describeUnknown(env: Record<string, string | undefined>): string[] {
  const unknown = Object.keys(env).filter((name) => env[name]?.trim() && !VARIABLES.includes(name));
  return unknown.flatMap((name) => {
    const former = describeFormer(name);
    if (former !== null) return [former];
    const meant = VARIABLES.find((one) => isNear(name, one));
    if (meant) return [`${name} is not a variable of this project. Is ${meant} meant?`];
    return PREFIXES.test(name)
      ? [`${name} is not a variable of this project. .env.example lists them all.`]
      : [];
  });
}
