/** The figures of a period, before they are written. */

/** People's; robots are in no number. */
export interface Counts {
  visits: number;
  clicks: number;
  /** Clicks whose visit is counted: neither private nor by ping. */
  rated: number;
}

/** Counts by the name of a row. */
export type Table = Record<string, Counts>;

/** The name of a row for clicks and visits without a value. */
export const NONE = 'none';
/** The row of a long table's smaller rows. */
export const OTHERS = '…';
/** Strangers can send any number of names. */
const MOST_NAMES = 1000;

export interface Figures extends Counts {
  registrations: number;
  byDay: Table;
  byRef: Table;
  byCampaign: Table;
  /** By class of the site before the page, or by its host, as `referrerDetail` of site.json says. */
  bySite: Table;
  byScreen: Table;
  byCta: Table;
  /** Clicks by way of delivery: fetch, beacon, ping. */
  byWay: Record<string, number>;
  privateClicks: number;
  robotClicks: number;
  robotVisits: number;
  /** Clicks that are missing between others of their visit; null: a filter leaves out clicks. */
  missing: number | null;
  /** Clicks that browsers report as dropped. */
  dropped: number;
}

const noCounts = (): Counts => ({ visits: 0, clicks: 0, rated: 0 });

export function emptyFigures(): Figures {
  const table = (): Table => Object.create(null);
  return {
    ...noCounts(),
    registrations: 0,
    ...{ byDay: table(), byRef: table(), byCampaign: table() },
    ...{ bySite: table(), byScreen: table(), byCta: table() },
    byWay: {},
    ...{ privateClicks: 0, robotClicks: 0, robotVisits: 0, missing: 0, dropped: 0 },
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
