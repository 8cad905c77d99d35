/**
 * `registrations rotate-key`: everything encrypted and findable with the current key alone. All rows change in one
 * transaction; cut off at any moment, every row can still be opened, and the command can be given again.
 */
import { existsSync } from 'node:fs';
import { lockLedger } from '../server/clicks/ledger/lock-ledger.ts';
import type { Config } from '../server/config.ts';
import { decrypt } from '../server/registrations/encryption.ts';
import { addKeyToFile, type KeyRing, keepCurrentKey } from '../server/registrations/key-ring.ts';
import { makeRow } from '../server/registrations/registrations.ts';
import type { RegistrationStore } from '../server/registrations/store/registration-store.ts';
import { withRegistrations } from './read-registrations.ts';

export async function rotateKey(config: Config, print: (text: string) => void): Promise<void> {
  const { databaseUrl, files, registrations } = config;
  // A server of this folder knows the keys it started with. Servers that share a database were given both keys before.
  const unlock = databaseUrl ? () => {} : lockServer(config);
  try {
    await withRegistrations(config, async (store, given) => {
      const isOwn = !registrations.keys && !registrations.keysFile;
      const ring = isOwn ? addKeyToFile(files.registrationKeys) : given;
      const count = await encryptAll(store, ring);
      // The old ones go when nothing is encrypted with them any more.
      if (isOwn) keepCurrentKey(files.registrationKeys);
      print(
        `${count} registrations were encrypted again; all are encrypted with the key "${ring[0].id}".\n`,
      );
      if (!isOwn && ring.length > 1) print('The keys after it are needed for backups alone.\n');
    });
  } finally {
    unlock();
  }
}

function lockServer({ files, dataDir }: Config): () => void {
  if (!existsSync(files.registrations)) return () => {};
  try {
    return lockLedger(files.lock, files.ledger);
  } catch (cause) {
    throw new Error(`A server runs on ${dataDir}. Stop it first, and start it again afterwards.`, {
      cause,
    });
  }
}

function encryptAll(store: RegistrationStore, ring: KeyRing): Promise<number> {
  const [current] = ring;
  return store.convertAll((row) =>
    row.keyId === current.id ? null : makeRow(ring, row.id, row.createdAt, decrypt(ring, row)),
  );
}
