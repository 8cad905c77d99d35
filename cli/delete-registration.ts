/** `registrations delete`: deletes one person's registration. */
import type { Config } from '../server/config.ts';
import { dataFiles } from '../server/data-files.ts';
import { emailHashOf } from '../server/registrations/encryption.ts';
import { removeMailFiles } from '../server/registrations/retention.ts';
import { dataFolders } from './data-folders.ts';
import { withRegistrations } from './read-registrations.ts';
import { UsageError } from './usage-error.ts';

export async function deleteRegistration(
  config: Config,
  email: string | undefined,
  print: (text: string) => void,
): Promise<void> {
  if (!email?.includes('@')) throw new UsageError('Name the e-mail address to delete');
  const ids = await withRegistrations(config, (store, ring) =>
    store.remove(ring.map((key) => emailHashOf(key, email))),
  );
  if (ids.length === 0) throw new Error('There is no registration with this address.');
  for (const folder of dataFolders(config)) removeMailFiles(dataFiles(folder).mail, ids);
  print('The registration is deleted. Backups and exports may still contain it.\n');
}
