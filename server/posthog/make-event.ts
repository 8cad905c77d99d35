/** Makes the event of a row of the outbox. A click's event is made from the click's own row, so that both always agree. */
import { isCtaEvent, labelOf } from '#contract/cta.ts';
import { type CompleteEvent, completeEvent, deviceOf } from './complete-event.ts';

/** A row of the outbox with the click of that id, if PostHog may get it. Otherwise the click's columns are null. */
export interface DueRow {
  uuid: string;
  /** JSON of a browser's event; null: the row is a click's. */
  stored: string | null;
  attempts: number;
  /** The columns of `clicks`. Times are milliseconds since 1970. */
  id: string | null;
  event: string;
  received_at: number;
  clicked_at: number | null;
  visit_id: string | null;
  referrer: string | null;
  referring_domain: string | null;
  screen_class: string | null;
  page_url: string | null;
  user_agent: string | null;
  utm_source: string | null;
  utm_medium: string | null;
  utm_campaign: string | null;
  utm_content: string | null;
  utm_term: string | null;
}

/**
 * `withdrawn`: PostHog must not get the click, or it was deleted. `unknown`: a newer server has the click's button.
 *
 * Pure.
 */
export function makeEvent(row: DueRow): CompleteEvent | 'withdrawn' | 'unknown' {
  if (row.stored !== null) return JSON.parse(row.stored);
  if (row.id === null) return 'withdrawn';
  if (!isCtaEvent(row.event)) return 'unknown';
  const userAgent = row.user_agent ?? '';
  return completeEvent({
    uuid: row.id,
    event: 'cta_click',
    visitId: row.visit_id,
    timestamp: new Date(row.clicked_at ?? row.received_at).toISOString(),
    referrer: row.referrer,
    campaign: row,
    referringDomain: row.referring_domain,
    screenClass: row.screen_class,
    pageUrl: row.page_url,
    userAgent,
    device: deviceOf(userAgent),
    own: { category: 'CTA', label: labelOf(row.event), value: 1, event_id: row.id },
  });
}
