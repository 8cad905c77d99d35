/** A real SMTP server of this machine's own, that answers each mail as the test wants. */
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { onTestFinished } from 'vitest';

/** An SMTP status; `silent`: the mail is read to its end, and nothing is said. */
type Answer = number | 'silent';

interface Behaviour {
  port?: number;
  /** Who may send, and with which password; without it, everybody. */
  users?: Record<string, string>;
  /** Somebody tells a name and a password, right or wrong. */
  onLogin?: (user: string) => void;
  /** It speaks TLS from the first byte on. */
  tls?: { key: string; cert: string };
  /** To the recipient of the n-th mail, from 0. */
  recipient?: (n: number) => number;
  /** To the n-th mail's end, from 0. */
  data?: (n: number) => Answer | Promise<Answer>;
}

/** `user`: who sent it, where that was asked. */
export type Received = Email & { envelope: { from: string; to: string[] }; user: string | null };

/**
 * @returns what arrived whole, whatever it was answered
 * @throws when the port is taken
 */
export async function startSmtpServer(behaviour: Behaviour = {}) {
  const { port = 0, users, onLogin, tls, recipient, data } = behaviour;
  const received: Received[] = [];
  let asked = 0;
  const server = new SMTPServer({
    disabledCommands: users ? ['STARTTLS'] : ['AUTH', 'STARTTLS'],
    allowInsecureAuth: true,
    ...(tls && { secure: true, ...tls }),
    closeTimeout: 1,
    logger: false,
    onAuth({ username = '', password }, _session, callback) {
      onLogin?.(username);
      const isKnown = users?.[username] !== undefined && users[username] === password;
      callback(isKnown ? null : answer(535), { user: username });
    },
    onRcptTo(_address, _session, callback) {
      callback(answer(recipient?.(asked++) ?? 250));
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
      // Whoever died before the message was whole has sent none.
      arrive().catch(callback);
    },
  });
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen(port, '0.0.0.0', done);
  });
  server.on('error', () => {});
  const close = () => new Promise<void>((done) => void server.close(() => done()));
  onTestFinished(close);
  const bound = (server.server.address() as AddressInfo).port;
  return { received, close, port: bound, url: `smtp://127.0.0.1:${bound}` };
}

function answer(status: number): Error | null {
  if (status < 400) return null;
  return Object.assign(new Error('canary-answer'), { responseCode: status });
}
