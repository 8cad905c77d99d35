/**
 * Registrations, in a file of their own: the clicks' index may be thrown away at any time, people's entries may not.
 * Unlike the index they have no ledger behind them, so every one is on the disk before it is answered.
 */
import { randomUUIDv7 } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

import type { Registration } from '#contract/register.schema.ts';
import { migrate } from './migrate.ts';

export interface Registrations {
  /** Keeps one entry per e-mail address, the first. @throws the store's error; nothing was kept then */
  add(registration: Registration, at: Date): void;
  close(): void;
}

export function openRegistrations(path: string): Registrations {
  const db = new DatabaseSync(path, { timeout: 5000 });
  chmodSync(path, 0o600);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  migrate(db, 'registrations');
  const insert = db.prepare(
    `INSERT INTO registrations (id, registered_at, first_name, last_name, email, email_key, sma_type)
     VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (email_key) DO NOTHING`,
  );
  return {
    add({ firstName, lastName, email, smaType }, at) {
      const key = email.normalize('NFKC').toLowerCase();
      insert.run(
        randomUUIDv7(),
        at.toISOString(),
        firstName,
        lastName,
        email,
        key,
        smaType || null,
      );
    },
    close: () => db.close(),
  };
}
