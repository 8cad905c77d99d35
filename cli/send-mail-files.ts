/**
 * `registrations send-files`: sends the mails that a server without SMTP_URL has stored as files, each at most once. Before it
 * sends a mail it renames the file, and it deletes the file afterwards. If the answer of the SMTP server is lost, the mail is not
 * sent again.
 */
import { readFileSync, renameSync, rmSync } from 'node:fs';
import { readBuiltSite } from '../server/built-site.ts';
import { keptIds, UNCLEAR, unclearFiles } from '../server/registrations/mail/kept-mails.ts';
import {
  mailFile,
  openFileSender,
  type SendResult,
} from '../server/registrations/mail/transport.ts';
import type { Settings } from '../server/settings.ts';
import { eachRegistration, withRegistrations } from './read-registrations.ts';
import { UsageError } from './usage-error.ts';

interface WaitingFile {
  file: string;
  to: string;
}

/** @throws UsageError, or an Error if a mail was not sent */
export async function sendMailFiles(
  config: Settings,
  { dryRun }: { dryRun: boolean },
  print: (text: string) => void,
): Promise<void> {
  const folder = config.files.mail;
  const waiting = await findFiles(config, folder);
  if (dryRun) return print(`${waiting.length} mails would be sent.\n`);
  if (!config.smtpUrl) throw new UsageError('Set SMTP_URL, as the server has it');
  const from = config.mailFrom ?? readBuiltSite('dist').mail.contactEmail;
  const send = openFileSender(config.smtpUrl, from);
  let sent = 0;
  const faults: string[] = [];
  for (const { file, to } of waiting) {
    const result = await sendOnce(file, to, send);
    if (result === 'sent') sent += 1;
    else faults.push(`${file}: ${result.reason}`);
    // The fault is not this mail's.
    if (result !== 'sent' && ['away', 'unclear'].includes(result.kind)) break;
  }
  print(`${sent} of ${waiting.length} mails were sent.\n`);
  const unclear = unclearFiles(folder);
  if (unclear.length > 0)
    print(
      `It is not known whether these were sent. To send one all the same, remove "${UNCLEAR}" from its name: ${unclear.join(', ')}\n`,
    );
  if (faults.length > 0) throw new Error(faults.join('\n'));
}

/** Leaves out mails that are not of a registration. */
async function findFiles(config: Settings, folder: string): Promise<WaitingFile[]> {
  const files = new Map(keptIds(folder).map((id) => [id, mailFile(folder, id)] as const));
  if (files.size === 0) return [];
  return withRegistrations(config, async (store, ring) => {
    const waiting: WaitingFile[] = [];
    for await (const { row, person } of eachRegistration(store, ring)) {
      const file = files.get(row.id);
      if (file !== undefined) waiting.push({ file, to: person.email });
    }
    return waiting;
  });
}

/** The new name keeps other runs of this command from the file. */
async function sendOnce(
  file: string,
  to: string,
  send: (message: Buffer, to: string) => Promise<SendResult>,
): Promise<SendResult> {
  const claimed = file + UNCLEAR;
  try {
    renameSync(file, claimed);
  } catch (cause) {
    const { code } = cause as { code?: string };
    return { kind: 'delayed', reason: `it is being sent by another command, or is gone (${code})` };
  }
  const result = await send(readFileSync(claimed), to);
  if (result === 'sent') rmSync(claimed);
  else if (result.kind !== 'unclear') renameSync(claimed, file);
  return result;
}
