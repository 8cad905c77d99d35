import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSqliteReceipts } from '../../../server/posthog/receipts/sqlite-receipts.ts';
import type { Receipt, Verdict } from '../../../server/posthog/receipts.ts';
import { runCli } from '../../helpers/server/run-cli.ts';
import { makeDataDir } from '../../helpers/server/server-app.ts';

const NOW = Date.now();
const AT = new Date(NOW).toISOString();
const idOf = (n: number) => {
  const time = NOW.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7abc-8def-${String(n).padStart(12, '0')}`;
};

const line = (n: number, more = {}) =>
  JSON.stringify({
    ...{ id: idOf(n), visit_id: null, event: 'hero_cta_click', referrer: null, timestamp: AT },
    ...{ page_url: 'https://site.example/', user_agent: 'Mozilla/5.0 (X11)', is_bot: false },
    ...{ received_at: AT, ...more },
  });

const receipt = (
  n: number,
  verdict: Verdict,
  channel: Receipt['channel'],
  detail: string | null = null,
): Receipt => ({
  ...{
    uuid: idOf(n),
    event: 'cta_click',
    channel,
    protocol: 'v1',
    verdict,
    detail,
    attempts: 1,
    at: AT,
  },
});

test('the report says from the receipts what PostHog has', async () => {
  const dataDir = makeDataDir();
  const lines = Array.from({ length: 20 }, (_, i) => line(i, i === 19 ? { private: true } : {}));
  writeFileSync(join(dataDir, 'clicks.jsonl'), lines.map((text) => `${text}\n`).join(''));
  const env = { DATA_DIR: dataDir };
  const before = await runCli('clicks.ts', ['report'], env);
  expect(before.out).toContain('How many of the clicks PostHog has is not known.');

  const store = openSqliteReceipts(join(dataDir, 'posthog.sqlite'));
  // Clicks 0 to 9 came from browsers too. The log never got clicks 30 to 32.
  await store.record([
    ...Array.from({ length: 10 }, (_, i) => receipt(i, 'ok', 'browser')),
    ...[30, 31, 32].map((n) => receipt(n, 'ok', 'browser')),
    ...[10, 11, 12].map((n) => receipt(n, 'accepted', 'ledger')),
    receipt(13, 'drop', 'ledger', 'billing_limit_exceeded'),
    receipt(14, 'retry', 'ledger'),
  ]);
  await store.markInLedger(Array.from({ length: 15 }, (_, i) => idOf(i)));
  await store.close();
  const { out } = await runCli('clicks.ts', ['report'], env);
  const rows = out.split('\n').map((text) => text.replace(/ {2,}/g, '  '));
  for (const row of [
    'In the log  20',
    'Never sent, because the visitor asks for privacy  1',
    'Confirmed by PostHog  10',
    'Accepted by PostHog without a verdict  3',
    'Dropped by PostHog: billing_limit_exceeded  1',
    'To be sent again  1',
    'Without a receipt  4',
  ]) {
    expect(rows).toContain(row);
  }
  const asOf = await runCli(
    'clicks.ts',
    ['report', '--as-of', new Date(NOW + 1000).toISOString()],
    env,
  );
  expect(asOf.out).not.toContain('In the log');
  expect(asOf.out).toContain('How many of the clicks PostHog has is not known.');
});
