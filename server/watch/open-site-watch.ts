/** Makes the site's watch over itself from the parts of a server. */
import type { Logger } from 'pino';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { isLocal } from '#contract/is-local.ts';
import { IS_COUNTED } from '../clicks/counted-rows.ts';
import { lowestIdReceivedSince } from '../clicks/id-time.ts';
import type { Database } from '../database/database.ts';
import type { Settings } from '../settings.ts';
import type { Clock } from '../time.ts';
import { listSteps, type WalkParts } from './walk-site.ts';
import { createSiteWatch, type SiteWatch } from './watch-site.ts';

interface Parts {
  settings: Pick<Settings, 'files'>;
  site: BuiltSite;
  distDir: string;
  db: Pick<Database, 'read'>;
  log: Logger;
  now?: Clock | undefined;
  /** Parts that tests replace. */
  walk?: Partial<WalkParts> | undefined;
}

/** Returns null for a local site, which has no public address. */
export function openSiteWatch(parts: Parts): SiteWatch | null {
  const { settings, site, distDir, db, log, now = Date.now, walk } = parts;
  if (isLocal(site.siteUrl)) return null;
  return createSiteWatch({
    site,
    file: settings.files.siteWalk,
    log,
    now,
    listSteps: (asksPortal) => listSteps({ site, distDir, now, ...walk }, asksPortal),
    hasVisitorsSince: (since) => hasVisitorsSince(db, since),
  });
}

/** One row if people have come since a time. A visit's own time is a whole minute. */
const VISITORS = `SELECT 1 FROM visits WHERE viewed_at > $1 AND ${IS_COUNTED}
  UNION ALL
  SELECT 1 FROM clicks WHERE id >= $2 AND received_at > $1 AND ${IS_COUNTED}
  LIMIT 1`;

/** False if the database fails: then it stores no visitor either. */
const hasVisitorsSince = async (db: Pick<Database, 'read'>, since: number): Promise<boolean> =>
  (await db.read(VISITORS, [since, lowestIdReceivedSince(since)]).catch(() => [])).length > 0;
