/** The alerts of deploy/prometheus name metrics that the real server has, and headings that the runbook has. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { ADMIN_PASSWORD, scrape } from '../helpers/server/scrape.ts';
import { startApp } from '../helpers/server/server-app.ts';

interface Rule {
  alert: string;
  expr: string;
  annotations: Record<string, string>;
}

const RULES: Rule[] = parse(readFileSync('deploy/prometheus/site.rules.yml', 'utf8')).groups[0]
  .rules;
const NOTHING_WAITS = async () => ({ oldestAt: null, waiting: 0, fault: null });

test('each alert asks for series that the server has', async () => {
  const site = await startApp({ env: { ADMIN_PASSWORD }, parts: { posthogState: NOTHING_WAITS } });
  const series = Object.keys(await scrape(site));
  const asked = RULES.flatMap(({ expr }) => expr.match(/site_\w+(\{\w+="\w+"\})?/g) ?? []);
  expect(asked.length).toBeGreaterThanOrEqual(RULES.length);
  const isThere = (one: string) => series.some((name) => `${name}{`.startsWith(`${one}{`));
  expect(asked.filter((one) => !isThere(one))).toEqual([]);
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
