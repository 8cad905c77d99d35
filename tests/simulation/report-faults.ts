/** Compares the report's figures of a whole run with an independent count. */
import { openReader } from '../../server/database/open-reader.ts';
import { addUp, type Counts, type Figures, noCounts } from '../../server/report/figures/figures.ts';
import { readFigures } from '../../server/report/figures/read-figures.ts';
import { coreOf } from './book.ts';
import { time } from './clock.ts';
import type { World } from './world.ts';

/** A time zone with a fraction of an hour: its days begin at 3:30 UTC. */
const TEAMS_ZONE = 'America/St_Johns';

/** Returns a sentence for each figure of the report that differs from the count of the book. */
export async function findReportFaults(world: World): Promise<string[]> {
  const reader = await openReader([], world.database.file);
  const selection = {
    period: { since: 0, until: time() + 1 },
    timeZone: TEAMS_ZONE,
    filters: {},
    length: 2,
    isShared: false,
    now: time(),
  };
  const figures = await readFigures(reader, selection);
  await reader.close();
  const [reported, counted] = [namedFigures(figures), countAgain(world)];
  return [...new Set([...reported.keys(), ...counted.keys()])].flatMap((name) => {
    const [report, own] = [reported, counted].map((all) => JSON.stringify(all.get(name)));
    return report === own ? [] : [`the report says ${report} of ${name}, and it was ${own}`];
  });
}

/** Figures by their names. A day is named by its date. */
type Named = Map<string, Counts | number>;

/** Returns the report's figures by names. */
function namedFigures({ byDay, tables, visits, clicks, rated, ...others }: Figures): Named {
  const { automated, marks, views, briefViews } = others;
  return new Map<string, Counts | number>([
    ...Object.entries(byDay),
    ['all days', { visits, clicks, rated }],
    ['all links', addUp(Object.values(tables.ref))],
    ['views', views],
    ['brief views', briefViews],
    ['clicks of automated browsers', automated.clicks],
    ['visits of automated browsers', automated.visits],
    ['clicks by a script', marks.scripted?.clicks ?? 0],
  ]);
}

/** Counts the same figures from the tables' ids and the book. */
function countAgain(world: World): Named {
  const clicks = readClicks(world);
  const views = readViews(world);
  const visits = views.filter(({ isFirst }) => isFirst);
  const people = clicks.filter((click) => !click.isAutomated);
  const days = new Map<string, Counts>();
  const add = (at: number, more: Partial<Counts>) => {
    const day = new Date(at).toLocaleDateString('sv-SE', { timeZone: TEAMS_ZONE });
    days.set(day, addUp([days.get(day) ?? noCounts(), { ...noCounts(), ...more }]));
  };
  for (const { at, isPrivate } of people) add(at, { clicks: 1, rated: isPrivate ? 0 : 1 });
  for (const { at, isAutomated } of visits) if (!isAutomated) add(at, { visits: 1 });
  const total = addUp([...days.values()]);
  const seen = views.filter(({ isAutomated }) => !isAutomated);
  return new Map<string, Counts | number>([
    ...days,
    ['all days', total],
    ['all links', total],
    ['views', seen.length],
    ['brief views', seen.filter(({ isBrief }) => isBrief).length],
    ['clicks of automated browsers', clicks.length - people.length],
    ['visits of automated browsers', visits.filter(({ isAutomated }) => isAutomated).length],
    ['clicks by a script', people.filter(({ isScripted }) => isScripted).length],
  ]);
}

/** Returns the clicks in the table that are neither of robots nor of the team. */
const readClicks = ({ book, database }: World) =>
  database.read('SELECT id, received_at, forgotten_at FROM clicks', []).flatMap((row) => {
    const press = book.pressed.get(coreOf(String(row.id)));
    if (!press || press.isBot || press.isInternal) return [];
    const { isAutomated, isPrivate } = press;
    // `site forget` empties `is_scripted`.
    const isScripted = press.isScripted && row.forgotten_at === null;
    return [{ at: Number(row.received_at), isAutomated, isPrivate, isScripted }];
  });

/** Returns the views in the table that are neither of robots nor of the team. */
const readViews = ({ book, database }: World) =>
  database.read('SELECT id, viewed_at, is_brief FROM visits', []).flatMap((row) => {
    const view = book.views.get(String(row.id));
    if (!view || view.isBot || view.isInternal) return [];
    const { isFirst, isAutomated } = view;
    return [{ at: Number(row.viewed_at), isFirst, isAutomated, isBrief: row.is_brief === 1 }];
  });
