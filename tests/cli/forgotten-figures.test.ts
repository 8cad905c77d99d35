/** What the figures say after a visitor was forgotten (docs/decisions/025-forgetting-a-visitor.md). */
import { expect, test } from 'vitest';
import { postClick } from '../helpers/server/post-click.ts';
import { runCli } from '../helpers/server/run-cli.ts';
import { makeBody, startApp } from '../helpers/server/server-app.ts';

const VISIT = '019c1234-5678-7abc-8def-00000000cafe';

/** A server with one click, after it has forgotten a visit. */
async function forgetVisit(clicks: number) {
  const site = await startApp();
  const { dataDir } = site.config;
  for (let n = 0; n < clicks; n += 1) await postClick(site, makeBody({ visit_id: VISIT }));
  await postClick(site, makeBody());
  const run = (...args: string[]) => runCli('clicks.ts', args, { DATA_DIR: dataDir });
  const { out } = await run('forget', '--visit', VISIT);
  expect(out).toContain(`Forgot ${clicks} clicks`);
  return { site, run, day: new Date().toISOString().slice(0, 10) };
}

test('the statistics keep a forgotten click, the report does not, and says how many', async () => {
  const { site, run, day } = await forgetVisit(5);
  expect((await site.app.inject('/api/stats')).json().clicks.total).toBe(6);
  const sentence =
    `5 clicks of ${day} were forgotten on request (clicks forget), so they are not in this report. ` +
    'The number on the page still has them.';
  const { out } = await run('report');
  expect(out).toMatch(/^Clicks +1$/m);
  expect(out).toContain(sentence);
  expect((await run('report', '--format', 'html')).out).toContain(sentence);
  const earlier = await run('report', '--since', '2026-01-01', '--until', '2026-01-31');
  expect(earlier.out).not.toContain('forgotten');
});

test.each([
  [5, 'Fewer than 11 clicks'],
  [12, '12 clicks'],
])('a shared report gives no small number: %i clicks', async (clicks, words) => {
  const { run } = await forgetVisit(clicks);
  const { out } = await run('report', '--share');
  expect(out).toContain(`${words} of `);
  expect(out).not.toContain('5 clicks of');
});
