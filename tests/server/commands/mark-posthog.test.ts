/** `site mark` and PostHog: what was sent is named, and what waits is withdrawn. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dayOf, HOUR_MS } from '../../../server/time.ts';
import { VISIT } from '../../helpers/fakes/browser-event.ts';
import { startPosthogSite } from '../../helpers/server/posthog-site.ts';
import { runSite } from '../../helpers/server/run-site.ts';
import { makeDist } from '../../helpers/server/server-dist.ts';

const COUNTS = `SELECT is_bot, SUM(n) AS n FROM click_counts
  GROUP BY is_bot HAVING SUM(n) <> 0`;

test('PostHog: the command names what was sent, withdraws what waits, and sends both after --undo', async () => {
  // An event that PostHog asks for again waits for an hour.
  const delays = { firstMs: HOUR_MS, longestMs: HOUR_MS };
  const site = await startPosthogSite({ jobs: [], senders: { events: { delays } } });
  const env = { DATA_DIR: site.config.dataDir };
  const mark = (...args: string[]) => runSite(['mark', ...args], env);
  // The server notes at its start since when PostHog gets clicks.
  await site.step('known-buttons');
  const sent = await site.click({ visit_id: VISIT });
  await site.sendAll();
  site.capture.play({ verdicts: ['retry:not_persisted'], copies: 0 });
  const waiting = await site.click();
  await site.sendAll();
  // The sender may have read this one a moment before the command.
  const due = await site.click();
  const isPrivate = await site.click({}, { 'sec-gpc': '1' });
  const { out } = await mark('--as', 'robot', '--ref', 'clinic-7', '--yes');
  const named = `deletion:\n  ${sent}\n  ${due}\n`;
  expect(out).toContain(`${named}Marked clicks: 4, of which PostHog has at most 2.`);
  expect(await site.outbox()).toEqual([]);

  // The log has the line that the click had.
  const log = join(site.config.dataDir, `clicks-${dayOf(Date.now())}.jsonl`);
  await runSite(['import', log, '--build', makeDist()], env);
  const marked = 'SELECT id FROM clicks WHERE is_bot ORDER BY id';
  expect((await site.rows(marked)).map(({ id }) => id)).toEqual([sent, waiting, due, isPrivate]);
  expect(await site.rows(COUNTS)).toMatchObject([{ is_bot: true, n: 4 }]);

  const [row] = await site.rows('SELECT id FROM markings');
  const undone = await mark('--undo', String(row?.id));
  expect(undone.out).toContain('sends the clicks to PostHog once more');
  await site.sendAll();
  expect(site.arrived().sort()).toEqual([sent, waiting, due].sort());
});

test('a visitor who wants to be forgotten after a marking is named for PostHog', async () => {
  const site = await startPosthogSite({ jobs: [] });
  const env = { DATA_DIR: site.config.dataDir };
  await site.click({ visit_id: VISIT });
  await site.sendAll();
  await runSite(['mark', '--as', 'internal', '--ref', 'clinic-7', '--yes'], env);
  const given = ['--ip', '203.0.113.7', '--build', makeDist()];
  const { out } = await runSite(['forget', ...given], env);
  expect(out).toContain(`distinct_id:\n  ${VISIT}\n`);
});
