/** Answers the query of `clicks reconcile` from a stand-in's stored events, as PostHog does: in pages, with unmerged copies. */
import type { StoredEvent } from '../posthog-capture/event-store.ts';
import type { Fields } from './store.ts';

const FORM =
  /timestamp >= toDateTime\('([^']+)', 'UTC'\) and timestamp < toDateTime\('([^']+)', 'UTC'\)(?: and \(ms, id\) > \((\d+), '([^']+)'\))? group by id, ms order by ms, id limit (\d+)$/;

/** @throws if it is another query */
export function answerList(hogql: string, events: readonly StoredEvent[]): Fields {
  const [, from = '', to = '', ms, id = '', limit = ''] = FORM.exec(hogql) ?? [];
  if (from === '') throw new Error(`Not the query of reconcile: ${hogql}`);
  const time = (text: string) => Date.parse(`${text.replace(' ', 'T')}Z`);
  const clicks = events
    .filter(({ event }) => event === 'cta_click')
    .map(({ uuid, timestamp }) => ({ uuid, ms: Date.parse(timestamp) }))
    .filter((click) => click.ms >= time(from) && click.ms < time(to));
  const groups = Map.groupBy(
    clicks,
    (click) => `${String(click.ms).padStart(15, '0')} ${click.uuid}`,
  );
  const after = ms === undefined ? '' : `${ms.padStart(15, '0')} ${id}`;
  const rest = [...groups].filter(([key]) => key > after).sort(([a], [b]) => (a < b ? -1 : 1));
  const page = rest.slice(0, Number(limit));
  return {
    // PostHog may write numbers as strings.
    results: page.map(([, [click, ...copies]]) => [
      click?.uuid,
      String(click?.ms),
      String(1 + copies.length),
    ]),
    columns: ['id', 'ms', 'copies'],
    hasMore: rest.length > page.length,
    is_cached: false,
  };
}
