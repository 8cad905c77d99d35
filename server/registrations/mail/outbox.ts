/**
 * The outbox as the one sender of a server sees it. A process that died and a store that did not answer leave mails
 * claimed that nobody sends; they are taken back before the next one is claimed, not when their claims run out.
 */
import type { ClaimedMail, RegistrationStore } from '../store/registration-store.ts';

export interface Outbox {
  /** Takes the mail that is due longest. */
  claim(): Promise<ClaimedMail | null>;
  sent(id: string): Promise<void>;
  delayed(id: string, until: Date): Promise<void>;
  refused(id: string, reason: string): Promise<void>;
}

/** @param owner which server this is; it has no other sender */
export function openOutbox(store: RegistrationStore, owner: string, claimMs: number): Outbox {
  /** There may be claims in this server's name that it knows nothing of. */
  let isUnclear = true;
  /** The SMTP server has it, the store has not heard so yet: forgotten, it would be sent a second time. */
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
