import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { runCli } from '../../helpers/server/run-cli.ts';
import { makeDataDir } from '../../helpers/server/server-app.ts';

const NOW = new Date().toISOString();
let clicks = 0;

/** Lines of clicks with a ref. */
function linesOf(referrer: string | null, count: number): string {
  return Array.from({ length: count }, () => {
    clicks += 1;
    const id = `019c1234-5678-7abc-8def-${String(clicks).padStart(12, '0')}`;
    return `${JSON.stringify({
      ...{ level: 30, id, visit_id: null, event: 'hero_cta_click', referrer, timestamp: NOW },
      ...{ page_url: 'https://site.example/', user_agent: 'Mozilla/5.0', is_bot: false },
      received_at: NOW,
    })}\n`;
  }).join('');
}

const CODES = ['clinic-7', 'clinic-9', 'newsletter'].map((code) => ({
  ...{ code, label: `The place of ${code}`, channel: 'clinic', since: '2026-01-31' },
}));

let dataDir = '';
beforeEach(() => {
  dataDir = makeDataDir();
  const refs = [
    linesOf('clinic-7', 30),
    linesOf('clinci-7', 3),
    linesOf('Clinic-9', 2),
    linesOf('facebook', 20),
    linesOf(null, 12),
  ];
  writeFileSync(join(dataDir, 'clicks.jsonl'), refs.join(''));
});

function report(args: string[], table: string | null) {
  const CAMPAIGNS_FILE = join(dataDir, 'campaigns.json');
  if (table !== null) writeFileSync(CAMPAIGNS_FILE, table);
  return runCli('clicks.ts', ['report', ...args], {
    DATA_DIR: dataDir,
    CAMPAIGNS_FILE: table === null ? '' : CAMPAIGNS_FILE,
  });
}

test('the report names clinics, and the nearest code for a ref that is not in the table', async () => {
  const { out, err, code } = await report([], JSON.stringify(CODES));
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/^clinic-7 \(The place of clinic-7\) +30 /m);
  expect(out).toMatch(/^clinci-7 \(not in the table of codes; perhaps clinic-7\) +3 /m);
  expect(out).toMatch(/^Clinic-9 \(not in the table of codes; perhaps clinic-9\) +2 /m);
  expect(out).toMatch(/^facebook \(not in the table of codes\) +20 /m);
  expect(out).toMatch(/^\(no ref\) +12 /m);
  expect(out).toContain(
    'Not in the table of codes, but near one of them: clinci-7 (3; perhaps clinic-7), Clinic-9 (2; perhaps clinic-9). ' +
      'Codes without a click: clinic-9, newsletter.',
  );
});

test('a shared report names no ref and no code with few clicks', async () => {
  const { out } = await report(['--share'], JSON.stringify(CODES));
  expect(out).toContain('The place of clinic-7');
  expect(out).not.toMatch(/clinci-7|clinic-9|newsletter/i);
});
