/** Transports for mails: an SMTP server, or a folder with .eml files if no server is set. */
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { SendMailOptions } from 'nodemailer';

export interface Mail {
  /** Id of its row. The same message is sent in every attempt. */
  id: string;
  /** One address or several. */
  to: string | readonly string[];
  date: Date;
  subject: string;
  text: string;
  html?: string;
  attachments?: { filename: string; content: string; contentType: string }[];
}

export interface MailTransport {
  /** @throws (rejects with) a MailError */
  deliver(mail: Mail): Promise<void>;
}

/**
 * `refused`: the SMTP server will never accept this mail. `delayed`: later. `away`: it accepts no mail now. The reason is an SMTP
 * status or the library's code, with advice. It never has the server's text, which may quote the address.
 */
export class MailError extends Error {
  readonly kind: 'refused' | 'delayed' | 'away';
  readonly reason: string;

  constructor(kind: MailError['kind'], reason: string) {
    super(`${kind}: ${reason}`);
    this.kind = kind;
    this.reason = reason;
  }
}

/** Time limit for each step of the dialogue. All steps together are shorter than a claim. */
const STEP_TIMEOUT_MS = 30_000;
const LOCAL = ['localhost', '127.0.0.1', '[::1]'];

/** @param from the sender's address */
export function openSmtp(url: URL, from: string): MailTransport {
  const options = smtpOptions(url);
  return {
    async deliver(mail) {
      const { createTransport } = await import('nodemailer');
      await createTransport(options)
        .sendMail(composed(mail, from))
        .catch((cause) => {
          throw classify(cause);
        });
    },
  };
}

export type SendResult = 'sent' | { kind: MailError['kind'] | 'unclear'; reason: string };

/** For messages that were composed before. `unclear`: the answer is lost, so the SMTP server may have accepted the mail. */
export function openFileSender(url: URL, from: string) {
  const options = smtpOptions(url);
  return async (message: Buffer, to: string): Promise<SendResult> => {
    const { createTransport } = await import('nodemailer');
    try {
      await createTransport(options).sendMail({ raw: message, envelope: { from, to: [to] } });
      return 'sent';
    } catch (cause) {
      const { kind, reason } = classify(cause);
      return { kind: wasNotAccepted(cause) ? kind : 'unclear', reason };
    }
  };
}

/** Has the SMTP server refused, or was there no connection? */
function wasNotAccepted(cause: unknown): boolean {
  const { code, syscall, responseCode } = cause as NodeJS.ErrnoException & {
    responseCode?: number;
  };
  return (
    responseCode !== undefined ||
    ['EAUTH', 'EDNS', 'ETLS', 'EENVELOPE'].includes(String(code)) ||
    ['connect', 'getaddrinfo'].includes(String(syscall))
  );
}

/** Connects and logs in as for a mail, and sends none. @throws (rejects with) the library's error */
export async function checkSmtp(url: URL, timeoutMs: number): Promise<void> {
  const { createTransport } = await import('nodemailer');
  const limits = {
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  };
  const transport = createTransport({ ...smtpOptions(url), ...limits });
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

function smtpOptions(url: URL) {
  // Requires TLS, so that addresses are encrypted on the network, unless the URL allows otherwise.
  const isFree = LOCAL.includes(url.hostname) || /requireTLS|ignoreTLS/.test(url.search);
  return {
    url: url.href,
    connectionTimeout: STEP_TIMEOUT_MS,
    greetingTimeout: STEP_TIMEOUT_MS,
    socketTimeout: STEP_TIMEOUT_MS,
    ...(!isFree && { requireTLS: true }),
  };
}

/** @param folder created with the first mail; other users cannot read it */
export function openMailFolder(folder: string, from: string): MailTransport {
  return {
    async deliver(mail) {
      // Imported with the first mail, so that the start does not wait for it.
      const { createTransport } = await import('nodemailer');
      const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
      const { message } = await composer.sendMail(composed(mail, from));
      try {
        writeWhole(folder, mailFile(folder, mail.id), message as Buffer);
      } catch (cause) {
        throw new MailError('away', String((cause as { code?: unknown }).code));
      }
    },
  };
}

export const mailFile = (folder: string, id: string) => join(folder, `${id}.eml`);

/** A second delivery replaces the file of the first. */
function writeWhole(folder: string, file: string, content: Buffer): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const fd = openSync(`${file}.new`, 'w', 0o600);
  writeSync(fd, content);
  fsyncSync(fd);
  closeSync(fd);
  renameSync(`${file}.new`, file);
}

function composed({ id, to, date, ...text }: Mail, from: string): SendMailOptions {
  return {
    ...text,
    from: { name: '', address: from },
    to: [to].flat().map((address) => ({ name: '', address })),
    date,
    messageId: `<${id}@${from.split('@')[1]}>`,
    disableFileAccess: true,
    disableUrlAccess: true,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  };
}

const LOGIN_ADVICE = 'user or password of SMTP_URL is refused';

function classify(cause: unknown): MailError {
  const { code, command, responseCode } = cause as {
    code?: string;
    command?: string;
    responseCode?: number;
  };
  const aboutThisMail = command === 'RCPT TO' || command === 'DATA';
  if (!aboutThisMail || !responseCode) {
    const reason = String(responseCode ?? code ?? 'unknown');
    const isLogin = code === 'EAUTH';
    return new MailError('away', isLogin ? `${reason}: ${LOGIN_ADVICE}` : reason);
  }
  return new MailError(responseCode >= 500 ? 'refused' : 'delayed', String(responseCode));
}
