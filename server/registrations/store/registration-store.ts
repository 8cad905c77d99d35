/**
 * Where registrations are kept, and the outbox of their mails. A store sees encrypted rows only: who registered stands in
 * `encrypted`, which server/registrations/ alone can open. Several servers may share one store.
 */

export interface RegistrationRow {
  /** UUID v7, and the id of its mail. */
  id: string;
  createdAt: Date;
  /** Keyed hash of the e-mail address, 32 bytes; one row each. */
  emailHash: Buffer;
  /** Which key of the ring encrypted it and hashed its address. */
  keyId: string;
  encrypted: Buffer;
}

export interface ClaimedMail {
  registration: RegistrationRow;
  /** Which attempt this is, from 1. */
  attempt: number;
}

/** `sent`: its row is gone. A refusal is an SMTP status, like `550`, or `expired`. */
export type MailState =
  | { state: 'sent' }
  | { state: 'waiting'; attempts: number }
  | { state: 'refused'; reason: string };

export interface RegistrationStore {
  /**
   * Keeps a row and one mail in one transaction, on the disk when it resolves. Where the address is known already
   * nothing changes, and it costs the same: a row is written in either case.
   *
   * @param otherEmailHashes the same address under the ring's other keys
   * @param mailDueAt when its mail may be sent; the row's own time where it is left out
   * @returns whether it is new
   */
  add(
    row: RegistrationRow,
    otherEmailHashes: readonly Buffer[],
    mailDueAt?: Date,
  ): Promise<boolean>;
  /** A page of rows by id, the oldest first. @param after the last id of the page before */
  list(after: string | null, limit: number): Promise<{ row: RegistrationRow; mail: MailState }[]>;
  countBefore(time: Date): Promise<number>;
  /** When the last one registered; null: there is none. */
  newestTime(): Promise<Date | null>;
  /** Every key that a row is encrypted with. */
  keyIds(): Promise<string[]>;
  /** Rows with one of these hashes go, their mails with them, and nothing of them stays in the files. @returns their ids */
  remove(emailHashes: readonly Buffer[]): Promise<string[]>;
  /** The same for what was registered before that time. */
  removeBefore(time: Date): Promise<string[]>;
  /**
   * Encrypts rows again, all in one transaction that lets no other writer in between. Of two rows with one hash, as two
   * servers with different keys may have made them, the older stays.
   *
   * @param convert the row as it is to be, with its id; null: as it is
   * @returns how many were changed
   */
  convertAll(convert: (row: RegistrationRow) => RegistrationRow | null): Promise<number>;

  /**
   * Takes the mail that is due longest among those with the fewest attempts: one that was never tried does not wait for
   * others that fail again and again. No other server gets it before `until`, so the sender must be done by then.
   *
   * @param owner which server takes it
   */
  claimMail(owner: string, now: Date, until: Date): Promise<ClaimedMail | null>;
  /** Whether any mail waits, due or claimed or not; refused ones do not wait. */
  hasWaitingMails(): Promise<boolean>;
  /**
   * Mails that were tried before are due at once, and so are those that an earlier process of this server had claimed;
   * not what other servers have claimed. Untried mails keep their turn.
   */
  releaseMails(owner: string, now: Date): Promise<void>;
  /** Removes the mail, whoever has claimed it since. */
  mailSent(id: string): Promise<void>;
  /** Due again at that time; changes nothing when somebody else has claimed it since. */
  mailDelayed(id: string, owner: string, until: Date): Promise<void>;
  /** Will not be tried again; changes nothing when somebody else has claimed it since. */
  mailRefused(id: string, owner: string, reason: string): Promise<void>;
  close(): Promise<void>;
}
