/** The commands of the runbook exist. tests/deploy/prometheus.test.ts has its headings for the alerts. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runSite } from '../helpers/server/run-site.ts';
import { makeDataDir } from '../helpers/server/server-app.ts';

const page = readFileSync('docs/operations.md', 'utf8');

test('each command of the runbook that is ours exists', async () => {
  const uses = [...page.matchAll(/\bserver\/commands\/site\.ts ([^`\n]+)/g)];
  expect(uses.length).toBeGreaterThan(2);
  for (const [, words = ''] of uses) {
    const { err } = await runSite(words.split(' '), { DATA_DIR: makeDataDir() });
    // Commander's words about a command or an option that does not exist.
    expect([words, err]).toEqual([words, expect.not.stringMatching(/^error:/m)]);
  }
});
