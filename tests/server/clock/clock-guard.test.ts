/** While the clock has jumped ahead, the server deletes nothing by age, and nothing expires. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { writeClockFile } from '../../../server/clock/clock-file.ts';
import { createClockGuard } from '../../../server/clock/clock-guard.ts';
import { openSqliteRegistrations } from '../../../server/registrations/store/sqlite-registrations.ts';
import { startSmtpServer } from '../../helpers/fakes/smtp-server.ts';
import { FAST, makeOutbox } from '../../helpers/server/mail-outbox.ts';
import { readPeople } from '../../helpers/server/registrations.ts';
import { makeDataDir, startApp } from '../../helpers/server/server-app.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

type Site = Awaited<ReturnType<typeof startApp>>;

async function register(site: Site, name: string) {
  const payload = { firstName: 'Ana', lastName: 'Silva', email: `${name}@example.org` };
  const answer = await site.app.inject({
    method: 'POST',
    url: '/api/register',
    payload: { ...payload, agreedToTerms: true },
  });
  expect(answer.statusCode).toBe(201);
}
const names = async (site: Site) =>
  (await readPeople(site.config)).map(({ email }) => email.split('@')[0]);
const errors = (site: Site) =>
  site.logged().flatMap(({ level, msg }) => (Number(level) >= 50 ? [String(msg)] : []));

describe('a running server', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test('keeps registrations while its clock is a year ahead, reports it once, and continues when it is right', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
    let aheadMs = 0;
    const clock = { now: () => Date.now() + aheadMs, monotonic: () => Date.now() };
    const env = { REGISTRATION_RETENTION_DAYS: '30' };
    const site = await startApp({ env, clock });
    await register(site, 'ana');
    aheadMs = 365 * DAY_MS;
    // The retention runs every day, the guard every ten minutes.
    vi.advanceTimersByTime(2 * DAY_MS);
    await expect.poll(() => errors(site)).toHaveLength(1);
    expect(errors(site)[0]).toMatch(
      /^The clock says .*Z, 365 days more than expected: nothing is deleted .* into clock\.json in DATA_DIR, as \{"newest":".*Z"\}$/,
    );
    expect(await names(site)).toEqual(['ana']);
    expect(errors(site)).toHaveLength(1);

    aheadMs = 0;
    vi.advanceTimersByTime(DAY_MS);
    await expect
      .poll(() => site.logged().map(({ msg }) => msg))
      .toContain('The clock is trusted again');
    expect(await names(site)).toEqual(['ana']);
    vi.advanceTimersByTime(28 * DAY_MS);
    await expect.poll(() => names(site)).toEqual([]);
  });
});

/** Makes the data of an earlier server: one registration, and a clock that was last trusted some days ago. */
async function makePast({ registeredDays, trustedDays }: Record<string, number>) {
  const site = await startApp();
  await register(site, 'old');
  await site.close();
  const { files, dataDir } = site.config;
  const ago = (days = 0) => Date.now() - days * DAY_MS;
  const db = new DatabaseSync(files.registrations);
  const then = new Date(ago(registeredDays)).toISOString();
  db.prepare('UPDATE registrations SET created_at = ?').run(then);
  db.close();
  if (trustedDays === undefined) rmSync(files.clock);
  else writeClockFile(files.clock, ago(trustedDays));
  rmSync(files.ledger);
  return { dataDir, env: { REGISTRATION_RETENTION_DAYS: '30' } };
}

describe('a server that starts', () => {
  test('deletes by age when its clock was trusted some days ago', async () => {
    const site = await startApp(await makePast({ registeredDays: 31, trustedDays: 6 }));
    await expect.poll(() => names(site)).toEqual([]);
    expect(errors(site)).toEqual([]);
  });

  test.each([
    ['was last trusted long ago', { registeredDays: 31, trustedDays: 20 }],
    ['is far ahead of everything that was recorded', { registeredDays: 31 }],
  ])(
    'keeps registrations when its clock %s, until an operator writes the time into clock.json',
    async (_how, past) => {
      const { dataDir, env } = await makePast(past);
      const site = await startApp({ dataDir, env });
      await expect.poll(() => errors(site)).toHaveLength(1);
      expect(await names(site)).toEqual(['old']);
      // The same after another start, because waiting does not correct a wrong clock.
      await site.close();
      const second = await startApp({ dataDir, env });
      await expect.poll(() => errors(second)).toHaveLength(1);
      expect(await names(second)).toEqual(['old']);

      const now = new Date().toISOString();
      writeFileSync(second.config.files.clock, `{"newest":"${now}"}\n`);
      // The running server reads the file.
      expect(await second.data.clock.now()).not.toBeNull();
      await second.close();
      const third = await startApp({ dataDir, env });
      await expect.poll(() => names(third)).toEqual([]);
    },
  );
});

test('a mail that cannot be sent expires at its time, but not while the clock is ahead', async () => {
  const smtp = await startSmtpServer({ data: () => 451 });
  const path = join(makeDataDir(), 'registrations.sqlite');
  const { add, send, states } = makeOutbox(() => openSqliteRegistrations(path));
  await add('a');
  const times = { wall: 0, monotonic: 0 };
  const log = { error: vi.fn(), info: vi.fn() };
  const clock = { now: () => Date.now() + times.wall, monotonic: () => times.monotonic };
  const guard = createClockGuard({
    clock,
    reference: { wallMs: clock.now(), monotonicMs: 0, toleranceMs: HOUR_MS },
    log,
    readMark: () => null,
    onTrusted() {},
  });
  times.wall = 30 * DAY_MS;
  send(smtp.url, 'me', { ...FAST, expiresMs: 5 * DAY_MS }, guard.now);
  await expect.poll(async () => JSON.stringify(await states())).toMatch(/"attempts":[3-9]/);
  expect(await states()).toMatchObject([{ state: 'waiting' }]);
  expect(log.error).toHaveBeenCalledTimes(1);

  times.monotonic = 30 * DAY_MS;
  await expect.poll(states).toEqual([{ state: 'refused', reason: 'expired' }]);
});
