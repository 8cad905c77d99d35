/** Sends mails through the SMTP server. */
import type { SMTPError } from 'nodemailer/lib/smtp-connection/index.js';
import { MINUTE_MS, SECOND_MS } from '../time.ts';

export interface Mail {
  /**
   * Id of the mail's row. It is in the Message-ID, so that every attempt sends the same message.
   */
  id: string;
  to: string[];
  date: Date;
  subject: string;
  /** The whole mail as plain text. */
  text: string;
  /** The same content as HTML. */
  html?: string;
  /** The List-Id (RFC 2919), by which recipients can filter their mail. */
  list?: { id: string; name: string };
}

/** The sender. If `name` is empty, the header has only the address. */
export interface FromAddress {
  name: string;
  address: string;
}

/**
 * Why a mail was not sent. `refused`: the SMTP server will never accept this mail. `delayed`: it
 * may accept this mail later. `away`: it accepts no mail now. The message is an SMTP status or the
 * library's code, never the server's text, which may quote the recipient's address.
 */
export interface MailFault extends Error {
  kind: 'refused' | 'delayed' | 'away';
}

/** Timeout for the connection and the server's greeting. */
const CONNECT_TIMEOUT_MS = 30 * SECOND_MS;
/**
 * Timeout for each later step. An SMTP server may take 10 minutes to accept a mail (RFC 5321,
 * section 4.5.3.2.6).
 */
const STEP_TIMEOUT_MS = 10 * MINUTE_MS;
const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/** Sends one mail. @throws (rejects with) a MailFault */
export async function sendMail(url: URL, from: FromAddress, mail: Mail): Promise<void> {
  const { id, to, list, ...content } = mail;
  const transport = await openTransport(url, CONNECT_TIMEOUT_MS, STEP_TIMEOUT_MS);
  const sending = transport.sendMail({
    ...content,
    from,
    to: to.map((address) => ({ name: '', address })),
    messageId: `<${id}@${from.address.split('@')[1]}>`,
    ...(list && { list: { id: { url: list.id, comment: list.name } } }),
    disableFileAccess: true,
    disableUrlAccess: true,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  });
  await sending.catch(throwMailFault);
}

/**
 * Connects and logs in, but sends no mail (`site check`).
 *
 * @throws (rejects with) the library's error
 */
export async function checkSmtp(url: URL, timeoutMs: number): Promise<void> {
  const transport = await openTransport(url, timeoutMs, timeoutMs);
  await transport.verify().finally(() => transport.close());
}

/**
 * Loads the mail library. It blocks the event loop for about 70 ms, so load it before visitors
 * come.
 */
export const loadMailer = () => import('nodemailer');

async function openTransport(url: URL, connectMs: number, stepMs: number) {
  const { createTransport } = await loadMailer();
  // TLS is required, so that recipients' addresses are encrypted on the network, unless the URL
  // allows otherwise.
  const isTlsOptional =
    LOCAL_HOSTS.includes(url.hostname) || /requireTLS|ignoreTLS/.test(url.search);
  return createTransport({
    url: url.href,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: stepMs,
    ...(!isTlsOptional && { requireTLS: true }),
  });
}

function throwMailFault({ code, command, responseCode }: SMTPError): never {
  const isOfThisMail = command === 'RCPT TO' || command === 'DATA';
  let kind: MailFault['kind'] = 'away';
  if (isOfThisMail && responseCode) kind = responseCode >= 500 ? 'refused' : 'delayed';
  const advice = code === 'EAUTH' ? ': user or password of SMTP_URL is refused' : '';
  throw Object.assign(new Error(`${responseCode ?? code ?? 'unknown'}${advice}`), { kind });
}
