/** Sends registrations to a server, and reads and decrypts those that it has stored. */
import { expect } from 'vitest';
import { openDatabase } from '../../../server/database/database.ts';
import { openRow } from '../../../server/registrations/envelope.ts';
import { findKeys, openRing } from '../../../server/registrations/key-ring.ts';
import { readRows } from '../../../server/registrations/store-registrations.ts';
import type { Settings } from '../../../server/settings.ts';
import type { Site } from './server-app.ts';

export const PERSON = {
  firstName: 'Ana',
  lastName: 'Silva',
  email: 'ana@example.org',
  smaType: 'Type 2',
  agreedToTerms: true,
};

/** Sends POST /api/register. @param parts fields that replace PERSON's; undefined removes one */
export const postPerson = (
  { app }: Site,
  parts: Record<string, unknown> = {},
  headers: Record<string, string> = {},
  url = '/api/register',
) => app.inject({ method: 'POST', url, payload: { ...PERSON, ...parts }, headers });

/** Sends POST /api/register as a browser without script does. */
export const postForm = ({ app }: Site, fields: Record<string, string>, url = '/api/register') =>
  app.inject({
    method: 'POST',
    url,
    payload: String(new URLSearchParams(fields)),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });

/** Registers people, and expects that each is accepted. */
export async function register(site: Site, ...emails: string[]): Promise<void> {
  for (const email of emails) expect((await postPerson(site, { email })).statusCode).toBe(201);
}

/**
 * Reads a server's registrations from its database.
 *
 * @returns each row and its decrypted person, the oldest first. `attempts` is null if the mail was
 * sent
 */
export async function readRegistrations(config: Settings) {
  const db = await openDatabase(config.databaseUrls.map(String), config.files.database);
  try {
    const ring = await openRing(findKeys(config), db);
    const rows = await readRows(db);
    return await Promise.all(rows.map(async (row) => ({ row, person: await openRow(ring, row) })));
  } finally {
    await db.close();
  }
}

export const readPeople = async (config: Settings) =>
  (await readRegistrations(config)).map(({ person }) => person);

/** Returns the state of each registration's mail: `sent`, `waiting`, or why it was refused. */
export const readMails = async (config: Settings) =>
  (await readRegistrations(config)).map(
    ({ row: { attempts, refused } }) => refused ?? (attempts === null ? 'sent' : 'waiting'),
  );
