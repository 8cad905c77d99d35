import { expect, onTestFinished, test } from 'vitest';
import { KEY, PROJECT, startPosthogApi } from '../helpers/fakes/posthog-api/posthog-api.ts';
import { missingScope } from '../helpers/fakes/posthog-api/refusals.ts';
import { testCapture } from '../helpers/fakes/posthog-capture/test-capture.ts';
import { line, makeLedger } from '../helpers/server/ledger-lines.ts';
import { runCli } from '../helpers/server/run-cli.ts';

const FIRST = '2026-11-20T09:30:00.000Z';
const LAST = '2026-11-21T18:00:00.000Z';

async function startReplay() {
  const events = await testCapture();
  const charts = await startPosthogApi();
  onTestFinished(charts.close);
  const { dataDir } = makeLedger(line(1, { timestamp: LAST }), line(2, { timestamp: FIRST }));
  const replay = (...args: string[]) =>
    runCli('clicks.ts', ['replay', '--key', 'phc_x', ...args], {
      DATA_DIR: dataDir,
      POSTHOG_HOST: events.url,
      POSTHOG_APP_HOST: charts.url,
      POSTHOG_PROJECT_ID: String(PROJECT),
      POSTHOG_PERSONAL_KEY: KEY,
    });
  return { charts, replay };
}

test('a replay leaves one mark on the charts, at its first click', async () => {
  const { charts, replay } = await startReplay();
  expect((await replay()).code).toBe(0);
  const { code, err } = await replay();
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(charts.store.annotations).toMatchObject([
    {
      content: `2 clicks were sent again from the log. <!-- site:replay:${FIRST}/${LAST} -->`,
      date_marker: FIRST,
    },
  ]);
});

test('a replay that only rehearses leaves no mark', async () => {
  const { charts, replay } = await startReplay();
  await replay('--dry-run');
  expect(charts.requests).toEqual([]);
});

test('a replay without its mark is still a success, with a warning', async () => {
  const { charts, replay } = await startReplay();
  charts.failures.push({
    method: 'POST',
    path: /annotations/,
    act: missingScope('annotation:write'),
  });
  const { code, out, err } = await replay();
  expect(code).toBe(0);
  expect(out).toMatch(/ok +2/);
  expect(err).toContain('no mark of this replay. The key in POSTHOG_PERSONAL_KEY lacks the scope');
});
