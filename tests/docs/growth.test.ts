/** The SQL of docs/growth.md gives the answers that a growth team would see. */
import { randomUUIDv7 } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DATABASES, execute } from '../helpers/server/databases.ts';
import { clickRow, storeRows, visitRow } from '../helpers/server/rows.ts';
import { type Site, startApp } from '../helpers/server/server-app.ts';

const QUESTIONS = [
  ...readFileSync('docs/growth.md', 'utf8').matchAll(/^(.+\?)\n\n```sql\n([^`]+)```/gm),
];
/** In the order of the questions. A row has its values, and " | " is between rows. */
const ANSWERS = [
  'clinic-7 5 | news 1',
  'clinic-7 55 40 7.5 | null 32 32 0',
  '10 1 | 21 4 | 22 2',
  'social 39 | search 32 | null 29',
  'Newsletter 2026-10-01 0 | Fair 2026-11-20 6 | Later 2026-12-01 0',
  '2',
  'Googlebot 3 | Bytespider 1',
  '2 60',
  '14.3',
  'null 2 1000 | event_too_big 1 2000',
];
const HOUR_MS = 60 * 60 * 1000;

async function fill(site: Site): Promise<void> {
  const october = Date.parse('2026-10-10T10:00Z');
  const now = Date.parse('2026-11-20T21:30Z');
  const late = { clicked_at: now, sent_at: now + HOUR_MS };
  const fromClinic = { referrer: 'clinic-7', referring_class: 'social' as const };
  const newVisit = () => ({ ...fromClinic, visit_id: randomUUIDv7() });
  const [visit, ofTeam] = [newVisit(), newVisit()];
  const robot = { ...newVisit(), ...late, is_bot: true, user_agent: 'Googlebot' };
  const clicks = [
    clickRow(october, { referrer: 'old' }),
    // Of this visit, the numbers 2 and 3 are missing. A restored tab gives a number twice.
    clickRow(now, { ...visit, seq: 1 }),
    ...[4, 4].map((seq) => clickRow(now + HOUR_MS, { ...visit, ...late, seq })),
    clickRow(now, { referrer: 'clinic-7', via: 'ping' }),
    clickRow(now, { referrer: 'clinic-7', is_private: true, visit_id: randomUUIDv7() }),
    clickRow(now, { referrer: 'news' }),
    ...[1, 2, 4].map((seq) => clickRow(now, { ...robot, seq })),
    clickRow(Date.parse('2026-10-05T10:00Z'), { ...robot, user_agent: 'Bytespider' }),
    ...[5, 9].map((seq) => clickRow(now, { ...ofTeam, ...late, seq, is_internal: true })),
  ];
  const visits = [
    ...Array(40).fill({ referrer: 'clinic-7', referring_class: 'social' }),
    // Further pages of these visits.
    ...Array(15).fill({ referrer: 'clinic-7', referring_class: 'own', is_first: false }),
    ...Array(32).fill({ referring_class: 'search' }),
    ...Array(29).fill({ referrer: 'news' }),
    ...Array(90).fill({ referrer: 'news', is_bot: true }),
    ...Array(50).fill({ referrer: 'news', is_internal: true }),
  ];
  const rows = visits.map((parts) => visitRow(now, parts));
  await storeRows(site.data.db, clicks, rows);
  const event = (queuedAt: number, refused: string) =>
    `('${randomUUIDv7()}', NULL, ${queuedAt}, 0, 0, ${refused})`;
  await execute(
    site.config,
    `INSERT INTO report_notes VALUES
      ('1', '2026-10-01', 'Newsletter'), ('2', '2026-11-20', 'Fair'), ('3', '2026-12-01', 'Later');
    INSERT INTO posthog_outbox (uuid, event, queued_at, due_at, attempts, refused) VALUES
      ${event(1000, 'NULL')}, ${event(3000, 'NULL')}, ${event(2000, "'event_too_big'")}`,
  );
}

test.each(DATABASES)('docs/growth.md asks ten questions on $name', async ({ makeEnv }) => {
  const site = await startApp({ env: await makeEnv() });
  await fill(site);
  expect(QUESTIONS).toHaveLength(ANSWERS.length);
  for (const [i, [, question, sql = '']] of QUESTIONS.entries()) {
    const rows = await site.rows(sql);
    const answer = rows.map((row) => Object.values(row).map(String).join(' ')).join(' | ');
    expect([question, answer]).toEqual([question, ANSWERS[i]]);
  }
});
