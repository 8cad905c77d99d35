/** The report's figures of a whole run, beside an own count. */
import { openReader } from '../../server/database/open-reader.ts';
import { addUp, type Counts, noCounts } from '../../server/report/figures/figures.ts';
import { readFigures } from '../../server/report/figures/read-figures.ts';
import { coreOf, type StoredClick } from './book.ts';
import { time } from './clock.ts';
import type { World } from './world.ts';

/** Its days begin at half past three, by the servers' clocks. */
const TEAMS_ZONE = 'America/St_Johns';

/** Compares the report's figures of each day with those that follow from what visitors did. */
export async function findReportFaults(world: World): Promise<string[]> {
  const { book, database } = world;
  const period = { since: 0, until: time() + 1 };
  const reader = await openReader([], database.file);
  const selection = {
    period,
    timeZone: TEAMS_ZONE,
    filters: {},
    length: 2,
    isShared: false,
    now: time(),
  };
  const figures = await readFigures(reader, selection);
  await reader.close();
  const said = new Map<string, Counts>();
  const counted = new Map<string, Counts>();
  const add = (days: Map<string, Counts>, day: string, more: Partial<Counts>) =>
    days.set(day, addUp([days.get(day) ?? noCounts(), { ...noCounts(), ...more }]));
  const dayIn = (at: number) => new Date(at).toLocaleDateString('sv-SE', { timeZone: TEAMS_ZONE });
  for (const [day, row] of Object.entries(figures.byDay)) add(said, day, row);
  const { visits, clicks, rated } = figures;
  said.set('all days', { visits, clicks, rated });
  said.set('all links', addUp(Object.values(figures.tables.ref)));
  for (const { id, received_at } of database.read(
    'SELECT * FROM clicks',
    [],
  ) as never as StoredClick[]) {
    const press = book.pressed.get(coreOf(id));
    if (!press || press.isBot || press.isInternal) continue;
    add(counted, dayIn(received_at), { clicks: 1, rated: press.isPrivate ? 0 : 1 });
  }
  for (const { id, viewed_at } of database.read('SELECT id, viewed_at FROM visits', [])) {
    const view = book.views.get(String(id));
    if (!view?.isFirst || view.isBot || view.isInternal) continue;
    add(counted, dayIn(Number(viewed_at)), { visits: 1 });
  }
  const total = addUp([...counted.values()]);
  counted.set('all days', total).set('all links', total);
  return [...new Set([...said.keys(), ...counted.keys()])].flatMap((day) => {
    const [report, own] = [said, counted].map((days) => JSON.stringify(days.get(day)));
    return report === own ? [] : [`the report says ${report} of ${day}, and it was ${own}`];
  });
}
