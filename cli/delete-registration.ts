/** `registrations delete`: deletes one person's registration. */

import { emailHashOf } from '../server/registrations/encryption.ts';
import { removeMailFiles } from '../server/registrations/retention.ts';
import type { Settings } from '../server/settings.ts';
import { withRegistrations } from './read-registrations.ts';
import { UsageError } from './usage-error.ts';

export async function deleteRegistration(
  config: Settings,
  email: string | undefined,
  print: (text: string) => void,
): Promise<void> {
  if (!email?.includes('@')) throw new UsageError('Name the e-mail address to delete');
  const ids = await withRegistrations(config, (store, ring) =>
    store.remove(ring.map((key) => emailHashOf(key, email))),
  );
  if (ids.length === 0) throw new Error('There is no registration with this address.');
  removeMailFiles(config.files.mail, ids);
  print('The registration is deleted. Backups and exports may still contain it.\n');
}
