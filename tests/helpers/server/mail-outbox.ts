/** Mail senders on one database, in this process, with shorter delays than the server's. */
import { onTestFinished, vi } from 'vitest';
import { nextSteps } from '../../../server/registrations/mail/next-steps.ts';
import { PACE, startMailer } from '../../../server/registrations/mail/send-mails.ts';
import { type MailTransport, openSmtp } from '../../../server/registrations/mail/transport.ts';
import type { RegistrationStore } from '../../../server/registrations/store/registration-store.ts';
import { makeRow } from './registration-store-contract.ts';
import { SITE } from './server-dist.ts';

export const FAST = {
  ...PACE,
  pollMs: 20,
  firstDelayMs: 20,
  longestDelayMs: 50,
  longestAwayMs: 50,
};
export const SENT = { state: 'sent' };
export const SENDER = 'hello@portal.example';

/** @param connect opens the database for one more server, until the end of the test */
export function makeOutbox(connect: () => RegistrationStore) {
  const store = connect();
  onTestFinished(() => store.close().catch(() => {}));
  const log = { error: vi.fn(), warn: vi.fn(), info: vi.fn() };
  return {
    store,
    log,
    /** Adds a registration with its mail. */
    async add(name: string) {
      const encrypted = Buffer.from(`${name}@example.org`);
      await store.add(makeRow(name, { createdAt: new Date(), encrypted }), []);
    },
    /** @param to an SMTP server's URL, or another transport */
    send(to: string | MailTransport, owner = 'me', pace = FAST) {
      const mailer = startMailer({
        store: connect(),
        transport: typeof to === 'string' ? openSmtp(new URL(to), SENDER) : to,
        owner,
        write: ({ id, createdAt, encrypted }) => ({
          ...nextSteps(SITE.mail, 'en'),
          id,
          date: createdAt,
          to: encrypted.toString(),
        }),
        log,
        pace,
      });
      onTestFinished(() => mailer.stop(1000));
      return mailer;
    },
    states: async () => (await store.list(null, 100)).map(({ mail }) => mail),
  };
}
