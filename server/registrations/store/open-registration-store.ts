/** Opens the database of registrations: PostgreSQL with DATABASE_URL, otherwise the SQLite file. */
import type { Settings } from '../../settings.ts';
import type { RegistrationStore } from './registration-store.ts';
import { openSqliteRegistrations } from './sqlite-registrations.ts';

/** The settings for the place of the registrations. */
export interface RegistrationPlace extends Pick<Settings, 'databaseUrl'> {
  files: Pick<Settings['files'], 'registrations'>;
}

/** Loads the PostgreSQL client only if it is needed. */
export async function openRegistrationStore({
  databaseUrl,
  files,
}: RegistrationPlace): Promise<RegistrationStore> {
  if (!databaseUrl) return openSqliteRegistrations(files.registrations);
  const { openPostgresRegistrations } = await import('./postgres-registrations.ts');
  return openPostgresRegistrations(databaseUrl);
}
