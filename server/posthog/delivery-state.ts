/** Does PostHog take the events? Logs when a fault begins, changes its kind and ends, and gives reasons for /healthz. */
import type { Logger } from 'pino';
import type { Trouble } from './capture/capture.ts';

export interface DeliveryState {
  /** PostHog has answered; null: it took the events. */
  report(trouble: Trouble | null): void;
  /** The database of receipts has answered; null: without an error. */
  reportStore(cause: unknown): void;
  /** Does PostHog have a fault now? */
  isFailing(): boolean;
  /** Sentences about the present faults. They contain nothing of a visitor. */
  reasons(): string[];
}

const SENTENCES: Record<Trouble['kind'], string> = {
  away: 'PostHog does not take events. They wait.',
  over_quota: 'PostHog is over its quota. Events wait.',
  refused: 'PostHog refuses every event. They wait. Check POSTHOG_HOST and the project key.',
  unreadable: 'The answers of POSTHOG_HOST are not PostHog’s. Events wait.',
};
const STORE = 'The receipts of PostHog cannot be read or written.';

export function createDeliveryState(log: Pick<Logger, 'error' | 'info'>): DeliveryState {
  let trouble: Trouble | null = null;
  let storeFault: unknown = null;
  return {
    report(next) {
      if (next && next.kind !== trouble?.kind) {
        const { kind, detail } = next;
        log.error({ kind, detail }, `Events do not reach PostHog; they wait. ${next.message}`);
      }
      if (!next && trouble) log.info('Events reach PostHog again');
      trouble = next;
    },
    reportStore(cause) {
      if (cause && !storeFault) log.error({ err: cause }, STORE);
      if (!cause && storeFault) log.info('The receipts of PostHog can be read and written again');
      storeFault = cause;
    },
    isFailing: () => trouble !== null,
    reasons: () => [...(trouble ? [SENTENCES[trouble.kind]] : []), ...(storeFault ? [STORE] : [])],
  };
}
