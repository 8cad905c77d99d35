/** Makes a table row of a condition's figures, in Markdown. */
import type { Counted } from './loss-count.ts';

export const HEAD = `| condition | clicks | in the ledger | at PostHog from the browser | completed by the server | lost | double | repeated, merged | slowest, s |
|---|---:|---:|---:|---:|---:|---:|---:|---:|`;

export function rowOf(counted: Counted): string {
  const { title, made, logged, byBrowser, byServer, lost, double, repeated, slowestMs } = counted;
  const slowest = Number.isFinite(slowestMs) ? (slowestMs / 1000).toFixed(0) : '–';
  const cells = [title, made, logged, byBrowser, byServer, lost, double, repeated, slowest];
  return `| ${cells.join(' | ')} |`;
}
