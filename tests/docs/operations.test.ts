/** The runbook has a heading for each alert, and its commands exist. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runSite } from '../helpers/server/run-site.ts';
import { makeDataDir } from '../helpers/server/server-app.ts';

const page = readFileSync('docs/operations.md', 'utf8');
const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);

test('each alert of deploy/prometheus has a heading', () => {
  const text = readFileSync('deploy/prometheus/site.rules.yml', 'utf8');
  const alerts = [...text.matchAll(/^\s*- alert: (\w+)/gm)].map(([, name]) => name);
  expect(alerts.filter((name) => !headings.includes(name ?? ''))).toEqual([]);
});

test('each command of the runbook that is ours exists', async () => {
  const uses = [...page.matchAll(/\bserver\/commands\/site\.ts ([^`\n]+)/g)];
  expect(uses.length).toBeGreaterThan(2);
  for (const [, words = ''] of uses) {
    const { err } = await runSite(words.split(' '), { DATA_DIR: makeDataDir() });
    // Commander's words about a command or an option that does not exist.
    expect([words, err]).toEqual([words, expect.not.stringMatching(/^error:/m)]);
  }
});
