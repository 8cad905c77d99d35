/** Opens the database of registrations and its keys for one command. */
import { existsSync } from 'node:fs';
import { decrypt, type Person } from '../server/registrations/encryption.ts';
import type { KeyRing } from '../server/registrations/key-ring.ts';
import { openRing } from '../server/registrations/open-registrations.ts';
import { openRegistrationStore } from '../server/registrations/store/open-registration-store.ts';
import type {
  MailState,
  RegistrationRow,
  RegistrationStore,
} from '../server/registrations/store/registration-store.ts';
import type { Settings } from '../server/settings.ts';

const PAGE = 500;

/** @throws an Error with the path or database, when there are no registrations */
export async function withRegistrations<T>(
  config: Settings,
  work: (store: RegistrationStore, ring: KeyRing) => Promise<T>,
): Promise<T> {
  const { databaseUrl, files } = config;
  if (!databaseUrl && !existsSync(files.registrations)) {
    throw new Error(`There are no registrations at ${files.registrations}.`);
  }
  const store = await openRegistrationStore(config);
  try {
    return await work(store, await openRing(config, store));
  } finally {
    await store.close();
  }
}

/** Yields every registration, decrypted, the oldest first. */
export async function* eachRegistration(
  store: RegistrationStore,
  ring: KeyRing,
): AsyncGenerator<{ row: RegistrationRow; mail: MailState; person: Person }> {
  let after: string | null = null;
  for (;;) {
    const page = await store.list(after, PAGE);
    for (const entry of page) yield { ...entry, person: decrypt(ring, entry.row) };
    const last = page.at(-1);
    if (!last) return;
    after = last.row.id;
  }
}
