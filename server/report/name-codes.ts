/** Names the clinics in the table by ref, and finds refs that are codes with a typing error. */

import { nearestWord } from '#contract/nearest-word.ts';
import type { CodeEntry } from '../links/campaigns.ts';
import type { Counted } from './make-report.ts';
import type { Table } from './report.ts';

/** Upper bound for the names in one sentence of the note. */
const MOST_NAMES = 10;
/** Upper bound for the refs that are compared with every code, because strangers can make up refs. */
const MOST_REFS = 1000;

/**
 * Adds each code's label to its row, and a hint to rows of refs that the table of codes does not have.
 *
 * @param table by ref
 * @param refs all refs of the period, the largest first; null for a shared report, whose note may not name small ones
 * @param codes the table of codes; empty: there is none, and nothing changes
 */
export function nameCodes(
  table: Table,
  refs: readonly Counted[] | null,
  codes: readonly CodeEntry[],
): Table {
  if (codes.length === 0) return table;
  const labels = new Map(codes.map(({ code, label }) => [code, label]));
  const names = [...labels.keys()];
  const nearest = (ref: string) => (labels.has(ref) ? null : nearestWord(ref, names));
  const hintOf = (ref: string) => {
    const near = nearest(ref);
    return labels.get(ref) ?? `not in the table of codes${near ? `; perhaps ${near}` : ''}`;
  };
  const rows = table.rows.map((row) =>
    row.kind !== 'value' || row.label === table.none ? row : { ...row, hint: hintOf(row.label) },
  );
  const note = refs === null ? '' : noteOf(refs, names, nearest);
  return { ...table, rows, note: [table.note, note].filter(Boolean).join(' ') };
}

function noteOf(
  refs: readonly Counted[],
  names: readonly string[],
  nearest: (ref: string) => string | null,
): string {
  const used = refs.filter(({ value, clicks }) => value !== '' && clicks > 0);
  const mistyped = used.slice(0, MOST_REFS).flatMap(({ value, clicks }) => {
    const near = nearest(value);
    return near ? [`${value} (${clicks}; perhaps ${near})`] : [];
  });
  const seen = new Set(used.map(({ value }) => value));
  const unused = names.filter((name) => !seen.has(name));
  return [
    ...sentence('Not in the table of codes, but near one of them: ', mistyped),
    ...sentence('Codes without a click: ', unused),
  ].join(' ');
}

function sentence(start: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length - MOST_NAMES;
  const rest = more > 0 ? ` and ${more} more` : '';
  return [`${start}${names.slice(0, MOST_NAMES).join(', ')}${rest}.`];
}
