/**
 * Runs the mailer in a worker thread. Composing a mail blocks a thread for milliseconds. On the main thread, any visitor could
 * measure this and learn whether a registered address was new.
 */
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { Language } from '#contract/language.ts';
import type { KeyRing } from '../key-ring.ts';
import type { MailRow, MailStore } from '../store/registration-store.ts';
import type { MailText } from './next-steps.ts';
import { type Mailer, PACE } from './send-mails.ts';

/** Settings of a thread that sends mails, copied into it. */
export interface MailThreadData {
  /** null: the SQLite file. */
  databaseUrl: string | null;
  registrationsFile: string;
  /** null: the mailer writes mails into the folder. */
  smtpUrl: string | null;
  folder: string;
  from: string;
  owner: string;
}

export interface MailWorkerData extends MailThreadData {
  texts: Record<Language, MailText>;
  ring: KeyRing;
}

export type ToMailWorker = { kind: 'wake' } | { kind: 'stop'; timeoutMs: number };
/** One entry for the server's log: the arguments of that level's method. */
export interface FromMailWorker {
  level: 'error' | 'warn' | 'info';
  entry: unknown[];
}

/** Time for the thread to close its database, after the mailer's own time to stop. */
const THREAD_END_MS = 200;

/**
 * Starts the thread with the first mail, because most servers never send one.
 *
 * @param file the thread's program
 */
export function startMailWorker<D extends MailThreadData>(
  file: URL,
  data: D,
  store: Pick<MailStore<MailRow>, 'hasWaitingMails'>,
  log: Pick<Logger, 'error' | 'warn' | 'info'>,
): Mailer {
  let worker: Worker | null = null;
  let stopped = false;

  const start = () => {
    const thread = new Worker(file, {
      workerData: data,
      execArgv: [],
    });
    thread.on('message', ({ level, entry }: FromMailWorker) => {
      (log[level] as (...args: unknown[]) => void)(...entry);
    });
    thread.on('error', (err) => log.error({ err }, 'The thread that sends mails has failed'));
    thread.on('exit', () => {
      if (worker === thread) worker = null;
    });
    thread.unref();
    return thread;
  };
  const wake = () => {
    if (stopped) return;
    if (worker) worker.postMessage({ kind: 'wake' } satisfies ToMailWorker);
    else worker = start();
  };
  /** Mails of an earlier process, or of another server that died. */
  const look = async () => {
    // The database does not answer. The next attempt asks it again.
    if (!worker && (await store.hasWaitingMails().catch(() => false))) wake();
  };
  const timer = setInterval(look, PACE.pollMs).unref();
  void look();

  return {
    wake,
    async stop(timeoutMs) {
      stopped = true;
      clearInterval(timer);
      const thread = worker;
      if (!thread) return;
      thread.postMessage({ kind: 'stop', timeoutMs } satisfies ToMailWorker);
      const ended = new Promise<void>((resolve) => thread.once('exit', () => resolve()));
      const late = setTimeout(() => void thread.terminate(), timeoutMs + THREAD_END_MS);
      await ended;
      clearTimeout(late);
    },
  };
}
