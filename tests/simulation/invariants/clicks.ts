/** Checks that each click is in the table once, for as long as promised, and is counted. */
import { identifiedSince } from '../../../server/clicks/id-time.ts';
import { DAY_MS, dayOf } from '../../../server/time.ts';
import { coreOf } from '../book.ts';
import { time } from '../clock.ts';
import { NEW_EVENT } from '../new-button.ts';
import type { World } from '../world.ts';
import { type Check, clicksInTable, isHeld, keptSince, LATE_MS, newestOf } from './check.ts';

/** Whether a browser may have dropped a click, which it does after seven days. */
const isExpired = (world: World, at: number): boolean => world.openedAt - at > 6 * DAY_MS;

/** Each click that a browser has stored is in the table. */
export const arrived: Check = (world) => {
  const { book } = world;
  const cores = new Set([...book.stored.keys()].map(coreOf));
  const lost = [...book.pressed].filter(
    ([core, { isOwed, at }]) => isOwed && !isExpired(world, at) && !cores.has(core),
  );
  return lost.map(([, { id }]) => `lost: ${id}`);
};

/** No click is in the table twice. */
export const onlyOnce: Check = ({ book }) => {
  const copies = Map.groupBy(book.stored.keys(), coreOf);
  return [...copies].flatMap(([core, ids]) =>
    ids.length > 1 && !book.pressed.get(core)?.isAhead ? [`twice in the table: ${ids}`] : [],
  );
};

/** Clicks are deleted after `clickRetentionDays`, and not earlier. */
export const keptAsLongAsPromised: Check = (world) => {
  const there = new Map(clicksInTable(world).map((row) => [row.id, row]));
  const since = keptSince(world);
  const missing = [...world.book.stored.values()].filter(
    ({ id, received_at }) => received_at >= since && !there.has(id),
  );
  const late = isHeld(newestOf(world), since)
    ? []
    : [...there.values()].filter(({ received_at }) => received_at < since - LATE_MS);
  return [
    ...missing.map(({ id }) => `deleted too early: ${id}`),
    ...late.map(({ id }) => `not deleted: ${id}`),
  ];
};

/** The personal columns are emptied after `personalDataDays`, and not earlier. */
export const emptiedInTime: Check = (world) => {
  const days = world.site.personalDataDays;
  const since = identifiedSince(days, time());
  const late = isHeld(newestOf(world), since) ? 0 : identifiedSince(days, time() - LATE_MS);
  return clicksInTable(world).flatMap((row) => {
    const { id, received_at, forgotten_at } = row;
    const named = ['visit_id', 'user_agent'].map((name) => row[name] !== null);
    if (received_at < late && named.includes(true)) return [`not emptied: ${id}`];
    const isTooEarly = received_at >= since && forgotten_at === null && named.includes(false);
    return isTooEarly ? [`emptied too early: ${id}`] : [];
  });
};

/** The counts by day, button and robot equal the number of rows that were ever stored. */
export const counted: Check = ({ book, database, site }) => {
  // A click that was deleted before a server knew its button stays unknown.
  const nameOf = (event: string) =>
    site.clickRetentionDays > 0 && event === NEW_EVENT ? 'unknown' : event;
  const visitors = [...book.stored.values()].filter(({ is_internal }) => !is_internal);
  const expected = Map.groupBy(visitors, ({ event, is_bot, received_at }) =>
    [dayOf(received_at), nameOf(event), is_bot].join(' '),
  );
  const rows = database.read(COUNTS, []) as never as CountRow[];
  const found = new Map<string, number>();
  for (const { day, event, is_bot, n } of rows) {
    const name = [day, nameOf(event), is_bot].join(' ');
    found.set(name, (found.get(name) ?? 0) + n);
  }
  const names = new Set([...expected.keys(), ...found.keys()]);
  return [...names].flatMap((name) => {
    const [n, m] = [expected.get(name)?.length ?? 0, found.get(name) ?? 0];
    return n === m ? [] : [`the count of ${name} is ${m}, and ${n} rows came`];
  });
};
const COUNTS =
  'SELECT day, event, is_bot, SUM(n) AS n FROM click_counts GROUP BY day, event, is_bot';

interface CountRow {
  day: string;
  event: string;
  is_bot: number;
  n: number;
}

/** `/api/stats` has the number of clicks by people, rounded down to tens. */
export const readStats: Check = async ({ servers, book }) => {
  const [server] = servers;
  if (!server) return ['no server runs'];
  const answer = await server.app.inject('/api/stats');
  const { clicks } = answer.json() as { clicks: { total: number } };
  const people = [...book.stored.values()].filter((row) => !row.is_internal && !row.is_bot);
  if (clicks.total === people.length - (people.length % 10)) return [];
  return [`/api/stats says ${clicks.total} clicks, and people pressed ${people.length}`];
};
