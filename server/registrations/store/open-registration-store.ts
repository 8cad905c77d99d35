/** Opens the store of registrations: PostgreSQL where DATABASE_URL names one, else the SQLite file. */
import type { Config } from '../../config.ts';
import type { RegistrationStore } from './registration-store.ts';
import { openSqliteRegistrations } from './sqlite-registrations.ts';

/** The settings that say where registrations are. */
export interface RegistrationPlace extends Pick<Config, 'databaseUrl'> {
  files: Pick<Config['files'], 'registrations'>;
}

/** Loads the PostgreSQL client only where it is needed. */
export async function openRegistrationStore({
  databaseUrl,
  files,
}: RegistrationPlace): Promise<RegistrationStore> {
  if (!databaseUrl) return openSqliteRegistrations(files.registrations);
  const { openPostgresRegistrations } = await import('./postgres-registrations.ts');
  return openPostgresRegistrations(databaseUrl);
}
