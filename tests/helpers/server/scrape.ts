/** The metrics of a server, as Prometheus reads them. */
import { freePort } from './local-server.ts';
import { startServer } from './server-process.ts';

/** Value by series, such as `site_clicks_total{event="…",via="fetch",outcome="logged"}`. */
export type Series = Record<string, number>;

/** Starts the real server with its metrics. */
export async function startMetered(options: Parameters<typeof startServer>[0] = {}) {
  const port = await freePort();
  const env = { ...options.env, METRICS_PORT: String(port) };
  const server = await startServer({ ...options, env });
  const metricsUrl = `http://127.0.0.1:${port}/metrics`;
  return { ...server, metricsUrl, scrape: () => scrape(metricsUrl) };
}

/** @throws (rejects) if nothing listens at the URL */
export async function scrape(url: string): Promise<Series> {
  const answer = await fetch(url);
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
  const samples = (await answer.text()).split('\n').filter((line) => /^[a-z]/.test(line));
  return Object.fromEntries(
    samples.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

/** Sums the series that begin with this text. */
export const sumOf = (series: Series, start: string) =>
  Object.entries(series)
    .filter(([name]) => name.startsWith(start))
    .reduce((sum, [, value]) => sum + value, 0);
