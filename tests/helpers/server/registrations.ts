/** Reads a server's registrations with its keys. */

import { decrypt } from '../../../server/registrations/encryption.ts';
import { openRing } from '../../../server/registrations/open-registrations.ts';
import { openRegistrationStore } from '../../../server/registrations/store/open-registration-store.ts';
import type { Settings } from '../../../server/settings.ts';

/** @returns the registrations, the oldest first, with the state of each mail */
export async function readRegistrations(config: Settings) {
  const store = await openRegistrationStore(config);
  const ring = await openRing(config, store);
  const rows = await store.list(null, 10_000);
  await store.close();
  return rows.map(({ row, mail }) => ({ row, mail, person: decrypt(ring, row) }));
}

export const readPeople = async (config: Settings) =>
  (await readRegistrations(config)).map(({ person }) => person);
