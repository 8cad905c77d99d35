/** `registrations list`: masked entries. An operator can recognise a known person, but cannot identify an unknown one. */
import type { Config } from '../server/config.ts';
import type { MailState } from '../server/registrations/store/registration-store.ts';
import { eachRegistration, withRegistrations } from './read-registrations.ts';

export async function listRegistrations(
  config: Config,
  print: (text: string) => void,
): Promise<void> {
  await withRegistrations(config, async (store, ring) => {
    let count = 0;
    for await (const { row, mail, person } of eachRegistration(store, ring)) {
      const { firstName, lastName, email } = person;
      const name = `${initial(firstName)} ${initial(lastName)}`;
      const cells = [row.createdAt.toISOString(), name, maskEmail(email), describe(mail)];
      print(`${cells.join('  ')}\n`);
      count += 1;
    }
    print(`${count} registrations\n`);
  });
}

/** The first visible letter. A visitor typed the text, so control characters are left out. */
function initial(text: string): string {
  const [letter = ''] = text.replace(/[\p{C}\p{Z}]/gu, '');
  return `${letter}.`;
}

/** ana@example.org -> a***@e***.org */
function maskEmail(email: string): string {
  const [local = '', domain = ''] = email.split('@');
  return `${local.slice(0, 1)}***@${domain.slice(0, 1)}***${domain.slice(domain.lastIndexOf('.'))}`;
}

function describe(mail: MailState): string {
  if (mail.state === 'sent') return 'mail sent';
  if (mail.state === 'refused') return `mail refused (${mail.reason})`;
  return `mail waits (attempts: ${mail.attempts})`;
}
