/** Joins Prometheus' samples of alerts into spans of time. */
import type { AlertSpan } from './alerting.ts';

/** One series of the metric ALERTS, as the API answers it. Times are seconds since 1970. */
export interface AlertSeries {
  metric: { alertname: string; alertstate: string };
  values: [at: number, value: string][];
}

/**
 * Returns one list for all servers. While an alert fires for one server, it does not count as pending for another.
 *
 * @param stepS time between two samples
 */
export function spansOf(series: readonly AlertSeries[], stepS: number): AlertSpan[] {
  const names = [...new Set(series.map(({ metric }) => metric.alertname))];
  return names.flatMap((alert) => {
    const timesOf = (state: string) =>
      new Set(
        series
          .filter(({ metric }) => metric.alertname === alert && metric.alertstate === state)
          .flatMap(({ values }) => values.map(([at]) => at)),
      );
    const firing = timesOf('firing');
    const pending = [...timesOf('pending')].filter((at) => !firing.has(at));
    return [
      ...joined(pending, stepS).map((span) => ({ alert, state: 'pending' as const, ...span })),
      ...joined([...firing], stepS).map((span) => ({ alert, state: 'firing' as const, ...span })),
    ];
  });
}

function joined(times: readonly number[], stepS: number): { from: number; to: number }[] {
  const spans: { from: number; to: number }[] = [];
  for (const at of times.toSorted((a, b) => a - b)) {
    const last = spans.at(-1);
    const [from, to] = [at * 1000, (at + stepS) * 1000];
    // Sums of steps are not exact.
    if (last && from - last.to < stepS * 100) last.to = to;
    else spans.push({ from, to });
  }
  return spans;
}
