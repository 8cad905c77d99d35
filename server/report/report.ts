/** Joins the figures of a period and of the one before to the tables of the report. Pure. */
import { CTAS } from '#contract/cta.ts';
import { UNKNOWN } from '../clicks/store-clicks.ts';
import type { KnownLink } from '../links/known-links.ts';
import { type Counts, type Figures, NONE, OTHERS, type Table } from './figures.ts';
import type { Question } from './question.ts';

export interface Row {
  /** The value in the database; `none`: it has none. */
  key: string;
  /** In words. */
  name: string;
  now: Counts;
  /** null: it may be among the other rows of the period before. */
  before: Counts | null;
}

export interface ReportTable {
  id: string;
  title: string;
  /** The kind of name that a row has. */
  column: string;
  /** Whether visits are counted by it too. */
  hasVisits: boolean;
  rows: Row[];
}

interface Facts {
  question: Question;
  now: Figures;
  before: Figures;
  productName: string;
  /** Whether the site has a form, so that registrations are a figure. */
  hasForm: boolean;
}

export type Report = ReturnType<typeof makeReport>;

export function makeReport(facts: Facts, links: readonly KnownLink[]) {
  const { question, now, before } = facts;
  const linkNames = {
    ...Object.fromEntries(links.map(({ ref, name }) => [ref, name])),
    [NONE]: 'Without a link of ours',
  };
  const join = (one: Table, other: Table, nameOf: (key: string) => string): Row[] =>
    [...new Set([...Object.keys(one), ...Object.keys(other)])]
      .map((key) => ({
        ...{ key, name: nameOf(key) },
        now: find(one, key) ?? NO_COUNTS,
        before: find(other, key) ?? (OTHERS in other ? null : NO_COUNTS),
      }))
      // The order of a shared table must not tell which hidden figure is larger.
      .sort((a, b) =>
        question.isShared
          ? a.name.localeCompare(b.name)
          : b.now.clicks - a.now.clicks || b.now.visits - a.now.visits,
      );
  const table = (
    [id, title, column, hasVisits]: [string, string, string, boolean],
    key: 'byRef' | 'byCampaign' | 'bySite' | 'byScreen' | 'byCta',
    nameOf: (key: string) => string,
  ): ReportTable => ({
    ...{ id, title, column, hasVisits },
    rows: join(now[key], before[key], nameOf),
  });
  const named = (names: Record<string, string>) => (key: string) =>
    find(names, key) ?? (key === OTHERS ? 'All others' : key);
  return {
    ...facts,
    byDay: {
      ...{ id: 'day', title: 'Clicks by day', column: 'Day', hasVisits: true },
      rows: dayRows(question, now.byDay, before.byDay),
    },
    tables: [
      table(['ref', 'Links', 'Link', true], 'byRef', named(linkNames)),
      table(['campaign', 'Campaigns', 'Campaign', true], 'byCampaign', named(NO_CAMPAIGN)),
      table(['site', 'Sites before the page', 'Site', true], 'bySite', named(SITES)),
      table(['cta', 'What they press', 'Place', false], 'byCta', named(PLACES)),
      table(['screen', 'Devices', 'Screen', true], 'byScreen', named(SCREENS)),
    ],
  };
}

/** Strangers choose the keys, and `constructor` is one of every object. */
const find = <T>(table: Record<string, T>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

const NO_COUNTS: Counts = { visits: 0, clicks: 0, rated: 0 };

const NO_CAMPAIGN = { [NONE]: 'Without a campaign' };
const SITES = {
  [NONE]: 'Unknown',
  direct: 'Typed, saved, or from an app',
  search: 'Search engines',
  social: 'Social networks',
  partner: 'The partner',
  other: 'Other sites',
};
const SCREENS = { [NONE]: 'Unknown', small: 'Phone', medium: 'Tablet', large: 'Computer' };
const PLACES = {
  [CTAS.hero.event]: 'Top of the page',
  [CTAS.closing.event]: 'End of the page',
  [CTAS.help.event]: 'Help pages',
  [UNKNOWN]: 'A button that this server does not know',
};

/** Makes a row for each day of the period, beside the same day of the period before. */
function dayRows({ from, to }: Question, now: Table, before: Table): Row[] {
  const first = Temporal.PlainDate.from(from);
  const length = first.until(Temporal.PlainDate.from(to)).days + 1;
  return Array.from({ length }, (_, i) => {
    const day = first.add({ days: i });
    const earlier = day.subtract({ days: length });
    return {
      key: String(day),
      name: day.toLocaleString('en-US', { weekday: 'short', month: 'short', day: 'numeric' }),
      now: now[String(day)] ?? NO_COUNTS,
      before: before[String(earlier)] ?? NO_COUNTS,
    };
  });
}
