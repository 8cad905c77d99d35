/** Reads dist/site.json, and describes it to operators. */
import { accessSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuiltSite, builtSiteSchema } from '#contract/built-site.schema.ts';
import { nameOfDatabase } from './database/database.ts';
import type { Settings } from './settings.ts';

/**
 * Returns warnings about values of the example that are still in use, because visitors would take
 * them for facts.
 */
export function describeExamples({ exampleKeys, exampleNames }: BuiltSite): string[] {
  const keys = `site.json still has the example's ${exampleKeys.join(', ')}. Replace them, and build again.`;
  const names = `The pages still have invented names: ${exampleNames.join(', ')}. Correct those sentences in words/, and build again.`;
  return [...(exampleKeys.length > 0 ? [keys] : []), ...(exampleNames.length > 0 ? [names] : [])];
}

/**
 * Reads the build's site.json.
 *
 * @throws an Error that says what to run if the build is missing, incomplete or from another
 * version
 */
export function readBuiltSite(distDir: string): BuiltSite {
  try {
    for (const page of ['index.html', '404.html']) accessSync(join(distDir, 'client', page));
    return builtSiteSchema.parse(JSON.parse(readFileSync(join(distDir, 'site.json'), 'utf8')));
  } catch {
    throw new Error(`There is no complete build in ${distDir}. Run \`npm run build\` first.`);
  }
}

/** Describes in a sentence where the data is, and which features are on and off. */
export function describeStart(config: Settings, site: BuiltSite): string {
  const parts = {
    PostHog: site.posthogKey,
    form: site.registerForm,
    mail: config.SMTP_URL,
    limits: config.rateLimit.clicks,
    'report and metrics': config.ADMIN_PASSWORD,
    'weekly mail and alerts': config.REPORT_MAIL_TO.length,
  };
  const { on = [], off = [] } = Object.groupBy(Object.entries(parts), ([, state]) =>
    state ? 'on' : 'off',
  );
  const list = (some: typeof on) => some.map(([name]) => name).join(', ') || 'nothing';
  const [primary] = config.databaseUrls;
  const database = primary ? `PostgreSQL ${nameOfDatabase(primary)}` : 'SQLite';
  const portal =
    site.portalHost === null
      ? ' site.json names no portal: links to the portal open a stand-in on this server.'
      : '';
  return `Data in ${config.dataDir}, with ${database}. On: ${list(on)}. Off: ${list(off)}.${portal}`;
}
