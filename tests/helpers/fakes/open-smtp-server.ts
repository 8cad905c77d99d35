/** A real SMTP server whose answers the caller sets. It does not need Vitest. */
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** An SMTP status; `silent`: the server reads the whole mail and does not answer. */
type Answer = number | 'silent';

export interface Behaviour {
  port?: number;
  /** Accepted passwords by names. If undefined, the server requires no login. */
  users?: Record<string, string>;
  /** SMTP status for the recipient of the n-th mail, from 0. */
  recipient?: (n: number, address: string) => number;
  /** SMTP status after the text of the n-th mail, from 0. */
  data?: (n: number) => Answer | Promise<Answer>;
}

/** A mail that the server has received. `user`: the login name; null without a login. */
export type Received = Email & { envelope: { from: string; to: string[] }; user: string | null };

/**
 * Starts the server.
 *
 * @returns `received`: the mails that arrived completely, whatever the answer to them was
 * @throws if the port is taken
 */
export async function openSmtpServer(behaviour: Behaviour = {}) {
  const { port = 0, users, recipient, data } = behaviour;
  const received: Received[] = [];
  let recipients = 0;
  const server = new SMTPServer({
    disabledCommands: users ? ['STARTTLS'] : ['AUTH', 'STARTTLS'],
    allowInsecureAuth: true,
    closeTimeout: 1,
    logger: false,
    onAuth({ username = '', password }, _session, callback) {
      const isKnown = users?.[username] !== undefined && users[username] === password;
      callback(isKnown ? null : errorOf(535), { user: username });
    },
    onRcptTo({ address }, _session, callback) {
      callback(errorOf(recipient?.(recipients++, address) ?? 250));
    },
    onData(stream, session, callback) {
      const arrive = async () => {
        const message = Buffer.concat(await Array.fromAsync(stream as AsyncIterable<Buffer>));
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom ? mailFrom.address : '';
        const to = rcptTo.map(({ address }) => address);
        const user = session.user ?? null;
        received.push({ ...(await PostalMime.parse(message)), envelope: { from, to }, user });
        const status = (await data?.(received.length - 1)) ?? 250;
        if (status !== 'silent') callback(errorOf(status));
      };
      // A connection that ends before the end of the mail has not sent a mail.
      arrive().catch(callback);
    },
  });
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen(port, '0.0.0.0', done);
  });
  server.on('error', () => {});
  const close = () => new Promise<void>((done) => void server.close(() => done()));
  const bound = (server.server.address() as AddressInfo).port;
  return { received, close, port: bound, url: `smtp://127.0.0.1:${bound}` };
}

/** Returns the error with which smtp-server answers a status; null: it answers 250. */
function errorOf(status: number): Error | null {
  if (status < 400) return null;
  return Object.assign(new Error('canary-answer'), { responseCode: status });
}
