import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { readConfig } from '../../../server/config.ts';
import { startMailer } from '../../../server/registrations/mail/send-mails.ts';
import { openSmtp } from '../../../server/registrations/mail/transport.ts';
import { dueWeek } from '../../../server/report/mail/due-week.ts';
import { openWeeklyMail } from '../../../server/report/mail/open-weekly-mail.ts';
import type { ReportMailRow } from '../../../server/report/mail/report-mail-store.ts';
import { openSqliteReportMails } from '../../../server/report/mail/sqlite-report-mails.ts';
import { writeWeekReport } from '../../../server/report/mail/week-report.ts';
import { startSmtpServer } from '../../helpers/fakes/smtp-server.ts';
import { freePort } from '../../helpers/server/local-server.ts';
import { FAST, SENDER } from '../../helpers/server/mail-outbox.ts';
import { makeDataDir } from '../../helpers/server/server-app.ts';
import { startServer } from '../../helpers/server/server-process.ts';

const MONDAY = Date.UTC(2026, 1, 2);
const HOUR_MS = 3_600_000;

/** A ledger with two clicks in the week 2026-W05, one before it, and one that arrived on Monday at 07:00. */
function makeLedger(): string {
  const dataDir = makeDataDir();
  const times = [
    '2026-01-25T23:59:59.999Z',
    '2026-01-26T00:00:00.000Z',
    '2026-02-01T23:59:59.999Z',
    '2026-02-02T07:00:00.000Z',
  ];
  const lines = times.map((at, i) =>
    JSON.stringify({
      ...{ id: `019c1234-5678-7abc-8def-00000000000${i}`, visit_id: null, event: 'hero_cta_click' },
      ...{
        referrer: `clinic-${i}`,
        timestamp: at,
        page_url: 'https://site.example/',
        user_agent: 'x',
      },
      ...{ received_at: at, is_bot: false },
    }),
  );
  writeFileSync(join(dataDir, 'clicks.jsonl'), lines.map((text) => `${text}\n`).join(''));
  return dataDir;
}

async function openServer(dataDir: string, smtpUrl: string, now = MONDAY + 7 * HOUR_MS) {
  const CAMPAIGNS_FILE = join(dataDir, 'campaigns.json');
  const code = { code: 'clinic-1', label: 'The first clinic', channel: 'clinic' };
  writeFileSync(CAMPAIGNS_FILE, JSON.stringify([{ ...code, since: '2026-01-01' }]));
  const config = readConfig({
    CAMPAIGNS_FILE,
    ...{ DATA_DIR: dataDir, SMTP_URL: smtpUrl, MAIL_FROM: SENDER },
    REPORT_MAIL_TO: 'growth@site.example, team@site.example',
  });
  const log = { error: vi.fn(), warn: vi.fn(), info: vi.fn() };
  const clock = { now: async () => now, reference: () => null };
  const mail = await openWeeklyMail(config, 'x@site.example', log as never, clock);
  let open = true;
  const close = async () => {
    if (open) await mail?.close();
    open = false;
  };
  onTestFinished(close);
  return { close, log };
}

function readWaiting(dataDir: string) {
  const db = new DatabaseSync(join(dataDir, 'registrations.sqlite'), { readOnly: true });
  try {
    return db.prepare('SELECT attempts FROM report_mails WHERE next_at IS NOT NULL').all();
  } finally {
    db.close();
  }
}

