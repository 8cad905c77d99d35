/** The runbook has a heading for each alert and each symptom, and its commands exist. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runSite } from '../helpers/server/run-site.ts';
import { makeDataDir } from '../helpers/server/server-app.ts';

const page = readFileSync('docs/operations.md', 'utf8');
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);

test('each alert of deploy/prometheus has a heading', () => {
  const rules = 'deploy/prometheus/site.rules.yml';
  const text = existsSync(rules) ? readFileSync(rules, 'utf8') : '';
  const alerts = [...text.matchAll(/^\s*- alert: (\w+)/gm)].map(([, name]) => name);
  expect(alerts.filter((name) => !headings.includes(name ?? ''))).toEqual([]);
});

test('the one command in the rules file gives every alert the operator’s own address of the runbook', () => {
  const rules = 'deploy/prometheus/site.rules.yml';
  const text = readFileSync(rules, 'utf8');
  const [, script = ''] = /sed -i '([^']+)' site\.rules\.yml/.exec(text) ?? [];
  const own = script.replace('YOUR.HOST/PROJECT', 'git.own.example/site');
  const changed = execFileSync('sed', [own, rules], { encoding: 'utf8' });
  const addresses = [...changed.matchAll(/runbook_url: (.+)$/gm)].map(([, url = '']) => url);
  expect(addresses.length).toBeGreaterThan(5);
  const anchors = headings.map((heading) => heading.toLowerCase());
  for (const address of addresses) {
    const [page, anchor = ''] = address.split('#');
    expect(page).toBe('https://git.own.example/site/blob/main/docs/operations.md');
    expect(anchors).toContain(anchor);
  }
});

test('each row of README’s troubleshooting table has a heading', () => {
  const [, table = ''] = readFileSync('README.md', 'utf8').split('## Troubleshooting');
  const messages = [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, text = '']) => text);
  expect(messages.length).toBeGreaterThan(5);
  const missing = messages.filter(
    (text) => !headings.some((heading) => heading.includes(text.replace(/: …$/, ''))),
  );
  expect(missing).toEqual([]);
});

test('each command of the runbook that is ours exists', async () => {
  const scriptsUsed = [...page.matchAll(/\bnpm run (?:-s )?([\w:-]+)/g)].map(
    ([, name = '']) => name,
  );
  expect(scriptsUsed.filter((name) => !(name in scripts))).toEqual([]);
  const uses = [...page.matchAll(/\bserver\/commands\/site\.ts ([^`\n]+)/g)];
  expect(uses.length).toBeGreaterThan(2);
  for (const [, words = ''] of uses) {
    const { err } = await runSite(words.split(' '), { DATA_DIR: makeDataDir() });
    // Commander's words about a command or an option that does not exist.
    expect([words, err]).toEqual([words, expect.not.stringMatching(/^error:/m)]);
  }
});
