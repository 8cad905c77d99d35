import { expect, onTestFinished, test } from 'vitest';
import { COMPLETENESS_START } from '../../../../dashboards/completeness.ts';
import { GROWTH } from '../../../../dashboards/growth.ts';
import { startDashboardUpkeep } from '../../../../server/posthog/dashboard/dashboard-upkeep.ts';
import { outageMark, replayMark } from '../../../../server/posthog/dashboard/marks.ts';
import { openManagement } from '../../../../server/posthog/management/management-api.ts';
import { KEY, PROJECT, startPosthogApi } from '../../../helpers/fakes/posthog-api/posthog-api.ts';
import { missingScope } from '../../../helpers/fakes/posthog-api/refusals.ts';

const START = Date.parse('2026-11-22T14:00:00Z');
const MINUTE_MS = 60_000;

async function startUpkeep({ withDashboard = true } = {}) {
  const posthog = await startPosthogApi();
  onTestFinished(posthog.close);
  if (withDashboard) {
    posthog.store.make('dashboards', { name: 'Renamed', tags: ['site:dashboard:growth'] });
    const tile = { text: { body: GROWTH.text.body }, layouts: {} };
    posthog.store.change('dashboards', 1, { tiles: [{ text: { body: 'Theirs' } }, tile] });
  }
  const time = { now: START };
  const logged: string[] = [];
  const log = {
    warn: (text: string) => logged.push(text),
    info: (text: string) => logged.push(text),
  };
  const figures = { log: 10 };
  const open = () => {
    const upkeep = startDashboardUpkeep({
      api: openManagement({ host: posthog.url, projectId: PROJECT, key: KEY }),
      figures: async () => ({
        log: figures.log,
        posthog: 9,
        source: 'receipts',
        private: 1,
        robots: 0,
        waiting: 0,
        others: [],
        unknown: 0,
        since: null,
      }),
      server: null,
      now: () => time.now,
      log: log as never,
    });
    onTestFinished(upkeep.stop);
    return upkeep;
  };
  const texts = () => posthog.store.tiles.map(({ text }) => text?.body);
  return { posthog, time, logged, figures, open, upkeep: open(), texts };
}

test('the tile gets the figures, every hour, and other text tiles stay', async () => {
  const { upkeep, time, figures, texts } = await startUpkeep();
  await upkeep.run();
  expect(texts()).toEqual(['Theirs', expect.stringContaining('log 10 · PostHog 9 · 1 private')]);
  expect(texts()[1]).toContain('as of 2026-11-22 14:00 UTC');
  time.now += 60 * MINUTE_MS;
  figures.log = 11;
  await upkeep.run();
  expect(texts()[1]).toContain('log 11');
  expect(texts()[1]?.startsWith(COMPLETENESS_START)).toBe(true);
});

test('a restarted server does not write the tile again within the hour', async () => {
  const { upkeep, open, posthog, time } = await startUpkeep();
  await upkeep.run();
  time.now += 20 * MINUTE_MS;
  posthog.requests.length = 0;
  await open().run();
  expect(posthog.writes()).toEqual([]);
});

test('an outage and a replay become one mark each, also if two servers noticed the outage', async () => {
  const { upkeep, open, posthog } = await startUpkeep();
  const end = START + 75 * MINUTE_MS;
  upkeep.mark(outageMark({ from: START, to: end, kind: 'over_quota' }));
  upkeep.mark(replayMark(START, end, 1234));
  await upkeep.run();
  const other = open();
  other.mark(outageMark({ from: START + 3000, to: end + 9000, kind: 'over_quota' }));
  await other.run();
  expect(posthog.store.annotations).toMatchObject([
    {
      content: expect.stringMatching(
        /^PostHog took no events from 2026-11-22 14:00 to 2026-11-22 15:15 UTC, because the project was over its quota\. The server keeps them and delivers them afterwards\. <!-- site:outage:/,
      ),
      date_marker: '2026-11-22T14:00:00.000Z',
      scope: 'project',
    },
    { content: expect.stringContaining('1,234 clicks were sent again from the log.') },
  ]);
  other.mark(outageMark({ from: end + 60 * MINUTE_MS, to: end + 70 * MINUTE_MS, kind: 'away' }));
  await other.run();
  expect(posthog.store.annotations).toHaveLength(3);
});

test('a mark whose answer is lost is made once', async () => {
  const { upkeep, posthog } = await startUpkeep();
  posthog.failures.push({ method: 'POST', path: /annotations/, act: 'lose' });
  upkeep.mark(outageMark({ from: START, to: START + 5 * MINUTE_MS, kind: 'away' }));
  await upkeep.run();
  await upkeep.run();
  expect(posthog.store.annotations).toHaveLength(1);
});

test('a fault is logged when it begins and when it ends; the mark waits, the tile does not', async () => {
  const { upkeep, posthog, logged, texts } = await startUpkeep();
  upkeep.mark(outageMark({ from: START, to: START + 5 * MINUTE_MS, kind: 'away' }));
  const act = missingScope('annotation:read');
  posthog.failures.push(...Array(2).fill({ method: 'GET', path: /annotations/, act }));
  await upkeep.run();
  await upkeep.run();
  expect(logged).toEqual([expect.stringContaining('lacks the scope annotation:read')]);
  expect(texts()[1]).toContain('log 10');
  await upkeep.run();
  expect(logged[1]).toBe('The dashboard at PostHog is kept up to date again');
  expect(posthog.store.annotations).toHaveLength(1);
});

test('without a dashboard the log says which command makes it', async () => {
  const { upkeep, posthog, logged } = await startUpkeep({ withDashboard: false });
  await upkeep.run();
  await upkeep.run();
  expect(logged).toEqual([expect.stringContaining('npm run posthog:provision -- apply')]);
  expect(posthog.writes()).toEqual([]);
});
