/** Makes and stores rows of the tables `clicks` and `visits`, for tests that need many of them. */
import { randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import { type ClickBody, COPIED_NAMES } from '#contract/click-fields.schema.ts';
import { isCtaEvent } from '#contract/cta.ts';
import { refKey } from '#contract/ref.ts';
import { CAMPAIGN_PARAMETERS, type UtmValues } from '#contract/visit.ts';
import type { NewClickRow } from '../../../server/clicks/click.ts';
import { storeClicks } from '../../../server/clicks/store-clicks.ts';
import type { Database } from '../../../server/database/database.ts';
import { pick } from '../../../server/pick.ts';
import { storeViews } from '../../../server/visits/store-views.ts';
import type { ViewRow } from '../../../server/visits/view.ts';

const NO_CAMPAIGN = pick({} as UtmValues, CAMPAIGN_PARAMETERS, null);

/**
 * Makes the row of a click by a person.
 *
 * @param receivedAt milliseconds since 1970
 * @param parts columns to replace. `skewMs`: the browser's clock minus the server's
 */
export function clickRow(
  receivedAt: number,
  { skewMs = 0, ...parts }: Partial<NewClickRow> & { skewMs?: number } = {},
): NewClickRow {
  const clickedAt = receivedAt + skewMs;
  const event = parts.event ?? 'hero_cta_click';
  return {
    id: v7({ msecs: clickedAt }),
    event,
    received_at: receivedAt,
    clicked_at: clickedAt,
    sent_at: clickedAt,
    visit_id: null,
    referrer: null,
    ref_key: refKey(parts.referrer),
    referring_class: null,
    referring_site: null,
    ...NO_CAMPAIGN,
    ...pick({} as ClickBody, COPIED_NAMES, null),
    page_url: 'https://site.example/',
    user_agent: 'test',
    is_mobile: true,
    ip: null,
    remote_ip: null,
    via: 'fetch',
    is_bot: false,
    is_internal: false,
    is_automated: false,
    is_private: false,
    is_known: isCtaEvent(event),
    req_id: 'test',
    ...parts,
  };
}

/**
 * Makes the row of the first view of a person's visit.
 *
 * @param viewedAt milliseconds since 1970
 * @param parts columns to replace
 */
export const visitRow = (viewedAt: number, parts: Partial<ViewRow> = {}): ViewRow => ({
  id: randomUUID(),
  viewed_at: viewedAt,
  page: '/',
  referrer: null,
  ...NO_CAMPAIGN,
  ref_key: refKey(parts.referrer),
  referring_class: null,
  referring_site: null,
  screen_class: null,
  is_first: true,
  is_brief: false,
  is_bot: false,
  is_internal: false,
  is_automated: false,
  ...parts,
});

/** Stores rows. @param toPosthog whether the clicks' events are queued for PostHog */
export async function storeRows(
  db: Database,
  clicks: NewClickRow[],
  views: ViewRow[] = [],
  { toPosthog = false } = {},
): Promise<void> {
  await db.transaction(storeClicks, clicks, { server: 'before', toPosthog }, Date.now());
  await db.transaction(
    storeViews,
    views.map((row) => ({ row, event: null })),
    Date.now(),
  );
}

/** Names of the columns that a click still has after `site forget`, in alphabetical order. */
export const COLUMNS_OF_FORGOTTEN = [
  'event',
  'forgotten_at',
  'id',
  'is_automated',
  'is_bot',
  'is_internal',
  'is_known',
  'is_private',
  'received_at',
  'via',
];
