/** Sends a mail to the SMTP server. */
import type { SMTPError } from 'nodemailer/lib/smtp-connection/index.js';
import { MINUTE_MS, SECOND_MS } from '../time.ts';

export interface Mail {
  /** Id of its row. The same message is sent in every attempt. */
  id: string;
  to: string[];
  date: Date;
  subject: string;
  /** Complete by itself. */
  text: string;
  /** The same as HTML. */
  html?: string;
  /** The List-Id (RFC 2919), by which readers sort their mail. */
  list?: { id: string; name: string };
}

/** An empty name leaves the address alone. */
export interface FromAddress {
  name: string;
  address: string;
}

/**
 * `refused`: the SMTP server will never accept this mail. `delayed`: later. `away`: it accepts no
 * mail now. The message is an SMTP status or the library's code. It never has the server's text,
 * which may quote the address.
 */
export interface MailFault extends Error {
  kind: 'refused' | 'delayed' | 'away';
}

/** Time limit for the connection and the greeting. */
const CONNECT_MS = 30 * SECOND_MS;
/**
 * Time limit for each later step. An SMTP server may take 10 minutes to accept a mail (RFC 5321,
 * section 4.5.3.2.6).
 */
const STEP_MS = 10 * MINUTE_MS;
const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/** @throws (rejects with) a MailFault */
export async function sendMail(url: URL, from: FromAddress, mail: Mail): Promise<void> {
  const { id, to, list, ...content } = mail;
  const transport = await openTransport(url, CONNECT_MS, STEP_MS);
  const sent = transport.sendMail({
    ...content,
    from,
    to: to.map((address) => ({ name: '', address })),
    messageId: `<${id}@${from.address.split('@')[1]}>`,
    ...(list && { list: { id: { url: list.id, comment: list.name } } }),
    disableFileAccess: true,
    disableUrlAccess: true,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  });
  await sent.catch(throwMailFault);
}

/**
 * Connects and logs in as for a mail, and sends none.
 *
 * @throws (rejects with) the library's error
 */
export async function checkSmtp(url: URL, timeoutMs: number): Promise<void> {
  const transport = await openTransport(url, timeoutMs, timeoutMs);
  await transport.verify().finally(() => transport.close());
}

/** Loads the library. That holds the event loop for about 70 ms, in which a visitor would wait. */
export const loadMailer = () => import('nodemailer');

async function openTransport(url: URL, connectMs: number, stepMs: number) {
  const { createTransport } = await loadMailer();
  // Requires TLS, so that addresses are encrypted on the network, unless the URL allows otherwise.
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
