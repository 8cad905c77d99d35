/** Registers people as a page does, and reads a server's registrations with its keys. */
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

/** Sends POST /api/register. @param parts replace fields of PERSON; undefined removes one */
export const postPerson = (
  { app }: Site,
  parts: Record<string, unknown> = {},
  headers: Record<string, string> = {},
  url = '/api/register',
) => app.inject({ method: 'POST', url, payload: { ...PERSON, ...parts }, headers });

/** Sends POST /api/register as a form without script does. */
export const postForm = ({ app }: Site, fields: Record<string, string>, url = '/api/register') =>
  app.inject({
    method: 'POST',
    url,
    payload: String(new URLSearchParams(fields)),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });

/** Registers one person after the other. */
export async function register(site: Site, ...emails: string[]): Promise<void> {
  for (const email of emails) expect((await postPerson(site, { email })).statusCode).toBe(201);
}

/**
 * @returns the registrations, the oldest first, each with the state of its mail: `attempts` is null
 * if it was sent
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

/** @returns what became of each mail: `sent`, `waiting`, or why it was refused */
export const readMails = async (config: Settings) =>
  (await readRegistrations(config)).map(
    ({ row: { attempts, refused } }) => refused ?? (attempts === null ? 'sent' : 'waiting'),
  );