describe('the weekly report', () => {
  test('is due on Monday at 06:00 UTC, for the week before', () => {
    expect(dueWeek(MONDAY + 6 * HOUR_MS - 1)).toBe('2026-W04');
    expect(dueWeek(MONDAY + 6 * HOUR_MS)).toBe('2026-W05');
    expect(dueWeek(MONDAY + 150 * HOUR_MS)).toBe('2026-W05');
    expect(dueWeek(Date.UTC(2027, 0, 4, 6))).toBe('2026-W53');
  });

  test('goes once to all addresses, as text with the HTML file attached, also after a restart', async () => {
    const smtp = await startSmtpServer();
    const dataDir = makeLedger();
    const first = await openServer(dataDir, smtp.url);
    await expect.poll(() => smtp.received.length, { timeout: 30_000 }).toBe(1);
    const [mail] = smtp.received;
    expect(mail).toMatchObject({
      subject: 'Clicks in week 2026-W05',
      envelope: { from: SENDER, to: ['growth@site.example', 'team@site.example'] },
    });
    expect(mail?.text).toMatch(/^Clicks +2$/m);
    expect(mail?.text).toContain('clinic-1 (The first clinic)');
    expect(mail?.text).not.toContain('clinic-3');
    expect(mail?.html).toBeUndefined();
    const [file] = mail?.attachments ?? [];
    expect(file).toMatchObject({ filename: 'clicks-2026-W05.html', mimeType: 'text/html' });
    expect(new TextDecoder().decode(file?.content as ArrayBuffer)).toContain('<h1>Clicks</h1>');
    await first.close();

    // The next week's mail proves that the restarted server has looked.
    await openServer(dataDir, smtp.url);
    const next = await openServer(dataDir, smtp.url, MONDAY + 175 * HOUR_MS);
    await expect.poll(() => smtp.received.length, { timeout: 30_000 }).toBe(2);
    expect(smtp.received.map(({ subject }) => subject)).toEqual([
      'Clicks in week 2026-W05',
      'Clicks in week 2026-W06',
    ]);
    expect(next.log.error).not.toHaveBeenCalled();
  });

  test('comes once from a server that was killed while the SMTP server was down', async () => {
    const port = await freePort();
    const env = { SMTP_URL: `smtp://127.0.0.1:${port}`, REPORT_MAIL_TO: 'growth@site.example' };
    const first = await startServer({ env });
    await expect
      .poll(() => readWaiting(first.dataDir), { timeout: 30_000 })
      .toMatchObject([{ attempts: 1 }]);
    await first.stop('SIGKILL');
    const smtp = await startSmtpServer({ port });
    await startServer({ dataDir: first.dataDir, env });
    await expect.poll(() => readWaiting(first.dataDir), { timeout: 30_000 }).toEqual([]);
    expect(smtp.received.map(({ envelope }) => envelope.to)).toEqual([['growth@site.example']]);
  });

  test('is the same mail in every attempt', async () => {
    const smtp = await startSmtpServer({ data: (n) => (n < 2 ? 451 : 250) });
    const dataDir = makeLedger();
    const store = openSqliteReportMails(join(dataDir, 'registrations.sqlite'));
    await store.plan({
      id: '019c1234-5678-7abc-8def-0000000000aa',
      week: '2026-W05',
      createdAt: new Date(),
    });
    const options = {
      dataDir,
      folders: [],
      campaignsFile: null,
      to: ['growth@site.example'],
      isPartial: false,
      warn: () => {},
    };
    const mailer = startMailer<ReportMailRow>({
      ...{ store, transport: openSmtp(new URL(smtp.url), SENDER), owner: 'me' },
      ...{ write: (row) => writeWeekReport(row, options), trustedNow: Date.now, pace: FAST },
      log: { error: vi.fn(), warn: vi.fn(), info: vi.fn() },
    });
    await expect.poll(() => smtp.received.length, { timeout: 30_000 }).toBe(3);
    await expect.poll(() => store.hasWaitingMails()).toBe(false);
    await mailer.stop(1000);
    await store.close();
    const parts = smtp.received.map(({ messageId, text, attachments, date }) =>
      JSON.stringify([
        messageId,
        text,
        date,
        attachments.map(({ content }) => new TextDecoder().decode(content as ArrayBuffer)),
      ]),
    );
    expect(new Set(parts).size).toBe(1);
  });

  test('says so if it has only the clicks of one of several servers', async () => {
    const row = { id: 'x', week: '2026-W05', createdAt: new Date() };
    const options = {
      dataDir: makeLedger(),
      folders: [],
      campaignsFile: null,
      to: [],
      isPartial: true,
      warn: () => {},
    };
    const { text } = await writeWeekReport(row, options);
    expect(text).toContain('Only the clicks of one server are in this report.');
  });
});
