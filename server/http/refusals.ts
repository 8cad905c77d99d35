/**
 * Counts what the server refuses, and tells operators: a counter for each refusal, and lines of the
 * log that strangers cannot multiply. Every plugin reaches it as `app.refusals`.
 */
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { type Clock, MINUTE_MS } from '../time.ts';

/** Each has its value of the label `reason` in the metrics. */
export const REFUSAL_REASONS = [
  'wrong_password',
  'rate_limit',
  'budget',
  'connection',
  'share_token',
] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

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
  /** null: nothing is counted. */
  metrics?: { refuse(reason: RefusalReason): void } | null | undefined;
  now?: Clock | undefined;
}

/** Adds `app.refusals`. Call it before the plugins that refuse something. */
export function refusals(app: FastifyInstance, options: Options): void {
  app.decorate('refusals', createRefusals(options));
}

function createRefusals({ log, metrics, now = Date.now }: Options) {
  const lines = new Map<RefusalReason, { at: number; times: number }>();
  return {
    /**
     * Counts a refusal. Its line has the number of refusals since the line before, and comes once a
     * minute at most.
     */
    note(reason: keyof typeof SENTENCES): void {
      metrics?.refuse(reason);
      const last = lines.get(reason) ?? { at: Number.NEGATIVE_INFINITY, times: 0 };
      last.times += 1;
      lines.set(reason, last);
      // A clock that was set back must not end the lines.
      if (Math.abs(now() - last.at) < MINUTE_MS) return;
      log.warn({ reason, times: last.times }, SENTENCES[reason]);
      lines.set(reason, { at: now(), times: 0 });
    },
    /** Counts a wrong password. The limits of operators.ts bound the lines. */
    notePassword(place: object): void {
      metrics?.refuse('wrong_password');
      log.warn(place, 'A password that is not ADMIN_PASSWORD was refused');
    },
  };
}
