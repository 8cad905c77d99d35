/**
 * Empties the outbox: one mail after the other, with retries until the SMTP server accepts or refuses it. An accepted mail is
 * deleted. After a crash in between it is sent again with the same Message-ID (docs/decisions/009-the-promised-mail.md).
 */
import type { Logger } from 'pino';
import type { ClaimedMail, MailRow, MailStore } from '../store/registration-store.ts';
import { type Outbox, openOutbox } from './outbox.ts';
import { type Mail, MailError, type MailTransport } from './transport.ts';

export interface Mailer {
  /** A mail is due. */
  wake(): void;
  /** Waits for the mail under way, up to the given time. The next process sends an interrupted mail again. */
  stop(timeoutMs: number): Promise<void>;
}

export interface MailerParts<R extends MailRow> {
  store: MailStore<R>;
  transport: MailTransport;
  /** Name of this server among those that share the database; the same after a restart. */
  owner: string;
  /** @throws when the mail cannot be written yet, such as without the key of a registration */
  write(row: R): Mail | Promise<Mail>;
  log: Pick<Logger, 'error' | 'warn' | 'info'>;
  pace?: typeof PACE;
}

export const PACE = {
  /** Duration of a claim. Longer than the slowest SMTP dialogue. */
  claimMs: 15 * 60_000,
  /** Interval of the search for delayed mails and for mails of dead servers. */
  pollMs: 15_000,
  /** First delay; it doubles with every attempt. */
  firstDelayMs: 30_000,
  longestDelayMs: 4 * 60 * 60_000,
  /** Upper bound of the delay while no mail can be sent, because the fault is not this mail's. */
  longestAwayMs: 5 * 60_000,
  /** Age at which a mail expires. Longer than an SMTP server's failure over a long weekend. */
  expiresMs: 5 * 24 * 60 * 60_000,
};

type Log = MailerParts<MailRow>['log'];
type Outcome = 'none' | 'done' | 'away';

export function startMailer<R extends MailRow>(parts: MailerParts<R>): Mailer {
  const { log, pace = PACE } = parts;
  let stopped = false;
  let running: Promise<void> | null = null;
  let again = false;
  const say = makeReporter(log);
  const outbox = openOutbox(parts.store, parts.owner, pace.claimMs);

  const empty = async () => {
    do {
      again = false;
      let outcome: Outcome = 'done';
      while (outcome === 'done' && !stopped) outcome = await sendNext(parts, outbox, say);
    } while (again && !stopped);
  };
  const wake = () => {
    again = true;
    if (stopped || running) return;
    running = empty()
      .catch((cause) => say('away', reasonOf(cause)))
      .finally(() => {
        running = null;
        // A mail became due after the last claim and before the end of the loop.
        if (again) wake();
      });
  };
  const timer = setInterval(wake, pace.pollMs).unref();
  wake();
  return {
    wake,
    async stop(timeoutMs) {
      stopped = true;
      clearInterval(timer);
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const limit = setTimeout(resolve, timeoutMs);
      await Promise.race([running, late]);
      clearTimeout(limit);
    },
  };
}

type Report = (outcome: 'sent' | 'away', reason?: string) => void;

/** Logs once when mails cannot be sent and once when they are sent again, instead of once per mail. */
function makeReporter(log: Log): Report {
  let away = false;
  return (outcome, reason) => {
    if (outcome === 'away' && !away) log.error({ reason }, 'Mails cannot be sent; they wait');
    if (outcome === 'sent' && away) log.info('Mails are sent again');
    away = outcome === 'away';
  };
}

async function sendNext<R extends MailRow>(
  parts: MailerParts<R>,
  outbox: Outbox<R>,
  say: Report,
): Promise<Outcome> {
  const claimed = await outbox.claim();
  if (!claimed) return 'none';
  try {
    await parts.transport.deliver(await parts.write(claimed.row));
  } catch (cause) {
    const error = toMailError(cause, parts.log);
    await putBack(parts, outbox, claimed, error);
    if (error.kind !== 'away') return 'done';
    say('away', error.reason);
    return 'away';
  }
  await outbox.sent(claimed.row.id);
  say('sent');
  return 'done';
}

async function putBack<R extends MailRow>(
  { log, pace = PACE }: MailerParts<R>,
  outbox: Outbox<R>,
  claimed: ClaimedMail<R>,
  error: MailError,
): Promise<void> {
  const { id, createdAt } = claimed.row;
  const isExpired = Date.now() - createdAt.getTime() > pace.expiresMs;
  const refusal = error.kind === 'refused' ? error.reason : isExpired ? 'expired' : null;
  if (refusal === null) {
    await outbox.delayed(id, nextTry(claimed.attempt, error.kind, pace));
    return;
  }
  await outbox.refused(id, refusal);
  log.warn({ mail: id, reason: refusal }, 'A mail was refused, and is not tried again');
}

/** Jitter between half of the delay and the whole, so that many mails do not retry at the same moment. */
function nextTry(attempt: number, kind: MailError['kind'], pace: typeof PACE): Date {
  const longest = kind === 'away' ? pace.longestAwayMs : pace.longestDelayMs;
  const delay = Math.min(pace.firstDelayMs * 2 ** (attempt - 1), longest);
  return new Date(Date.now() + delay * (0.5 + Math.random() / 2));
}

/** A registration without its key waits for it. The error names only the row and the key. */
function toMailError(cause: unknown, log: Log): MailError {
  if (cause instanceof MailError) return cause;
  log.error({ reason: (cause as Error).message }, 'A mail cannot be written');
  return new MailError('delayed', 'unreadable');
}

const reasonOf = (cause: unknown) => String((cause as { code?: unknown }).code ?? 'store');
