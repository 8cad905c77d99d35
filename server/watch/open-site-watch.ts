/** Makes the hourly check of the site's public address (site watch) from the parts of a server. */
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

interface ServerParts {
  settings: Pick<Settings, 'files'>;
  site: BuiltSite;
  distDir: string;
  db: Pick<Database, 'read'>;
  log: Logger;
  now?: Clock | undefined;
  /** Parts of the walk that tests replace. */
  walk?: Partial<WalkParts> | undefined;
}

/** Makes the watch. Null: a local site, which has no public address. */
export function openSiteWatch(parts: ServerParts): SiteWatch | null {
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

/**
 * Finds a visit or a click of a person after a time: $1 in milliseconds since 1970, $2 as an id. A
 * visit's time is stored as a whole minute, so the minute of $1 itself does not count.
 */
const FIND_VISITOR_SINCE = `
  SELECT 1
  FROM visits
  WHERE viewed_at > $1 AND ${IS_COUNTED}
  UNION ALL
  SELECT 1
  FROM clicks
  WHERE id >= $2 AND received_at > $1 AND ${IS_COUNTED}
  LIMIT 1`;

/**
 * Whether people have come since a time. False if the database fails: it stores no visitor either.
 */
const hasVisitorsSince = async (db: Pick<Database, 'read'>, since: number): Promise<boolean> =>
  (await db.read(FIND_VISITOR_SINCE, [since, lowestIdReceivedSince(since)]).catch(() => []))
    .length > 0;
