/** Ledgers with made-up clicks, for the commands that read them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDataDir } from './server-app.ts';

export const TODAY = new Date().toISOString();

/** The line of the n-th click of one visit. `parts` replaces fields. */
export function line(n: number, parts: Record<string, unknown> = {}): string {
  return JSON.stringify({
    level: 30,
    id: `019c1234-5678-7abc-8def-${String(n).padStart(12, '0')}`,
    visit_id: '019c1234-5678-7abc-8def-aaaaaaaaaaaa',
    event: 'hero_cta_click',
    referrer: 'clinic-7',
    timestamp: TODAY,
    page_url: 'https://site.example/?ref=clinic-7&secret=1',
    user_agent: 'Mozilla/5.0',
    is_bot: false,
    received_at: TODAY,
    sent_at: TODAY,
    ...parts,
  });
}

/** Writes a ledger into a data folder, which is removed at the end of the test. */
export function makeLedger(...lines: string[]): { dataDir: string; ledger: string } {
  const dataDir = makeDataDir();
  const ledger = join(dataDir, 'clicks.jsonl');
  writeFileSync(ledger, lines.map((text) => `${text}\n`).join(''));
  return { dataDir, ledger };
}
