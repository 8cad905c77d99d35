/** A sentence for operators: where the data is, and what is on and off. */
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { nameOf } from './database/database.ts';
import type { Settings } from './settings.ts';

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
