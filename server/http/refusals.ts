/**
 * Counts refused requests for the metrics, and logs them at a bounded rate, so that strangers
 * cannot flood the log. Plugins use it as `app.refusals`.
 */
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { type Clock, MINUTE_MS } from '../time.ts';

/** The reasons for a refusal. Each is a value of the metric's label `reason`. */
export const REFUSAL_REASONS = [
  'wrong_password',
  'rate_limit',
  'budget',
  'connection',
  'share_token',
] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

/** The log message of each reason. */
const SENTENCES: Record<Exclude<RefusalReason, 'wrong_password'>, string> = {
  rate_limit: 'Requests over the rate limit of their address are refused',
  budget: 'Requests over a budget of their address, or of all addresses, are refused',
  connection: 'Connections beyond the bounds are closed',
  share_token: 'Requests with a wrong or ended address of a clinic are refused',
};

declare module 'fastify' {
  interface FastifyInstance {
    refusals: Refusals;
  }
}

export type Refusals = ReturnType<typeof createRefusals>;

interface Options {
  log: FastifyBaseLogger;
  /** Null: there are no metrics. */
  metrics?: { refuse(reason: RefusalReason): void } | null | undefined;
  now?: Clock | undefined;
}

/** Adds `app.refusals`. Call it before the plugins that use it. */
export function refusals(app: FastifyInstance, options: Options): void {
  app.decorate('refusals', createRefusals(options));
}

function createRefusals({ log, metrics, now = Date.now }: Options) {
  const lastLines = new Map<RefusalReason, { at: number; times: number }>();
  return {
    /**
     * Counts a refusal. At most once a minute it logs the number of refusals since the last log
     * line.
     */
    note(reason: keyof typeof SENTENCES): void {
      metrics?.refuse(reason);
      const last = lastLines.get(reason) ?? { at: Number.NEGATIVE_INFINITY, times: 0 };
      last.times += 1;
      lastLines.set(reason, last);
      // The absolute value, so that a clock that was set back does not silence the log.
      if (Math.abs(now() - last.at) < MINUTE_MS) return;
      log.warn({ reason, times: last.times }, SENTENCES[reason]);
      lastLines.set(reason, { at: now(), times: 0 });
    },
    /** Counts and logs a wrong password. The limits of operators.ts bound these log lines. */
    notePassword(place: object): void {
      metrics?.refuse('wrong_password');
      log.warn(place, 'A password that is not ADMIN_PASSWORD was refused');
    },
  };
}
