/**
 * The time of an answer must not reveal whether an address is registered, and neither must the time of other answers.
 * An observer calls /healthz during a registration, and compares its times for a known address with those for a new one.
 */
import { expect, test } from 'vitest';
import { reportSkipped } from '../helpers/run/report-skipped.ts';
import { type ServerProcess, startServer } from '../helpers/server/server-process.ts';
import { canSlowDisk, slowDisk } from '../helpers/server/slow-disk.ts';

/** Tries of each kind. Before the fix, an observer was right in 35 of 40 tries. */
const TRIES = 40;
const LOOKS = 20;
/**
 * Four standard deviations. If the times reveal nothing, a known address is faster in half of the tries, with a
 * standard deviation of 0.065 for this number of tries.
 */
const TOLERATED = 0.26;

test('an observer cannot tell a known address from a new one', async () => {
  await expectNoDifference(await startServer({ env: { RATE_LIMIT_REGISTER: '0' } }));
});

test('an observer cannot tell them apart if each sync of the disk takes 10 ms', async (context) => {
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

/** @returns the milliseconds of some requests during a registration */
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

/** Returns the chance that one of `a` is less than one of `b` (Mann-Whitney's U as a share); 0.5 for equal distributions. */
function chanceOfLess(a: number[], b: number[]): number {
  const wins = a.map((x) => b.filter((y) => x < y).length + b.filter((y) => x === y).length / 2);
  return wins.reduce((sum, n) => sum + n, 0) / (a.length * b.length);
}
