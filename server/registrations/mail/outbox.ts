/**
 * The outbox for the only mail sender of a server. A process that died, or a failed database, leaves claimed mails without a
 * sender. The outbox takes them back before the next claim, and does not wait until their claims expire.
 */
import type { ClaimedMail, MailRow, MailStore } from '../store/registration-store.ts';

export interface Outbox<R extends MailRow> {
  /** Claims the mail that has been due longest. */
  claim(): Promise<ClaimedMail<R> | null>;
  sent(id: string): Promise<void>;
  delayed(id: string, until: Date): Promise<void>;
  refused(id: string, reason: string): Promise<void>;
}

/** @param owner the name of this server, which has no other sender */
export function openOutbox<R extends MailRow>(
  store: MailStore<R>,
  owner: string,
  claimMs: number,
): Outbox<R> {
  /** Whether the database may have claims of this server that it does not know. */
  let isUnclear = true;
  /** Mails accepted by SMTP but not yet deleted from the database. Without this note they would be sent again. */
  let sentId: string | null = null;

  const ask = async <T>(question: Promise<T>): Promise<T> => {
    try {
      return await question;
    } catch (cause) {
      isUnclear = true;
      throw cause;
    }
  };
  const noteSent = async () => {
    if (sentId === null) return;
    await ask(store.mailSent(sentId));
    sentId = null;
  };
  return {
    async claim() {
      await noteSent();
      const now = new Date();
      if (isUnclear) await store.releaseMails(owner, now);
      isUnclear = false;
      return ask(store.claimMail(owner, now, new Date(now.getTime() + claimMs)));
    },
    sent(id) {
      sentId = id;
      return noteSent();
    },
    delayed: (id, until) => ask(store.mailDelayed(id, owner, until)),
    refused: (id, reason) => ask(store.mailRefused(id, owner, reason)),
  };
}
