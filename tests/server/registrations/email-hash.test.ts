/** The keyed hash that finds a registration by its e-mail address. */
import { createHash, createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { readRegistrations } from '../../helpers/server/registrations.ts';
import { startApp } from '../../helpers/server/server-app.ts';

const EMAIL = 'ana@example.org';
const keyOf = (byte: number) => `k:${Buffer.alloc(32, byte).toString('base64')}`;

/** Registers addresses with a new server. @returns the stored hashes */
async function storedLookups(keys: string | null, ...emails: string[]): Promise<string[]> {
  const site = await startApp({ env: keys === null ? {} : { REGISTRATION_KEYS: keys } });
  for (const email of emails) {
    const payload = { firstName: 'Ana', lastName: 'Silva', email, agreedToTerms: true };
    const answer = await site.app.inject({ method: 'POST', url: '/api/register', payload });
    expect(answer.statusCode).toBe(201);
  }
  return (await readRegistrations(site.config)).map(({ row }) => row.emailHash.toString('hex'));
}

test('an address has a different hash under another key, so that it cannot be guessed without the key', async () => {
  const [own, otherOwn] = await Promise.all([
    storedLookups(null, EMAIL),
    storedLookups(null, EMAIL),
  ]);
  const [one, sameKey, two] = await Promise.all([
    storedLookups(keyOf(1), EMAIL),
    storedLookups(keyOf(1), EMAIL),
    storedLookups(keyOf(2), EMAIL),
  ]);
  const all = [own, otherOwn, one, two].flat();
  expect(new Set(all).size).toBe(4);
  // The same key finds the address, so the hash is not just random.
  expect(sameKey).toEqual(one);
  const keyless = [
    createHash('sha256').update(EMAIL).digest('hex'),
    ...['', 'k', 'registrations/lookup/1', Buffer.alloc(32)].map((key) =>
      createHmac('sha256', key).update(EMAIL).digest('hex'),
    ),
  ];
  for (const hash of all) expect(keyless).not.toContain(hash);
});

test('two addresses have two hashes, two spellings of one address have one', async () => {
  const lookups = await storedLookups(keyOf(1), EMAIL, 'ben@example.org', ' ANA@Example.org ');
  expect(new Set(lookups).size).toBe(2);
  expect(lookups).toHaveLength(2);
});
