/**
 * Whether an address is registered must not show: neither in the time of the answer nor in how the server answers
 * others meanwhile. An observer who asks for /healthz during a registration compares what it takes for an address that
 * is known with what it takes for a new one.
 */
import { expect, test } from 'vitest';
import { reportSkipped } from '../helpers/run/report-skipped.ts';
import { type ServerProcess, startServer } from '../helpers/server/server-process.ts';
import { canSlowDisk, slowDisk } from '../helpers/server/slow-disk.ts';

/** Of each kind. The observer of the finding was right in 35 of 40 tries. */
const TRIES = 40;
const LOOKS = 20;
/**
 * For an observer who learns nothing, the chance that a known address took less than a new one is one half, with a
 * standard deviation of 0.065 for this number of tries: four of them are 0.26.
 */
const TOLERATED = 0.26;

test('an observer cannot tell a known address from a new one', async () => {
  await expectNoDifference(await startServer({ env: { RATE_LIMIT_REGISTER: '0' } }));
});

test('nor with a disk whose every sync takes 10 ms', async (context) => {
  if (!canSlowDisk()) {
    reportSkipped('registrations on a slow disk', 'strace is missing or may not trace');
    return context.skip();
  }
  const env = { RATE_LIMIT_REGISTER: '0' };
  await expectNoDifference(await startServer({ env, through: slowDisk(10) }));
});

async function expectNoDifference(server: ServerProcess): Promise<void> {
  await observe(server, 'warm-up@example.org');
  const known: number[] = [];
  const fresh: number[] = [];
  for (let n = 0; n < TRIES; n += 1) {
    fresh.push(await observe(server, `person-${n}@example.org`));
    known.push(await observe(server, `person-${n}@example.org`));
  }
  expect(Math.abs(chanceOfLess(known, fresh) - 0.5)).toBeLessThan(TOLERATED);
}

/** @returns milliseconds that some requests take while a registration is under way */
async function observe({ url }: ServerProcess, email: string): Promise<number> {
  const registration = fetch(`${url}/api/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ firstName: 'Ana', lastName: 'Silva', email, agreedToTerms: true }),
  });
  const took = await look(url);
  const answer = await registration;
  expect(answer.status).toBe(201);
  await answer.text();
  return took;
}

async function look(url: string): Promise<number> {
  const began = performance.now();
  for (let n = 0; n < LOOKS; n += 1) await (await fetch(`${url}/healthz`)).text();
  return performance.now() - began;
}

/** The chance that one of `a` is less than one of `b` (Mann-Whitney's U as a share); one half for equal distributions. */
function chanceOfLess(a: number[], b: number[]): number {
  const wins = a.map((x) => b.filter((y) => x < y).length + b.filter((y) => x === y).length / 2);
  return wins.reduce((sum, n) => sum + n, 0) / (a.length * b.length);
}
