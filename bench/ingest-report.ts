/** Compares measurements with budgets. */

export interface Row {
  name: string;
  value: number;
  digits?: number;
  /** Upper or lower bound for the value. */
  most?: number;
  least?: number;
}

/** @returns the table in Markdown, and the number of missed budgets */
export function report(rows: readonly Row[]): { table: string; missed: number } {
  let missed = 0;
  const lines = rows.map(({ name, value, digits = 0, most, least }) => {
    const holds = value <= (most ?? Number.POSITIVE_INFINITY) && value >= (least ?? 0);
    const hasBudget = most !== undefined || least !== undefined;
    if (!holds) missed += 1;
    const limit = most === undefined ? (least === undefined ? '' : `≥ ${least}`) : `≤ ${most}`;
    const verdict = holds ? 'held' : '**missed**';
    return `| ${name} | ${format(value, digits)} | ${limit} | ${hasBudget ? verdict : ''} |`;
  });
  return { table: ['| | measured | budget | |', '|---|--:|--:|---|', ...lines].join('\n'), missed };
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function format(value: number, digits: number): string {
  return value.toLocaleString('en', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}
