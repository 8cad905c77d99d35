/** The line of the report that says how complete its figures are. */
import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { expect, test } from 'vitest';
import type { NewClickRow } from '../../../../server/clicks/click.ts';
import { DAY_MS, HOUR_MS } from '../../../../server/time.ts';
import { execute } from '../../../helpers/server/databases.ts';
import { clicksOf, NOW, startSite, textOf } from '../../../helpers/server/report-site.ts';
import { clickRow, visitRow } from '../../../helpers/server/rows.ts';
import { runSite } from '../../../helpers/server/run-site.ts';
import { ADMIN_PASSWORD, withPassword } from '../../../helpers/server/scrape.ts';
import { makeBody, startApp } from '../../../helpers/server/server-app.ts';
import { makeDist } from '../../../helpers/server/server-dist.ts';

test('says how complete the figures are, under a filter too', async () => {
  const visit = (at: number, seqs: number[], parts: Partial<NewClickRow> = {}) => {
    const visit_id = randomUUID();
    return seqs.map((seq) => clickRow(at + seq, { visit_id, seq, ...parts }));
  };
  const old = NOW - 9 * DAY_MS;
  const clicks = [
    // Below the lowest number may be those of the period before.
    ...visit(NOW - HOUR_MS, [1, 2, 5]),
    ...visit(NOW - HOUR_MS, [3, 4]),
    ...visit(old, [1, 3]),
    ...visit(old, [1, 2, 4]),
    ...visit(old, [2, 4]),
    ...visit(old, [1, 3], { referrer: 'clinic-7' }),
    clickRow(old, { referrer: 'clinic-7', visit_id: randomUUID(), seq: 1, dropped: 3 }),
    ...clicksOf(null, 2, { is_private: true, is_scripted: true }),
    ...clicksOf(null, 5, { is_internal: true }),
    ...clicksOf(null, 4, { is_automated: true }),
    ...clicksOf(null, 3, { is_automated: true, is_bot: true }),
  ];
  const site = await startSite(clicks);
  await execute(
    site.config,
    `INSERT INTO posthog_outbox (uuid, queued_at, due_at, attempts) VALUES ('${clicks[0]?.id}', ${NOW - 400_000}, 0, 0)`,
  );
  const text = textOf((await site.ask()).body);
  expect(text).toContain(
    '17 clicks as CSV ; at least 4 proven lost by gaps ; PostHog may lack 15 from before',
  );
  expect(text).toContain(
    '; since then it is behind by 1, oldest 6 min, and never gets 2 private ones',
  );
  expect(text).toContain('2 numbers missing may still come');
  expect(text).toContain('0 visits and 5 clicks by your own team');
  expect(text).toContain('4 clicks and 0 visits in a browser that a program drives');
  expect(text).toContain('Pressed by a script 2 clicks. They count');
  const { body: sql } = await site.ask({ by: 'gaps' }, '/report/sql');
  expect(await site.rows(sql.slice(0, sql.indexOf(';')))).toEqual([
    { lost: 4, pending: 2, dropped: 3 },
  ]);
  const filtered = textOf((await site.ask({ ref: 'clinic-7' })).body);
  expect(filtered).toContain(
    '3 clicks as CSV ; at least 3 proven lost by gaps ; PostHog may lack 3 from before Nov 8, 3:00 pm; since then it has all',
  );
  const other = textOf((await site.ask({ cta: 'lower_cta_click' })).body);
  expect(other).toContain('0 clicks as CSV ; 0 proven lost');
});

test('says how many of people’s views ended at once', async () => {
  const views = [
    { is_brief: true },
    { is_brief: true, is_first: false },
    {},
    {},
    {},
    { is_brief: true, is_automated: true },
  ].map((parts) => visitRow(NOW - HOUR_MS, parts));
  const site = await startSite([], views);
  expect(textOf((await site.ask()).body)).toContain(
    'Brief views 2 of 5 views, 40%, ended within a second, without an input. They count.',
  );
});

test('says which clicks PostHog never gets, and which ones came before it was on', async () => {
  const off = await startApp({ site: { posthogKey: null } });
  await off.insistOnClick(makeBody({ id: randomUUIDv7() }));
  await off.close();
  const on = await startApp({ env: { ADMIN_PASSWORD }, dataDir: off.config.dataDir });
  await expect.poll(() => on.rows('SELECT since FROM posthog_on')).toHaveLength(1);
  await on.postClick(makeBody({ id: randomUUIDv7(), event: 'banner_cta_click' }));
  const ask = async (days: string) => {
    const headers = withPassword(ADMIN_PASSWORD);
    return textOf((await on.app.inject({ url: '/report', query: { days }, headers })).body);
  };
  expect(await ask('7')).toMatch(
    /2 clicks as CSV ; .* PostHog may lack 1 from before \w+ \d+, [\d:]+ [ap]m; since then it has all but 1 of unknown buttons/,
  );
  const resend = ['posthog', 'resend', '--since', '2020-01-01', '--build', makeDist()];
  await runSite(resend, { DATA_DIR: on.config.dataDir });
  expect(await ask('8')).toMatch(
    /PostHog has all but 1, oldest \d+ s, and lacks 1 of unknown buttons (?!,)/,
  );
});
