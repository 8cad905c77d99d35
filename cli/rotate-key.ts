/**
 * `registrations rotate-key`: encrypts and hashes every row with the current key alone. All rows change in one transaction.
 * After an interruption at any moment every row can still be decrypted, and the command can run again.
 */
import { existsSync } from 'node:fs';
import { lockFolder } from '../server/lock-folder.ts';
import { decrypt } from '../server/registrations/encryption.ts';
import { addKeyToFile, type KeyRing, keepCurrentKey } from '../server/registrations/key-ring.ts';
import { makeRow } from '../server/registrations/registrations.ts';
import type { RegistrationStore } from '../server/registrations/store/registration-store.ts';
import type { Settings } from '../server/settings.ts';
import { withRegistrations } from './read-registrations.ts';

export async function rotateKey(config: Settings, print: (text: string) => void): Promise<void> {
  const { databaseUrl, files, registrationKeys } = config;
  // A server of this folder knows only the keys from its start. Servers that share a database have both keys already.
  const unlock = databaseUrl ? () => {} : lockServer(config);
  try {
    await withRegistrations(config, async (store, given) => {
      const isOwn = registrationKeys === null;
      const ring = isOwn ? addKeyToFile(files.registrationKeys) : given;
      const count = await encryptAll(store, ring);
      // Only now, because no row is encrypted with the old keys any more.
      if (isOwn) keepCurrentKey(files.registrationKeys);
      print(
        `${count} registrations were encrypted again; all are encrypted with the key "${ring[0].id}".\n`,
      );
      if (!isOwn && ring.length > 1) print('You need the other keys only for backups.\n');
    });
  } finally {
    unlock();
  }
}

function lockServer({ files, dataDir }: Settings): () => void {
  if (!existsSync(files.registrations)) return () => {};
  try {
    return lockFolder(files.lock);
  } catch (cause) {
    throw new Error(
      `A server runs on ${dataDir}. Stop it first, and start it again after the rotation.`,
      {
        cause,
      },
    );
  }
}

function encryptAll(store: RegistrationStore, ring: KeyRing): Promise<number> {
  const [current] = ring;
  return store.convertAll((row) =>
    row.keyId === current.id ? null : makeRow(ring, row.id, row.createdAt, decrypt(ring, row)),
  );
}
