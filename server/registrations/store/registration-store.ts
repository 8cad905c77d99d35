/**
 * Interface of the database for registrations and the outbox of their mails. It has only encrypted rows: the person is in
 * `encrypted`, which only server/registrations/ can decrypt. Several servers may share one database.
 */

export interface RegistrationRow {
  /** UUID v7; also the id of the mail. */
  id: string;
  createdAt: Date;
  /** Keyed hash of the e-mail address, 32 bytes. Unique. */
  emailHash: Buffer;
  /** The key of the ring for encryption and hash. */
  keyId: string;
  encrypted: Buffer;
}

/** The sender's view of a mail: its id, and since when it waits. */
export interface MailRow {
  id: string;
  createdAt: Date;
}

export interface ClaimedMail<R extends MailRow> {
  /** The row from which the mail is written. */
  row: R;
  /** Number of this attempt, from 1. */
  attempt: number;
}

/** An outbox in a database, which several servers may share. */
export interface MailStore<R extends MailRow> {
  /**
   * Claims the mail that has been due longest among those with the fewest attempts, so that a new mail does not wait for mails
   * that keep failing. No other server gets it before `until`, so the sender must finish by then.
   *
   * @param owner the server that claims it
   */
  claimMail(owner: string, now: Date, until: Date): Promise<ClaimedMail<R> | null>;
  /** Whether any mail waits: due, claimed or later. Refused mails do not wait. */
  hasWaitingMails(): Promise<boolean>;
  /**
   * Makes earlier attempts due at once, and the claims of an earlier process of this server. Claims of other servers stay, and
   * untried mails keep their time.
   */
  releaseMails(owner: string, now: Date): Promise<void>;
  /** Takes the mail out of the outbox, also if another server has claimed it since. */
  mailSent(id: string): Promise<void>;
  /** Makes the mail due at that time. Changes nothing if another server has claimed it since. */
  mailDelayed(id: string, owner: string, until: Date): Promise<void>;
  /** Marks the mail as refused for good. Changes nothing if another server has claimed it since. */
  mailRefused(id: string, owner: string, reason: string): Promise<void>;
  close(): Promise<void>;
}

/** `sent`: the mail's row is deleted. The reason of a refusal is an SMTP status, like `550`, or `expired`. */
export type MailState =
  | { state: 'sent' }
  | { state: 'waiting'; attempts: number }
  | { state: 'refused'; reason: string };

export interface MailBacklog {
  /** Due, claimed or later. */
  waiting: number;
  /** When the oldest of them was asked for by a registration; null: none waits. */
  oldest: Date | null;
  /** Refused for good. */
  refused: number;
}

export interface RegistrationStore extends MailStore<RegistrationRow> {
  /**
   * Adds a row and a mail in one transaction, on the disk when it resolves. For a known address nothing changes, but a row is
   * written too, so that the cost is the same.
   *
   * @param otherEmailHashes the same address under the ring's other keys
   * @param mailDueAt when the mail may be sent; the row's own time by default
   * @returns whether the address is new
   */
  add(
    row: RegistrationRow,
    otherEmailHashes: readonly Buffer[],
    mailDueAt?: Date,
  ): Promise<boolean>;
  /** Returns a page of rows by id, the oldest first. @param after the last id of the previous page */
  list(after: string | null, limit: number): Promise<{ row: RegistrationRow; mail: MailState }[]>;
  countBefore(time: Date): Promise<number>;
  /** Time of the last registration; null: there is none. */
  newestTime(): Promise<Date | null>;
  /** Ids of the keys with which rows are encrypted. */
  keyIds(): Promise<string[]>;
  /** Deletes the rows with these hashes and their mails, and overwrites them in the files. @returns their ids */
  remove(emailHashes: readonly Buffer[]): Promise<string[]>;
  /** The same for registrations before that time. */
  removeBefore(time: Date): Promise<string[]>;
  /**
   * Encrypts rows again in one transaction, without other writers. Two servers with different keys may have made two rows for
   * one address; the older one is kept.
   *
   * @param convert returns the new row with the same id; null: unchanged
   * @returns the number of changed rows
   */
  convertAll(convert: (row: RegistrationRow) => RegistrationRow | null): Promise<number>;
  /** For the metrics. */
  mailBacklog(): Promise<MailBacklog>;
}
