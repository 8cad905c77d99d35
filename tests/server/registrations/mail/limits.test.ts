/** Delays and limits of the mails after registrations, by a clock of the test. */
import { randomUUIDv7 } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Mail, MailFault } from '../../../../server/mail/smtp.ts';
import { type KeyRing, makeRow } from '../../../../server/registrations/encryption.ts';
import { storeRegistration } from '../../../../server/registrations/store-registrations.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../server/time.ts';
import { DATABASES, execute } from '../../../helpers/server/databases.ts';
import { startApp } from '../../../helpers/server/server-app.ts';

const START = Date.parse('2026-03-01T10:30:00Z');
/** The limit of the product. */
const PER_HOUR = 500;

/** A server whose clock the test plays, with an SMTP server that fails as the test says. */
async function start({
  env = {},
  perHour,
}: {
  env?: Record<string, string>;
  perHour?: number;
} = {}) {
  const clock = { now: START };
  const sent: string[] = [];
  let fault: MailFault['kind'] | null = null;
  const send = async (_from: string, { to }: Mail) => {
    if (fault) throw Object.assign(new Error('451'), { kind: fault });
    sent.push(...to);
  };
  const { config, data, step, rows, logged } = await startApp({
    env: { ...env, SMTP_URL: 'smtp://localhost' },
    jobs: [],
    now: () => clock.now,
    senders: { mails: { send, delays: undefined, perHour } },
  });
  return {
    clock,
    sent,
    failWith: (kind: typeof fault) => {
      fault = kind;
    },
    async register(...emails: string[]) {
      for (const email of emails)
        await data.db.transaction(storeRegistration, rowOf(data.ring, clock.now, email), []);
    },
    /** Stores so many registrations of different families at once. */
    async registerMany(count: number) {
      const list = Array.from({ length: count }, (_, n) =>
        Object.values(rowOf(data.ring, clock.now, `family${n}@example.org`)),
      );
      const values = list.map((row) => `(${row.map((value) => `'${value}'`)}, ${clock.now})`);
      await execute(config, `INSERT INTO registrations VALUES ${values}`);
      const due = `SELECT id, ${clock.now}, 0 FROM registrations`;
      await execute(config, `INSERT INTO mail_outbox (id, due_at, attempts) ${due}`);
    },
    sendNext: () => step('mails'),
    async sendAllDue() {
      while (await step('mails'));
    },
    outbox: () => rows('SELECT attempts, due_at, refused FROM mail_outbox'),
    said: () => logged().map(({ msg, reason }) => [msg, reason]),
  };
}

function rowOf(ring: KeyRing, at: number, email: string) {
  return makeRow(ring, randomUUIDv7(), at, {
    firstName: 'Ana',
    lastName: 'Lee',
    email,
    smaType: null,
  });
}

test('a server sends 500 mails an hour, and the rest in the next one', async () => {
  const { clock, sent, registerMany, sendAllDue } = await start();
  await registerMany(PER_HOUR + 3);
  await sendAllDue();
  expect(sent).toHaveLength(PER_HOUR);
  clock.now += HOUR_MS - 1;
  await sendAllDue();
  expect(sent, 'within the hour').toHaveLength(PER_HOUR);
  clock.now += 1;
  await sendAllDue();
  expect(sent, 'in the next hour').toHaveLength(PER_HOUR + 3);
});

test('mails that were not sent do not count for the hour', async () => {
  const { clock, sent, failWith, registerMany, sendAllDue } = await start({ perHour: 5 });
  await registerMany(5);
  failWith('delayed');
  await sendAllDue();
  failWith(null);
  clock.now += MINUTE_MS;
  await sendAllDue();
  expect(sent).toHaveLength(5);
});

test.each(DATABASES)('on $name strangers cannot flood a mailbox: three mails a day', async (on) => {
  const { clock, sent, register, sendAllDue } = await start({ env: await on.makeEnv() });
  const spellings = [
    'victim',
    'vic.tim',
    'v.i.c.t.i.m',
    'Victim+4',
    'victim+1',
    'v.ictim+3',
    'v.ic.tim',
  ];
  await register(...spellings.map((name) => `${name}@example.org`), 'family@example.org');
  const MIDNIGHT = Date.parse('2026-03-02T00:00:00Z');
  for (const [at, total] of [
    [START, 4],
    [MIDNIGHT - 1, 4],
    [MIDNIGHT, 7],
    [MIDNIGHT + DAY_MS - 1, 7],
    [MIDNIGHT + DAY_MS, 8],
  ] as const) {
    clock.now = at;
    await sendAllDue();
    expect(sent, new Date(at).toISOString()).toHaveLength(total);
  }
  expect(sent.slice(0, 4)).toContain('family@example.org');
});

/** Delays after the attempts of one mail: 30 s, doubling, and 4 hours from the tenth on. */
const delayAfter = (attempts: number) =>
  attempts < 10 ? [30, 60, 120, 240, 480, 960, 1920, 3840, 7680, 14_400][attempts] : 14_400;

test('a mail that is put off is tried again after 30 s, doubling to 4 h, and expires after five days', async () => {
  const { clock, failWith, register, sendNext, outbox, said } = await start();
  await register('late@example.org');
  failWith('delayed');
  for (let attempts = 0; attempts < 38; attempts += 1) {
    const due_at = clock.now + Number(delayAfter(attempts)) * SECOND_MS;
    expect(await sendNext()).toBe(true);
    expect(await outbox()).toEqual([{ attempts: attempts + 1, due_at, refused: null }]);
    clock.now = due_at - 1;
    expect(await sendNext(), 'a millisecond before').toBe(false);
    clock.now = due_at;
  }
  await sendNext();
  expect(await outbox()).toMatchObject([{ refused: 'expired' }]);
  expect(Math.round((clock.now - START) / DAY_MS)).toBe(5);
  expect(said()).toEqual([
    ['A mail is put off', '451'],
    ['A mail was refused, and is not tried again', 'expired'],
  ]);
});

test('a new mail goes before one that was put off', async () => {
  const { clock, sent, failWith, register, sendNext, sendAllDue } = await start();
  await register('late@example.org');
  failWith('delayed');
  await sendNext();
  failWith(null);
  clock.now += MINUTE_MS;
  await register('fresh@example.org');
  await sendAllDue();
  expect(sent).toEqual(['fresh@example.org', 'late@example.org']);
});

test('waiting for an SMTP server makes no mail expire, and puts the tried one behind the others', async () => {
  const { clock, sent, failWith, register, sendNext, sendAllDue, outbox } = await start();
  await register('first@example.org');
  clock.now += 1;
  await register('second@example.org');
  failWith('away');
  clock.now += 1;
  await expect(sendNext()).rejects.toThrow('451');
  expect(await outbox()).toMatchObject([{ attempts: 0 }, { attempts: 0 }]);
  failWith(null);
  await sendAllDue();
  expect(sent).toEqual(['second@example.org', 'first@example.org']);
});
