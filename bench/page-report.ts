/** Makes a table of the measurements: the baseline, our page, the budget, and whether it holds. */
import { type Feel, HANDS, type Hand } from './page-feel.ts';
import { type Audit, MODES, type Mode, SLOW_CPU } from './page-lighthouse.ts';
import { type EarlyClick, LEAVES } from './page-measures.ts';
import type { Load } from './page-visit.ts';

/** Every list has one entry per run. */
export interface Measured {
  audits: Record<Mode, Audit[]>;
  /** Milliseconds. */
  slowBlocking: number[];
  untouched: Load[][];
  all: Load[][];
  feels: Feel[];
  /** Milliseconds. */
  interactions: Record<Hand, number[]>;
  clicks: EarlyClick[];
  leaves: Record<(typeof LEAVES)[number], (boolean | null)[]>;
}

interface Row {
  name: string;
  of: (site: Measured) => number;
  digits?: number;
  /** Upper or lower bound for our page, given the baseline's value. */
  limit?: (floor: number) => number;
  /** Higher values are better. */
  isScore?: boolean;
}

const KIB = 1024;
/** Budgets of bytes are in KiB. Only the document's is in KB: 14.0 KB fit into one initial congestion window. */
const ROWS: Row[] = [
  ...MODES.flatMap(auditRows),
  {
    name: 'devtools: main-thread work, ms',
    of: (m) => median(m.audits.devtools.map(({ mainThread }) => mainThread)),
    limit: (floor) => 2 * floor,
  },
  {
    name: `devtools, CPU ÷ ${SLOW_CPU}: TBT ms`,
    of: (m) => median(m.slowBlocking),
    limit: () => 150,
  },
  ...kindRows(),
  { name: 'untouched, all KiB', of: untouchedKib(), digits: 1, limit: () => 66 },
  { name: 'untouched, requests', of: (m) => median(m.untouched.map((loads) => loads.length)) },
  {
    name: 'scrolled to the end and clicked, all KiB',
    of: (m) => median(m.all.map(kib)),
    digits: 1,
    limit: () => 220,
  },
  {
    name: 'scrolled to the end: long tasks beyond 50 ms each (CPU ÷ 4), ms',
    of: (m) => median(m.feels.map(({ blockingMs }) => blockingMs)),
    limit: () => 50,
  },
  {
    name: 'the same, CLS',
    of: (m) => Math.max(...m.feels.map(({ cls }) => cls)),
    digits: 3,
    limit: () => 0,
  },
  ...HANDS.map(
    ({ hand, everyMs }): Row => ({
      name: `slowest of the first interactions (CPU ÷ 4), one every ${everyMs} ms, ms`,
      of: (m) => median(m.interactions[hand]),
      limit: () => 100,
    }),
  ),
  {
    name: 'clicks at first paint lost, %',
    of: (m) => percent(m.clicks.map(({ isLogged }) => !isLogged)),
    limit: () => 0,
  },
  {
    name: '… without `ref`, %',
    of: (m) => percent(m.clicks.map(({ hasRef }) => !hasRef)),
    limit: () => 0,
  },
  ...LEAVES.map(
    (when): Row => ({
      name: `\`$pageview\` lost of who leaves ${when}, %`,
      of: (m) => percent(m.leaves[when].map((isCounted) => isCounted === false)),
      limit: () => 0,
    }),
  ),
];

/** @returns the table in Markdown, and the number of missed budgets */
export function report(floor: Measured, ours: Measured): { table: string; missed: number } {
  let missed = 0;
  const measured = ROWS.filter(({ of }) => Number.isFinite(of(ours)));
  const lines = measured.map(({ name, of, digits = 0, limit, isScore }) => {
    const [least, value] = [of(floor), of(ours)];
    const budget = limit?.(least);
    const isMissed = budget !== undefined && (isScore ? value < budget : rounded(value) > budget);
    if (isMissed) missed += 1;
    const bound = budget === undefined ? '' : `${isScore ? '≥' : '≤'} ${budget.toFixed(digits)}`;
    const verdict = budget === undefined ? '' : isMissed ? '**missed**' : 'held';
    return `| ${name} | ${least.toFixed(digits)} | ${value.toFixed(digits)} | ${bound} | ${verdict} |`;
  });
  const head = '| | floor | ours | budget | |\n|---|--:|--:|--:|---|';
  return { table: [head, ...lines].join('\n'), missed };
}

/** Tolerance for rounding errors. */
const rounded = (value: number): number => Math.round(value * 1000) / 1000;

function auditRows(mode: Mode): Row[] {
  const medianOf = (pick: (audit: Audit) => number) => (m: Measured) =>
    median(m.audits[mode].map(pick));
  const lowest = (name: keyof Audit['scores']): Row => ({
    name: `Lighthouse ${mode}: ${name}, lowest`,
    of: (m) => Math.min(...m.audits[mode].map(({ scores }) => scores[name])),
    limit: () => 100,
    isScore: true,
  });
  const relative = (floor: number) => 1.1 * floor;
  return [
    lowest('performance'),
    lowest('accessibility'),
    lowest('best-practices'),
    lowest('seo'),
    { name: `${mode}: FCP ms`, of: medianOf(({ fcp }) => fcp), limit: relative },
    { name: `${mode}: LCP ms`, of: medianOf(({ lcp }) => lcp), limit: relative },
    { name: `${mode}: TBT ms`, of: medianOf(({ tbt }) => tbt), limit: () => 50 },
    { name: `${mode}: CLS`, of: medianOf(({ cls }) => cls), digits: 3, limit: () => 0 },
  ];
}

function kindRows(): Row[] {
  const row = (name: string, kind: string): Row => ({
    name: `untouched, ${name} KiB`,
    of: untouchedKib(kind),
    digits: 1,
  });
  return [
    { ...row('HTML', 'Document'), limit: () => 14_000 / KIB },
    row('CSS', 'Stylesheet'),
    row('JS', 'Script'),
    { ...row('fonts', 'Font'), limit: () => 30 },
    row('images', 'Image'),
  ];
}

function untouchedKib(kind?: string) {
  return (m: Measured) =>
    median(m.untouched.map((loads) => kib(loads.filter((load) => !kind || load.kind === kind))));
}

const kib = (loads: Load[]): number => loads.reduce((sum, { bytes }) => sum + bytes, 0) / KIB;

const percent = (faults: boolean[]): number =>
  (100 * faults.filter(Boolean).length) / faults.length;

/** @returns NaN without a measurement */
export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [below = Number.NaN, above = Number.NaN] = sorted.slice(middle - 1, middle + 1);
  return sorted.length % 2 ? (sorted[middle] ?? Number.NaN) : (below + above) / 2;
}
