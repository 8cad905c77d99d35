/** The files of deploy/prometheus name metrics that the real server has, and headings that the runbook has. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { dashboardExpressions, shippedRules } from '../helpers/server/alert-files.ts';
import { freePort } from '../helpers/server/local-server.ts';
import { isInScrape, type Selector, selectorsOf } from '../helpers/server/promql.ts';
import { type Series, startMetered } from '../helpers/server/scrape.ts';
import { makeBody } from '../helpers/server/server-app.ts';

const RULES = shippedRules();

/** Prometheus makes these itself. */
const ITS_OWN = ['up', 'ALERTS'];
const isOurs = ({ metric }: Selector) => !ITS_OWN.includes(metric);

/** One scrape of a server with everything, and one of a server whose databases are away. */
async function scrapeServers(): Promise<Series> {
  const nowhere = `127.0.0.1:${await freePort()}`;
  const [complete, shared] = await Promise.all([
    startMetered({ env: { RATE_LIMIT_CLICKS: '1' } }),
    startMetered({
      env: {
        DATABASE_URL: `postgres://site:site@${nowhere}/site`,
        REDIS_URL: `redis://${nowhere}`,
        REGISTRATION_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
      },
    }),
  ]);
  const click = (url: string) =>
    fetch(`${url}/api/log-cta`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(makeBody()),
    });
  const answers = [await click(complete.url), await click(complete.url), await click(shared.url)];
  expect(answers.map(({ status }) => status)).toEqual([200, 429, 503]);
  const [all, away] = [await complete.scrape(), await shared.scrape()];
  expect(all).toMatchObject({ site_ready: 1, site_clock_suspect: 0 });
  expect(away).toMatchObject({ site_ready: 0, site_postgres_up: 0, site_redis_up: 0 });
  return { ...all, ...away };
}

test('each alert and each panel asks for series that the server has', async () => {
  const scrape = await scrapeServers();
  const expressions = [...RULES.map(({ expr }) => expr), ...dashboardExpressions()];
  expect(expressions.length).toBeGreaterThan(50);
  const missing = expressions
    .flatMap(selectorsOf)
    .filter(isOurs)
    .filter((selector) => !isInScrape(selector, scrape));
  expect(missing).toEqual([]);
});

test('each alert has a severity, a summary, a description, and a heading of the runbook', () => {
  const page = 'docs/operations.md';
  const headings = readFileSync(page, 'utf8').match(/^#+ \w+$/gm) ?? [];
  const anchors = headings.map((heading) => heading.replace(/^#+ /, '').toLowerCase());
  for (const { alert, annotations, ...rule } of RULES) {
    expect(rule, alert).toMatchObject({
      labels: { severity: expect.stringMatching(/^(critical|warning)$/) },
    });
    expect(annotations, alert).toEqual({
      summary: expect.stringMatching(/^\S.{10,}[^.]$/),
      description: expect.stringMatching(/^\S.{40,}\.$/),
      runbook_url: expect.stringMatching(new RegExp(`^https://.*/${page}#${alert.toLowerCase()}$`)),
    });
    expect(anchors).toContain(alert.toLowerCase());
  }
});
