/** The files and tables of the version before. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { v7 } from 'uuid';
import { register } from './registrations.ts';
import { startApp } from './server-app.ts';

/** A line as the version before wrote it. */
export const formerLine = (parts: object = {}) =>
  JSON.stringify({
    ...{ level: 30, time: 1, pid: 1, hostname: 'old', id: v7(), visit_id: null },
    ...{ event: 'hero_cta_click', referrer: 'clinic-7', ip: '203.0.113.7' },
    ...{
      timestamp: '2026-01-31T09:30:00.000Z',
      page_url: 'https://site.example/',
      user_agent: 'X',
    },
    ...{ is_mobile: true, sent_at: null, remote_ip: '203.0.113.7' },
    ...{ received_at: '2026-01-31T09:30:01.000Z', via: 'fetch', is_bot: false, skew_ms: null },
    ...{ req_id: 'r1', ...parts },
  });

/** The tables of the version before. PostgreSQL had the second types. */
export const formerTables = (bytes: 'BLOB' | 'BYTEA', time: 'TEXT' | 'TIMESTAMPTZ') =>
  `CREATE TABLE registrations (id ${bytes === 'BLOB' ? 'TEXT' : 'UUID'} PRIMARY KEY,
     created_at ${time} NOT NULL, lookup ${bytes} NOT NULL UNIQUE, key_id TEXT NOT NULL, sealed ${bytes} NOT NULL);
   CREATE TABLE mails (id ${bytes === 'BLOB' ? 'TEXT' : 'UUID'} PRIMARY KEY, attempts INT NOT NULL DEFAULT 0,
     next_at ${time}, owner TEXT, refusal TEXT);`;

/** Three rows with the keys of the data folder: the first mail is sent, the second one waits, the third one is refused. */
export async function formerRows(
  env: Record<string, string>,
  dataDir: string,
  bytesOf: (hex: string) => string,
) {
  const site = await startApp({ env, dataDir });
  await register(site, ...EMAILS);
  const rows = await site.rows('SELECT * FROM registrations ORDER BY id');
  await site.close();
  for (const end of ['', '-wal', '-shm']) rmSync(join(dataDir, `site.db${end}`), { force: true });
  const registrations = rows.map(({ id, registered_at, email_hash, key_id, encrypted }) => {
    const sealed = Buffer.from(String(encrypted), 'base64').toString('hex');
    const createdAt = new Date(Number(registered_at)).toISOString();
    return `('${id}', '${createdAt}', ${bytesOf(`${email_hash}`)}, '${key_id}', ${bytesOf(sealed)})`;
  });
  return `INSERT INTO registrations VALUES ${registrations};
    INSERT INTO mails VALUES ('${rows[1]?.id}', 1, '2026-02-01T00:00:00.000Z', NULL, NULL);
    INSERT INTO mails VALUES ('${rows[2]?.id}', 1, NULL, NULL, '550');`;
}
export const EMAILS = ['ana@example.org', 'bo@example.org', 'cy@example.org'];
