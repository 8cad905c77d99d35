/** The report of each week, by the real server and a real SMTP server. */
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../../server/database/database.ts';
import { dueWeek } from '../../../server/report/weekly-mail.ts';
import { readSettings } from '../../../server/settings.ts';
import { startSmtpServer } from '../../helpers/fakes/smtp-server.ts';
import { DATABASES } from '../../helpers/server/databases.ts';
import { clickRow, storeRows } from '../../helpers/server/rows.ts';
import { makeDataDir } from '../../helpers/server/server-app.ts';
import { startServer } from '../../helpers/server/server-process.ts';

const HOUR_MS = 60 * 60 * 1000;
const REPORT_MAIL_TO = 'growth@site.example, team@site.example';

test('a week is due on Monday at 6 in the team’s time zone', () => {
  const six = Date.parse('2026-11-09T11:00:00Z');
  const last = { from: '2026-11-02', to: '2026-11-08' };
  expect(dueWeek(six - 1, 'America/New_York')).toEqual({ from: '2026-10-26', to: '2026-11-01' });
  expect(dueWeek(six, 'America/New_York')).toEqual(last);
  expect(dueWeek(six + 7 * 24 * HOUR_MS - 1, 'America/New_York')).toEqual(last);
  expect(dueWeek(six - 5 * HOUR_MS, 'UTC')).toEqual(last);
});

describe.each(DATABASES)('the weekly mail on $name', ({ makeEnv }) => {
  test('comes once to all addresses, after a refusal and a SIGKILL too, with the page', async () => {
    const smtp = await startSmtpServer({ data: (n) => (n === 0 ? 451 : 250) });
    const env = { ...(await makeEnv()), SMTP_URL: smtp.url, REPORT_MAIL_TO };
    const dataDir = makeDataDir();
    const { from, to } = dueWeek(Date.now(), 'UTC');
    const [first, last] = [Date.parse(from), Date.parse(to) + 24 * HOUR_MS - 1];
    const { databaseUrls, files } = readSettings({ ...env, DATA_DIR: dataDir });
    const db = await openDatabase(databaseUrls.map(String), files.database);
    const times = [first - 1, first, last, last + 1];
    const clicks = times.map((at) => clickRow(at, { referrer: 'clinic-7' }));
    await storeRows(db, clicks);
    await db.close();

    const refused = await startServer({ dataDir, env });
    await expect.poll(refused.said).toContain('The weekly report could not be mailed');
    await refused.stop('SIGKILL');
    const server = await startServer({ dataDir, env });
    await expect.poll(server.said).toContain(`Mailed the report from ${from} to ${to}`);
    await server.stop('SIGKILL');
    const again = await startServer({ dataDir, env: { ...env, LOG_LEVEL: 'debug' } });
    await expect.poll(again.said).toContain(`from ${from} to ${to} was mailed before`);
    expect(await again.stop('SIGTERM')).toBe(0);

    expect(smtp.received).toHaveLength(2);
    const [, mail] = smtp.received;
    expect(mail?.envelope.to).toEqual(['growth@site.example', 'team@site.example']);
    expect(mail?.messageId).toBe(smtp.received[0]?.messageId);
    expect(mail?.subject).toContain(`clicks from ${from} to ${to}`);
    expect(mail?.text).toContain('Clicks: 2 (+1 from 1 in the week before)');
    const [page] = mail?.attachments ?? [];
    expect(page).toMatchObject({ filename: `report-${from}.html`, mimeType: 'text/html' });
    expect(new TextDecoder().decode(page?.content as ArrayBuffer)).toContain('<dd class="big">2<');
  });
});
