/** `registrations list`: masked entries. An operator can recognise a known person, but cannot identify an unknown one. */

import { type KeptMail, keptMail } from '../server/registrations/mail/kept-mails.ts';
import type { MailState } from '../server/registrations/store/registration-store.ts';
import type { Settings } from '../server/settings.ts';
import { printable } from '../server/text/printable.ts';
import { eachRegistration, withRegistrations } from './read-registrations.ts';

export async function listRegistrations(
  config: Settings,
  print: (text: string) => void,
): Promise<void> {
  await withRegistrations(config, async (store, ring) => {
    let [count, kept] = [0, 0];
    for await (const { row, mail, person } of eachRegistration(store, ring)) {
      const { firstName, lastName, email } = person;
      const file = keptMail([config.files.mail], row.id);
      if (file === 'file') kept += 1;
      const name = `${initial(firstName)} ${initial(lastName)}`;
      const cells = [row.createdAt.toISOString(), name, maskEmail(email), describe(mail, file)];
      print(`${printable(cells.join('  '))}\n`);
      count += 1;
    }
    print(`${count} registrations\n`);
    if (kept > 0) print(describeKept(kept, config));
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

const describeKept = (kept: number, { smtpUrl }: Settings) =>
  `${kept} mails are files and were not sent. ${smtpUrl ? '' : 'Set SMTP_URL, then run '}"send-files"${smtpUrl ? ' sends them' : ''}.\n`;

function describe(mail: MailState, file: KeptMail): string {
  if (file === 'file') return 'mail written to a file, not sent';
  if (file === 'unclear') return 'mail perhaps sent: its file ends in .sending';
  if (mail.state === 'sent') return 'mail sent';
  if (mail.state === 'refused') return `mail refused (${mail.reason})`;
  return `mail waits (attempts: ${mail.attempts})`;
}
