/** A real SMTP server that answers each mail as its caller sets it. Vitest is not needed. */
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** An SMTP status; `silent`: the server reads the whole mail and does not answer. */
type Answer = number | 'silent';

export interface Behaviour {
  port?: number;
  /** The accepted name and password. Without it the server needs no login. */
  users?: Record<string, string>;
  /** Answer to the recipient of the n-th mail, from 0. */
  recipient?: (n: number, address: string) => number;
  /** Answer to the end of the n-th mail, from 0. */
  data?: (n: number) => Answer | Promise<Answer>;
}

/** `user`: the login name, if the server asked for one. */
export type Received = Email & { envelope: { from: string; to: string[] }; user: string | null };

/**
 * @returns the mails that arrived completely, whatever the answer was
 * @throws when the port is taken
 */
export async function openSmtpServer(behaviour: Behaviour = {}) {
  const { port = 0, users, recipient, data } = behaviour;
  const received: Received[] = [];
  let asked = 0;
  const server = new SMTPServer({
    disabledCommands: users ? ['STARTTLS'] : ['AUTH', 'STARTTLS'],
    allowInsecureAuth: true,
    closeTimeout: 1,
    logger: false,
    onAuth({ username = '', password }, _session, callback) {
      const isKnown = users?.[username] !== undefined && users[username] === password;
      callback(isKnown ? null : answer(535), { user: username });
    },
    onRcptTo({ address }, _session, callback) {
      callback(answer(recipient?.(asked++, address) ?? 250));
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
        if (status !== 'silent') callback(answer(status));
      };
      // A sender that ended before the end of the message has not sent it.
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

function answer(status: number): Error | null {
  if (status < 400) return null;
  return Object.assign(new Error('canary-answer'), { responseCode: status });
}
