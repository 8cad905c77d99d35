/** The figures of a period, before they are written. */

/** People's; robots are in no number. */
export interface Counts {
  visits: number;
  clicks: number;
  /** Clicks whose visit is counted: neither private nor by ping. */
  rated: number;
}

export type Table = Record<string, Counts>;

/** The name of a row for clicks and visits without a value. */
export const NONE = 'none';
/** The row of a long table's smaller rows. */
export const OTHERS = '…';
/** Strangers can send any number of names. */
const MOST_NAMES = 1000;

const noCounts = (): Counts => ({ visits: 0, clicks: 0, rated: 0 });

export type Figures = ReturnType<typeof emptyFigures>;

export function emptyFigures() {
  const table = (): Table => Object.create(null);
  return {
    ...noCounts(),
    registrations: 0,
    ...{ byDay: table(), byRef: table(), byCampaign: table() },
    /** By class of the site before the page, or by its host, as `referrerDetail` of site.json says. */
    bySite: table(),
    ...{ byScreen: table(), byCta: table() },
    /** Clicks by way of delivery: fetch, beacon, ping. */
    byWay: {} as Record<string, number>,
    ...{ privateClicks: 0, robotClicks: 0, robotVisits: 0 },
    /** Clicks that are missing between others of their visit; null: a filter leaves out clicks. */
    missing: 0 as number | null,
    /** Clicks that browsers report as dropped. */
    dropped: 0,
  };
}

export function rowOf(table: Table, name: string): Counts {
  table[name] ??= noCounts();
  return table[name];
}

/** Adds up the smallest rows of the tables whose names strangers choose. */
export function withoutSmallest(figures: Figures): Figures {
  const { byRef, byCampaign, bySite } = figures;
  return {
    ...figures,
    ...{ byRef: cut(byRef), byCampaign: cut(byCampaign), bySite: cut(bySite) },
  };
}

function cut(table: Table): Table {
  const rows = Object.entries(table);
  if (rows.length <= MOST_NAMES) return table;
  rows.sort(([, a], [, b]) => b.clicks - a.clicks || b.visits - a.visits);
  const others = noCounts();
  for (const [, row] of rows.splice(MOST_NAMES)) {
    others.visits += row.visits;
    others.clicks += row.clicks;
    others.rated += row.rated;
  }
  return Object.fromEntries([...rows, [OTHERS, others]]);
}
