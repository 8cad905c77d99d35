/** Lists the clicks that PostHog has, by HogQL, page by page. */
import { z } from 'zod';
import type { Management } from '../management/management-api.ts';
import { ManagementError } from '../management/management-error.ts';
import { runQuery } from '../management/run-query.ts';

/** Rows of one answer. PostHog gives 50,000 at most. */
const PAGE = 20_000;

export interface ListedClick {
  uuid: string;
  /** Above 1: PostHog has not merged repetitions yet. */
  copies: number;
}

export interface Period {
  /** Milliseconds since 1970. */
  from: number;
  /** Exclusive. */
  to: number;
}

/** PostHog may write numbers as strings. */
const rowSchema = z.tuple([z.uuid(), z.coerce.number().int(), z.coerce.number().int().min(1)]);
type Row = z.infer<typeof rowSchema>;

/**
 * @param onCached called if PostHog answers from its cache
 * @throws (rejects with) a ManagementError: no key, no scope, no quota, or an answer that cannot be used
 */
export async function* clicksAtPosthog(
  api: Management,
  period: Period,
  onCached: () => void = () => {},
  pageSize: number = PAGE,
): AsyncGenerator<ListedClick[]> {
  let after: Row | null = null;
  for (;;) {
    const text = listQuery(period, after, pageSize);
    const { rows, isCut, isCached } = await runQuery(api, 'site: clicks to reconcile', text);
    if (isCached) onCached();
    const page: Row[] = rows.map(readRow);
    yield page.map(([uuid, , copies]) => ({ uuid: uuid.toLowerCase(), copies }));
    const last = page.at(-1);
    if (!isCut && page.length < pageSize) return;
    if (!last || isSame(last, after))
      throw unusable('PostHog cut its answer, and gives no next page');
    after = last;
  }
}

/** Pages by time and uuid. An OFFSET may be refused, and events arrive meanwhile. */
export function listQuery({ from, to }: Period, after: Row | null, pageSize: number): string {
  const time = (ms: number) =>
    `toDateTime('${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')}', 'UTC')`;
  return [
    'select toString(uuid) as id, toUnixTimestamp64Milli(timestamp) as ms, count() as copies from events',
    `where event = 'cta_click' and timestamp >= ${time(from)} and timestamp < ${time(to)}`,
    after ? `and (ms, id) > (${after[1]}, '${after[0]}')` : '',
    `group by id, ms order by ms, id limit ${pageSize}`,
  ]
    .filter(Boolean)
    .join(' ');
}

const retentionSchema = z.object({
  events_retention_enforced: z.boolean().nullish(),
  event_retention_months: z.number().nullish(),
});

/**
 * Returns the time before which PostHog hides events, in milliseconds since 1970; null: it hides none.
 *
 * @throws (rejects with) a ManagementError if the key may not read the project
 */
export async function hiddenBefore(api: Management, now: number): Promise<number | null> {
  const path = `/api/environments/${api.access.projectId}/`;
  const project = await api.get(path, retentionSchema);
  const { events_retention_enforced: isEnforced, event_retention_months: months } = project;
  if (!isEnforced || !months) return null;
  const date = new Date(now);
  return date.setUTCMonth(date.getUTCMonth() - months);
}

function readRow(row: unknown): Row {
  const parsed = rowSchema.safeParse(row);
  if (parsed.success) return parsed.data;
  throw unusable(`PostHog's answer has a row that is not as expected`);
}

const isSame = (a: Row, b: Row | null) => a[0] === b?.[0] && a[1] === b[1];

const unusable = (message: string) => new ManagementError(`${message}. Run the command again.`);
