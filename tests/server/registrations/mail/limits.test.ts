/** Delays and limits of the mails after registrations, by a clock of the test. */
import { randomUUIDv7 } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Mail, MailFault } from '../../../../server/mail/smtp.ts';
import { createBlocks } from '../../../../server/registrations/blocks.ts';
import { makeRow } from '../../../../server/registrations/envelope.ts';
import type { KeyRing } from '../../../../server/registrations/key-ring.ts';
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
  const send = async (_from: unknown, { to }: Mail) => {
    if (fault) throw Object.assign(new Error('451'), { kind: fault });
    sent.push(...to);
  };
  const { config, data, step, rows, logged } = await startApp({
    env: { ...env, SMTP_URL: 'smtp://localhost' },
    jobs: [],
    now: () => clock.now,
    senders: { mails: { send, delays: undefined, perHour } },
  });
  const blocks = createBlocks({ limit: config.rateLimit.clicks, now: () => clock.now });
  /** Stores one registration, as POST /api/register does. */
  const registerFrom = async (ip: string, email: string): Promise<void> => {
    const origin = blocks.originOf(ip);
    const row = await rowOf(data.ring, clock.now, email);
    if (await data.db.transaction(storeRegistration, row, [], origin)) blocks.count(origin);
  };
  return {
    clock,
    sent,
    registerFrom,
    failWith: (kind: typeof fault) => {
      fault = kind;
    },
    async register(...emails: string[]) {
      for (const email of emails) await registerFrom('192.0.2.1', email);
    },
    /** Stores so many registrations of different families at once. */
    async registerMany(count: number) {
      const list = await Promise.all(
        Array.from({ length: count }, (_, n) =>
          rowOf(data.ring, clock.now, `family${n}@example.org`),
        ),
      );
      const columns = `${Object.keys(list[0] ?? {})}, mail_due_at`;
      const values = list.map(
        (row) => `(${Object.values(row).map((value) => `'${value}'`)}, ${clock.now})`,
      );
      await execute(config, `INSERT INTO registrations (${columns}) VALUES ${values}`);
      const due = `SELECT id, ${clock.now}, 0 FROM registrations`;
      await execute(config, `INSERT INTO mail_outbox (id, due_at, attempts) ${due}`);
    },
    sendNext: () => step('mails'),
    async sendAllDue() {
      while (await step('mails'));
    },
    outbox: () => rows('SELECT attempts, due_at, refused FROM mail_outbox'),
    blocks: async () =>
      (await rows('SELECT block FROM mail_outbox ORDER BY id')).map(({ block }) => String(block)),
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

test('a mail goes to the name that its domain has in DNS', async () => {
  const { sent, register, sendAllDue } = await start();
  await register('Ana@Bücher。Example');
  await sendAllDue();
  expect(sent).toEqual(['Ana@xn--bcher-kva.example']);
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

test.each(DATABASES)(
  'on $name the mails of address blocks take turns, so that a family does not wait behind a flood',
  async (on) => {
    const { clock, sent, registerFrom, sendNext } = await start({ env: await on.makeEnv() });
    const flood = Array.from({ length: 20 }, (_, n) => `m${n}@catchall.example`);
    // One block, from several of its addresses.
    for (const [n, email] of flood.entries()) await registerFrom(`198.51.100.${n}`, email);
    clock.now += SECOND_MS;
    for (const [ip, email] of [
      ['192.0.2.1', 'ana@example.org'],
      ['192.0.2.2', 'bo@example.org'],
      ['2001:db8:1::1', 'cleo@example.org'],
    ] as const)
      await registerFrom(ip, email);
    for (let n = 0; n < 5; n += 1) await sendNext();
    expect(sent).toEqual([
      'm0@catchall.example',
      'ana@example.org',
      'cleo@example.org',
      'm1@catchall.example',
      'bo@example.org',
    ]);
  },
);

test('an address block gets a sixth of RATE_LIMIT in mails a day; further ones wait for the next days', async () => {
  const { clock, sent, registerFrom, sendAllDue } = await start({ env: { RATE_LIMIT: '60' } });
  for (let n = 0; n < 25; n += 1) await registerFrom('198.51.100.7', `m${n}@catchall.example`);
  // A known address counts only once.
  for (let n = 0; n < 12; n += 1) await registerFrom('192.0.2.1', 'ana@example.org');
  await registerFrom('192.0.2.1', 'bo@example.org');
  await sendAllDue();
  expect(sent).toHaveLength(12);
  expect(sent).toEqual(expect.arrayContaining(['ana@example.org', 'bo@example.org']));
  clock.now = Date.parse('2026-03-02T00:00:00Z');
  await registerFrom('198.51.100.7', 'late@catchall.example');
  await registerFrom('192.0.2.1', 'cleo@example.org');
  await sendAllDue();
  expect(sent).toHaveLength(23);
  expect(sent).toContain('cleo@example.org');
  clock.now += DAY_MS;
  await sendAllDue();
  expect(sent).toHaveLength(29);
  expect(sent.at(-1)).toBe('late@catchall.example');
});

test('a mail that the SMTP server never takes goes behind one more mail with each attempt', async () => {
  const { clock, sent, failWith, registerFrom, sendNext, sendAllDue } = await start();
  await registerFrom('192.0.2.1', 'wrong@example.org');
  for (const name of ['m0', 'm1', 'm2'])
    await registerFrom('198.51.100.7', `${name}@catchall.example`);
  failWith('away');
  for (const _ of [1, 2]) {
    clock.now += SECOND_MS;
    await expect(sendNext()).rejects.toThrow('451');
  }
  failWith(null);
  await sendAllDue();
  const names = sent.map((address) => address.split('@')[0]);
  expect(names).toEqual(['m1', 'wrong', 'm0', 'm2']);
});

test('the queue of mails has nothing by which an address can be found', async () => {
  const { registerFrom, blocks } = await start();
  await registerFrom('192.0.2.1', 'ana@example.org');
  await registerFrom('192.0.2.99', 'bo@example.org');
  await registerFrom('198.51.100.7', 'cleo@example.org');
  const [first, second, third] = await blocks();
  expect(first).toMatch(/^[\w-]{43}$/);
  expect(second).toBe(first);
  expect(third).not.toBe(first);
  // Another process has another key.
  expect(createBlocks({ limit: 600 }).originOf('192.0.2.1').block).not.toBe(first);
});
