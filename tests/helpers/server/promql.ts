/** Reads Prometheus' query language with Prometheus' own grammar. */
import { parser } from '@prometheus-io/lezer-promql';
import type { Series } from './scrape.ts';

interface Matcher {
  label: string;
  op: string;
  value: string;
}

export interface Selector {
  metric: string;
  matchers: Matcher[];
}

/** @returns the selectors of series in the expression @throws if it is not valid */
export function selectorsOf(expr: string): Selector[] {
  const selectors: Selector[] = [];
  parser.parse(expr).iterate({
    enter({ name, from, to, type }) {
      const text = expr.slice(from, to);
      if (type.isError) throw new Error(`Not valid at character ${from}: ${expr}`);
      if (name === 'VectorSelector') selectors.push({ metric: '', matchers: [] });
      const last = selectors.at(-1);
      if (name === 'Identifier' && last) last.metric = text;
      const [, label = '', op = '', value = ''] = /^(\w+)(=~|!~|!=|=)"(.*)"$/.exec(text) ?? [];
      if (name === 'UnquotedLabelMatcher') last?.matchers.push({ label, op, value });
    },
  });
  return selectors;
}

/** Labels that Prometheus adds to each series of a scrape. */
const ADDED = ['job', 'instance'];

/** Has the scrape a series that the selector selects? */
export function isInScrape({ metric, matchers }: Selector, scrape: Series): boolean {
  const asked = matchers.filter(({ label }) => !ADDED.includes(label));
  return Object.keys(scrape).some((series) => {
    const [name, labels = ''] = series.split('{');
    const values = Object.fromEntries(
      [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, value]) => [label, value ?? '']),
    );
    return name === metric && asked.every((matcher) => matches(matcher, values));
  });
}

function matches({ label, op, value }: Matcher, values: Record<string, string>): boolean {
  const actual = values[label];
  // A label that no series has is a mistake, although Prometheus takes it as empty.
  if (actual === undefined) return false;
  const isSame = op.endsWith('~') ? new RegExp(`^(?:${value})$`).test(actual) : actual === value;
  return op.startsWith('!') ? !isSame : isSame;
}
