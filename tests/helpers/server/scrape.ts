/** Reads an app's metrics as Prometheus does, and its health as an operator does. */
import type { FastifyInstance } from 'fastify';

export const ADMIN_PASSWORD = 'a password of the tests';

/** Returns the headers of an operator's request. */
export const withPassword = (password: string) => ({
  authorization: `Basic ${Buffer.from(`anybody:${password}`).toString('base64')}`,
});

/** Returns the reasons why the app is not healthy, as `/healthz` tells an operator. */
export async function readReasons({ app }: { app: FastifyInstance }): Promise<string[]> {
  const answer = await app.inject({ url: '/healthz', headers: withPassword(ADMIN_PASSWORD) });
  return answer.json().reasons;
}

/** Values of the metrics, by the names of the series: `site_clicks_total{outcome="logged"}`. */
export type Series = Record<string, number>;

/** Reads the metrics. @throws if the app has no metrics, or another password */
export async function scrape({ app }: { app: FastifyInstance }): Promise<Series> {
  const headers = withPassword(ADMIN_PASSWORD);
  const { statusCode, payload } = await app.inject({ url: '/metrics', headers });
  if (statusCode !== 200) throw new Error(`${statusCode} ${payload}`);
  const samples = payload.split('\n').filter((line) => /^[a-z]/.test(line));
  return Object.fromEntries(
    samples.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}
