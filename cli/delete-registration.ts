/** `registrations delete`: somebody wants to be forgotten. */
import type { Config } from '../server/config.ts';
import { emailHashOf } from '../server/registrations/encryption.ts';
import { removeMailFiles } from '../server/registrations/retention.ts';
import { withRegistrations } from './read-registrations.ts';
import { UsageError } from './usage-error.ts';

export async function deleteRegistration(
  config: Config,
  email: string | undefined,
  print: (text: string) => void,
): Promise<void> {
  if (!email?.includes('@')) throw new UsageError('Which e-mail address?');
  const ids = await withRegistrations(config, (store, ring) =>
    store.remove(ring.map((key) => emailHashOf(key, email))),
  );
  if (ids.length === 0) throw new Error('There is no registration with this address.');
  removeMailFiles(config.files.mail, ids);
  print('The registration is removed. Backups and exports may still hold it.\n');
}
