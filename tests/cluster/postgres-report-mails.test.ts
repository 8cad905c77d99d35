/** The weekly report of several servers that share PostgreSQL. */
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { startMailer } from '../../server/registrations/mail/send-mails.ts';
import { openSmtp } from '../../server/registrations/mail/transport.ts';
import { openPostgresReportMails } from '../../server/report/mail/postgres-report-mails.ts';
import { type Postgres, startPostgres } from '../helpers/cluster/postgres.ts';
import { startSmtpServer } from '../helpers/fakes/smtp-server.ts';
import { FAST, SENDER } from '../helpers/server/mail-outbox.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.remove());

test('three servers that plan the same week send one mail, also when one has died with its claim', async () => {
  const url = new URL(await postgres.createDatabase());
  const smtp = await startSmtpServer();
  const open = () => {
    const store = openPostgresReportMails(url);
    onTestFinished(() => store.close());
    return store;
  };
  const stores = [open(), open(), open()];
  const idOf = (week: number, server: number) =>
    `019c1234-5678-7abc-8def-0000000000${week}${server}`;
  const planAll = (week: number) =>
    Promise.all(
      stores.map((store, i) =>
        store.plan({ id: idOf(week, i), week: `2026-W0${week}`, createdAt: new Date() }),
      ),
    );
  await planAll(5);
  // This server died while it sent.
  const now = new Date();
  expect(await stores[0]?.claimMail('dead', now, new Date(now.getTime() + 200))).not.toBeNull();
  for (const [i, store] of stores.entries()) {
    const mailer = startMailer({
      ...{
        store,
        transport: openSmtp(new URL(smtp.url), SENDER),
        owner: `server ${i}`,
        pace: FAST,
      },
      write: ({ id, week, createdAt }) => ({
        id,
        to: 'a@b.example',
        date: createdAt,
        subject: week,
        text: '',
      }),
      trustedNow: Date.now,
      log: { error: vi.fn(), warn: vi.fn(), info: vi.fn() },
    });
    onTestFinished(() => mailer.stop(1000));
  }
  await expect.poll(() => smtp.received.length, { timeout: 30_000 }).toBe(1);
  // Each server plans the week again after its restart, and then the next one.
  await planAll(5);
  await planAll(6);
  await expect.poll(() => smtp.received.length, { timeout: 30_000 }).toBe(2);
  expect(smtp.received.map(({ subject }) => subject)).toEqual(['2026-W05', '2026-W06']);
  await expect.poll(() => stores[1]?.hasWaitingMails()).toBe(false);
});
