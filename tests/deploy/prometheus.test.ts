/** The alerts of deploy/prometheus name metrics that the real server has, and headings that the runbook has. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { shippedRules } from '../helpers/server/alert-files.ts';
import { isInScrape, type Selector, selectorsOf } from '../helpers/server/promql.ts';
import { ADMIN_PASSWORD, scrape } from '../helpers/server/scrape.ts';
import { startApp } from '../helpers/server/server-app.ts';

const RULES = shippedRules();

/** Prometheus makes these itself. */
const ITS_OWN = ['up', 'ALERTS'];
const isOurs = ({ metric }: Selector) => !ITS_OWN.includes(metric);
const NOTHING_WAITS = async () => ({ oldestAt: null, waiting: 0, fault: null });

test('each alert asks for series that the server has', async () => {
  const site = await startApp({ env: { ADMIN_PASSWORD }, watch: { posthogState: NOTHING_WAITS } });
  const series = await scrape(site);
  const missing = RULES.flatMap(({ expr }) => selectorsOf(expr))
    .filter(isOurs)
    .filter((selector) => !isInScrape(selector, series));
  expect(missing).toEqual([]);
});

test('each alert has a severity, a summary, a description, and a heading of the runbook', () => {
  const page = 'docs/operations.md';
  const headings = readFileSync(page, 'utf8').match(/^#+ \w+$/gm) ?? [];
  const anchors = headings.map((heading) => heading.replace(/^#+ /, '').toLowerCase());
  expect(RULES.length).toBeLessThanOrEqual(7);
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
